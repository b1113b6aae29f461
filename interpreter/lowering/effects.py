"""Statements that ask nobody, to source: plain Python in the function that is being written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cardlang import game as g
from interpreter.helpers import LARGEST
from interpreter.lowering.blocks import Block
from interpreter.lowering.links import CANCELLED
from interpreter.lowering.suspending import is_settled
from interpreter.walk import any_part, walk

if TYPE_CHECKING:
    from interpreter.lowering.flow import Flow

POSITIONS = ("top", "bottom", "first", "last")


class Effects:
    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.code = flow.code
        self.layout = flow.layout
        self.game = flow.game
        self.emit = flow.emit
        self.finishing = finishing_steps(self.game)

    def statement(self, stmt: g.Stmt, framed: bool) -> None:
        """`framed`: the variables it binds are wanted by later blocks, so they belong into the frame."""
        getattr(self, f"do_{type(stmt).__name__}")(stmt, framed)

    def body(self, body: Sequence[g.Stmt]) -> None:
        with self.flow.deeper():
            for stmt in body:
                self.statement(stmt, framed=False)
            if not body:
                self.emit("pass")

    def fuel(self, span: Any) -> None:
        self.emit("s.fuel -= 1")
        self.emit(f"if s.fuel < 0: endless({self.code.span(span)})")

    # ------------------------------------------------------------ values
    def do_SetTrack(self, stmt: g.SetTrack, framed: bool) -> None:
        track = self.game.tracks[stmt.track]
        scale = self.layout.scales.track[stmt.track]
        slot = self.slot(stmt)
        value = self.code.value(stmt.value, track.type, scale)
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
        code = self.code.expr(stmt.of)
        if code.isdigit():
            return f"t[{base + int(code)}]"
        if self.code.maybe(stmt.of) or not code.replace("[", "").replace("]", "").isalnum():
            name = self.code.fresh("w")
            self.emit(f"{name} = {code}")
            if self.code.maybe(stmt.of):
                self.emit(f"if {name} < 0: nobody({self.code.span(stmt.span)})")
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

    def argument(self, var: g.Var, arg: g.Expr) -> str:
        if arg.type.tag == "number":
            return self.code.number(arg, self.layout.scales.var.get(var.id, 1))
        return self.code.expr(arg)

    # ------------------------------------------------------------ cards
    def do_Move(self, stmt: g.Move, framed: bool) -> None:
        self.move_and_trigger(stmt, framed)

    def move_and_trigger(self, stmt: g.Move, framed: bool) -> None:
        cards, chosen = self.cards(stmt.what), not is_positional(stmt.what)
        if self.is_entered(stmt.to):
            name = f"f[{self.flow.local(cards=True)}]" if framed else self.code.fresh()
            self.emit(f"{name} = list({cards})")
            cards = name
        self.move(cards, stmt.to, stmt.end, chosen, stmt.verb, stmt.span)
        self.entered(stmt.to, cards, framed)
        self.triggers(stmt)

    def cards(self, what: g.Expr) -> str:
        """The source of a list of cards that is not a pile itself, for it will change."""
        code = self.code.items(what)
        return f"{code}[:]" if isinstance(what, g.ZoneCards) and code.startswith("z[") else code

    def move(self, cards: str, to: g.Place, end: str, chosen: bool, verb: str, span: Any) -> None:
        tail = f"{chosen}, {verb!r}, {self.code.span(span)}"
        if to.each:
            self.emit(f"deal(s, {cards}, {self.piles(to)}, {tail})")
        else:
            self.emit(f"move(s, {cards}, {self.pile_number(to)}, {end!r}, {tail})")

    def piles(self, to: g.Place) -> str:
        """The source of the numbers of several players' piles."""
        base = self.layout.zone_base[to.zone]
        if to.of is None:
            raise AssertionError("players")
        if isinstance(to.of, g.Builtin) and self.layout.fixed_seats:
            return str(tuple(base + seat for seat in range(self.layout.players)))
        return f"[{base} + p for p in {self.code.items(to.of)}]"

    def put(self, card: str, to: g.Place, verb: str, span: Any) -> None:
        """One chosen card; the short way where everybody sees where it goes."""
        open_zone = self.game.zones[to.zone].viewer == "everyone" and not self.layout.marks
        if open_zone and not self.flow.listen and not (to.of is not None and self.code.maybe(to.of)):
            self.emit(f"put(s, {card}, {self.pile_number(to)})")
        else:
            self.move(f"({card},)", to, "top", True, verb, span)

    def pile_number(self, to: g.Place) -> str:
        base = self.layout.zone_base[to.zone]
        if to.of is None:
            return str(base)
        code = self.code.expr(to.of)
        if code.isdigit():
            return str(base + int(code))
        return f"pile_of({base}, {code})" if self.code.maybe(to.of) else f"{base} + {code}"

    def is_entered(self, to: g.Place) -> bool:
        return to.zone in {trigger.zone for trigger in self.game.enters}

    def entered(self, to: g.Place, cards: str, framed: bool) -> None:
        """The triggers of a zone, for each card that came in."""
        for trigger in self.game.enters:
            if trigger.zone == to.zone:
                var = trigger.card
                items = g.Var(g.list_of(g.CARD), trigger.span, -100 - var.id, "entered")
                self.code.env[items.id] = cards
                self.bind_owner(trigger, to, framed)
                each = g.Each(trigger.span, items, var, None, None, False, trigger.body)
                if self.flow.suspending.may_stop(each):
                    self.flow.sequence((each,))
                else:
                    self.statement(each, framed)

    def bind_owner(self, trigger: g.Enters, to: g.Place, framed: bool) -> None:
        if trigger.you is not None and to.of is not None:
            code = self.code.expr(to.of)
            self.emit(f"{self.flow.name_of(trigger.you, framed)} = {code}")

    def do_Pick(self, stmt: g.Pick, framed: bool) -> None:
        """Only where there is nothing to decide: so many from the top, or at random."""
        if not is_settled(stmt) or stmt.low is None or stmt.position is None:
            raise AssertionError("a choice")
        number = self.code.fresh()
        self.emit(f"{number} = {self.code.expr(stmt.low)}")
        cards = self.taken(stmt, number)
        name = f"f[{self.flow.local(cards=True)}]" if framed else self.code.fresh()
        self.emit(f"{name} = list({cards})")
        self.move(name, stmt.to, "top", stmt.position == "random", stmt.verb, stmt.span)
        self.entered(stmt.to, name, framed)
        self.triggers(stmt)

    def taken(self, stmt: g.Pick, number: str) -> str:
        items = self.code.items(stmt.source)
        state = "s, " if stmt.position == "random" else ""
        return f"some_{stmt.position}({state}{items}, {number})"

    def do_Shuffle(self, stmt: g.Shuffle, framed: bool) -> None:
        at = self.code.span(stmt.span)
        if stmt.zone.each:
            self.emit(f"for pile in {self.piles(stmt.zone)}: shuffle(s, pile, {at})")
        else:
            self.emit(f"shuffle(s, {self.pile_number(stmt.zone)}, {at})")
        self.triggers(stmt)

    def do_ShufflePlayers(self, stmt: g.ShufflePlayers, framed: bool) -> None:
        self.emit(f"shuffle_players(s, {self.code.span(stmt.span)})")

    def do_Reveal(self, stmt: g.Reveal, framed: bool) -> None:
        to = self.code.expr(stmt.to) if stmt.to is not None else "-1"
        self.emit(f"reveal(s, {self.code.items(stmt.cards)}, {to}, {self.code.span(stmt.span)})")

    def do_Eliminate(self, stmt: g.Eliminate, framed: bool) -> None:
        self.emit(f"eliminate(s, {self.code.expr(stmt.player)}, {self.code.span(stmt.span)})")
        self.triggers(stmt)

    # ------------------------------------------------------------ one after another
    def rotation(self, items: g.Expr, start: g.Expr | None) -> str:
        code = self.code.items(items)
        if start is None:
            never_changes = isinstance(items, g.Members) or (isinstance(items, g.Builtin) and self.layout.fixed_seats)
            return code if never_changes else f"list({code})"
        seats = isinstance(items, g.Builtin) and items.name == "players" and self.layout.fixed_seats
        if seats:
            n = self.layout.players
            table = [tuple((seat + step) % n for step in range(n)) for seat in (*range(n), 0)]
            return f"{self.code.table('FROM', table)}[{self.code.expr(start)}]"
        return f"rotated(s, {code}, {self.code.expr(start)})"

    def skips(self, stmt: g.Each | g.Offer, var: str) -> None:
        """Players who have been eliminated meanwhile, and items that no longer fit, are passed over."""
        if stmt.var.type.tag == "player" and not self.layout.fixed_seats:
            self.emit(f"if s.out >> {var} & 1: continue")
        if stmt.condition is not None:
            self.emit(f"if not {self.code.expr(stmt.condition)}: continue")

    def do_Each(self, stmt: g.Each, framed: bool) -> None:
        source = self.rotation(stmt.list, stmt.start)
        var = self.flow.name_of(stmt.var, framed=False)
        self.emit(f"for {var} in {source}:")
        with self.flow.deeper():
            self.skips(stmt, var)
        self.body(stmt.body)

    def do_Repeat(self, stmt: g.Repeat, framed: bool) -> None:
        until = "True" if stmt.until is None else f"not {self.code.expr(stmt.until)}"
        self.emit(f"while {until}:")
        with self.flow.deeper():
            self.fuel(stmt.span)
        self.body(stmt.body)

    def do_If(self, stmt: g.If, framed: bool) -> None:
        self.emit(f"if {self.code.expr(stmt.condition)}:")
        self.body(stmt.then)
        if stmt.otherwise:
            self.emit("else:")
            self.body(stmt.otherwise)

    # ------------------------------------------------------------ steps
    def do_Do(self, stmt: g.Do, framed: bool) -> None:
        step = self.game.steps[stmt.step]
        values = [self.code.expr(stmt.of)] if stmt.of is not None else []
        values += [self.argument(var, arg) for var, arg in zip(step.params, stmt.args, strict=True)]
        params = ((step.you,) if step.you else ()) + step.params
        name = self.function(f"S_{stmt.step}", params, step.body, step)
        self.mark({step.name} & self.finishing or self.finishing & self.calls(step.body))
        self.emit(f"{name}({', '.join(['s', *values])})")

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
        table = f"DO_{stmt.step}".replace("-", "_")
        if table not in self.code.tables:
            rows: list[str] = []
            self.code.tables[table] = rows
            for face in self.layout.face:
                body = self.game.borne_steps[stmt.step].bodies[face]
                rows.append(self.borne_function(stmt.step, body))
            rows.append("no_step")
        name = self.code.fresh()
        self.emit(f"{name} = {self.code.expr(stmt.card)}")
        self.mark(True)
        self.emit(f"NAMES[{table}[{name}]](s, {name}, {self.code.expr(stmt.of)})")

    def borne_function(self, name: str, body: g.BorneStepBody | None) -> str:
        if body is None:
            return "no_step"
        return self.function(f"E_{name}_{id(body.body)}", (body.card, body.you), body.body, None)

    def function(self, name: str, params: Sequence[g.Var], body: Sequence[g.Stmt], step: g.Step | None) -> str:
        """A step that never stops, as a function of its own."""
        name = "".join(c if c.isalnum() else "_" for c in name)
        functions = self.code.functions
        if name in functions:
            return name
        functions[name] = ""
        flow = self.flow
        saved = (flow.block, flow.depth, flow.frame, self.code.env, flow.here)
        buffer = Block(-1, name)
        flow.block, flow.depth, flow.frame, self.code.env = buffer, 1, None, {}
        names = [flow.name_of(var, framed=False) for var in params]
        flow.here = step.name if step is not None else ""
        if step is not None:
            self.step_begins(step)
        if step is None:  # what cards bear may run itself again
            self.fuel(body[0].span)
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
            self.emit(f"s.events.append(('step', {self.code.span(step.node.span)}, {step.name!r}, {you or -1}))")
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

    def do_Cancel(self, stmt: g.Cancel, framed: bool) -> None:
        env = self.code.env
        self.emit(f"s.frames[{env[-1]}][{env[-2]} + {CANCELLED}] = 1")
        if self.flow.listen:
            self.emit(f"s.events.append(('cancelled', {self.code.span(stmt.span)}, {self.flow.here!r}))")

    def do_Property(self, stmt: g.Property, framed: bool) -> None:
        self.emit(f"if CHECKING[0] and not {self.code.expr(stmt.condition)}: broken({self.code.span(stmt.span)})")

    # ------------------------------------------------------------ triggers
    def triggers(self, stmt: g.Stmt) -> None:
        """`whenever` conditions are asked again after every change."""
        for index, trigger in enumerate(self.game.whenevers):
            was = f"s.t[{len(self.layout.tracks) + index}]"
            self.emit(f"if {self.code.expr(trigger.condition)}:")
            with self.flow.deeper():
                self.emit(f"if not {was}:")
                with self.flow.deeper():
                    self.emit(f"{was} = 1")
                    self.emit(f"{self.function(f'W_{index}', (), trigger.body, None)}(s)")
            self.emit(f"else: {was} = 0")


def is_positional(what: g.Expr) -> bool:
    """Whether everybody can follow which cards these are: whole zones, or so many from an end."""
    if isinstance(what, g.Joined):
        return all(is_positional(item) for item in what.items)
    if isinstance(what, g.Agg):
        return what.function in POSITIONS and is_positional(what.list)
    if isinstance(what, g.MapEach):
        return is_positional(what.value)
    return isinstance(what, g.ZoneCards | g.SetCards)


def finishing_steps(game: g.Game) -> set[str]:
    from interpreter.walk import everything

    return {part.step for part in everything(game) if isinstance(part, g.Finish)}
