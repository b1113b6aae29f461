"""Tie-breaking within a rank: evaluate the lines of `ties` in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from attrs import frozen

from cardlang import game as g
from cardlang.game.walking import walk
from interpreter.ranking.compile import Deck, PatternTable
from interpreter.ranking.hand import Hand, Way
from interpreter.ranking.ways import resolved

Judge = Callable[[int, tuple[int, ...], tuple[int, ...], int], bool]
"""Callback that evaluates the condition of a `best` or `worst` line.

Arguments: the line's number, the used cards, the rest and the number of wild cards.
"""
TieValues = Sequence[Sequence[int] | None]
END = 1 << 63
"""Terminator of a list of values, so that a list compares lower than its extensions."""


@frozen
class TieLine:
    """Line `higher` or `lower`.

    source: `used`, `rest` or `wilds`.
    fold: None for a list compared value by value, else the function that combines the values.
    groups: whether values that occur more often compare first.
    values: by face, negative for `lower`.
    of_card: by card, the value of its face.
    """

    sign: int
    source: str
    fold: str | None
    groups: bool
    values: tuple[int, ...]
    of_card: tuple[int, ...]

    def key(self, values: list[int]) -> tuple[int, ...]:
        """Return the sort key of some signed values. Higher is better."""
        if self.fold is not None:
            return (self.folded([self.sign * value for value in values]) * self.sign,)
        values.sort(reverse=self.sign > 0)
        if self.groups and len(set(values)) < len(values):
            number = Counter(values)
            values.sort(key=lambda value: -number[value])
        return (*values, -self.sign * END)

    def folded(self, values: list[int]) -> int:
        match self.fold:
            case "count":
                return len(values)
            case "total":
                return sum(values)
            case "highest":
                return max(values, default=-END)
        return min(values, default=END)


def tie_line(deck: Deck, line: g.OrderLine, values: Sequence[int] | None) -> TieLine:
    sign = -1 if line.how == "lower" else 1
    builtins = {part.name for part in walk((line.value,)) if isinstance(part, g.Builtin)}
    by_face = list(values or [0] * len(deck.sets)) + [0] * (len(deck.base) - len(deck.sets))
    for (attribute, face), low in deck.low.items():
        by_face[low] = low_value(deck, attribute, face, by_face)
    signed = tuple(sign * value for value in by_face)
    return TieLine(
        sign=sign,
        source=next((name for name in ("rest", "wilds") if name in builtins), "used"),
        fold=line.value.function if isinstance(line.value, g.Agg) else None,
        groups=line.layout == "groups",
        values=signed,
        of_card=tuple(signed[face] for face in deck.face),
    )


def low_value(deck: Deck, attribute: str, face: int, values: Sequence[int]) -> int:
    """Return the value of a face that counts low.

    It is one less than the lowest value if the values rise with the attribute; else the value of the face.
    """
    rising: dict[int, set[int]] = {}
    for other, set_ in enumerate(deck.sets):
        place = deck.columns[attribute][other]
        if set_ == deck.sets[face] and place is not None:
            rising.setdefault(place, set()).add(values[other])
    row = [sorted(rising[place]) for place in sorted(rising)]
    steps = [value for step in row for value in step]
    if len(steps) == len(row) and steps == sorted(set(steps)):
        return steps[0] - 1
    return values[face]


class Ties:
    """Selection of the best way to make a rank."""

    def __init__(
        self,
        game: g.Game,
        deck: Deck,
        patterns: Sequence[PatternTable],
        ranking: g.Ranking,
        values: TieValues,
    ) -> None:
        self.deck = deck
        self.room = ranking.size if isinstance(ranking.size, int) else None
        self.lines = [
            tie_line(deck, line, values[number]) if line.how in ("higher", "lower") else line.how
            for number, line in enumerate(ranking.ties)
        ]
        self.numbered = list(enumerate(self.lines))
        compared = [line for line in self.lines if isinstance(line, TieLine)]
        self.rest_line = next((line for line in compared if line.source == "rest"), None)
        self.used_lines = [line for line in compared if line.source == "used"]
        self.checked = any(pattern.checked for pattern in patterns)
        self.judges_rest = any(
            mentions(game, line.value, "rest") for line in ranking.ties if line.how in ("best", "worst")
        )

    def reduce(self, faces: list[int]) -> tuple[int, ...]:
        """Return those faces of a wild card in one place that can affect a comparison."""
        if self.checked:
            return tuple(faces)
        by_values = {tuple(line.values[face] for line in self.used_lines): face for face in reversed(faces)}
        if any(line.groups or line.fold for line in self.used_lines):
            return tuple(by_values.values())
        return (by_values[max(by_values)],)  # sorted lists compare highest first, so the highest value is always best

    def best(self, ways: Sequence[Way], hand: Hand, judge: Judge) -> tuple[Way, list[int]]:
        """Return the best way and its strength within the rank: a list of numbers, higher is better."""
        if hand.helpers:
            judge = asked_once(judge)
        best = ways[0]
        strength = self.strength(best, hand, judge)
        for way in ways[1:]:
            other = self.strength(way, hand, judge)
            if other > strength:
                best, strength = way, other
        return best, strength

    def strength(self, way: Way, hand: Hand, judge: Judge, start: int = 0) -> list[int]:
        """Return the strength by the lines from `start` on.

        The first `best` or `worst` line that holds is the last one.
        """
        strength: list[int] = []
        for number, line in self.numbered[start:]:
            if not isinstance(line, TieLine):
                rest = self.rest(way, hand) if self.judges_rest else ()
                if judge(number, way.used, rest, way.wilds):
                    strength.append(1 if line == "best" else -1)
                    return strength
                strength.append(0)
            elif line.source == "used" and way.wilds and is_open(way):
                shown = [way._replace(faces=faces) for faces in resolved(self.deck, way, hand.effort)]
                return strength + max(self.strength(other, hand, judge, number) for other in shown)
            else:
                strength += self.key(line, way, hand)
        return strength

    def rest(self, way: Way, hand: Hand) -> tuple[int, ...]:
        """Return the remaining cards. If the hand exceeds the size of the ranking, keep the best up to that size."""
        rest = [card for card in hand.cards if card not in way.used]
        if self.room is not None and len(way.used) + len(rest) > self.room:
            if self.rest_line is not None:
                rest.sort(key=self.rest_line.of_card.__getitem__, reverse=True)
            del rest[self.room - len(way.used) :]
        return tuple(rest)

    def key(self, line: TieLine, way: Way, hand: Hand) -> tuple[int, ...]:
        if line.source == "wilds":
            return (line.sign * way.wilds,)
        if line.source == "rest":
            return line.key([line.of_card[card] for card in self.rest(way, hand)])
        if way.faces is None:
            return line.key([line.of_card[card] for card in way.used])
        return line.key([line.values[face] for face in way.faces if isinstance(face, int)])


def is_open(way: Way) -> bool:
    """Return whether a way leaves a choice of faces for its wild cards."""
    return way.faces is not None and any(not isinstance(face, int) for face in way.faces)


def asked_once(judge: Judge) -> Judge:
    """Return a memoized judge. Many ways differ only in the faces of wild cards."""
    known: dict[tuple[int, tuple[int, ...], int], bool] = {}

    def holds(number: int, used: tuple[int, ...], rest: tuple[int, ...], wilds: int) -> bool:
        cards = (number, used, wilds)
        if cards not in known:
            known[cards] = judge(number, used, rest, wilds)
        return known[cards]

    return holds


def mentions(game: g.Game, value: g.Expr, name: str) -> bool:
    """Return whether an expression, or a definition it calls, reads this property of a reading."""
    waiting, seen = [value], set[str]()
    while waiting:
        for part in walk((waiting.pop(),)):
            if isinstance(part, g.Builtin) and part.name == name:
                return True
            if isinstance(part, g.Call) and part.define not in seen:
                seen.add(part.define)
                waiting.append(game.defines[part.define].value)
    return False
