"""Merge successive blocks, so that play runs from a move to the next decision within one function."""

from __future__ import annotations

from attrs import evolve

from interpreter import lowered as lo
from interpreter.lowered.walking import size, statements

LONG = 100
"""Maximum size, in nodes, of a block that is inlined."""
MOST = 400
"""Maximum size of a block after inlining."""
SMALL = 500
"""Size of a routine above which blocks are inlined only into those that take moves."""
DEEP = 3
"""Maximum nesting of inlined blocks."""


def chained(blocks: list[lo.Block], deepest: int, apart: int | None) -> None:
    """Inline short blocks at their jumps, if the code does not grow too much. The block `apart` is never inlined."""
    bodies = {block.number: tuple(block.body) for block in blocks}
    sizes = {number: sum(map(size, body)) for number, body in bodies.items()}
    is_small = sum(sizes.values()) <= SMALL
    again = {number for number, body in bodies.items() if number in targets(body)}

    def put_in(body: tuple[lo.Stmt, ...], trail: tuple[int, ...], depth: int, room: list[int]) -> tuple[lo.Stmt, ...]:
        found: list[lo.Stmt] = []
        for stmt in body:
            if isinstance(stmt, lo.If):
                then = put_in(stmt.then, trail, depth + 1, room)
                found.append(evolve(stmt, then=then, otherwise=put_in(stmt.otherwise, trail, depth + 1, room)))
            elif isinstance(stmt, lo.Goto) and fits(stmt.block, trail, depth, room):
                room[0] -= sizes[stmt.block]
                inner = put_in(bodies[stmt.block], (*trail, stmt.block), depth + 1, room)
                found += (lo.Again(stmt.block, inner),) if stmt.block in again else inner
            else:
                found.append(stmt)
        return tuple(found)

    def fits(number: int, trail: tuple[int, ...], depth: int, room: list[int]) -> bool:
        short = sizes.get(number, LONG + 1) <= min(LONG, room[0])
        return short and number != apart and number not in trail and len(trail) < DEEP and depth < deepest

    for block in blocks:
        if is_small or block.site is not None or block.number == apart:
            room = [MOST - sizes[block.number]]
            block.body = list(put_in(bodies[block.number], (block.number,), 0, room))


def targets(body: tuple[lo.Stmt, ...]) -> set[int]:
    return {stmt.block for stmt in statements(body) if isinstance(stmt, lo.Goto)}
