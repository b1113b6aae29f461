"""Sentences for events.

Each kind of event has a function that returns a line for one observer, or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from cardlang import model as g
from cardlang.english import morphology
from cardlang.english.morphology import capitalize_first_letter, replace_hyphens
from interpreter.narration.names import PREPOSITIONS, MatchNames, format_item_count, to_exact_number
from interpreter.runtime.state import ABSENT
from interpreter.runtime.value_text import format_number, join_items

if TYPE_CHECKING:
    from interpreter.narration.events import RecordedEvent


RECEIVING_VERBS = ("draw", "take")
"""Verbs whose subject receives the cards."""
GIVING_VERBS = ("discard", "play", "put", "place", "give", "pass", "move", "return")
"""Verbs whose subject had the cards."""
DEFAULT_TARGET_VERBS = ("draw", "take", "deal", "play", "discard")
"""Verbs that imply the subject's own pile as the target."""
PAST_PARTICIPLES = {
    "move": "moved", "deal": "dealt", "draw": "drawn", "discard": "discarded", "play": "played", "put": "put",
    "place": "placed", "take": "taken", "return": "returned", "remove": "moved", "turn": "turned up",
    "give": "given", "pass": "passed",
    "shuffle": "shuffled",
}  # fmt: skip
PHRASAL_VERBS = {"turn": "turn up", "remove": "move"}
INTO_VERBS = ("put", "place")
SHUFFLE_VERB = "shuffle"
"""Replacement verb for cards put into a pile that is shuffled immediately."""
DEAL_DIVISOR = 2
"""A new deal gathers at least 1 / `DEAL_DIVISOR` of the cards of the game."""
HAND_NOUN = "hand"
"""Name of the pile that sentences omit: a player's hand."""
FLAT_PILES = ("table", "board")
"""Piles with the preposition `on` instead of `in`."""


def describe_cards(names: MatchNames, cards: Sequence[int], knowers: Sequence[int], observer: int) -> str:
    """Return cards as an observer can identify them: `[9G 7A]`, `3 cards`, `[9G] and 2 more cards`."""
    referee = observer > names.program.players
    known = [card for card, bits in zip(cards, knowers, strict=True) if referee or bits >> observer & 1]
    rest = len(cards) - len(known)
    if not known:
        return format_item_count(rest)
    return (
        names.format_cards(known) if not rest else f"{names.format_cards(known)} and {rest} more card{'s' * (rest > 1)}"
    )


def write_move_line(names: MatchNames, event: RecordedEvent, observer: int) -> str:
    verb, cards, _, to, seen = event.data
    source = event.piles[0]
    things = describe_cards(names, cards, seen, observer)
    getter = names.get_pile_seat(to)
    if verb == "deal" and getter is not None:
        where = (
            ""
            if has_one_player_zone(names) or is_hand_pile(names, to)
            else f" {describe_move_target(names, verb, to, getter)}"
        )
        return f"{names.players[getter]} is dealt {things}{where}."
    doer = find_moving_seat(names, verb, source, to)
    if doer is None:
        if verb == SHUFFLE_VERB and len(cards) * DEAL_DIVISOR >= names.game.cards:
            return "The cards are gathered and shuffled."
        between = verb == "move" and source != ABSENT and names.get_pile_seat(source) is not None
        if between and things[0] == "[" and is_same_zone(names, source, to):
            giver = names.players[names.get_pile_seat(source) or 0]
            goes = morphology.agree_verb("goes", len(cards) > 1)
            return f"{giver}'s {things} {goes} {describe_move_target(names, verb, to)}."
        whence = f" from {names.get_pile_name(source)}" if between else ""
        if event.choosing_seat is not None:
            predicate = morphology.conjugate_third_person(PHRASAL_VERBS.get(verb, verb))
            done = f"{names.players[event.choosing_seat]} {predicate} {things}"
        else:
            done = f"{capitalize_first_letter(things)} {conjugate_be(cards)} {PAST_PARTICIPLES[verb]}"
        return f"{done}{whence} {describe_move_target(names, verb, to, event.choosing_seat)}."
    parts = [names.players[doer], morphology.conjugate_third_person(verb), things]
    if source != ABSENT and names.get_pile_seat(source) != doer:
        parts.append(f"from {names.get_pile_name(source)}")
    if getter not in (doer, None) and is_hand_pile(names, to):
        parts.append(f"to {names.players[getter or 0]}")
    elif verb not in DEFAULT_TARGET_VERBS or getter not in (doer, None):
        parts.append(describe_move_target(names, verb, to, doer))
    return " ".join(parts) + "."


def conjugate_be(cards: Sequence[int]) -> str:
    return "is" if len(cards) == 1 else "are"


def find_moving_seat(names: MatchNames, verb: str, source: int, to: int) -> int | None:
    """Return the seat that moves the cards, inferred from the verb and the piles."""
    if verb in RECEIVING_VERBS:
        return names.get_pile_seat(to)
    if (
        verb in ("move", SHUFFLE_VERB)
        and source != ABSENT
        and None not in (names.get_pile_seat(source), names.get_pile_seat(to))
    ):
        return names.get_pile_seat(to) if names.get_pile_seat(source) == names.get_pile_seat(to) else None
    return names.get_pile_seat(source) if verb in GIVING_VERBS and source != ABSENT else None


def is_same_zone(names: MatchNames, pile: int, other: int) -> bool:
    """Return whether two piles of players belong to the same zone, as in a swap."""
    return names.program.zones[pile].zone.name == names.program.zones[other].zone.name


def has_one_player_zone(names: MatchNames) -> bool:
    """Return whether players have only one zone."""
    return sum(zone.subject == "player" for zone in names.game.zones.values()) == 1


def is_hand_pile(names: MatchNames, to: int) -> bool:
    """Return whether a pile is a hand, so cards go to the player: `Ann passes 3 cards to Bob.`"""
    zone = names.program.zones[to].zone
    return zone.subject == "player" and zone.noun.singular == HAND_NOUN


def describe_move_target(names: MatchNames, verb: str, to: int, moving_seat: int | None = None) -> str:
    """Return the target of a move: `to Bob's hand`, `in their Achievements`, `on the table`, `as the Tall Card`."""
    pile, zone = names.get_pile_name(to), names.program.zones[to].zone
    if pile.split()[0] in PREPOSITIONS:
        return pile
    if moving_seat is not None and names.get_pile_seat(to) == moving_seat:
        pile = f"their {replace_hyphens(zone.noun.singular)}"
    if verb == "turn" and zone.single:
        return f"as {pile}"
    if verb in (*INTO_VERBS, "turn") and pile.endswith(FLAT_PILES):
        return f"on {pile}"
    if verb in INTO_VERBS and pile.endswith("cards"):
        return f"among {pile}"
    return f"{'into' if verb == SHUFFLE_VERB else 'in' if verb in INTO_VERBS else 'to'} {pile}"


def write_choice_line(names: MatchNames, event: RecordedEvent, observer: int) -> str:
    return event.wordings[min(observer, len(event.wordings) - 1)] if event.wordings else ""


def write_shuffle_line(names: MatchNames, event: RecordedEvent, observer: int) -> str:
    (pile,) = event.data
    if pile == ABSENT:
        return "The order of play is random."
    return f"{capitalize_first_letter(names.get_pile_name(pile))} is shuffled."


def write_reveal_line(names: MatchNames, event: RecordedEvent, observer: int) -> str:
    """Return the line for revealed cards.

    Players who see them get all cards, if any is new to one of them. Other observers get the number of cards that were
    not public, even if the receiver knew them. Otherwise they would learn about the receiver's knowledge.
    """
    cards, unknown, fresh, seen = event.data
    is_shown = observer > names.program.players or seen >> observer & 1
    if not is_shown and event.span in names.facts.hidden_reveals:
        return ""
    sentences = []
    news = fresh if is_shown else unknown
    for pile in dict.fromkeys(event.piles):
        shown = [card for card, source_pile in zip(cards, event.piles, strict=True) if source_pile == pile]
        if not any(card in news for card in shown):
            continue
        if not is_shown:
            shown = [card for card in shown if card in news]
        things = describe_cards(names, shown, [seen] * len(shown), observer)
        seat = names.get_pile_seat(pile)
        sentences.append(
            f"{names.players[seat]} shows {things}."
            if seat is not None
            else f"{capitalize_first_letter(things)} {conjugate_be(shown)} shown from {names.get_pile_name(pile)}."
        )
    return " ".join(sentences)


def write_change_line(names: MatchNames, event: RecordedEvent, observer: int) -> str:
    """Return the line for a lasting change.

    A track that resets itself is bookkeeping. It is reported only if the rule has text.
    """
    slot, old, new = event.data
    entry = names.program.tracks[slot]
    track = entry.track
    if old == new or track.subject == "card" or not can_know_track(names, track, entry.of, observer):
        return ""
    if track.name in names.facts.hidden_tracks:
        return ""
    if track.restarts and (track.type.tag == "flag" or event.span not in names.facts.statement_docs):
        return ""
    owner = names.get_owner_name(track.subject, entry.of)
    if track.type.tag == "flag":
        return write_flag_line(track, owner, bool(new))
    return write_number_line(names, slot, owner, old, new)


def can_know_track(names: MatchNames, track: g.Track, owner: int | None, observer: int) -> bool:
    return not track.secret or observer > names.program.players or (track.subject == "player" and owner == observer)


def write_flag_line(track: g.Track, owner: str | None, yes: bool) -> str:
    """Return the line for a flag: `Ann is altered.`, `Ann has not acted.`"""
    noun = replace_hyphens(track.noun.singular)
    if owner is None:
        return f"“{capitalize_first_letter(noun)}” is {'now' if yes else 'no longer'} in force."
    if noun.startswith("has "):
        return f"{owner} {noun if yes else morphology.negate_sentence(noun)}."
    return f"{owner} is {'' if yes else 'no longer '}{noun}."


def write_number_line(names: MatchNames, slot: int, owner: str | None, old: int, new: int) -> str:
    """Return the line for a changed number or name.

    A counted noun gives `Ann is down from 100 to 95 credits.` Others give `Ty's score rises from 0 to 37 1/2.` or `Bob
    is the dealer now.`
    """
    entry = names.program.tracks[slot]
    type, noun = entry.track.type, entry.track.noun
    value, singular = names.format_track(slot, new), replace_hyphens(noun.singular)
    before, after = (to_exact_number(raw, entry.scale, type) for raw in (old, new))
    whose = f"{owner}'s {singular}" if owner else f"the {singular}"
    if type.tag == "player" and not owner:
        return f"{capitalize_first_letter(value)} is {whose} now."
    if type.tag != "number" or isinstance(before, str | None) or isinstance(after, str | None):
        now = " now" if before is not None else ""
        verb = morphology.agree_verb("is", morphology.is_plural(singular))
        return f"{capitalize_first_letter(whose)} {verb}{now} {value}."
    if noun.counted:
        return write_count_line(noun, owner, before, after)
    changes = morphology.agree_verb("rises" if after > before else "falls", morphology.is_plural(singular))
    return f"{capitalize_first_letter(whose)} {changes} from {format_number(before)} to {value}."


def write_count_line(noun: g.Noun, owner: str | None, before: int | Fraction, after: int | Fraction) -> str:
    """Return the line for a counted noun: `Ann gets 3 points and has 41.`, `Seven hints are left.`"""

    def format_counted_noun(count: int | Fraction, verb: str) -> str:
        return f"{verb} {replace_hyphens(noun.singular if count == 1 else noun.plural)}"

    is_now = morphology.agree_verb("is", after != 1)
    if owner and after > before:
        gain = format_counted_noun(after - before, format_number(after - before))
        return f"{owner} gets {gain} and has {format_number(after)}."
    if owner:
        down = f"{owner} is down from {format_number(before)} to {format_counted_noun(after, format_number(after))}."
        return down if after else f"{owner} has {format_counted_noun(0, 'no')} left."
    amount = format_counted_noun(after, morphology.format_number(after) if after else "no")
    return f"There {is_now} now {amount}." if after > before else f"{capitalize_first_letter(amount)} {is_now} left."


def write_elimination_line(names: MatchNames, event: RecordedEvent, observer: int) -> str:
    return f"{names.players[event.data[0]]} is out."


def write_step_line(names: MatchNames, event: RecordedEvent, observer: int) -> str:
    """Return the line for a step that contains a decision and resets tracks, such as a round or a turn."""
    step, seat = event.data
    if step not in names.facts.heading_steps:
        return ""
    name = replace_hyphens(step)
    if seat != ABSENT:
        return f"{names.players[seat]}'s {name} begins."
    return f"{capitalize_first_letter(name) if ' ' in name or name.endswith('ing') else f'The {name}'} begins."


def write_trace_line(names: MatchNames, event: RecordedEvent) -> str:
    """Return a line that only the trace has: for steps, announcements and all changes of values."""
    if event.kind in ("step", "began"):
        step, seat = event.data
        for_player = f" for {names.players[seat]}" if seat != ABSENT else ""
        return f"{capitalize_first_letter(replace_hyphens(step))} begins{for_player}."
    if event.kind == "announced":
        return f"{names.players[event.data[1]]} announces {replace_hyphens(event.data[0])}."
    if event.kind != "set" or event.data[1] == event.data[2]:
        return ""
    slot, old, new = event.data
    entry = names.program.tracks[slot]
    card = entry.track.subject == "card" and entry.of is not None
    owner = f"[{names.get_card_code(entry.of or 0)}]" if card else names.get_owner_name(entry.track.subject, entry.of)
    noun = replace_hyphens(entry.track.noun.singular)
    whose = f"{owner}, {noun}" if owner else capitalize_first_letter(noun)
    return f"{whose}: {names.format_track(slot, new)} (it was {names.format_track(slot, old)})."


def write_cancellation_line(names: MatchNames, event: RecordedEvent, observer: int) -> str:
    return f"The {replace_hyphens(event.data[0])} cancels the action before it."


def write_lapse_line(names: MatchNames, event: RecordedEvent, observer: int) -> str:
    """Return the line for a simultaneous choice or an announced action that is no longer possible."""
    return f"{names.players[event.data[1]]}'s {replace_hyphens(event.data[0])} is no longer possible."


def write_author_line(names: MatchNames, event: RecordedEvent, observer: int) -> str:
    """Return the author's sentence, if the observer may know all its values."""
    entry, values, knowing = event.data
    if entry is None or not (observer > names.program.players or knowing >> observer & 1):
        return ""
    value_texts = [names.describe_value(e.type, value) for e, value in zip(entry.values, values, strict=True)]
    pieces = zip(entry.words, [*value_texts, ""], strict=True)
    return capitalize_first_letter("".join(part for pair in pieces for part in pair))


def write_end_line(names: MatchNames, event: RecordedEvent, observer: int) -> str:
    winners = [names.players[seat] for seat in event.data]
    won = f"{join_items(winners)} win{'s' * (len(winners) == 1)}" if winners else "No one wins"
    return f"The match is over. {won}."


def write_edit_line(names: MatchNames, event: RecordedEvent, observer: int) -> str:
    return str(event.data[0])


LINE_WRITERS: dict[str, Callable[[MatchNames, RecordedEvent, int], str]] = {
    "moved": write_move_line,
    "chose": write_choice_line,
    "shuffled": write_shuffle_line,
    "revealed": write_reveal_line,
    "set": write_change_line,
    "eliminated": write_elimination_line,
    "step": write_step_line,
    "cancelled": write_cancellation_line,
    "lapsed": write_lapse_line,
    "told": write_author_line,
    "ended": write_end_line,
    "allowed": write_edit_line,
}
