"""`repeat until you pass` around steps with passes."""

import pytest

import cardlang
from cardlang.model import Game, Outcome
from interpreter.native.engine import build_engine
from interpreter.program.program import compile_game
from tests.game_files import read_game
from tests.native.following import QUICK, follow, needs_either

GAME = read_game("passes_in_steps")
MOVE = "step your move\n  you may play 1 from your hand to table\n  add 1 to your score\n"
CASES = {
    "a step": ("  repeat until you pass\n    do your move", MOVE, "[1], pass", 12),
    "nothing is left": ("  repeat until you pass\n    do your move", MOVE, "[1], [2], [3]", 14),
    "a step that is done in two places": (
        "  repeat until you pass\n    do your move\n  repeat until you pass\n    do your move", MOVE,
        "pass, [1], pass", 13,
    ),
    "a step outside a repeat too": (
        "  do your move\n  repeat until you pass\n    do your move\n  do your move", MOVE, "pass, [1], pass, pass", 14,
    ),
    "a step of a step": (
        "  repeat until you pass\n    do your other\n  do your other\n  do your move",
        MOVE + "step your other\n  if your score >= 0\n    do your move\n", "[1], pass, pass, pass", 14,
    ),
    "a choice of one": (
        "  repeat until you pass\n    do your pick\n  do your pick",
        "step your pick\n  you may choose one\n    option lay with c from your hand\n      play c to table\n"
        "      add 1 to your score\n", "lay [1], pass, lay [2]", 12,
    ),
    "a choice of several": (
        "  repeat until you pass\n    do your pick\n  do your pick",
        "step your pick\n  you may discard up to 2 from your hand to table\n  add 1 to your score\n",
        "[1], done, pass, [2], done", 13,
    ),
    "the innermost repeat": (
        "  repeat until you pass\n    you may choose n from 1 to 3\n      do your loop",
        MOVE + "step your loop\n  repeat until you pass\n    do your move\n  do your score-one\n"
        "step your score-one\n  add 100 to your score\n", "1, [1], pass, 2, pass, pass", 213,
    ),
    "a step in each": (
        "  repeat until you pass\n    each player\n      do your move\n    you may choose n from 1 to 3\n"
        "  do your move",
        MOVE, "pass, 1, pass, pass, pass", 13,
    ),
    "a step that is finished early": (
        "  repeat until you pass\n    do your early\n  do your early",
        MOVE + "step your early\n  do your move\n  if your score > 1\n    finish early\n  add 1 to your score\n",
        "[1], pass, [2]", 14,
    ),
    "an offer": (
        "  repeat until you pass\n    do offering\n  do offering",
        "step offering\n  each player may choose one, until one does\n    option take\n      add 1 to leader's score\n"
        "player leader starts at first of players\n", "take", None,
    ),
}  # fmt: skip
"""What a turn does, with which steps; the answers, and the score after them."""


def build_game(name: str) -> Game:
    turn, steps, answers, score = CASES[name]
    lines = f"  Ann: {answers}" + ("" if score is None else f"\n  expect Ann's score = {score}")
    return cardlang.loads(GAME.format(turn=turn, steps=steps, answers=lines))


@pytest.mark.parametrize("name", CASES)
def test_pass_in_a_step_ends_the_surrounding_repeat(name: str) -> None:
    outcome: Outcome = build_game(name).examples[0].run()
    assert outcome.passed, outcome.message


def test_pass_in_a_card_step_does_not_end_the_repeat() -> None:
    turn = "  repeat until you pass\n    you may choose one\n      option cast with c from your hand\n"
    turn += "        play c to table\n        do c's effect"
    lines = "  Ann: cast [SS], pass\n  expect Ann may cast [1], pass"
    text = GAME.format(turn=turn, steps="", answers=lines).replace("hand [1 2 3]", "hand [1 2 SS]")
    outcome: Outcome = cardlang.loads(text).examples[0].run()
    assert outcome.passed, outcome.message


NOT_PASSED = {
    "each": "    each player\n      do your move",
    "cards": "    do (first of your hand)'s effect",
    "a repeat within": "    repeat until you pass\n      do your move",
}


@pytest.mark.parametrize("body", NOT_PASSED.values(), ids=list(NOT_PASSED))
def test_check_finds_a_repeat_that_no_pass_can_end(body: str) -> None:
    turn = f"  repeat until you pass\n{body}"
    text = GAME.format(turn=turn, steps=MOVE, answers="  expect Ann's score = 0")
    assert [each.span.line for each in cardlang.loads(text).warnings if each.code == "W404"] == [17]


@needs_either
@pytest.mark.parametrize("name", CASES)
def test_both_engines_agree_on_passes(name: str) -> None:
    text = (
        build_game(name)
        .sources[0]
        .text.replace(
            "step play\n  shuffle deck\n",
            """\
step play
  shuffle deck
  deal top 8 of deck to players' hand
  repeat until rounds = 5
    add 1 to rounds
    each player
      do your turn
""",
        )
    )
    game = cardlang.loads(text)
    program, native = compile_game(game, 2), build_engine(game, 2, QUICK)
    for seed in range(10):
        follow(program, native, seed, 200)
