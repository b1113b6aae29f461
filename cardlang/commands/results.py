"""Results of a match, as printed lines."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from cardlang.terminal.telling import tell

if TYPE_CHECKING:
    from interpreter.matches.match import Match

Number = int | Fraction | None


def show_results(match: Match) -> None:
    """Print placings and scores, best first, or the shared score, then the winners."""
    from interpreter.matches.facts import facts_of

    scores = dict(zip(match.players, match.scores, strict=True))
    places = dict(zip(match.players, match.places, strict=True))
    for line in shared(scores) if facts_of(match.game).one_score else placings(places, scores):
        tell(line)
    tell(winners_line(match.winners, scores))


def winners_line(winners: list[str], scores: dict[str, Number]) -> str:
    """Return `Mal and Inara share the win with 120.`"""
    from interpreter.matches.names import exact, listed

    if not winners:
        return "No one wins."
    verb = "share the win" if len(winners) > 1 else "wins"
    reached = {scores.get(name) for name in winners}
    value = reached.pop() if len(reached) == 1 else None
    return f"{listed(winners)} {verb}." if value is None else f"{listed(winners)} {verb} with {exact(value)}."


def shared(scores: dict[str, Number]) -> list[str]:
    """Return a line with the single score that all players share."""
    from interpreter.matches.names import exact

    return [f"All players score {exact(next(iter(scores.values())))}."]


def placings(places: dict[str, int], scores: dict[str, Number]) -> list[str]:
    """Return a line for each player, the best first: `1. Mal 120`."""
    from interpreter.matches.names import exact

    width = max(len(name) for name in places)
    lines = []
    for name in sorted(places, key=lambda name: places[name]):
        score = "" if scores.get(name) is None else exact(scores[name])
        lines.append(f"{places[name]}. {name:{width}}  {score}".rstrip())
    return lines
