"""Notes about players that the page shows next to their names: exchanged cards, and the way to the goal."""

from __future__ import annotations

from typing import Any

from interpreter.match.match import Match
from interpreter.view.table_model import EventLine, Table


def build_player_notes(match: Match, viewer: str | None, table: Table) -> dict[str, Any]:
    """Return notes by kind, then by player, from what the viewer sees.

    `drew`: the number of cards drawn by the last exchange of the deal. `race`: the score as a part of the points that
    end the match, from 0 to 1, if the game names these."""
    return {"drew": count_exchanged_cards(table), "race": measure_race(match, viewer)}


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


def measure_race(match: Match, viewer: str | None) -> dict[str, float]:
    goal, history = match.game.defines.get("goal"), match.viewer_histories.get(viewer)
    if goal is None or history is None:
        return {}
    points, track = match.program.evaluate(goal.value, match.state), history.facts.progress.score_track
    scores = {each.owner: each.value for each in match.view(viewer).tracks if each.name == track and each.owner}
    if not isinstance(points, int) or points <= 0 or not all(isinstance(score, int) for score in scores.values()):
        return {}
    return {name: round(min(max(score / points, 0), 1), 4) for name, score in scores.items()}
