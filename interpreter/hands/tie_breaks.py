"""Tie breaks between hand readings of the same rank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from attrs import frozen

from cardlang import model as g
from cardlang.model.traversal import walk, walk_with_definitions
from interpreter.hands.pattern_search import PatternMatch, SearchHand, resolve_wild_faces
from interpreter.hands.ranking_tables import PatternTable, RankingDeck

TieCondition = Callable[[int, tuple[int, ...], tuple[int, ...], int], bool]
"""Callback that evaluates the condition of a `highest when` or `lowest when` line.

Arguments: the line's number, the used cards, the rest and the number of wild cards.
"""
TieValues = Sequence[Sequence[int] | None]
LIST_END = 1 << 63
"""Terminator of a list of values, so that a list compares lower than its extensions."""


@frozen
class TieBreakLine:
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

    def build_sort_key(self, values: list[int]) -> tuple[int, ...]:
        """Return the sort key of some signed values. Higher is better."""
        if self.fold is not None:
            return (self.fold_values([self.sign * value for value in values]) * self.sign,)
        values.sort(reverse=self.sign > 0)
        if self.groups and len(set(values)) < len(values):
            number = Counter(values)
            values.sort(key=lambda value: -number[value])
        return (*values, -self.sign * LIST_END)

    def fold_values(self, values: list[int]) -> int:
        match self.fold:
            case "count":
                return len(values)
            case "total":
                return sum(values)
            case "highest":
                return max(values, default=-LIST_END)
        return min(values, default=LIST_END)


def build_tie_line(deck: RankingDeck, line: g.OrderLine, values: Sequence[int] | None) -> TieBreakLine:
    sign = -1 if line.how == "lower" else 1
    builtins = {part.name for part in walk((line.value,)) if isinstance(part, g.Builtin)}
    by_face = list(values or [0] * len(deck.sets)) + [0] * (len(deck.base_faces) - len(deck.sets))
    for (attribute, face), low in deck.low_faces.items():
        by_face[low] = find_low_value(deck, attribute, face, by_face)
    signed = tuple(sign * value for value in by_face)
    return TieBreakLine(
        sign=sign,
        source=next((name for name in ("rest", "wilds") if name in builtins), "used"),
        fold=line.value.function if isinstance(line.value, g.Agg) else None,
        groups=line.layout == "groups",
        values=signed,
        of_card=tuple(signed[face] for face in deck.face_by_card),
    )


def find_low_value(deck: RankingDeck, attribute: str, face: int, values: Sequence[int]) -> int:
    """Return the value of a face that counts low.

    It is one less than the lowest value if the values rise with the attribute; else the value of the face.
    """
    rising: dict[int, set[int]] = {}
    for other, set_ in enumerate(deck.sets):
        value_index = deck.columns[attribute][other]
        if set_ == deck.sets[face] and value_index is not None:
            rising.setdefault(value_index, set()).add(values[other])
    row = [sorted(rising[value_index]) for value_index in sorted(rising)]
    steps = [value for step in row for value in step]
    if len(steps) == len(row) and steps == sorted(set(steps)):
        return steps[0] - 1
    return values[face]


class TieBreaker:
    """Selection of the best way to make a rank."""

    def __init__(
        self, game: g.Game, deck: RankingDeck, patterns: Sequence[PatternTable], ranking: g.Ranking, values: TieValues
    ) -> None:
        self.deck = deck
        self.max_cards = ranking.size if isinstance(ranking.size, int) else None
        self.lines = [
            build_tie_line(deck, line, values[number]) if line.how in ("higher", "lower") else line.how
            for number, line in enumerate(ranking.ties)
        ]
        self.numbered_lines = list(enumerate(self.lines))
        compared = [line for line in self.lines if isinstance(line, TieBreakLine)]
        self.rest_line = next((line for line in compared if line.source == "rest"), None)
        self.used_lines = [line for line in compared if line.source == "used"]
        self.has_checks = any(pattern.has_checks for pattern in patterns)
        self.is_rest_compared = any(
            is_rest_used(walk_with_definitions(game, line.value))
            for line in ranking.ties
            if line.how in ("best", "worst")
        )

    def reduce_wild_faces(self, faces: list[int]) -> tuple[int, ...]:
        """Return those faces of a wild card in one place that can affect a comparison."""
        if self.has_checks:
            return tuple(faces)
        by_values = {tuple(line.values[face] for line in self.used_lines): face for face in reversed(faces)}
        if any(line.groups or line.fold for line in self.used_lines):
            return tuple(by_values.values())
        return (by_values[max(by_values)],)  # sorted lists compare highest first, so the highest value is always best

    def find_best_match(
        self, pattern_matches: Sequence[PatternMatch], hand: SearchHand, tie_condition: TieCondition
    ) -> tuple[PatternMatch, list[int]]:
        """Return the best way and its strength within the rank: a list of numbers, higher is better."""
        if hand.possible_wilds:
            tie_condition = memoize_condition(tie_condition)
        best = pattern_matches[0]
        strength = self.compute_strength(best, hand, tie_condition)
        for match in pattern_matches[1:]:
            other = self.compute_strength(match, hand, tie_condition)
            if other > strength:
                best, strength = match, other
        return best, strength

    def compute_strength(
        self, pattern_match: PatternMatch, hand: SearchHand, tie_condition: TieCondition, start: int = 0
    ) -> list[int]:
        """Return the strength by the lines from `start` on.

        The first `highest when` or `lowest when` line whose condition holds is the last one.
        """
        strength: list[int] = []
        for number, line in self.numbered_lines[start:]:
            if not isinstance(line, TieBreakLine):
                rest = self.find_rest_cards(pattern_match, hand) if self.is_rest_compared else ()
                if tie_condition(number, pattern_match.used, rest, pattern_match.wilds):
                    strength.append(1 if line == "best" else -1)
                    return strength
                strength.append(0)
            elif line.source == "used" and pattern_match.wilds and has_open_faces(pattern_match):
                shown = [
                    pattern_match._replace(faces=faces)
                    for faces in resolve_wild_faces(self.deck, pattern_match, hand.budget)
                ]
                return strength + max(self.compute_strength(other, hand, tie_condition, number) for other in shown)
            else:
                strength += self.build_line_key(line, pattern_match, hand)
        return strength

    def find_rest_cards(self, pattern_match: PatternMatch, hand: SearchHand) -> tuple[int, ...]:
        """Return the remaining cards. If the hand exceeds the size of the ranking, keep the best up to that size."""
        rest = [card for card in hand.cards if card not in pattern_match.used]
        if self.max_cards is not None and len(pattern_match.used) + len(rest) > self.max_cards:
            if self.rest_line is not None:
                rest.sort(key=self.rest_line.of_card.__getitem__, reverse=True)
            del rest[self.max_cards - len(pattern_match.used) :]
        return tuple(rest)

    def build_line_key(self, line: TieBreakLine, pattern_match: PatternMatch, hand: SearchHand) -> tuple[int, ...]:
        if line.source == "wilds":
            return (line.sign * pattern_match.wilds,)
        if line.source == "rest":
            return line.build_sort_key([line.of_card[card] for card in self.find_rest_cards(pattern_match, hand)])
        if pattern_match.faces is None:
            return line.build_sort_key([line.of_card[card] for card in pattern_match.used])
        return line.build_sort_key([line.values[face] for face in pattern_match.faces if isinstance(face, int)])


def has_open_faces(pattern_match: PatternMatch) -> bool:
    """Return whether a match leaves a choice of faces for its wild cards."""
    return pattern_match.faces is not None and any(not isinstance(face, int) for face in pattern_match.faces)


def memoize_condition(tie_condition: TieCondition) -> TieCondition:
    """Return a memoized tie condition. Many matches differ only in the faces of wild cards."""
    known: dict[tuple[int, tuple[int, ...], int], bool] = {}

    def evaluate_once(number: int, used: tuple[int, ...], rest: tuple[int, ...], wilds: int) -> bool:
        cards = (number, used, wilds)
        if cards not in known:
            known[cards] = tie_condition(number, used, rest, wilds)
        return known[cards]

    return evaluate_once


def is_rest_used(parts: Iterable[object]) -> bool:
    """Return whether any of these parts reads the other cards of a hand."""
    return any(isinstance(part, g.Builtin) and part.name == "rest" for part in parts)


def find_deciding_line(
    lines: Sequence[g.OrderLine], strength: Sequence[int], other_strength: Sequence[int]
) -> g.OrderLine | None:
    """Return the line of `ties` that decides between the strengths of two readings of equal rank.

    Each line has one number, or a list of values with an end mark.
    """
    start = 1
    for line in lines:
        end = start + 1
        if line.layout is not None:
            end += max(
                next(at for at, value in enumerate(each[start:]) if abs(value) == LIST_END)
                for each in (strength, other_strength)
            )
        if strength[start:end] != other_strength[start:end]:
            return line
        start = end
    return None
