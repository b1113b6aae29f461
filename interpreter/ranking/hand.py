"""Data structures of the search for ways to make a rank."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from cardlang.source import Span
from interpreter.errors import RuleError
from interpreter.ranking.compile import Deck, GroupTable
from interpreter.ranking.wild import StandIn

Shown = int | tuple[int, ...]
"""Face that a card shows; for a wild card, the faces to choose from."""

Fields = dict[int, list[int]]
"""Cards by key."""
Helpers = Sequence[tuple[int, StandIn]]


class Way(NamedTuple):
    """Way to make a rank: the cards used, by group, and the number of wild cards among them.

    faces: the face or faces that each used card shows; None if each shows its own.
    """

    used: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]
    wilds: int
    faces: tuple[Shown, ...] | None


class Part(NamedTuple):
    """Choice of cards for one group."""

    key: int
    cards: tuple[int, ...]
    wilds: int
    faces: tuple[Shown, ...] | None


MOST_WAYS = 100_000
"""Maximum effort of one reading, in ways to make a rank or to split cards."""


class TooManyWays(RuleError):
    """Error for a reading that exceeds the maximum effort."""


class Effort:
    """Remaining search budget of one reading."""

    __slots__ = ("cards", "left", "span")

    def __init__(self, cards: int, span: Span) -> None:
        self.cards = cards
        self.span = span
        self.left = MOST_WAYS

    def spend(self, number: int = 1) -> None:
        """Use up a part of the budget. Raise `TooManyWays` if none is left."""
        self.left -= number
        if self.left < 0:
            message = f"{self.cards} cards can be read in more than {MOST_WAYS} ways: too many to compare"
            raise TooManyWays(self.span, message)


class Hand(NamedTuple):
    """Cards to read.

    helpers: the cards that may be wild.
    most: the maximum number of cards to use.
    all: whether every card must be used.
    effort: the search budget.
    """

    cards: Sequence[int]
    helpers: Helpers
    most: int
    all: bool
    effort: Effort


def own_faces(deck: Deck, cards: Collection[int]) -> tuple[int, ...]:
    return tuple([deck.face[card] for card in cards])


def by_key(group: GroupTable, cards: Iterable[int]) -> Fields:
    """Group the cards that can join a group by their key."""
    fields: Fields = {}
    keys = group.card_keys
    for card in cards:
        key = keys[card]
        if key in fields:
            fields[key].append(card)
        elif key >= 0:
            fields[key] = [card]
    return fields
