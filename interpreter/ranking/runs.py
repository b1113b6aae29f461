"""Groups whose values run on without a gap: one card for each place."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from interpreter.ranking.compile import Deck, GroupTable
from interpreter.ranking.hand import Fields, Helpers, Part, Shown, own_faces


class Seat(NamedTuple):
    """A card in one place of a run and what it shows there."""

    card: int
    shown: Shown
    wild: bool


Seats = dict[tuple[int, int], list[Seat]]
"""By key and place."""


def runs(deck: Deck, group: GroupTable, fields: Fields, helpers: Helpers, sizes: range) -> Iterator[Part]:
    seats = natural_seats(deck, group, fields)
    natural = set(seats)
    for card, stand in helpers:
        for place, faces in stand.options(group).items():
            seats.setdefault(place, []).append(Seat(card, faces, True))
    for key in sorted({key for key, _ in seats}):
        longest = len(fields.get(key, ())) + len(helpers)
        reach = [(start, reaches(natural, key, start, group.span.stop, len(helpers))) for start in group.span]
        for size in range(sizes.start, min(sizes.stop, longest + 1)):
            for start, length in reach:
                if size <= length:
                    places = [seats.get((key, place), []) for place in range(start, start + size)]
                    for row in rows(places, ()):
                        yield run_part(deck, key, row)


def reaches(natural: Collection[tuple[int, int]], key: int, start: int, stop: int, wilds: int) -> int:
    """How long a run from a place on can be, if wild cards fill so many gaps."""
    for place in range(start, stop):
        if (key, place) not in natural:
            if not wilds:
                return place - start
            wilds -= 1
    return stop - start


def natural_seats(deck: Deck, group: GroupTable, fields: Fields) -> Seats:
    seats: Seats = {}
    for key, cards in fields.items():
        for card in cards:
            for place, shown in group.places[deck.face[card]]:
                seats.setdefault((key, place), []).append(Seat(card, shown, False))
    return seats


def rows(places: Sequence[Sequence[Seat]], row: tuple[Seat, ...]) -> Iterator[tuple[Seat, ...]]:
    """One card for each place, each card once."""
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
