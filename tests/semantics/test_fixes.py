"""Fixes in messages: names of the file, the right line, one message for each mistake."""

import pytest

import cardlang
from cardlang.lint.playtest.playtest_runner import run_game_and_variant_playtests
from tests.errors import find_errors
from tests.game_files import read_game

GAME = read_game("ways")
RIGHT = GAME.replace("count of hands", "count of boss's hand")
SLIPS = [
    ("count of boss's hand", "count of hand", ["Say whose: `your hand` or `boss's hand`"]),
    ("  remember (high", "    remember (high", ["block of line 13"]),
    ("  if table is not", "  else if table is not", ["This `else` has no `if`", "`otherwise if`"]),
    ("add 1 to taker's score", "add score 1 to you", ["Write `add 1 to your score`"]),
    ("count of boss's hand", "boss's hand's size", ["Write `count of …`"]),
    ("count of boss's hand", "count of (subsets of boss's hand)", ["Write `(every 1 or more cards from … as lot)`"]),
    ("count of boss's hand", "count of boss's cards", ["`your hand`", "`you choose chosen from your hand`"]),
    ("  if table is not empty", "  if table is not full", ["`count of table < 4`"]),
    ("  each player\n", "  each players\n", ["Unknown kind `players`"]),
    ("    you play", "\tyou play", ["indented with tabs"]),
]


@pytest.mark.parametrize(("right", "wrong", "told"), SLIPS, ids=[wrong.strip() for _, wrong, _ in SLIPS])
def test_typo_gives_one_error_with_a_fix(right: str, wrong: str, told: list[str]) -> None:
    cardlang.loads(RIGHT)
    assert right in RIGHT
    text = RIGHT.replace(right, wrong, 1)
    (found,) = find_errors(text)
    assert all(part in f"{found.message} {found.hint}" for part in told)


def test_unset_player_error_names_the_later_assignment() -> None:
    text = RIGHT.replace("  set boss to first of players\n", "  do boss's turn\n  set boss to first of players\n")
    (trial,) = run_game_and_variant_playtests(
        [cardlang.loads(text + "step your turn\n  add 1 to your score\n")]
    ).results
    assert trial.rule_error is not None
    assert "Line 13 sets it. Make sure that this line runs first." in trial.rule_error.message


def test_forced_draw_from_an_empty_deck_explains_itself() -> None:
    loop = (
        "  repeat until you pass\n    you draw 1 from top of deck to your hand\n    if round > 50\n      finish play\n"
    )
    text = RIGHT.replace("number your score\n", "number your score\nnumber round\n").replace(
        "  move table to deck\n", "  each player\n" + "\n".join("  " + line for line in loop.splitlines()) + "\n"
    )
    (trial,) = run_game_and_variant_playtests([cardlang.loads(text)]).results
    assert trial.rule_error is not None
    assert "No player could pass in this loop. Write `you may …`" in trial.rule_error.message
