"""Which of several readings of one rank is best: the lines of `ties`, one after another."""

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
"""Whether the condition of a `best` or `worst` line (its number) holds for the cards used, the rest, so many wilds."""
TieValues = Sequence[Sequence[int] | None]
END = 1 << 63
"""Closes a list of values that are compared: a list that another one begins with is the lower one."""


@frozen
class TieLine:
    """A line `higher` or `lower`. `source`: used, rest or wilds. `values`: by face, negative for `lower`.

    `fold`: None for a list compared value by value, else what makes one number of it."""

    sign: int
    source: str
    fold: str | None
    groups: bool
    values: tuple[int, ...]
    of_card: tuple[int, ...]

    def key(self, values: list[int]) -> tuple[int, ...]:
        """From signed values. Higher is better."""
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
    """What a low card counts: one less than the lowest, if the values rise with the attribute; else its own."""
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
    """Chooses the best of the ways to make a rank."""

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
        """Of the faces that a wild card may show in one place, those that matter for what is compared."""
        if self.checked:
            return tuple(faces)
        by_values = {tuple(line.values[face] for line in self.used_lines): face for face in reversed(faces)}
        if any(line.groups or line.fold for line in self.used_lines):
            return tuple(by_values.values())
        return (by_values[max(by_values)],)  # from the highest down: the highest is best whatever the others are

    def best(self, ways: Sequence[Way], hand: Hand, judge: Judge) -> tuple[Way, list[int]]:
        """The best way and its strength within the rank: a list of numbers, higher is better."""
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
        """By the lines from `start` on. After a `best` or `worst` line that holds nothing more counts."""
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
        """The cards left; of a hand larger than the ranking asks for, the best of them up to that size."""
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
    """Whether there is a choice of what the wild cards show."""
    return way.faces is not None and any(not isinstance(face, int) for face in way.faces)


def asked_once(judge: Judge) -> Judge:
    """A judge that is asked once for the same cards: many ways differ only in what wild cards show."""
    known: dict[tuple[int, tuple[int, ...], int], bool] = {}

    def holds(number: int, used: tuple[int, ...], rest: tuple[int, ...], wilds: int) -> bool:
        cards = (number, used, wilds)
        if cards not in known:
            known[cards] = judge(number, used, rest, wilds)
        return known[cards]

    return holds


def mentions(game: g.Game, value: g.Expr, name: str) -> bool:
    """Whether an expression, or a definition that it uses, asks for this of a reading."""
    waiting, seen = [value], set[str]()
    while waiting:
        for part in walk((waiting.pop(),)):
            if isinstance(part, g.Builtin) and part.name == name:
                return True
            if isinstance(part, g.Call) and part.define not in seen:
                seen.add(part.define)
                waiting.append(game.defines[part.define].value)
    return False
