"""Which kind of a game is like a suit, and how a hand is sorted: found from the game alone."""

from __future__ import annotations

from collections.abc import Set
from functools import cached_property

from attrs import define

from cardlang.game import Face, Game, Kind, Ranking


@define(slots=False)
class Suits:
    """The first column of a card that is of an unordered kind is taken for its suit, if that kind is not of numbers.
    Where all its kinds are ordered, as where suits rank, it is the smallest of two or more."""

    game: Game

    @cached_property
    def by_face(self) -> tuple[tuple[Kind, int] | None, ...]:
        """For each face its suit: a kind and the place in it."""
        return tuple(self.suit_of(face) for face in self.game.faces)

    def suit_of(self, face: Face) -> tuple[Kind, int] | None:
        found = []
        for column in self.game.columns.values():
            kind = self.game.kinds.get(column.type.of or "")
            place = column.place(face.number)
            if kind is not None and place is not None:
                found.append((kind, place))
        plain = next((each for each in found if not counts(each[0])), None)
        ranked = [each for each in found if not numbers(each[0])] if len(found) > 1 else []
        return plain or min(ranked, key=lambda each: len(each[0].members), default=None)

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

    @cached_property
    def by_value(self) -> bool:
        """Whether hands are sorted by value: where a ranking has runs alone, of any suits, and where it reads hands as
        a whole and equal values count in more of its ranks than equal suits."""
        kinds = {kind.name for kind, _ in filter(None, self.by_face)}
        suits = {name for name, column in self.game.columns.items() if column.type.of in kinds}
        return any(
            is_of_runs(ranking, suits) or is_of_equals(ranking, suits) for ranking in self.game.rankings.values()
        )

    def place_in_hand(self, face: int | None) -> tuple[int, ...]:
        """Sorts a hand: by card set, suit, then the other columns, or by these first where they count most; backs
        last."""
        if face is None:
            return (len(self.game.sets),)
        suit = self.by_face[face]
        values = [column.values[face] for column in self.game.columns.values()]
        rest = [value for value in values if isinstance(value, int)]
        first = list(self.game.sets).index(self.game.faces[face].set)
        if self.by_value:
            return (first, *rest, suit[1] if suit else -1, face)
        return (first, suit[1] if suit else -1, *rest, face)


def is_of_runs(ranking: Ranking, suits: Set[str]) -> bool:
    """Whether all that a ranking knows are cards that follow each other, whatever their suits (columns)."""
    patterns = [pattern for rank in ranking.ranks for pattern in rank.patterns]
    traits = [[trait for group in pattern.groups for trait in group.traits] for pattern in patterns]
    return all(
        any(trait.word == "consecutive" for trait in each) and not any(trait.attribute in suits for trait in each)
        for each in traits
    )


def is_of_equals(ranking: Ranking, suits: Set[str]) -> bool:
    """Whether a ranking looks for cards of one value more than for cards of one suit (columns)."""
    alike = [trait.attribute in suits for trait in ranking.traits if trait.word == "one"]
    return ranking.size != "groups" and alike.count(False) > alike.count(True)


def counts(kind: Kind) -> bool:
    """Whether a kind is like the values of cards: it has an order, or its members are numbers."""
    return kind.ordered or numbers(kind)


def numbers(kind: Kind) -> bool:
    return all(member.name.isdecimal() for member in kind.members)
