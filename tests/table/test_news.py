"""What is no news: what a sentence has said already, and what nobody can see."""

from __future__ import annotations

import cardlang
from interpreter.matches.match import Match


def dealt() -> Match:
    found = cardlang.load("texas_holdem").start(["Ann", "Bob", "Cat"], seed=1)
    assert isinstance(found, Match)
    return found


def news(match: Match) -> list[str]:
    table = match.table("Ann")
    return [line for told in (*table.earlier, *table.since) for line in (told.text, *told.more)]


def test_what_a_sentence_says_of_a_payment_is_not_said_again() -> None:
    match = dealt()
    match.choose("call")
    assert "You call 2 to win 3." in news(match)
    assert not any(line.startswith("You are down") for line in news(match))
    assert "Ann is down from 200 to 198 chips." in match.view(None).log


def test_a_card_that_nobody_sees_burnt_is_in_the_log_alone() -> None:
    match = dealt()
    for move in ("call", "call", "check"):
        match.choose(move)
    assert not any("muck" in line for line in news(match))
    assert any("discarded to the muck" in line for line in match.view(None).log)
