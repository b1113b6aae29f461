"""Report the actual values of both sides of a failed expectation."""

from __future__ import annotations

from typing import Any

from cardlang import game as g
from interpreter.matches.deciding import decided, made_of
from interpreter.matches.names import Names
from interpreter.ranking.reader import Reading
from interpreter.state import State

CONSTANT = (g.Const, g.NamedCards)


def found_instead(names: Names, state: State, condition: g.Expr) -> str:
    """Return the values in a condition that fails: `forgotten = [5L 9G] (9G on top)`. It is empty if there are none."""
    if isinstance(condition, g.And):
        left_holds = names.program.value(condition.left, state)
        return found_instead(names, state, condition.right if left_holds else condition.left)
    if isinstance(condition, g.Or):
        parts = [found_instead(names, state, side) for side in (condition.left, condition.right)]
        return ", ".join(part for part in parts if part)
    if isinstance(condition, g.Not):
        return told(names, state, condition.value)
    if isinstance(condition, g.Compare):
        sides = [side for side in (condition.left, condition.right) if not isinstance(side, CONSTANT)]
        return ", ".join(told(names, state, side) for side in sides) + between(names, state, sides)
    if isinstance(condition, g.IsIn):
        return ", ".join(told(names, state, side) for side in (condition.value, condition.list))
    if isinstance(condition, g.IsEmpty | g.IsAbsent):
        return told(names, state, condition.value)
    return told(names, state, condition)


def told(names: Names, state: State, expr: g.Expr) -> str:
    """Return an expression with its value: `Ann's chips = 95`."""
    value = names.program.value(expr, state)
    text = names.value(expr.type, value)
    return f"{expr.span.text} = {text}{top_card(names, expr, value)}{made_of(names, state, expr)}"


def between(names: Names, state: State, sides: list[g.Expr]) -> str:
    """Return the tie line that decides between two hands."""
    ranking = names.game.rankings.get(sides[0].type.of or "") if len(sides) == 2 else None
    if ranking is None or any(side.type.tag != "reading" for side in sides):
        return ""
    one, other = (names.program.value(side, state) for side in sides)
    return decided(ranking, one, other) if isinstance(one, Reading) and isinstance(other, Reading) else ""


def top_card(names: Names, expr: g.Expr, value: Any) -> str:
    """Return the top card of a pile: ` (9G on top)`."""
    item = expr.type.item
    if isinstance(expr, g.ZoneCards) and item is not None and item.tag == "card" and len(value) > 1:
        return f" ({names.code(value[-1])} on top)"
    return ""
