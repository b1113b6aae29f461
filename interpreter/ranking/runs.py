"""Search for runs: groups with consecutive values, one card for each place."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from interpreter.ranking.compile import Deck, GroupTable
from interpreter.ranking.hand import Fields, Helpers, Part, Shown, own_faces


class Seat(NamedTuple):
    """Candidate card for one place of a run, and the face or faces it shows there."""

    card: int
    shown: Shown
    wild: bool


Seats = dict[int, list[Seat]]
"""Candidates by place."""


def runs(deck: Deck, group: GroupTable, fields: Fields, helpers: Helpers, sizes: range) -> Iterator[Part]:
    wild = wild_seats(group, helpers)
    for key in sorted({*fields, *wild}):
        longest = len(fields.get(key, ())) + len(helpers)
        if longest < sizes.start:
            continue
        seats = natural_seats(deck, group, fields.get(key, ()))
        starts = group.span if helpers else sorted(seats)
        reach = [(start, reaches(seats, start, group.span.stop, len(helpers))) for start in starts]
        for place, there in wild.get(key, {}).items():
            seats.setdefault(place, []).extend(there)
        for size in range(sizes.start, min(sizes.stop, longest + 1)):
            for start, length in reach:
                if size <= length:
                    for row in rows([seats.get(place, []) for place in range(start, start + size)], ()):
                        yield run_part(deck, key, row)


def reaches(natural: Collection[int], start: int, stop: int, wilds: int) -> int:
    """Return the maximum length of a run from a place on, if `wilds` wild cards fill gaps."""
    for place in range(start, stop):
        if place not in natural:
            if not wilds:
                return place - start
            wilds -= 1
    return stop - start


def natural_seats(deck: Deck, group: GroupTable, cards: Iterable[int]) -> Seats:
    """Return the candidates without wild cards. `cards`: cards with the same key."""
    seats: Seats = {}
    for card in cards:
        for place, shown in group.places[deck.face[card]]:
            seats.setdefault(place, []).append(Seat(card, shown, False))
    return seats


def wild_seats(group: GroupTable, helpers: Helpers) -> dict[int, Seats]:
    """Return the wild candidates by key."""
    seats: dict[int, Seats] = {}
    for card, stand in helpers:
        for (key, place), faces in stand.options(group).items():
            seats.setdefault(key, {}).setdefault(place, []).append(Seat(card, faces, True))
    return seats


def rows(places: Sequence[Sequence[Seat]], row: tuple[Seat, ...]) -> Iterator[tuple[Seat, ...]]:
    """Yield each choice of one candidate for each place, without repeated cards."""
    if len(row) == len(places):
        yield row
        return
    for seat in places[len(row)]:
        if all(seat.card != other.card for other in row):
            yield from rows(places, (*row, seat))


def run_part(deck: Deck, key: int, row: tuple[Seat, ...]) -> Part:
    cards = tuple(seat.card for seat in row)
    faces = tuple(seat.shown for seat in row)
    wilds = sum(seat.wild for seat in row)
    return Part(key, cards, wilds, None if faces == own_faces(deck, cards) else faces)
