"""Options of the start menu and the choice of a person.

This module is separate from the screen because listing games doesn't need Textual.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

MAX_GLANCE_PLAYERS = 4
"""Maximum number of players that fit on one screen at a glance."""


@frozen
class StartOption:
    """Entry of the home screen.

    `name` identifies it for the caller; people read `title` and `detail`. A game lists its player counts (`players`)
    and the titles of its `variants`. Both are empty for a match to resume. Its rules are `is_outdated` if the game file
    has changed since."""

    name: str
    title: str
    detail: str
    players: tuple[int, ...] = ()
    variants: tuple[str, ...] = ()
    is_outdated: bool = False


@frozen
class StartChoice:
    """Entry that a person chose, with its options.

    `players`: player count, 0 for a match to resume. `variant`: empty for none. `bot`: kind of the opponents."""

    offer: StartOption
    players: int = 0
    variant: str = ""
    bot: str = ""


def choose_middle_count(counts: Sequence[int]) -> int:
    """Return the default player count: near the middle of the range, without solitaire, up to `MAX_GLANCE_PLAYERS`."""
    several = sorted(count for count in counts if count > 1) or [*counts]
    usual = several[(len(several) - 1) // 2]
    return min(usual, max((count for count in several if count <= MAX_GLANCE_PLAYERS), default=usual))
