"""Pickled matches, for other processes and for storage."""

import pickle
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

import cardlang
from interpreter.match.match import Match, start
from tests.match.conftest import load

GAMES = [("kuhn_poker", 2), ("hearts", 4), ("tall_tales", 3), ("tall_card", 4), ("tail_story", 4), ("cribbage", 2)]


def play_match(match: Match, seed: int, decisions: int) -> Match:
    chance = Random(seed)
    for _ in range(decisions):
        if match.over:
            break
        match.choose(chance.randrange(len(match.state.legal)))
    return match


@pytest.mark.parametrize("protocol", [2, pickle.HIGHEST_PROTOCOL])
@pytest.mark.parametrize(("name", "players"), GAMES)
@pytest.mark.parametrize("decisions", [0, 17])
def test_pickled_match_continues_identically(name: str, players: int, decisions: int, protocol: int) -> None:
    match = play_match(start(load(name), players, seed=5), 1, decisions)
    again = pickle.loads(pickle.dumps(match, protocol))
    assert isinstance(again, Match) and again == match and again is not match
    assert (again.log, again.view(again.players[0])) == (match.log, match.view(match.players[0]))
    assert again.program is match.program, "In one process a game stays one, and is compiled once."
    play_match(again, 2, 30)
    assert again != match or match.over
    assert again == play_match(match, 2, 30)
    again.rewind_to(decisions // 2)
    match.rewind_to(decisions // 2)
    assert again == match


def test_pickled_sample_continues_identically() -> None:
    match = play_match(start(load("tall_card"), 4, seed=5), 1, 9)
    sample = match.sample(match.players[0], 3)
    again = pickle.loads(pickle.dumps(sample))
    assert again == sample and again.log == sample.log
    assert play_match(again, 4, 20) == play_match(sample, 4, 20)


def test_pickled_match_drops_its_record(tmp_path: Path) -> None:
    match = start(load("kuhn_poker"), 2, seed=1)
    match.record(tmp_path / "match.record")
    again = pickle.loads(pickle.dumps(match))
    before = (tmp_path / "match.record").read_bytes()
    again.choose(0)
    assert (tmp_path / "match.record").read_bytes() == before


PLAYED_ON = """
import pickle, sys
match = pickle.load(sys.stdin.buffer)
for _ in range(20):
    if not match.over:
        match.choose(0)
pickle.dump(match, sys.stdout.buffer)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players"), GAMES[1:5])
def test_match_survives_another_process(name: str, players: int) -> None:
    match = play_match(start(load(name), players, seed=5), 1, 9)
    sent = pickle.dumps(match)
    found = subprocess.run(
        [sys.executable, "-c", PLAYED_ON], input=sent, capture_output=True, timeout=100, check=True,
        env={"PYTHONPATH": str(Path(cardlang.__file__).parents[1]), "PYTHONHASHSEED": "7"},
    )  # fmt: skip
    again = pickle.loads(found.stdout)
    for _ in range(20):
        if not match.over:
            match.choose(0)
    assert again == match
    assert again.log == match.log


def test_pickled_game_is_equal_in_another_process() -> None:
    game = load("scopa")
    asked = "import pickle, sys; game = pickle.load(sys.stdin.buffer); sys.stdout.buffer.write(game.json())"
    found = subprocess.run(
        [sys.executable, "-c", asked], input=pickle.dumps(game), capture_output=True, timeout=100, check=True,
        env={"PYTHONPATH": str(Path(cardlang.__file__).parents[1])},
    )  # fmt: skip
    assert found.stdout == game.json()
    assert pickle.loads(pickle.dumps(game)) is game
