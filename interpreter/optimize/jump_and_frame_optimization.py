"""Block optimization: merging, jump threading, liveness of frame variables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from attrs import frozen

from interpreter import ir
from interpreter.ir.simplifier import rewrite_top_down
from interpreter.ir.traversal import Part, count_nodes, find_free_ir_variables, walk, walk_statements

MAX_MERGE_DEPTH = 15
"""Maximum nesting of merged blocks."""


def list_jump_targets(body: Iterable[ir.Stmt]) -> list[int]:
    return [stmt.block for stmt in walk_statements(body) if isinstance(stmt, ir.Goto)]


@frozen
class JumpInliner:
    """Inliner of blocks at their jumps.

    bodies: of the blocks, by number.
    can_inline: checks a block, given the blocks around the jump and its nesting.
    looping_blocks: blocks that jump to themselves."""

    bodies: Mapping[int, ir.Body]
    can_inline: Callable[[int, tuple[int, ...], int], bool]
    looping_blocks: Collection[int] = ()

    def inline_jumps(self, body: ir.Body, trail: tuple[int, ...], depth: int = 0) -> ir.Body:
        inlined: list[ir.Stmt] = []
        for stmt in body:
            if isinstance(stmt, ir.If):
                then, otherwise = (self.inline_jumps(part, trail, depth + 1) for part in (stmt.then, stmt.otherwise))
                inlined.append(ir.If(stmt.condition, then, otherwise))
            elif isinstance(stmt, ir.Goto) and stmt.block not in trail and self.can_inline(stmt.block, trail, depth):
                inner = self.inline_jumps(self.bodies[stmt.block], (*trail, stmt.block), depth + 1)
                inlined += (ir.Again(stmt.block, inner),) if stmt.block in self.looping_blocks else inner
            else:
                inlined.append(stmt)
        return tuple(inlined)


def merge_single_predecessors(
    blocks: list[ir.Block], referenced_blocks: set[int], opening_block: int | None
) -> list[ir.Block]:
    """Merge every block with a single predecessor into it, and return the remaining blocks.

    referenced_blocks: blocks that are referenced elsewhere, such as those where a frame continues.
    opening_block: the block that must not be skipped."""
    by_number = {block.number: block for block in blocks}
    thread_jumps(by_number, referenced_blocks, opening_block)
    uses = Counter(target for block in blocks for target in list_jump_targets(block.body))
    single = {n for n, count in uses.items() if count == 1 and n in by_number and n not in referenced_blocks}
    inliner = JumpInliner(
        {block.number: tuple(block.body) for block in blocks},
        lambda number, trail, depth: number in single and len(trail) < MAX_MERGE_DEPTH,
    )
    for block in blocks:
        block.body = list(inliner.inline_jumps(tuple(block.body), (block.number,)))
    return find_reachable_blocks(blocks, referenced_blocks)


def find_reachable_blocks(blocks: list[ir.Block], referenced_blocks: set[int]) -> list[ir.Block]:
    """Return the reachable blocks."""
    by_number = {block.number: block for block in blocks}
    waiting = [block.number for block in blocks if block.number in referenced_blocks]
    reachable = set(waiting)
    while waiting:
        fresh = {
            target for target in list_jump_targets(by_number[waiting.pop()].body) if target in by_number
        } - reachable
        reachable |= fresh
        waiting += fresh
    return [block for block in blocks if block.number in reachable]


def thread_jumps(blocks: dict[int, ir.Block], referenced_blocks: set[int], opening_block: int | None) -> None:
    """Redirect jumps to a block that only jumps on to the final target."""
    jumps = {
        number: block.body[0].block
        for number, block in blocks.items()
        if len(block.body) == 1 and isinstance(block.body[0], ir.Goto) and number != opening_block
    }

    def find_final_target(number: int) -> int:
        seen: set[int] = set()
        while number in jumps and number not in seen:
            seen.add(number)
            number = jumps[number]
        return number

    def redirect_jump(part: Part) -> Part | None:
        return ir.Goto(find_final_target(part.block)) if isinstance(part, ir.Goto) else None

    referenced_blocks |= {find_final_target(number) for number in referenced_blocks}
    for block in blocks.values():
        block.body = list(rewrite_top_down(tuple(block.body), redirect_jump))
        block.enclosing = {step: find_final_target(number) for step, number in block.enclosing.items()}


MAX_INLINED_BLOCK = 100
"""Maximum size, in nodes, of a block that is inlined."""
MAX_BLOCK_AFTER_INLINING = 400
"""Maximum size of a block after inlining."""
SMALL_ROUTINE = 500
"""Size of a routine above which blocks are inlined only into those that take moves."""
MAX_INLINE_DEPTH = 3
"""Maximum nesting of inlined blocks."""


def inline_short_blocks(blocks: list[ir.Block], max_nesting: int, excluded_block: int | None) -> None:
    """Inline short blocks, except `excluded_block`, at their jumps, if the code does not grow too much."""
    bodies = {block.number: tuple(block.body) for block in blocks}
    sizes = {number: sum(map(count_nodes, body)) for number, body in bodies.items()}
    is_small, room = sum(sizes.values()) <= SMALL_ROUTINE, 0

    def can_inline(number: int, trail: tuple[int, ...], depth: int) -> bool:
        nonlocal room
        size = sizes.get(number, MAX_INLINED_BLOCK + 1)
        fits = size <= min(MAX_INLINED_BLOCK, room) and len(trail) < MAX_INLINE_DEPTH and depth < max_nesting
        inlined = fits and number != excluded_block
        room -= size if inlined else 0
        return inlined

    looping_blocks = {number for number, body in bodies.items() if number in list_jump_targets(body)}
    inliner = JumpInliner(bodies, can_inline, looping_blocks)
    for block in blocks:
        if is_small or block.site is not None or block.number == excluded_block:
            room = MAX_BLOCK_AFTER_INLINING - sizes[block.number]
            block.body = list(inliner.inline_jumps(bodies[block.number], (block.number,)))


def build_frame(routine: ir.Routine, blocks: list[ir.Block]) -> ir.Frame:
    """Compute the frame of a routine: its parameters, and the values that one block passes to another."""
    linked = frozenset(local.number for link in routine.links for local in link)
    frame = ir.Frame(routine.name, len(routine.params), open=linked)
    kinds: dict[int, ir.Kind] = {}
    for block in blocks:
        for part in walk(block.body):
            if isinstance(part, ir.Local):
                kinds.setdefault(part.number, part.kind)
    for param in routine.params:
        add_frame_slot(frame, param.number, param.kind)
    for link in routine.links:
        for local in link:
            add_frame_slot(frame, local.number, local.kind)
    needed = set(routine.wanted)
    for block in blocks:
        block.reads = find_live_variables(block)
        needed |= block.reads
    for number in sorted(needed):
        if number in kinds and number not in frame.slots:
            add_frame_slot(frame, number, kinds[number])
    return frame


def add_frame_slot(frame: ir.Frame, number: int, kind: ir.Kind) -> None:
    frame.slots[number] = frame.size
    frame.kinds.append(kind)


def find_live_variables(block: ir.Block) -> set[int]:
    """Return the variables that a block reads before it sets them: liveness at its entry."""
    variables: set[int] = set()
    known = {block.code.number} if block.code is not None else set()
    scan_reads(block.body, known, variables)
    return variables


TERMINATORS = (ir.Goto, ir.Stop, ir.Enter, ir.Pop, ir.Return, ir.Leave, ir.End)


def scan_reads(body: Iterable[ir.Stmt], assigned_variables: set[int], read_variables: set[int]) -> set[int] | None:
    """Add the variables read before they are set to `read_variables`.

    Return the variables set at the end; None if the end is unreachable."""
    for stmt in body:
        match stmt:
            case ir.Assign():
                add_free_reads([stmt.value], assigned_variables, read_variables)
                assigned_variables = assigned_variables | {stmt.local.number}
            case ir.Collect():
                add_free_reads([stmt.local, stmt.value], assigned_variables, read_variables)
            case ir.TakePick():
                add_free_reads([stmt.most], assigned_variables, read_variables)
                assigned_variables = assigned_variables | {stmt.answer.number}
            case ir.If():
                add_free_reads([stmt.condition], assigned_variables, read_variables)
                ends = [scan_reads(part, assigned_variables, read_variables) for part in (stmt.then, stmt.otherwise)]
                reached_ends = [end for end in ends if end is not None]
                if not reached_ends:
                    return None
                assigned_variables = set.intersection(*reached_ends)
            case ir.Again():
                scan_reads(stmt.body, assigned_variables, read_variables)
                return None
            case ir.ForEach():
                add_free_reads([stmt.list], assigned_variables, read_variables)
                scan_reads(stmt.body, assigned_variables | {stmt.local.number}, read_variables)
            case ir.Answers():
                add_free_reads([stmt.chosen], assigned_variables, read_variables)
                scan_reads(stmt.body, assigned_variables | {stmt.who.number, stmt.answer.number}, read_variables)
            case ir.While():
                if stmt.condition is not None:
                    add_free_reads([stmt.condition], assigned_variables, read_variables)
                scan_reads(stmt.body, assigned_variables, read_variables)
            case _:
                add_free_reads([stmt], assigned_variables, read_variables)
        if isinstance(stmt, TERMINATORS):
            return None
    return assigned_variables


def add_free_reads(parts: Sequence[ir.Expr | ir.Stmt], assigned_variables: set[int], read_variables: set[int]) -> None:
    read_variables |= find_free_ir_variables(parts) - assigned_variables
