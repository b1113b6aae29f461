"""Merge blocks into their only predecessor. Jumps to jumps go directly to the final target: jump threading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from attrs import evolve

from interpreter import lowered as lo
from interpreter.lowered.walking import statements

Body = tuple[lo.Stmt, ...]
DEEPEST = 15
"""Maximum nesting of merged blocks."""


def targets(body: Iterable[lo.Stmt]) -> list[int]:
    return [stmt.block for stmt in statements(body) if isinstance(stmt, lo.Goto)]


def joined(blocks: list[lo.Block], kept: set[int], opening: int | None) -> list[lo.Block]:
    """Merge every block with a single predecessor into it, and return the remaining blocks.

    kept: blocks that are referenced elsewhere, such as those where a frame continues.
    opening: the block that must not be skipped."""
    by_number = {block.number: block for block in blocks}
    shorten(by_number, kept, opening)
    uses = Counter(target for block in blocks for target in targets(block.body))
    single = {n for n, count in uses.items() if count == 1 and n in by_number and n not in kept}
    done: set[int] = set()
    swallowed: set[int] = set()

    def filled(number: int, trail: frozenset[int]) -> list[lo.Stmt]:
        block = by_number[number]
        if number not in done:
            done.add(number)
            block.body = list(put_in(tuple(block.body), trail))
        return block.body

    def put_in(body: Body, trail: frozenset[int]) -> Body:
        found: list[lo.Stmt] = []
        for stmt in body:
            near = isinstance(stmt, lo.Goto) and stmt.block not in trail and len(trail) < DEEPEST
            if isinstance(stmt, lo.Goto) and near and stmt.block in single:
                swallowed.add(stmt.block)
                found += filled(stmt.block, trail | {stmt.block})
            elif isinstance(stmt, lo.If):
                found.append(lo.If(stmt.condition, put_in(stmt.then, trail), put_in(stmt.otherwise, trail)))
            else:
                found.append(stmt)
        return tuple(found)

    for number in sorted(by_number, key=lambda number: number in single):
        if number not in swallowed:
            filled(number, frozenset({number}))
    return reached([block for block in blocks if block.number not in swallowed], kept)


def reached(blocks: list[lo.Block], kept: set[int]) -> list[lo.Block]:
    """Return the reachable blocks."""
    by_number = {block.number: block for block in blocks}
    waiting = [block.number for block in blocks if block.number in kept]
    found = set(waiting)
    while waiting:
        fresh = {target for target in targets(by_number[waiting.pop()].body) if target in by_number} - found
        found |= fresh
        waiting += fresh
    return [block for block in blocks if block.number in found]


def shorten(blocks: dict[int, lo.Block], kept: set[int], opening: int | None) -> None:
    """Redirect jumps to a block that only jumps on to the final target."""
    jumps = {
        number: block.body[0].block
        for number, block in blocks.items()
        if len(block.body) == 1 and isinstance(block.body[0], lo.Goto) and number != opening
    }

    def final(number: int) -> int:
        seen: set[int] = set()
        while number in jumps and number not in seen:
            seen.add(number)
            number = jumps[number]
        return number

    def changed(body: Iterable[lo.Stmt]) -> Body:
        return tuple(change(stmt) for stmt in body)

    def change(stmt: lo.Stmt) -> lo.Stmt:
        match stmt:
            case lo.Goto():
                return lo.Goto(final(stmt.block))
            case lo.If():
                return lo.If(stmt.condition, changed(stmt.then), changed(stmt.otherwise))
            case lo.ForEach() | lo.While() | lo.Answers():
                return evolve(stmt, body=changed(stmt.body))
        return stmt

    kept |= {final(number) for number in kept}
    for block in blocks.values():
        block.body = list(changed(block.body))
        block.enclosing = {step: final(number) for step, number in block.enclosing.items()}
