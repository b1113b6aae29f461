"""What a move does at once, as far as whoever makes it knows: of the numbers that the game shows to them, and which
cards it brings. What every other move does as well is no reason for one, nor is what the move says itself: the number
that is chosen, or what a bet puts in."""

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
"""In so many matches that could be the real one a move must do the same."""
NUMBERS = 2
"""So many are told."""

Numbers = dict[str, tuple[int | Fraction, str]]


@frozen
class Effect:
    """What a move changes. `numbers`: by what they are called, before and after, as people write them, and by how
    much; `cards`: the codes of those that it brings; `of`: the code of the card that is chosen, `text`: what is shown
    of it."""

    numbers: tuple[tuple[str, str, str, int | Fraction], ...]
    cards: tuple[str, ...]
    text: str = ""
    of: str = ""


def told_of_effect(worlds: Worlds, index: int, others: Iterable[int], label: str) -> list[str]:
    """A sentence or two about a move, by its place. `others`: the moves that it is compared with; `label`: what it is
    called: cards that are named there are not told again."""
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
    """The first few; not what falls as much as another rises, such as what one still needs."""
    found: list[tuple[str, str, str, int | Fraction]] = []
    for each in numbers:
        if all(abs(each[3]) != abs(other[3]) for other in found):
            found.append(each)
    return found[:NUMBERS]


def effect(worlds: Worlds, index: int) -> Effect | None:
    """What a move changes in any case; None where nothing can be told."""
    found = [effect_in(worlds, world, world.legal[index]) for world in worlds.states[:LOOKED_AT]]
    known = [each for each in found if each is not None]
    if not known or len(known) < len(found):
        return None
    numbers = tuple(each for each in known[0].numbers if all(each in other.numbers for other in known))
    cards = tuple(each for each in known[0].cards if all(each in other.cards for other in known))
    same = all(each.text == known[0].text and each.of == known[0].of for each in known)
    return Effect(numbers, cards, known[0].text if same else "", known[0].of)


def effect_in(worlds: Worlds, world: State, code: int) -> Effect | None:
    """None where chance decides."""
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
    """Whether the move itself says what it changes by so much: it is a bet, or that number is what is chosen."""
    if any(roles(worlds.site)):
        return True
    return worlds.site.asks_number and worlds.program.decode(worlds.site, code)[1][-1] == change


def shown_of(worlds: Worlds, world: State, card: int) -> str:
    """`makes the count 21, pegs 2`."""
    names = worlds.names
    ref = names.refs.card(world, card)
    shown = [view for at, view in Look(names, world).of_cards(worlds.seat) if at == ref]
    return ", ".join(f"{view.noun} {view.text}" for view in shown if view.value is not True)


def numbers_of(worlds: Worlds, state: State) -> Numbers:
    """What is shown to the player of themselves."""
    player = worlds.names.players[worlds.seat]
    return {
        each.noun: (each.value, each.text)
        for each in Look(worlds.names, state).shown_to(worlds.seat)
        if each.owner == player and isinstance(each.value, int | Fraction) and not isinstance(each.value, bool)
    }


def brought(worlds: Worlds, before: State, after: State) -> list[int]:
    """The cards that come to the player, in their order; what lay before them last, such as a card that they have
    played to the trick, only comes back."""
    came = owned(worlds, after) - owned(worlds, before)
    return sorted(card for card in came if before.owner[card] != worlds.seat)


def owned(worlds: Worlds, state: State) -> set[int]:
    """The cards that lie before the player or are held by them, as far as they see them."""
    program, seat = worlds.program, worlds.seat
    piles = [pile for pile, slot in enumerate(program.zones) if slot.zone.subject == "player" and slot.of == seat]
    return {card for pile in piles for card in state.z[pile]}
