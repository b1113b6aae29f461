"""Definitions that need each other, and steps that do each other: in a ring, in too long a chain, or too often."""

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
    ring = ring_of_borne(game)
    if ring:
        words = " → ".join(f"`{name}`" for name in [*ring, ring[0]])
        message = f"`{ring[0]}` is defined by itself" if len(ring) == 1 else f"these definitions go round: {words}"
        borne = (body.value for body in game.borne_defines[ring[0]].bodies if body)
        span = next(value.span for value in borne if ring[1 % len(ring)] in needs(value))
        yield Diagnostic("E233", message, span, "what cards bear may not need its own value, of other cards neither")
        return
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


def ring_of_borne(game: g.Game) -> list[str]:
    """Names of definitions that need each other in a ring, one that cards bear first; empty if none do. Others cannot:
    they are resolved one by one."""
    uses = {name: needs(define.value) for name, define in game.defines.items()}
    for name, borne in game.borne_defines.items():
        uses[name] = [used for body in borne.bodies if body for used in needs(body.value)]
    for name in game.borne_defines:
        came: dict[str, str] = {}
        waiting = [name]
        while waiting and name not in came:
            here = waiting.pop()
            new = [used for used in uses[here] if used not in came]
            came |= dict.fromkeys(new, here)
            waiting += new
        if name in came:
            return back(came, name)
    return []


def needs(part: object) -> list[str]:
    return [*calls(part, g.Call, "define"), *calls(part, g.BorneCall, "define")]


def back(came: Mapping[str, str], name: str) -> list[str]:
    """The way from a name to itself; `came`: from where each was reached."""
    way = [came[name]]
    while way[-1] != name:
        way.append(came[way[-1]])
    return way[::-1]


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
