"""Cut routines into blocks at each decision and each call of another routine.

Loops and steps around such a place become jumps between blocks. Blocks with a single predecessor are merged into it.
Values that one block passes to another are stored in the frame; all other variables are local to a block."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from attrs import evolve

from interpreter import lowered as lo
from interpreter.lowered.walking import statements, walk
from interpreter.lowering.building import DEEPEST, ONE, ZERO
from interpreter.passes.chaining import chained
from interpreter.passes.framing import framed
from interpreter.passes.inlining import Inliner
from interpreter.passes.joining import joined, reached
from interpreter.passes.sharing import shared

Body = tuple[lo.Stmt, ...]


class Splitter:
    """Cutter of the routines of one program, one after another.

    fresh: makes a variable of a kind.
    finishing: the steps that are finished somewhere.
    blocks: by number.
    entries: the first block of each routine.
    frames: by routine.
    kept: blocks that are referenced elsewhere.
    together: for each site of simultaneous choices, the block where they start and the storage of the choices."""

    def __init__(self, fresh: Callable[[lo.Kind], lo.Local], finishing: set[str], inliner: Inliner) -> None:
        self.fresh = fresh
        self.inliner = inliner
        self.finishing = finishing
        self.blocks: list[lo.Block] = [lo.Block(0, "", [lo.End()])]
        self.entries: dict[str, int] = {}
        self.frames: dict[str, lo.Frame] = {}
        self.kept: set[int] = {0}
        self.together: dict[int, tuple[int, int]] = {}
        self.site_of: dict[int, int] = {}
        self.opening: int | None = None
        """The block up to which all matches are equal, because nothing random has happened yet."""
        self.open = False
        self.marks: dict[int, tuple[int, lo.Local]] = {}
        self.routine = ""
        self.enclosing: dict[str, int] = {}

    def entry(self, routine: str) -> int:
        """Return the number of the first block of a routine, which may be cut later."""
        if routine not in self.entries:
            self.entries[routine] = self.new(routine, {}, kept=True).number
        return self.entries[routine]

    def new(self, routine: str = "", enclosing: Mapping[str, int] | None = None, kept: bool = False) -> lo.Block:
        around = dict(self.enclosing if enclosing is None else enclosing)
        block = lo.Block(len(self.blocks), routine or self.routine, enclosing=around)
        self.blocks.append(block)
        if kept:
            self.kept.add(block.number)
        return block

    # ------------------------------------------------------------ cutting
    def split(self, routine: lo.Routine, opening: str = "") -> None:
        """Make the blocks and the frame of a routine. `opening`: the routine with which every match begins."""
        self.routine, self.enclosing = routine.name, {}
        entry = self.blocks[self.entry(routine.name)]
        first = len(self.blocks)
        self.open = self.opening is None and routine.name == opening
        last = self.sequence(routine.body, entry)
        if last is not None:
            last.body.append(lo.Pop())
        fresh = [entry, *self.blocks[first:]]
        remaining = joined(fresh, self.kept, self.opening)
        chained(remaining, DEEPEST, self.opening)
        remaining = reached(remaining, self.kept)
        for block in remaining:
            block.body = list(self.inliner.inlined(shared(tuple(block.body), self.fresh)))
        for block in fresh:
            if block not in remaining:
                block.body = []
        self.frames[routine.name] = framed(routine, remaining)
        self.settle_marks(routine.name)

    def settle_marks(self, routine: str) -> None:
        frame = self.frames[routine]
        for site, (block, chosen) in self.marks.items():
            slot = frame.slots[chosen.number]
            self.together[site] = block, slot
            frame.codes[slot] = site
        self.marks = {}

    def sequence(self, body: Sequence[lo.Stmt], block: lo.Block | None) -> lo.Block | None:
        """Add statements to a block. Return the block where they end, or None if they never reach their end."""
        for stmt in body:
            if block is None:
                return None
            block = self.one(stmt, block)
        return block

    def one(self, stmt: lo.Stmt, block: lo.Block) -> lo.Block | None:
        if self.open and (is_by_chance(stmt) or (is_cut(stmt) and not isinstance(stmt, lo.Scope))):
            self.open = False
            start = self.new(kept=True)
            self.go(block, start)
            block, self.opening = start, start.number
        if isinstance(stmt, lo.Scope):
            return self.scope(stmt, block)
        if not is_cut(stmt):
            block.body += self.settled_all((stmt,))
            return None if isinstance(stmt, lo.Leave) else block
        match stmt:
            case lo.Wait():
                return self.wait(stmt, block)
            case lo.Run():
                return self.enter(block, lo.Enter(stmt.routine, stmt.args, 0, stmt.place))
            case lo.RunBorne():
                return self.enter(block, lo.Enter(stmt.table, stmt.args, 0, stmt.place, stmt.card))
            case lo.Mark():
                return self.mark(stmt, block)
            case lo.If():
                return self.branches(stmt, block)
            case lo.While():
                return self.loop(stmt, block)
            case lo.ForEach():
                return self.each(stmt, block)
            case lo.Answers():
                return self.answers(stmt, block)
        raise AssertionError(type(stmt).__name__)

    def go(self, block: lo.Block | None, to: lo.Block) -> None:
        if block is not None:
            block.body.append(lo.Goto(to.number))

    def wait(self, stmt: lo.Wait, block: lo.Block) -> lo.Block:
        answer = self.new(kept=True)
        answer.site = stmt.site
        self.site_of[answer.number] = stmt.site
        block.body.append(lo.Stop(answer.number, stmt.site, stmt.who, stmt.legal))
        answer.code = code = stmt.answer if stmt.most is None else self.fresh(lo.NUMBER)
        if stmt.told is not None:
            said = (lo.Op(lo.SEAT, "asked", ()), lo.Const(lo.NUMBER, stmt.site), code)
            answer.body.append(lo.Event("chose", stmt.told, said))
        if stmt.most is not None:
            answer.body.append(lo.TakePick(stmt.site, code, stmt.most, stmt.answer))
        return answer

    def enter(self, block: lo.Block, entering: lo.Enter) -> lo.Block:
        after = self.new(kept=True)
        block.body.append(evolve(entering, after=after.number))
        return after

    def mark(self, stmt: lo.Mark, block: lo.Block) -> lo.Block:
        start = self.new(kept=True)
        self.go(block, start)
        self.marks[stmt.site] = start.number, stmt.chosen
        return start

    def scope(self, stmt: lo.Scope, block: lo.Block) -> lo.Block | None:
        after, outer = self.new(kept=stmt.step in self.finishing), self.enclosing
        self.enclosing = {**outer, stmt.step: after.number}
        inner = self.new()
        self.go(block, inner)
        self.go(self.sequence(stmt.body, inner), after)
        self.enclosing = outer
        return after

    def branches(self, stmt: lo.If, block: lo.Block) -> lo.Block:
        then, after = self.new(), self.new()
        other = self.new() if stmt.otherwise else after
        block.body.append(lo.If(stmt.condition, (lo.Goto(then.number),), (lo.Goto(other.number),)))
        self.go(self.sequence(stmt.then, then), after)
        if stmt.otherwise:
            self.go(self.sequence(stmt.otherwise, other), after)
        return after

    def loop(self, stmt: lo.While, block: lo.Block) -> lo.Block:
        head, body, after = self.new(), self.new(), self.new()
        self.go(block, head)
        if stmt.condition is None:
            self.go(head, body)
        else:
            head.body.append(lo.If(stmt.condition, (lo.Goto(body.number),), (lo.Goto(after.number),)))
        self.go(self.sequence(stmt.body, body), head)
        return after

    def each(self, stmt: lo.ForEach, block: lo.Block) -> lo.Block:
        items, place = self.fresh(stmt.list.kind), self.fresh(lo.NUMBER)
        block.body += [lo.Assign(items, stmt.list), lo.Assign(place, ZERO)]
        item = lo.Op(stmt.local.kind, "item_at", (items, place))
        return self.through(block, items, place, [lo.Assign(stmt.local, item)], stmt.body)

    def answers(self, stmt: lo.Answers, block: lo.Block) -> lo.Block:
        place = self.fresh(lo.NUMBER)
        block.body.append(lo.Assign(place, ZERO))
        who = lo.Op(stmt.who.kind, "who_answered", (stmt.chosen, place))
        what = lo.Op(stmt.answer.kind, "answer_of", (stmt.chosen, place))
        taken: list[lo.Stmt] = [lo.Assign(stmt.who, who), lo.Assign(stmt.answer, what)]
        return self.through(block, stmt.chosen, place, taken, stmt.body)

    def through(self, block: lo.Block, items: lo.Local, place: lo.Local, taken: list[lo.Stmt], body: Body) -> lo.Block:
        """Add a loop over a stored list, with its position. Return the block after it."""
        head, inner, after = self.new(), self.new(), self.new()
        self.go(block, head)
        more = lo.Compare(lo.FLAG, "<", place, lo.Count(lo.NUMBER, items))
        head.body.append(lo.If(more, (lo.Goto(inner.number),), (lo.Goto(after.number),)))
        inner.body += [*taken, lo.Assign(place, lo.Arith(lo.NUMBER, "+", place, ONE))]
        self.go(self.sequence(body, inner), head)
        return after

    # ------------------------------------------------------------ statements that are not cut
    def settled(self, stmt: lo.Stmt) -> lo.Stmt:
        """Replace the steps that a statement without waiting finishes by jumps."""
        match stmt:
            case lo.Leave():
                target = self.enclosing.get(stmt.step)
                return stmt if target is None else lo.Goto(target)
            case lo.If():
                return lo.If(stmt.condition, self.settled_all(stmt.then), self.settled_all(stmt.otherwise))
            case lo.ForEach() | lo.While() | lo.Answers():
                return evolve(stmt, body=self.settled_all(stmt.body))
        return stmt

    def settled_all(self, body: Body) -> Body:
        found: list[lo.Stmt] = []
        for stmt in body:
            if isinstance(stmt, lo.Do | lo.DoBorne) and stmt.finishes:
                found.append(self.keep_place())
            found.append(self.settled(stmt))
        return tuple(found)

    def keep_place(self) -> lo.KeepPlace:
        return lo.KeepPlace(self.new(kept=True).number)


def is_cut(stmt: lo.Stmt) -> bool:
    """Check whether a statement must be cut: it contains a wait, or a step with a statement that finishes it."""
    return any(isinstance(part, lo.IN_ROUTINES) for part in statements([stmt]))


RANDOM = ("one_random", "some_random")


def is_by_chance(stmt: lo.Stmt) -> bool:
    """Check whether a statement may draw random numbers. Any function call counts, because functions may draw."""
    if isinstance(stmt, lo.Scope):
        return False  # its statements are examined one by one
    for part in walk([stmt]):
        drawn = isinstance(part, lo.Op) and part.operation in RANDOM
        mixed = isinstance(part, lo.Effect) and part.operation in ("shuffle", "shuffle_players")
        if drawn or mixed or isinstance(part, lo.Do | lo.DoBorne | lo.Calling | lo.Dispatch):
            return True
    return False
