"""Lowering of options: move codes of their bindings, and conditions on card sets.

If a condition requires the chosen cards to form a rank (`provided group is Meld`), the ranking lists the candidates.
Only these are tested for the remaining conditions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cardlang import model as g
from cardlang.model.traversal import find_free_variables, split_conjunction, walk
from interpreter import ir
from interpreter.lower.expression_base import build_conjunction
from interpreter.lower.step_calls import StepLowerer
from interpreter.runtime.state import NO_NUMBER

if TYPE_CHECKING:
    from interpreter.lower.expression_base import ExpressionLowererBase


NUMBER_RADIX = 1 << 20
"""Radix of a number that is not the last binding. Larger numbers are refused."""
CODE_LIST = ir.build_list_kind(ir.NUMBER)
BoundCondition = tuple[set[int], ir.Expr]


class OptionLowerer(StepLowerer):
    def find_radices(self, option: g.Option) -> tuple[int, ...]:
        """Return the radix of each binding. The last one is unbounded (0)."""
        sizes = [self.find_radix(var.type) for var, _ in option.binders]
        return (*sizes[:-1], 0) if sizes else ()

    def find_radix(self, type_: g.Type) -> int:
        if type_.tag == "player":
            return self.layout.players
        if type_.tag == "card":
            return self.layout.cards
        if type_.tag == "member":
            return len(self.game.kinds[type_.of or ""].members)
        return NUMBER_RADIX

    def lower_domain(
        self,
        domain: g.Domain,
        type_: g.Type,
        player: ir.Expr,
        keep_copies: bool = False,
        has_next_binding: bool = False,
    ) -> ir.Expr:
        """Return the values of a binding. `has_next_binding`: another binding follows it."""
        if domain.list is None:
            low, high = self.lower_domain_bounds(domain)
            return self.check_range_length(
                ir.Op(CODE_LIST, "range", (low, build_plus(high, ir.ONE))), domain, has_next_binding
            )
        items = self.remove_duplicates(self.expression_lowerer.lower_single_use_list(domain.list), domain.list)
        if type_.tag == "number":
            most = (ir.Const(ir.NUMBER, NUMBER_RADIX),) if has_next_binding else ()
            scale = ir.Const(ir.NUMBER, self.layout.scales.get_scale(domain.list))
            return ir.Op(
                CODE_LIST,
                "whole_numbers",
                (items, scale, *most),
                self.expression_lowerer.number_rule_span(domain.list.span),
            )
        if type_.tag == "card" and self.layout.copies and not keep_copies:
            return ir.Op(items.kind, "distinct", (items, player))
        return items

    def check_range_length(self, run: ir.Expr, domain: g.Domain, has_next_binding: bool = False) -> ir.Expr:
        """Check the length of a range of numbers. A range that is too long fails."""
        if domain.high is None:
            raise AssertionError("bounds")
        most = (ir.Const(ir.NUMBER, NUMBER_RADIX),) if has_next_binding else ()
        return ir.Op(CODE_LIST, "few", (run, *most), self.expression_lowerer.number_rule_span(domain.high.span))

    def lower_domain_bounds(self, domain: g.Domain) -> tuple[ir.Expr, ir.Expr]:
        if domain.low is None or domain.high is None:
            raise AssertionError("bounds")
        scales = self.layout.scales
        low, high = (
            self.expression_lowerer.lower_expression(domain.low),
            self.expression_lowerer.lower_expression(domain.high),
        )
        by = ir.Const(ir.NUMBER, scales.get_scale(domain.low))
        if by != ir.ONE:  # chosen numbers are whole
            low = build_minus(ir.ZERO, ir.Arith(ir.NUMBER, "//", build_minus(ir.ZERO, low), by))
        by = ir.Const(ir.NUMBER, scales.get_scale(domain.high))
        if by != ir.ONE:
            high = ir.Arith(ir.NUMBER, "//", high, by)
        sure = isinstance(low, ir.Const) and isinstance(low.value, int) and low.value >= 0
        return low if sure else ir.Op(ir.NUMBER, "most_of", (low, ir.ZERO)), high

    # ------------------------------------------------------------ legal moves
    def lower_option_listing(self, options: Sequence[g.Option], player: ir.Expr, may_pass: bool) -> ir.Body:
        """Return the body of a function that lists the codes of the legal moves."""
        legal = self.expression_lowerer.create_local(CODE_LIST)
        before = dict(self.expression_lowerer.hoisted)
        with self.collect_emitted() as body:
            self.emit(ir.Assign(legal, ir.Items(CODE_LIST, ())))
            for parts in self.find_repeated_calls(options):
                held = self.store_in_local(self.expression_lowerer.lower_expression(parts[0]))
                self.expression_lowerer.hoisted.update((id(part), held) for part in parts)
            for index, option in enumerate(options):
                self.list_option_codes(legal, index, option, len(options), player)
            if may_pass:
                self.emit(ir.Collect(legal, ir.ZERO))
            self.emit(ir.Return(legal))
        self.expression_lowerer.hoisted = before
        return tuple(body)

    def find_repeated_calls(self, options: Sequence[g.Option]) -> list[list[g.Call]]:
        """Return the definitions that conditions and bounds use more than once, and that depend on no binding."""
        bound = {var.id for option in options for var, _ in option.binders}
        known = self.expression_lowerer.env.keys() - bound
        asked = [
            part
            for option in options
            for part in walk((option.when, tuple(domain for _, domain in option.binders)))
            if isinstance(part, g.Call)
            and find_free_variables(part) <= known
            and self.expression_lowerer.find_constant_number(part) is None
        ]
        groups: dict[g.Call, list[g.Call]] = {}
        for part in asked:
            groups.setdefault(part, []).append(part)
        return [parts for parts in groups.values() if len(parts) > 1]

    def list_option_codes(self, legal: ir.Local, index: int, option: g.Option, count: int, player: ir.Expr) -> None:
        saved = dict(self.expression_lowerer.env)
        names = {
            var.id: self.expression_lowerer.create_local(self.expression_lowerer.lower_type(var.type))
            for var, _ in option.binders
        }
        self.expression_lowerer.env.update(names)
        self.emit_binding_loops(
            legal,
            option,
            names,
            player,
            self.lower_option_conditions(option, player),
            0,
            ir.Const(ir.NUMBER, index + 1),
            count,
        )
        self.expression_lowerer.env = saved

    def emit_binding_loops(
        self, legal: ir.Local, option: g.Option, names: dict[int, ir.Local], player: ir.Expr,
        conditions: list[BoundCondition], binding_index: int, base: ir.Expr, weight: int,
    ) -> None:  # fmt: skip
        """Emit nested loops over the bindings from `binding_index` on. Conditions are tested as early as possible."""
        known = {var.id for var, _ in option.binders[:binding_index]}
        ready = [condition for needs, condition in conditions if needs <= known]
        if ready:
            rest = [condition for condition in conditions if not condition[0] <= known]
            with self.emit_if(build_conjunction(ready)):
                self.emit_binding_loops(legal, option, names, player, rest, binding_index, base, weight)
            return
        if binding_index == len(option.binders):
            self.emit(ir.Collect(legal, base))
            return
        var, domain = option.binders[binding_index]
        radix = self.find_radices(option)[binding_index]
        if radix == 0 and not conditions:
            self.emit(
                ir.Collect(legal, self.build_code_range(domain, var, names[var.id], base, weight, player), many=True)
            )
            return
        items = self.lower_domain(domain, var.type, player, has_next_binding=radix > 0)
        if self.expression_lowerer.is_work_large or self.expression_lowerer.work_estimator.is_option_counted(option):
            items = self.expression_lowerer.count_iterations(items, option.span)
        with self.collect_emitted() as body:
            if radix:
                self.emit(ir.Effect("few_moves", (legal,), self.expression_lowerer.number_rule_span(option.span)))
            base = build_plus(base, build_times(weight, names[var.id]))
            self.emit_binding_loops(
                legal, option, names, player, conditions, binding_index + 1, base, weight * (radix or 1)
            )
        self.emit(ir.ForEach(names[var.id], items, tuple(body)))

    def lower_option_conditions(self, option: g.Option, player: ir.Expr) -> list[BoundCondition]:
        """Return the conditions and costs of an option, with the bindings that each of them needs."""
        bound = {var.id for var, _ in option.binders}
        found = [
            (find_free_variables(condition) & bound, self.expression_lowerer.lower_expression(condition))
            for condition, _ in option.when
        ]
        for amount, track, _ in option.costs:
            scale = self.layout.scales.track_scales[track]
            slot = ir.Track(ir.Kind("number", scale=scale), self.layout.track_base[track], player)
            price = self.expression_lowerer.lower_number(amount, scale)
            there: ir.Expr = ir.Compare(ir.FLAG, ">=", slot, price)
            if self.expression_lowerer.can_be_absent(amount):
                there = build_conjunction([ir.Compare(ir.FLAG, "!=", price, ir.Const(price.kind, NO_NUMBER)), there])
            found.append((find_free_variables(amount) & bound, there))
        return found

    def build_code_range(
        self, domain: g.Domain, var: g.Var, name: ir.Local, base: ir.Expr, weight: int, player: ir.Expr
    ) -> ir.Expr:
        """Return the codes of the last binding, if no condition depends on it."""
        if domain.list is None:
            low, high = self.lower_domain_bounds(domain)
            first, behind = (
                build_plus(base, build_times(weight, low)),
                build_plus(base, build_times(weight, build_plus(high, ir.ONE))),
            )
            return self.check_range_length(
                ir.Op(CODE_LIST, "range", (first, behind, ir.Const(ir.NUMBER, weight))), domain
            )
        items = self.lower_domain(domain, var.type, player)
        return ir.Loop(CODE_LIST, "list", (ir.For(name, items),), build_plus(base, build_times(weight, name)))

    # ------------------------------------------------------------ carrying out a move
    def decode_bindings(self, option: g.Option, rest: ir.Expr) -> list[ir.Expr]:
        """Decode the bound values from the rest of a code."""
        values, weight = [], 1
        for radix in self.find_radices(option):
            part = rest if weight == 1 else ir.Arith(ir.NUMBER, "//", rest, ir.Const(ir.NUMBER, weight))
            part = ir.Arith(ir.NUMBER, "%", part, ir.Const(ir.NUMBER, radix)) if radix else part
            values.append(part)
            weight *= radix or 1
        return values

    def emit_costs(self, option: g.Option, player: ir.Expr) -> None:
        for amount, track, _ in option.costs:
            base, scale = self.layout.track_base[track], self.layout.scales.track_scales[track]
            place = self.expression_lowerer.number_rule_span(option.span)
            self.emit(
                ir.Bump(
                    base,
                    player,
                    "-",
                    self.expression_lowerer.lower_number(amount, scale),
                    place,
                    checked=False,
                    told=False,
                )
            )

    def decode_option_number(self, count: int, code: ir.Expr) -> tuple[ir.Expr, ir.Expr]:
        """Split a code into the option's number and the rest."""
        if count == 1:
            return ir.ZERO, build_minus(code, ir.ONE)
        whole = build_minus(code, ir.ONE)
        by = ir.Const(ir.NUMBER, count)
        return self.store_in_local(ir.Arith(ir.NUMBER, "%", whole, by)), self.store_in_local(
            ir.Arith(ir.NUMBER, "//", whole, by)
        )

    def lower_chosen_option(self, options: Sequence[g.Option], code: ir.Expr, player: ir.Expr) -> None:
        """Carry out the option of a code: bind its variables, pay its costs, run its body."""
        number, rest = self.decode_option_number(len(options), code)
        bodies: list[ir.Body] = []
        for option in options:
            with self.collect_emitted() as body, self.forget_inner_names():
                for (var, _), value in zip(option.binders, self.decode_bindings(option, rest), strict=True):
                    local = self.bind_local(var, self.expression_lowerer.lower_type(var.type))
                    self.emit(ir.Assign(local, value))
                self.run_option(option, player)
            bodies.append(tuple(body))
        self.emit_all(select_body(number, bodies))

    def run_option(self, option: g.Option, player: ir.Expr) -> None:
        """Pay for an option whose variables are bound, and run its body."""
        for var, domain in option.binders:
            self.record_choice_knowledge(var, domain, player)
        self.emit_costs(option, player)
        self.emit_reached(option.span)
        self.lower_body(option.body)

    def emit_all(self, body: ir.Body) -> None:
        self.body.extend(body)


def select_body(number: ir.Expr, bodies: Sequence[ir.Body]) -> ir.Body:
    """Select the body with that number."""
    result = bodies[-1]
    for index in range(len(bodies) - 2, -1, -1):
        test = ir.Compare(ir.FLAG, "=", number, ir.Const(ir.NUMBER, index))
        result = (ir.If(test, bodies[index], result),)
    return result


def build_plus(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    if isinstance(left, ir.Const) and isinstance(right, ir.Const):
        return ir.Const(ir.NUMBER, int(left.value or 0) + int(right.value or 0))  # type: ignore[arg-type]
    return left if right == ir.ZERO else ir.Arith(ir.NUMBER, "+", left, right)


def build_minus(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    return ir.Arith(ir.NUMBER, "-", left, right)


def build_times(weight: int, value: ir.Expr) -> ir.Expr:
    if isinstance(value, ir.Const) and isinstance(value.value, int):
        return ir.Const(ir.NUMBER, weight * value.value)
    return value if weight == 1 else ir.Arith(ir.NUMBER, "*", ir.Const(ir.NUMBER, weight), value)


def lower_set_condition(lowerer: ExpressionLowererBase, stmt: g.Choose, item: ir.Kind) -> ir.TestOf:
    """Return the test that a choice of such items fulfils its condition.

    If the condition names a ranking, only sets that form one of its ranks can pass, and the ranking finds them."""
    if stmt.provided is None:
        raise AssertionError("a condition")
    parts, names = split_choice_condition(lowerer.game, stmt.provided, {stmt.var.id})
    rank = next((part for part in parts if is_rank_test(lowerer.game, part, names)), None)
    if rank is None:
        parts, names = [stmt.provided], {stmt.var.id}
    before, chosen = dict(lowerer.env), lowerer.create_local(ir.build_list_kind(item))
    lowerer.env.update(dict.fromkeys(names, chosen))
    test = build_conjunction([lowerer.lower_expression(part) for part in parts if part is not rank])
    lowerer.env = before
    return ir.TestOf(ir.FLAG, chosen, test, rank.ranking if isinstance(rank, g.IsReading) else None)


def split_choice_condition(game: g.Game, condition: g.Expr, names: set[int]) -> tuple[list[g.Expr], set[int]]:
    """Split a condition into its conjuncts, and return them with the variables that denote the choice.

    Definitions about the choice are expanded. `names`: the variables known to denote it."""
    found: list[g.Expr] = []
    for part in split_conjunction(condition):
        define = game.defines[part.define] if isinstance(part, g.Call) else None
        if (
            isinstance(part, g.Call)
            and define is not None
            and define.var is not None
            and is_choice_variable(part.of, names)
        ):
            below, names = split_choice_condition(game, define.value, names | {define.var.id})
            found += below
        else:
            found.append(part)
    return found, names


def is_choice_variable(cards: g.Expr | None, names: set[int]) -> bool:
    return isinstance(cards, g.Var) and cards.id in names


def is_rank_test(game: g.Game, part: g.Expr, names: set[int]) -> bool:
    return (
        isinstance(part, g.IsReading)
        and is_choice_variable(part.cards, names)
        and not game.rankings[part.ranking].wilds
    )
