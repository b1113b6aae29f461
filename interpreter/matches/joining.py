"""Merge events that the log reports together.

These are cards moved by one statement, repeated assignments, and cards shuffled into a pile.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from interpreter.matches.names import Names
from interpreter.matches.telling import SHUFFLED, doer_of
from interpreter.state import ABSENT

if TYPE_CHECKING:
    from interpreter.matches.log import Happening

PUTTING = ("put", "place", "return", "move")


def without_marks(names: Names, happened: Sequence[Happening]) -> list[Happening]:
    """Return the happenings without counters of single cards. They have no line and must not separate other events."""
    tracks = names.program.tracks
    return [each for each in happened if each.kind != "set" or tracks[each.data[0]].track.subject != "card"]


def moves_joined(happened: Sequence[Happening]) -> Iterator[Happening]:
    """Yield the happenings, with consecutive moves of one statement merged."""
    run: list[Happening] = []
    for each in happened:
        moved = each.kind == "moved"
        if run and not (moved and is_like(run[0], each)):
            yield from joined(run)
            run = []
        if moved:
            run.append(each)
        else:
            yield each
    yield from joined(run)


def sets_joined(happened: Sequence[Happening]) -> Iterator[Happening]:
    """Yield the happenings, with consecutive assignments to a track merged."""
    run: dict[int, Happening] = {}
    for each in happened:
        is_set = each.kind == "set"
        if run and not (is_set and each.at == next(iter(run.values())).at):
            yield from run.values()
            run = {}
        if is_set:
            slot, _, new = each.data
            first = run.get(slot, each)
            run[slot] = each._replace(data=(slot, first.data[1], new))
        else:
            yield each
    yield from run.values()


def is_like(move: Happening, other: Happening) -> bool:
    """Return whether one execution of a statement makes both moves."""
    return (move.data[0], move.span.start, move.at) == (other.data[0], other.span.start, other.at)


def joined(run: list[Happening]) -> Iterator[Happening]:
    """Yield moves of one statement, merged by source and target pile. A source pile of `ABSENT` means several piles."""
    if len(run) == 1 and len(run[0].piles) == 1:
        yield run[0]
        return
    found: dict[tuple[int, int], tuple[list[int], list[int]]] = {}
    for each in run:
        verb, cards, _, to, seen = each.data
        source = each.piles[0] if len(set(each.piles)) == 1 else ABSENT
        into = found.setdefault((source, to), ([], []))
        into[0].extend(cards)
        into[1].extend(seen)
    for (source, to), (cards, seen) in found.items():
        data = (verb, tuple(cards), (), to, tuple(seen))
        yield run[0]._replace(data=data, piles=(source,))


def shuffled_in(names: Names, happened: Iterable[Happening]) -> Iterator[Happening]:
    """Yield the happenings. Cards put into a pile that is shuffled immediately are marked as shuffled into it."""
    put: list[Happening] = []
    for each in happened:
        if each.kind == "shuffled" and put and (put[0].data[3], put[0].at) == (each.data[0], each.at):
            put = [move._replace(data=(SHUFFLED, *move.data[1:])) for move in put]
        if put and not (is_put(names, each) and (each.data[3], each.at) == (put[0].data[3], put[0].at)):
            yield from put
            put = []
        if is_put(names, each):
            put.append(each)
        else:
            yield each
    yield from put


def is_put(names: Names, each: Happening) -> bool:
    """Return whether cards are put somewhere by no player, or by the owner of that pile."""
    if each.kind != "moved" or each.data[0] not in PUTTING:
        return False
    doer = doer_of(names, each.data[0], each.piles[0], each.data[3])
    return doer is None or doer == names.seat_of(each.data[3])
