"""Rules that cannot be carried out leave the match where it was."""

from __future__ import annotations

from pathlib import Path

import pytest

import cardlang
from cardlang import resume
from interpreter.errors import RuleError

GAME = """\
game "Spin" for 2 players
cards Pack in stock
  4 of "Blank" (B)
zone stock
number your score

step play
  repeat
    each player
      you choose one
        option spin
          repeat until your score > 5
            set your score to 1
        option stop
        option leave
          finish game
"""


def test_a_rule_without_end(tmp_path: Path) -> None:
    match = cardlang.loads(GAME, "spin.cardgame").start(2, 1)
    match.record(tmp_path / "match.record")
    match.choose("stop")
    before = match.clone()
    with pytest.raises(RuleError) as fault:
        match.choose("spin")
    assert fault.value.span.source.line(fault.value.span.line).strip() == "repeat until your score > 5"
    assert match == before
    match.choose("stop")
    assert resume(tmp_path / "match.record").choices == match.choices


def test_a_match_without_end() -> None:
    match = cardlang.loads(GAME, "spin.cardgame").start(2, 1)
    match.limit = 10
    for _ in range(10):
        match.choose("stop")
    with pytest.raises(RuleError, match="does not end"):
        match.choose("stop")


LOST = """\
game "Lost" for 2 players
cards Pack in deck
  4 of "Blank" (B)
zone deck
zone your hand
number your score
step play
  each player
    you draw up to 3 from deck to your hand
    add 1 / 2 to your score
    expect count of players' hand + count of deck = count of Pack and not (deck is empty) "Nobody takes all."
"""


def test_what_was_expected_and_what_there_is_instead() -> None:
    match = cardlang.loads(LOST, "lost.cardgame").start(2, 1)
    match.program.checking[0] = True
    match.choose("draw [B B B]")
    with pytest.raises(RuleError) as fault:
        match.choose("draw [B]")
    assert fault.value.span.source.line(fault.value.span.line).strip().startswith("expect count of players' hand")
    assert fault.value.message == (
        "Nobody takes all. Expected count of players' hand + count of deck = count of Pack and not (deck is empty), "
        "but found count of players' hand + count of deck = 4, count of Pack = 4, deck is empty = yes."
    )
