"""Notes about players that the page shows next to their names: exchanged cards, and the way to the goal."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from cardlang import model as g
from interpreter.knowledge.taint_tracking import TracingState, evaluate_with_knowers
from interpreter.match.match import Match
from interpreter.runtime.errors import RuleError
from interpreter.view.table_model import EventLine, Table


def build_player_notes(match: Match, viewer: str | None, table: Table) -> dict[str, Any]:
    """Return notes by kind, then by player, from what the viewer sees.

    `drew`: the number of cards drawn by the last exchange of the deal. `race`: the score as a part of the points that
    end the match, from 0 to 1, if the rules name these."""
    return {"drew": count_exchanged_cards(table), "race": measure_race(match, viewer, table)}


def count_exchanged_cards(table: Table) -> dict[str, int]:
    counts: dict[str, int] = {}
    for line in (*table.earlier, *table.since):
        if line.anew:
            counts.clear()
        drawn = count_drawn_cards(line)
        if line.who is not None and drawn:
            counts[line.who] = drawn
    return counts


def count_drawn_cards(line: EventLine) -> int:
    """Return how many cards a player drew after a discard from the same hand, or 0."""
    discarded, count = set[str](), 0
    for event in line.events:
        if event.kind == "moved" and event.source.endswith(f"/{line.who}"):
            discarded.add(event.source)
        elif event.kind == "moved" and event.to in discarded:
            count += event.hidden + len(event.cards)
    return count


def measure_race(match: Match, viewer: str | None, table: Table) -> dict[str, float]:
    history = match.viewer_histories.get(viewer)
    points = None if history is None else find_public_end_score(match, history.facts.progress.end_score)
    if history is None or points is None or points <= 0:
        return {}
    track = history.facts.progress.score_track
    areas = (*table.places, *table.kinds)
    scores = {area.name: fact.value for area in areas for fact in area.facts if fact.name == track}
    return {
        name: round(min(max(score / points, 0.0), 1.0), 4) for name, score in scores.items() if isinstance(score, int)
    }


def find_public_end_score(match: Match, end_score: g.Expr | None) -> int | None:
    """Return the points that end the match, or None if the rules name none that all players know."""
    if end_score is None:
        return None
    with suppress(RuleError):
        points, knowing = evaluate_with_knowers(match.program, end_score, TracingState.wrap(match.state), {})
        return points if knowing >> match.program.players & 1 else None
    return None
