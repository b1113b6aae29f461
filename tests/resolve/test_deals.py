"""Deals larger than the deck are found however they are written; what can be dealt is not complained of."""

from __future__ import annotations

import pytest

import cardlang
from cardlang.source import Diagnostic, GameError

GAME = """
game "Deals" for 2 to 4 players
kind Suit: Clubs (c), Hearts (h)
ordered kind Value: 1 to 9
cards Pack in deck "Eighteen."
  1 of each Value, Suit
zone deck seen by nobody
zone your hand seen by owner
zone heap
zone trump holds 1
number your score
player leader starts at first of players
step setup
  {body}
step play
  each player
    you may play 1 from your hand to heap
step your dealing
  deal top 6 of deck to your hand
"""


def found(body: str, more: str = "") -> list[Diagnostic]:
    text = GAME.format(body=body.replace("\n", "\n  "))
    if "dealing" not in body:
        text = text[: text.index("step your dealing")]
    try:
        cardlang.loads(text + more)
    except GameError as error:
        return [finding for finding in error.diagnostics if not finding.warning]
    return []


TOO_LARGE = {
    "for each player": ("each player\n  deal top 6 of deck to your hand", "with 4 players, 24"),
    "by the player": ("each player\n  you draw 6 from top of deck to your hand", "with 4 players, 24"),
    "in a step of its own": ("each player\n  do your dealing", "with 4 players, 24"),
    "to all but one": (
        "deal top 6 of deck to heap\neach player in leader's others\n  do your dealing",
        "4 players, 24",
    ),
    "for each suit": ("each Suit\n  deal top 10 of deck to heap", "with 2 players, 20"),
    "to some": ("each player where score = 0\n  deal top 19 of deck to your hand", "with 2 players, 19"),
    "again and again": ("repeat until deck is empty\n  deal top 19 of deck to heap", "with 2 players, 19"),
    "all, and one to turn": ("deal top 18 of deck to heap\nturn top of deck to trump", "with 2 players, 19"),
    "shared out, and one to turn": (
        "each player\n  deal top (whole of (18 / count of players)) of deck to your hand\nturn top of deck to trump",
        "with 2 players, 19",
    ),
}


@pytest.mark.parametrize(("body", "message"), TOO_LARGE.values(), ids=list(TOO_LARGE))
def test_too_large(body: str, message: str) -> None:
    (finding,) = found(body)
    assert finding.code == "E302" and message in finding.message


FITTING = {
    "just enough": "each player\n  deal top 4 of deck to your hand\ndeal top 2 of deck to heap",
    "as many as there are": "each player\n  deal top (whole of (18 / count of players)) of deck to your hand",
    "taken back by each": "each player\n  deal top 6 of deck to your hand\n  move your hand to deck",
    "perhaps not by all": "each player where score > 0\n  deal top 6 of deck to your hand",
    "by numbers": "if count of players < 4\n  each player\n    deal top 6 of deck to your hand",
    "one of two": "if leader's score > 0\n  deal top 10 of deck to heap\notherwise\n  deal top 10 of deck to heap",
}


@pytest.mark.parametrize("body", FITTING.values(), ids=list(FITTING))
def test_fitting(body: str) -> None:
    assert found(body) == []


def test_one_mistake_is_told_once_where_it_is_first_met() -> None:
    (finding,) = found("each player\n  do your dealing\nturn top of deck to trump")
    assert finding.span.text == "turn top of deck to trump" and finding.message.startswith("with 3 players, 19")


def test_a_deck_that_is_filled_again() -> None:
    body = "deal top 10 of deck to heap\ndeal top 10 of deck to heap"
    assert [finding.code for finding in found(body)] == ["E302"]
    assert found(body, "whenever deck is empty\n  move heap to deck\n") == []
