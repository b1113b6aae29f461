"""Lower statements without cards, steps or choices: stored values, conditions, loops."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cardlang import game as g
from interpreter import lowered as lo
from interpreter.expected import sides
from interpreter.lowering.building import ONE, ZERO, Passing, Statements
from interpreter.lowering.carrying import Carrying
from interpreter.lowering.effort import is_counted
from interpreter.lowering.links import CANCELLED
from interpreter.lowering.single import LINK_BASE, LINK_DEPTH
from interpreter.lowering.telling import Telling
from interpreter.lowering.writer import TRUE, conjunction, is_simple


class Plain(Telling, Carrying):
    def do_SetTrack(self, stmt: g.SetTrack) -> None:
        track, scale = self.game.tracks[stmt.track], self.layout.scales.track[stmt.track]
        base, of = self.slot(stmt)
        if stmt.track in self.code.watched:
            self.emit(lo.Do("to_be_set", (lo.Const(lo.NUMBER, base), of or ZERO)))
        value = self.code.value(stmt.value, track.type, scale)
        if track.type.tag == "number":
            value = self.code.sure(stmt.value, value)
        place, small = self.code.place(stmt.span), self.is_small(stmt.value)
        if stmt.operator == "=":
            checked = track.type.tag == "number" and not small
            self.emit(lo.Store(base, of, value, place, checked))
        else:
            self.emit(lo.Bump(base, of, stmt.operator, value, place, not small))
        self.triggers()

    def slot(self, stmt: g.SetTrack) -> tuple[int, lo.Expr | None]:
        """Return the slot of a track. Its owner is evaluated once."""
        base = self.layout.track_base[stmt.track]
        if stmt.of is None:
            return base, None
        of = self.code.sure(stmt.of)
        if isinstance(of, lo.Const) and isinstance(of.value, int):
            return base + of.value, None
        return base, of if is_simple(of) else self.kept(of)

    def is_small(self, value: g.Expr) -> bool:
        """Check whether a number is so small that no sum of it within the step limit exceeds 64 bits."""
        if isinstance(value, g.Const):
            return isinstance(value.value, int) and abs(value.value) < 1 << 32
        if isinstance(value, g.Call):
            return value.of is None and self.is_small(self.game.defines[value.define].value)
        return isinstance(value, g.Agg) and value.function == "count"

    def do_Remember(self, stmt: g.Remember) -> None:
        self.learn(stmt.var, stmt.value)
        value = self.code.expr(stmt.value)
        local = self.bind(stmt.var, value.kind)
        self.emit(lo.Assign(local, value, copied=stmt.value.type.tag == "list" and not self.stays(value)))
        self.unchanging.add(local.number)
        self.note_value(stmt.var, stmt.value)

    def do_Eliminate(self, stmt: g.Eliminate) -> None:
        self.emit(lo.Effect("eliminate", (self.code.sure(stmt.player),), self.code.place(stmt.span)))
        self.triggers()

    # ------------------------------------------------------------ conditions and loops
    def do_If(self, stmt: g.If) -> None:
        condition = self.code.expr(stmt.condition)
        then, otherwise = (self.nested(self.where_known(stmt, body), body) for body in (stmt.then, stmt.otherwise))
        self.emit(lo.If(condition, then, otherwise))

    def where_known(self, stmt: g.If, body: Sequence[g.Stmt]) -> Callable[[], None]:
        def lower() -> None:
            with self.only_where(stmt.condition):
                self.sequence(body)

        return lower

    def do_Repeat(self, stmt: g.Repeat) -> None:
        outer, condition = self.passing, None
        if stmt.until_pass:
            flag = self.code.local(lo.FLAG)
            self.emit(lo.Assign(flag, lo.Const(lo.FLAG, 0)))
            self.passing, condition = Passing(flag), lo.Not(lo.FLAG, flag)
        elif stmt.until is not None:
            condition = lo.Not(lo.FLAG, self.code.expr(stmt.until))

        def body() -> None:
            self.fuel(self.code.place(stmt.span), stmt.body)
            self.sequence(stmt.body)

        self.emit(lo.While(condition, self.nested(body, stmt.body)))
        self.passing = outer

    def do_Each(self, stmt: g.Each) -> None:
        if stmt.together:
            self.together(stmt)
            return
        outer, self.passing = self.passing, None
        with self.names_within():
            self.note_list(stmt)
            var, items = self.gone_round(stmt, self.suspending.may_stop(stmt) or is_counted(stmt))
            body = self.fitting(stmt, var, lambda: self.round(stmt))
            self.emit(lo.ForEach(var, items, body))
        self.passing = outer

    def round(self, stmt: g.Each) -> None:
        """Lower the body of a loop for one item."""
        with self.each_of_list(stmt), self.only_where(stmt.condition):
            self.sequence(stmt.body)

    def gone_round(self, stmt: g.Each, counted: bool) -> tuple[lo.Local, lo.Expr]:
        """Return the variable and the list of a loop. `counted`: each round is a step."""
        self.learn(stmt.var, stmt.list)
        items = self.rotation(stmt.list, stmt.start)
        if counted:
            items = self.kept(items)
            self.fuel(self.code.place(stmt.span), stmt.body, lo.Count(lo.NUMBER, items))
        return self.bind(stmt.var), items

    def rotation(self, items: g.Expr, start: g.Expr | None) -> lo.Expr:
        """Return the list of a loop, copied at its start and rotated to begin with `start`."""
        code = self.code.items(items)
        if start is None:
            never_changes = isinstance(items, g.Members) or (isinstance(items, g.Builtin) and self.layout.fixed_seats)
            return code if never_changes or self.stays(code) else lo.Op(code.kind, "copied", (code,))
        if isinstance(items, g.Builtin) and items.name == "players" and self.layout.fixed_seats:
            n = self.layout.players
            table = [tuple((seat + step) % n for step in range(n)) for seat in range(n)]
            return lo.Entry(code.kind, self.code.table("SEATS", "from", table), self.code.sure(start))
        return lo.Op(code.kind, "rotated", (code, self.code.sure(start)))

    def fitting(self, stmt: g.Each, var: lo.Local, body: Callable[[], None]) -> Statements:
        """Return the body of a loop. It skips players who have been eliminated meanwhile, and items that no longer
        fit."""
        tests = [self.still_in(var)] if stmt.var.type.tag == "player" else []
        if stmt.condition is not None:
            tests.append(self.code.expr(stmt.condition))
        inner, condition = self.nested(body, stmt.body), conjunction(tests)
        return inner if condition == TRUE else (lo.If(condition, inner),)

    def still_in(self, player: lo.Expr) -> lo.Expr:
        return lo.Not(lo.FLAG, lo.Op(lo.FLAG, "is_out", (player,))) if self.layout.eliminates else TRUE

    # ------------------------------------------------------------ reactions and properties
    def do_Cancel(self, stmt: g.Cancel) -> None:
        env = self.code.env
        self.emit(lo.SetLink(env[LINK_DEPTH], env[LINK_BASE], CANCELLED, ONE))
        self.emit(lo.Event("cancelled", self.code.place(stmt.span), (lo.Const(lo.Kind("text"), self.here),)))

    def do_Property(self, stmt: g.Property) -> None:
        values = tuple(self.code.expr(side) for side in sides(stmt.condition))
        self.expected.append(stmt)
        self.emit(lo.Expect(len(self.expected) - 1, self.code.expr(stmt.condition), values))

    def together(self, stmt: g.Each) -> None:
        raise NotImplementedError
