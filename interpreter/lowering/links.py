"""Announcements. A link lies in the frame of who announced, in slots from `base` on:
actor, target, cancelled, answered, then the values that reactions share by name.
A reaction's frame holds where the link that it answers lies: the depth of that frame, and the base."""

from __future__ import annotations

ACTOR, TARGET, CANCELLED, ANSWERED, SHARED = range(5)


def shared_offset(names: list[str], name: str | None) -> int:
    """Where a link holds its target, or what is shared by a name: one of `Layout.shared_names`."""
    return TARGET if name is None else SHARED + names.index(name)
