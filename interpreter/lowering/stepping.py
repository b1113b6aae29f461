"""Lower steps: inline, as functions, or as routines with a frame; and their beginning and end."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cardlang import game as g
from cardlang.game.walking import any_part, walk
from interpreter import lowered as lo
from interpreter.layout import about_cards
from interpreter.lowered.kinds import TEXT
from interpreter.lowering.building import NOBODY, ZERO, Passing
from interpreter.lowering.knowers import among_of, seats_of
from interpreter.lowering.plain import Plain

SHORT = 50
"""Maximum size, in nodes, of an inlined step."""
CALLING = (g.Do, g.DoBorne, g.Move, g.Pick)
"""Statements by which a function may call itself or others."""


PASS_DEPTH, PASS_BASE = -4, -5
"""Numbers of the variables that hold the address of the pass flag."""


class Stepping(Plain):
    def do_Do(self, stmt: g.Do) -> None:
        step = self.game.steps[stmt.step]
        for param, arg in zip(step.params, stmt.args, strict=True):
            self.learn(param, arg)
        args = self.handed(step, stmt)
        if self.suspending.may_stop(stmt):
            if self.suspending.single_call(step.name) and step.name not in self.within:
                self.scope(step, args)
            else:
                self.hide_before(stmt)
                place = self.code.place(stmt.span)
                self.emit(lo.Run(self.routine_of(step), (*args, *self.handed_pass(step)), place))
        elif self.is_short(step):
            self.put_in(step, args)
        else:
            self.hide_before(stmt)
            name = self.function("S", step.name, self.parameters(step), step.body, step)
            finishes = bool({step.name} & self.finishing or self.finishing & self.calls(step.body))
            self.emit(lo.Do(name, args, finishes and self.framed))

    def handed(self, step: g.Step, stmt: g.Do) -> tuple[lo.Expr, ...]:
        """Return the arguments of a step: the acting player, and its parameters."""
        values = [self.code.sure(stmt.of)] if stmt.of is not None else []
        values += [self.argument(var, arg) for var, arg in zip(step.params, stmt.args, strict=True)]
        return (*values, *self.handed_notes(step.params, stmt.args))

    def parameters(self, step: g.Step) -> tuple[g.Var, ...]:
        return ((step.you,) if step.you else ()) + step.params + self.notes_of(step.params)

    def argument(self, var: g.Var, arg: g.Expr) -> lo.Expr:
        scale = self.layout.scales.var.get(var.id, 1)
        return self.code.sure(arg, self.code.number(arg, scale) if arg.type.tag == "number" else None)

    def handed_pass(self, step: g.Step) -> tuple[lo.Expr, ...]:
        """Return the address where a step stores that a player has passed: depth of the frame, and slot."""
        if step.name not in self.suspending.passed:
            return ()
        if self.passing is None:
            return (lo.Const(lo.NUMBER, -1), ZERO)
        if self.passing.flag is None:
            return (self.passing.depth, self.passing.base)
        self.wanted.add(self.passing.flag.number)
        return (lo.Op(lo.NUMBER, "depth", ()), lo.SlotOf(lo.NUMBER, self.passing.flag))

    # ------------------------------------------------------------ inlining
    def is_short(self, step: g.Step) -> bool:
        """Check whether a step's body is short enough to inline."""
        parts = list(walk(step.body))
        return len(parts) <= SHORT and not any(isinstance(part, g.Finish | g.Do | g.DoBorne) for part in parts)

    def put_in(self, step: g.Step, args: Sequence[lo.Expr]) -> None:
        saved = dict(self.code.env)
        self.set_parameters(step, args)
        here, self.here = self.here, step.name
        with self.names_within():
            self.take_notes(step.params)
            self.step_begins(step)
            self.sequence(step.body)
        self.here = here
        self.code.env = saved

    def set_parameters(self, step: g.Step, args: Sequence[lo.Expr]) -> None:
        for param, value in zip(self.parameters(step), args, strict=True):
            if isinstance(value, lo.Const | lo.Local):
                self.code.env[param.id] = value
            else:
                self.emit(lo.Assign(self.bind(param, value.kind), value))

    def scope(self, step: g.Step, args: Sequence[lo.Expr]) -> None:
        """Lower a step that may wait, within the frame of its caller."""
        self.set_parameters(step, args)
        with self.collected() as body:
            self.step_body(step)
        self.emit(lo.Scope(step.name, tuple(body)))

    def step_body(self, step: g.Step) -> None:
        outer = self.passing, self.here, self.within
        self.passing = self.passing if step.name in self.suspending.passed else None
        self.here, self.within = step.name, (*self.within, step.name)
        with self.names_within():
            self.take_notes(step.params)
            self.step_begins(step)
            self.sequence(step.body)
        self.passing, self.here, self.within = outer

    # ------------------------------------------------------------ routines
    def routine_of(self, step: g.Step) -> str:
        """Return the routine of a step with a frame of its own."""

        numbers = (PASS_DEPTH, PASS_BASE) if step.name in self.suspending.passed else ()
        place = tuple(g.Var(g.NUMBER, step.origin.span, number, "pass") for number in numbers)

        def body() -> None:
            if place:
                self.passing = Passing(None, self.code.env[PASS_DEPTH], self.code.env[PASS_BASE])
            with self.collected() as inner:
                self.step_body(step)
            self.emit(lo.Scope(step.name, tuple(inner)))

        self.routine(step.name, (*self.parameters(step), *place), body)
        return step.name

    def routine(self, name: str, params: Sequence[g.Var], body: Callable[[], None]) -> None:
        """Queue a routine with a frame of its own. It is lowered after the current one."""
        if name not in self.routines:
            self.routines[name] = None
            self.waiting.append(lambda: self.lower_routine(name, params, body))

    def run(
        self, name: str, params: Sequence[g.Var], body: Sequence[g.Stmt], args: tuple[lo.Expr, ...], place: int
    ) -> None:
        self.routine(name, params, lambda: self.sequence(body))
        self.emit(lo.Run(name, args, place))

    def lower_routine(self, name: str, params: Sequence[g.Var], body: Callable[[], None]) -> None:
        self.code.env, self.framed, self.within = {}, True, ()
        self.here, self.passing, self.wanted, self.links = name, None, set(), []
        names = tuple(self.bind(var) for var in params)
        with self.collected() as found, self.names_apart():
            body()
        self.routines[name] = lo.Routine(name, names, tuple(found), frozenset(self.wanted), tuple(self.links))
        self.framed = False

    def lower_waiting(self) -> None:
        while self.waiting:
            self.waiting.pop(0)()

    # ------------------------------------------------------------ functions
    def function(
        self, sort: str, name: str, params: Sequence[g.Var], body: Sequence[g.Stmt], step: g.Step | None
    ) -> str:
        """Lower code that never waits to a function of its own, and return its name."""
        known = self.code.named(sort, name)
        if known in self.functions:
            return known
        self.functions[known] = None
        saved = self.framed, self.within, self.here, self.passing
        self.framed, self.within, self.here, self.passing = False, (), step.name if step is not None else "", None
        with self.code.apart(), self.collected() as found, self.names_apart():
            names = tuple(self.bind(var) for var in params)
            self.take_notes([param for param in params if about_cards(param.type)])
            if step is not None:
                self.step_begins(step)
            if body and any_part(body, lambda part: isinstance(part, CALLING)):
                self.fuel(self.code.place(body[0].span), body)
            self.sequence(body)
        self.framed, self.within, self.here, self.passing = saved
        place = self.code.place(body[0].span) if body else None
        catches = step.name if step is not None and step.name in self.finishing_deeply(step) else None
        self.functions[known] = lo.Function(known, names, tuple(found), None, place, catches)
        return known

    def calls(self, body: object) -> set[str]:
        """Return the steps that a body may run, directly or through others."""
        found: set[str] = set()
        stack = [body]
        while stack:
            for part in walk(stack.pop()):
                if isinstance(part, g.Do) and part.step not in found:
                    found.add(part.step)
                    stack.append(self.game.steps[part.step].body)
        return found

    def finishing_deeply(self, step: g.Step) -> set[str]:
        """Return the steps that functions called from here may finish."""
        inner = [part for name in self.calls(step.body) for part in walk(self.game.steps[name].body)]
        borne = any_part(step.body, lambda part: isinstance(part, g.DoBorne))
        return self.finishing if borne else {part.step for part in inner if isinstance(part, g.Finish)}

    # ------------------------------------------------------------ steps of cards
    def do_DoBorne(self, stmt: g.DoBorne) -> None:
        card = self.kept(self.code.expr(stmt.card))
        notes = self.handed_notes([self.borne_card(stmt.step)], [stmt.card])
        args = (card, self.code.sure(stmt.of), *notes)
        self.hide_before(stmt)
        if self.suspending.may_stop(stmt):
            self.emit(lo.RunBorne(self.borne_routines(stmt.step), card, args, self.code.place(stmt.span)))
        else:
            self.emit(lo.DoBorne(self.borne_functions(stmt.step), card, args, self.framed))

    def borne_card(self, name: str) -> g.Var:
        """Return the variable for the card of a card step. For a step shared by several cards, prefer a variable
        that is carried."""
        cards = [body.card for body in self.game.borne_steps[name].bodies if body]
        return next(filter(self.is_carried, cards), cards[0])

    def borne_parameters(self, name: str, body: g.BorneStepBody) -> tuple[g.Var, ...]:
        carried = self.is_carried(self.borne_card(name))
        return (body.card, body.you, *((seats_of(body.card), among_of(body.card)) if carried else ()))

    def borne_body(self, body: g.BorneStepBody) -> None:
        self.take_notes([body.card])
        self.sequence(body.body)

    def borne_routines(self, name: str) -> str:
        """Add a table from cards to the routines of their steps."""
        if name not in self.borne:
            done: dict[int, str] = {}
            rows = [self.borne_routine(name, body, done) for body in self.game.borne_steps[name].bodies]
            self.borne[name] = (*(rows[face] for face in self.layout.face), None)
        return name

    def borne_routine(self, name: str, body: g.BorneStepBody | None, done: dict[int, str]) -> str | None:
        if body is None:
            return None
        if id(body.body) not in done:
            done[id(body.body)] = routine = f"borne {name} {len(done)}"
            self.routine(routine, self.borne_parameters(name, body), lambda: self.borne_body(body))
        return done[id(body.body)]

    def borne_functions(self, name: str) -> str:
        table = self.code.named("E", name)
        if table not in self.code.dispatches:
            self.code.dispatches[table] = ()
            done: dict[int, str] = {}
            rows = [self.borne_step(name, body, done) for body in self.game.borne_steps[name].bodies]
            self.code.dispatches[table] = (*(rows[face] for face in self.layout.face), None)
        return table

    def borne_step(self, name: str, body: g.BorneStepBody | None, done: dict[int, str]) -> str | None:
        if body is None:
            return None
        if id(body.body) not in done:
            params = self.borne_parameters(name, body)
            done[id(body.body)] = self.function("e", f"{name} {len(done)}", params, body.body, None)
        return done[id(body.body)]

    # ------------------------------------------------------------ begin and end
    def step_begins(self, step: g.Step) -> None:
        """Report the beginning of a step, and reset the tracks that restart with it."""
        you = self.code.env[step.you.id] if step.you is not None else None
        name = lo.Const(TEXT, step.name)
        self.emit(lo.Event("step", self.code.place(step.origin.span), (name, you or NOBODY)))
        for track in self.game.tracks.values():
            for again in track.restarts:
                if again.step == step.name:
                    self.restart(track, you if again.own else None)

    def restart(self, track: g.Track, you: lo.Expr | None) -> None:
        base, scale = self.layout.track_base[track.name], self.layout.scales.track[track.name]
        owners = self.layout.owners(track.subject)
        if you is not None and track.var is not None:
            with self.code.bound(track.var, you):
                self.emit(lo.Store(base, you, self.code.value(track.start, track.type, scale)))
        elif track.var is None or isinstance(track.start, g.Const):
            value = self.code.value(track.start, track.type, scale)
            self.emit(lo.Store(base, None, value, count=len(owners)))
        else:
            owner = self.code.local(self.code.kind(track.var.type))
            with self.code.bound(track.var, owner):
                value = self.code.value(track.start, track.type, scale)
            everyone = lo.Const(lo.list_of(owner.kind), tuple(range(len(owners))))
            self.emit(lo.ForEach(owner, everyone, (lo.Store(base, owner, value),)))

    def do_Finish(self, stmt: g.Finish) -> None:
        if stmt.step == self.here and not self.framed:
            self.emit(lo.Return())
        else:
            self.emit(lo.Leave(stmt.step))
