"""Definitions that need each other, and steps that do each other, in chains too long to follow or too often."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from cardlang import game as g
from cardlang.game.walking import walk
from cardlang.limits import MAX_NESTING
from cardlang.source import Diagnostic

MAX_USES = 10_000
"""So often a definition may need others, written out in full."""


def check_depth(game: g.Game) -> Iterator[Diagnostic]:
    values = {name: define.value for name, define in game.defines.items()}
    bodies = {name: step.body for name, step in game.steps.items()}
    needed = {name: calls(value, g.Call, "define") for name, value in values.items()}
    done = {name: calls(body, g.Do, "step") for name, body in bodies.items()}
    for declared, uses, verb in ((game.defines, needed, "needs"), (game.steps, done, "does")):
        name = too_deep(uses)
        if name is not None:
            message = f"`{name}` {verb} another, which {verb} another, and so on more than {MAX_NESTING} times"
            span = declared[name].origin.name
            yield Diagnostic("E122", message, span, "say more in one place: nobody could follow this")
            return
    name = too_wide(needed)
    if name is not None:
        message = f"`{name}` needs other definitions, and those again others, more than {MAX_USES:,} times in all"
        yield Diagnostic("E122", message, game.defines[name].origin.name, "need the same value less often")


def too_wide(uses: Mapping[str, list[str]]) -> str | None:
    """The first name that needs others too often, counted through all chains, though none of those others does."""

    @cache
    def count(name: str) -> int:
        return sum(1 + count(other) for other in uses[name] if other in uses)

    wide = [name for name in uses if count(name) > MAX_USES]
    return next((name for name in wide if not any(count(other) > MAX_USES for other in uses[name])), None)


def calls(part: object, sort: type, name: str) -> list[str]:
    return [getattr(found, name) for found in walk(part) if isinstance(found, sort)]


def too_deep(uses: Mapping[str, list[str]]) -> str | None:
    """The first name that leads through more than so many others; uses go round in no ring."""
    depth: dict[str, int] = {}
    for root in uses:
        waiting = [root]
        while waiting:
            name = waiting[-1]
            below = [other for other in uses[name] if other in uses]
            open_ = [other for other in below if other not in depth]
            if open_:
                waiting.extend(open_)
                continue
            waiting.pop()
            depth[name] = 1 + max((depth[other] for other in below), default=0)
            if depth[name] > MAX_NESTING:
                return name
    return None
