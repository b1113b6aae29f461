"""Describe a hand in words: the title of its rank, with the values of the cards that count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cardlang import game as g
from cardlang.suits import counts

NUMBERS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
LEAST_RUN = 3
"""Minimum length of a run that is worded by its ends."""


class Values:
    """Values of the cards of a game: their first column of an ordered kind, or of numbers."""

    def __init__(self, game: g.Game) -> None:
        self.column: g.Column | None = None
        self.kind: g.Kind | None = None
        for column in game.columns.values():
            kind = game.kinds.get(column.type.of or "")
            if kind is not None and counts(kind):
                self.column, self.kind = column, kind
                break

    def hand(self, title: str, faces: Sequence[int]) -> str:
        """Return the hand in words: `Two pair (kings and fives)`, `Pair of nines`. `faces`: of the cards that count."""
        told = self.told(faces)
        if not told:
            return title
        return f"{title} of {told}" if title.isalpha() and self.are_alike(faces) else f"{title} ({told})"

    def places(self, faces: Sequence[int]) -> list[int]:
        """Return the values of faces, as indices in the kind; empty if a face has none."""
        if self.column is None:
            return []
        found = [self.column.place(face) for face in faces]
        return [place for place in found if place is not None] if None not in found else []

    def are_alike(self, faces: Sequence[int]) -> bool:
        return len(faces) > 1 and len(set(self.places(faces))) == 1

    def told(self, faces: Sequence[int]) -> str:
        """Return the values of faces in words; empty if a face has none.

        Examples are `kings and fives`, `three kings and two fives`, `nine to king` and `king high`.
        """
        counted = Counter(self.places(faces))
        if not counted:
            return ""
        groups = sorted(counted.items(), key=lambda group: (-group[1], -group[0]))
        sizes = {count for _, count in groups}
        if sizes == {1}:
            return self.singles([place for place, _ in groups])
        if 1 in sizes:
            return f"{self.one(max(counted))} high"
        if len(sizes) == 1:
            return " and ".join(self.many(place) for place, _ in groups)
        return " and ".join(f"{number(count)} {self.many(place)}" for place, count in groups)

    def singles(self, places: Sequence[int]) -> str:
        """Return different values in words. `places`: the highest first."""
        low, high = self.ends(places)
        if len(places) >= LEAST_RUN and high - low == len(places) - 1:
            return f"{self.one(low)} to {self.one(high)}"
        if len(places) < LEAST_RUN:
            return " and ".join(map(self.one, places))
        return f"{self.one(places[0])} high"

    def ends(self, places: Sequence[int]) -> tuple[int, int]:
        """Return the lowest and the highest value. The highest of the kind may precede its lowest (`Ace low`)."""
        assert self.kind is not None
        low, high, last = min(places), max(places), len(self.kind.members) - 1
        return (-1, sorted(places)[-2]) if (low, high) == (0, last) and len(places) > 1 else (low, high)

    def one(self, place: int) -> str:
        assert self.kind is not None
        noun = self.kind.members[place].noun.singular
        return number(int(noun)) if noun.isdecimal() else noun.replace("-", " ").lower()

    def many(self, place: int) -> str:
        assert self.kind is not None
        member = self.kind.members[place]
        if not member.noun.singular.isdecimal():
            return member.noun.plural.replace("-", " ").lower()
        return plural(self.one(place))


def number(value: int) -> str:
    """Return a number in words if it is small, else in digits."""
    return NUMBERS[value] if 0 <= value < len(NUMBERS) else str(value)


def plural(word: str) -> str:
    return f"{word}es" if word.endswith("x") else f"{word}s"
