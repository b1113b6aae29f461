"""Traverse the expressions and statements of a checked game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any, TypeGuard

import attrs

from cardlang import game as g

Part = (
    g.Expr | g.Stmt | g.Place | g.Domain | g.Option | g.OrderLine | g.Rank | g.Pattern | g.Group | g.BorneBody
    | g.BorneStepBody
)  # fmt: skip
"""A node of the traversal."""


PLAIN = {"str", "int", "bool", "str | None", "int | None", "Span", "Type", "Origin", "tuple[str, ...]"}
"""Annotations of fields that never hold a part."""

_is_part: dict[type, bool] = {}
_fields: dict[type, tuple[str, ...]] = {}


def is_part(kind: type) -> bool:
    """Return whether a class is a kind of `Part`. Texts for readers are not. Cached."""
    if kind not in _is_part:
        _is_part[kind] = issubclass(kind, Part) and not issubclass(kind, g.Aside)
    return _is_part[kind]


def fields_of(kind: type) -> tuple[str, ...]:
    """Return the fields of a class that can hold parts. Cached."""
    if kind not in _fields:
        fields = [field for field in attrs.fields(kind) if field.type not in PLAIN]
        _fields[kind] = tuple(field.name for field in fields)
    return _fields[kind]


def children(node: object) -> list[Part]:
    """Return the parts directly below a node: expressions, statements, options, places, …"""
    found: list[Part] = []
    for name in _fields.get(type(node)) or fields_of(type(node)):
        value = getattr(node, name)
        if value:
            gather(value, found)
    return found


def gather(value: Any, found: list[Part]) -> None:
    """Append a value if it is a part, or the parts in nested tuples."""
    kind = type(value)
    if kind is tuple:
        for item in value:
            gather(item, found)
    elif _is_part[kind] if kind in _is_part else is_part(kind):
        found.append(value)


def parts_of(value: object) -> list[Part]:
    """Return a part, or the parts in nested tuples, as a list."""
    found: list[Part] = []
    gather(value, found)
    return found


def walk(node: object) -> Iterator[Part]:
    """Yield a node (or a tuple of nodes) and all its descendants. Calls of definitions and steps are not followed."""
    stack = parts_of(node)
    while stack:
        part = stack.pop()
        yield part
        stack.extend(children(part))


def bodies(game: g.Game) -> Iterator[tuple[g.Stmt | g.Option, ...]]:
    """Yield the bodies of all steps, reactions and triggers of a game."""
    for step in game.steps.values():
        yield step.body
    for borne in game.borne_steps.values():
        yield from (body.body for body in borne.bodies if body)
    for reaction in game.reactions:
        yield (reaction.option,)
    yield from (trigger.body for trigger in game.enters)
    yield from (trigger.body for trigger in game.whenevers)


def everything(game: g.Game) -> tuple[Part, ...]:
    """Return every expression and statement of a game, without its examples.

    The game caches them like its cached properties. An equal game has other spans.
    """
    kept = vars(game)
    if "everything" not in kept:
        kept["everything"] = tuple(chain.from_iterable(map(walk, chain(bodies(game), values(game)))))
    found: tuple[Part, ...] = kept["everything"]
    return found


def values(game: g.Game) -> Iterator[object]:
    """Yield the expressions outside bodies: starts, definitions, orders, rankings, conditions of triggers."""
    yield from (track.start for track in game.tracks.values())
    yield from (define.value for define in game.defines.values())
    yield from (body.value for borne in game.borne_defines.values() for body in borne.bodies if body)
    yield from (order.lines for order in game.orders.values())
    yield from (trigger.condition for trigger in game.whenevers)
    for ranking in game.rankings.values():
        yield (ranking.ranks, ranking.ties, tuple(wild.condition for wild in ranking.wilds))
        if ranking.least is not None:
            yield ranking.least


def eliminates(game: g.Game) -> bool:
    """Return whether players may be eliminated, so that there are fewer later."""
    return any(isinstance(part, g.Eliminate) for part in everything(game))


def uses_var(node: object, var: g.Var) -> bool:
    return any(isinstance(part, g.Var) and part.id == var.id for part in walk((node,)))


def reachable_defines(game: g.Game, node: object) -> set[str]:
    """Return the names of the definitions that a node needs, directly or through other definitions."""
    found: set[str] = set()
    stack = [node]
    while stack:
        for part in walk((stack.pop(),)):
            if isinstance(part, g.Call) and part.define not in found:
                found.add(part.define)
                stack.append(game.defines[part.define].value)
    return found


def bodies_done(game: g.Game, body: object) -> Iterator[object]:
    """Yield a body and the bodies of the steps that it may run, directly or through other steps.

    If it runs a step on cards, yield the bodies of that step on all cards.
    """
    found: set[str] = set()
    todo: list[object] = [body]
    while todo:
        yield (current := todo.pop())
        for part in walk(current):
            if isinstance(part, g.Do) and part.step not in found:
                found.add(part.step)
                todo.append(game.steps[part.step].body)
            elif isinstance(part, g.DoBorne) and f"card's {part.step}" not in found:
                found.add(f"card's {part.step}")
                todo.extend(borne.body for borne in game.borne_steps[part.step].bodies if borne)


def may_pass(game: g.Game, body: object, known: dict[str, bool] | None = None) -> bool:
    """Return whether passing a choice in a body ends the `repeat until you pass` around it.

    Steps count as if their lines were inlined. Loops over players, inner repeats of this kind, and steps on cards do
    not count. `known`: cached results of steps.
    """
    known = {} if known is None else known
    for part in parts_of(body):
        match part:
            case g.Each() | g.Repeat(until_pass=True) | g.Expr():
                continue
            case g.Pick(may=True) | g.Choose(may=True) | g.Menu(may=True) | g.Offer():
                return True
            case g.Do(step=name):
                if name not in known:
                    known[name] = False
                    known[name] = may_pass(game, game.steps[name].body, known)
                if known[name]:
                    return True
        if may_pass(game, tuple(children(part)), known):
            return True
    return False


def steps_done(game: g.Game, body: object) -> set[str]:
    """Return the names of the steps that a body may run."""
    parts = (part for each in bodies_done(game, body) for part in walk(each))
    return {part.step for part in parts if isinstance(part, g.Do)}


def conjuncts(condition: g.Expr) -> list[g.Expr]:
    """Return the conjuncts of a condition, in order."""
    if isinstance(condition, g.And):
        return [*conjuncts(condition.left), *conjuncts(condition.right)]
    return [condition]


def any_part(node: object, test: Callable[[Any], bool]) -> bool:
    return any(test(part) for part in walk(node))


def has_chance(node: object) -> bool:
    """Return whether a node contains a random draw."""
    return any_part((node,), is_random)


def is_random(part: object) -> TypeGuard[g.Agg]:
    """Return whether a part is itself a random draw."""
    return isinstance(part, g.Agg) and part.function == "random"


def free_vars(expr: object) -> set[int]:
    if isinstance(expr, g.Var):
        return {expr.id}
    below: set[int] = set()
    for child in children(expr):
        below |= free_vars(child)
    return below - bound_here(expr)


def bound_here(expr: object) -> set[int]:
    var = getattr(expr, "var", None)
    return {var.id} if isinstance(var, g.Var) else set()
