"""Zones with `holds 1`: a rule that adds a second card reports an error."""

import pytest

import cardlang
from cardlang.lint.playtest.playtest_runner import run_game_and_variant_playtests
from interpreter.native.engine import NO_FAULT, build_engine
from tests.errors import find_errors
from tests.game_files import read_game
from tests.native.following import QUICK, needs_either

FRAME = read_game("slots")
TWICE = [
    "  turn top of deck to slot\n  turn top of deck to slot\n",
    "  turn top of deck to slot\n  put players' hand to slot\n",
    "  deal top 4 of deck to players' place\n",
    "  each player\n    you play 1 from your hand to slot\n",
    "  each player\n    you take 1 to (count of deck) from deck to your place\n",
    "  each player\n    you draw 1 to (count of deck) from top of deck to your place\n",
]
ONCE = "  turn top of deck to slot\n  move slot to deck\n  turn top of deck to slot\n"


@pytest.mark.parametrize("lines", TWICE)
def test_second_card_is_an_error_at_the_move(lines: str) -> None:
    (trial,) = run_game_and_variant_playtests([cardlang.loads(FRAME + lines)]).results
    assert trial.rule_error is not None
    assert "holds 1 card, but now has" in trial.rule_error.message
    assert trial.rule_error.span.text == lines.splitlines()[-1].strip()


def test_replacing_the_card_is_allowed() -> None:
    assert cardlang.loads(FRAME + ONCE).start(2, 1).scores


@needs_either
@pytest.mark.parametrize("lines", TWICE[:3])
def test_native_engine_rejects_a_second_card(lines: str) -> None:
    assert build_engine(cardlang.loads(FRAME + lines), 2, QUICK).start(1) != NO_FAULT


@needs_either
def test_native_engine_allows_a_replacement() -> None:
    assert build_engine(cardlang.loads(FRAME + ONCE), 2, QUICK).start(1) == NO_FAULT


@pytest.mark.parametrize(
    "lines",
    [
        "  turn top 2 of deck to slot\n",
        '  turn top of deck to slot\nexample "Two" with Ann, Bob\n  given\n    slot [1 2]\n  expect slot = [1]\n',
    ],
)
def test_certain_second_card_is_a_check_error(lines: str) -> None:
    assert {each.code for each in find_errors(FRAME + lines)} == {"E310"}
