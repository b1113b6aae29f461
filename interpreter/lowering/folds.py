"""Source of what is made of a list: counts, totals, the highest, the first."""

from __future__ import annotations

from cardlang import game as g
from interpreter.lowering.lists import Lists
from interpreter.lowering.writer import SIMPLE
from interpreter.state import NO_NUMBER, UNLIMITED


class Folds(Lists):
    def x_Agg(self, e: g.Agg) -> str:
        return str(getattr(self, f"agg_{e.function}")(e))

    def agg_count(self, e: g.Agg) -> str:
        items = self.plain(e.list)
        if isinstance(items, g.Filter) and (tests := self.seat_tests(items, items.var, None)):
            return "(" + " + ".join(f"(1 if {test} else 0)" for test in tests) + ")"
        return f"len({self.items(items)})"

    def agg_total(self, e: g.Agg) -> str:
        terms = self.seat_terms(e.list, "0")
        return "(" + " + ".join(terms) + ")" if terms else f"sum({self.items(e.list)})"

    def agg_highest(self, e: g.Agg, name: str = "highest") -> str:
        best = "max" if name == "highest" else "min"
        terms = self.terms(e.list, name)
        if terms is not None and e.type.tag != "reading":
            if len(terms) == 2 and all(SIMPLE.match(code) for code in terms):
                sign = ">" if name == "highest" else "<"
                return f"({terms[0]} if {terms[0]} {sign} {terms[1]} else {terms[1]})"
            return f"{best}({', '.join(terms)})" if len(terms) > 1 else terms[0]
        if e.type.tag == "reading":
            return f"{name}_reading({self.items(e.list)})"
        return f"{best}({self.items(e.list)}, default={self.absent(e.type)})"

    def terms(self, items: g.Expr, name: str) -> list[str] | None:
        """What `highest` or `lowest` compares, one by one, if it is known how many; no more than needed."""
        if not isinstance(items, g.Joined):
            return self.seat_terms(items, str(NO_NUMBER)) if name == "highest" else self.seat_terms(items, None)
        scale, codes = self.layout.scales.of(items), []
        for item in items.items:
            if item.type.tag == "list":
                several = self.seat_terms(item, str(NO_NUMBER)) if name == "highest" and scale == 1 else None
                if several is None:
                    return None
                codes += several
            elif self.maybe(item):
                return None
            elif not (name == "lowest" and self.constant(item) == g.UNLIMITED):
                codes.append(self.number(item, scale) if item.type.tag == "number" else self.expr(item))
        return codes or [str(UNLIMITED)]

    def seat_terms(self, items: g.Expr, neutral: str | None) -> list[str] | None:
        """The values of all players, if they are few; `neutral` stands for a player who does not count."""
        if not isinstance(items, g.MapEach) or items.value.type.tag != "number" or self.maybe(items.value):
            return None
        inner, conditions = self.filters(items.list)
        seats = self.seats(inner)
        if not seats or (conditions and neutral is None):
            return None
        codes = self.unrolled(items.var, items.value, seats)
        if not conditions:
            return codes
        tests = self.seat_tests(items.list, items.var, None) or []
        return [f"({code} if {test} else {neutral})" for code, test in zip(codes, tests, strict=True)]

    def agg_lowest(self, e: g.Agg) -> str:
        return self.agg_highest(e, "lowest")

    def one_or_some(self, e: g.Agg, index: str) -> str:
        items = self.items(e.list)
        if e.number is not None:
            return f"some_{e.function}({items}, {self.expr(e.number)})"
        if SIMPLE.match(items):
            return f"({items}[{index}] if {items} else {self.absent(e.type)})"
        return f"{'first' if index == '0' else 'last'}_of({items}, {self.absent(e.type)})"

    def agg_first(self, e: g.Agg) -> str:
        if e.number is None and isinstance(e.list, g.MapEach):
            single = self.first_of_map(e.list, e.type)
            if single:
                return single
        return self.one_or_some(e, "0")

    def first_of_map(self, e: g.MapEach, type_: g.Type) -> str:
        """`first of table's suit`, where every card has one: the suit of the first card."""
        if e.value.type.tag == "list" or (self.maybe(e.value) and not self.layout_has_all(e.value)):
            return ""
        items = self.items(e.list)
        if not SIMPLE.match(items):
            return ""
        with self.bound(e.var, f"{items}[0]"):
            return f"({self.expr(e.value)} if {items} else {self.absent(type_)})"

    def layout_has_all(self, value: g.Expr) -> bool:
        return isinstance(value, g.Attribute) and None not in self.game.columns[value.attribute].values

    def agg_bottom(self, e: g.Agg) -> str:
        return self.one_or_some(e, "0")

    def agg_last(self, e: g.Agg) -> str:
        return self.one_or_some(e, "-1")

    def agg_top(self, e: g.Agg) -> str:
        return self.one_or_some(e, "-1")

    def agg_random(self, e: g.Agg) -> str:
        items = self.items(e.list)
        if e.number is not None:
            return f"some_random(s, {items}, {self.expr(e.number)})"
        return f"one_random(s, {items}, {self.absent(e.type)})"

    def agg_reverse(self, e: g.Agg) -> str:
        return f"{self.items(e.list)}[::-1]"

    def agg_distinct(self, e: g.Agg) -> str:
        return f"list(dict.fromkeys({self.items(e.list)}))"

    def agg_subsets(self, e: g.Agg) -> str:
        return f"subsets(s, {self.items(e.list)}, {self.span(e.span)})"

    def x_Whole(self, e: g.Whole) -> str:
        scales = self.layout.scales
        value = e.value
        if isinstance(value, g.Arith) and value.operator == "/" and not isinstance(value.right, g.Const):
            left, right = scales.of(value.left), scales.of(value.right)
            top, under = self.number(value.left, left * right), self.number(value.right, left * right)
            return f"whole({top}, {under}, {self.span(e.span)})"
        scale = scales.of(value)
        if self.maybe(value):
            return f"whole({self.expr(value)}, {scale}, {self.span(e.span)})"
        return self.expr(value) if scale == 1 else f"(({self.expr(value)}) // {scale})"
