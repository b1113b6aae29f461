"""Resolution of lists and folds: `where`, `count of`, `highest … by`, `ranked by`; and of arithmetic."""

from __future__ import annotations

from fractions import Fraction

from attrs import evolve

from cardlang import game as g
from cardlang import nodes as n
from cardlang.resolve import codes
from cardlang.resolve.definitions import noun
from cardlang.resolve.expressions import (
    as_number,
    cards,
    condition,
    handles,
    listed,
    number,
    unified,
    value,
)
from cardlang.resolve.scope import ERROR, Scope
from cardlang.resolve.types import as_list, bad, called, has_worth, is_ordered, not_empty, worths
from cardlang.resolve.world import World

ONE = ("first", "last", "top", "bottom", "random")


@handles(n.Where)
def _(w: World, node: n.Where, scope: Scope, want: g.Type | None) -> g.Expr:
    list_ = listed(w, node.list, scope, want)
    if list_.type.tag == "error":
        return bad(node.span)
    var = w.var(list_.type.item or ERROR, node.list.span, "it")
    return g.Filter(list_.type, node.span, list_, var, condition(w, node.condition, scope.testing(var)))


@handles(n.ListOf)
def _(w: World, node: n.ListOf, scope: Scope, want: g.Type | None) -> g.Expr:
    found = [value(w, item, scope, want) for item in node.items]
    if any(item.type == ERROR for item in found):
        return bad(node.span)
    if all(item.type.tag != "list" for item in found):
        found, type_ = unified(w, found, codes.DIFFERENT_TYPES, "the items of a list")
        return g.Joined(g.list_of(evolve(type_, maybe=False)), node.span, tuple(found))
    found, type_ = unified(w, [as_list(item) for item in found], codes.DIFFERENT_TYPES, "the items of a list")
    return bad(node.span) if type_ == ERROR else g.Joined(type_, node.span, tuple(found))


# ---------------------------------------------------------------- folds
@handles(n.Agg)
def _(w: World, node: n.Agg, scope: Scope, want: g.Type | None) -> g.Expr:
    if node.function == "whole":
        return g.Whole(g.NUMBER, node.span, number(w, node.list, scope.in_whole(True)))
    list_ = listed(w, node.list, scope, want)
    count = None if node.number is None else number(w, node.number, scope)
    if list_.type.tag == "error" or (list_.type.item or ERROR) == ERROR:
        return bad(node.span)
    if count is not None and node.function not in ONE:
        w.error(codes.WRONG_ARGUMENTS, f"`{node.function}` takes no number", count.span)
        return bad(node.span)
    return fold(w, node, list_, count)


def fold(w: World, node: n.Agg, list_: g.Expr, count: g.Expr | None) -> g.Expr:
    function, item = node.function, list_.type.item or ERROR
    if function == "count":
        return g.Agg(g.NUMBER, node.span, function, None, list_)
    if function == "total":
        return total(w, node, list_)
    if function in ("highest", "lowest"):
        return extreme(w, node, list_)
    if function in ONE:
        type_ = list_.type if count is not None else item if not_empty(list_) else item.or_nothing()
        return g.Agg(type_, node.span, function, count, list_)
    type_ = g.list_of(list_.type) if function == "subsets" else list_.type
    return g.Agg(type_, node.span, function, None, list_)


def total(w: World, node: n.Agg, list_: g.Expr) -> g.Expr:
    item = list_.type.item or ERROR
    if item.tag == "member" and has_worth(w, str(item.of)):
        list_ = worths(w, list_)
    elif item.tag != "number":
        message = f"a total needs numbers, but this is {called(list_.type)}"
        hint = "write `count of …` for how many there are, or `total of …'s value` to add up their values"
        w.error(codes.NOT_A_NUMBER, message, node.list.span, hint)
        return bad(node.span)
    return g.Agg(g.NUMBER, node.span, "total", None, list_)


def extreme(w: World, node: n.Agg, list_: g.Expr) -> g.Expr:
    item = list_.type.item or ERROR
    if item.tag == "member" and not is_ordered(w, item) and w.kinds[str(item.of)].numeric:
        list_, item = worths(w, list_), g.NUMBER
    if not is_ordered(w, item):
        message = f"{called(item)} has no order"
        w.error(codes.NOT_ORDERED, message, node.list.span, f"write what to compare: `{node.function} of … by …`")
        return bad(node.span)
    type_ = evolve(item, unlimited=item.unlimited and not limited(node.function, list_))
    return g.Agg(type_ if not_empty(list_) else type_.or_nothing(), node.span, node.function, None, list_)


def limited(function: str, list_: g.Expr) -> bool:
    """Return whether a result is limited: the lowest of several numbers is, if one of them is."""
    items = list_.items if isinstance(list_, g.Joined) else ()
    return function == "lowest" and any(not (i.type.item or i.type).unlimited for i in items)


@handles(n.AggBy)
def _(w: World, node: n.AggBy, scope: Scope, want: g.Type | None) -> g.Expr:
    if node.function not in ("highest", "lowest"):
        message, hint = f"`{node.function}` takes no `by`", "only `highest` and `lowest` take it. Remove it"
        w.error(codes.WRONG_ARGUMENTS, message, node.span, hint)
        return bad(node.span)
    list_ = listed(w, node.list, scope, want)
    key = key_of(w, list_, node.key, scope)
    if list_.type.tag == "error" or key is None:
        return bad(node.span)
    item = list_.type.item or ERROR
    sure = node.which == "first" and not_empty(list_)
    type_ = list_.type if node.which == "all" else item if sure else item.or_nothing()
    return g.AggBy(type_, node.span, node.which, node.function, list_, *key)  # type: ignore[arg-type]


@handles(n.Ranked)
def _(w: World, node: n.Ranked, scope: Scope, want: g.Type | None) -> g.Expr:
    if isinstance(node.list, n.Agg) and node.list.function in ONE and node.list.number is None:
        inner = node.list.list.span.text
        hint = f"write `{node.list.function} of ({inner} ranked by {node.order.span.text})`"
        w.error(codes.RANKED_SINGLE, "only a list can be ranked, but this is a single value", node.span, hint)
        return bad(node.span)
    list_ = listed(w, node.list, scope, want)
    key = key_of(w, list_, node.order, scope)
    if list_.type.tag == "error" or key is None:
        return bad(node.span)
    return g.Sorted(evolve(list_.type, ranked=True), node.span, list_, *key)


Key = tuple[str | None, g.Var | None, g.Expr | None]


def key_of(w: World, list_: g.Expr, node: n.Expr, scope: Scope) -> Key | None:
    """Return the sort key of a list: the name of an order, or a variable with an expression. Return None on errors."""
    item = list_.type.item or ERROR
    if item == ERROR:
        return None
    named = w.nouns.get(node.name) if isinstance(node, n.NameRef) else None
    if isinstance(named, n.Order):
        return order_key(w, item, node, named)
    var = w.var(item, node.span, "it")
    key = value(w, node, scope.testing(var))
    if key.type.tag == "error":
        return None
    if key.type.tag == "member" and not is_ordered(w, key.type):
        key = as_number(w, key)
    if not is_ordered(w, key.type):
        w.error(codes.NOT_ORDERED, f"{called(key.type)} has no order", node.span)
        return None
    return None if key.type == ERROR else (None, var, key)


def order_key(w: World, item: g.Type, node: n.Expr, order: n.Order) -> Key | None:
    if w.thing_type(order.of.text) == item:
        return order.name.text, None, None
    related = ((order.name.span, f"`{order.name.text}` is declared here"),)
    message = f"`{order.name.text}` ranks {order.of.text}s, but these are not {order.of.text}s"
    w.error(codes.WRONG_TYPE, message, node.span, "", related)
    return None


@handles(n.Read)
def _(w: World, node: n.Read, scope: Scope, want: g.Type | None) -> g.Expr:
    named, found = w.nouns.get(node.name.text), cards(w, node.list, scope)
    beside = None if node.beside is None else value(w, node.beside, scope)
    if found.type == ERROR:
        return bad(node.span)
    if isinstance(named, n.Ranking):
        type_ = g.Type("reading", of=node.name.text, maybe=True)
        return g.ReadRanking(type_, node.span, node.name.text, found, beside)
    if isinstance(named, n.Define) and named.parameter is not None:
        return noun(w, named, found, node.span) or bad(node.span)
    known = [d.name.text for d in w.of_type(n.Ranking, n.Define) if isinstance(d, n.Ranking) or d.parameter]
    w.unknown(codes.UNKNOWN_NAME, "ranking or definition of cards", node.name, known)
    return bad(node.span)


# ---------------------------------------------------------------- arithmetic
@handles(n.Arith)
def _(w: World, node: n.Arith, scope: Scope, want: g.Type | None) -> g.Expr:
    left, right = number(w, node.left, scope), number(w, node.right, scope)
    if ERROR in (left.type, right.type):
        return bad(node.span)
    if node.operator == "/" and not dividable(w, right, scope):
        return bad(node.span)
    unlimited = left.type.unlimited or right.type.unlimited
    type_ = g.Type("number", maybe=left.type.maybe or right.type.maybe, unlimited=unlimited)
    return g.Arith(type_, node.span, node.operator, left, right)  # type: ignore[arg-type]


def dividable(w: World, divisor: g.Expr, scope: Scope) -> bool:
    if isinstance(divisor, g.Const) and divisor.value == 0:
        w.error(codes.DIVISION, "nothing can be divided by 0", divisor.span)
        return False
    if not isinstance(divisor, g.Const) and not scope.whole:
        hint = "write `whole of (… / …)`, which rounds down"
        w.error(codes.DIVISION, "outside `whole of`, only a plain number can be the divisor", divisor.span, hint)
        return False
    return True


@handles(n.Negative)
def _(w: World, node: n.Negative, scope: Scope, want: g.Type | None) -> g.Expr:
    found = number(w, node.value, scope)
    if found.type == ERROR:
        return bad(node.span)
    if isinstance(found, g.Const) and isinstance(found.value, int | Fraction):
        return g.Const(g.NUMBER, node.span, -found.value)
    return g.Arith(found.type, node.span, "-", g.Const(g.NUMBER, node.span, 0), found)
