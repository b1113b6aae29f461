"""Lowering of assignments, conditions, loops, assertions and log lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.model.traversal import walk
from cardlang.model.types import is_card_type
from interpreter import ir
from interpreter.ir.traversal import is_free_to_repeat
from interpreter.knowledge.common_knowledge import find_free_variables, find_logged_hidden_variables
from interpreter.knowledge.taint_tracking import LoggedValues
from interpreter.lower.expression_base import LINK_CANCELLED, build_conjunction
from interpreter.lower.move_statements import MoveStatementLowerer
from interpreter.lower.scalar_expressions import LINK_BASE, LINK_DEPTH
from interpreter.lower.seats_that_know_cards import CardIdentityLowerer
from interpreter.lower.statement_base import PassFlag
from interpreter.lower.work_and_uniqueness_analysis import is_loop_counted
from interpreter.runtime.layout import Layout

CONSTANT_OPERANDS = (g.Const, g.NamedCards)


def find_explaining_operands(condition: g.Expr) -> list[g.Expr]:
    """Return the parts of a condition whose values explain its failure."""
    match condition:
        case g.And() | g.Or():
            found = [*find_explaining_operands(condition.left), *find_explaining_operands(condition.right)]
        case g.Not() | g.IsEmpty() | g.IsAbsent():
            found = [condition.value]
        case g.Compare():
            found = [condition.left, condition.right]
        case g.IsIn():
            found = [condition.value, condition.list]
        case g.Quantified():
            found = [condition.list]
        case _:
            found = [condition]
    by_text = {side.span.text: side for side in found if not isinstance(side, CONSTANT_OPERANDS)}
    return list(by_text.values())


class LogLowerer(CardIdentityLowerer):
    """Lowering of `tell`. `logged_values`: the descriptions of values for listeners, by number."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self.logged_values: list[LoggedValues] = []

    @cached_property
    def traced_variables(self) -> frozenset[int]:
        return find_logged_hidden_variables(self.game)

    def lower_Tell(self, stmt: g.Tell) -> None:
        self.emit_logged_values("told", stmt.span, stmt.values, words=stmt.words)
        self.record_logged_cards(stmt.values)

    def emit_learned_value(self, var: g.Var, value: g.Expr) -> None:
        """Report a new value of a variable that some players may not know, and that is logged later."""
        if var.id in self.traced_variables and not is_card_type(var.type):
            self.emit_logged_values("learnt", value.span, (value,), var=var.id)

    def emit_logged_values(
        self, name: str, span: Span, values: tuple[g.Expr, ...], words: tuple[str, ...] = (), var: int = 0
    ) -> None:
        types = {part.id: part.type for part in walk(values) if isinstance(part, g.Var)}
        needs = tuple(sorted(set().union(*map(find_free_variables, values)) & self.expression_lowerer.env.keys()))
        hidden = [each for each in needs if each in self.traced_variables]
        cards = tuple(each for each in hidden if is_card_type(types[each]))
        entry = LoggedValues(values, needs, cards, tuple(each for each in hidden if each not in cards), words, var)
        self.logged_values.append(entry)
        number = ir.Const(ir.NUMBER, len(self.logged_values) - 1)
        self.emit(
            ir.Event(
                name,
                self.expression_lowerer.number_rule_span(span),
                (number, *(self.expression_lowerer.env[each] for each in needs)),
            )
        )


class ControlFlowLowerer(LogLowerer, MoveStatementLowerer):
    def lower_SetTrack(self, stmt: g.SetTrack) -> None:
        track, scale = self.game.tracks[stmt.track], self.layout.scales.track_scales[stmt.track]
        base, of = self.find_track_slot(stmt)
        if stmt.track in self.expression_lowerer.watched_tracks:
            self.emit(ir.Do("to_be_set", (ir.Const(ir.NUMBER, base), of or ir.ZERO)))
        value = self.expression_lowerer.lower_stored_value(stmt.value, track.type, scale)
        if track.type.tag == "number":
            value = self.expression_lowerer.lower_present_value(stmt.value, value)
        place, small = self.expression_lowerer.number_rule_span(stmt.span), self.is_small(stmt.value)
        if stmt.operator == "=":
            checked = track.type.tag == "number" and not small
            self.emit(ir.Store(base, of, value, place, checked))
        else:
            self.emit(ir.Bump(base, of, stmt.operator, value, place, not small))
        self.emit_trigger_checks()

    def find_track_slot(self, stmt: g.SetTrack) -> tuple[int, ir.Expr | None]:
        """Return the slot of a track. Its owner is evaluated once."""
        base = self.layout.track_base[stmt.track]
        if stmt.of is None:
            return base, None
        of = self.expression_lowerer.lower_present_value(stmt.of)
        if isinstance(of, ir.Const) and isinstance(of.value, int):
            return base + of.value, None
        return base, of if is_free_to_repeat(of) else self.store_in_local(of)

    def is_small(self, value: g.Expr) -> bool:
        """Check whether a number is so small that no sum of it within the step limit exceeds 64 bits."""
        if isinstance(value, g.Const):
            return isinstance(value.value, int) and abs(value.value) < 1 << 32
        if isinstance(value, g.Call):
            return value.of is None and self.is_small(self.game.defines[value.define].value)
        return isinstance(value, g.Agg) and value.function == "count"

    def lower_Remember(self, stmt: g.Remember) -> None:
        self.emit_learned_value(stmt.var, stmt.value)
        value = self.expression_lowerer.lower_expression(stmt.value)
        local = self.bind_local(stmt.var, value.kind)
        self.emit(ir.Assign(local, value, copied=stmt.value.type.tag == "list" and not self.is_independent_list(value)))
        self.unmodified_lists.add(local.number)
        self.record_seats_that_know_bound_cards(stmt.var, stmt.value)

    def lower_Eliminate(self, stmt: g.Eliminate) -> None:
        self.emit(
            ir.Effect(
                "eliminate",
                (self.expression_lowerer.lower_present_value(stmt.player),),
                self.expression_lowerer.number_rule_span(stmt.span),
            )
        )
        self.emit_trigger_checks()

    # ------------------------------------------------------------ conditions and loops
    def lower_If(self, stmt: g.If) -> None:
        condition = self.expression_lowerer.lower_expression(stmt.condition)
        then, otherwise = (
            self.lower_nested(self.lower_branch_with_knowledge(stmt, body), body)
            for body in (stmt.then, stmt.otherwise)
        )
        self.emit(ir.If(condition, then, otherwise))

    def lower_branch_with_knowledge(self, stmt: g.If, body: Sequence[g.Stmt]) -> Callable[[], None]:
        def lower_branch() -> None:
            with self.limit_knowledge_by_condition(stmt.condition):
                self.lower_body(body)

        return lower_branch

    def lower_Repeat(self, stmt: g.Repeat) -> None:
        outer, condition = self.pass_flag, None
        if stmt.until_pass:
            flag = self.expression_lowerer.create_local(ir.FLAG)
            self.emit(ir.Assign(flag, ir.Const(ir.FLAG, 0)))
            self.pass_flag, condition = PassFlag(flag), ir.Not(ir.FLAG, flag)
        elif stmt.until is not None:
            condition = ir.Not(ir.FLAG, self.expression_lowerer.lower_expression(stmt.until))

        def lower_repeated_body() -> None:
            self.charge_steps(self.expression_lowerer.number_rule_span(stmt.span), stmt.body)
            self.lower_body(stmt.body)

        self.emit(ir.While(condition, self.lower_nested(lower_repeated_body, stmt.body)))
        self.pass_flag = outer

    def lower_Each(self, stmt: g.Each) -> None:
        if stmt.together:
            self.lower_simultaneous(stmt)
            return
        outer, self.pass_flag = self.pass_flag, None
        with self.forget_inner_names():
            self.record_list_knowledge(stmt)
            var, items = self.prepare_loop(stmt, self.suspension.can_stop(stmt) or is_loop_counted(stmt))
            body = self.lower_loop_body(stmt, var, lambda: self.lower_round(stmt))
            self.emit(ir.ForEach(var, items, body))
        self.pass_flag = outer

    def lower_round(self, stmt: g.Each) -> None:
        """Lower the body of a loop for one item."""
        with self.record_item_knowledge(stmt), self.limit_knowledge_by_condition(stmt.condition):
            self.lower_body(stmt.body)

    def prepare_loop(self, stmt: g.Each, counted: bool) -> tuple[ir.Local, ir.Expr]:
        """Return the variable and the list of a loop. `counted`: each round is a step."""
        self.emit_learned_value(stmt.var, stmt.list)
        items = self.lower_loop_list(stmt.list, stmt.start)
        if counted:
            items = self.store_in_local(items)
            self.charge_steps(
                self.expression_lowerer.number_rule_span(stmt.span), stmt.body, ir.Count(ir.NUMBER, items)
            )
        return self.bind_local(stmt.var), items

    def lower_loop_list(self, items: g.Expr, start: g.Expr | None) -> ir.Expr:
        """Return the list of a loop, copied at its start and rotated to begin with `start`."""
        code = self.expression_lowerer.lower_list(items)
        if start is None:
            never_changes = isinstance(items, g.Members) or (isinstance(items, g.Builtin) and self.layout.fixed_seats)
            return code if never_changes or self.is_independent_list(code) else ir.Op(code.kind, "copied", (code,))
        if isinstance(items, g.Builtin) and items.name == "players" and self.layout.fixed_seats:
            n = self.layout.players
            table = [tuple((seat + step) % n for step in range(n)) for seat in range(n)]
            return ir.Entry(
                code.kind,
                self.expression_lowerer.add_table("SEATS", "from", table),
                self.expression_lowerer.lower_present_value(start),
            )
        return ir.Op(code.kind, "rotated", (code, self.expression_lowerer.lower_present_value(start)))

    def lower_loop_body(self, stmt: g.Each, var: ir.Local, lower_inner: Callable[[], None]) -> ir.Body:
        """Return the body of a loop.

        It skips players eliminated during the loop, and items that no longer pass its condition.
        """
        tests = [self.build_still_in_test(var)] if stmt.var.type.tag == "player" else []
        if stmt.condition is not None:
            tests.append(self.expression_lowerer.lower_expression(stmt.condition))
        inner, condition = self.lower_nested(lower_inner, stmt.body), build_conjunction(tests)
        return inner if condition == ir.TRUE else (ir.If(condition, inner),)

    def build_still_in_test(self, player: ir.Expr) -> ir.Expr:
        return ir.Not(ir.FLAG, ir.Op(ir.FLAG, "is_out", (player,))) if self.layout.eliminates else ir.TRUE

    # ------------------------------------------------------------ reactions and properties
    def lower_Cancel(self, stmt: g.Cancel) -> None:
        env = self.expression_lowerer.env
        self.emit(ir.SetLink(env[LINK_DEPTH], env[LINK_BASE], LINK_CANCELLED, ir.ONE))
        self.emit(
            ir.Event(
                "cancelled",
                self.expression_lowerer.number_rule_span(stmt.span),
                (ir.Const(ir.Kind("text"), self.current_step),),
            )
        )

    def lower_Property(self, stmt: g.Property) -> None:
        values = tuple(
            self.expression_lowerer.lower_expression(side) for side in find_explaining_operands(stmt.condition)
        )
        self.properties.append(stmt)
        self.emit(ir.Expect(len(self.properties) - 1, self.expression_lowerer.lower_expression(stmt.condition), values))

    def lower_simultaneous(self, stmt: g.Each) -> None:
        raise NotImplementedError
