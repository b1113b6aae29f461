"""Odds that can't be counted get an error message."""

import pytest

import cardlang
from interpreter.gametree.hand_odds_query import OddsError
from interpreter.gametree.hand_value_odds import count_values
from tests.game_files import read_game
from tests.gametree.odds_games import load_small_deck

RULES = read_game("odds_limits")


@pytest.mark.parametrize(
    ("name", "cards", "words"),
    [
        ("strenth", "", "Did you mean strength?"),
        ("prize", "3", "definition of the table"),
        ("first-suit", "3", "order of the cards"),
        ("latest", "3", "order of the cards"),
        ("top-two", "3", "order of the cards"),
        ("left-over", "3", "uses deck"),
        ("kept", "3", "is a list"),
        ("ratio", "3", "who wins"),
        ("fixed", "3", "uses no cards"),
        ("chosen", "3", "uses tall. Say how many"),
        ("strength", "many", "Write a number of cards"),
        ("strength", "hand four", "such as `hand 4`"),
        ("strength", "hnd 4, tall 1", "Did you mean hand?"),
        ("strength", "hand 2, starter 1", "does not use starter"),
        ("chosen", "tall 2, hand 1", "does not use hand"),
        ("strength", "99", "There are 19 cards in deck, not 99"),
    ],
)
def test_unsuitable_definitions_are_rejected(name: str, cards: str, words: str) -> None:
    with pytest.raises(OddsError, match=words):
        count_values(load_small_deck(RULES), name, "", cards)


def test_single_card_zone_rejects_two_cards() -> None:
    game = load_small_deck("define your same as count of (hand where suit = starter's suit)\n")
    with pytest.raises(OddsError, match="starter holds one card"):
        count_values(game, "same", "", "hand 2, starter 2")


def test_partial_position_asks_for_a_card_count() -> None:
    with pytest.raises(OddsError, match=r"How many cards .* --cards 3\."):
        count_values(cardlang.load("texas_holdem"), "strength", "board [2c 3c 4c 5c Kd]")


def test_too_many_hands_are_rejected() -> None:
    with pytest.raises(OddsError, match=r"Too many hands: .* of 15,820,024,220, .* minutes"):
        count_values(cardlang.load("gin_rummy"), "deadwood", "", "10")


def test_group_rankings_are_rejected() -> None:
    with pytest.raises(OddsError, match="gives no rank"):
        count_values(cardlang.load("gin_rummy"), "Layout")


def test_invalid_position_is_rejected() -> None:
    with pytest.raises(OddsError, match=r"no card \[Tz\]"):
        count_values(cardlang.load("tall_card"), "strength", "tall [Tz]")


def test_source_without_cards_is_rejected() -> None:
    with pytest.raises(OddsError, match=r"at the start\. They are in deck and talls"):
        count_values(load_small_deck(RULES), "strength", source="hand")
    assert count_values(load_small_deck(RULES), "strength", source="talls").hands == 5
