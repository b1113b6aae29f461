"""Lowering of aggregates, comparisons, logic, arithmetic and cases.

An absent value equals nothing, not even another absent value. It is neither below nor above any value.
"""

from __future__ import annotations

from math import lcm
from typing import Literal

from cardlang import model as g
from interpreter import ir
from interpreter.ir.ir_expressions import TEXT, build_number_kind
from interpreter.ir.traversal import is_free_to_repeat
from interpreter.lower.expression_base import ExpressionLowererBase, build_conjunction, build_disjunction
from interpreter.lower.list_expressions import ListLowerer, add_ranking_functions
from interpreter.runtime.state import NO_NUMBER, UNLIMITED

ExtremeFunction = Literal["highest", "lowest"]
END_INDEXES = {"first": 0, "bottom": 0, "last": -1, "top": -1}


class AggregateLowerer(ListLowerer):
    def lower_Agg(self, e: g.Agg) -> ir.Expr:
        match e.function:
            case "count":
                return self.lower_count(e)
            case "total":
                return self.lower_total(e)
            case "highest" | "lowest":
                return self.lower_extreme(e, e.function)
            case "random":
                return self.lower_random(e)
            case "reverse":
                return self.lower_list_operation(e, "reversed")
            case "distinct":
                return self.lower_list_operation(e, "distinct_values")
            case "subsets":
                items = self.lower_list(e.list)
                return ir.Op(ir.build_list_kind(items.kind), "subsets", (items,), self.number_rule_span(e.span))
        return self.lower_end_items(e)

    def lower_list_operation(self, e: g.Agg, operation: str) -> ir.Expr:
        items = self.lower_list(e.list)
        return ir.Op(items.kind, operation, (items,))

    # ------------------------------------------------------------ numbers
    def lower_count(self, e: g.Agg) -> ir.Expr:
        items = self.expand_filter_definition(e.list)
        if isinstance(items, g.Filter):
            tests = self.build_seat_tests(items, items.var, None)
            if tests:
                return build_sum([build_indicator(test) for test in tests], 1)
            if id(items) not in self.hoisted:
                with self.iterate_filtered(items, items.var) as (local, clauses):
                    return ir.Loop(ir.NUMBER, "count", clauses, local)
        return ir.Count(ir.NUMBER, self.lower_list(items))

    def lower_total(self, e: g.Agg) -> ir.Expr:
        scale = self.layout.scales.get_scale(e)
        terms = self.build_seat_terms(e.list, 0)
        if terms:
            return build_sum(terms, scale)
        return self.fold_list(self.lower_list(e.list), "total", build_number_kind(scale))

    def fold_list(self, items: ir.Expr, function: Literal["total", "highest", "lowest"], kind: ir.Kind) -> ir.Expr:
        """Return a loop that folds a list to one value. If a loop makes the list, the two are fused."""
        if isinstance(items, ir.Loop) and items.function == "list":
            return ir.Loop(kind, function, items.clauses, items.body)
        local = self.create_local(items.kind.item or kind)
        return ir.Loop(kind, function, (ir.For(local, items),), local)

    def lower_extreme(self, e: g.Agg, function: ExtremeFunction) -> ir.Expr:
        if e.type.tag == "reading":
            return ir.Op(self.lower_type(e.type), f"{function}_reading", (self.lower_list(e.list),))
        kind = self.find_value_kind(e)
        terms = self.find_extreme_terms(e.list, function)
        if terms is None:
            return self.fold_list(self.lower_list(e.list), function, kind)
        if len(terms) == 1:
            return terms[0]
        if len(terms) == 2 and all(is_free_to_repeat(term) for term in terms):
            test = ir.Compare(ir.FLAG, ">" if function == "highest" else "<", terms[0], terms[1])
            return ir.Either(kind, test, terms[0], terms[1])
        return ir.Op(kind, "most_of" if function == "highest" else "least_of", tuple(terms))

    def find_extreme_terms(self, items: g.Expr, function: ExtremeFunction) -> list[ir.Expr] | None:
        """Return the operands of `highest` or `lowest` one by one, without neutral ones. None if their number is
        unknown."""
        neutral = NO_NUMBER if function == "highest" else None
        if not isinstance(items, g.Joined):
            return self.build_seat_terms(items, neutral)
        scale, terms = self.layout.scales.get_scale(items), list[ir.Expr]()
        for item in items.items:
            if item.type.tag == "list":
                several = self.build_seat_terms(item, NO_NUMBER) if function == "highest" and scale == 1 else None
                if several is None:
                    return None
                terms += several
            elif self.can_be_absent(item):
                return None
            elif not (function == "lowest" and self.find_constant_number(item) == g.UNLIMITED):
                terms.append(
                    self.lower_number(item, scale) if item.type.tag == "number" else self.lower_expression(item)
                )
        return terms or [ir.Const(ir.NUMBER, UNLIMITED)]

    def build_seat_terms(self, items: g.Expr, neutral: int | None) -> list[ir.Expr] | None:
        """Return the values of all players, if they are few. `neutral` is the value of a player who does not count."""
        if not isinstance(items, g.MapEach) or items.value.type.tag != "number" or self.can_be_absent(items.value):
            return None
        inner, conditions = self.split_filters(items.list)
        seats = self.find_fixed_seats(inner)
        if not seats or (conditions and neutral is None):
            return None
        values = self.unroll_over_seats(items.var, items.value, seats)
        if not conditions:
            return values
        tests = self.build_seat_tests(items.list, items.var, None) or []
        other = ir.Const(values[0].kind, neutral)
        return [ir.Either(value.kind, test, value, other) for value, test in zip(values, tests, strict=True)]

    # ------------------------------------------------------------ items
    def lower_end_items(self, e: g.Agg) -> ir.Expr:
        index = END_INDEXES[e.function]
        if e.function == "first" and e.number is None and isinstance(e.list, g.MapEach):
            single = self.lower_first_of_map(e.list, e.type)
            if single is not None:
                return single
        items = self.lower_list(e.list)
        if e.number is not None:
            return ir.Op(items.kind, f"some_{e.function}", (items, self.lower_expression(e.number)))
        return self.lower_end_item(items, index, self.find_value_kind(e))

    def lower_first_of_map(self, e: g.MapEach, type_: g.Type) -> ir.Expr | None:
        """Lower `first of table's suit` as the suit of the first card, if every card has one."""
        if e.value.type.tag == "list" or (self.can_be_absent(e.value) and not self.has_value_on_all_cards(e.value)):
            return None
        items = self.lower_list(e.list)
        if not is_free_to_repeat(items):
            return None
        with self.bind_temporarily(e.var, ir.At(items.kind.item or ir.CARD, items, 0)):
            value = self.lower_expression(e.value)
        return ir.Either(value.kind, items, value, self.build_absent_const(value.kind))

    def has_value_on_all_cards(self, value: g.Expr) -> bool:
        return isinstance(value, g.Attribute) and None not in self.game.columns[value.attribute].values

    def lower_random(self, e: g.Agg) -> ir.Expr:
        items = self.lower_list(e.list)
        if e.number is not None:
            return ir.Op(items.kind, "some_random", (items, self.lower_expression(e.number)))
        kind = self.find_value_kind(e)
        return ir.Op(kind, "one_random", (items, self.build_absent_const(kind)))

    def lower_Whole(self, e: g.Whole) -> ir.Expr:
        scales, value = self.layout.scales, e.value
        if isinstance(value, g.Arith) and value.operator == "/" and not isinstance(value.right, g.Const):
            scale = scales.get_scale(value.left) * scales.get_scale(value.right)
            args = (self.lower_number(value.left, scale), self.lower_number(value.right, scale))
            checked = ir.Op(ir.NUMBER, "whole", args, self.number_rule_span(e.span))
            if self.can_be_absent(value.left) or not isinstance(args[1], ir.Count):
                return checked
            return ir.Either(ir.NUMBER, args[1], ir.Arith(ir.NUMBER, "//", *args), checked)
        by = ir.Const(ir.NUMBER, scales.get_scale(value))
        if self.can_be_absent(value):
            return ir.Op(ir.NUMBER, "whole", (self.lower_expression(value), by), self.number_rule_span(e.span))
        return (
            self.lower_expression(value)
            if by.value == 1
            else ir.Arith(ir.NUMBER, "//", self.lower_expression(value), by)
        )


def build_sum(terms: list[ir.Expr], scale: int) -> ir.Expr:
    total = terms[0]
    for term in terms[1:]:
        total = ir.Arith(build_number_kind(scale), "+", total, term)
    return total


def build_indicator(test: ir.Expr) -> ir.Expr:
    one = ir.Const(ir.NUMBER, 1)
    return one if test == ir.TRUE else ir.Either(ir.NUMBER, test, one, ir.Const(ir.NUMBER, 0))


def lower_comparison(lowerer: ExpressionLowererBase, e: g.Compare) -> ir.Expr:
    tags = {e.left.type.tag, e.right.type.tag}
    if "list" in tags:
        return lower_list_comparison(lowerer, e)
    if "reading" in tags:
        operator = ir.Const(TEXT, e.operator)
        return ir.Op(
            ir.FLAG, "compare_readings", (lowerer.lower_expression(e.left), operator, lowerer.lower_expression(e.right))
        )
    if tags == {"card"} and (e.left.type.named or e.right.type.named):
        equal = (
            lower_face_equality(lowerer, e.left, e.right)
            if e.right.type.named
            else lower_face_equality(lowerer, e.right, e.left)
        )
        return equal if e.operator == "=" else ir.Not(ir.FLAG, equal)
    if "number" in tags:
        scale = lcm(lowerer.layout.scales.get_scale(e.left), lowerer.layout.scales.get_scale(e.right))
        left, right = lowerer.lower_number(e.left, scale), lowerer.lower_number(e.right, scale)
    else:
        left, right = lowerer.lower_expression(e.left), lowerer.lower_expression(e.right)
    return ir.Compare(ir.FLAG, e.operator, left, right, *find_absence_checks(lowerer, e))


def find_absence_checks(lowerer: ExpressionLowererBase, e: g.Compare) -> tuple[bool, bool]:
    """Return, for each side, whether the comparison must distinguish an absent operand from a value."""
    left, right = lowerer.can_be_absent(e.left), lowerer.can_be_absent(e.right)
    if e.operator in ("=", "!="):
        return left and right, left and right
    return left and e.operator in ("<", "<="), right and e.operator in (">", ">=")


def lower_face_equality(lowerer: ExpressionLowererBase, card: g.Expr, named: g.Expr) -> ir.Expr:
    """Lower `it = [2c]`: any copy of the card matches."""
    if isinstance(named, g.NamedCards) and lowerer.game.faces[named.faces[0]].copies == 1:
        first = ir.Const(ir.CARD, lowerer.game.faces[named.faces[0]].first)
        return ir.Compare(ir.FLAG, "=", lowerer.lower_expression(card), first)
    return ir.Op(ir.FLAG, "same_face", (lowerer.lower_expression(card), lowerer.lower_expression(named)))


def lower_list_comparison(lowerer: ExpressionLowererBase, e: g.Compare) -> ir.Expr:
    """Compare two lists.

    Players compare as sets unless one side is ranked. Cards compare by face if one side is written with codes."""
    left, right = lowerer.lower_list(e.left), lowerer.lower_list(e.right)
    item = (e.left.type.item or e.right.type.item or g.NOTHING).tag
    sides = {e.left.type.tag, e.right.type.tag}
    if (e.left.type.tag != "list" and e.left.type.tag == "card") or "player" in sides:
        item = next(iter(sides - {"list"}))
    unordered = item == "player" and not (e.left.type.ranked or e.right.type.ranked)
    if item == "card" and (e.left.type.named or e.right.type.named):
        left, right = (ir.Op(ir.build_list_kind(ir.NUMBER), "faces_of", (side,)) for side in (left, right))
    return ir.Compare(ir.FLAG, e.operator, left, right, unordered=unordered)


MAX_INLINE_CASES = 50
"""Maximum number of cases in one expression."""


class ExpressionLowerer(AggregateLowerer):
    """Lowering of any expression."""

    def lower_ReadRanking(self, e: g.ReadRanking) -> ir.Expr:
        add_ranking_functions(self, e.ranking)
        cards, kind = self.lower_list(e.cards), self.lower_type(e.type)
        if e.beside is not None:
            return ir.Read(kind, e.ranking, "beside", cards, self.lower_expression(e.beside))
        return ir.Read(kind, e.ranking, "read", cards)

    def lower_IsReading(self, e: g.IsReading) -> ir.Expr:
        add_ranking_functions(self, e.ranking)
        return ir.Read(ir.FLAG, e.ranking, "matches", self.lower_list(e.cards))

    def lower_IsSet(self, e: g.IsSet) -> ir.Expr:
        sets = [int(self.game.faces[face].set == e.set) for face in self.layout.face]
        return ir.Entry(ir.FLAG, self.add_table("IS", e.set, [*sets, 0]), self.lower_expression(e.card))

    def lower_IsEmpty(self, e: g.IsEmpty) -> ir.Expr:
        items = self.expand_filter_definition(e.value)
        if isinstance(items, g.Filter):
            return ir.Not(ir.FLAG, self.lower_quantifier(items.list, items.var, items.condition, "any"))
        return ir.Not(ir.FLAG, self.lower_list(e.value))

    def lower_IsAbsent(self, e: g.IsAbsent) -> ir.Expr:
        value = self.lower_expression(e.value)
        if e.value.type.tag == "list":
            return ir.Not(ir.FLAG, value)
        return ir.Compare(ir.FLAG, "=", value, self.build_absent_const(self.lower_type(e.value.type)))

    def lower_Quantified(self, e: g.Quantified) -> ir.Expr:
        if e.quantifier == "no":
            return ir.Not(ir.FLAG, self.lower_quantifier(e.list, e.var, e.condition, "any"))
        return self.lower_quantifier(e.list, e.var, e.condition, e.quantifier)

    def lower_quantifier(
        self, items: g.Expr, var: g.Var, condition: g.Expr, quantifier: Literal["any", "every"]
    ) -> ir.Expr:
        if quantifier == "every" and (seats := self.find_fixed_seats(items)):
            return build_conjunction(self.unroll_over_seats(var, condition, seats))
        if quantifier == "any" and (tests := self.build_seat_tests(items, var, condition)):
            return build_disjunction(tests)
        with self.iterate_filtered(items, var, condition) as (_, clauses):
            return ir.Loop(ir.FLAG, quantifier, clauses, self.lower_expression(condition))

    def lower_IsIn(self, e: g.IsIn) -> ir.Expr:
        if e.value.type.named or e.list.type.named:
            return ir.Op(ir.FLAG, "face_in", (self.lower_expression(e.value), self.lower_list(e.list)))
        return ir.IsIn(ir.FLAG, self.lower_expression(e.value), self.lower_list(e.list))

    def lower_And(self, e: g.And) -> ir.Expr:
        left, right = self.find_constant_truth(e.left), self.find_constant_truth(e.right)
        if left is not None or right is not None:
            return ir.FALSE if False in (left, right) else self.lower_expression(e.right if left else e.left)
        return build_conjunction([self.lower_expression(e.left), self.lower_expression(e.right)])

    def lower_Or(self, e: g.Or) -> ir.Expr:
        left, right = self.find_constant_truth(e.left), self.find_constant_truth(e.right)
        if left is not None or right is not None:
            return ir.TRUE if True in (left, right) else self.lower_expression(e.left if right is False else e.right)
        return build_disjunction([self.lower_expression(e.left), self.lower_expression(e.right)])

    def lower_Not(self, e: g.Not) -> ir.Expr:
        return ir.Not(ir.FLAG, self.lower_expression(e.value))

    def lower_Compare(self, e: g.Compare) -> ir.Expr:
        return lower_comparison(self, e)

    def lower_Arith(self, e: g.Arith) -> ir.Expr:
        scales, maybe = self.layout.scales, self.can_be_absent(e.left) or self.can_be_absent(e.right)
        kind = build_number_kind(scales.get_scale(e))
        if e.operator == "+" or e.operator == "-":
            scale = lcm(scales.get_scale(e.left), scales.get_scale(e.right))
            left, right = self.lower_number(e.left, scale), self.lower_number(e.right, scale)
            if maybe or e.left.type.unlimited or e.right.type.unlimited:
                return ir.Op(kind, "plus" if e.operator == "+" else "minus", (left, right))
            return ir.Arith(kind, e.operator, left, right)
        if e.operator == "*" and not maybe and (is_small_number(e.left) or is_small_number(e.right)):
            return ir.Arith(kind, "*", self.lower_expression(e.left), self.lower_expression(e.right))
        if e.operator == "*":
            return ir.Op(
                kind,
                "times",
                (self.lower_expression(e.left), self.lower_expression(e.right)),
                self.number_rule_span(e.span),
            )
        return self.lower_number(e.left, scales.get_scale(e.left))  # dividing by a constant only changes the scale

    def lower_Cases(self, e: g.Cases) -> ir.Expr:
        scale = self.layout.scales.get_scale(e)
        if len(e.cases) > MAX_INLINE_CASES:
            return self.outline_cases(e, scale)
        *cases, (last, condition) = e.cases
        value = self.record_coverage(last.span, self.lower_stored_value(last, e.type, scale))
        if condition is not None:
            cases, value = [*e.cases], self.build_absent_const(self.lower_type(e.type, scale))
        for each, condition in reversed(cases):
            if condition is not None:
                this = self.record_coverage(each.span, self.lower_stored_value(each, e.type, scale))
                value = ir.Either(self.lower_type(e.type, scale), self.lower_expression(condition), this, value)
        return value

    def outline_cases(self, e: g.Cases, scale: int) -> ir.Expr:
        """Lower many cases to a function with one test after another, so that generated code is not nested."""
        lines: list[ir.Stmt] = []
        for each, condition in e.cases:
            value = ir.Return(self.record_coverage(each.span, self.lower_stored_value(each, e.type, scale)))
            lines.append(value if condition is None else ir.If(self.lower_expression(condition), (value,)))
        return self.outline_function(tuple(lines), self.lower_type(e.type, scale))

    def lower_FirstPossible(self, e: g.FirstPossible) -> ir.Expr:
        kind = self.find_value_kind(e)
        if e.type.tag == "list":
            return ir.Op(kind, "first_list", tuple(self.lower_list(value) for value, _ in e.lists))
        values = tuple(self.lower_expression(value) for value, _ in e.lists)
        return ir.Op(kind, "first_present", (ir.Items(ir.build_list_kind(kind), values), self.build_absent_const(kind)))


def is_small_number(expr: g.Expr) -> bool:
    """Check whether a number is certainly small. Then an overflow of its product is caught when it is stored."""
    small = isinstance(expr, g.Const) and isinstance(expr.value, int) and abs(expr.value) < 1 << 16
    return small or (isinstance(expr, g.Agg) and expr.function == "count")
