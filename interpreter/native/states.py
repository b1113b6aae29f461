"""Convert Python states to numbers for C, and back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from interpreter import lowered as lo
from interpreter.program import Program
from interpreter.state import State

WORD = 1 << 64


def as_numbers(s: State) -> list[int]:
    """Serialize a state. Lists are preceded by their length.

    Raise `ValueError` for a state that C cannot represent: one with the random state of a long seed, or with
    listeners."""
    if not isinstance(s.rng, int) or s.rng >= WORD or s.events is not None:
        raise ValueError("a state with long chance or with listeners")
    return without_chance(s, s.rng - WORD if s.rng >> 63 else s.rng)


def without_chance(s: State, chance: int = 0) -> list[int]:
    """Serialize a state with another random state."""
    numbers = [s.who, chance, s.out, s.fuel, len(s.frames)]
    for row in (s.legal, s.t, s.loc, s.owner, s.known, s.order, s.alive, s.picks, *s.z):
        numbers += [len(row), *row]
    for frame in s.frames:
        for value in frame:
            numbers += list_as_numbers(value) if isinstance(value, list | tuple) else [int(value)]
    return numbers


def list_as_numbers(value: Sequence[Any]) -> list[int]:
    """Serialize a list of numbers or of simultaneous choices: who and the move, or who, the number of cards and the
    cards."""
    if not value or not isinstance(value[0], tuple):
        return [len(value), *value]
    row: list[int] = []
    for item in value:
        for part in item:
            row += [len(part), *part] if isinstance(part, list | tuple) else [part]
    return [len(row), *row]


def from_numbers(program: Program, several: frozenset[int], numbers: Sequence[int]) -> State:
    """Restore a state from its numbers. `several`: the sites, as in `frame.codes`, whose choices are of several
    cards."""
    given, s = iter(numbers), State()
    s.who, rng, s.out, s.fuel, depth = islice(given, 5)
    s.rng = rng % WORD
    s.legal, s.t, s.loc, s.owner, s.known, s.order, s.alive, s.picks = (row(given) for _ in range(8))
    s.z = [row(given) for _ in program.zones]
    s.frames = [frame_of(program, several, given) for _ in range(depth)]
    s.events, s.checking = None, False
    return s


def row(given: Iterator[int]) -> list[int]:
    return list(islice(given, next(given)))


def frame_of(program: Program, several: frozenset[int], given: Iterator[int]) -> list[Any]:
    block = next(given)
    frame = program.frame_at(block)
    values: list[Any] = [block]
    for slot, kind in enumerate(frame.kinds[1:] if frame is not None else (), start=1):
        if kind is None or kind.tag not in ("list", "answers"):
            values.append(next(given))
        elif kind.tag == "list":
            values.append(row(given))
        else:
            assert frame is not None
            values.append(answers(row(given), frame.codes.get(slot) in several))
    return values


def answers(numbers: list[int], several: bool) -> tuple[tuple[int, Any], ...]:
    given = iter(numbers)
    return tuple((who, row(given) if several else next(given)) for who in given)


def sites_of_several(program: Program) -> frozenset[int]:
    """Return the simultaneous decisions for several items."""
    return frozenset(
        part.site
        for block in program.lowering.splitter.blocks
        for part in lo.walk(block.body)
        if isinstance(part, lo.TakePick)
    )
