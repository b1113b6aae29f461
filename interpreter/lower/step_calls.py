"""Lowering of step calls: inlined, as a function or as a routine."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cardlang import model as g
from cardlang.model.effects import find_effects
from cardlang.model.traversal import has_matching_node, walk
from cardlang.model.types import is_card_type
from interpreter import ir
from interpreter.ir.ir_expressions import TEXT
from interpreter.lower.control_flow import ControlFlowLowerer
from interpreter.lower.seats_that_know_values import build_candidates_variable, build_seats_variable
from interpreter.lower.statement_base import NO_SEAT, PassFlag

MAX_INLINE_STEP = 50
"""Maximum size, in nodes, of an inlined step."""

PASS_DEPTH, PASS_BASE = -4, -5
"""Numbers of the variables with the address of the pass flag."""


class StepLowerer(ControlFlowLowerer):
    def lower_Do(self, stmt: g.Do) -> None:
        step = self.game.steps[stmt.step]
        for param, arg in zip(step.params, stmt.args, strict=True):
            self.emit_learned_value(param, arg)
        args = self.build_step_arguments(step, stmt)
        if self.suspension.can_stop(stmt):
            if self.suspension.is_called_once(step.name) and step.name not in self.enclosing_steps:
                self.lower_step_scope(step, args)
            else:
                self.narrow_before_statement(stmt)
                place = self.expression_lowerer.number_rule_span(stmt.span)
                self.emit(ir.Run(self.add_step_routine(step), (*args, *self.build_pass_address(step)), place))
        elif self.is_short(step):
            self.inline_step(step, args)
        else:
            self.narrow_before_statement(stmt)
            name = self.add_function("S", step.name, self.list_step_parameters(step), step.body, step)
            finishes = bool(
                {step.name} & self.finished_steps or self.finished_steps & self.find_called_steps(step.body)
            )
            self.emit(ir.Do(name, args, finishes and self.in_routine))

    def build_step_arguments(self, step: g.Step, stmt: g.Do) -> tuple[ir.Expr, ...]:
        """Return the arguments of a step: the acting player, and its parameters."""
        values = [self.expression_lowerer.lower_present_value(stmt.of)] if stmt.of is not None else []
        values += [self.lower_argument(var, arg) for var, arg in zip(step.params, stmt.args, strict=True)]
        return (*values, *self.build_note_arguments(step.params, stmt.args))

    def list_step_parameters(self, step: g.Step) -> tuple[g.Var, ...]:
        return ((step.you,) if step.you else ()) + step.params + self.list_note_parameters(step.params)

    def lower_argument(self, var: g.Var, arg: g.Expr) -> ir.Expr:
        scale = self.layout.scales.variable_scales.get(var.id, 1)
        return self.expression_lowerer.lower_present_value(
            arg, self.expression_lowerer.lower_number(arg, scale) if arg.type.tag == "number" else None
        )

    def build_pass_address(self, step: g.Step) -> tuple[ir.Expr, ...]:
        """Return the address where a step stores that a player has passed: depth of the frame, and slot."""
        if step.name not in self.suspension.passing_steps:
            return ()
        if self.pass_flag is None:
            return (ir.Const(ir.NUMBER, -1), ir.ZERO)
        if self.pass_flag.flag is None:
            return (self.pass_flag.depth, self.pass_flag.base)
        self.frame_variables.add(self.pass_flag.flag.number)
        return (ir.Op(ir.NUMBER, "depth", ()), ir.SlotOf(ir.NUMBER, self.pass_flag.flag))

    # ------------------------------------------------------------ inlining
    def is_short(self, step: g.Step) -> bool:
        """Check whether a step's body is short enough to inline."""
        parts = list(walk(step.body))
        effects = list(map(find_effects, parts))
        return len(parts) <= MAX_INLINE_STEP and not any(
            each.finished or each.steps or each.card_steps for each in effects
        )

    def inline_step(self, step: g.Step, args: Sequence[ir.Expr]) -> None:
        saved = dict(self.expression_lowerer.env)
        self.bind_parameters(step, args)
        here, self.current_step = self.current_step, step.name
        with self.forget_inner_names():
            self.bind_note_parameters(step.params)
            self.emit_step_start(step)
            self.lower_body(step.body)
        self.current_step = here
        self.expression_lowerer.env = saved

    def bind_parameters(self, step: g.Step, args: Sequence[ir.Expr]) -> None:
        for param, value in zip(self.list_step_parameters(step), args, strict=True):
            if isinstance(value, ir.Const | ir.Local):
                self.expression_lowerer.env[param.id] = value
            else:
                self.emit(ir.Assign(self.bind_local(param, value.kind), value))

    def lower_step_scope(self, step: g.Step, args: Sequence[ir.Expr]) -> None:
        """Lower a step that may wait, within the frame of its caller."""
        self.bind_parameters(step, args)
        with self.collect_emitted() as body:
            self.lower_step_body(step)
        self.emit(ir.Scope(step.name, tuple(body)))

    def lower_step_body(self, step: g.Step) -> None:
        outer = self.pass_flag, self.current_step, self.enclosing_steps
        self.pass_flag = self.pass_flag if step.name in self.suspension.passing_steps else None
        self.current_step, self.enclosing_steps = step.name, (*self.enclosing_steps, step.name)
        with self.forget_inner_names():
            self.bind_note_parameters(step.params)
            self.emit_step_start(step)
            self.lower_body(step.body)
        self.pass_flag, self.current_step, self.enclosing_steps = outer

    # ------------------------------------------------------------ routines
    def add_step_routine(self, step: g.Step) -> str:
        """Return the routine of a step with a frame of its own."""

        numbers = (PASS_DEPTH, PASS_BASE) if step.name in self.suspension.passing_steps else ()
        place = tuple(g.Var(g.NUMBER, step.origin.span, number, "pass") for number in numbers)

        def lower_step_frame() -> None:
            if place:
                self.pass_flag = PassFlag(
                    None, self.expression_lowerer.env[PASS_DEPTH], self.expression_lowerer.env[PASS_BASE]
                )
            with self.collect_emitted() as inner:
                self.lower_step_body(step)
            self.emit(ir.Scope(step.name, tuple(inner)))

        self.queue_routine(step.name, (*self.list_step_parameters(step), *place), lower_step_frame)
        return step.name

    def queue_routine(self, name: str, params: Sequence[g.Var], body: Callable[[], None]) -> None:
        """Queue a routine with a frame of its own. It is lowered after the current one."""
        if name not in self.routines:
            self.routines[name] = None
            self.pending_routines.append(lambda: self.lower_routine(name, params, body))

    def call_routine(
        self, name: str, params: Sequence[g.Var], body: Sequence[g.Stmt], args: tuple[ir.Expr, ...], place: int
    ) -> None:
        self.queue_routine(name, params, lambda: self.lower_body(body))
        self.emit(ir.Run(name, args, place))

    def lower_routine(self, name: str, params: Sequence[g.Var], body: Callable[[], None]) -> None:
        self.expression_lowerer.env, self.in_routine, self.enclosing_steps = {}, True, ()
        self.current_step, self.pass_flag, self.frame_variables, self.links = name, None, set(), []
        names = tuple(self.bind_local(var) for var in params)
        with self.collect_emitted() as found, self.start_without_names():
            body()
        self.routines[name] = ir.Routine(name, names, tuple(found), frozenset(self.frame_variables), tuple(self.links))
        self.in_routine = False

    def lower_pending_routines(self) -> None:
        while self.pending_routines:
            self.pending_routines.pop(0)()

    # ------------------------------------------------------------ functions
    def add_function(
        self, category: str, name: str, params: Sequence[g.Var], body: Sequence[g.Stmt], step: g.Step | None
    ) -> str:
        """Lower code that never waits to a function of its own, and return its name."""
        known = self.expression_lowerer.make_identifier(category, name)
        if known in self.functions:
            return known
        self.functions[known] = None
        saved = self.in_routine, self.enclosing_steps, self.current_step, self.pass_flag
        self.in_routine, self.enclosing_steps, self.current_step, self.pass_flag = (
            False,
            (),
            step.name if step is not None else "",
            None,
        )
        with (
            self.expression_lowerer.start_separate_scope(),
            self.collect_emitted() as found,
            self.start_without_names(),
        ):
            names = tuple(self.bind_local(var) for var in params)
            self.bind_note_parameters([param for param in params if is_card_type(param.type)])
            if step is not None:
                self.emit_step_start(step)
            if body and has_matching_node(body, lambda part: find_effects(part).runs_code):
                self.charge_steps(self.expression_lowerer.number_rule_span(body[0].span), body)
            self.lower_body(body)
        self.in_routine, self.enclosing_steps, self.current_step, self.pass_flag = saved
        place = self.expression_lowerer.number_rule_span(body[0].span) if body else None
        catches = step.name if step is not None and step.name in self.find_steps_finished_by_callees(step) else None
        self.functions[known] = ir.Function(known, names, tuple(found), None, place, catches)
        return known

    def find_called_steps(self, body: object) -> set[str]:
        """Return the steps that a body may run, directly or through others."""
        found: set[str] = set()
        stack = [body]
        while stack:
            for part in walk(stack.pop()):
                fresh = set(find_effects(part).steps) - found
                found |= fresh
                stack += [self.game.steps[name].body for name in fresh]
        return found

    def find_steps_finished_by_callees(self, step: g.Step) -> set[str]:
        """Return the steps that functions called from here may finish."""
        inner = [part for name in self.find_called_steps(step.body) for part in walk(self.game.steps[name].body)]
        borne = has_matching_node(step.body, lambda part: bool(find_effects(part).card_steps))
        return self.finished_steps if borne else {find_effects(part).finished for part in inner} - {""}

    # ------------------------------------------------------------ steps of cards
    def lower_DoBorne(self, stmt: g.DoBorne) -> None:
        card = self.store_in_local(self.expression_lowerer.lower_expression(stmt.card))
        notes = self.build_note_arguments([self.find_card_variable(stmt.step)], [stmt.card])
        args = (card, self.expression_lowerer.lower_present_value(stmt.of), *notes)
        self.narrow_before_statement(stmt)
        if self.suspension.can_stop(stmt):
            self.emit(
                ir.RunBorne(
                    self.add_card_routine_table(stmt.step),
                    card,
                    args,
                    self.expression_lowerer.number_rule_span(stmt.span),
                )
            )
        else:
            self.emit(ir.DoBorne(self.add_card_function_table(stmt.step), card, args, self.in_routine))

    def find_card_variable(self, name: str) -> g.Var:
        """Return the variable for the card of a card step.

        For a step shared by several cards, prefer a variable whose cards may move to a hidden zone.
        """
        cards = [body.card for body in self.game.borne_steps[name].bodies if body]
        return next(filter(self.is_tracked_name, cards), cards[0])

    def list_card_step_parameters(self, name: str, body: g.BorneStepBody) -> tuple[g.Var, ...]:
        carried = self.is_tracked_name(self.find_card_variable(name))
        return (
            body.card,
            body.you,
            *((build_seats_variable(body.card), build_candidates_variable(body.card)) if carried else ()),
        )

    def lower_card_step_body(self, body: g.BorneStepBody) -> None:
        self.bind_note_parameters([body.card])
        self.lower_body(body.body)

    def add_card_routine_table(self, name: str) -> str:
        """Add a table from cards to the routines of their steps."""
        if name not in self.card_step_routines:
            done: dict[int, str] = {}
            rows = [self.add_card_routine(name, body, done) for body in self.game.borne_steps[name].bodies]
            self.card_step_routines[name] = (*(rows[face] for face in self.layout.face), None)
        return name

    def add_card_routine(self, name: str, body: g.BorneStepBody | None, known_routines: dict[int, str]) -> str | None:
        if body is None:
            return None
        if id(body.body) not in known_routines:
            known_routines[id(body.body)] = routine = f"borne {name} {len(known_routines)}"
            self.queue_routine(
                routine, self.list_card_step_parameters(name, body), lambda: self.lower_card_step_body(body)
            )
        return known_routines[id(body.body)]

    def add_card_function_table(self, name: str) -> str:
        table = self.expression_lowerer.make_identifier("E", name)
        if table not in self.expression_lowerer.dispatch_tables:
            self.expression_lowerer.dispatch_tables[table] = ()
            done: dict[int, str] = {}
            rows = [self.add_card_function(name, body, done) for body in self.game.borne_steps[name].bodies]
            self.expression_lowerer.dispatch_tables[table] = (*(rows[face] for face in self.layout.face), None)
        return table

    def add_card_function(self, name: str, body: g.BorneStepBody | None, known_functions: dict[int, str]) -> str | None:
        if body is None:
            return None
        if id(body.body) not in known_functions:
            params = self.list_card_step_parameters(name, body)
            known_functions[id(body.body)] = self.add_function(
                "e", f"{name} {len(known_functions)}", params, body.body, None
            )
        return known_functions[id(body.body)]

    # ------------------------------------------------------------ begin and end
    def emit_step_start(self, step: g.Step) -> None:
        """Report the beginning of a step, and reset the tracks that restart with it."""
        you = self.expression_lowerer.env[step.you.id] if step.you is not None else None
        name = ir.Const(TEXT, step.name)
        self.emit(ir.Event("step", self.expression_lowerer.number_rule_span(step.origin.span), (name, you or NO_SEAT)))
        for track in self.game.tracks.values():
            for again in track.restarts:
                if again.step == step.name:
                    self.emit_track_restart(track, you if again.own else None)

    def emit_track_restart(self, track: g.Track, you: ir.Expr | None) -> None:
        base, scale = self.layout.track_base[track.name], self.layout.scales.track_scales[track.name]
        owners = self.layout.get_owner_indices(track.subject)
        if you is not None and track.var is not None:
            with self.expression_lowerer.bind_temporarily(track.var, you):
                self.emit(
                    ir.Store(base, you, self.expression_lowerer.lower_stored_value(track.start, track.type, scale))
                )
        elif track.var is None or isinstance(track.start, g.Const):
            value = self.expression_lowerer.lower_stored_value(track.start, track.type, scale)
            self.emit(ir.Store(base, None, value, count=len(owners)))
        else:
            owner = self.expression_lowerer.create_local(self.expression_lowerer.lower_type(track.var.type))
            with self.expression_lowerer.bind_temporarily(track.var, owner):
                value = self.expression_lowerer.lower_stored_value(track.start, track.type, scale)
            everyone = ir.Const(ir.build_list_kind(owner.kind), tuple(range(len(owners))))
            self.emit(ir.ForEach(owner, everyone, (ir.Store(base, owner, value),)))

    def lower_Finish(self, stmt: g.Finish) -> None:
        if stmt.step == self.current_step and not self.in_routine:
            self.emit(ir.Return())
        else:
            self.emit(ir.Leave(stmt.step))
