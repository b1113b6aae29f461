"""Lower comparisons.

An absent value equals nothing, not even another absent value. It is neither below nor above any value."""

from __future__ import annotations

from math import lcm

from cardlang import game as g
from interpreter import lowered as lo
from interpreter.lowered.kinds import TEXT
from interpreter.lowering.writer import Writer


def compare(to: Writer, e: g.Compare) -> lo.Expr:
    tags = {e.left.type.tag, e.right.type.tag}
    if "list" in tags:
        return compare_lists(to, e)
    if "reading" in tags:
        operator = lo.Const(TEXT, e.operator)
        return lo.Op(lo.FLAG, "compare_readings", (to.expr(e.left), operator, to.expr(e.right)))
    if tags == {"card"} and (e.left.type.named or e.right.type.named):
        equal = same_face(to, e.left, e.right) if e.right.type.named else same_face(to, e.right, e.left)
        return equal if e.operator == "=" else lo.Not(lo.FLAG, equal)
    if "number" in tags:
        scale = lcm(to.layout.scales.of(e.left), to.layout.scales.of(e.right))
        left, right = to.number(e.left, scale), to.number(e.right, scale)
    else:
        left, right = to.expr(e.left), to.expr(e.right)
    return lo.Compare(lo.FLAG, e.operator, left, right, *lacking(to, e))


def lacking(to: Writer, e: g.Compare) -> tuple[bool, bool]:
    """Return, for each side, whether the comparison must distinguish an absent operand from a value."""
    left, right = to.maybe(e.left), to.maybe(e.right)
    if e.operator in ("=", "!="):
        return left and right, left and right
    return left and e.operator in ("<", "<="), right and e.operator in (">", ">=")


def same_face(to: Writer, card: g.Expr, named: g.Expr) -> lo.Expr:
    """Lower `it = [2c]`: any copy of the card matches."""
    if isinstance(named, g.NamedCards) and to.game.faces[named.faces[0]].copies == 1:
        first = lo.Const(lo.CARD, to.game.faces[named.faces[0]].first)
        return lo.Compare(lo.FLAG, "=", to.expr(card), first)
    return lo.Op(lo.FLAG, "same_face", (to.expr(card), to.expr(named)))


def compare_lists(to: Writer, e: g.Compare) -> lo.Expr:
    """Compare two lists.

    Players compare as sets unless one side is ranked. Cards compare by face if one side is written with codes."""
    left, right = to.items(e.left), to.items(e.right)
    item = (e.left.type.item or e.right.type.item or g.NOTHING).tag
    sides = {e.left.type.tag, e.right.type.tag}
    if (e.left.type.tag != "list" and e.left.type.tag == "card") or "player" in sides:
        item = next(iter(sides - {"list"}))
    unordered = item == "player" and not (e.left.type.ranked or e.right.type.ranked)
    if item == "card" and (e.left.type.named or e.right.type.named):
        left, right = (lo.Op(lo.list_of(lo.NUMBER), "faces_of", (side,)) for side in (left, right))
    return lo.Compare(lo.FLAG, e.operator, left, right, unordered=unordered)
