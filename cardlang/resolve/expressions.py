"""Dispatch of expressions to the handlers of their nodes, and type checks of the results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cardlang import game as g
from cardlang import nodes as n
from cardlang.resolve import codes
from cardlang.resolve.scope import ERROR, Scope
from cardlang.resolve.types import as_list, bad, called, convert, has_worth, join, widens, worth
from cardlang.resolve.world import World

Handler = Callable[[World, Any, Scope, g.Type | None], g.Expr]
HANDLERS: dict[type, Handler] = {}


def handles(*nodes: type) -> Callable[[Handler], Handler]:
    def register(handler: Handler) -> Handler:
        for node in nodes:
            HANDLERS[node] = handler
        return handler

    return register


def value(w: World, node: n.Expr, scope: Scope, want: g.Type | None = None) -> g.Expr:
    """Resolve an expression. `want` is the expected type, which selects among members of an equal name."""
    return HANDLERS[type(node)](w, node, scope, want)


def condition(w: World, node: n.Expr, scope: Scope) -> g.Expr:
    """Resolve an expression that must be a flag."""
    found = value(w, node, scope, g.FLAG)
    if found.type.tag not in ("flag", "error"):
        message = f"expected yes or no, but this is {called(found.type)}"
        w.error(codes.NOT_A_FLAG, message, node.span, hint_for_flag(found.type))
        return bad(node.span)
    return found


def hint_for_flag(type_: g.Type) -> str:
    if type_.tag == "list":
        return "write `… is not empty`"
    return "compare it, as in `… > 0`" if type_.tag == "number" else "compare it with another value: `… = …`"


def number(w: World, node: n.Expr, scope: Scope) -> g.Expr:
    """Resolve an expression that must be a number. A member of a kind is converted to its worth."""
    return as_number(w, value(w, node, scope, g.NUMBER))


def as_number(w: World, found: g.Expr) -> g.Expr:
    if found.type.tag in ("number", "error"):
        return found
    if found.type.tag == "member" and has_worth(w, str(found.type.of)):
        return worth(found)
    hint = "write `count of …` or `total of …` to get a number from a list" if found.type.tag == "list" else ""
    if found.type.tag == "member":
        hint = f"give each {found.type.of} a worth in its kind, as in `Jack worth 10`"
    if found.type.tag == "player":
        hint = "use one of the player's numbers, such as `leader's score`"
    message = f"expected a number, but this is {called(found.type)}"
    w.error(codes.NOT_A_NUMBER, message, found.span, hint)
    return bad(found.span)


def listed(w: World, node: n.Expr, scope: Scope, want: g.Type | None = None) -> g.Expr:
    """Resolve an expression that must be a list. A single value becomes a list of one."""
    found = value(w, node, scope, want)
    if found.type.tag in ("number", "flag", "text"):
        message = f"expected a list, but this is {called(found.type)}"
        w.error(codes.NOT_A_LIST, message, node.span, "write a list, such as `your hand` or `players`")
        return bad(node.span)
    return as_list(found)


def cards(w: World, node: n.Expr, scope: Scope) -> g.Expr:
    """Resolve an expression that must be a list of cards."""
    found = value(w, node, scope, g.list_of(g.CARD))
    item = found.type.item or found.type
    if item.tag not in ("card", "error"):
        hint = f"write which cards: `top {node.span.text} of deck`" if found.type.tag == "number" else ""
        w.error(codes.NOT_A_LIST, f"expected cards, but this is {called(found.type)}", node.span, hint)
        return bad(node.span)
    return as_list(found)


def single(w: World, node: n.Expr, scope: Scope, type_: g.Type) -> g.Expr:
    """Resolve an expression that must have a type."""
    return fit(w, value(w, node, scope, type_), type_)


def player(w: World, node: n.Expr, scope: Scope) -> g.Expr:
    return single(w, node, scope, g.PLAYER)


def fit(w: World, found: g.Expr, type_: g.Type) -> g.Expr:
    """Convert a value to a type, or report an error."""
    if ERROR in (found.type, type_) or ERROR in (found.type.item, type_.item):
        return found
    if type_.tag == "member" and isinstance(found, g.Const) and found.type.tag == "number":
        named = member_called(w, str(type_.of), str(found.value))
        if named is not None:
            return g.Const(g.member(str(type_.of)), found.span, named)
    joined = join(w, found.type, type_)
    if joined is None or not takes(w, type_, joined, found.type):
        return refuse(w, found, type_)
    return convert(w, found, joined)


def takes(w: World, type_: g.Type, joined: g.Type, given: g.Type) -> bool:
    if given.tag == "nothing":
        return type_.tag not in ("number", "flag", "text")
    if type_.tag == "list":
        return joined.item is not None and type_.item is not None and joined.item.tag == type_.item.tag
    return joined.tag == type_.tag and (joined.of is None or widens(w, joined.of, type_.of))


SUCH_AS = {
    "player": "write a player, such as `you` or `leader`",
    "card": "write a card, such as `top of deck`",
    "list": "write a list, such as `your hand` or `players`",
    "text": "write text in quotes",
}
"""Hints by expected type."""


def refuse(w: World, found: g.Expr, type_: g.Type) -> g.Expr:
    hint = SUCH_AS.get(type_.tag, "")
    if found.type.tag == "list" and type_.tag != "list":
        hint = "write which one: `first of …` or `top of …`"
    message = f"expected {called(type_)}, but this is {called(found.type)}"
    w.error(codes.WRONG_TYPE, message, found.span, hint)
    return bad(found.span)


def member_called(w: World, kind: str, name: str) -> int | None:
    """Return the place of the member with a name, or None."""
    return next((i for i, m in enumerate(w.kinds[kind].members) if m.name == name), None)


def unified(w: World, found: list[g.Expr], code: str, what: str) -> tuple[list[g.Expr], g.Type]:
    """Convert all values to a common type, or report an error."""
    type_ = found[0].type
    for expr in found[1:]:
        joined = join(w, type_, expr.type)
        if joined is None:
            both = f"{called(type_)} and {called(expr.type)}"
            message = f"{what} must have the same type, but these are {both}"
            w.error(code, message, expr.span, "write the same kind of value in all of them")
            return found, ERROR
        type_ = joined
    return [convert(w, expr, type_) for expr in found], type_
