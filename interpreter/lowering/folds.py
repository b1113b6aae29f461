"""Lower folds over lists: counts, totals, extremes, first items."""

from __future__ import annotations

from typing import Literal

from cardlang import game as g
from interpreter import lowered as lo
from interpreter.lowered.kinds import number
from interpreter.lowering.lists import Lists
from interpreter.lowering.writer import TRUE, is_simple
from interpreter.state import NO_NUMBER, UNLIMITED

Best = Literal["highest", "lowest"]
ENDS = {"first": 0, "bottom": 0, "last": -1, "top": -1}


class Folds(Lists):
    def x_Agg(self, e: g.Agg) -> lo.Expr:
        match e.function:
            case "count":
                return self.count(e)
            case "total":
                return self.total(e)
            case "highest" | "lowest":
                return self.best(e, e.function)
            case "random":
                return self.random(e)
            case "reverse":
                return self.made(e, "reversed")
            case "distinct":
                return self.made(e, "distinct_values")
            case "subsets":
                items = self.items(e.list)
                return lo.Op(lo.list_of(items.kind), "subsets", (items,), self.place(e.span))
        return self.one_or_some(e)

    def made(self, e: g.Agg, operation: str) -> lo.Expr:
        items = self.items(e.list)
        return lo.Op(items.kind, operation, (items,))

    # ------------------------------------------------------------ numbers
    def count(self, e: g.Agg) -> lo.Expr:
        items = self.plain(e.list)
        if isinstance(items, g.Filter):
            tests = self.seat_tests(items, items.var, None)
            if tests:
                return added([one_if(test) for test in tests], 1)
            if id(items) not in self.hoisted:
                with self.going(items, items.var) as (local, clauses):
                    return lo.Loop(lo.NUMBER, "count", clauses, local)
        return lo.Count(lo.NUMBER, self.items(items))

    def total(self, e: g.Agg) -> lo.Expr:
        scale = self.layout.scales.of(e)
        terms = self.seat_terms(e.list, 0)
        if terms:
            return added(terms, scale)
        return self.over(self.items(e.list), "total", number(scale))

    def over(self, items: lo.Expr, function: Literal["total", "highest", "lowest"], kind: lo.Kind) -> lo.Expr:
        """Return a loop that folds a list to one value. If a loop makes the list, the two are fused."""
        if isinstance(items, lo.Loop) and items.function == "list":
            return lo.Loop(kind, function, items.clauses, items.body)
        local = self.local(items.kind.item or kind)
        return lo.Loop(kind, function, (lo.For(local, items),), local)

    def best(self, e: g.Agg, function: Best) -> lo.Expr:
        if e.type.tag == "reading":
            return lo.Op(self.kind(e.type), f"{function}_reading", (self.items(e.list),))
        kind = self.kind_of(e)
        terms = self.terms(e.list, function)
        if terms is None:
            return self.over(self.items(e.list), function, kind)
        if len(terms) == 1:
            return terms[0]
        if len(terms) == 2 and all(is_simple(term) for term in terms):
            test = lo.Compare(lo.FLAG, ">" if function == "highest" else "<", terms[0], terms[1])
            return lo.Either(kind, test, terms[0], terms[1])
        return lo.Op(kind, "most_of" if function == "highest" else "least_of", tuple(terms))

    def terms(self, items: g.Expr, function: Best) -> list[lo.Expr] | None:
        """Return the operands of `highest` or `lowest` one by one, without neutral ones. None if their number is
        unknown."""
        neutral = NO_NUMBER if function == "highest" else None
        if not isinstance(items, g.Joined):
            return self.seat_terms(items, neutral)
        scale, terms = self.layout.scales.of(items), list[lo.Expr]()
        for item in items.items:
            if item.type.tag == "list":
                several = self.seat_terms(item, NO_NUMBER) if function == "highest" and scale == 1 else None
                if several is None:
                    return None
                terms += several
            elif self.maybe(item):
                return None
            elif not (function == "lowest" and self.constant(item) == g.UNLIMITED):
                terms.append(self.number(item, scale) if item.type.tag == "number" else self.expr(item))
        return terms or [lo.Const(lo.NUMBER, UNLIMITED)]

    def seat_terms(self, items: g.Expr, neutral: int | None) -> list[lo.Expr] | None:
        """Return the values of all players, if they are few. `neutral` is the value of a player who does not count."""
        if not isinstance(items, g.MapEach) or items.value.type.tag != "number" or self.maybe(items.value):
            return None
        inner, conditions = self.filters(items.list)
        seats = self.seats(inner)
        if not seats or (conditions and neutral is None):
            return None
        values = self.unrolled(items.var, items.value, seats)
        if not conditions:
            return values
        tests = self.seat_tests(items.list, items.var, None) or []
        other = lo.Const(values[0].kind, neutral)
        return [lo.Either(value.kind, test, value, other) for value, test in zip(values, tests, strict=True)]

    # ------------------------------------------------------------ items
    def one_or_some(self, e: g.Agg) -> lo.Expr:
        index = ENDS[e.function]
        if e.function == "first" and e.number is None and isinstance(e.list, g.MapEach):
            single = self.first_of_map(e.list, e.type)
            if single is not None:
                return single
        items = self.items(e.list)
        if e.number is not None:
            return lo.Op(items.kind, f"some_{e.function}", (items, self.expr(e.number)))
        return self.end_of(items, index, self.kind_of(e))

    def first_of_map(self, e: g.MapEach, type_: g.Type) -> lo.Expr | None:
        """Lower `first of table's suit` as the suit of the first card, if every card has one."""
        if e.value.type.tag == "list" or (self.maybe(e.value) and not self.layout_has_all(e.value)):
            return None
        items = self.items(e.list)
        if not is_simple(items):
            return None
        with self.bound(e.var, lo.At(items.kind.item or lo.CARD, items, 0)):
            value = self.expr(e.value)
        return lo.Either(value.kind, items, value, self.absent(value.kind))

    def layout_has_all(self, value: g.Expr) -> bool:
        return isinstance(value, g.Attribute) and None not in self.game.columns[value.attribute].values

    def random(self, e: g.Agg) -> lo.Expr:
        items = self.items(e.list)
        if e.number is not None:
            return lo.Op(items.kind, "some_random", (items, self.expr(e.number)))
        kind = self.kind_of(e)
        return lo.Op(kind, "one_random", (items, self.absent(kind)))

    def x_Whole(self, e: g.Whole) -> lo.Expr:
        scales, value = self.layout.scales, e.value
        if isinstance(value, g.Arith) and value.operator == "/" and not isinstance(value.right, g.Const):
            scale = scales.of(value.left) * scales.of(value.right)
            args = (self.number(value.left, scale), self.number(value.right, scale))
            checked = lo.Op(lo.NUMBER, "whole", args, self.place(e.span))
            if self.maybe(value.left) or not isinstance(args[1], lo.Count):
                return checked
            return lo.Either(lo.NUMBER, args[1], lo.Arith(lo.NUMBER, "//", *args), checked)
        by = lo.Const(lo.NUMBER, scales.of(value))
        if self.maybe(value):
            return lo.Op(lo.NUMBER, "whole", (self.expr(value), by), self.place(e.span))
        return self.expr(value) if by.value == 1 else lo.Arith(lo.NUMBER, "//", self.expr(value), by)


def added(terms: list[lo.Expr], scale: int) -> lo.Expr:
    total = terms[0]
    for term in terms[1:]:
        total = lo.Arith(number(scale), "+", total, term)
    return total


def one_if(test: lo.Expr) -> lo.Expr:
    one = lo.Const(lo.NUMBER, 1)
    return one if test == TRUE else lo.Either(lo.NUMBER, test, one, lo.Const(lo.NUMBER, 0))
