"""`otherwise` after a choice, limits of repeats, numbers in rows: results, errors, and equal engines."""

import pytest

import cardlang
from cardlang.rulebook.render import render_rulebook_markdown
from tests.errors import find_error
from tests.game_files import read_game

GAME = read_game("settling")
EXAMPLE = """
example "{0}" with Ann, Bob
  given
    Ann: hand {1}
  do Ann's {2}
  Ann: {3}
  expect {4}
"""


@pytest.mark.parametrize(
    ("hand", "step", "moves", "expected"),
    [
        # The weights of the hand are -1 + 0.5, its suits -1.5 + 2 + 2.
        pytest.param("[9x 0 11 2b 3b]", "turn", "pass, pass, pass", "Ann's score = 1.5", id="passes all"),
        pytest.param("[9x 11]", "turn", "play [9x], pass, gain", "Ann's score = 1", id="takes the option"),
        pytest.param("[9x 11]", "turn", "play [9x], [11]", "Ann's score = 0 and Bob's hand = [11]", id="chooses"),
        pytest.param("[9x 11 21]", "rest", "play [9x], play [11]", "Ann's score = 0 and Ann's hand = [21]", id="limit"),
        pytest.param("[9x 11]", "rest", "play [9x], pass", "Ann's score = 10", id="the pass ends the repeat"),
    ],
)
def test_otherwise_runs_only_if_nothing_is_chosen(hand: str, step: str, moves: str, expected: str) -> None:
    text = GAME + EXAMPLE.format("It", hand, step, moves, expected)
    results = [example.run() for example in cardlang.loads(text).examples]
    assert all(result.passed for result in results), [result.message for result in results]


def test_otherwise_runs_if_there_is_nothing_to_choose() -> None:
    body = "step your turn\n  you play 1 from your hand to table\n  otherwise\n    add 7 to your score\n"
    example = "example \"It\" with Ann, Bob\n  do Ann's turn\n  expect Ann's score = 7\n"
    game = cardlang.loads(GAME.partition("step your turn")[0] + body + example)
    assert game.examples[0].run().passed


NO_CHOICE = "each player\n    you draw 1 from top of deck to your hand\n    otherwise\n      shuffle deck"
HIDDEN = "together each player\n    you may play 1 from your hand to table\n    otherwise\n      shuffle deck"


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        pytest.param(NO_CHOICE, "E214", id="a fixed draw"),
        pytest.param(HIDDEN, "E214", id="together"),
        pytest.param("repeat up to deck times\n    shuffle deck", "E225", id="cards as a number"),
        pytest.param("repeat up to 3\n    shuffle deck", "E10", id="no times"),
    ],
)
def test_misuse_is_one_error(lines: str, code: str) -> None:
    found = find_error(f"{GAME.partition('step play')[0]}step play\n  {lines}\n")
    assert found.code.startswith(code) and found.hint


def test_sheet_names_limits_and_what_happens_otherwise() -> None:
    sheet = render_rulebook_markdown(cardlang.loads(GAME))
    assert "at most three times" in sheet.lower() and "Otherwise" in sheet and "worth -1½" in sheet and "½" in sheet
