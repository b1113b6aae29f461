"""Comparisons to source. Something absent is equal to nothing, not even to something else absent, and neither
below nor above anything."""

from __future__ import annotations

from math import lcm

from cardlang import game as g
from interpreter.lowering.writer import Writer
from interpreter.state import NO_NUMBER


def compare(to: Writer, e: g.Compare) -> str:
    tags = {e.left.type.tag, e.right.type.tag}
    if "list" in tags:
        return compare_lists(to, e)
    if "reading" in tags:
        return f"compare_readings({to.expr(e.left)}, {e.operator!r}, {to.expr(e.right)})"
    if tags == {"card"} and (e.left.type.named or e.right.type.named):
        equal = same_face(to, e.left, e.right) if e.right.type.named else same_face(to, e.right, e.left)
        return equal if e.operator == "=" else f"(not {equal})"
    if "number" in tags:
        scale = lcm(to.layout.scales.of(e.left), to.layout.scales.of(e.right))
        left, right, absent = to.number(e.left, scale), to.number(e.right, scale), str(NO_NUMBER)
    else:
        left, right, absent = to.expr(e.left), to.expr(e.right), "''" if "text" in tags else "-1"
        if tags == {"flag"}:
            left, right = to.flag(e.left), to.flag(e.right)
    return compare_values(to, e, left, right, absent)


def same_face(to: Writer, card: g.Expr, named: g.Expr) -> str:
    """`it = [2c]`: any copy will do."""
    if isinstance(named, g.NamedCards) and to.game.faces[named.faces[0]].copies == 1:
        return f"({to.expr(card)} == {to.game.faces[named.faces[0]].first})"
    return f"same_face(FACE, {to.expr(card)}, {to.expr(named)})"


def compare_values(to: Writer, e: g.Compare, left: str, right: str, absent: str) -> str:
    left_maybe, right_maybe = to.maybe(e.left), to.maybe(e.right)
    if e.operator in ("=", "!="):
        both = left_maybe and right_maybe
        if e.operator == "=":
            return f"({left} == {right} != {absent})" if both else f"({left} == {right})"
        return f"(not {left} == {right} != {absent})" if both else f"({left} != {right})"
    if e.operator in ("<", "<="):
        return f"({absent} < {left} {e.operator} {right})" if left_maybe else f"({left} {e.operator} {right})"
    return f"({left} {e.operator} {right} > {absent})" if right_maybe else f"({left} {e.operator} {right})"


def compare_lists(to: Writer, e: g.Compare) -> str:
    """Players as sets unless one side is ranked; cards by face where one side is written with codes."""
    left, right = to.items(e.left), to.items(e.right)
    item = (e.left.type.item or e.right.type.item or g.NOTHING).tag
    sides = {e.left.type.tag, e.right.type.tag}
    if (e.left.type.tag != "list" and e.left.type.tag == "card") or "player" in sides:
        item = next(iter(sides - {"list"}))
    if item == "player" and not (e.left.type.ranked or e.right.type.ranked):
        equal = f"(set({left}) == set({right}))"
    elif item == "card" and (e.left.type.named or e.right.type.named):
        equal = f"([FACE[c] for c in {left}] == [FACE[c] for c in {right}])"
    else:
        equal = f"(list({left}) == list({right}))"
    return equal if e.operator == "=" else f"(not {equal})"
