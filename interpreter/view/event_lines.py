"""Event lines for a screen: events grouped and merged by their fields, then written for the viewer.

Details of one action are nested below its line. Shuffling, dealing and gathering become one line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile, zip_longest
from typing import Literal

from attrs import evolve

from cardlang.diagnostics import Source
from interpreter.narration.display_names import Refs
from interpreter.narration.event_phrases import Amount, Line, join_lines
from interpreter.narration.event_sentences import DEAL_DIVISOR, SHUFFLE_VERB
from interpreter.narration.events import EventView
from interpreter.narration.observer_events import is_choice_of_cards
from interpreter.view.card_piles import PileLayout
from interpreter.view.table_model import EventLine

LineKind = Literal["chose", "moved", "shown", "step", "result", "told", "kept"]
LINE_KINDS: dict[str, LineKind] = {
    "chose": "chose", "moved": "moved", "revealed": "shown", "step": "step", "set": "kept", "told": "told",
    "eliminated": "result", "ended": "result", "shuffled": "moved", "cancelled": "chose", "lapsed": "told",
}  # fmt: skip
ACTIONS = ("chose", "moved")
DEALT_LINE = Line(("The cards are dealt.",))
SWEEP_VERBS = ("move", "put", "remove")


def is_action(line: EventLine) -> bool:
    """Return whether a line reports one action of a player, without details."""
    return line.kind in ACTIONS and not line.more


def is_short_action(line: EventLine) -> bool:
    """Return whether a line is one short sentence about an action of its player."""
    return is_action(line) and line.line.is_single_action and line.line.subject == line.who


def build_event_lines(
    events: Iterable[EventView], viewer: str | None, own_source: Source, piles: PileLayout
) -> tuple[EventLine, ...]:
    """Return the lines for these events, grouped and merged, as the viewer reads them.

    `own_source`: source of the game without its libraries.
    """
    lines = build_lines(group_events(events, piles), viewer, own_source, piles)
    return tuple(merge_player_lines(lines, viewer))


def build_log_lines(events: Sequence[EventView], viewer: str | None = None) -> list[str]:
    """Return the full log as the viewer reads it, without what later events report in full."""
    return [event.line.write_for(viewer) for event in list_logged_events(events)]


def list_logged_events(events: Sequence[EventView]) -> list[EventView]:
    """Return the events that the full log reports."""
    return [event for event in drop_reported_events(drop_single_picks(events)) if event.line]


def group_events(events: Iterable[EventView], piles: PileLayout) -> list[list[EventView]]:
    """Return the events with a line in groups that become one line each.

    Taken tricks are left out, because a `RecentResult` shows them.
    """
    groups: list[list[EventView]] = []
    done = -1
    for event in drop_reported_events(drop_single_picks(events)):
        moved = event.kind == "moved"
        if not event.line or (moved and is_invisible_move(event, done, piles)):
            continue
        done = event.at if moved and event.who is not None else done
        if groups and any(joins(groups[-1], event) for joins in MERGE_RULES):
            groups[-1].append(event)
        else:
            groups.append([event])
    return groups


def build_lines(
    groups: Sequence[Sequence[EventView]], viewer: str | None, own_source: Source, piles: PileLayout
) -> list[EventLine]:
    lines: list[EventLine] = []
    dealt, anew = -1, False
    leading = 0
    for group, after in zip_longest(groups, groups[1:]):
        if after is not None and is_amount_named(group, after[0]):
            continue
        line = build_line(group, viewer, own_source)
        anew = anew or any(is_full_gathering(event, piles) or event.kind == "ended" for event in group)
        if anew and leading:
            lines[-leading] = evolve(lines[-leading], anew=True)
            leading, anew = 0, False
        is_known = line.line is DEALT_LINE and not line.more and dealt == group[0].at
        if is_only_gathering(group) or is_known:
            continue
        dealt = group[0].at if is_housekeeping(group[0]) and any(member.name == "deal" for member in group) else dealt
        lines.append(evolve(line, anew=True) if anew else line)
        leading = 0 if anew or not is_deal_introduction(group, piles) else leading + 1
        anew = False
    return lines


def build_line(group: Sequence[EventView], viewer: str | None, own_source: Source) -> EventLine:
    first = find_headline_event(group, viewer)
    line = first.line
    more = tuple(event.line for event in group if event is not first and not is_payment_named(event, line))
    if first.change is not None:
        line, more = join_lines(event.line for event in group), ()
    elif is_housekeeping(first) and any(event.name == "deal" for event in group):
        line = line if first.name == "deal" and first.cards else DEALT_LINE
        more = tuple(event.line for event in group if event.name == "deal" and event.cards and event is not first)
    rule = first.span.line if first.span is not None and first.span.source is own_source else 0
    return EventLine(
        text=line.write_for(viewer),
        who=first.who,
        kind=LINE_KINDS.get(first.kind, "told"),
        rule=rule,
        more=tuple(each.write_for(viewer) for each in more),
        at=group[-1].at,
        events=(first, *(event for event in group if event is not first)),
        line=line,
    )


def find_headline_event(group: Sequence[EventView], viewer: str | None) -> EventView:
    """Return the first event to report in a group: the cards dealt to the viewer, if any."""
    ref = f"/{viewer}" if viewer is not None else "\n"
    return next((event for event in group if event.name == "deal" and event.to.endswith(ref)), group[0])


def is_deal_introduction(group: Sequence[EventView], piles: PileLayout) -> bool:
    """Return whether a group can introduce the next deal: its dealer, its number, or its beginning."""
    changes = (event.change for event in group if event.kind != "step")
    return all(change is not None and change.owner is None and change.name != piles.score for change in changes)


# ---------------------------------------------------------------- events that a sentence reports
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
    if event.kind == "moved":
        return bool(event.cards) and not event.hidden and named.issuperset(event.cards)
    about = event.kind == "chose" and sentence.line.subject == event.who and bool(named)
    return about and bool(event.line.card_phrases) and event.line.cards <= named


# ---------------------------------------------------------------- lines of one player
def merge_player_lines(lines: Sequence[EventLine], viewer: str | None) -> Iterator[EventLine]:
    """Yield the lines, merging consecutive actions of one player: `Bob folds and discards 2 cards.`"""
    before: EventLine | None = None
    for at, line in enumerate(lines):
        later = lines[at + 1 :]
        if (later and is_extended_by(line, later[0])) or is_reported_later(line, later):
            continue
        if before is not None and (is_reported_before(line, before) or is_pass_after_action(line, before)):
            before = evolve(before, at=line.at)
            continue
        if before is not None and can_join_actions(before, line):
            joined, events = join_actions(before.line, line.line), (*before.events, *line.events)
            rule = before.rule or line.rule
            before = evolve(line, text=joined.write_for(viewer), line=joined, rule=rule, events=events)
            continue
        if before is not None and not is_repeat_of_action(line, before):
            yield before
        before = line
    if before is not None:
        yield before


def can_join_actions(first: EventLine, then: EventLine) -> bool:
    """Return whether two actions of a player can become one sentence. Passing is never merged with another action."""
    verbs = {first.line.verb, then.line.verb}
    alike = first.who == then.who and is_short_action(first) and is_short_action(then)
    return alike and len(verbs) == 2 and "pass" not in verbs


def join_actions(first: Line, then: Line) -> Line:
    """Return two actions of a player as one: `Bob discards 2 cards and draws 2.`"""
    counts = [cards for cards in first.card_phrases if cards.hidden > 1]
    rest = list(then[2:])  # without the player
    counted = next((cards for cards in then.card_phrases if cards.hidden > 1), None) if counts else None
    if counted is not None:
        rest[rest.index(counted)] = Amount(counted.hidden)
    return Line((*first[:-1], " and ", *rest))


def is_pass_after_action(line: EventLine, action: EventLine) -> bool:
    """Return whether a line only says that a player takes no further action after an action.

    Such a line reports no change. It stays if it concerns discards, because then the other players learn something.
    """
    nothing = line.line.is_pass or (line.line.verb == "put" and line.line.has_no_cards)
    done = action.kind in ACTIONS and action.who == line.who and line.kind == "chose"
    return done and nothing and not line.more and line.line != action.line


def is_repeat_of_action(line: EventLine, action: EventLine) -> bool:
    """Return whether a sentence of the rules repeats the action before it, with the same player and cards or number."""
    if not (line.kind == "told" and is_action(action) and line.who == action.who == line.line.subject):
        return False
    named = {cards.codes for cards in action.line.card_phrases if cards.codes}
    if named:
        return named <= {cards.codes for cards in line.line.card_phrases}
    amounts = action.line.amounts if action.line.verb == "choose" else frozenset()
    return bool(amounts) and amounts <= line.line.amounts


def is_extended_by(action: EventLine, line: EventLine) -> bool:
    """Return whether the next sentence of the rules begins with an action: `Ann claims.` and `Ann claims the 7.`

    An action with cards is merged with the line before it instead.
    """
    about = line.kind == "told" and is_action(action) and (line.at, line.who) == (action.at, action.who)
    return about and not action.line.cards and line.line.continues(action.line)


def is_reported_later(action: EventLine, later: Sequence[EventLine]) -> bool:
    """Return whether a line only names an action that the player's next lines report in full.

    An example is `Ann draws.` before `Ann discards 2 cards.` and `Ann draws 2 cards.`
    """
    own_lines = takewhile(lambda line: line.who == action.who and is_short_action(line), later)
    return is_short_action(action) and any(line.line.continues(action.line) for line in own_lines)


def is_reported_before(action: EventLine, line: EventLine) -> bool:
    """Return whether the sentence of the rules before an action already reports it: `As a bribe, Ann draws a card.`"""
    one, told = action.line, line.line
    about = line.kind == "told" and is_action(action) and (line.at, line.who) == (action.at, action.who)
    same = one.verb in told.verbs and one.players <= told.players
    return about and same and {*one.card_phrases} <= {*told.card_phrases}


# ---------------------------------------------------------------- groups of events
def is_invisible_move(event: EventView, last_player_move: int, piles: PileLayout) -> bool:
    """Return whether a move is no news.

    - A taken trick.
    - Hidden cards that a rule discards, such as burn cards.
    - A pile of a player that a rule takes up into their hand.
    - Open cards that a rule sweeps between piles without an owner: in the choice `last_player_move` in which a player
      last moved cards, or to a pile that only has a size.
    """
    owners = [piles.get_pile_owner(ref) for ref in (event.source, event.to)]
    if piles.is_trick_pile(event.source) or (event.span in piles.pile_pickups and owners == [event.who] * 2):
        return True
    if event.who is not None:
        return False
    is_sweep = (
        event.name in SWEEP_VERBS
        and owners == [None, None]
        and all(map(piles.is_public_pile, (event.source, event.to)))
        and (event.at == last_player_move or Refs.get_zone_name(event.to) in piles.zones_shown_as_counts)
    )
    return (is_sweep and not event.hidden) or (event.name == "discard" and not event.cards and event.hidden > 0)


def is_housekeeping(event: EventView) -> bool:
    """Return whether cards are shuffled, dealt or gathered without a player's choice. An upcard is news."""
    moved = event.kind == "moved" and event.name != "turn"
    return event.kind == "shuffled" or (moved and (event.who is None or event.name == "deal"))


def is_full_gathering(event: EventView, piles: PileLayout) -> bool:
    """Return whether cards from several places are gathered for another deal."""
    cards = len(event.cards) + event.hidden
    return event.kind == "moved" and not event.source and cards * DEAL_DIVISOR >= piles.game.cards


def is_only_gathering(group: Sequence[EventView]) -> bool:
    """Return whether cards are only gathered and shuffled, which is not news."""
    is_gathering = is_housekeeping(group[0]) and any(
        event.kind == "shuffled" or event.name == SHUFFLE_VERB for event in group
    )
    return is_gathering and all(event.name != "deal" for event in group)


def is_value_change_by_choice(group: Sequence[EventView], event: EventView) -> bool:
    """Return whether an event changes a player's value through the choice that begins the group."""
    first = group[0]
    return first.kind == "chose" and event.kind == "set" and (first.at, first.who) == (event.at, event.who)


def is_payment_named(event: EventView, line: Line) -> bool:
    """Return whether a line names the amount by which a number falls: `Ann raises by 5.`"""
    return str(-get_increase(event)) in line.amounts


def get_increase(event: EventView) -> int:
    """Return the increase of a number; 0 if it is not a whole number."""
    change = event.change
    if change is None or type(change.before) is not int or type(change.after) is not int:
        return 0
    return change.after - change.before


def is_amount_named(group: Sequence[EventView], event: EventView) -> bool:
    """Return whether a sentence names the amounts by which players' numbers changed.

    Examples are `Ann wins 12.` and `Ann posts the small blind of 1, Bob the big blind of 2.`
    """
    return event.kind == "told" and all(
        change_event.change is not None
        and change_event.at == event.at
        and (change_event.who == event.who or change_event.change.owner in event.line)
        and str(abs(get_increase(change_event))) in event.line.amounts
        for change_event in group
    )


def is_same_change(group: Sequence[EventView], event: EventView) -> bool:
    """Return whether an event changes the number that the group changes, for another player."""
    one, other = group[0].change, event.change
    return one is not None and other is not None and one.name == other.name and group[0].at == event.at


MERGE_RULES: tuple[Callable[[Sequence[EventView], EventView], bool], ...] = (
    lambda group, event: is_housekeeping(group[0]) and is_housekeeping(event) and group[0].at == event.at,
    is_value_change_by_choice,
    is_same_change,
)
