"""Worth of cards for faces, when the rules add such values up: `1 point`."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from statistics import median

from attrs import define

from cardlang.cards import SmallCardSet
from cardlang.english import morphology
from cardlang.model import Face, Game
from cardlang.model.summed_card_values import SummedValue, find_summed_value

RARE_WORTH = 3
"""Least worth of a card that stands out, relative to the median."""


def format_digits(value: object) -> str:
    """Return a value of a card with its number in digits, such as `7.5`."""
    return f"{float(value):.15g}" if isinstance(value, Fraction) else str(value)


def find_rank_names(cards: SmallCardSet, face: Face) -> set[str]:
    """Return the names of a card's members of ordered kinds."""
    return {rank.name for rank in (cards.find_rank_member(name, face) for name in cards.game.columns) if rank}


@define(slots=False)
class CardWorths:
    """Values of the cards of a game that the rules add up."""

    game: Game
    small_cards: SmallCardSet

    @cached_property
    def summed_value(self) -> SummedValue | None:
        return find_summed_value(self.game)

    @cached_property
    def values(self) -> Mapping[int, int | Fraction]:
        """Worth of each face by its number."""
        return self.summed_value.values if self.summed_value else {}

    @cached_property
    def differing(self) -> list[tuple[Face, set[str]]]:
        """Faces whose index doesn't say what they are worth, with the names of their ranks."""
        named = [(face, find_rank_names(self.small_cards, face)) for face in self.game.faces]
        return [(face, names) for face, names in named if format_digits(self.values.get(face.number, 0)) not in names]

    @cached_property
    def plain_sets(self) -> set[str]:
        """Card sets whose cards with a number as index are worth that number."""
        others = {face.set for face, names in self.differing if any(map(str.isdecimal, names))}
        return {face.set for face in self.game.faces} - others

    @cached_property
    def valued_sets(self) -> set[str]:
        """Card sets with cards whose index doesn't say what they are worth."""
        return {face.set for face, _ in self.differing if self.values.get(face.number)}

    def find_worth(self, face: Face) -> int | Fraction:
        """Return what a card is worth if the rules add such values up; 0 if it is nothing, or if its index says it."""
        worth = self.values.get(face.number) or 0
        is_said = face.set in self.plain_sets and format_digits(worth) in find_rank_names(self.small_cards, face)
        return 0 if is_said or face.set not in self.valued_sets else worth

    def is_rare(self, worth: int | Fraction) -> bool:
        """Return whether a worth is far larger than that of most cards."""
        return bool(worth) and abs(float(worth)) >= RARE_WORTH * median(
            abs(float(value)) for value in self.values.values() if value
        )

    def format(self, worth: int | Fraction) -> str:
        """Return a worth with the name of such values: `1 point`, or `Worth 8`; empty for 0."""
        noun = self.summed_value.noun if self.summed_value else None
        name = noun.singular if noun else "worth"
        one = morphology.singularize(name)
        if not worth:
            return ""
        if one == name:
            return f"{morphology.format_heading(name)} {format_digits(worth)}"
        return f"{format_digits(worth)} {one if worth == 1 else name}"
