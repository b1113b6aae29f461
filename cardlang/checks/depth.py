"""Check of cyclic definitions, long chains of definitions and steps, and too many uses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from cardlang import game as g
from cardlang.game.walking import walk
from cardlang.limits import MAX_NESTING
from cardlang.source import Diagnostic, Span

MAX_USES = 10_000
"""Maximum number of uses of other definitions, after full expansion."""


def check_depth(game: g.Game) -> Iterator[Diagnostic]:
    ring = ring_of(game)
    if ring:
        words = " → ".join(f"`{name}`" for name in [*ring, ring[0]])
        message = (
            f"`{ring[0]}` is defined by itself"
            if len(ring) == 1
            else f"these definitions are defined by each other: {words}"
        )
        span = next(span for span, value in meanings(game)[ring[0]] if ring[1 % len(ring)] in needs(value))
        yield Diagnostic("E233", message, span, "a definition cannot use its own value, even for another card")
        return
    values = {name: define.value for name, define in game.defines.items()}
    bodies = {name: step.body for name, step in game.steps.items()}
    needed = {name: calls(value, g.Call, "define") for name, value in values.items()}
    done = {name: calls(body, g.Do, "step") for name, body in bodies.items()}
    for declared, uses in ((game.defines, needed), (game.steps, done)):
        name = too_deep(uses)
        if name is not None:
            message = f"`{name}` starts a chain of more than {MAX_NESTING} definitions or steps"
            span = declared[name].origin.name
            yield Diagnostic("E122", message, span, "put more of the chain in one place")
            return
    name = too_wide(needed)
    if name is not None:
        message = f"`{name}` uses other definitions more than {MAX_USES:,} times in all"
        yield Diagnostic("E122", message, game.defines[name].origin.name, "use the same value less often")


def meanings(game: g.Game) -> dict[str, list[tuple[Span, object]]]:
    """Return the values of all named declarations, with their spans."""
    found: dict[str, list[tuple[Span, object]]] = {}
    for name, define in game.defines.items():
        found[name] = [(define.origin.name, define.value)]
    for name, borne in game.borne_defines.items():
        found[name] = [(body.value.span, body.value) for body in borne.bodies if body]
    for name, order in game.orders.items():
        found[name] = [(order.origin.name, order.lines)]
    for name, ranking in game.rankings.items():
        wild = tuple(each.condition for each in ranking.wilds)
        found[name] = [(ranking.origin.name, (ranking.ranks, ranking.ties, wild, ranking.least or ()))]
    return found


def ring_of(game: g.Game) -> list[str]:
    """Return the names on a cycle of dependencies, or an empty list.

    Cycles of plain definitions alone are left out: resolution handles these, one definition at a time."""
    uses = {name: [used for _, value in of for used in needs(value)] for name, of in meanings(game).items()}
    for name in (*game.borne_defines, *game.orders, *game.rankings):
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


NAMED = (
    (g.Call, "define"), (g.BorneCall, "define"), (g.Sorted, "order"), (g.AggBy, "order"), (g.ReadRanking, "ranking"),
    (g.IsReading, "ranking"),
)  # fmt: skip
"""Expressions that use a named declaration, with the field that has the name."""


def needs(value: object) -> list[str]:
    return [name for sort, field in NAMED for name in calls(value, sort, field) if name]


def back(came: Mapping[str, str], name: str) -> list[str]:
    """Return the path from a name back to itself. `came` maps each name to its predecessor."""
    way = [came[name]]
    while way[-1] != name:
        way.append(came[way[-1]])
    return way[::-1]


def too_wide(uses: Mapping[str, list[str]]) -> str | None:
    """Return the first definition with too many uses after expansion, whose own dependencies have fewer."""

    @cache
    def count(name: str) -> int:
        return sum(1 + count(other) for other in uses[name] if other in uses)

    wide = [name for name in uses if count(name) > MAX_USES]
    return next((name for name in wide if not any(count(other) > MAX_USES for other in uses[name])), None)


def calls(part: object, sort: type, name: str) -> list[str]:
    return [getattr(found, name) for found in walk(part) if isinstance(found, sort)]


def too_deep(uses: Mapping[str, list[str]]) -> str | None:
    """Return the first name with a chain of more than MAX_NESTING uses. The graph of uses is acyclic."""
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
