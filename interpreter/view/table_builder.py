"""Builder of a viewer's table, from a view and the viewer's history."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from attrs import evolve

from cardlang import model as g
from cardlang.model import Game
from cardlang.model.game import GAME_CACHE_SIZE, IdentityKey
from cardlang.model.statement_effects import iter_transfers
from cardlang.model.traversal import collect_all_nodes
from interpreter.narration.display_names import Refs
from interpreter.narration.event_phrases import NO_LINE, Line
from interpreter.narration.events import EventView
from interpreter.narration.game_facts import get_game_facts
from interpreter.view import table_model
from interpreter.view.action_menu import build_action_menu, name_bet_sizes, sort_actions
from interpreter.view.card_piles import CardHighlights, PileLayout
from interpreter.view.event_lines import build_event_lines
from interpreter.view.player_areas import TableAreaBuilder, build_fact
from interpreter.view.player_view import SelectionView, View, ZoneView
from interpreter.view.recent_results import TableFacts, ViewerHistory, build_recent_results, build_score_sheet
from interpreter.view.score_and_rounds import GameProgress
from interpreter.view.showdown import find_shared_zones
from interpreter.view.shown_values_and_hand_notes import HandValueView


def find_new_cards(game: g.Game, view: View, events: Sequence[EventView]) -> Iterator[str]:
    """Yield the refs of cards that came to the viewer's hand in these events.

    They joined other cards there, or came alone and were not dealt. A card that only the other players see is referred
    to by its place.
    """
    for zone in view.table:
        if zone.owner != view.player:
            continue
        if zone.private:
            yield from find_new_visible_cards(zone, events)
        elif game.zones[zone.name].viewer == "others" and is_filled_from_top(game, zone.name):
            yield from find_new_hidden_cards(zone, events)


def find_new_visible_cards(zone: ZoneView, events: Sequence[EventView]) -> Iterator[str]:
    ref = Refs.build_pile_ref(zone.name, zone.owner, zone.second)
    arrivals = [event for event in events if event.kind == "moved" and event.to == ref]
    codes = Counter(code for event in arrivals for code in event.cards)
    lone = zone.count == 1 and arrivals and arrivals[-1].name != "deal"
    if codes.total() < zone.count or lone:
        for position, card in reversed(list(enumerate(zone.cards, 1))):
            if card.code is not None and codes[card.code] > 0:
                codes[card.code] -= 1
                yield f"{ref}#{position}"


def find_new_hidden_cards(zone: ZoneView, events: Sequence[EventView]) -> Iterator[str]:
    """Yield the cards put on top of a hidden hand, unless a card has left the hand since."""
    ref, count = Refs.build_pile_ref(zone.name, zone.owner, zone.second), 0
    for event in events:
        moved = event.kind == "moved"
        if event.source == ref or (moved and not event.source and event.to != ref):
            count = 0  # no player knows which of them it was
        elif moved and event.to == ref:
            count += len(event.cards) + event.hidden
    if count < zone.count:
        yield from (f"{ref}#{position}" for position in range(zone.count - count + 1, zone.count + 1))


def is_filled_from_top(game: g.Game, zone: str) -> bool:
    """Return whether the rules add cards to a zone only on top."""
    return all(
        transfer.end == "top" for transfer in iter_transfers(collect_all_nodes(game)) if transfer.to.zone == zone
    )


MAX_RECENT_EVENTS = 200
"""Maximum number of recent events to report."""
MAX_EARLIER_LINES = 60
"""Maximum number of lines from before the viewer's last move."""


def build_table(view: View, game: Game, selection: SelectionView | None, history: ViewerHistory) -> table_model.Table:
    """Return the table for a view.

    `selection`: progress of the viewer's selection of several cards or values.
    `history`: the viewer's history so far; it reads the new events.
    """
    history.take_events(view.events)
    return assemble_table(view, game, selection, history)


def assemble_table(
    view: View, game: Game, selection: SelectionView | None, history: ViewerHistory
) -> table_model.Table:
    """Return the table for a view and an up-to-date history."""
    facts = history.facts
    ask = build_viewer_menu(view, game, selection)
    first = bisect_left(view.events, view.since, key=lambda event: event.at)
    touched = build_card_highlights(view, ask, selection, {*find_new_cards(game, view, view.events[first:])})
    builder = TableAreaBuilder(view, facts.piles, get_game_facts(game), touched, history.is_unset)
    players, middle, kinds = builder.build_player_areas(), builder.build_middle(), builder.build_kind_areas()
    middle = evolve(middle, facts=tuple(map(facts.progress.add_iteration_limit, middle.facts)))
    if ask is not None:
        sizes = name_bet_sizes(ask, view, game, facts.progress.score_track)
        ask = evolve(
            sort_actions(ask, game, players, (middle, *kinds)), amounts=sizes, reacts_to=find_reaction_subject(view)
        )
    readings = tuple(build_hand_value(value) for value in view.held if not value.is_empty)
    since = build_recent_lines(view, history, first, len(view.events))
    headings = facts.progress.build_heading(view.steps, history.counts, history.step_players, view.player)
    return table_model.Table(
        format=table_model.TABLE_FORMAT,
        game=view.game,
        heading=tuple(text for _, text in headings),
        viewer=view.player,
        places=tuple(drop_shown_facts(area, view) for area in players),
        middle=middle,
        kinds=kinds,
        readings=readings,
        ask=ask,
        waiting=view.asked if view.asked != view.player else None,
        since=since,
        moments=build_recent_results(view, history, players),
        over=view.over,
        winners=view.winners,
        earlier=build_earlier_lines(view, history, first),
        scores=build_score_sheet(view, history),
        steps=tuple(step for step, _ in headings),
    )


def build_viewer_menu(view: View, game: Game, selection: SelectionView | None) -> table_model.ActionMenu | None:
    """Return the menu of the viewer's decision, or None if another player decides."""
    asking = view.asking
    if asking is None:
        return None
    is_own_rule = asking.span.source is game.sources[0]
    announced = find_answered_line(view).write_for(view.player)
    return build_action_menu(asking, selection, is_own_rule, f"/{view.player}", announced)


def build_recent_lines(view: View, history: ViewerHistory, first: int, end: int) -> tuple[table_model.EventLine, ...]:
    """Return log lines for some of the events, but at most for the last `MAX_RECENT_EVENTS`.

    Long logs are built in sections, which never change and are built once.
    """
    cuts = history.find_section_starts(view.events)
    if first < end - MAX_RECENT_EVENTS:
        first = next((cut for cut in cuts if end - MAX_RECENT_EVENTS <= cut <= end), end - MAX_RECENT_EVENTS)
    bounds = [first, *cuts[bisect_right(cuts, first) : bisect_left(cuts, end)], end]
    lines: list[table_model.EventLine] = []
    for start, stop in pairwise(bounds):
        section = history.sections.get((start, stop))
        if section is None:
            section = build_section_lines(view, history, start, stop)
            if stop != end:
                history.sections[start, stop] = section
        lines += section
    return tuple(lines)


def build_earlier_lines(view: View, history: ViewerHistory, first: int) -> tuple[table_model.EventLine, ...]:
    """Return the lines about events before the first new one. They stay the same until the viewer moves."""
    if history.earlier_lines[0] != first:
        history.earlier_lines = first, build_recent_lines(view, history, 0, first)[-MAX_EARLIER_LINES:]
    return history.earlier_lines[1]


def build_section_lines(view: View, history: ViewerHistory, first: int, end: int) -> tuple[table_model.EventLine, ...]:
    """Return log lines for some of the events. Changes of loop counters are left out, because the table shows them."""
    counting = history.facts.progress.loop_counters
    events = [event for event in view.events[first:end] if event.change is None or event.change.name not in counting]
    return build_event_lines(events, view.player, history.facts.game.sources[0], history.facts.piles)


def find_answered_line(view: View) -> Line:
    """Return the line of the announced action that the viewer answers; empty for other decisions.

    Between two questions about the same action, its player may have acted because of another reaction.
    """
    asking = view.asking
    if asking is None or not asking.announcer:
        return NO_LINE
    own = (event for event in reversed(view.events) if event.who == asking.announcer)
    next((event for event in own if event.kind == "announced" and event.span == asking.span), None)
    return next((event.line for event in own if event.kind in ("chose", "moved") and event.line), NO_LINE)


def find_reaction_subject(view: View) -> str:
    """Return `you` if the viewer can react to an action that names them, or `others`. Empty if they can't pass."""
    asking = view.asking
    if asking is None or asking.kind != "react" or not any(move.text == "pass" for move in asking.list_sample_moves()):
        return ""
    return "you" if view.player in find_answered_line(view).players else "others"


def create_viewer_history(game: Game, viewer: str | None) -> ViewerHistory:
    """Return an empty history for a viewer."""
    return ViewerHistory(get_table_facts(IdentityKey(game)), viewer)


@lru_cache(maxsize=GAME_CACHE_SIZE)
def get_table_facts(game: IdentityKey) -> TableFacts:
    course = GameProgress(game.game)
    return TableFacts(
        game.game,
        PileLayout(game.game, course.score_track),
        course,
        find_shared_zones(game.game),
        get_game_facts(game.game).assign_only_tracks,
    )


def build_hand_value(value: HandValueView) -> table_model.HandValue:
    """Return the value of the viewer's own cards. For a split into groups, leave out the cards in no group."""
    label = "You hold" if value.is_ranked else value.noun[:1].upper() + value.noun[1:]
    text = f"{value.text} ({value.place})" if value.place else value.text
    return table_model.HandValue(label, text, value.cards, " ".join(value.details))


def drop_shown_facts(area: table_model.TableArea, view: View) -> table_model.TableArea:
    """Return an area without the facts that the viewer's readings already show.

    Otherwise the table would show them twice, and outdated ones while the viewer selects cards to give away.
    """
    read = {hand_value.noun.lower() for hand_value in view.held if area.name == view.player}
    return evolve(area, facts=tuple(fact for fact in area.facts if fact.label.lower() not in read)) if read else area


def build_card_highlights(
    view: View, menu: table_model.ActionMenu | None, selection: SelectionView | None, new_cards: Collection[str]
) -> CardHighlights:
    counts = {ref for hand_value in view.held if not hand_value.is_empty for ref in hand_value.cards}
    best = int(view.best.rpartition("#")[2] or 0)
    moves: dict[str, tuple[int, ...]] = {}
    for action in menu.actions if menu is not None else ():
        for ref in action.touches:
            moves[ref] = (*moves.get(ref, ()), action.move)
    facts: dict[str, tuple[table_model.DisplayFact, ...]] = {}
    for ref, shown in view.of_cards:
        facts[ref] = (*facts.get(ref, ()), build_fact(shown))
    melded = next((hand_value.cards for hand_value in view.held if hand_value.is_split), ())
    return CardHighlights(
        moves,
        chosen=selection.chosen if selection is not None else (),
        selectable={*selection.addable, *selection.chosen} if selection is not None else (),
        counts=counts,
        best=best,
        new_cards=new_cards,
        facts=facts,
        melded=melded,
    )
