"""Test games in `tests/games`: examples pass, both engines play the same matches, JSON and samples keep everything."""

from random import Random

import pytest

import cardlang
from interpreter.native.engine import build_engine
from interpreter.program.program import compile_game
from tests.game_files import read_game
from tests.native.following import QUICK, follow, needs_either
from tests.shipped import walk
from tests.test_game_json import list_differences

PLAYED = {
    "bombs": (3,),
    "both_engines": (2, 3),
    "copies_ranked_choices": (2,),
    "cups": (2, 3),
    "faro": (2, 4),
    "harbour": (2, 3),
    "high_and_low": (3,),
    "memory": (2, 3, 20),
    "nine_flags": (2,),
    "proofs": (2,),
    "settling": (2, 4),
    "spell_duel": (3,),
    "spite": (3,),
    "splitting": (3,),
    "tuck": (2,),
    "two_contracts": (2,),
    "wishes": (3,),
}
"""Player counts of games."""
HIDING = ("bombs", "cups", "harbour", "nine_flags", "tuck")
"""Games with hidden piles."""


@pytest.mark.parametrize("name", ["bombs", "harbour", "high_and_low", "nine_flags", "spell_duel", "tuck"])
def test_examples_pass(name: str) -> None:
    outcomes = [example.run() for example in cardlang.loads(read_game(name), name).examples]
    assert outcomes and [each.message for each in outcomes if not each.passed] == []


@needs_either
@pytest.mark.parametrize(("name", "players"), [(name, n) for name in PLAYED for n in PLAYED[name]])
def test_both_engines_play_the_same_matches(name: str, players: int) -> None:
    game = cardlang.loads(read_game(name), name)
    program, engine = compile_game(game, players), build_engine(game, players, QUICK)
    assert sum(follow(program, engine, seed, 300) for seed in range(15)) > 100


@pytest.mark.parametrize("name", HIDING)
def test_json_round_trips(name: str) -> None:
    game = cardlang.loads(read_game(name), name)
    again = cardlang.from_json(game.json())
    assert list_differences(game, again) == [] and again.json() == game.json()


@pytest.mark.parametrize("name", HIDING)
@pytest.mark.parametrize("seed", range(8))
def test_hidden_cards_change_nothing_that_a_player_sees(name: str, seed: int) -> None:
    *_, match = walk(cardlang.loads(read_game(name), name).start(PLAYED[name][0], seed), Random(seed), 5 * seed + 3)
    for player in match.players:
        sample = match.sample(player, seed + 1)
        assert sample.view(player) == match.view(player) and sample.view(player).log == match.view(player).log
        assert sample.table(player).json() == match.table(player).json()


def test_high_and_low_hands_win_no_more_than_the_chips() -> None:
    match = cardlang.loads(read_game("high_and_low")).start(3, 5)
    while match.decision is not None:
        match.choose(0)
    assert sum(score for score in match.scores if score is not None) <= 300
