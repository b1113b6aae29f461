"""Events as one observer sees them, with related events merged.

Merged are cards moved by one statement, repeated assignments, and cards shuffled into a pile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from attrs import evolve

from interpreter.hands.hand_evaluator import HandReading
from interpreter.narration.display_names import MatchNames, to_exact_number, to_exact_value
from interpreter.narration.event_phrases import NO_LINE, Cards, Line
from interpreter.narration.event_sentences import (
    GIVING_VERBS,
    LINE_WRITERS,
    RECEIVING_VERBS,
    SHUFFLE_VERB,
    can_know_track,
    find_moving_seat,
    get_known_codes,
    write_trace_line,
)
from interpreter.narration.events import EventView, ReadingView, ValueChange
from interpreter.runtime.state import ABSENT

if TYPE_CHECKING:
    from interpreter.narration.events import RecordedEvent


PLAIN_LINE_LENGTH = 6
"""Number of phrases in `Ann plays [3c].`: a name, a verb and cards, with spaces and the full stop."""
PUT_VERBS = ("put", "place", "return", "move")


def attach_neighbours(events: Iterable[RecordedEvent]) -> Iterator[RecordedEvent]:
    """Yield the events. A move next to a card names that card, instead of an event of its own."""
    last: RecordedEvent | None = None
    for event in events:
        if event.kind == "inserted" and last is not None:
            last = last._replace(neighbour=event.data)
            continue
        if last is not None:
            yield last
        last = event
    if last is not None:
        yield last


def merge_moves(events: Sequence[RecordedEvent]) -> Iterator[RecordedEvent]:
    """Yield the events, with consecutive moves of one statement merged."""
    run: list[RecordedEvent] = []
    for event in events:
        moved = event.kind == "moved"
        is_same = bool(run) and moved and run[0].at == event.at  # one execution of a statement
        if run and not (is_same and run[0].data[0] == event.data[0] and run[0].span.start == event.span.start):
            yield from merge_by_piles(run)
            run = []
        if moved:
            run.append(event)
        else:
            yield event
    yield from merge_by_piles(run)


def merge_assignments(events: Sequence[RecordedEvent]) -> Iterator[RecordedEvent]:
    """Yield the events, with consecutive assignments to a track merged."""
    run: dict[int, RecordedEvent] = {}
    for event in events:
        is_set = event.kind == "set"
        if run and not (is_set and event.at == next(iter(run.values())).at):
            yield from run.values()
            run = {}
        if is_set:
            slot, _, new = event.data
            first = run.get(slot, event)
            run[slot] = event._replace(data=(slot, first.data[1], new))
        else:
            yield event
    yield from run.values()


def merge_by_piles(moves: list[RecordedEvent]) -> Iterator[RecordedEvent]:
    """Yield moves of one statement, merged by source and target pile. A source pile of `ABSENT` means several piles."""
    if len(moves) == 1 and len(moves[0].piles) == 1:
        yield moves[0]
        return
    cards_by_piles: dict[tuple[int, int], tuple[list[int], list[int]]] = {}
    for move in moves:
        verb, cards, _, to, seen = move.data
        source = move.piles[0] if len(set(move.piles)) == 1 else ABSENT
        into = cards_by_piles.setdefault((source, to), ([], []))
        into[0].extend(cards)
        into[1].extend(seen)
    for (source, to), (cards, seen) in cards_by_piles.items():
        data = (verb, tuple(cards), (), to, tuple(seen))
        yield moves[0]._replace(data=data, piles=(source,))


def mark_shuffled_in(names: MatchNames, events: Iterable[RecordedEvent]) -> Iterator[RecordedEvent]:
    """Yield the events. Cards put into a pile that is shuffled immediately are marked as shuffled into it."""
    put: list[RecordedEvent] = []
    for event in events:
        if event.kind == "shuffled" and put and (put[0].data[3], put[0].at) == (event.data[0], event.at):
            put = [move._replace(data=(SHUFFLE_VERB, *move.data[1:])) for move in put]
        if put and not (is_put_by_owner(names, event) and (event.data[3], event.at) == (put[0].data[3], put[0].at)):
            yield from put
            put = []
        if is_put_by_owner(names, event):
            put.append(event)
        else:
            yield event
    yield from put


def is_put_by_owner(names: MatchNames, event: RecordedEvent) -> bool:
    """Return whether no player, or the owner of the target pile, puts cards there."""
    if event.kind != "moved" or event.data[0] not in PUT_VERBS:
        return False
    doer = find_moving_seat(names, event.data[0], event.piles[0], event.data[3])
    return doer is None or doer == names.get_pile_seat(event.data[3])


def build_observer_events(names: MatchNames, events: Sequence[RecordedEvent], observer: int) -> Iterator[EventView]:
    """Yield the events for an observer, and drop lines that repeat a choice.

    Observers are numbered: the seats, then the spectator, then the referee. The last is the referee with a trace, which
    includes events without their own line.
    """
    chose: EventView | None = None
    observed = list(convert_events(names, events, observer))
    for position, event in enumerate(observed):
        following = list(find_following_events(observed, position)) if event.kind in ("chose", "moved") else []
        if event.kind == "chose":
            chose = event
            later = following if is_choice_of_cards(event.line) else following[:1]
            if any(is_repeated_by_move(event, then) for then in later):
                chose, event = None, evolve(event, line=NO_LINE)
        elif event.kind == "moved" and (
            (chose and is_move_in_choice_line(chose, event)) or any(is_passed_on(names, event, to) for to in following)
        ):
            event = evolve(event, line=NO_LINE)
        yield event


def find_following_events(events: Sequence[EventView], index: int) -> Iterator[EventView]:
    """Yield the events with a line that follow in the same choice."""
    for to in range(index + 1, len(events)):
        if events[to].at != events[index].at:
            return
        if events[to].line:
            yield events[to]


def is_choice_of_cards(line: Line) -> bool:
    """Return whether a line only names the chosen cards: `Ann chooses [3c].`, `Ann chooses “swap” with a card.`"""
    cards = line[-2] if len(line) > 1 else ""
    alone = len(line) == PLAIN_LINE_LENGTH or (
        isinstance(cards, Cards) and cards.hidden and len(line.card_phrases) == 1
    )
    return line.verb == "choose" and isinstance(cards, Cards) and bool(alone)


def is_repeated_by_move(chose: EventView, event: EventView) -> bool:
    """Return whether a move or reveal after a choice says as much as its line.

    Examples are `Ann draws from the deck.` before `Ann draws a card from the deck.`, and `Ann chooses [3c].` before
    `Ann takes [3c 3d].`
    """
    line, move = chose.line, event.line
    if event.kind not in ("moved", "revealed") or event.who != chose.who or not line.cards <= {*event.cards}:
        return False
    same = line.is_single_action and (line.subject, line.verb) == (move.subject, move.verb)
    return is_choice_of_cards(line) or (same and line.words_after_verb in (".", move.words_after_verb))


def is_move_in_choice_line(chose: EventView, event: EventView) -> bool:
    """Return whether the line of a choice already reports this move."""
    if event.at != chose.at or event.who not in (chose.who, None):
        return False
    line, move = chose.line, event.line
    named = bool(event.cards) and any(cards.codes == event.cards for cards in line.card_phrases)
    played = event.name == "play" and move.subject == chose.who and len(move) == PLAIN_LINE_LENGTH
    if event.name == "move" and event.who is None and line.subject == chose.who:  # with the cards on top of it
        is_target = line.text.rpartition(" to ")[2] == move.text.rpartition(" to ")[2]
        return not event.hidden and (named or (is_target and bool(line.cards) and line.cards <= {*event.cards}))
    verbs = (event.name,) if event.name != "move" else (event.name, *RECEIVING_VERBS, *GIVING_VERBS)
    begun = line.verb in verbs and line.subject == chose.who
    return move == line or (named and not event.hidden and (played or begun))


def is_passed_on(names: MatchNames, event: EventView, next_event: EventView) -> bool:
    """Return whether cards are only put down to be passed on immediately, and not by a rule that this sets off."""
    count, on = (len(each.cards) + each.hidden for each in (event, next_event))
    return (
        next_event.kind == "moved"
        and next_event.span not in names.facts.triggered_statements
        and (next_event.source, next_event.who, on) == (event.to, event.who, count)
        and bool(next_event.source)
    )


def convert_events(names: MatchNames, events: Sequence[RecordedEvent], observer: int) -> Iterator[EventView]:
    silent = observer > names.program.players + 1
    tracks = names.program.tracks  # changes of counters on single cards have no line
    lasting = [event for event in events if event.kind != "set" or tracks[event.data[0]].track.subject != "card"]
    lasting = list(attach_neighbours(lasting))
    merged = merge_moves(events if silent else list(merge_assignments(lasting)))
    verb = ""
    for event in merged if silent else mark_shuffled_in(names, merged):
        writer = LINE_WRITERS.get(event.kind)
        is_said = event.kind == "shuffled" and verb == SHUFFLE_VERB
        line = writer(names, event, observer) if writer is not None and not is_said else NO_LINE
        verb = event.data[0] if event.kind == "moved" else ""
        if not line and silent:
            line = write_trace_line(names, event)
        if event.kind == "revealed":
            yield from build_reveal_events(names, event, line)
            continue
        kind = "step" if event.kind == "began" else event.kind
        finder = FIELD_FINDERS.get(kind)
        fields = finder(names, event, observer) if finder is not None else {}
        if fields is not None or line:
            yield EventView(kind, line, event.span, event.at, **(fields or {}))


def get_player_name(names: MatchNames, seat: int | None) -> str | None:
    return None if seat is None or seat == ABSENT else names.players[seat]


def get_pile_ref(names: MatchNames, pile: int) -> str:
    return "" if pile == ABSENT else names.refs.pile_refs[pile]


def build_reveal_events(names: MatchNames, event: RecordedEvent, line: Line) -> Iterator[EventView]:
    """Yield an event for each pile of publicly revealed cards. The first event has the line.

    Cards known before are included. Cards revealed to one player give only a line.
    """
    cards, _, _, seen = event.data
    if seen != names.program.layout.everyone:
        if line:
            yield EventView("revealed", line, event.span, event.at)
        return
    for pile in dict.fromkeys(event.piles):
        who = names.get_pile_seat(pile) if pile != ABSENT else None
        codes = tuple(
            names.get_card_code(card) for card, card_pile in zip(cards, event.piles, strict=True) if card_pile == pile
        )
        source = get_pile_ref(names, pile)
        yield EventView("revealed", line, event.span, event.at, get_player_name(names, who), cards=codes, source=source)
        line = NO_LINE


def is_public_event(names: MatchNames, event: RecordedEvent) -> bool:
    """Return whether all players and spectators see the same of an event."""
    everyone = names.program.layout.everyone
    match event.kind:
        case "moved":
            return all(seats & everyone == everyone for seats in event.data[4])
        case "revealed" | "inserted" | "told":
            return event.data[0] is None or event.data[-1] & everyone == everyone
        case "set":
            return not names.program.tracks[event.data[0]].track.secret
        case "chose":
            return len({*event.wordings[:-1]}) < 2
    return True


Fields = dict[str, Any]
"""Fields of an `EventView` besides its line, by name."""


def find_move_fields(names: MatchNames, event: RecordedEvent, observer: int) -> Fields:
    verb, cards, _, to, seen = event.data
    codes = get_known_codes(names, cards, seen, observer)
    doer = find_moving_seat(names, verb, event.piles[0], to)
    return {
        "who": get_player_name(names, event.choosing_seat if doer is None else doer),
        "name": verb,
        "cards": codes,
        "hidden": len(cards) - len(codes),
        "source": get_pile_ref(names, event.piles[0] if len(set(event.piles)) == 1 else ABSENT),
        "to": get_pile_ref(names, to),
    }


def find_change_fields(names: MatchNames, event: RecordedEvent, observer: int) -> Fields | None:
    """Return the fields of a changed value; None if the observer may not know it or nothing changes."""
    slot, old, new = event.data
    entry = names.program.tracks[slot]
    track = entry.track
    if track.subject == "card" or not can_know_track(names, track, entry.of, observer):
        return None
    owner = names.get_owner_name(track.subject, entry.of)
    if old == new:
        return {"who": owner, "name": track.name} if track.name in names.facts.assign_only_tracks else None
    before, after = (
        to_exact_value(names, track.type, to_exact_number(raw, entry.scale, track.type)) for raw in (old, new)
    )
    change = ValueChange(track.name, owner, before, after, names.get_owner_name(track.second, entry.second))
    return {"who": owner if track.subject == "player" else None, "change": change}


def find_step_fields(names: MatchNames, event: RecordedEvent, observer: int) -> Fields | None:
    step, seat = event.data
    if step in names.facts.hidden_steps:
        return None
    return {"who": get_player_name(names, seat), "name": step}


def find_sentence_fields(names: MatchNames, event: RecordedEvent, observer: int) -> Fields | None:
    entry, values, knowing = event.data
    if entry is None or not (observer > names.program.players or knowing >> observer & 1):
        return None
    both = list(zip(entry.values, values, strict=True))
    seats = (value for expr, value in both if expr.type.tag == "player" and isinstance(value, int) and value >= 0)
    who = next((names.players[seat] for seat in seats), None)
    readings = tuple(
        ReadingView.from_reading(
            str(expr.type.of), value, names.codes, names.faces, names.describe_value(expr.type, value)
        )
        for expr, value in both
        if isinstance(value, HandReading)
    )
    return {"who": who, "readings": readings}


FIELD_FINDERS: dict[str, Callable[[MatchNames, RecordedEvent, int], Fields | None]] = {
    "moved": find_move_fields,
    "set": find_change_fields,
    "step": find_step_fields,
    "told": find_sentence_fields,
    "eliminated": lambda names, event, _: {"who": get_player_name(names, event.data[0])},
    "announced": lambda names, event, _: {"who": get_player_name(names, event.data[1])},
    "lapsed": lambda names, event, _: {"who": get_player_name(names, event.data[1])},
    "shuffled": lambda names, event, _: {"source": get_pile_ref(names, event.data[0])},
    "chose": lambda names, event, _: {"who": get_player_name(names, event.data[0])},
}
