"""Players that are not people."""

from __future__ import annotations

import pytest

import cardlang
from interpreter.errors import MoveError
from interpreter.matches.players import RandomPlayer, RolloutPlayer, ScriptedPlayer
from tests.match.conftest import load

GUESS = """\
game "Guess" for 2 players
cards Pack in stock
  4 of "Blank" (B)
zone stock
number your score
step play
  each player
    you choose named from 1 to 9
    add named to your score
"""


def test_random_players_with_one_seed_play_alike() -> None:
    logs = []
    for _ in range(2):
        match, player = load("kuhn_poker").start(2, 5), RandomPlayer(8)
        while not match.over:
            match.choose(player.choose(match))
        logs.append(list(match.log))
    assert logs[0] == logs[1]


def test_a_script_is_followed() -> None:
    match, player = load("kuhn_poker").start(2, 5), ScriptedPlayer(["check", "bet 1", "fold"])
    while not match.over:
        match.choose(player.choose(match))
    assert sorted(score for score in match.scores if score is not None) == [1, 3]
    with pytest.raises(MoveError):
        player.choose(match)


def test_a_rollout_player_takes_the_largest_number() -> None:
    match, player = cardlang.loads(GUESS).start(2, 1), RolloutPlayer(3, playouts=30)
    match.choose(player.choose(match))
    match.choose(player.choose(match))
    assert match.scores[0] in (8, 9)
    assert match.scores[1] in (8, 9)
    assert match.scores[1] is not None


def test_a_rollout_player_changes_nothing() -> None:
    match = load("hearts").start(4, 2)
    before = match.clone()
    move = RolloutPlayer(1, playouts=1, horizon=20).choose(match)
    assert 0 <= move < 11
    assert match == before
