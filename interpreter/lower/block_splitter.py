"""Splitter of routines into blocks at every suspension point.

Loops and steps around a suspension point become jumps between blocks. A block with a single predecessor is merged into
it. Values that one block passes to another are stored in the frame; all other variables are local to a block.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from interpreter import ir
from interpreter.ir.ir_program_builder import IrBuilder
from interpreter.ir.traversal import rewrite_bodies, walk, walk_statements
from interpreter.optimize.jump_and_frame_optimization import (
    build_frame,
    find_reachable_blocks,
    inline_short_blocks,
    merge_single_predecessors,
)

MAX_BODY_NESTING = 15
"""Maximum nesting of bodies in one function. Python allows at most 20 nested loops."""


class BlockSplitter:
    """Splitter of the routines of one program, one after another.

    finished_steps: the steps that some statement finishes.
    blocks: by number.
    entry_blocks: the first block of each routine.
    frames: by routine.
    referenced_blocks: blocks that are referenced elsewhere.
    simultaneous_sites: for each site of simultaneous choices, the block where they start and where choices are stored.
    """

    def __init__(self, builder: IrBuilder, finished_steps: set[str]) -> None:
        self.create_local, self.finished_steps = builder.create_local, finished_steps
        self.blocks: list[ir.Block] = [ir.Block(0, "", [ir.End()])]
        self.entry_blocks: dict[str, int] = {}
        self.frames: dict[str, ir.Frame] = {}
        self.referenced_blocks: set[int] = {0}
        self.simultaneous_sites: dict[int, tuple[int, int]] = {}
        self.sites_by_block: dict[int, int] = {}
        self.opening_block: int | None = None
        """The block up to which all matches are equal, because there was no random event yet."""
        self.in_opening = False
        self.simultaneous_choice_blocks: dict[int, tuple[int, ir.Local]] = {}
        self.current_routine = ""
        self.enclosing_steps: dict[str, int] = {}

    def find_entry_block(self, routine: str) -> int:
        """Return the number of the first block of a routine, which may be split later."""
        if routine not in self.entry_blocks:
            self.entry_blocks[routine] = self.create_block(routine, {}, is_referenced=True).number
        return self.entry_blocks[routine]

    def create_block(
        self, routine: str = "", enclosing: Mapping[str, int] | None = None, is_referenced: bool = False
    ) -> ir.Block:
        around = dict(self.enclosing_steps if enclosing is None else enclosing)
        block = ir.Block(len(self.blocks), routine or self.current_routine, enclosing=around)
        self.blocks.append(block)
        if is_referenced:
            self.referenced_blocks.add(block.number)
        return block

    # ------------------------------------------------------------ cutting
    def split_routine(self, routine: ir.Routine, opening_routine: str = "") -> None:
        """Build the blocks and the frame of a routine. `opening_routine`: the routine with which every match begins."""
        self.current_routine, self.enclosing_steps = routine.name, {}
        entry = self.blocks[self.find_entry_block(routine.name)]
        first = len(self.blocks)
        self.in_opening = self.opening_block is None and routine.name == opening_routine
        last = self.add_body(routine.body, entry)
        if last is not None:
            last.body.append(ir.Pop())
        fresh = [entry, *self.blocks[first:]]
        remaining = merge_single_predecessors(fresh, self.referenced_blocks, self.opening_block)
        inline_short_blocks(remaining, MAX_BODY_NESTING, self.opening_block)
        remaining = find_reachable_blocks(remaining, self.referenced_blocks)
        for block in fresh:
            if block not in remaining:
                block.body = []
        self.frames[routine.name] = build_frame(routine, remaining)
        self.record_simultaneous_choice_slots(routine.name)

    def record_simultaneous_choice_slots(self, routine: str) -> None:
        """Record the block and the frame slot of each simultaneous choice of a routine."""
        frame = self.frames[routine]
        for site, (block, chosen) in self.simultaneous_choice_blocks.items():
            slot = frame.slots[chosen.number]
            self.simultaneous_sites[site] = block, slot
            frame.codes[slot] = site
        self.simultaneous_choice_blocks = {}

    def add_body(self, body: Sequence[ir.Stmt], block: ir.Block | None) -> ir.Block | None:
        """Add statements to a block. Return the block where they end, or None if they never reach their end."""
        for stmt in body:
            if block is None:
                return None
            block = self.add_statement(stmt, block)
        return block

    def add_statement(self, stmt: ir.Stmt, block: ir.Block) -> ir.Block | None:
        if self.in_opening and (can_draw_random(stmt) or (needs_cut(stmt) and not isinstance(stmt, ir.Scope))):
            self.in_opening = False
            start = self.create_block(is_referenced=True)
            self.add_jump(block, start)
            block, self.opening_block = start, start.number
        if isinstance(stmt, ir.Scope):
            return self.add_scope(stmt, block)
        if not needs_cut(stmt):
            block.body += self.resolve_leaves((stmt,))
            return None if isinstance(stmt, ir.Leave) else block
        match stmt:
            case ir.Wait():
                return self.add_wait(stmt, block)
            case ir.Run():
                return self.add_call(block, ir.Enter(stmt.routine, stmt.args, 0, stmt.place))
            case ir.RunBorne():
                return self.add_call(block, ir.Enter(stmt.table, stmt.args, 0, stmt.place, stmt.card))
            case ir.Mark():
                return self.add_mark(stmt, block)
            case ir.If():
                return self.add_branches(stmt, block)
            case ir.While():
                return self.add_while(stmt, block)
            case ir.ForEach():
                return self.add_for_each(stmt, block)
            case ir.Answers():
                return self.add_choice_loop(stmt, block)
        raise AssertionError(type(stmt).__name__)

    def add_jump(self, block: ir.Block | None, target: ir.Block) -> None:
        if block is not None:
            block.body.append(ir.Goto(target.number))

    def add_wait(self, stmt: ir.Wait, block: ir.Block) -> ir.Block:
        answer = self.create_block(is_referenced=True)
        answer.site = stmt.site
        self.sites_by_block[answer.number] = stmt.site
        block.body.append(ir.Stop(answer.number, stmt.site, stmt.who, stmt.legal))
        answer.code = code = stmt.answer if stmt.most is None else self.create_local(ir.NUMBER)
        if stmt.told is not None:
            said = (ir.Op(ir.SEAT, "asked", ()), ir.build_number(stmt.site), code)
            answer.body.append(ir.Event("chose", stmt.told, said))
        if stmt.most is not None:
            answer.body.append(ir.TakePick(stmt.site, code, stmt.most, stmt.answer))
        return answer

    def add_call(self, block: ir.Block, entering: ir.Enter) -> ir.Block:
        after = self.create_block(is_referenced=True)
        block.body.append(entering.replace(after=after.number))
        return after

    def add_mark(self, stmt: ir.Mark, block: ir.Block) -> ir.Block:
        start = self.create_block(is_referenced=True)
        self.add_jump(block, start)
        self.simultaneous_choice_blocks[stmt.site] = start.number, stmt.chosen
        return start

    def add_scope(self, stmt: ir.Scope, block: ir.Block) -> ir.Block | None:
        after, outer = self.create_block(is_referenced=stmt.step in self.finished_steps), self.enclosing_steps
        self.enclosing_steps = {**outer, stmt.step: after.number}
        inner = self.create_block()
        self.add_jump(block, inner)
        self.add_jump(self.add_body(stmt.body, inner), after)
        self.enclosing_steps = outer
        return after

    def add_branches(self, stmt: ir.If, block: ir.Block) -> ir.Block:
        then, after = self.create_block(), self.create_block()
        other = self.create_block() if stmt.otherwise else after
        block.body.append(ir.If(stmt.condition, (ir.Goto(then.number),), (ir.Goto(other.number),)))
        self.add_jump(self.add_body(stmt.then, then), after)
        if stmt.otherwise:
            self.add_jump(self.add_body(stmt.otherwise, other), after)
        return after

    def add_while(self, stmt: ir.While, block: ir.Block) -> ir.Block:
        head, body, after = self.create_block(), self.create_block(), self.create_block()
        self.add_jump(block, head)
        if stmt.condition is None:
            self.add_jump(head, body)
        else:
            head.body.append(ir.If(stmt.condition, (ir.Goto(body.number),), (ir.Goto(after.number),)))
        self.add_jump(self.add_body(stmt.body, body), head)
        return after

    def add_for_each(self, stmt: ir.ForEach, block: ir.Block) -> ir.Block:
        items, place = self.create_local(stmt.list.kind), self.create_local(ir.NUMBER)
        block.body += [ir.Assign(items, stmt.list), ir.Assign(place, ir.ZERO)]
        item = ir.Op(stmt.local.kind, "item_at", (items, place))
        return self.add_indexed_loop(block, items, place, [ir.Assign(stmt.local, item)], stmt.body)

    def add_choice_loop(self, stmt: ir.Answers, block: ir.Block) -> ir.Block:
        place = self.create_local(ir.NUMBER)
        block.body.append(ir.Assign(place, ir.ZERO))
        who = ir.Op(stmt.who.kind, "who_answered", (stmt.chosen, place))
        what = ir.Op(stmt.answer.kind, "answer_of", (stmt.chosen, place))
        taken: list[ir.Stmt] = [ir.Assign(stmt.who, who), ir.Assign(stmt.answer, what)]
        return self.add_indexed_loop(block, stmt.chosen, place, taken, stmt.body)

    def add_indexed_loop(
        self, block: ir.Block, items: ir.Local, place: ir.Local, item_assignments: list[ir.Stmt], body: ir.Body
    ) -> ir.Block:
        """Add a loop over a stored list, with its position. Return the block after it."""
        head, inner, after = self.create_block(), self.create_block(), self.create_block()
        self.add_jump(block, head)
        more = ir.Compare(ir.FLAG, "<", place, ir.Count(ir.NUMBER, items))
        head.body.append(ir.If(more, (ir.Goto(inner.number),), (ir.Goto(after.number),)))
        inner.body += [*item_assignments, ir.Assign(place, ir.Arith(ir.NUMBER, "+", place, ir.ONE))]
        self.add_jump(self.add_body(body, inner), head)
        return after

    # ------------------------------------------------------------ statements that are not cut
    def resolve_leave(self, stmt: ir.Stmt) -> ir.Stmt:
        """Replace the steps that a statement without waiting finishes by jumps."""
        match stmt:
            case ir.Leave():
                target = self.enclosing_steps.get(stmt.step)
                return stmt if target is None else ir.Goto(target)
            case ir.If() | ir.ForEach() | ir.While() | ir.Answers():
                return rewrite_bodies(stmt, self.resolve_leaves)
        return stmt

    def resolve_leaves(self, body: ir.Body) -> ir.Body:
        found: list[ir.Stmt] = []
        for stmt in body:
            if isinstance(stmt, ir.Do | ir.DoBorne) and stmt.finishes:
                found.append(ir.KeepPlace(self.create_block(is_referenced=True).number))
            found.append(self.resolve_leave(stmt))
        return tuple(found)


def needs_cut(stmt: ir.Stmt) -> bool:
    """Check whether a statement must be split: it contains a wait, or a step with a statement that finishes it."""
    return any(isinstance(part, ir.ROUTINE_STATEMENTS) for part in walk_statements([stmt]))


def can_draw_random(stmt: ir.Stmt) -> bool:
    """Check whether a statement may draw random numbers. Any function call counts, because functions may draw."""
    if isinstance(stmt, ir.Scope):
        return False  # its statements are examined one by one
    for part in walk([stmt]):
        drawn = isinstance(part, ir.Op) and part.operation in ir.RANDOM_OPERATIONS
        mixed = isinstance(part, ir.Effect) and part.operation in ("shuffle", "shuffle_players")
        if drawn or mixed or isinstance(part, ir.Do | ir.DoBorne | ir.Calling | ir.Dispatch):
            return True
    return False
