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


def test_pot_raise_includes_the_call(match: Match) -> None:
    """3 lie there, and 2 are called: the pot is 5. Half of it is no more than the least raise."""
    assert sizes(match) == (("pot", 5), ("all-in", 198))


def test_half_pot_and_pot_are_offered_if_distinct(match: Match) -> None:
    """Raised by 5 to 7: 10 lie there, and the small blind calls 6, which makes 16."""
    match.choose("raise 5")
    assert sizes(match) == (("half pot", 8), ("pot", 16), ("all-in", 193))


def test_pot_size_beyond_the_stack_is_omitted(match: Match) -> None:
    match.choose("raise 150")
    match.choose("fold")
    table = match.table(match.view(None).asked)
    assert table.ask is not None
    for amount in table.ask.amounts:
        assert [name for name, _ in amount.sizes] == ["all-in"] and amount.high < 305


def test_fixed_limit_has_no_all_in_size() -> None:
    """Of 200 chips 2 or 4 may be bet; who has no more than that bets all."""
    found = cardlang.load("texas_holdem", "Fixed limit").start(2, seed=1)
    assert sizes(found) == ()


def test_bids_have_no_pot_sizes() -> None:
    """A bid is no bet."""
    found = cardlang.load("spades").start(4, seed=1)
    table = found.table(found.view(None).asked)
    assert table.ask is not None
    (amount,) = table.ask.amounts
    assert amount.sizes == ()
