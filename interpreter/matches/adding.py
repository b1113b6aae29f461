"""Compute the running total of a selection that a rule limits."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from cardlang import game as g
from cardlang.game.walking import conjuncts, reachable_defines, uses_var, walk
from interpreter.errors import RuleError
from interpreter.knowing import Looked, known_value, variables_of
from interpreter.layout import about_cards
from interpreter.matches.names import Names, exact
from interpreter.state import Site, State

BOUNDS = {"=": "", "<=": "at most ", ">=": "at least ", "<": "less than ", ">": "more than "}
MIRRORED = {"=": "=", "<=": ">=", ">=": "<=", "<": ">", ">": "<"}


def running_sum(names: Names, state: State, site: Site, picks: Sequence[int]) -> str:
    """Return the current total and its limit: `7 of 10`, `7 of at least 10`.

    It is empty if no condition compares a total with a number, or if the current player may not know both.
    """
    statement = site.statement
    if not isinstance(statement, g.Choose) or statement.provided is None or not statement.several:
        return ""
    for part in conjuncts(statement.provided):
        sides = sides_of(names.game, part, statement.var)
        if sides is not None:
            total, operator, goal = sides
            known = {**names.program.scope(state), statement.var.id: list(picks)}
            sum, bound = (number(names, state, each, known, statement.var) for each in (total, goal))
            if sum is not None and bound is not None:
                return f"{exact(sum)} of {BOUNDS[operator]}{exact(bound)}"
    return ""


def sides_of(game: g.Game, part: g.Expr, var: g.Var) -> tuple[g.Expr, str, g.Expr] | None:
    """Return the total of the selection, the comparison operator, and the number it is compared with."""
    if not isinstance(part, g.Compare) or part.operator not in BOUNDS:
        return None
    for total, operator, goal in (
        (part.left, part.operator, part.right),
        (part.right, MIRRORED[part.operator], part.left),
    ):
        if total.type.tag == "number" and uses_var(total, var) and not uses_var(goal, var) and adds(game, total):
            return total, operator, goal
    return None


def adds(game: g.Game, expr: g.Expr) -> bool:
    """Return whether an expression takes a total, itself or in a definition it calls."""
    called = (game.defines[name].value for name in sorted(reachable_defines(game, expr)))
    return any(isinstance(part, g.Agg) and part.function == "total" for part in walk((expr, *called)))


def number(names: Names, state: State, expr: g.Expr, known: dict[int, Any], chosen: g.Var) -> int | Fraction | None:
    """Return the value of an expression, if the current player may know it."""
    needed, seat = variables_of(expr), state.who
    if not needed <= known.keys() or (needed - {chosen.id}) & names.facts.common.hidden_vars():
        return None
    cards = known[chosen.id] if chosen.id in needed and about_cards(chosen.type) else ()
    if not all(names.program.visible(state, card, seat) for card in cards):
        return None
    try:
        value, knowing = known_value(names.program, expr, Looked.of(state), {var: known[var] for var in sorted(needed)})
    except RuleError:
        return None
    return value if knowing >> seat & 1 and isinstance(value, int | Fraction) else None
