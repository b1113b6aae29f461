"""Lower questions, arithmetic and cases. With its base classes, it covers every expression."""

from __future__ import annotations

from math import lcm
from typing import Literal

from cardlang import game as g
from interpreter import lowered as lo
from interpreter.lowered.kinds import number
from interpreter.lowering.comparing import compare
from interpreter.lowering.folds import Folds
from interpreter.lowering.orders import prepare_ranking
from interpreter.lowering.writer import FALSE, TRUE, conjunction, disjunction

FEW = 50
"""Maximum number of cases in one expression."""


class Expressions(Folds):
    """Lowering of any expression."""

    def x_ReadRanking(self, e: g.ReadRanking) -> lo.Expr:
        prepare_ranking(self, e.ranking)
        cards, kind = self.items(e.cards), self.kind(e.type)
        if e.beside is not None:
            return lo.Read(kind, e.ranking, "beside", cards, self.expr(e.beside))
        return lo.Read(kind, e.ranking, "read", cards)

    def x_IsReading(self, e: g.IsReading) -> lo.Expr:
        prepare_ranking(self, e.ranking)
        return lo.Read(lo.FLAG, e.ranking, "matches", self.items(e.cards))

    def x_IsSet(self, e: g.IsSet) -> lo.Expr:
        sets = [int(self.game.faces[face].set == e.set) for face in self.layout.face]
        return lo.Entry(lo.FLAG, self.table("IS", e.set, [*sets, 0]), self.expr(e.card))

    def x_IsEmpty(self, e: g.IsEmpty) -> lo.Expr:
        items = self.plain(e.value)
        if isinstance(items, g.Filter):
            return lo.Not(lo.FLAG, self.quantifier(items.list, items.var, items.condition, "any"))
        return lo.Not(lo.FLAG, self.items(e.value))

    def x_IsAbsent(self, e: g.IsAbsent) -> lo.Expr:
        value = self.expr(e.value)
        if e.value.type.tag == "list":
            return lo.Not(lo.FLAG, value)
        return lo.Compare(lo.FLAG, "=", value, self.absent(self.kind(e.value.type)))

    def x_Quantified(self, e: g.Quantified) -> lo.Expr:
        if e.quantifier == "no":
            return lo.Not(lo.FLAG, self.quantifier(e.list, e.var, e.condition, "any"))
        return self.quantifier(e.list, e.var, e.condition, e.quantifier)

    def quantifier(self, items: g.Expr, var: g.Var, condition: g.Expr, which: Literal["any", "every"]) -> lo.Expr:
        if which == "every" and (seats := self.seats(items)):
            return conjunction(self.unrolled(var, condition, seats))
        if which == "any" and (tests := self.seat_tests(items, var, condition)):
            return disjunction(tests)
        with self.going(items, var, condition) as (_, clauses):
            return lo.Loop(lo.FLAG, which, clauses, self.expr(condition))

    def x_IsIn(self, e: g.IsIn) -> lo.Expr:
        if e.value.type.named or e.list.type.named:
            return lo.Op(lo.FLAG, "face_in", (self.expr(e.value), self.items(e.list)))
        return lo.IsIn(lo.FLAG, self.expr(e.value), self.items(e.list))

    def x_And(self, e: g.And) -> lo.Expr:
        left, right = self.truth(e.left), self.truth(e.right)
        if left is not None or right is not None:
            return FALSE if False in (left, right) else self.expr(e.right if left else e.left)
        return conjunction([self.expr(e.left), self.expr(e.right)])

    def x_Or(self, e: g.Or) -> lo.Expr:
        left, right = self.truth(e.left), self.truth(e.right)
        if left is not None or right is not None:
            return TRUE if True in (left, right) else self.expr(e.left if right is False else e.right)
        return disjunction([self.expr(e.left), self.expr(e.right)])

    def x_Not(self, e: g.Not) -> lo.Expr:
        return lo.Not(lo.FLAG, self.expr(e.value))

    def x_Compare(self, e: g.Compare) -> lo.Expr:
        return compare(self, e)

    def x_Arith(self, e: g.Arith) -> lo.Expr:
        scales, maybe = self.layout.scales, self.maybe(e.left) or self.maybe(e.right)
        kind = number(scales.of(e))
        if e.operator == "+" or e.operator == "-":
            scale = lcm(scales.of(e.left), scales.of(e.right))
            left, right = self.number(e.left, scale), self.number(e.right, scale)
            if maybe or e.left.type.unlimited or e.right.type.unlimited:
                return lo.Op(kind, "plus" if e.operator == "+" else "minus", (left, right))
            return lo.Arith(kind, e.operator, left, right)
        if e.operator == "*" and not maybe and (is_count(e.left) or is_count(e.right)):
            return lo.Arith(kind, "*", self.expr(e.left), self.expr(e.right))
        if e.operator == "*":
            return lo.Op(kind, "times", (self.expr(e.left), self.expr(e.right)), self.place(e.span))
        return self.number(e.left, scales.of(e.left))  # dividing by a constant only changes the scale

    def x_Cases(self, e: g.Cases) -> lo.Expr:
        scale = self.layout.scales.of(e)
        if len(e.cases) > FEW:
            return self.cases_apart(e, scale)
        *cases, (last, condition) = e.cases
        value = self.noted(last.span, self.value(last, e.type, scale))
        if condition is not None:
            cases, value = [*e.cases], self.absent(self.kind(e.type, scale))
        for each, condition in reversed(cases):
            if condition is not None:
                this = self.noted(each.span, self.value(each, e.type, scale))
                value = lo.Either(self.kind(e.type, scale), self.expr(condition), this, value)
        return value

    def cases_apart(self, e: g.Cases, scale: int) -> lo.Expr:
        """Lower many cases to a function with one test after another, so that generated code is not nested."""
        lines: list[lo.Stmt] = []
        for each, condition in e.cases:
            value = lo.Return(self.noted(each.span, self.value(each, e.type, scale)))
            lines.append(value if condition is None else lo.If(self.expr(condition), (value,)))
        return self.outlined(tuple(lines), self.kind(e.type, scale))

    def x_FirstPossible(self, e: g.FirstPossible) -> lo.Expr:
        kind = self.kind_of(e)
        if e.type.tag == "list":
            return lo.Op(kind, "first_list", tuple(self.items(value) for value, _ in e.lists))
        values = tuple(self.expr(value) for value, _ in e.lists)
        return lo.Op(kind, "first_present", (lo.Items(lo.list_of(kind), values), self.absent(kind)))


def is_count(expr: g.Expr) -> bool:
    """Check whether a number is certainly small. Then an overflow of its product is caught when it is stored."""
    small = isinstance(expr, g.Const) and isinstance(expr.value, int) and abs(expr.value) < 1 << 16
    return small or (isinstance(expr, g.Agg) and expr.function == "count")
