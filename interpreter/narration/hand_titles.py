"""Titles of hands: the rank with the values of its cards ("Pair of Kings")."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cardlang import model as g
from cardlang.model.suits_and_hand_sorting import is_value_like

NUMBER_WORDS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
MIN_RUN_LENGTH = 3
"""Minimum length of a run that is worded by its ends."""


class CardValueNames:
    """Values of the cards of a game: their first column of an ordered kind, or of numbers."""

    def __init__(self, game: g.Game) -> None:
        self.column: g.Column | None = None
        self.kind: g.Kind | None = None
        for column in game.columns.values():
            kind = game.kinds.get(column.type.of or "")
            if kind is not None and is_value_like(kind):
                self.column, self.kind = column, kind
                break

    def format_hand_title(self, title: str, faces: Sequence[int]) -> str:
        """Return the hand in words: `Two pair (kings and fives)`, `Pair of nines`. `faces`: of the cards that count."""
        value_names = self.describe_values(faces)
        if not value_names:
            return title
        are_equal = len(faces) > 1 and len(set(self.find_value_indices(faces))) == 1
        return f"{title} of {value_names}" if title.isalpha() and are_equal else f"{title} ({value_names})"

    def find_value_indices(self, faces: Sequence[int]) -> list[int]:
        """Return the values of faces, as indices in the kind; empty if a face has none."""
        if self.column is None:
            return []
        indices = [self.column.get_member_index(face) for face in faces]
        return [index for index in indices if index is not None] if None not in indices else []

    def describe_values(self, faces: Sequence[int]) -> str:
        """Return the values of faces in words; empty if a face has none.

        Examples are `kings and fives`, `three kings and two fives`, `nine to king` and `king high`.
        """
        counted = Counter(self.find_value_indices(faces))
        if not counted:
            return ""
        groups = sorted(counted.items(), key=lambda group: (-group[1], -group[0]))
        sizes = {count for _, count in groups}
        if sizes == {1}:
            return self.describe_distinct_values([index for index, _ in groups])
        if 1 in sizes:
            return f"{self.get_value_noun(max(counted))} high"
        if len(sizes) == 1:
            return " and ".join(self.get_plural_name(index) for index, _ in groups)
        return " and ".join(f"{spell_number(count)} {self.get_plural_name(index)}" for index, count in groups)

    def describe_distinct_values(self, indices: Sequence[int]) -> str:
        """Return different values in words. `indices`: the highest first."""
        low, high = self.find_run_ends(indices)
        if len(indices) >= MIN_RUN_LENGTH and high - low == len(indices) - 1:
            return f"{self.get_value_noun(low)} to {self.get_value_noun(high)}"
        if len(indices) < MIN_RUN_LENGTH:
            return " and ".join(map(self.get_value_noun, indices))
        return f"{self.get_value_noun(indices[0])} high"

    def find_run_ends(self, indices: Sequence[int]) -> tuple[int, int]:
        """Return the lowest and the highest value. The highest of the kind may precede its lowest (`Ace low`)."""
        assert self.kind is not None
        low, high, last = min(indices), max(indices), len(self.kind.members) - 1
        return (-1, sorted(indices)[-2]) if (low, high) == (0, last) and len(indices) > 1 else (low, high)

    def get_value_noun(self, index: int) -> str:
        assert self.kind is not None
        noun = self.kind.members[index].noun.singular
        return spell_number(int(noun)) if noun.isdecimal() else noun.replace("-", " ").lower()

    def get_plural_name(self, index: int) -> str:
        assert self.kind is not None
        member = self.kind.members[index]
        if not member.noun.singular.isdecimal():
            return member.noun.plural.replace("-", " ").lower()
        name = self.get_value_noun(index)
        return f"{name}es" if name.endswith("x") else f"{name}s"


def spell_number(value: int) -> str:
    """Return a number in words if it is small, else in digits."""
    return NUMBER_WORDS[value] if 0 <= value < len(NUMBER_WORDS) else str(value)
