"""Confirmation question before an undo."""

from __future__ import annotations

from collections.abc import Collection

from interpreter.errors import MoveError
from interpreter.matches.match import Match
from interpreter.matches.undoing import kept_by_undo
from interpreter.table.telling import log_lines

MOST_TOLD = 3
"""Maximum number of lines quoted in the question."""


def question(match: Match, viewer: str, bots: Collection[str], log: list[str]) -> str:
    """Return a question that lists what the viewer has seen of others since the move, or an empty string.

    `log`: the viewer's log, in the wording they read."""
    try:
        kept = kept_by_undo(match, match.names.seat(viewer), {match.names.seat(bot) for bot in bots}, several=True)
    except MoveError:
        return ""
    before = match.clone()
    before.rewind(kept)
    lost = log[len(log_lines(before.view(viewer).events)) :]
    seen = [line for line in lost if not line.startswith(("You ", "Your "))]
    if not seen:
        return ""
    more = f" … and {len(seen) - MOST_TOLD} more." if len(seen) > MOST_TOLD else ""
    return f"Undo back to “{lost[0]}”? Since then you have seen: {' '.join(seen[:MOST_TOLD])}{more}"
