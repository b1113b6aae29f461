"""Layout of announcement links.

A link is stored in the frame of the announcer. Its slots from `base` on are actor, target, cancelled, answered, then
the values that reactions share by name. A reaction's frame holds the address of the link it responds to: the depth
of that frame, and the base."""

from __future__ import annotations

ACTOR, TARGET, CANCELLED, ANSWERED, SHARED = range(5)


def shared_offset(names: list[str], name: str | None) -> int:
    """Return the offset of a link's target, or of a shared value: one of `Layout.shared_names`."""
    return TARGET if name is None else SHARED + names.index(name)
