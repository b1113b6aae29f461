"""Statements that ask nobody, to source: plain Python in the function that is being written."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cardlang import game as g
from interpreter.expected import sides
from interpreter.helpers import LARGEST
from interpreter.lowering.blocks import Block
from interpreter.lowering.effort import is_counted
from interpreter.lowering.links import CANCELLED
from interpreter.lowering.stepping import Stepping

DEEPEST = 15
"""So deep bodies stand within each other in one function. Python reads at most 20 loops within loops."""


class Effects(Stepping):
    """Every statement that asks nobody."""

    def body(self, body: Sequence[g.Stmt]) -> None:
        with self.flow.deeper():
            if self.flow.depth > DEEPEST:
                self.apart(body)
                return
            for stmt in body:
                self.statement(stmt, framed=False)
            if not body:
                self.emit("pass")

    def apart(self, body: Sequence[g.Stmt]) -> None:
        """A body in a function of its own, which gives None where it was carried out to its end."""
        flow = self.flow
        outer, depth = flow.block, flow.depth
        flow.block, flow.depth = Block(-1, outer.step, outer.answers, outer.enclosing), 0
        with self.code.outlining() as known:
            for stmt in body:
                self.statement(stmt, framed=False)
        lines = [re.sub(r"^( *)return$", r"\1return 0", line) for line in flow.block.lines]
        flow.block, flow.depth = outer, depth
        self.emit(f"if (end := {self.code.outlined(lines or ['pass'], known)}) is not None: return end")

    def do_SetTrack(self, stmt: g.SetTrack, framed: bool) -> None:
        track = self.game.tracks[stmt.track]
        scale = self.layout.scales.track[stmt.track]
        slot = self.slot(stmt)
        value = self.code.value(stmt.value, track.type, scale)
        if track.type.tag == "number":
            value = self.code.sure(stmt.value, value)
        if self.flow.listen:
            self.emit(f"old = {slot}")
        if stmt.operator == "=" and (track.type.tag != "number" or self.is_small(stmt.value)):
            self.emit(f"{slot} = {value}")
        elif stmt.operator == "=":
            self.emit(f"{slot} = checked({value}, {self.code.span(stmt.span)})")
        elif self.is_small(stmt.value):
            self.emit(f"{slot} {stmt.operator}= {value}")
        else:
            self.emit(f"{slot} = n = {slot} {stmt.operator} ({value})")
            self.emit(f"if not {-LARGEST} < n < {LARGEST}: checked(n, {self.code.span(stmt.span)})")
        if self.flow.listen:
            number = slot[2:-1]
            self.emit(f"s.events.append(('set', {self.code.span(stmt.span)}, {number}, old, {slot}))")
        self.triggers(stmt)

    def slot(self, stmt: g.SetTrack) -> str:
        """The slot as an assignable place; whose it is, is worked out once."""
        base = self.layout.track_base[stmt.track]
        if stmt.of is None:
            return f"t[{base}]"
        code = self.code.sure(stmt.of)
        if code.isdigit():
            return f"t[{base + int(code)}]"
        if not code.replace("[", "").replace("]", "").isalnum():
            name = self.code.fresh("w")
            self.emit(f"{name} = {code}")
            code = name
        return f"t[{base} + {code}]"

    def is_small(self, value: g.Expr) -> bool:
        """Whether a number is so small that no sum of it within the cap of steps can leave 64 bits."""
        if isinstance(value, g.Const):
            return isinstance(value.value, int) and abs(value.value) < 1 << 32
        if isinstance(value, g.Call):
            return value.of is None and self.is_small(self.game.defines[value.define].value)
        return isinstance(value, g.Agg) and value.function == "count"

    def do_Remember(self, stmt: g.Remember, framed: bool) -> None:
        code = self.code.expr(stmt.value)
        if stmt.value.type.tag == "list":
            code = f"list({code})"
        self.emit(f"{self.flow.name_of(stmt.var, framed)} = {code}")

    def do_Eliminate(self, stmt: g.Eliminate, framed: bool) -> None:
        self.emit(f"eliminate(s, {self.code.sure(stmt.player)}, {self.code.span(stmt.span)})")
        self.triggers(stmt)

    def rotation(self, items: g.Expr, start: g.Expr | None) -> str:
        code = self.code.items(items)
        if start is None:
            never_changes = isinstance(items, g.Members) or (isinstance(items, g.Builtin) and self.layout.fixed_seats)
            return code if never_changes else f"list({code})"
        seats = isinstance(items, g.Builtin) and items.name == "players" and self.layout.fixed_seats
        if seats:
            n = self.layout.players
            table = [tuple((seat + step) % n for step in range(n)) for seat in range(n)]
            return f"{self.code.table('FROM', table)}[{self.code.sure(start)}]"
        return f"rotated(s, {code}, {self.code.sure(start)})"

    def skips(self, stmt: g.Each | g.Offer, var: str) -> None:
        """Players who have been eliminated meanwhile, and items that no longer fit, are passed over."""
        if stmt.var.type.tag == "player":
            self.passes_over(var)
        if stmt.condition is not None:
            self.emit(f"if not {self.code.expr(stmt.condition)}: continue")

    def passes_over(self, player: str) -> None:
        """In a loop: on to the next one, if this player is out."""
        if self.layout.eliminates:
            self.emit(f"if s.out >> {player} & 1: continue")

    def do_Each(self, stmt: g.Each, framed: bool) -> None:
        source = self.rotation(stmt.list, stmt.start)
        var = self.flow.name_of(stmt.var, framed=False)
        if is_counted(stmt):
            name = self.code.fresh()
            self.emit(f"{name} = {source}")
            self.fuel(stmt.span, stmt.body, f"len({name})")
            source = name
        self.emit(f"for {var} in {source}:")
        with self.flow.deeper():
            self.skips(stmt, var)
        self.body(stmt.body)

    def do_Repeat(self, stmt: g.Repeat, framed: bool) -> None:
        until = "True" if stmt.until is None else f"not {self.code.expr(stmt.until)}"
        self.emit(f"while {until}:")
        with self.flow.deeper():
            self.fuel(stmt.span, stmt.body)
        self.body(stmt.body)

    def do_If(self, stmt: g.If, framed: bool) -> None:
        word = "if"
        while True:
            self.emit(f"{word} {self.code.expr(stmt.condition)}:")
            self.body(stmt.then)
            if len(stmt.otherwise) != 1 or not isinstance(stmt.otherwise[0], g.If):
                break
            word, stmt = "elif", stmt.otherwise[0]
        if stmt.otherwise:
            self.emit("else:")
            self.body(stmt.otherwise)

    def do_Cancel(self, stmt: g.Cancel, framed: bool) -> None:
        env = self.code.env
        self.emit(f"s.frames[{env[-1]}][{env[-2]} + {CANCELLED}] = 1")
        if self.flow.listen:
            self.emit(f"s.events.append(('cancelled', {self.code.span(stmt.span)}, {self.flow.here!r}))")

    def do_Property(self, stmt: g.Property, framed: bool) -> None:
        values = "".join(f"{self.code.expr(side)}, " for side in sides(stmt.condition))
        number = len(self.flow.expected)
        self.flow.expected.append(stmt)
        self.emit(f"if s.checking and not {self.code.expr(stmt.condition)}: broken({number}, ({values}))")
