"""Which kind of a game is like a suit, and how a hand is sorted: found from the game alone."""

from __future__ import annotations

from functools import cached_property

from attrs import define

from cardlang.game import Face, Game, Kind


@define(slots=False)
class Suits:
    """The first column of a card that is of an unordered kind is taken for its suit, if that kind is not of numbers."""

    game: Game

    @cached_property
    def by_face(self) -> tuple[tuple[Kind, int] | None, ...]:
        """For each face its suit: a kind and the place in it."""
        return tuple(self.suit_of(face) for face in self.game.faces)

    def suit_of(self, face: Face) -> tuple[Kind, int] | None:
        for column in self.game.columns.values():
            kind = self.game.kinds.get(column.type.of or "")
            place = column.place(face.number)
            if kind is not None and not counts(kind) and place is not None:
                return kind, place
        return None

    @cached_property
    def offsets(self) -> dict[str, int]:
        """By kind how many members of suit-like kinds come before its own: different suits have different
        numbers."""
        found: dict[str, int] = {}
        total = 0
        for kind in (suit[0] for suit in self.by_face if suit):
            if kind.name not in found:
                found[kind.name] = total
                total += len(kind.members)
        return found

    @cached_property
    def names(self) -> list[str]:
        """All members of suit-like kinds."""
        return [member.name for name in self.offsets for member in self.game.kinds[name].members]

    def place_in_hand(self, face: int | None) -> tuple[int, ...]:
        """Sorts a hand: by card set, suit, then the other columns; backs last."""
        if face is None:
            return (len(self.game.sets),)
        suit = self.by_face[face]
        values = [column.values[face] for column in self.game.columns.values()]
        rest = [value for value in values if isinstance(value, int)]
        first = list(self.game.sets).index(self.game.faces[face].set)
        return (first, suit[1] if suit else -1, *rest, face)


def counts(kind: Kind) -> bool:
    """Whether a kind is like the values of cards: it has an order, or its members are numbers."""
    return kind.ordered or all(member.name.isdecimal() for member in kind.members)
