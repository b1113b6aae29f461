"""Matches that Python plays through a compiled extension module."""

import sysconfig
from pathlib import Path
from random import Random
from typing import Any

import pytest

import cardlang
from cardlang.model import Game
from interpreter.codegen.c.c_program import add_player_function
from interpreter.native.compilers import NativeCompileError
from interpreter.native.match_extension_module import (
    NativeHandReader,
    NativeMatch,
    build_hand_reader_class,
    build_native_match_class,
)
from interpreter.program.program import Program, compile_game
from tests.native.following import WITHOUT_COMPILER

HEADERS = Path(sysconfig.get_path("include"), "Python.h").is_file()
pytestmark = pytest.mark.skipif(
    WITHOUT_COMPILER or not HEADERS, reason="there is no compiler, or Python's headers are not"
)


@pytest.fixture(scope="module")
def leduc() -> Game:
    return cardlang.load("leduc_poker")


@pytest.fixture
def door(leduc: Game) -> NativeMatch:
    return build_native_match_class(leduc, 2)()


def test_extension_plays_like_python(leduc: Game, door: NativeMatch) -> None:
    program, draw = Program(leduc, 2, False), Random(1)
    for seed in [*range(40), (1 << 64) - 1]:
        state = program.start(seed)
        door.start(seed)
        while state.who >= 0:
            assert (door.who, door.legal()) == (state.who, state.legal)
            place = draw.randrange(len(state.legal))
            program.apply(state, state.legal[place])
            door.choose(place)
        assert (door.who, door.legal()) == (-1, [])
        won = sum(1 << seat for seat in program.find_winners(state))
        assert door.results() == [won, *program.compute_scores(state), *program.compute_places(state)]


def test_extension_matches_are_independent(door: NativeMatch) -> None:
    other = type(door)()
    door.start(1)
    other.start(2)
    before = door.legal()
    while other.who >= 0:
        other.choose(0)
    assert door.who >= 0 and door.legal() == before


@pytest.mark.parametrize("place", [-1, 99, -(1 << 62)])
def test_extension_rejects_invalid_moves(door: NativeMatch, place: int) -> None:
    door.start(1)
    before = door.legal()
    with pytest.raises(ValueError, match="there is no move"):
        door.choose(place)
    assert door.legal() == before


@pytest.mark.parametrize(
    ("name", "given", "error"),
    [
        ("start", -1, OverflowError), ("start", 1 << 64, OverflowError), ("start", "x", TypeError),
        ("choose", 1 << 70, OverflowError), ("choose", None, TypeError), ("choose", 0, ValueError),
    ],
)  # fmt: skip
def test_extension_rejects_invalid_arguments(door: NativeMatch, name: str, given: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        getattr(door, name)(given)
    with pytest.raises(ValueError, match="no match has begun"):
        door.results()


def test_extension_ends_a_match_on_a_rule_error() -> None:
    rules = """\
game "A rule at fault" for 2 players
number your score starts at 1
step play
  repeat until no
    each player
      you choose factor from 1 to 9
      set your score to your score * 1000000000 * factor
"""
    door = build_native_match_class(cardlang.loads(rules), 2)()
    door.start(1)
    with pytest.raises(RuntimeError, match="cannot be carried out"):
        for _ in range(9):
            door.choose(8)
    assert door.who == -1


# ---------------------------------------------------------------- hands
@pytest.fixture(scope="module")
def hands() -> NativeHandReader:
    return build_hand_reader_class(cardlang.load("texas_holdem"), 2, "strength", "hand")()


@pytest.mark.slow
def test_extension_ranks_hands_like_python(hands: NativeHandReader) -> None:
    program, draw = compile_game(cardlang.load("texas_holdem"), 2), Random(3)
    state = program.create_blank_state(1)
    assert add_player_function(program, "strength") is not None  # it is lowered here
    read = program.values[id(program.find_player_expression("strength"))][1]
    pile, end = program.zone_base["hand"], 1 << 63
    for size in [5, 7] * 300:
        state.z[pile] = draw.sample(range(52), size)
        expected = [max(-end, min(end - 1, number)) for number in read(state, 0).strength]
        assert hands.strength(*state.z[pile]) == tuple(expected)
    assert hands.strength() is None


@pytest.mark.parametrize(
    ("cards", "error", "told"),
    [
        ([0, 1, 0], ValueError, "card 0 is there twice"), ([52], ValueError, "there is no card 52"),
        ([-2], ValueError, "there is no card -2"), (["2c"], TypeError, "str"), ([1 << 70], OverflowError, "too big"),
        (range(17), ValueError, "a hand of 17 cards; at most 16 can be read"),
    ],
)  # fmt: skip
def test_extension_rejects_odd_hands(hands: NativeHandReader, cards: Any, error: type[Exception], told: str) -> None:
    with pytest.raises(error, match=told):
        hands.strength(*cards)
    assert hands.strength(0, 4) is not None


def test_extension_rejects_an_unknown_definition() -> None:
    with pytest.raises(NativeCompileError, match="without beauty"):
        build_hand_reader_class(cardlang.load("texas_holdem"), 2, "beauty", "hand")
