"""Odds of real games against arithmetic and published tables."""

from math import comb

import pytest

import cardlang
from interpreter.gametree.hand_odds_query import OddsError
from interpreter.gametree.hand_value_odds import count_values
from tests.gametree.odds_games import count_ranks


def test_poker_frequencies_equal_published_ones() -> None:
    """The frequencies in every book on poker."""
    assert count_ranks(cardlang.load("texas_holdem"), "Combination") == {
        "Straight flush": 40,
        "Four of a kind": 624,
        "Full house": 3_744,
        "Flush": 5_108,
        "Straight": 10_200,
        "Three of a kind": 54_912,
        "Two pair": 123_552,
        "Pair": 1_098_240,
        "High card": 1_302_540,
    }


def test_board_odds_equal_arithmetic() -> None:
    """2 3 4 5 of clubs lie there: an ace or a six of clubs makes a straight flush, any other club a flush."""
    odds = count_values(cardlang.load("texas_holdem"), "strength", "board [2c 3c 4c 5c Kd]", "2")
    assert odds.hands == comb(47, 2) and odds.cards == {"hand": 2}
    assert odds.counts["Straight flush"] == comb(47, 2) - comb(45, 2)
    assert odds.counts["Flush"] == comb(45, 2) - comb(38, 2)


def test_tall_card_frequencies_equal_arithmetic() -> None:
    counts = count_ranks(cardlang.load("tall_card"), "Rank")
    assert len(counts) == 24 and sum(counts.values()) == comb(66, 5) == 8_936_928
    assert counts["5 Pretty Sisters"] == 9 * comb(6, 5)
    boats = 3 * comb(4, 3) * 2 * comb(4, 2)
    assert counts["Heavy Boat, full of Dragons"] == boats
    assert counts["4 Shiny Dragons"] == 3 * (66 - 4)
    assert counts["5 Dragon Hootenanny"] == comb(12, 5) - boats - 3 * 8
    assert counts["Cratermaker Countdown"] == 3 * 5 * 2**5
    assert counts["Cratermaker"] == 3 * (comb(18, 5) - 5 * 2**5) - count_two_couples_in_a_suit()
    assert counts["High & Mighty"] == (comb(9, 5) - 5) * 6**5 - (comb(9, 5) - 5) * 3 * 2**5


def count_two_couples_in_a_suit() -> int:
    """Count the hands of two couples and another card, all of one suit. They rank above suits."""
    return 3 * comb(9, 2) * 7 * 2


def test_tall_dragons_equal_arithmetic() -> None:
    """Unclaimed, a tall dragon counts for nothing; claimed, it makes any number of sisters up."""
    game = cardlang.load("tall_card")
    others = count_values(game, "strength", "tall [TRdD]").counts
    assert others["4 Shiny Dragons"] == 2 * (66 - 4)
    mine = count_values(game, "strength", "tall [TRdD], claimer Ann").counts
    assert mine["5 Pretty Sisters"] == sum(comb(4, wild) * 9 * comb(6, 5 - wild) for wild in range(5))


def test_fan_rules_frequencies_equal_arithmetic() -> None:
    counts = count_ranks(cardlang.load("tall_card_fan"), "Combination")
    assert sum(counts.values()) == comb(72, 5) == 13_991_544
    assert list(counts.values())[:4] == [6, 12 * comb(6, 5), 6 * 7, 6 * (comb(12, 5) - 8)]
    assert counts["Straight"] == 8 * (6**5 - 6)
    assert counts["Full House"] == 12 * comb(6, 3) * 11 * comb(6, 2)


def test_wild_ranks_equal_arithmetic() -> None:
    """Of four cards, those of the tall suit join any others of one rank."""
    odds = count_values(cardlang.load("tall_card_fan"), "strength", "tall [Tpl], claimer Ann", "4")
    natural = [12 * comb(5, 4 - wild) for wild in range(4)]
    expected = sum(comb(12, wild) * ways for wild, ways in enumerate(natural)) + comb(12, 4)
    assert odds.hands == comb(72, 4) and odds.counts["Four of a Kind"] == expected


def test_tall_suit_alone_is_a_royal_flush() -> None:
    odds = count_values(cardlang.load("tall_card_fan"), "strength", "tall [Tpl], claimer Ann, hand [2pl 4pl]", "3")
    assert odds.counts["Royal Flush"] == comb(10, 3)


def test_cribbage_frequencies_equal_published_ones() -> None:
    """With the five of spades turned up, 29 needs the other fives and its jack; nobody ever has 19."""
    cribbage = cardlang.load("cribbage")
    odds = count_values(cribbage, "points", "starter [5s]", "4")
    assert odds.hands == comb(51, 4) and max(odds.counts) == 29 and odds.counts[29] == 1 and 19 not in odds.counts
    flushes = count_values(cribbage, "flush", "", "hand 4, starter 1")
    assert flushes.hands == 12_994_800
    assert flushes.counts[5] == 4 * comb(13, 5) * 5 and flushes.counts[4] == 4 * comb(13, 4) * 39


@pytest.mark.slow
def test_ranks_without_cards_are_left_out() -> None:
    counts = count_ranks(cardlang.load("tall_card", variant="Expanded deck"), "Rank")
    assert "4 Shiny Dragons" not in counts and counts["5 Pretty Sisters"] == 12 * comb(6, 5)


def test_rankings_without_a_size_are_not_counted() -> None:
    with pytest.raises(OddsError):
        count_values(cardlang.load("cribbage"), "Run")
