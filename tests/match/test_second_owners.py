"""Zones, numbers and definitions `for each` member of a kind: lines, a grid, dice, stocks, hidden piles."""

import pytest

import cardlang
from cardlang.model import Game
from tests.game_files import read_game


def load(name: str) -> Game:
    return cardlang.loads(read_game(name), name)


def test_only_the_owner_sees_a_hidden_pile_or_a_secret() -> None:
    match = load("harbour").start(["Ann", "Bob"], 1)
    match.choose("5")
    own, other = match.view("Ann"), match.view("Bob")
    assert all(card.code for good in ("Wood", "Salt", "Wool") for card in own.zone("cache", "Ann", good).cards)
    assert not any(card.code for good in ("Wood", "Salt", "Wool") for card in other.zone("cache", "Ann", good).cards)
    match.choose("2")
    assert match.view("Ann").track("guess", "Ann", "Black").value == "5"
    with pytest.raises(KeyError):
        match.view("Bob").track("guess", "Ann", "Black")


def test_each_pile_has_a_ref_and_a_name_of_its_own() -> None:
    match = load("nine_flags").start(["Ann", "Bob"], 1)
    card = match.view("Ann").zone("hand", "Ann").cards[0].code
    match.choose(f"play [{card}] 3")
    assert (
        match.view("Bob").zone("line", "Ann", "3").count == 1 and match.view("Bob").zone("line", "Ann", "4").count == 0
    )
    assert f"Ann plays [{card}] to their line for flag 3." in match.view("Bob").log
    pile = next(pile for area in match.table("Bob").places for pile in area.piles if pile.name == "line" and pile.cards)
    assert (pile.ref, pile.label) == ("zone/line for 3/Ann", "line for flag 3")


def test_facts_name_the_second_owner() -> None:
    game = load("nine_flags")
    given = "Ann: line for 2 [1r 2r 3r]\nBob: line for 2 [1g]\n2: holder Bob"
    assert game.evaluate("score", given=given) == 0
    with pytest.raises(ValueError, match="no such line"):
        game.evaluate("score", given="Ann: line for 77 [1r]")
    with pytest.raises(ValueError, match="no such line"):
        game.evaluate("score", given="Ann: line [1r]")
