"""Immediate effects of a move, as reasons for a hint: shown numbers that change, cards gained.

Effects are estimated from samples: new deals of the cards that the current player cannot see. An effect that all other
moves share is no reason for a move. Neither is a number that the move itself states, such as the size of a bet.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from fractions import Fraction

from attrs import frozen

from cardlang.english.morphology import singularize
from interpreter.bots.hint_samples import MatchSamples
from interpreter.bots.solitaire_policy import count_visible_cards
from interpreter.program.betting_roles_and_shown_hand import find_option_roles
from interpreter.runtime.errors import RuleError
from interpreter.runtime.state import DONE, State
from interpreter.runtime.value_formatting import join_items
from interpreter.view.shown_values_and_hand_notes import DisplayValues, ShownValueView

EFFECT_SAMPLES = 6
"""Number of samples in which a move must have the same effect."""
MAX_CHANGES = 2
"""Maximum number of changed numbers to mention."""
ShownNumbers = dict[str, tuple[int | Fraction, str]]


@frozen
class MoveEffect:
    """Changes made by a move.

    numbers: the name, the values before and after as people write them, and the difference. A number that has no value
    before counts from 0.
    cards: the codes of the cards gained.
    card_values: the values shown for the chosen card.
    turns_up: whether a hidden card of a solitaire is turned up.
    """

    numbers: tuple[tuple[str, str, str, int | Fraction], ...]
    cards: tuple[str, ...]
    card_values: str = ""
    turns_up: bool = False


def describe_move_effect(samples: MatchSamples, index: int, others: Iterable[int], label: str) -> list[str]:
    """Describe the effect of a move in one or two sentences.

    index: the move's index.
    others: the moves to compare with.
    label: the name of the move. Cards and numbers in it are not mentioned again.
    """
    own_effect = find_effect(samples, index)
    if own_effect is None:
        return []
    rest = [effect for other in others if (effect := find_effect(samples, other)) is not None]
    numbers = [item for item in own_effect.numbers if not rest or any(item not in other.numbers for other in rest)]
    unsaid = [
        item
        for item in numbers
        if item[0].removesuffix("s") not in label and (item[1] or not own_effect.card_values)  # the card says it
    ]
    changes = [
        f"{noun} from {before} to {after}" if before else f"{noun} {after}"
        for noun, before, after, _ in drop_mirrored_changes(unsaid)
    ]
    values = own_effect.card_values if any(own_effect.card_values != effect.card_values for effect in rest) else ""
    named = set(re.findall(r"[^\[\] ]+(?=[\] ])", f"{label} {values}"))
    cards = [f"[{code}]" for code in own_effect.cards if code not in named]
    gained = [f"You get {join_items(cards)}."] if cards else []
    shown = [f"{values[0].upper()}{values[1:]}."] if values else []
    turned = ["It turns up a card."] if own_effect.turns_up else []
    return [*gained, *shown, *turned, *([f"Immediately: {'; '.join(changes)}."] if changes else [])]


def drop_mirrored_changes(
    numbers: Iterable[tuple[str, str, str, int | Fraction]],
) -> list[tuple[str, str, str, int | Fraction]]:
    """Return the first few changes, without changes that mirror another, such as the points still needed."""
    changes: list[tuple[str, str, str, int | Fraction]] = []
    for change in numbers:
        if all(abs(change[3]) != abs(other[3]) for other in changes):
            changes.append(change)
    return changes[:MAX_CHANGES]


def find_effect(samples: MatchSamples, index: int) -> MoveEffect | None:
    """Return the effect that a move has in every sample; None if there is none."""
    effects = [find_effect_in_sample(samples, world, index) for world in samples.states[:EFFECT_SAMPLES]]
    known = [each for each in effects if each is not None]
    if not known or len(known) < len(effects):
        return None
    numbers = tuple(each for each in known[0].numbers if all(each in other.numbers for other in known))
    cards = tuple(each for each in known[0].cards if all(each in other.cards for other in known))
    same = all(each.card_values == known[0].card_values for each in known)
    return MoveEffect(numbers, cards, known[0].card_values if same else "", all(each.turns_up for each in known))


def find_effect_in_sample(samples: MatchSamples, sample: State, index: int) -> MoveEffect | None:
    """Return the effect in one sample; None if it involves a random event or breaks a rule."""
    with suppress(RuleError):
        codes, state = samples.get_codes(sample, index), apply_with_forced_picks(samples, sample, index)
        code = codes[0]
        if state.rng != sample.rng:
            return None
        before, after = collect_shown_numbers(samples, sample), collect_shown_numbers(samples, state)
        changed = [(noun, before.get(noun, (0, "")), value) for noun, value in after.items()]
        picked = code - 1 if samples.site.kind == "pick" and code != DONE and len(codes) == 1 else None
        numbers = ((noun, one[1], two[1], two[0] - one[0]) for noun, one, two in changed if one[0] != two[0])
        return MoveEffect(
            tuple(number for number in numbers if not is_stated_by_move(samples, code, number[-1])),
            tuple(samples.names.get_card_code(card) for card in find_gained_cards(samples, sample, state)),
            describe_card_values(samples, sample, picked) if picked is not None else "",
            code != DONE and turns_up_card(samples, sample, state, code),
        )
    return None


def apply_with_forced_picks(samples: MatchSamples, sample: State, index: int) -> State:
    """Return the state after a move and the only legal picks that complete it, such as the cards it captures."""
    state = samples.apply_move(sample, *samples.get_codes(sample, index))
    while state.who == samples.seat and len(state.legal) == 1:
        site = samples.program.get_site(state)
        if site.number == samples.site.number or site.options:
            break
        samples.program.apply(state, state.legal[0])
    return state


def turns_up_card(samples: MatchSamples, sample: State, after: State, code: int) -> bool:
    """Return whether a move of a visible card in a solitaire also shows a hidden card."""
    program, names_card = samples.program, bool(samples.program.decode_move(samples.site, code)[1])
    seen = [count_visible_cards(program, state, samples.seat) for state in (sample, after)]
    return program.is_solitaire and names_card and seen[1] > seen[0]


def is_stated_by_move(samples: MatchSamples, code: int, change: int | Fraction) -> bool:
    """Return whether the move itself states the change: it is a bet, or the number is chosen."""
    if any(find_option_roles(samples.program.game, samples.site)):
        return True
    return samples.site.asks_number and samples.program.decode_move(samples.site, code)[1][-1] == change


def describe_card_values(samples: MatchSamples, sample: State, card: int) -> str:
    """Return the values shown for a card, such as `makes the count 21, pegs 2` or `way to capture: [5♣]`."""
    names = samples.names
    ref = names.refs.build_card_ref(sample, card)
    shown = [view for at, view in DisplayValues(names, sample).list_values_by_card_ref(samples.seat) if at == ref]
    return ", ".join(map(describe_card_value, (view for view in shown if view.value is not True)))


def describe_card_value(shown: ShownValueView) -> str:
    """Return `makes the count 21`, or with a list `ways to capture: [5♣], [2♣ 3♦]`, singular for one item."""
    if not isinstance(shown.value, str):
        return f"{shown.noun} {shown.text}"
    return f"{singularize(shown.noun) if shown.text.count('[') == 1 else shown.noun}: {shown.text}"


def collect_shown_numbers(samples: MatchSamples, state: State) -> ShownNumbers:
    """Return the numbers about the player that the game shows to them, the score first."""
    player = samples.names.players[samples.seat]
    shown = DisplayValues(samples.names, state).get_shown_values(samples.seat)
    return {
        shown_value.noun: (shown_value.value, shown_value.text)
        for shown_value in sorted(shown, key=lambda shown_value: shown_value.name != "score")
        if shown_value.owner == player
        and isinstance(shown_value.value, int | Fraction)
        and not isinstance(shown_value.value, bool)
    }


def find_gained_cards(samples: MatchSamples, before: State, after: State) -> list[int]:
    """Return the cards that the player gains, in ascending order.

    Cards that were theirs before do not count, such as a card that they have just played to the trick.
    """
    new_cards = find_owned_cards(samples, after) - find_owned_cards(samples, before)
    return sorted(card for card in new_cards if before.owner[card] != samples.seat)


def spends_card(samples: MatchSamples, index: int) -> bool:
    """Return whether a move lowers the number of cards that only the player sees."""
    return not samples.states or bool(find_spent_cards(samples, index))


def find_spent_cards(samples: MatchSamples, index: int) -> set[int]:
    """Return the cards that a move takes out of the zones that only the player sees, if it brings fewer there."""
    before = samples.states[0]
    with suppress(RuleError):
        after = samples.apply_move(before, *samples.get_codes(before, index))
        held = [{card for pile in find_private_piles(samples) for card in state.z[pile]} for state in (before, after)]
        return held[0] - held[1] if len(held[1]) < len(held[0]) else set()
    return set()


def find_private_piles(samples: MatchSamples) -> list[int]:
    """Return the piles that only the player sees."""
    return [pile for pile, seats in enumerate(samples.program.layout.sees) if seats == 1 << samples.seat]


def find_owned_cards(samples: MatchSamples, state: State) -> set[int]:
    """Return the cards in the player's own zones."""
    program, seat = samples.program, samples.seat
    piles = [pile for pile, slot in enumerate(program.zones) if slot.zone.subject == "player" and slot.of == seat]
    return {card for pile in piles for card in state.z[pile]}
