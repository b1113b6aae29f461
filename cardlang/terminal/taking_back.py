"""What is asked before a move is taken back."""

from __future__ import annotations

from collections.abc import Collection

from interpreter.errors import MoveError
from interpreter.matches.match import Match
from interpreter.matches.undoing import kept_by_undo
from interpreter.table.telling import log_lines

MOST_TOLD = 3
"""Of more lines that were seen since a move not each is told before it is taken back."""


def question(match: Match, viewer: str, bots: Collection[str], log: list[str]) -> str:
    """Whether they want to go back over what they have seen of others since their move; empty if that was nothing.
    `log`: what they saw, in their words."""
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
