"""Lowering of simultaneous choices: secret choices, then their effects in seat order."""

from __future__ import annotations

from collections.abc import Callable

from cardlang import model as g
from cardlang.model.simultaneous_choice_conflicts import can_choices_conflict
from interpreter import ir
from interpreter.ir.ir_expressions import ANSWERS, TEXT
from interpreter.lower.decisions import DecisionLowerer, DecisionStatement, PendingDecision, build_number
from interpreter.lower.expression_base import build_conjunction
from interpreter.lower.option_codes import CODE_LIST, build_minus, build_plus
from interpreter.runtime.layout import Layout


class SimultaneousChoiceLowerer(DecisionLowerer):
    """Lowering of simultaneous choices.

    `rechecked_loop`: the `simultaneously` loop whose choices are being carried out, if one may invalidate another. Then
    each choice is tested again when its turn comes, and dropped if it is no longer possible.
    """

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self.rechecked_loop: g.Each | None = None

    def lower_simultaneous(self, stmt: g.Each) -> None:
        """Lower the choices of all players, then the bodies in seat order. The choices stay secret until then."""
        choice = stmt.body[0]
        if not isinstance(choice, g.Pick | g.Choose | g.Menu):
            raise AssertionError("a choice")
        outer, self.pass_flag = self.pass_flag, None
        chosen, site = self.expression_lowerer.create_local(ANSWERS), -1
        var = self.expression_lowerer.create_local(ir.SEAT)

        def store_choice(decision: PendingDecision) -> None:
            nonlocal site
            site = decision.site
            self.emit(ir.Assign(chosen, ir.Op(ANSWERS, "with_answer", (chosen, var, decision.choice))))

        self.reported_place = None
        with self.collect_emitted() as asking:
            items = self.lower_loop_list(stmt.list, stmt.start)
            items = self.store_in_local(items)
            self.charge_steps(
                self.expression_lowerer.number_rule_span(stmt.span), stmt.body, ir.Count(ir.NUMBER, items)
            )
            self.expression_lowerer.env[stmt.var.id] = var
            body = self.lower_loop_body(stmt, var, lambda: self.emit_choice(choice, (), store_choice))
            self.emit(ir.ForEach(var, items, body))
        self.emit(ir.Mark(site, chosen))
        self.emit(ir.Assign(chosen, ir.Op(ANSWERS, "no_answers", ())))
        self.emit_all(tuple(asking))
        self.pass_flag = outer
        self.rechecked_loop = stmt if not self.game.legacy and can_choices_conflict(self.game, stmt) else None
        self.lower_simultaneous_bodies(choice, chosen, var, site)
        self.rechecked_loop = None

    def lower_simultaneous_bodies(
        self, choice: DecisionStatement, choices: ir.Local, player: ir.Local, site: int
    ) -> None:
        answer = self.expression_lowerer.create_local(
            ir.build_list_kind(ir.NUMBER) if self.is_multi_choice(choice) else ir.NUMBER
        )
        asked = PendingDecision(site, player, answer)
        if isinstance(choice, g.Choose):
            self.bind_local(choice.var)
        with self.collect_emitted() as body, self.forget_inner_names():
            self.emit(
                ir.Event(
                    "chose", self.expression_lowerer.number_rule_span(choice.span), (player, build_number(site), answer)
                )
            )
            self.run_unless_passed(choice, asked)
        self.emit(ir.Answers(choices, player, answer, tuple(body)))

    # ------------------------------------------------------------ testing again
    def run_chosen_move(self, stmt: DecisionStatement, decision: PendingDecision) -> None:
        each = self.rechecked_loop
        if each is None:
            super().run_chosen_move(stmt, decision)
            return
        tests = [self.build_still_in_test(decision.player)]
        if each.condition is not None:
            tests.append(self.expression_lowerer.lower_expression(each.condition))
        self.run_only_if(
            build_conjunction(tests), decision.player, stmt, lambda: self.run_if_still_possible(stmt, decision)
        )

    def run_if_still_possible(self, stmt: DecisionStatement, decision: PendingDecision) -> None:
        """Carry out a choice if the chosen items are still available."""

        def run_choice() -> None:
            DecisionLowerer.run_chosen_move(self, stmt, decision)

        match stmt:
            case g.Pick(position=None):
                self.run_if_still_there(self.expression_lowerer.lower_list(stmt.source), stmt, decision, run_choice)
            case g.Choose():
                item = stmt.var.type.item or stmt.var.type if stmt.several else stmt.var.type
                items = self.lower_domain(stmt.domain, item, decision.player, keep_copies=True)
                self.run_if_still_there(items, stmt, decision, lambda: self.run_if_provided(stmt, decision, run_choice))
            case _:
                run_choice()  # the number of cards from the top is clipped; `run_option` tests options one by one

    def run_if_still_there(
        self, items: ir.Expr, stmt: g.Pick | g.Choose, decision: PendingDecision, then: Callable[[], None]
    ) -> None:
        several = self.is_multi_choice(stmt)
        picks = decision.choice if several else ir.Items(CODE_LIST, (build_minus(decision.choice, ir.ONE),))
        found, count = self.find_remaining_picks(items, picks, decision.player), ir.Count(ir.NUMBER, decision.choice)
        tests: list[ir.Expr] = [ir.Compare(ir.FLAG, "=", ir.Count(ir.NUMBER, found), count if several else ir.ONE)]
        if several and stmt.high is not None:
            tests.append(ir.Compare(ir.FLAG, "<=", count, self.expression_lowerer.lower_expression(stmt.high)))

        def continue_with_remaining_picks() -> None:
            first = ir.Op(ir.NUMBER, "item_at", (found, build_number(0)))
            self.emit(ir.Assign(decision.choice, found if several else build_plus(first, ir.ONE)))
            then()

        self.run_only_if(build_conjunction(tests), decision.player, stmt, continue_with_remaining_picks)

    def run_if_provided(self, stmt: g.Choose, decision: PendingDecision, then: Callable[[], None]) -> None:
        if stmt.provided is None:
            then()
            return
        value = decision.choice if stmt.several else build_minus(decision.choice, ir.ONE)
        var = self.find_choice_variable(stmt)
        self.emit(ir.Assign(var, value))
        self.run_only_if(self.expression_lowerer.lower_expression(stmt.provided), decision.player, stmt, then)

    def run_option(self, option: g.Option, player: ir.Expr, binding_index: int = 0) -> None:
        """Test the bindings from `binding_index` on, then the conditions and costs; then take the option."""
        if self.rechecked_loop is None:
            super().run_option(option, player)
        elif binding_index < len(option.binders):
            var, domain = option.binders[binding_index]
            local = self.expression_lowerer.env[var.id]
            if not isinstance(local, ir.Local):
                raise AssertionError("a variable")
            found = self.find_remaining_picks(
                self.lower_domain(domain, var.type, player, keep_copies=True), ir.Items(CODE_LIST, (local,)), player
            )

            def continue_with_next_binding() -> None:
                self.emit(ir.Assign(local, ir.Op(local.kind, "item_at", (found, build_number(0)))))
                self.run_option(option, player, binding_index + 1)

            self.run_only_if(found, player, option, continue_with_next_binding)
        else:
            conditions = build_conjunction([condition for _, condition in self.lower_option_conditions(option, player)])
            self.run_only_if(conditions, player, option, lambda: DecisionLowerer.run_option(self, option, player))

    def find_remaining_picks(self, items: ir.Expr, picks: ir.Expr, player: ir.Expr) -> ir.Local:
        """Return the picks that are still among the items. Another copy replaces a missing card."""
        found = self.expression_lowerer.create_local(CODE_LIST)
        cards = items.kind.item == ir.CARD
        item = self.expression_lowerer.create_local(ir.NUMBER)
        value: ir.Expr = ir.Op(CODE_LIST, "still_there", (items, picks, player))
        if not cards:
            held = self.store_in_local(items)
            value = ir.Loop(CODE_LIST, "list", (ir.For(item, picks), ir.Test(ir.IsIn(ir.FLAG, item, held))), item)
        self.emit(ir.Assign(found, value))
        return found

    def run_only_if(
        self, condition: ir.Expr, player: ir.Expr, part: DecisionStatement | g.Option, then: Callable[[], None]
    ) -> None:
        """Run `then` if the condition holds; otherwise report that the choice is no longer possible."""
        if condition == ir.TRUE:
            then()
            return
        with self.emit_if(
            condition, (self.build_lapse_event("choice", player, self.expression_lowerer.number_rule_span(part.span)),)
        ):
            then()

    def build_lapse_event(self, what: str, player: ir.Expr, place: int) -> ir.Stmt:
        """Report that a choice or an announcement of a player is no longer possible."""
        return ir.Event("lapsed", place, (ir.Const(TEXT, what), player))
