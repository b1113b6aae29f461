"""Patterns of several groups and repeated codes: native results equal Python's."""

import pytest

import cardlang
from interpreter.native.engine import build_engine
from interpreter.program.program import compile_game
from tests.game_files import read_game
from tests.native.following import QUICK, find_constructs, follow, needs_either
from tests.native.hands import Hands, Table
from tests.native.test_engine_equality import check_equal_readings

pytestmark = needs_either

RUN = "{} Pack of one suit and consecutive rank"
PATTERNS = {
    "two runs": f"{RUN.format('3')} plus {RUN.format('3')}",
    "runs of different suits": f"{RUN.format('2')} plus {RUN.format('2')} together of distinct suit",
    "longer runs": f"{RUN.format('2 or more')} plus {RUN.format('2 or more')}",
    "runs with a low member": f"{RUN.format('2')} with Top lowest plus {RUN.format('2')} with Top lowest",
    "pairs in a row": "2 Pack of one rank plus 2 Pack of one rank together of consecutive rank with Top lowest",
    "a pair and others": "2 Pack of one rank plus 2 or more Pack of distinct suit together of distinct rank",
    "a run and a pair": f"{RUN.format('3')} plus 2 Pack of one suit",
}
GAME = read_game("group_patterns")
WILD = "wild where it is Jokers as any Pack"


def load_pattern_game(pattern: str, wild: str = WILD) -> cardlang.Game:
    return cardlang.loads(GAME.format(pattern=PATTERNS[pattern], wild=wild))


@pytest.mark.slow
@pytest.mark.parametrize("pattern", PATTERNS)
def test_group_patterns_rank_equally(pattern: str) -> None:
    for wild, count in ((WILD, 300), ("", 600)):
        program, ranks = compile_game(load_pattern_game(pattern, wild), 2), set[int]()
        for size in (4, 7):
            ranks |= check_equal_readings(Hands(program, Table("table", "1p", None), size, count, orders=2))
        assert 0 in ranks and len(ranks) > 1


@pytest.mark.parametrize("pattern", ["two runs", "pairs in a row"])
def test_repeated_codes_rank_equally(pattern: str) -> None:
    game = load_pattern_game(pattern)
    program, native = compile_game(game, 2), build_engine(game, 2, QUICK)
    assert "separate_copies()" in find_constructs(program)
    for seed in range(20):
        assert follow(program, native, seed, most=100) == 16
