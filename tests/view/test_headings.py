"""Headings: rounds and steps of the match."""

from __future__ import annotations

from random import Random

from cardlang.loader import loads
from tests.game_files import read_game
from tests.shipped import Cast, load, walk


def test_heading_names_the_betting_round() -> None:
    match = load("texas_holdem").start(2, 1)
    assert match.table(None).heading == ("round 1", "betting")
    match.choose("call")
    match.choose("check")
    assert match.table(None).heading == ("round 1", "flop", "betting")


def test_helper_step_is_not_a_turn() -> None:
    """The first trick of Hearts is on, whoever plays a card to it."""
    for match in walk(Cast("hearts", 4).start(3), Random(3), 40):
        assert all(part.startswith(("round ", "trick ", "pass cards")) for part in match.table(None).heading)


def test_heading_counts_towards_the_last_round() -> None:
    """Golf has nine deals and Tall Tales four rounds; Hearts ends at a score, whenever that is."""
    match = load("golf").start(2, 1)
    assert match.table("Ann").heading[0] == "round 1 of 9"
    while match.table("Ann").heading[0] == "round 1 of 9":
        match.choose(0)
    assert match.table("Ann").heading[0] == "round 2 of 9"
    facts = load("tall_tales").start(3, 1).table("Ann").middle.facts
    assert [(fact.label, fact.value, fact.text) for fact in facts] == [("Round", 1, "1 of 4")]
    assert load("hearts").start(4, 1).table("Ann").heading[0] == "round 1"


def test_irregular_loop_has_no_known_end() -> None:
    """The number is not that of the rounds where it does not begin at 0, or grows by more than 1."""

    def heading(begins: int, by: int) -> str:
        text = LAPS.format(begins=begins, by=by)
        return loads(text).start(2, 1).table("Ann").heading[0]

    assert heading(0, 1) == "lap 1 of 6"
    assert heading(2, 1) == heading(0, 2) == "lap 1"


LAPS = read_game("laps")
