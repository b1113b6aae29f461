"""Immediate effects of a move for hints: changes of the numbers shown to the player, and cards gained.

An effect that all other moves share is no reason for a move. Neither is a number that the move itself states: the
number chosen, or the size of a bet.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from fractions import Fraction

from attrs import frozen

from interpreter.errors import RuleError
from interpreter.matches.names import listed
from interpreter.matches.shown import Look
from interpreter.players.worlds import Worlds
from interpreter.stakes import roles
from interpreter.state import DONE, State

LOOKED_AT = 6
"""Number of samples in which a move must have the same effect."""
NUMBERS = 2
"""Maximum number of changed numbers to mention."""

Numbers = dict[str, tuple[int | Fraction, str]]


@frozen
class Effect:
    """Changes made by a move.

    numbers: the name, the values before and after as people write them, and the difference.
    cards: the codes of the cards gained.
    of: the code of the chosen card.
    text: the values shown for that card.
    """

    numbers: tuple[tuple[str, str, str, int | Fraction], ...]
    cards: tuple[str, ...]
    text: str = ""
    of: str = ""


def told_of_effect(worlds: Worlds, index: int, others: Iterable[int], label: str) -> list[str]:
    """Describe the effect of a move in one or two sentences.

    index: the move's index.
    others: the moves to compare with.
    label: the name of the move. Cards in it are not mentioned again.
    """
    own = effect(worlds, index)
    if own is None:
        return []
    rest = [found for other in others if (found := effect(worlds, other)) is not None]
    numbers = [each for each in own.numbers if not rest or any(each not in other.numbers for other in rest)]
    told = [f"{noun} from {before} to {after}" for noun, before, after, _ in mirrored_once(numbers)]
    cards = [f"[{card}]" for card in own.cards if f"[{card}]" not in label]
    gained = [f"You get {listed(cards)}."] if cards else []
    shown = [f"[{each.of}]: {each.text}." for each in [own] if each.text and any(each.text != o.text for o in rest)]
    return [*gained, *shown, *([f"Immediately: {'; '.join(told)}."] if told else [])]


def mirrored_once(
    numbers: Iterable[tuple[str, str, str, int | Fraction]],
) -> list[tuple[str, str, str, int | Fraction]]:
    """Return the first few changes, without changes that mirror another, such as the points still needed."""
    found: list[tuple[str, str, str, int | Fraction]] = []
    for each in numbers:
        if all(abs(each[3]) != abs(other[3]) for other in found):
            found.append(each)
    return found[:NUMBERS]


def effect(worlds: Worlds, index: int) -> Effect | None:
    """Return the effect that a move has in every sample; None if there is none."""
    found = [effect_in(worlds, world, world.legal[index]) for world in worlds.states[:LOOKED_AT]]
    known = [each for each in found if each is not None]
    if not known or len(known) < len(found):
        return None
    numbers = tuple(each for each in known[0].numbers if all(each in other.numbers for other in known))
    cards = tuple(each for each in known[0].cards if all(each in other.cards for other in known))
    same = all(each.text == known[0].text and each.of == known[0].of for each in known)
    return Effect(numbers, cards, known[0].text if same else "", known[0].of)


def effect_in(worlds: Worlds, world: State, code: int) -> Effect | None:
    """Return the effect in one sample; None if it involves a random event or breaks a rule."""
    with suppress(RuleError):
        state = worlds.laid(world, code)
        if state.rng != world.rng:
            return None
        before, after = numbers_of(worlds, world), numbers_of(worlds, state)
        changed = [(noun, before[noun], after[noun]) for noun in before if noun in after]
        picked = code - 1 if worlds.site.kind == "pick" and code != DONE else None
        numbers = ((noun, one[1], two[1], two[0] - one[0]) for noun, one, two in changed if one[0] != two[0])
        return Effect(
            tuple(each for each in numbers if not is_said(worlds, code, each[-1])),
            tuple(worlds.names.code(card) for card in brought(worlds, world, state)),
            shown_of(worlds, world, picked) if picked is not None else "",
            worlds.names.code(picked) if picked is not None else "",
        )
    return None


def is_said(worlds: Worlds, code: int, change: int | Fraction) -> bool:
    """Return whether the move itself states the change: it is a bet, or the number is chosen."""
    if any(roles(worlds.site)):
        return True
    return worlds.site.asks_number and worlds.program.decode(worlds.site, code)[1][-1] == change


def shown_of(worlds: Worlds, world: State, card: int) -> str:
    """Return the values shown for a card, such as `makes the count 21, pegs 2`."""
    names = worlds.names
    ref = names.refs.card(world, card)
    shown = [view for at, view in Look(names, world).of_cards(worlds.seat) if at == ref]
    return ", ".join(f"{view.noun} {view.text}" for view in shown if view.value is not True)


def numbers_of(worlds: Worlds, state: State) -> Numbers:
    """Return the numbers about the player that the game shows to them."""
    player = worlds.names.players[worlds.seat]
    return {
        each.noun: (each.value, each.text)
        for each in Look(worlds.names, state).shown_to(worlds.seat)
        if each.owner == player and isinstance(each.value, int | Fraction) and not isinstance(each.value, bool)
    }


def brought(worlds: Worlds, before: State, after: State) -> list[int]:
    """Return the cards that the player gains, in ascending order.

    Cards that were theirs before do not count, such as a card that they have just played to the trick.
    """
    came = owned(worlds, after) - owned(worlds, before)
    return sorted(card for card in came if before.owner[card] != worlds.seat)


def owned(worlds: Worlds, state: State) -> set[int]:
    """Return the cards in the player's own zones."""
    program, seat = worlds.program, worlds.seat
    piles = [pile for pile, slot in enumerate(program.zones) if slot.zone.subject == "player" and slot.of == seat]
    return {card for pile in piles for card in state.z[pile]}
