"""Substitution of wild cards: the faces that each may show."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cardlang import game as g
from interpreter.ranking.compile import Deck, GroupTable
from interpreter.ranking.screen import Screen

Options = dict[tuple[int, int], tuple[int, ...]]
"""By key and place in a group (place 0 without a run), the faces to choose from."""
Reduce = Callable[[list[int]], tuple[int, ...]]


def stands_for(deck: Deck, wild: g.Wild, face: int) -> set[int]:
    """Return the faces that a wild card with this face may show. Its own face is excluded: as itself it is not wild."""
    if wild.attribute is None:
        return {other for other, set_ in enumerate(deck.sets) if set_ in wild.sets and other != face}
    by_value: dict[g.Value, list[int]] = {}
    for other, set_ in enumerate(deck.sets):
        value = deck.columns[wild.attribute][other]
        if set_ == deck.sets[face] and value is not None:
            by_value.setdefault(value, []).append(other)
    return {like for others in by_value.values() for like in most_alike(deck, face, others)} - {face}


def most_alike(deck: Deck, face: int, others: list[int]) -> list[int]:
    """Return the faces that have the most columns in common with a face."""
    kept = [sum(values[face] == values[other] for values in deck.columns.values()) for other in others]
    return [other for other, number in zip(others, kept, strict=True) if number == max(kept)]


class StandIn:
    """Card that may be wild, with its options in each group and its ones in the counts of a screen."""

    def __init__(self, face: int, faces: set[int], reduce: Reduce) -> None:
        self.face = face
        self.faces = sorted(faces)
        self.reduce = reduce
        self.found: dict[GroupTable, Options] = {}
        self.packs: dict[Screen, int] = {}

    def options(self, group: GroupTable) -> Options:
        if group not in self.found:
            self.found[group] = self.find(group)
        return self.found[group]

    def find(self, group: GroupTable) -> Options:
        shown: dict[tuple[int, int], list[int]] = {}
        for face in self.faces:
            if (key := group.keys[face]) >= 0:
                for place, as_face in group.places[face] if group.step else ((0, face),):
                    shown.setdefault((key, place), []).append(as_face)
        return {place: self.reduce(faces) for place, faces in shown.items()}

    def pack(self, screen: Screen) -> int:
        if screen not in self.packs:
            self.packs[screen] = screen.pack((self.face, *self.faces))
        return self.packs[screen]


class WildCards:
    """Cache of the `StandIn` objects of a ranking."""

    def __init__(self, deck: Deck, wilds: Sequence[g.Wild], reduce: Reduce) -> None:
        self.deck = deck
        self.wilds = wilds
        self.reduce = reduce
        self.made: dict[tuple[int, int], StandIn] = {}

    def stand_in(self, card: int, lines: int) -> StandIn:
        """Return the `StandIn` of a card.

        `lines`: a bit set of the `wild` lines that apply to it; `True` is the first.
        """
        name = (self.deck.face[card], int(lines))
        if name not in self.made:
            which = (wild for number, wild in enumerate(self.wilds) if int(lines) >> number & 1)
            faces = set[int]().union(*(stands_for(self.deck, wild, name[0]) for wild in which))
            self.made[name] = StandIn(name[0], faces, self.reduce)
        return self.made[name]
