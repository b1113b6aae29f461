"""Copies of a game with changes keep its properties."""

from attrs import evolve

import cardlang
from tests.game_files import read_game

GAME = read_game("goals")


def test_examples_use_their_own_rules() -> None:
    short, long = cardlang.loads(GAME), cardlang.loads(GAME, variant="Long")
    renamed = evolve(short, title="Renamed")
    changed = evolve(short, defines=long.defines)
    for game, passes in ((short, True), (renamed, True), (changed, False), (long, True)):
        assert [example.run().passed for example in game.examples] == [passes]
        assert all(example.game is game for example in game.examples)
    with_others = evolve(long, examples=short.examples)
    assert [example.run().passed for example in with_others.examples] == [False]
    assert [example.run().passed for example in short.examples] == [True]


def test_options_that_constants_forbid_are_not_shown() -> None:
    """Who goes through the stock once never turns the waste over, so no screen shows that option."""
    for variant, shown in ((None, True), ("Once through", False)):
        ask = cardlang.load("klondike", variant).start(1, 7).table("Ann").ask
        assert ask is not None
        assert ("Turn the waste over" in [option.label for option in ask.closed]) is shown
