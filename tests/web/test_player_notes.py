"""Notes and piles to tap come only from what a player can know."""

from __future__ import annotations

import pytest

import cardlang
from cardlang.ui.web.player_notes import build_player_notes
from interpreter.match.match import Match

GAME = """game "Notes" for 2 players
kind Value: 1 to 9
cards Cards in deck
  4 of each Value
zone deck seen by nobody
zone your heap seen by nobody
zone your hand seen by owner
number your luck seen by owner starts at 0
number your score starts at 2
define match-over as any player has score >= {goal}
step play
  deal top 2 of deck to players' heap
  deal top 1 of deck to players' hand
  add 1 to (last of players)'s score
  each player
    you choose n from 1 to 9
    set your luck to n
  each player
    you choose one
      option take
        move top of {owner} heap to your hand
      option put with chosen from your hand
        move chosen to {owner} heap
  if match-over
    add 1 to (first of players)'s score

"""


def play(owner: str, goal: str, luck: tuple[int, int]) -> Match:
    match = cardlang.loads(GAME.format(owner=owner, goal=goal)).start(["Ann", "Bob"], 1)
    for number in luck:
        match.choose(str(number))
    return match


@pytest.mark.parametrize(
    ("owner", "pile"),
    [
        ("your", "zone/heap/Ann"),
        ("(first of (players where score = 3))'s", "zone/heap/Bob"),
        ("(first of (players where luck = 5))'s", ""),
    ],
)
def test_pile_to_tap_is_named_only_if_its_owner_is_known(owner: str, pile: str) -> None:
    ask = play(owner, "4", (3, 5)).table("Ann").ask
    assert ask is not None and [action.pile for action in ask.actions] == [pile, pile]


@pytest.mark.parametrize(
    ("goal", "race"),
    [("4", {"Ann": 0.5, "Bob": 0.75}), ("total of players' luck", {}), ("total of players' heap's value", {})],
)
def test_way_to_the_goal_is_shown_only_if_the_goal_is_public(goal: str, race: dict[str, float]) -> None:
    match = play("your", goal, (3, 5))
    assert build_player_notes(match, "Ann", match.table("Ann"))["race"] == race


def test_foundation_of_a_card_is_a_pile_to_tap() -> None:
    match = cardlang.load(cardlang.shipped()["klondike"]).start(["Ann"], 7)
    piles: dict[str, str] = {}
    for _ in range(12):
        ask = match.table("Ann").ask
        assert ask is not None
        piles |= {action.text: action.pile for action in ask.actions if action.pile and action.touches}
        match.choose(0)
    assert {"build [Ad]": "zone/home/Diamonds", "build [Ah]": "zone/home/Hearts"}.items() <= piles.items()
