"""Games for hand evaluation, each with the evaluator under test and the reference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import cardlang
from cardlang import model as g
from interpreter.hands.hand_evaluator import HandEvaluator, HandReading
from tests.hands.reference import Line, Reference

GAMES = Path(__file__).parents[2] / "games"
ABSENT = -(10**9)


class Table:
    """A ranking of a game. `lines` stand for its ties, `holds` for the conditions of its groups."""

    def __init__(
        self,
        game: g.Game,
        lines: Callable[[Table], Sequence[Line]] = lambda table: (),
        holds: Callable[[Table, g.Expr, int], bool] = lambda table, condition, face: True,
    ) -> None:
        self.game = game
        (self.ranking,) = game.rankings.values()
        self.face = [face.number for face in game.faces for _ in range(face.copies)]
        self.cards = [card for card, face in enumerate(self.face) if game.faces[face].set != "Talls"]
        self.codes = {face.code: face for face in game.faces}
        self.lines = list(lines(self))
        values = [[line.value(f) for f in range(len(game.faces))] if line.value else None for line in self.lines]
        self.reader = HandEvaluator(
            game, self.ranking, lambda condition, var, face: holds(self, condition, face), values
        )
        self.reference = Reference(game, self.ranking, self.lines, lambda condition, face: holds(self, condition, face))

    def column(self, name: str, face: int) -> Any:
        return self.game.columns[name].values[face]

    def of_card(self, name: str, card: int) -> Any:
        return self.column(name, self.face[card])

    def hand(self, codes: str) -> list[int]:
        """Return cards by their codes. Equal codes are different copies."""
        cards: list[int] = []
        for code in codes.split():
            face = self.codes[code]
            cards.append(next(c for c in range(face.first, face.first + face.copies) if c not in cards))
        return cards

    def judge(self, number: int, used: tuple[int, ...], rest: tuple[int, ...], wilds: int) -> bool:
        holds = self.lines[number].holds
        assert holds is not None
        return holds(used, rest, wilds)

    def read(self, cards: Sequence[int] | str, wild: Sequence[bool] | None = None) -> HandReading | None:
        cards = self.hand(cards) if isinstance(cards, str) else cards
        return self.reader.find_best_reading(cards, wild, self.judge)

    def title(self, cards: Sequence[int] | str, wild: Sequence[bool] | None = None) -> str | None:
        reading = self.read(cards, wild)
        return reading and reading.title

    def hands(self, number: int, sizes: Sequence[int], seed: int = 1) -> list[list[int]]:
        rng = Random(seed)
        return [rng.sample(self.cards, rng.choice(sizes)) for _ in range(number)]


def assert_readers_agree(
    table: Table, hands: Sequence[Sequence[int]], wild: Callable[[int], bool] = lambda card: False
) -> None:
    """Assert that the evaluator and the reference find the same ranks, orders and best cards."""
    by_rank: dict[int, list[tuple[Any, tuple[int, ...]]]] = {}
    for hand in hands:
        flags = [wild(card) for card in hand]
        found, expected = table.read(hand, flags), table.reference.read(hand, flags)
        shown = [table.game.faces[table.face[card]].code for card in hand]
        if expected is None:
            assert found is None, shown
            continue
        rank, key, best = expected
        assert found is not None, shown
        assert found.rank == rank, (shown, found.title)
        assert (frozenset(found.used), found.wilds) in best, (shown, found.used, best)
        by_rank.setdefault(rank, []).append((key, found.strength))
    for pairs in by_rank.values():
        pairs.sort()
        for (key, strength), (next_key, next_strength) in pairwise(pairs):
            assert (strength < next_strength) == (key < next_key) and strength <= next_strength


def load(name: str) -> g.Game:
    return cardlang.load(GAMES / f"{name}.cardgame")


def tall_card_lines(tall: int | None, mine: bool) -> Callable[[Table], Sequence[Line]]:
    """Return the tie-breaks of Tall Card, with or without a tall suit, for its claimer or another player."""

    def lines(table: Table) -> Sequence[Line]:
        def tall_among(used: tuple[int, ...]) -> bool:
            return tall is not None and any(table.of_card("suit", card) == tall for card in used)

        def height(face: int) -> int:
            value = table.column("value", face)
            return 10 if table.game.faces[face].set == "Dragons" else ABSENT if value is None else value + 1

        return (
            Line("best", holds=lambda used, rest, wilds: mine and tall_among(used)),
            Line("worst", holds=lambda used, rest, wilds: tall_among(used) or wilds > 0),
            Line("higher", value=height),
        )

    return lines


def fan_lines(table: Table) -> Sequence[Line]:
    def rank(face: int) -> int:
        value = table.column("rank", face)
        return ABSENT if value is None else value

    return Line("higher", value=rank, groups=True), Line("higher", value=rank, of="rest")


def is_turtle_or_more(table: Table, condition: g.Expr, face: int) -> bool:
    """Return whether a rank is at least Turtle. Ranks run from 2 to 8, Turtle, …"""
    value = table.column("rank", face)
    return value is not None and value >= 7


def tall_card(tall: int | None, mine: bool) -> Table:
    return Table(load("tall_card"), tall_card_lines(tall, mine))


def fan_rules() -> Table:
    return Table(load("tall_card_fan"), fan_lines, is_turtle_or_more)


def small_game(ranking: str, cards: str = "1 of each Value, Suit", values: str = "1 to 5, Top (T)") -> g.Game:
    """Return a deck of three suits and a ranking (of five cards by default)."""
    return cardlang.loads(
        f"""game "Small" for 2 players
kind Suit: Plum (p), Diamond (d), Bamboo (b)
ordered kind Value: {values}
cards Numbers in deck
  {cards}
zone deck
define your score as 0
{ranking}
step play
  shuffle deck
"""
    )
