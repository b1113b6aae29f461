"""Cached hints of `h` in the terminal."""

from __future__ import annotations

from itertools import count

from cardlang.cli.interactive_session import cache_hint
from interpreter.match.match import Match
from tests.shipped import load


def test_repeated_hint_is_cached_until_a_move() -> None:
    number = count(1)

    def counsel(match: Match) -> str:
        return f"hint {next(number)}"

    told, match = cache_hint(counsel), load("texas_holdem").start(2, 1)
    assert [told(match), told(match)] == ["hint 1", "hint 1"]
    match.choose("call")
    assert [told(match), told(match)] == ["hint 2", "hint 2"]
    match.undo()
    assert told(match) == "hint 3"
