"""Statements to source. What runs without asking anybody becomes plain functions; what may stop at a decision
becomes blocks, with its variables in a frame, so that a match can stand still anywhere as plain data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from attrs import Factory, define

from cardlang import game as g
from cardlang.source import Span
from interpreter.layout import Layout, about_cards
from interpreter.lowering.announcing import Announcing
from interpreter.lowering.blocks import Block
from interpreter.lowering.effects import Effects
from interpreter.lowering.expressions import Expressions
from interpreter.lowering.naming import mangled
from interpreter.lowering.suspending import Suspending
from interpreter.state import ABSENT, Site


@define
class Frame:
    """The slots of one kind of frame: slot 0 is the block to go on with, then its parameters, then the rest.
    `cards`: those that hold a card or a list of cards, with what is there before: ABSENT, or no cards; `codes`: those
    that hold choices waiting for others, with their sites."""

    name: str
    params: int
    size: int = 1
    cards: dict[int, Any] = Factory(dict)
    codes: dict[int, int] = Factory(dict)

    def slots(self, count: int = 1) -> int:
        first = self.size
        self.size += count
        return first


class Flow:
    """The lowering of one game for one number of players. `listen`: with events."""

    def __init__(self, layout: Layout, listen: bool) -> None:
        self.layout = layout
        self.game = layout.game
        self.listen = listen
        self.code = Expressions(layout)
        self.suspending = Suspending(self.game)
        self.blocks: list[Block] = []
        self.kept: set[int] = set()
        self.frames: dict[str, Frame] = {}
        self.sites: list[Site] = []
        self.scopes: list[dict[int, str]] = []
        self.frame_of: dict[int, Frame] = {}
        self.site_of: dict[int, int] = {}
        self.together: dict[int, tuple[int, int]] = {}
        """By site: where those who choose together begin to be asked, and the slot in which their choices wait."""
        self.entries: dict[str, int] = {}
        self.expected: list[g.Property] = []
        self.places: dict[str, Span] = {}
        """By function: the rule that it comes from."""
        self.waiting: list[Callable[[], None]] = []
        self.block: Block
        self.frame: Frame | None = None
        self.depth = 0
        self.pass_slot: int | None = None
        self.link: int | None = None
        self.here: str = ""
        self.effects = Effects(self)
        self.choices = Announcing(self)

    # ------------------------------------------------------------ emitting
    def emit(self, line: str) -> None:
        self.block.emit(line, self.depth)

    @contextmanager
    def deeper(self) -> Iterator[None]:
        self.depth += 1
        yield
        self.depth -= 1

    def new_block(self, answers: bool = False) -> Block:
        enclosing = dict(self.block.enclosing) if self.blocks else {}
        block = Block(len(self.blocks), self.here, answers, enclosing)
        self.blocks.append(block)
        return block

    def goto(self, block: Block) -> None:
        self.emit(f"return @{block.number}")

    def begin(self, block: Block) -> None:
        self.block = block
        if self.frame is not None:
            self.frame_of[block.number] = self.frame
        self.depth = 0

    def keep(self, block: Block) -> Block:
        """Others will name this block: it stays a function of its own."""
        self.kept.add(block.number)
        return block

    def slot(self, var: g.Var) -> str:
        """A place in the frame for a variable."""
        number = self.local(cards=about_cards(var.type))
        if self.frame is not None and var.type.tag == "card":
            self.frame.cards[number] = ABSENT
        self.code.env[var.id] = code = f"f[{number}]"
        return code

    def local(self, count: int = 1, cards: bool = False) -> int:
        """Places in the frame; `cards`: they hold lists of cards."""
        if self.frame is None:
            raise AssertionError("no frame")
        first = self.frame.slots(count)
        if cards:
            self.frame.cards.update(dict.fromkeys(range(first, first + count), ()))
        return first

    def name_of(self, var: g.Var, framed: bool) -> str:
        """Where a variable is kept: in the frame, or in a local of the function."""
        if framed:
            known = self.code.env.get(var.id, "")
            return known if known.startswith("f[") else self.slot(var)
        name = self.code.fresh()
        self.code.env[var.id] = name
        return name

    # ------------------------------------------------------------ statements
    def sequence(self, body: Sequence[g.Stmt]) -> None:
        """Statements that may stop, one after another, in the current block."""
        for stmt in body:
            if self.suspending.may_stop(stmt):
                getattr(self, f"flow_{type(stmt).__name__}")(stmt)
            else:
                self.effects.statement(stmt, framed=True)

    def flow_If(self, stmt: g.If) -> None:
        then, after = self.new_block(), self.new_block()
        other = self.new_block() if stmt.otherwise else after
        self.emit(f"if {self.code.expr(stmt.condition)}:")
        with self.deeper():
            self.goto(then)
        self.goto(other)
        self.begin(then)
        self.sequence(stmt.then)
        self.goto(after)
        if stmt.otherwise:
            self.begin(other)
            self.sequence(stmt.otherwise)
            self.goto(after)
        self.begin(after)

    def flow_Repeat(self, stmt: g.Repeat) -> None:
        head, body, after = self.new_block(), self.new_block(), self.new_block()
        outer = self.pass_slot
        if stmt.until_pass:
            self.pass_slot = self.local()
            self.emit(f"f[{self.pass_slot}] = 0")
        self.goto(head)
        self.begin(head)
        until = f"f[{self.pass_slot}]" if stmt.until_pass else stmt.until and self.code.expr(stmt.until)
        if until:
            self.emit(f"if {until}:")
            with self.deeper():
                self.goto(after)
        self.effects.fuel(stmt.span, stmt.body)
        self.goto(body)
        self.begin(body)
        self.sequence(stmt.body)
        self.goto(head)
        self.pass_slot = outer
        self.begin(after)

    def loop(self, stmt: g.Each) -> tuple[Block, Block]:
        """The head of a loop over a list kept in the frame. Goes on with the block of the body; returns the head
        and the block behind the loop."""
        items, index = self.local(cards=about_cards(stmt.var.type)), self.local()
        var = self.slot(stmt.var)
        head, body, after = self.new_block(), self.new_block(), self.new_block()
        self.emit(f"f[{items}] = items = {self.effects.rotation(stmt.list, stmt.start)}")
        self.effects.fuel(stmt.span, stmt.body, "len(items)")
        self.emit(f"f[{index}] = 0")
        self.goto(head)
        self.begin(head)
        self.emit(f"i = f[{index}]; items = f[{items}]")
        self.emit("while i < len(items):")
        with self.deeper():
            self.emit(f"{var} = items[i]; i += 1")
            self.effects.skips(stmt, var)
            self.emit(f"f[{index}] = i")
            self.goto(body)
        self.goto(after)
        self.begin(body)
        return head, after

    def flow_Each(self, stmt: g.Each) -> None:
        if stmt.together:
            self.choices.together(stmt)
            return
        outer, self.pass_slot = self.pass_slot, None
        head, after = self.loop(stmt)
        self.sequence(stmt.body)
        self.goto(head)
        self.pass_slot = outer
        self.begin(after)

    # ------------------------------------------------------------ steps
    def flow_Do(self, stmt: g.Do) -> None:
        step = self.game.steps[stmt.step]
        if self.suspending.single_call(step.name) and step.name not in self.block.enclosing:
            self.inline(step, stmt)
            return
        self.call(self.entry(step), self.effects.handed(step, stmt), f"PAD_{mangled(step.name)}", stmt.span)

    def call(self, entry: int | str, values: list[str], pad: str, span: Any) -> None:
        """Push a frame, run the block `entry`, and go on here when it is done."""
        after = self.keep(self.new_block())
        values = ["0", *values]
        self.emit(f"f[0] = {after.number}")
        self.emit(f"push(s, [{', '.join(values)}] + {pad}, {self.code.span(span)})")
        self.emit(f"return {entry}")
        self.begin(after)

    def inline(self, step: g.Step, stmt: g.Do) -> None:
        after = self.new_block()
        params = ((step.you,) if step.you else ()) + step.params
        for var, code in zip(params, self.effects.handed(step, stmt), strict=True):
            self.emit(f"{self.slot(var)} = {code}")
        self.within(step, after)
        self.goto(after)
        self.begin(after)
        after.enclosing.pop(step.name, None)

    def within(self, step: g.Step, after: Block) -> None:
        """The body of a step in the current frame; `finish` of it goes to `after`."""
        inner = self.new_block()
        inner.enclosing[step.name] = self.keep(after).number
        self.goto(inner)
        self.begin(inner)
        outer, self.pass_slot, here, self.here = self.pass_slot, None, self.here, step.name
        self.effects.step_begins(step)
        self.sequence(step.body)
        self.pass_slot, self.here = outer, here

    def entry(self, step: g.Step) -> int:
        """The block where a step of its own frame begins."""
        if step.name not in self.entries:
            params = ((step.you,) if step.you else ()) + step.params
            self.routine(step.name, params, lambda: self.within(step, self.last))
        return self.entries[step.name]

    def routine(self, name: str, params: Sequence[g.Var], body: Callable[[], None]) -> int:
        """A piece with a frame of its own; it is lowered later, when the current piece is done."""
        first = self.keep(self.new_block())
        first.enclosing = {}
        first.step = name
        self.entries[name] = first.number
        self.waiting.append(lambda: self.lower_routine(name, first, params, body))
        return first.number

    def call_routine(
        self, name: str, params: Sequence[g.Var], body: Sequence[g.Stmt], values: list[str], span: Any
    ) -> None:
        """Runs statements in a frame of their own."""
        if name not in self.entries:
            self.routine(name, params, lambda: self.sequence(body))
        self.call(self.entries[name], values, f"PAD_{mangled(name)}", span)

    def lower_routine(self, name: str, first: Block, params: Sequence[g.Var], body: Callable[[], None]) -> None:
        self.frame = self.frames[name] = Frame(name, len(params))
        self.code.env = {}
        self.here, self.pass_slot, self.link = name, None, None
        for var in params:
            self.slot(var)
        self.begin(first)
        self.last = self.new_block()
        body()
        self.goto(self.last)
        self.begin(self.last)
        self.emit("s.frames.pop()")
        self.emit("return s.frames[-1][0]")

    def lower_waiting(self) -> None:
        while self.waiting:
            self.waiting.pop(0)()

    def flow_DoBorne(self, stmt: g.DoBorne) -> None:
        table = self.borne_entries(stmt.step)
        after = self.keep(self.new_block())
        self.emit(f"entry = {table}[{self.code.expr(stmt.card)}]")
        self.emit("if entry < 0:")
        with self.deeper():
            self.goto(after)
        self.emit(f"f[0] = {after.number}")
        values = f"[0, {self.code.expr(stmt.card)}, {self.code.sure(stmt.of)}]"
        self.emit(f"push(s, {values} + PADS[entry], {self.code.span(stmt.span)})")
        self.emit("return entry")
        self.begin(after)

    def borne_entries(self, name: str) -> str:
        """A table from cards to the blocks where the steps they bear begin; -1 for none."""
        table = f"BORNE_{mangled(name)}"
        if table not in self.code.tables:
            entries: dict[int, int] = {}
            self.code.tables[table] = rows = [-1] * (self.layout.cards + 1)
            for card, face in enumerate(self.layout.face):
                body = self.game.borne_steps[name].bodies[face]
                if body is not None:
                    if id(body.body) not in entries:
                        entries[id(body.body)] = self.borne_routine(f"borne {name} {len(entries)}", body)
                    rows[card] = entries[id(body.body)]
        return table

    def borne_routine(self, name: str, body: g.BorneStepBody) -> int:
        return self.routine(name, (body.card, body.you), lambda: self.sequence(body.body))

    # ------------------------------------------------------------ choices
    def flow_Pick(self, stmt: g.Pick) -> None:
        if stmt.settled:
            self.effects.do_Pick(stmt, framed=True)
        else:
            self.choices.alone(stmt)

    def flow_Choose(self, stmt: g.Choose) -> None:
        self.choices.alone(stmt)

    def flow_Menu(self, stmt: g.Menu) -> None:
        self.choices.alone(stmt)

    def flow_Offer(self, stmt: g.Offer) -> None:
        self.choices.offer(stmt)

    def flow_Announce(self, stmt: g.Announce) -> None:
        self.choices.announce(stmt)

    def flow_Move(self, stmt: g.Move) -> None:
        self.effects.move_and_trigger(stmt, framed=True)
