"""Memory: caches don't keep unused games alive."""

import gc
import weakref

import pytest

import cardlang
from cardlang.model.game import GAME_CACHE_SIZE
from tests.game_files import read_game

GAME = read_game("game_memory")


@pytest.mark.slow
def test_unused_games_are_garbage_collected() -> None:
    first = cardlang.loads(GAME.format(number=0))
    first.start(2, 1)
    forgotten = weakref.ref(first)
    del first
    for number in range(GAME_CACHE_SIZE):
        cardlang.loads(GAME.format(number=number + 1)).start(2, 1)
    gc.collect()
    assert forgotten() is None
