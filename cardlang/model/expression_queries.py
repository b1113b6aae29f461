"""Queries of a single expression: which literal, variable, owner or name it is."""

from __future__ import annotations

from fractions import Fraction

from cardlang import model as g


def unwrap_conversions(expr: g.Expr) -> g.Expr:
    """Unwrap an expression from type conversions: a list of one, the worth of a member."""
    match expr:
        case g.Worth(value=value) | g.Joined(items=(value,)):
            return unwrap_conversions(value)
        case g.MapEach(list=items, var=var, value=value) if is_same_var(value, var):
            return unwrap_conversions(items)
    return expr


def is_same_var(expr: g.Expr, var: g.Var) -> bool:
    expr = unwrap_conversions(expr)
    return isinstance(expr, g.Var) and expr.id == var.id


def is_non_negative_literal(expr: g.Expr | None) -> bool:
    """Return whether an expression is a literal number that is not negative."""
    known = None if expr is None else get_number_literal(expr)
    return known is not None and known >= 0


def get_number_literal(expr: g.Expr) -> int | Fraction | None:
    """Return the value of a literal number; None for other expressions."""
    match unwrap_conversions(expr):
        case g.Const(type=g.Type(tag="number"), value=int() | Fraction() as value):
            return value
    return None


def is_absent_literal(expr: g.Expr) -> bool:
    return isinstance(expr, g.Const) and expr.value is None


def get_flag_literal(expr: g.Expr | None) -> bool | None:
    """Return the value of `yes` and `no`; None for other expressions."""
    return bool(expr.value) if isinstance(expr, g.Const) and expr.type.tag == "flag" else None


def is_that_reference(expr: g.Expr) -> bool:
    """Return whether an expression is `that card`, `that Suit`."""
    return isinstance(expr, g.Var) and expr.name.startswith("that ")


def is_you(expr: g.Expr | None) -> bool:
    """Return whether an expression is `you`, as in `your …`."""
    return isinstance(expr, g.Var) and expr.name == "you"


def pair_owner_variables(define: g.Define, call: g.Call) -> list[tuple[g.Var, g.Expr]]:
    """Return the variables of a definition's owners, with their values in a call."""
    pairs = ((define.var, call.of), (define.second_var, call.second))
    return [(var, value) for var, value in pairs if var is not None and value is not None]


def get_owner(expr: g.Expr) -> g.Expr | None:
    """Return the owner in an expression, if any."""
    match expr:
        case g.TrackValue(of=of) | g.ZoneCards(of=of) | g.Call(of=of) | g.Builtin(of=of):
            return of
        case g.Attribute(card=card) | g.BorneCall(card=card):
            return card
    return None


def get_read_name(expr: g.Expr) -> str:
    """Return the name of the track, zone, definition or column that an expression reads; empty if there is none.

    For an attribute of several objects, return its name.
    """
    match expr:
        case g.TrackValue(track=name) | g.ZoneCards(zone=name) | g.Call(define=name) | g.BorneCall(define=name):
            return name
        case g.Attribute(attribute=name) | g.Builtin(name=name):
            return name
        case g.MapEach(value=value):
            return get_read_name(unwrap_conversions(value))
    return ""
