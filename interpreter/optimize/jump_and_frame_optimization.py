"""Block optimization: merging, jump threading, liveness of frame variables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from attrs import evolve

from interpreter import ir
from interpreter.ir.traversal import count_nodes, find_free_ir_variables, rewrite_bodies, walk, walk_statements

MAX_MERGE_DEPTH = 15
"""Maximum nesting of merged blocks."""


def list_jump_targets(body: Iterable[ir.Stmt]) -> list[int]:
    return [stmt.block for stmt in walk_statements(body) if isinstance(stmt, ir.Goto)]


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
    done: set[int] = set()
    swallowed: set[int] = set()

    def merge_into_block(number: int, trail: frozenset[int]) -> list[ir.Stmt]:
        block = by_number[number]
        if number not in done:
            done.add(number)
            block.body = list(merge_jumps(tuple(block.body), trail))
        return block.body

    def merge_jumps(body: ir.Body, trail: frozenset[int]) -> ir.Body:
        merged: list[ir.Stmt] = []
        for stmt in body:
            near = isinstance(stmt, ir.Goto) and stmt.block not in trail and len(trail) < MAX_MERGE_DEPTH
            if isinstance(stmt, ir.Goto) and near and stmt.block in single:
                swallowed.add(stmt.block)
                merged += merge_into_block(stmt.block, trail | {stmt.block})
            elif isinstance(stmt, ir.If):
                merged.append(ir.If(stmt.condition, merge_jumps(stmt.then, trail), merge_jumps(stmt.otherwise, trail)))
            else:
                merged.append(stmt)
        return tuple(merged)

    for number in sorted(by_number, key=lambda number: number in single):
        if number not in swallowed:
            merge_into_block(number, frozenset({number}))
    return find_reachable_blocks([block for block in blocks if block.number not in swallowed], referenced_blocks)


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

    def redirect_jumps(body: Iterable[ir.Stmt]) -> ir.Body:
        return tuple(redirect_jump(stmt) for stmt in body)

    def redirect_jump(stmt: ir.Stmt) -> ir.Stmt:
        match stmt:
            case ir.Goto():
                return ir.Goto(find_final_target(stmt.block))
            case ir.If() | ir.ForEach() | ir.While() | ir.Answers():
                return rewrite_bodies(stmt, redirect_jumps)
        return stmt

    referenced_blocks |= {find_final_target(number) for number in referenced_blocks}
    for block in blocks.values():
        block.body = list(redirect_jumps(block.body))
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
    is_small = sum(sizes.values()) <= SMALL_ROUTINE
    again = {number for number, body in bodies.items() if number in find_jump_targets(body)}

    def inline_jumps(
        body: tuple[ir.Stmt, ...], trail: tuple[int, ...], depth: int, budget: list[int]
    ) -> tuple[ir.Stmt, ...]:
        inlined: list[ir.Stmt] = []
        for stmt in body:
            if isinstance(stmt, ir.If):
                then = inline_jumps(stmt.then, trail, depth + 1, budget)
                inlined.append(
                    evolve(stmt, then=then, otherwise=inline_jumps(stmt.otherwise, trail, depth + 1, budget))
                )
            elif isinstance(stmt, ir.Goto) and fits_inline_limits(stmt.block, trail, depth, budget):
                budget[0] -= sizes[stmt.block]
                inner = inline_jumps(bodies[stmt.block], (*trail, stmt.block), depth + 1, budget)
                inlined += (ir.Again(stmt.block, inner),) if stmt.block in again else inner
            else:
                inlined.append(stmt)
        return tuple(inlined)

    def fits_inline_limits(number: int, trail: tuple[int, ...], depth: int, budget: list[int]) -> bool:
        short = sizes.get(number, MAX_INLINED_BLOCK + 1) <= min(MAX_INLINED_BLOCK, budget[0])
        return (
            short
            and number != excluded_block
            and number not in trail
            and len(trail) < MAX_INLINE_DEPTH
            and depth < max_nesting
        )

    for block in blocks:
        if is_small or block.site is not None or block.number == excluded_block:
            room = [MAX_BLOCK_AFTER_INLINING - sizes[block.number]]
            block.body = list(inline_jumps(bodies[block.number], (block.number,), 0, room))


def find_jump_targets(body: tuple[ir.Stmt, ...]) -> set[int]:
    return {stmt.block for stmt in walk_statements(body) if isinstance(stmt, ir.Goto)}


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
