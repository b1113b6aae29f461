"""Definitions that need each other, and steps that do each other, in chains too long to follow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cardlang import game as g
from cardlang.limits import MAX_NESTING
from cardlang.source import Diagnostic
from cardlang.walk import walk


def check_depth(game: g.Game) -> Iterator[Diagnostic]:
    values = {name: define.value for name, define in game.defines.items()}
    bodies = {name: step.body for name, step in game.steps.items()}
    needed = {name: calls(value, g.Call, "define") for name, value in values.items()}
    done = {name: calls(body, g.Do, "step") for name, body in bodies.items()}
    for declared, uses, verb in ((game.defines, needed, "needs"), (game.steps, done, "does")):
        name = too_deep(uses)
        if name is not None:
            message = f"`{name}` {verb} another, which {verb} another, and so on more than {MAX_NESTING} times"
            span = declared[name].node.name.span
            yield Diagnostic("E122", message, span, "say more in one place: nobody could follow this")


def calls(part: Any, sort: type, name: str) -> list[str]:
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
