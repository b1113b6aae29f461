"""Printed forms, and what may be typed instead of them."""

from __future__ import annotations

import pytest

from cardlang.game import Game
from interpreter.errors import MoveError
from interpreter.matches.match import Match
from interpreter.matches.moves import numbered
from tests.match.conftest import load, played


def texts(match: Match) -> list[str]:
    assert match.decision is not None
    return [str(move) for move in match.decision.moves]


def test_options_print_with_what_is_bound() -> None:
    assert texts(load("kuhn_poker").start(2, 1)) == ["check", "bet 1"]


def test_length_makes_no_texts() -> None:
    decision = load("hearts").start(4, 1).decision
    assert decision is not None
    # Three of thirteen cards, in ascending order: the first cannot be one of the last two.
    assert len(decision.moves) == 11
    assert decision.moves._made is None


def test_cards_print_in_brackets() -> None:
    match = load("hearts").start(4, 1)
    assert all(text.startswith("move [") and text.endswith("]") for text in texts(match))


def test_values_print_alone(thieves: Game) -> None:
    assert texts(thieves.start(2, 1)) == ["1", "2", "3"]


def test_unseen_cards_print_as_places(thieves: Game) -> None:
    match = thieves.start(2, 1)
    match.choose("1")
    match.choose("1")
    assert texts(match) == ["take #1", "take #2", "take #3", "take #4"]


def test_a_choice_of_several_ends_with_done(thieves: Game) -> None:
    match = thieves.start(2, 1)
    for _ in range(4):
        match.choose(0)
    assert texts(match)[-1] == "done"
    first = texts(match)[0]
    match.choose(first)
    assert match.decision is not None
    assert match.decision.player == "Ann"
    assert first not in texts(match)


def test_several_cards_at_once(thieves: Game) -> None:
    match = thieves.start(2, 1)
    for _ in range(4):
        match.choose(0)
    cards = [text.split()[1].strip("[]") for text in texts(match)[:2]]
    other = match.clone()
    match.choose(f"discard [{cards[1]} {cards[0]}]")
    other.choose(f"discard [{cards[0]}]")
    other.choose(f"discard [{cards[1]}]")
    assert match == other
    assert match.view().zone("loot", "Ann").count == 2


def test_no_cards_is_done(thieves: Game) -> None:
    match = thieves.start(2, 1)
    for _ in range(4):
        match.choose(0)
    match.choose("[]")
    assert match.view().zone("loot", "Ann").count == 0
    assert match.decision is not None
    assert match.decision.player == "Bob"


@pytest.mark.parametrize("typed", ["bet 1", "bet", "1", "BET 1", "  bet   1 "])
def test_lenient_readings(typed: str) -> None:
    match = load("kuhn_poker").start(2, 1)
    match.choose(typed)
    assert any(line.endswith(": bet 1.") for line in match.log)


@pytest.mark.parametrize("typed", ["", "bet 2", "raise 1", "chekc", "[2c]", "99"])
def test_what_is_no_move_changes_nothing(typed: str) -> None:
    match = load("kuhn_poker").start(2, 1)
    before = match.clone()
    with pytest.raises(MoveError):
        match.choose(typed)
    assert match == before
    assert match.choices == []


@pytest.mark.parametrize("index", [2, 50, -3])
def test_an_index_that_is_no_move(index: int) -> None:
    with pytest.raises(MoveError):
        load("kuhn_poker").start(2, 1).choose(index)


def test_near_miss() -> None:
    match = load("kuhn_poker").start(2, 1)
    assert match.why_not("chekc") == "There is no move chekc. Did you mean check?"
    assert match.why_not("check") is None


def test_moves_keep_their_texts_after_the_decision() -> None:
    match = load("hearts").start(4, 2)
    decision = match.decision
    other = load("hearts").start(4, 2).decision
    assert decision is not None
    assert other is not None
    match.choose(0)
    match.choose(0)
    assert [str(move) for move in decision.moves] == [str(move) for move in other.moves]


def test_equal_looking_moves_are_numbered() -> None:
    assert list(numbered(["a", "b", "a", "a"])) == ["a", "b", "a #2", "a #3"]


GAMES = [
    ("kuhn_poker", 2),
    ("hearts", 4),
    ("crazy_eights", 3),
    ("tall_tales", 3),
    ("tall_card", 3),
    ("tail_story", 3),
]


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_every_printed_form_is_unique_and_names_its_move(name: str, players: int) -> None:
    for decisions in (0, 7, 20, 41):
        match = played(name, players, 5, decisions)
        if match.decision is None:
            continue
        moves = match.decision.moves
        assert len(set(moves.texts)) == len(moves)
        for move in moves:
            assert match.why_not(str(move)) is None
        by_text, by_index = match.clone(), match.clone()
        by_text.choose(str(moves[-1]))
        by_index.choose(len(moves) - 1)
        assert by_text == by_index
