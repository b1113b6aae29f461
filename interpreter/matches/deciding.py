"""Explain the value in a failed expectation: terms of a sum, compared values, cards that count, deciding tie line."""

from __future__ import annotations

from typing import Any

from cardlang import game as g
from interpreter.errors import RuleError
from interpreter.matches.names import Names
from interpreter.ranking.reader import Reading
from interpreter.ranking.ties import END
from interpreter.state import State

MOST = 8
"""Maximum number of parts to list."""
Env = dict[int, Any]


def made_of(names: Names, state: State, expr: g.Expr) -> str:
    """Return the parts of a value: ` (coins 4 + total of basket's points 9)`. It is empty for simple values."""
    try:
        parts = Making(names, state).parts(expr, {})
    except RuleError:
        return ""
    return f" ({parts})" if parts else ""


class Making:
    def __init__(self, names: Names, state: State) -> None:
        self.names = names
        self.state = state

    def value(self, expr: g.Expr, env: Env) -> Any:
        return self.names.program.value(expr, self.state, env)

    def parts(self, expr: g.Expr, env: Env) -> str:
        match expr:
            case g.Call(define=name, of=of) if self.names.game.defines[name].subject != "cards":
                define = self.names.game.defines[name]
                inner = {define.var.id: self.value(of, env)} if define.var is not None and of is not None else {}
                return self.parts(define.value, inner) or self.reading(self.value(expr, env))
            case g.Cases(cases=cases):
                return next((self.parts(v, env) for v, when in cases if when is None or self.value(when, env)), "")
            case g.Arith(operator="+" | "-"):
                return self.terms(expr, env)
            case g.Agg(function="total", list=items):
                values = [self.names.value(g.NUMBER, each) for each in self.value(items, env)]
                return " + ".join(values) if 1 < len(values) <= MOST else ""
            case g.AggBy(list=items, var=var, key=key) if key is not None and var is not None:
                return self.compared(self.value(items, env), var, key, env)
            case g.Builtin(name="title" | "used" | "rest" | "wilds", of=of) if of is not None:
                return self.reading(self.value(of, env))
        return self.reading(self.value(expr, env)) if expr.type.tag == "reading" else ""

    def terms(self, expr: g.Expr, env: Env) -> str:
        if isinstance(expr, g.Arith) and expr.operator in ("+", "-"):
            return f"{self.terms(expr.left, env)} {expr.operator} {self.terms(expr.right, env)}"
        value = self.names.value(expr.type, self.value(expr, env))
        return value if isinstance(expr, g.Const) else f"{expr.span.text} {value}"

    def compared(self, items: list[Any], var: g.Var, key: g.Expr, env: Env) -> str:
        """Return the value for each item: `Ann 5, Bob 8`."""
        told = []
        for item in items[:MOST]:
            value = self.value(key, {**env, var.id: item})
            told.append(f"{self.names.value(var.type, item)} {self.names.value(key.type, value)}")
        return ", ".join(told)

    def reading(self, value: Any) -> str:
        """Return the cards that count in a hand."""
        if not isinstance(value, Reading):
            return ""
        rest = f", beside {self.names.cards(value.rest)}" if value.rest else ""
        return f"by {self.names.cards(value.used)}{rest}"


def decided(ranking: g.Ranking, one: Reading, other: Reading) -> str:
    """Return the line of `ties` that decides between two hands, or say that none does.

    It is empty if the ranks differ, or if the ranking has no such lines.
    """
    if one.rank != other.rank or not ranking.ties:
        return ""
    line = deciding(ranking.ties, one.strength[1:], other.strength[1:])
    if line is None:
        return "; no line of `ties` decides between them"
    when = "when " if line.how in ("best", "worst") else ""
    return f"; `{line.how} {when}{line.value.span.text}` decides"


def deciding(lines: tuple[g.OrderLine, ...], one: tuple[int, ...], other: tuple[int, ...]) -> g.OrderLine | None:
    """Return the line that causes the first difference.

    Each line has one number, or a list of values with an end mark.
    """
    differing = next((place for place, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), None)
    place = 0
    for line in lines if differing is not None else ():
        if line.layout is not None:
            while abs(one[place]) != END:
                place += 1
        place += 1
        if differing is not None and differing < place:
            return line
    return None
