"""Suit-like kinds of a game, and the sort order of a hand."""

from __future__ import annotations

from collections.abc import Set
from functools import cached_property

from attrs import define

from cardlang.model.declarations import Face, Kind, Ranking
from cardlang.model.expressions import Attribute
from cardlang.model.game import Game
from cardlang.model.traversal import collect_all_nodes

SUIT_COLOURS = {
    "heart": "red", "diamond": "red", "club": "black", "spade": "black", "coin": "yellow", "gold": "yellow"
}  # fmt: skip
"""Colours of suits with these names, in the singular."""


@define(slots=False)
class Suits:
    """Suits of a game.

    The suit is the first column of an unordered kind whose members aren't numbers. If all kinds are ordered, as in
    games with ranked suits, it is the smallest of two or more."""

    game: Game

    @cached_property
    def suits_by_face(self) -> tuple[tuple[Kind, int] | None, ...]:
        """Suit of each face: a kind and the place in it."""
        return tuple(self.find_suit(face) for face in self.game.faces)

    def find_suit(self, face: Face) -> tuple[Kind, int] | None:
        found = []
        for column in self.game.columns.values():
            kind = self.game.kinds.get(column.type.of or "")
            place = column.get_member_index(face.number)
            if kind is not None and place is not None:
                found.append((kind, place))
        plain = next((each for each in found if not is_value_like(each[0])), None)
        ranked = [each for each in found if not has_numeric_members(each[0])] if len(found) > 1 else []
        return plain or min(ranked, key=lambda each: len(each[0].members), default=None)

    @cached_property
    def suit_offsets(self) -> dict[str, int]:
        """Offset of each suit-like kind in the numbering of all suits."""
        found: dict[str, int] = {}
        total = 0
        for kind in (suit[0] for suit in self.suits_by_face if suit):
            if kind.name not in found:
                found[kind.name] = total
                total += len(kind.members)
        return found

    @cached_property
    def suit_names(self) -> list[str]:
        """Names of all suits."""
        return [member.name for name in self.suit_offsets for member in self.game.kinds[name].members]

    @cached_property
    def is_sorted_by_value(self) -> bool:
        """Flag: hands are sorted by value before suit.

        It is set if no rule reads a suit, or if a ranking has only runs of any suits. It is set if a ranking reads
        whole hands, and more of its ranks have equal values than equal suits."""
        kinds = {kind.name for kind, _ in filter(None, self.suits_by_face)}
        suits = {name for name, column in self.game.columns.items() if column.type.of in kinds}
        rankings = self.game.rankings.values()
        traits = {trait.attribute for ranking in rankings for trait in ranking.traits}
        nodes = collect_all_nodes(self.game)
        read = traits | {node.attribute for node in nodes if isinstance(node, Attribute)}
        return suits.isdisjoint(read) or any(
            has_only_runs(ranking, suits) or has_mostly_equal_values(ranking, suits) for ranking in rankings
        )

    @cached_property
    def suit_places(self) -> dict[tuple[str, int], int]:
        """Place of each suit in a sorted hand. Colours alternate, unless values come first."""
        places: dict[tuple[str, int], int] = {}
        for name in self.suit_offsets:
            kind = self.game.kinds[name]
            left = list(range(len(kind.members)))
            colours = [SUIT_COLOURS.get(member.name.lower().removesuffix("s"), "") for member in kind.members]
            last = ""
            while left:
                differs = (at for at in left if self.is_sorted_by_value or not last or colours[at] != last)
                suit = next(differs, left[0])
                left.remove(suit)
                places[name, suit], last = len(places), colours[suit]
        return places

    def build_hand_sort_key(self, face: int | None) -> tuple[int, ...]:
        """Return the sort key of a face in a hand: card set, suit and other columns. Backs come last.

        If `is_sorted_by_value` is set, the other columns come before the suit."""
        if face is None:
            return (len(self.game.sets),)
        suit = self.suits_by_face[face]
        place = self.suit_places[suit[0].name, suit[1]] if suit else -1
        values = [column.values[face] for column in self.game.columns.values()]
        rest = [value for value in values if isinstance(value, int)]
        first = list(self.game.sets).index(self.game.faces[face].set)
        if self.is_sorted_by_value:
            return (first, *rest, place, face)
        return (first, place, *rest, face)


def has_only_runs(ranking: Ranking, suits: Set[str]) -> bool:
    """Return whether a ranking has only runs, of any suits. `suits` has the names of columns."""
    patterns = [pattern for rank in ranking.ranks for pattern in rank.patterns]
    traits = [[trait for group in pattern.groups for trait in group.traits] for pattern in patterns]
    return all(
        any(trait.word == "consecutive" for trait in each) and not any(trait.attribute in suits for trait in each)
        for each in traits
    )


def has_mostly_equal_values(ranking: Ranking, suits: Set[str]) -> bool:
    """Return whether a ranking has more groups of one value than of one suit. `suits` has the names of columns."""
    alike = [trait.attribute in suits for trait in ranking.traits if trait.word == "one"]
    return ranking.size != "groups" and alike.count(False) > alike.count(True)


def is_value_like(kind: Kind) -> bool:
    """Return whether a kind is like the values of cards: it is ordered, or its members are numbers."""
    return kind.ordered or has_numeric_members(kind)


def has_numeric_members(kind: Kind) -> bool:
    return all(member.name.isdecimal() for member in kind.members)
