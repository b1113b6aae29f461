"""Values offered by options and choices: numbers between bounds, and conditions."""

import pytest

import cardlang
from interpreter.match.match import Match
from interpreter.runtime.errors import RuleError
from tests.game_files import read_game

START = read_game("offers_offers")


def texts(body: str) -> list[str]:
    match: Match = cardlang.loads(START + body).start(2, 1)
    assert match.decision is not None
    return list(match.decision.moves.texts)


def test_a_number_chosen_is_whole_where_its_bounds_are_halves() -> None:
    body = """
step play
  each player
    add 1 / 2 to your chips
    you choose one
      option bet with amount from your chips / 3 to your chips
        subtract amount from your chips
"""
    # From 7.5 / 3 = 2.5 to 7.5.
    assert texts(body) == [f"bet {amount}" for amount in range(3, 8)]


def test_a_value_between_halves_is_whole() -> None:
    body = """
step play
  each player
    you choose amount from 1 to your chips / 2
      subtract amount from your chips
"""
    assert texts(body) == ["1", "2", "3"]


def test_two_options_share_a_card_condition() -> None:
    body = read_game("offer_worth")
    # The first player is dealt 4c and 3c: both are worth less than 6.
    assert texts(body) == ["low [4c]", "low [3c]", "high [4c]", "high [3c]"]


def choices(body: str) -> Match:
    match: Match = cardlang.loads(f"{START}step play\n  each player\n{body}").start(2, 1)
    return match


OPTION = "    you choose one\n      option a with n from {}, m from 1 to 2\n        set your chips to n * 10 + m\n"


def test_large_number_before_another_hits_the_limit() -> None:
    match = choices(OPTION.format("1048574 to 1048575"))  # 2 to the 20th is the first that is too large
    match.choose("a 1048575 2")
    assert match.scores[0] == 10485752
    with pytest.raises(RuleError, match=r"1,048,576, but the limit is 1,048,575"):
        choices(OPTION.format("1048575 to 1048576"))
    with pytest.raises(RuleError, match="the limit is"):
        choices(OPTION.format("(5, 1048576)"))


def test_single_large_number_is_allowed() -> None:
    match = choices("    you choose stake from (10000000000, 20000000000)\n    set your chips to stake\n")
    match.choose("20000000000")
    assert match.scores[0] == 20_000_000_000


@pytest.mark.parametrize("values", ["(0 - 1, 5)", "(1 / 2, 5)"])
def test_fractions_and_negatives_are_not_choices(values: str) -> None:
    for body in (
        f"    you choose x from {values}\n      set your chips to x\n",
        f"    you choose up to 2 xs from {values}\n      set your chips to total of xs\n",
        OPTION.format(values),
    ):
        with pytest.raises(RuleError, match=r"A choice needs whole numbers from 0 up, but this one has (-1|1/2)\."):
            choices(body)


def test_whole_result_of_halves_can_be_chosen() -> None:
    match = choices(
        "    add 1 / 2 to your chips\n    you choose x from (your chips * 2, 3)\n      set your chips to x\n"
    )
    assert match.decision is not None and list(match.decision.moves.texts) == ["15", "3"]
    match.choose("15")
    assert match.scores[0] == 15
