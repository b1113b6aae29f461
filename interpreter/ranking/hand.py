"""What a search for the ways to make a rank works on, and what it finds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from cardlang.source import Span
from interpreter.errors import RuleError
from interpreter.ranking.compile import Deck, GroupTable
from interpreter.ranking.wild import StandIn

Shown = int | tuple[int, ...]
"""The face that a card shows; of a wild card those that it may show."""

Fields = dict[int, list[int]]
"""Cards by key."""
Helpers = Sequence[tuple[int, StandIn]]


class Way(NamedTuple):
    """`faces`: what each of the cards used shows, or None if each shows its own."""

    used: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]
    wilds: int
    faces: tuple[Shown, ...] | None


class Part(NamedTuple):
    """The cards of one group."""

    key: int
    cards: tuple[int, ...]
    wilds: int
    faces: tuple[Shown, ...] | None


MOST_WAYS = 100_000
"""How many ways to make a rank, or to split cards, are looked at before the reading is given up."""


class TooManyWays(RuleError):
    """A reading is given up."""


class Effort:
    """What may still be tried in one reading."""

    __slots__ = ("cards", "left", "span")

    def __init__(self, cards: int, span: Span) -> None:
        self.cards = cards
        self.span = span
        self.left = MOST_WAYS

    def spend(self, number: int = 1) -> None:
        """Raises TooManyWays if nothing is left."""
        self.left -= number
        if self.left < 0:
            message = f"{self.cards} cards can be read in more than {MOST_WAYS} ways: too many to compare"
            raise TooManyWays(self.span, message)


class Hand(NamedTuple):
    """`helpers`: the cards that may be wild. At most `most` cards are used; if `all`, every card."""

    cards: Sequence[int]
    helpers: Helpers
    most: int
    all: bool
    effort: Effort


def own_faces(deck: Deck, cards: Collection[int]) -> tuple[int, ...]:
    return tuple([deck.face[card] for card in cards])


def by_key(group: GroupTable, cards: Iterable[int]) -> Fields:
    """The cards that a group may have, together with those that have the same key."""
    fields: Fields = {}
    keys = group.card_keys
    for card in cards:
        key = keys[card]
        if key in fields:
            fields[key].append(card)
        elif key >= 0:
            fields[key] = [card]
    return fields
