"""Source of questions, arithmetic and cases; with what it is built on, of every expression."""

from __future__ import annotations

from math import lcm

from cardlang import game as g
from interpreter.lowering.comparing import compare
from interpreter.lowering.folds import Folds
from interpreter.lowering.orders import reader_name

FEW = 50
"""Up to so many cases stand in one expression."""


class Expressions(Folds):
    """Turns any expression into source."""

    def x_ReadRanking(self, e: g.ReadRanking) -> str:
        cards = self.items(e.cards)
        if e.beside is not None:
            return f"{reader_name(self, e.ranking)}__beside(s, {cards}, {self.expr(e.beside)})"
        return f"{reader_name(self, e.ranking)}(s, {cards})"

    def x_IsReading(self, e: g.IsReading) -> str:
        return f"{reader_name(self, e.ranking)}__matches(s, {self.items(e.cards)})"

    def x_IsSet(self, e: g.IsSet) -> str:
        sets = [self.game.faces[face].set == e.set for face in self.layout.face]
        return f"{self.table(f'IS_{e.set}', [*sets, False])}[{self.expr(e.card)}]"

    def x_IsEmpty(self, e: g.IsEmpty) -> str:
        items = self.plain(e.value)
        if isinstance(items, g.Filter):
            return f"(not {self.quantifier(items.list, items.var, items.condition, 'any')})"
        return f"(not {self.items(e.value)})"

    def x_IsAbsent(self, e: g.IsAbsent) -> str:
        if e.value.type.tag == "list":
            return f"(not {self.expr(e.value)})"
        absent = self.absent(e.value.type)
        return f"({self.expr(e.value)} {'is' if absent == 'None' else '=='} {absent})"

    def x_Quantified(self, e: g.Quantified) -> str:
        if e.quantifier == "no":
            return f"(not {self.quantifier(e.list, e.var, e.condition, 'any')})"
        return self.quantifier(e.list, e.var, e.condition, "any" if e.quantifier == "any" else "all")

    def quantifier(self, items: g.Expr, var: g.Var, condition: g.Expr, name: str) -> str:
        if name == "all" and (seats := self.seats(items)):
            return f"({' and '.join(self.unrolled(var, condition, seats))})"
        if name == "any" and (tests := self.seat_tests(items, var, condition)):
            return f"({' or '.join(tests)})"
        with self.going(items, var, condition) as (_, clauses):
            return f"{name}([{self.expr(condition)} {clauses}])"

    def x_IsIn(self, e: g.IsIn) -> str:
        if e.value.type.named or e.list.type.named:
            return f"face_in(FACE, {self.expr(e.value)}, {self.items(e.list)})"
        code = f"({self.expr(e.value)} in {self.items(e.list)})"
        return code

    def x_And(self, e: g.And) -> str:
        left, right = self.truth(e.left), self.truth(e.right)
        if left is not None or right is not None:
            return "0" if False in (left, right) else self.expr(e.right if left else e.left)
        return f"({self.expr(e.left)} and {self.expr(e.right)})"

    def x_Or(self, e: g.Or) -> str:
        left, right = self.truth(e.left), self.truth(e.right)
        if left is not None or right is not None:
            return "1" if True in (left, right) else self.expr(e.left if right is False else e.right)
        return f"({self.expr(e.left)} or {self.expr(e.right)})"

    def x_Not(self, e: g.Not) -> str:
        return f"(not {self.expr(e.value)})"

    def x_Compare(self, e: g.Compare) -> str:
        return compare(self, e)

    def x_Arith(self, e: g.Arith) -> str:
        scales, maybe = self.layout.scales, self.maybe(e.left) or self.maybe(e.right)
        if e.operator in "+-":
            scale = lcm(scales.of(e.left), scales.of(e.right))
            left, right = self.number(e.left, scale), self.number(e.right, scale)
            if maybe or e.left.type.unlimited or e.right.type.unlimited:
                return f"{'plus' if e.operator == '+' else 'minus'}({left}, {right})"
            return f"({left} {e.operator} {right})"
        if e.operator == "*" and not maybe and (is_count(e.left) or is_count(e.right)):
            return f"({self.expr(e.left)} * {self.expr(e.right)})"
        if e.operator == "*":
            return f"times({self.expr(e.left)}, {self.expr(e.right)}, {self.span(e.span)})"
        return self.number(e.left, scales.of(e.left))  # divided by a constant: the scale has taken it up

    def x_Cases(self, e: g.Cases) -> str:
        scale = self.layout.scales.of(e)
        if len(e.cases) > FEW:
            return self.cases_apart(e, scale)
        code = ""
        for value, condition in e.cases:
            shown = self.value(value, e.type, scale)
            code += shown if condition is None else f"{shown} if {self.expr(condition)} else "
        return f"({code})"

    def cases_apart(self, e: g.Cases, scale: int) -> str:
        """Many cases, one after another in a function: Python cannot read them within each other."""
        lines = []
        with self.outlining() as known:
            for value, condition in e.cases:
                test = "" if condition is None else f"if {self.expr(condition)}: "
                lines.append(f"{test}return {self.value(value, e.type, scale)}")
        return self.outlined(lines, known)

    def x_FirstPossible(self, e: g.FirstPossible) -> str:
        if e.type.tag == "list":
            return "(" + " or ".join(self.items(value) for value, _ in e.lists) + " or ())"
        return f"first_present(({', '.join(self.expr(value) for value, _ in e.lists)},), {self.absent(e.type)})"


def is_count(expr: g.Expr) -> bool:
    """A number that is sure to be small: a product with it is checked early enough when it is kept."""
    small = isinstance(expr, g.Const) and isinstance(expr.value, int) and abs(expr.value) < 1 << 16
    return small or (isinstance(expr, g.Agg) and expr.function == "count")
