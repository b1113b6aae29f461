"""Views of a match for one seat, now and at each reveal."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

from attrs import evolve

from interpreter.match.decision_description import build_decision_view
from interpreter.match.event_log import EventLog
from interpreter.match.legal_moves import DecidingMatch
from interpreter.narration.display_names import MatchNames, find_public_steps
from interpreter.narration.events import EventView
from interpreter.runtime.state import State
from interpreter.view import table_model
from interpreter.view.player_view import View, collect_visible_fields
from interpreter.view.recent_results import ViewerHistory, has_grown
from interpreter.view.shown_values_and_hand_notes import DisplayValues
from interpreter.view.table_builder import assemble_table, create_viewer_history


class ObservedMatch(DecidingMatch, Protocol):
    """Match with its events and results."""

    @property
    def event_log(self) -> EventLog: ...
    @property
    def scores(self) -> list[int | Fraction | None]: ...
    @property
    def winners(self) -> list[str]: ...
    @property
    def places(self) -> list[int]: ...

    def get_events(self, seat: int) -> tuple[EventView, ...]: ...
    def find_last_action(self, seat: int) -> int: ...


def build_player_view(match: ObservedMatch, seat: int) -> View:
    """Return the view of a seat. The seat `players` of the program is a spectator."""
    names, state = match.names, match.state
    decision = match.decision
    asked = decision is not None and decision.seat == seat
    display_values = DisplayValues(names, state) if decision is None else decision.display_values
    return View(
        game=names.game.title,
        player=names.players[seat] if seat < len(names.players) else None,
        players=names.players,
        asked=decision.player if decision else None,
        **collect_visible_fields(names, state, display_values, seat),
        chosen=bool(names.facts.shown_values),
        events=match.get_events(seat),
        since=match.find_last_action(seat),
        steps=find_public_steps(names, state),
        prompt=decision.prompt if decision and asked else "",
        moves=decision.moves.texts if decision and asked else (),
        asking=build_decision_view(names, decision) if decision and asked else None,
        scores=tuple(match.scores) if match.over or names.facts.has_public_scores else None,
        places=tuple(match.places) if match.over else None,
        over=match.over,
        winners=tuple(match.winners),
    )


def build_reveal_views(match: ObservedMatch, seat: int) -> tuple[tuple[bool, View], ...]:
    """Return the views of a seat at each reveal during the last choice, each with a flag for random cards.

    It is empty unless there were at least two reveals, one of them random.
    """
    chronicle = match.event_log
    chronicle.replay_new_choices(match.choices)
    turns = chronicle.turns
    if len(turns) < 2 or not any(turn.is_random for turn in turns):
        return ()
    names, now = match.names, build_player_view(match, seat)
    going = [find_public_steps(names, turn.state) for turn in turns]
    steps = tuple(name for name in going[0] if all(name in each for each in going))
    return tuple(
        (
            turn.is_random,
            evolve(
                build_view_at_reveal(names, now, seat, turn.state, chronicle.get_events_at_reveal(turn, seat)),
                steps=steps,
            ),
        )
        for turn in turns
    )


def build_view_at_reveal(
    names: MatchNames, final_view: View, seat: int, state: State, events: Sequence[EventView]
) -> View:
    """Return the view of a seat in the middle of a choice.

    `final_view`: the view after the choice. `events`: events of the choice so far.
    """
    choice_number = final_view.events[-1].at
    happened = (*(event for event in final_view.events if event.at < choice_number), *events)
    return evolve(
        final_view,
        **collect_visible_fields(names, state, DisplayValues(names, state), seat),
        asked=None,
        events=happened,
        prompt="",
        moves=(),
        asking=None,
        scores=None,
        places=None,
        over=False,
        winners=(),
    )


def build_reveal_tables(match: ObservedMatch, seat: int) -> tuple[table_model.Table, ...]:
    """Return the tables a seat sees during the last choice, one each time cards are revealed, until a player gains.

    Return none if no player gains, if there are fewer than two tables, or if no revealed card is random.
    """
    views = build_reveal_views(match, seat)
    if not views:
        return ()
    now = build_player_view(match, seat)
    choice_number, history = now.events[-1].at, create_viewer_history(match.game, now.player)
    history.take_events([event for event in now.events if event.at < choice_number])
    if not any(has_gain(event, history) for event in now.events if event.at == choice_number):
        return ()
    before = [
        view_pair
        for view_pair in views
        if not any(has_gain(event, history) for event in view_pair[1].events if event.at == choice_number)
    ]
    if len(before) < 2 or not any(by_chance for by_chance, _ in before):
        return ()
    return tuple(assemble_table(view, match.game, None, history) for _, view in before)


def has_gain(event: EventView, history: ViewerHistory) -> bool:
    """Return whether a player's score rises, a player is eliminated, or the match ends."""
    change = event.change
    if change is None or change.name != history.facts.progress.score_track:
        return event.kind in ("eliminated", "ended")
    return has_grown(change.after, change.before)
