"""Steps that never stop, as functions of their own, and what happens when a step begins or is finished."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cardlang import game as g
from cardlang.game.walking import any_part, walk
from interpreter.lowering.blocks import Block
from interpreter.lowering.carrying import Carrying
from interpreter.lowering.naming import mangled

SHORT = 50
"""Up to how many nodes a step's body is put in where it is called."""


class Stepping(Carrying):
    def do_Do(self, stmt: g.Do, framed: bool) -> None:
        step = self.game.steps[stmt.step]
        values = self.handed(step, stmt)
        params = ((step.you,) if step.you else ()) + step.params
        if self.is_short(step):
            self.put_in(step, params, values)
            return
        name = self.function(f"S_{stmt.step}", params, step.body, step)
        self.mark({step.name} & self.finishing or self.finishing & self.calls(step.body))
        self.emit(f"{name}({', '.join(['s', *values])})")

    def is_short(self, step: g.Step) -> bool:
        """Whether a step's body may stand where it is called."""
        parts = list(walk(step.body))
        return len(parts) <= SHORT and not any(isinstance(part, g.Finish | g.Do | g.DoBorne) for part in parts)

    def put_in(self, step: g.Step, params: Sequence[g.Var], values: Sequence[str]) -> None:
        saved = dict(self.code.env)
        for param, value in zip(params, values, strict=True):
            if value.isalnum():  # a number, or a local that nothing changes
                self.code.env[param.id] = value
            else:
                self.emit(f"{self.flow.name_of(param, framed=False)} = {value}")
        here, self.flow.here = self.flow.here, step.name
        self.step_begins(step)
        for stmt in step.body:
            self.statement(stmt, framed=False)
        self.flow.here = here
        self.code.env = saved

    def handed(self, step: g.Step, stmt: g.Do) -> list[str]:
        """The sources of what a step is handed: who does it, and its arguments."""
        values = [self.code.sure(stmt.of)] if stmt.of is not None else []
        return values + [self.argument(var, arg) for var, arg in zip(step.params, stmt.args, strict=True)]

    def argument(self, var: g.Var, arg: g.Expr) -> str:
        scale = self.layout.scales.var.get(var.id, 1)
        return self.code.sure(arg, self.code.number(arg, scale) if arg.type.tag == "number" else "")

    def calls(self, body: Any) -> set[str]:
        """The steps that a body may run, directly or through others."""
        found: set[str] = set()
        stack = [body]
        while stack:
            for part in walk(stack.pop()):
                if isinstance(part, g.Do) and part.step not in found:
                    found.add(part.step)
                    stack.append(self.game.steps[part.step].body)
        return found

    def mark(self, needed: object) -> None:
        """Before a function that may finish a step around this place: note where we are."""
        if needed and self.flow.frame is not None:
            here = self.flow.keep(self.flow.new_block())
            here.emit("raise AssertionError('only a mark')")
            self.emit(f"f[0] = {here.number}")

    def do_DoBorne(self, stmt: g.DoBorne, framed: bool) -> None:
        table = mangled(f"DO_{stmt.step}")
        if table not in self.code.tables:
            rows: list[str] = []
            self.code.tables[table] = rows
            numbers: dict[int, int] = {}
            for face in self.layout.face:
                body = self.game.borne_steps[stmt.step].bodies[face]
                number = numbers.setdefault(id(body.body), len(numbers)) if body is not None else 0
                rows.append(self.borne_function(f"E_{stmt.step}__v{number}", body))
            rows.append("no_step")
        name = self.code.fresh()
        self.emit(f"{name} = {self.code.expr(stmt.card)}")
        self.mark(True)
        self.emit(f"NAMES[{table}[{name}]](s, {name}, {self.code.sure(stmt.of)})")

    def borne_function(self, name: str, body: g.BorneStepBody | None) -> str:
        if body is None:
            return "no_step"
        return self.function(name, (body.card, body.you), body.body, None)

    def function(self, name: str, params: Sequence[g.Var], body: Sequence[g.Stmt], step: g.Step | None) -> str:
        """A step that never stops, as a function of its own."""
        name = mangled(name)
        functions = self.code.functions
        if name in functions:
            return name
        functions[name] = ""
        if body:
            self.flow.places[name] = body[0].span
        flow = self.flow
        saved = (flow.block, flow.depth, flow.frame, self.code.env, flow.here)
        buffer = Block(-1, name)
        flow.block, flow.depth, flow.frame, self.code.env = buffer, 1, None, {}
        names = [flow.name_of(var, framed=False) for var in params]
        flow.here = step.name if step is not None else ""
        if step is not None:
            self.step_begins(step)
        if body and any_part(body, lambda part: isinstance(part, g.Do | g.DoBorne | g.Move | g.Pick)):
            self.fuel(body[0].span, body)  # it may run itself again, or others that run others
        for stmt in body:
            self.statement(stmt, framed=False)
        head = f"def {name}({', '.join(['s', *names])}):"
        functions[name] = "\n".join([head, *(buffer.lines or ["    pass"])])
        if step is not None and step.name in self.finishing_deeply(step):
            functions[name] = "\n".join([f"@finishes({step.name!r})", functions[name]])
        flow.block, flow.depth, flow.frame, self.code.env, flow.here = saved
        return name

    def finishing_deeply(self, step: g.Step) -> set[str]:
        """The steps that functions called from here may finish."""
        inner = [part for name in self.calls(step.body) for part in walk(self.game.steps[name].body)]
        borne = any_part(step.body, lambda part: isinstance(part, g.DoBorne))
        return self.finishing if borne else {part.step for part in inner if isinstance(part, g.Finish)}

    def step_begins(self, step: g.Step) -> None:
        """Tracks that start again with this step."""
        you = self.code.env[step.you.id] if step.you is not None else None
        if self.flow.listen:
            self.emit(f"s.events.append(('step', {self.code.span(step.origin.span)}, {step.name!r}, {you or -1}))")
        for track in self.game.tracks.values():
            for again in track.restarts:
                if again.step == step.name:
                    self.restart(track, you if again.own else None)

    def restart(self, track: g.Track, you: str | None) -> None:
        base, scale = self.layout.track_base[track.name], self.layout.scales.track[track.name]
        owners = self.layout.owners(track.subject)
        if you is not None and track.var is not None:
            with self.code.bound(track.var, you):
                self.emit(f"t[{base} + {you}] = {self.code.value(track.start, track.type, scale)}")
        elif track.var is None or isinstance(track.start, g.Const):
            value = self.code.value(track.start, track.type, scale)
            if len(owners) == 1:
                self.emit(f"t[{base}] = {value}")
            else:
                self.emit(f"t[{base}:{base + len(owners)}] = [{value}] * {len(owners)}")
        else:
            name = self.code.fresh()
            with self.code.bound(track.var, name):
                value = self.code.value(track.start, track.type, scale)
            self.emit(f"for {name} in range({len(owners)}): t[{base} + {name}] = {value}")

    def do_Finish(self, stmt: g.Finish, framed: bool) -> None:
        flow = self.flow
        if stmt.step == flow.here and flow.frame is None:
            self.emit("return")
        elif flow.frame is None:
            self.emit(f"raise Finish({stmt.step!r})")
        elif stmt.step in flow.block.enclosing:
            self.emit(f"return {flow.block.enclosing[stmt.step]}")
        else:
            self.emit(f"return unwind(s, {stmt.step!r})")
