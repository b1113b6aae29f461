"""Both engines agree on who knows which card, in all small games of `tests.match.shown_cards`."""

import pytest

from interpreter.native.engine import build_engine
from interpreter.program.program import compile_game
from tests.match.shown_cards import CASES, build_game
from tests.native.following import QUICK, follow, needs_either

pytestmark = needs_either


@pytest.mark.parametrize("name", CASES)
def test_both_engines_agree_on_known_cards(name: str) -> None:
    program, engine = compile_game(build_game(name), 3), build_engine(build_game(name), 3, QUICK)
    for seed in range(6):
        follow(program, engine, seed, 20)


def test_search_engine_compiles_with_followed_moves() -> None:
    """What samples and plays on is one text of C with what moves cards: no two functions share a name."""
    assert build_engine(build_game("chosen from a name"), 3, QUICK, with_search=True)
