"""Bets as parts of the pot. The blinds are 1 and 2."""

from __future__ import annotations

import pytest

import cardlang
from interpreter.match.match import Match


@pytest.fixture
def match() -> Match:
    found = cardlang.load("texas_holdem").start(["Ann", "Bob", "Cat"], seed=1)
    assert isinstance(found, Match)
    return found


def sizes(match: Match) -> tuple[tuple[str, int], ...]:
    table = match.table(match.view(None).asked)
    assert table.ask is not None
    (amount,) = table.ask.amounts
    return amount.sizes


def test_a_raise_by_the_pot_counts_what_the_call_brings(match: Match) -> None:
    """3 lie there, and 2 are called: the pot is 5. Half of it is no more than the least raise."""
    assert sizes(match) == (("pot", 5), ("all-in", 198))


def test_both_sizes_where_they_differ_from_the_least_and_the_most(match: Match) -> None:
    """Raised by 5 to 7: 10 lie there, and the small blind calls 6, which makes 16."""
    match.choose("raise 5")
    assert sizes(match) == (("half pot", 8), ("pot", 16), ("all-in", 193))


def test_a_pot_of_more_than_one_has_is_no_size(match: Match) -> None:
    match.choose("raise 150")
    match.choose("fold")
    table = match.table(match.view(None).asked)
    assert table.ask is not None
    for amount in table.ask.amounts:
        assert [name for name, _ in amount.sizes] == ["all-in"] and amount.high < 305


def test_what_a_limit_allows_is_not_all_one_has() -> None:
    """Of 200 chips 2 or 4 may be bet; who has no more than that bets all."""
    found = cardlang.load("texas_holdem", "Fixed limit").start(2, seed=1)
    assert sizes(found) == ()


def test_other_numbers_have_no_sizes() -> None:
    """A bid is no bet."""
    found = cardlang.load("spades").start(4, seed=1)
    table = found.table(found.view(None).asked)
    assert table.ask is not None
    (amount,) = table.ask.amounts
    assert amount.sizes == ()
