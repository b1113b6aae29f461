"""Compute the frame of a routine: its parameters, and the values that one block passes to another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from interpreter import lowered as lo
from interpreter.lowered.walking import free_in, walk


def framed(routine: lo.Routine, blocks: list[lo.Block]) -> lo.Frame:
    """Compute the frame of a routine: its parameters, and the values that one block passes to another."""
    linked = frozenset(local.number for link in routine.links for local in link)
    frame = lo.Frame(routine.name, len(routine.params), open=linked)
    kinds: dict[int, lo.Kind] = {}
    for block in blocks:
        for part in walk(block.body):
            if isinstance(part, lo.Local):
                kinds.setdefault(part.number, part.kind)
    for param in routine.params:
        add(frame, param.number, param.kind)
    for link in routine.links:
        for local in link:
            add(frame, local.number, local.kind)
    needed = set(routine.wanted)
    for block in blocks:
        block.reads = open_reads(block)
        needed |= block.reads
    for number in sorted(needed):
        if number in kinds and number not in frame.slots:
            add(frame, number, kinds[number])
    return frame


def add(frame: lo.Frame, number: int, kind: lo.Kind) -> None:
    frame.slots[number] = frame.size
    frame.kinds.append(kind)


def open_reads(block: lo.Block) -> set[int]:
    """Return the variables that a block reads before it sets them: liveness at its entry."""
    found: set[int] = set()
    known = {block.code.number} if block.code is not None else set()
    scan(block.body, known, found)
    return found


ENDS = (lo.Goto, lo.Stop, lo.Enter, lo.Pop, lo.Return, lo.Leave, lo.End)


def scan(body: Iterable[lo.Stmt], known: set[int], found: set[int]) -> set[int] | None:
    """Add the variables read before they are set to `found`.

    Return the variables set at the end; None if the end is unreachable."""
    for stmt in body:
        match stmt:
            case lo.Assign():
                reads([stmt.value], known, found)
                known = known | {stmt.local.number}
            case lo.Collect():
                reads([stmt.local, stmt.value], known, found)
            case lo.TakePick():
                reads([stmt.most], known, found)
                known = known | {stmt.answer.number}
            case lo.If():
                reads([stmt.condition], known, found)
                ends = [scan(part, known, found) for part in (stmt.then, stmt.otherwise)]
                there = [end for end in ends if end is not None]
                if not there:
                    return None
                known = set.intersection(*there)
            case lo.Again():
                scan(stmt.body, known, found)
                return None
            case lo.ForEach():
                reads([stmt.list], known, found)
                scan(stmt.body, known | {stmt.local.number}, found)
            case lo.Answers():
                reads([stmt.chosen], known, found)
                scan(stmt.body, known | {stmt.who.number, stmt.answer.number}, found)
            case lo.While():
                if stmt.condition is not None:
                    reads([stmt.condition], known, found)
                scan(stmt.body, known, found)
            case _:
                reads([stmt], known, found)
        if isinstance(stmt, ENDS):
            return None
    return known


def reads(parts: Sequence[lo.Expr | lo.Stmt], known: set[int], found: set[int]) -> None:
    found |= free_in(parts) - known
