"""C made from lowered programs plays and reads as the Python does, where there is a compiler to ask."""

from __future__ import annotations

import ctypes
import os
from functools import cache
from pathlib import Path

import pytest

import cardlang
from benchmarks.to_c.engine import Engine, compiler
from benchmarks.to_c.forms import follow, forms
from benchmarks.to_c.hands import NOUN, Hands, Table, plain_row
from interpreter.compiler import compile_game

NEEDED = "CARDLANG_TESTS_NEED_A_COMPILER" in os.environ
pytestmark = pytest.mark.skipif(compiler() is None and not NEEDED, reason="there is no C compiler")

RARE = Path(__file__).parent / "to_c" / "odds_and_ends.cardgame"
"""Plays what the shipped games have seldom or not at all, and keeps what comes of it in numbers of the players."""
CROWDED = ("tail_story", "market_street", "president", "scopa", "tall_card_fan", "rummy_500")
SEEDS, MOST_DECISIONS = 2, 100


@cache
def engine_of(name: str, players: int, reads: str | None = None) -> Engine:
    return Engine(compile_game(cardlang.load(name), players), reads, optimize="-O0")


def play_in_both(engine: Engine, seeds: int, most: int) -> int:
    """How many decisions were made."""
    count = 0
    for seed in range(seeds):
        decisions, alike = follow(engine.program, engine, seed, most)
        assert decisions > 0 and alike, f"match {seed}, decision {decisions}"
        count += decisions
    return count


def test_a_match_stands_alike_at_every_decision() -> None:
    play_in_both(engine_of("leduc_poker", 2), seeds=300, most=20)


@pytest.mark.parametrize("name", sorted(cardlang.shipped()))
def test_shipped_games_with_the_fewest_players(name: str) -> None:
    play_in_both(engine_of(name, cardlang.load(name).seats[0]), SEEDS, MOST_DECISIONS)


@pytest.mark.parametrize("name", CROWDED)
def test_shipped_games_with_the_most_players(name: str) -> None:
    play_in_both(engine_of(name, cardlang.load(name).seats[-1]), SEEDS, MOST_DECISIONS)


@pytest.mark.parametrize("players", [2, 3])
def test_rare_forms(players: int) -> None:
    engine = engine_of(str(RARE), players)
    rare = {"catches", "TestOf", "fulfilling()", "more_picks()", "subsets()", "larger_groups()", "descending()"}
    rare |= {"highest_reading()", "lowest_reading()"}
    assert rare <= forms(engine.program)
    assert play_in_both(engine, seeds=20, most=200) > 500


@pytest.mark.parametrize(
    "table",
    [Table("tall", "Tp", "claimer"), Table("tall", "Tp", None), Table("tall", "TRdD", "claimer", "RdD")],
    ids=str,
)
def test_hands_are_read_alike(table: Table) -> None:
    assert len(read_in_both("tall_card", NOUN, table, size=5, count=2000)) > 10, "many ranks occur"


def test_hands_are_read_alike_whose_wild_cards_have_a_choice() -> None:
    assert len(read_in_both("tall_card_fan", NOUN, Table("tall", "Tpl", "claimer"), size=5, count=1000)) > 6


def test_hands_are_read_alike_by_traits_that_are_checked_afterwards() -> None:
    assert len(read_in_both(str(RARE), "odd", Table("table", "1A", None), size=5, count=300)) > 3


def test_hands_are_read_alike_where_what_a_wild_card_shows_breaks_ties() -> None:
    read_in_both(str(RARE), "even", Table("table", "1A", None), size=5, count=300)


@pytest.mark.parametrize("noun", ["melds", "plain"])
def test_hands_are_split_alike(noun: str) -> None:
    read_in_both(str(RARE), noun, Table("table", "1A", None), size=9, count=300, first=0)


def read_in_both(name: str, noun: str, table: Table, size: int, count: int, first: int = 1) -> set[int]:
    """The ranks that occurred. `first`: see `plain_row`."""
    engine = engine_of(name, 2, noun)
    hands = Hands(engine.program, engine, table, size, count, noun)
    hands.compiled()
    plain = [plain_row(reading, first) for reading in hands.plain()]
    assert plain == hands.compiled_rows()
    return {row[0] for row in plain}


def test_more_cards_than_can_be_read_are_a_fault() -> None:
    engine = engine_of(str(RARE), 2, "melds")
    assert engine.start(1) is None
    cards = (ctypes.c_int64 * 26)(*range(24))
    rows = (ctypes.c_int64 * 1000)()
    pile = ctypes.c_int64(engine.program.zone_base["hand"])
    fault = engine.library.read_hands(engine.state, pile, cards, ctypes.c_int64(26), ctypes.c_int64(1), rows)
    assert engine.fault(fault) is not None
