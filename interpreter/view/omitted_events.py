"""Events that a log leaves out: another event reports them, or they are no news."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from attrs import evolve

from interpreter.narration.display_names import Refs
from interpreter.narration.event_phrases import Line
from interpreter.narration.events import EventView
from interpreter.narration.observer_events import is_choice_of_cards
from interpreter.runtime.value_formatting import format_number
from interpreter.view.card_piles import PileLayout

SWEEP_VERBS = ("move", "put", "remove")


def list_logged_events(events: Iterable[EventView]) -> list[EventView]:
    """Return the events that the full log reports, each deed once.

    The beginning of a step is left out unless it is a player's: the lines after it show it.
    """
    told = [event for event in events if event.kind != "step" or event.who is not None]
    named = list(name_moved_cards(drop_reported_events(drop_single_picks(told))))
    return [event for at, event in enumerate(named) if event.line and not is_reported_change(named, at)]


def drop_single_picks(events: Iterable[EventView]) -> list[EventView]:
    """Return the events without single picks of cards that a later move or sentence reports together.

    A pick of a hidden card is reported by a move of the same action."""
    remaining: list[EventView] = []
    reports: dict[str | None, EventView] = {}
    for event in reversed(list(events)):
        if event.kind in ("moved", "told") and event.line:
            reports[event.who] = event
        report = reports.get(event.who) if event.kind == "chose" and is_choice_of_cards(event.line) else None
        if report is None or not is_pick_reported(event, report):
            remaining.append(event)
    return remaining[::-1]


def is_pick_reported(pick: EventView, report: EventView) -> bool:
    if pick.line.cards:
        return pick.line.cards <= {*(report.cards if report.kind == "moved" else report.line.cards)}
    return report.kind == "moved" and report.at == pick.at and bool(pick.line.card_phrases[0].hidden)


def drop_reported_events(events: Sequence[EventView]) -> list[EventView]:
    """Return the events without actions that an adjacent sentence of the rules reports.

    The sentence names their cards: `Ann gives [2c] to Bob for [3c].` Cancellations that it reports are left out as
    well.
    """
    reported: set[int] = set()
    for position, event in enumerate(events):
        if event.kind != "told" or not event.line:
            continue
        before = find_reported_positions(events, position, range(position - 1, -1, -1))
        behind = find_reported_positions(events, position, range(position + 1, len(events)))
        then = events[position + 1 : position + 1 + max(len(behind), 1)]  # the next event, even without a line
        is_full = is_full_report(event, [events[at] for at in before], then)
        reported.update(behind, (at for at in before if is_full or events[at].kind != "moved"))
    return [event for position, event in enumerate(events) if position not in reported]


def find_reported_positions(events: Sequence[EventView], index: int, places: Iterable[int]) -> list[int]:
    """Return the leading positions whose events have no line or are reported by the sentence at `index`."""
    return [*takewhile(lambda at: not events[at].line or is_reported_by(events[at], events[index]), places)]


def is_full_report(sentence: EventView, earlier_events: Sequence[EventView], later_events: Sequence[EventView]) -> bool:
    """Return whether a sentence reports the actions before it.

    All cards it names were moved, and not only by the events after it. `Ann pegs 3 for a run: [As 2c 3c].` does not
    report that she played the first of them.
    """
    named, then = sentence.line.cards, find_moved_cards(later_events, sentence)
    return named <= then | find_moved_cards(earlier_events, sentence) and not named <= then


def find_moved_cards(events: Iterable[EventView], sentence: EventView) -> set[str]:
    """Return the cards that these events move in the choice that the sentence belongs to."""
    return {code for event in events if event.kind == "moved" and event.at == sentence.at for code in event.cards}


def is_reported_by(event: EventView, sentence: EventView) -> bool:
    if event.at != sentence.at or event.who not in (sentence.who, None):
        return False
    if event.kind == "cancelled":
        return True
    named = sentence.line.cards
    if event.kind in ("moved", "revealed"):
        return bool(event.cards) and not event.hidden and named.issuperset(event.cards)
    about = event.kind == "chose" and sentence.line.subject == event.who and bool(named)
    return about and bool(event.line.card_phrases) and event.line.cards <= named


# ---------------------------------------------------------------- sentences and their moves
def name_moved_cards(events: Sequence[EventView]) -> Iterator[EventView]:
    """Yield the events, with the cards of a move named in the sentence before it: `As a bribe, Ann draws [3c].`

    The move is left out.
    """
    before: EventView | None = None
    for event in events:
        line = name_cards(before, event) if before is not None else None
        if line is not None and before is not None:
            before = evolve(before, line=line)
            continue
        if before is not None:
            yield before
        before = event
    if before is not None:
        yield before


def name_cards(told: EventView, move: EventView) -> Line | None:
    """Return a sentence with the cards of the move that it announces; None if it announces no such move."""
    if (told.kind, move.kind, told.at, told.who) != ("told", "moved", move.at, move.who):
        return None
    if move.line.verb not in told.line.verbs or len(told.line.card_phrases) != 1 or len(move.line.card_phrases) != 1:
        return None
    (announced,), (cards,) = told.line.card_phrases, move.line.card_phrases
    if announced.codes or announced.hidden != len(cards.codes) + cards.hidden:
        return None
    place = told.line.index(announced)
    return Line((*told.line[:place], cards, *told.line[place + 1 :]))


# ---------------------------------------------------------------- changes
def is_reported_change(events: Sequence[EventView], position: int) -> bool:
    """Return whether the sentences around a change tell it.

    Sentences name a number's owner with the amount of the change: `Ann wins 12.` A role is told by a sentence about its
    new holder, or by the cards that they have just played.
    """
    event = events[position]
    change = event.change
    if change is None:
        return False
    if isinstance(change.after, str) and event.line.subject == change.after:
        told_next = next((other for other in events[position + 1 :] if other.kind == "told"), None)
        nearest = (*events[max(position - 1, 0) : position], *([told_next] if told_next is not None else ()))
        return any(other.at == event.at and is_deed_of(other, change.after) for other in nearest)
    before, after = change.before, change.after
    if isinstance(before, str | bool | None) or isinstance(after, str | bool | None) or change.owner is None:
        return False
    amount = format_number(after - before).lstrip("-")
    sides = (range(position - 1, -1, -1), range(position + 1, len(events)))
    near = (takewhile(lambda at: is_account(events[at], event.at), side) for side in sides)
    told = (events[at] for side in near for at in side if events[at].kind == "told")
    return any(
        change.owner == other.who or change.owner in other.line for other in told if amount in other.line.amounts
    )


def is_deed_of(event: EventView, player: str) -> bool:
    """Return whether an event is a sentence about a player, or cards that they played."""
    return (event.kind == "told" and event.line.subject == player) or (event.kind == "moved" and event.who == player)


def is_account(event: EventView, at: int) -> bool:
    """Return whether an event is part of an account in this choice: a sentence or a change."""
    return event.at == at and (event.kind in ("told", "set") or not event.line)


def is_payment_named(event: EventView, line: Line) -> bool:
    """Return whether a line names the amount by which a number falls: `Ann raises by 5.`"""
    return str(-get_increase(event)) in line.amounts


def get_increase(event: EventView) -> int:
    """Return the increase of a number; 0 if it is not a whole number."""
    change = event.change
    if change is None or type(change.before) is not int or type(change.after) is not int:
        return 0
    return change.after - change.before


# ---------------------------------------------------------------- moves
def find_layouts(events: Iterable[EventView]) -> set[int]:
    """Return the choices after which a rule turns up cards on several piles: a layout that the table shows."""
    turned = {(event.at, event.to) for event in events if event.name == "turn" and event.who is None}
    return {at for at, count in Counter(at for at, _ in turned).items() if count > 1}


def is_invisible_move(event: EventView, last_player_move: int, piles: PileLayout) -> bool:
    """Return whether a move is no news.

    - A taken trick.
    - Hidden cards that a rule discards, such as burn cards, and a whole hand that an action such as folding discards.
    - A pile of a player that a rule takes up into their hand, and open cards that a rule returns.
    - Open cards that a rule sweeps between piles without an owner: in the choice `last_player_move` in which a player
      last moved cards, or to a pile that only has a size.
    """
    owners = [piles.get_pile_owner(ref) for ref in (event.source, event.to)]
    is_whole = event.span in piles.whole_hand_moves and owners in ([event.who] * 2, [event.who, None])
    if piles.is_trick_pile(event.source) or is_whole:
        return True
    if event.who is not None:
        return False
    is_sweep = (
        event.name in SWEEP_VERBS
        and owners == [None, None]
        and all(map(piles.is_public_pile, (event.source, event.to)))
        and (event.at == last_player_move or Refs.get_zone_name(event.to) in piles.zones_shown_as_counts)
    )
    is_tidying = is_sweep or event.name == "return"
    return (is_tidying and not event.hidden) or (event.name == "discard" and not event.cards and event.hidden > 0)
