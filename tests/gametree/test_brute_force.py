"""Odds by card classes and symmetry against enumeration of all hands."""

import pytest

import cardlang
from cardlang.model import Game
from interpreter.gametree.hand_value_odds import count_values
from tests.game_files import read_game
from tests.gametree.odds_games import DOMINOES, evaluate_each_deal, load_small_deck

MINE = "type = tall's type and owner = claimer"
MINE_SUIT = "suit = tall's suit and owner = claimer"

RULES = read_game("brute_force")


def game_with(wild: str) -> Game:
    return load_small_deck(RULES, wild)


CASES = [
    ("strength", "", "", "hand 4"),
    ("strength", "", "tall [Mp]", "hand 4"),
    ("strength", f"wild where {MINE} as any Numbers, Dragons", "tall [MR], claimer Ann", "hand 4"),
    ("strength", f"wild where {MINE} as any Numbers", "tall [MR], claimer Bob", "hand 4"),
    ("strength", f"wild where {MINE_SUIT} as any Value", "tall [Md], claimer Ann", "hand 4"),
    ("strength", f"wild where {MINE_SUIT} as any Suit", "tall [Md], claimer Ann", "hand 3"),
    ("strength", "wild where value = Top as any Value", "", "hand 4"),
    ("strength", "wild where count of claimer's hand > 2 and value = 1 as any Value", "claimer Ann", "hand 3"),
    ("strength", "wild where count of claimer's hand < 3 and value <= 2 as any Value", "claimer Ann", "hand 3"),
    ("shared", "", "", "hand 3, starter 1"),
    ("shared", f"wild where {MINE_SUIT} as any Value", "tall [Md], claimer Ann", "hand 3, starter 1"),
    ("strength", "", "hand [1p 2p]", "hand 2"),
    ("strength", "", "starter [1p]", "hand 4"),
    ("usable-strength", "", "tall [MG]", "hand 4"),
    ("usable-strength", f"wild where {MINE} as any Numbers", "tall [MG], claimer Ann", "hand 4"),
    ("total", "", "", "hand 3"),
    ("half", "", "", "hand 3"),
    ("suits", "", "", "hand 4"),
    ("plums", "", "", "hand 4"),
    ("best", "", "", "hand 3"),
    ("flag-of-two", "", "", "hand 4"),
    ("twins", "", "", "hand 3"),
    ("named", "", "", "hand 3"),
    ("wilds-used", "wild where suit = Plum as any Value", "", "hand 3"),
    ("tied", "", "Bob: hand [3p 3d 1b R]", "hand 3"),
    ("behind", "", "Bob: hand [3p 3d 1b R]", "hand 3"),
    ("matching", "", "", "hand 3, starter 1"),
    ("points", "", "", "hand 3, starter 1"),
    ("points", "", "starter [2d]", "hand 3"),
    ("bonuses", "", "Diamond: bonus 3", "hand 3"),
    ("bonuses", "", "Diamond: bonus 3; Plum: bonus 3", "hand 3"),
    ("marks", "", "", "hand 3"),
    ("marked-pair", "", "", "hand 3"),
    ("full-suits", "", "", "hand 4"),
    ("owned", "", "claimer Ann", "hand 3"),
    ("owned", "", "claimer Bob", "hand 3"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "wild", "given", "cards"), CASES)
def test_odds_equal_brute_force(name: str, wild: str, given: str, cards: str) -> None:
    game = game_with(wild)
    sizes = {zone: int(number) for zone, number in (row.split() for row in cards.split(", "))}
    odds = count_values(game, name, given, cards)
    expected = evaluate_each_deal(game, name, given, sizes)
    assert {value: number for value, number in odds.counts.items() if number} == dict(expected)
    assert sum(odds.counts.values()) == odds.hands == expected.total()


def test_symmetry_reduces_evaluated_hands() -> None:
    """Three suits and two types that can change places: far fewer than one in six would be too few."""
    odds = count_values(game_with(""), "strength", "", "hand 4")
    assert odds.hands == 3876 and odds.evaluated_hands < odds.hands / 4


@pytest.mark.parametrize(
    "rule",
    [
        "count of (hand where near = far)",
        "count of distinct of hand's near",
        "count of (hand where near = Sea or far = Sun)",
        "count of (hand where weight > 1 and any card in hand has near = far)",
        "count of distinct of (hand's near, hand's far)",
    ],
)
def test_cards_with_two_members_equal_brute_force(rule: str) -> None:
    game = cardlang.loads(DOMINOES + f"define your worth as {rule}\n", "dominoes")
    odds = count_values(game, "worth", "", "4")
    assert dict(odds.counts) == dict(sorted(evaluate_each_deal(game, "worth", "", {"hand": 4}).items()))
