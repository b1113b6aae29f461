"""Announcements. A link lies in the frame of who announced, in slots from `base` on:
actor, target, cancelled, answered, then the values that reactions share by name.
A reaction's frame holds where the link that it answers lies: the depth of that frame, and the base."""

from __future__ import annotations

from cardlang import game as g
from cardlang.game.walking import everything

ACTOR, TARGET, CANCELLED, ANSWERED, SHARED = range(5)


def shared_names(game: g.Game) -> list[str]:
    """All names that announcements share, sorted; each has its slot in every link."""
    names = {name for part in everything(game) if isinstance(part, g.Announce) for name, _ in part.shared}
    return sorted(names)


def shared_offset(game: g.Game, name: str | None) -> int:
    return TARGET if name is None else SHARED + shared_names(game).index(name)
