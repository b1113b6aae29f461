"""Groups whose values run on without a gap: one card for each place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
        for size in range(sizes.start, min(sizes.stop, longest + 1)):
            for start in range(group.span.start, group.span.stop - size + 1):
                places = [(key, place) for place in range(start, start + size)]
                if sum(place not in natural for place in places) <= len(helpers):
                    for row in rows([seats.get(place, []) for place in places], ()):
                        yield run_part(deck, key, row)


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
