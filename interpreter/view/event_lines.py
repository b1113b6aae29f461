"""Event lines for a screen: events grouped and merged by their fields, then written for the viewer.

Details of one action are nested below its line. Shuffling, dealing and gathering become one line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Literal

from attrs import evolve

from cardlang.diagnostics import Source
from interpreter.narration.event_phrases import Amount, Line, join_lines
from interpreter.narration.event_sentences import DEAL_DIVISOR, SHUFFLE_VERB
from interpreter.narration.events import EventView
from interpreter.view.card_piles import PileLayout
from interpreter.view.omitted_events import find_layouts, is_invisible_move, is_payment_named, list_logged_events
from interpreter.view.table_model import EventLine

LineKind = Literal["chose", "moved", "shown", "step", "result", "told", "kept"]
LINE_KINDS: dict[str, LineKind] = {
    "chose": "chose", "moved": "moved", "revealed": "shown", "step": "step", "set": "kept", "told": "told",
    "eliminated": "result", "ended": "result", "shuffled": "moved", "cancelled": "chose", "lapsed": "told",
}  # fmt: skip
ACTIONS = ("chose", "moved")
DEALT_LINE = Line(("The cards are dealt.",))


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
    """Return the full log as the viewer reads it, without what other events report in full."""
    return [event.line.write_for(viewer) for event in list_logged_events(events)]


def group_events(events: Iterable[EventView], piles: PileLayout) -> list[list[EventView]]:
    """Return the events with a line in groups that become one line each.

    Taken tricks are left out, because a `RecentResult` shows them.
    """
    groups: list[list[EventView]] = []
    done = -1
    logged = list_logged_events(events)
    layouts = find_layouts(logged)
    for event in logged:
        moved = event.kind == "moved"
        is_layout = event.name == "turn" and event.at in layouts
        if moved and (is_layout or is_invisible_move(event, done, piles)):
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
    for group in groups:
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


# ---------------------------------------------------------------- lines of one player
def merge_player_lines(lines: Sequence[EventLine], viewer: str | None) -> Iterator[EventLine]:
    """Yield the lines, merging consecutive actions of one player: `Bob folds and discards 2 cards.`"""
    before: EventLine | None = None
    for at, line in enumerate(lines):
        later = lines[at + 1 :]
        if (later and is_extended_by(line, later[0])) or is_reported_later(line, later):
            continue
        if before is not None and is_pass_after_action(line, before):
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


# ---------------------------------------------------------------- groups of events
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


def is_same_change(group: Sequence[EventView], event: EventView) -> bool:
    """Return whether an event changes the number that the group changes, for another player."""
    one, other = group[0].change, event.change
    return one is not None and other is not None and one.name == other.name and group[0].at == event.at


MERGE_RULES: tuple[Callable[[Sequence[EventView], EventView], bool], ...] = (
    lambda group, event: is_housekeeping(group[0]) and is_housekeeping(event) and group[0].at == event.at,
    is_value_change_by_choice,
    is_same_change,
)
