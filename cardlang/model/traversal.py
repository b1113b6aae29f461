"""Traversal of expressions, statements and whole games, and what it finds in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any, TypeGuard

from cardlang import model as g
from cardlang.model.expression_queries import (
    get_read_name,
)
from cardlang.model.statement_effects import find_effects
from cardlang.tree import NodeFamily

ModelNode = (
    g.Expr | g.Stmt | g.Place | g.Domain | g.Option | g.OrderLine | g.Rank | g.Pattern | g.Group | g.BorneBody
    | g.BorneStepBody
)  # fmt: skip
"""A node of the traversal."""

NODES = NodeFamily[ModelNode](lambda class_: issubclass(class_, ModelNode) and not issubclass(class_, g.Aside))
"""Texts for readers are no nodes."""
collect_nodes, flatten_nodes, list_children = NODES.collect_nodes, NODES.flatten_nodes, NODES.list_children
walk = NODES.walk
"""Yield a node (or a tuple of nodes) and all its descendants. Calls of definitions and steps are not followed."""
RULES = NodeFamily[Any](
    lambda class_: issubclass(
        class_,
        ModelNode | g.Wild | g.BorneDefine | g.BorneStep | g.Row | g.CardSet | g.Track | g.Define | g.Order | g.Ranking
        | g.Step | g.Reaction | g.Enters | g.Whenever | g.Example | g.Given | g.GivenTrack | g.GivenZone | g.Doing
        | g.Expecting,
    )
)  # fmt: skip
"""Nodes and all other parts whose fields can contain rules, including texts for readers."""


def iter_bodies(game: g.Game) -> Iterator[tuple[g.Stmt | g.Option, ...]]:
    """Yield the bodies of all steps, reactions and triggers of a game."""
    for step in game.steps.values():
        yield step.body
    for borne in game.borne_steps.values():
        yield from (body.body for body in borne.bodies if body)
    for reaction in game.reactions:
        yield (reaction.option,)
    yield from (trigger.body for trigger in game.enters)
    yield from (trigger.body for trigger in game.whenevers)


def collect_all_nodes(game: g.Game) -> tuple[ModelNode, ...]:
    """Return every expression and statement of a game, without its examples.

    The game caches them like its cached properties. An equal game has other spans.
    """
    kept = vars(game)
    if "everything" not in kept:
        kept["everything"] = tuple(
            chain.from_iterable(map(walk, chain(iter_bodies(game), iter_declaration_expressions(game))))
        )
    found: tuple[ModelNode, ...] = kept["everything"]
    return found


def iter_declaration_expressions(game: g.Game) -> Iterator[object]:
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


def can_eliminate_players(game: g.Game) -> bool:
    """Return whether players may be eliminated, so that there are fewer later."""
    return any(find_effects(part).eliminates for part in collect_all_nodes(game))


def uses_variable(node: object, var: g.Var) -> bool:
    return any(isinstance(part, g.Var) and part.id == var.id for part in walk((node,)))


def find_reachable_definitions(game: g.Game, node: object) -> set[str]:
    """Return the names of the definitions that a node needs, directly or through other definitions."""
    found: set[str] = set()
    stack = [node]
    while stack:
        for part in walk((stack.pop(),)):
            if isinstance(part, g.Call) and part.define not in found:
                found.add(part.define)
                stack.append(game.defines[part.define].value)
    return found


def walk_with_definitions(game: g.Game, node: object) -> Iterator[ModelNode]:
    """Yield a node (or a tuple of nodes), the definitions that it needs, and all their descendants."""
    called = (game.defines[name].value for name in sorted(find_reachable_definitions(game, node)))
    return walk((node, *called))


def iter_reachable_bodies(game: g.Game, body: object) -> Iterator[object]:
    """Yield a body and the bodies of the steps that it may run, directly or through other steps.

    If it runs a step on cards, yield the bodies of that step on all cards.
    """
    found: set[str] = set()
    todo: list[object] = [body]
    while todo:
        yield (current := todo.pop())
        for part in walk(current):
            effects = find_effects(part)
            todo += [game.steps[name].body for name in effects.steps if name not in found]
            for name in effects.card_steps:
                if f"card's {name}" not in found:
                    todo += [borne.body for borne in game.borne_steps[name].bodies if borne]
            found.update(effects.steps, (f"card's {name}" for name in effects.card_steps))


def can_passing_end_loop(game: g.Game, body: object, results_by_step: dict[str, bool] | None = None) -> bool:
    """Return whether passing a choice in a body ends the `repeat until you pass` around it.

    Steps count as if their lines were inlined. Loops over players, inner repeats of this kind, and steps on cards do
    not count. `results_by_step`: cached results of steps.
    """
    results_by_step = {} if results_by_step is None else results_by_step
    for part in flatten_nodes(body):
        match part:
            case g.Each() | g.Repeat(until_pass=True) | g.Expr():
                continue
            case _ if find_effects(part).may_pass:
                return True
            case g.Do(step=name):
                if name not in results_by_step:
                    results_by_step[name] = False
                    results_by_step[name] = can_passing_end_loop(game, game.steps[name].body, results_by_step)
                if results_by_step[name]:
                    return True
        if can_passing_end_loop(game, tuple(list_children(part)), results_by_step):
            return True
    return False


def find_reachable_steps(game: g.Game, body: object) -> set[str]:
    """Return the names of the steps that a body may run."""
    parts = (part for each in iter_reachable_bodies(game, body) for part in walk(each))
    return {name for part in parts for name in find_effects(part).steps}


def split_conjunction(condition: g.Expr) -> list[g.Expr]:
    """Return the conjuncts of a condition, in order."""
    if isinstance(condition, g.And):
        return [*split_conjunction(condition.left), *split_conjunction(condition.right)]
    return [condition]


def has_matching_node(node: object, test: Callable[[Any], bool]) -> bool:
    return any(test(part) for part in walk(node))


def has_random_draw(node: object) -> bool:
    """Return whether a node contains a random draw."""
    return has_matching_node((node,), is_random_draw)


def is_random_draw(part: object) -> TypeGuard[g.Agg]:
    """Return whether a part is itself a random draw."""
    return isinstance(part, g.Agg) and part.function == "random"


def find_free_variables(expr: object) -> set[int]:
    if isinstance(expr, g.Var):
        return {expr.id}
    below: set[int] = set()
    for child in list_children(expr):
        below |= find_free_variables(child)
    return below - get_bound_variables(expr)


def get_bound_variables(expr: object) -> set[int]:
    var = getattr(expr, "var", None)
    return {var.id} if isinstance(var, g.Var) else set()


def walk_in_source_order(value: object) -> Iterator[ModelNode]:
    """Yield a part or a tuple of parts and all their descendants, in preorder and source order."""
    for part in flatten_nodes(value):
        yield part
        yield from walk_in_source_order(tuple(order_children(part)))


def order_children(part: ModelNode) -> list[ModelNode]:
    """Return the children of a part in source order: in `add`, the amount comes before the target."""
    found = list_children(part)
    return found[::-1] if isinstance(part, g.SetTrack) and part.operator != "=" else found


def find_mentioned_names(value: object) -> Iterator[str]:
    """Yield the names of nouns, orders and rankings in some parts, in source order, owners before properties."""
    for part in flatten_nodes(value):
        before, after = get_own_names(part)
        yield from before
        yield from find_mentioned_names(tuple(order_children(part)))
        yield from after


def get_own_names(part: object) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names that a part itself mentions: those before its children, and those after."""
    match part:
        case g.ReadRanking(ranking=name) | g.SetCards(set=name) | g.Members(kind=name):
            return (name,), ()
        case g.Call(define=name, of=g.Expr(type=g.Type(tag="list"))):
            return (name,), ()
        case g.IsReading(ranking=name) | g.IsSet(set=name) | g.Place(zone=name) | g.SetTrack(track=name):
            return (), (name,)
        case g.Sorted(order=str(name)) | g.AggBy(order=str(name)):
            return (), (name,)
        case g.Option(costs=costs):
            return tuple(track for _, track, _ in costs), ()
        case g.Expr() if get_read_name(part) and not isinstance(part, g.MapEach):
            return (), (get_read_name(part),)
    return (), ()
