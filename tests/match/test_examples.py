"""Examples: passing ones, and messages of failing ones."""

import pytest

import cardlang
from cardlang.model import Outcome
from tests.game_files import read_game

GAME = read_game("pairs")


CLOSED = "You need a card. Your hand is empty."


def run(lines: str) -> Outcome:
    body = "".join(f"  {line}\n" for line in lines.strip("\n").splitlines())
    game = cardlang.loads(f'{GAME}\nexample "Tried" with Ann, Bob\n{body}', "pairs.cardgame")
    outcome: Outcome = game.examples[0].run()
    return outcome


PASSING = [
    # A forced card is left out, its score exact.
    "given\n  Ann: hand [1c]\ndo Ann's turn\nAnn: show\nexpect Ann's score = 0.5 and pile = [1c]",
    # What is left of a given zone goes home.
    "given\n  Ann: hand [1c 2c]\ngiven\n  Ann: hand [3c]\nexpect count of stock = 7",
    # A home zone that is given: the rest is out of play.
    "given\n  stock [1c 2c]\nexpect count of stock = 2 and top of stock = [2c]",
    # Several cards at once, in any order; without done; one by one; none.
    "given\n  Ann: hand [1c 2c 3c]\ndo Ann's discarding\nAnn: discard [2c 1c]\nexpect Ann's hand = [3c]",
    "given\n  Ann: hand [1c 2c 3c]\ndo Ann's discarding\nAnn: [1c], [3c]\nexpect Ann's hand = [2c]",
    "given\n  Ann: hand [1c 2c 3c]\ndo Ann's discarding\nAnn: discard [1c], done\nexpect count of pile = 1",
    "given\n  Ann: hand [1c 2c 3c]\ndo Ann's discarding\nAnn: []\nexpect pile is empty",
    "given\n  Ann: hand [1c 2c 3c]\ndo Ann's passing\nexpect Ann may put [1c 2c]\nexpect Ann may not put [1c]",
    "given\n  Ann: hand [1c 2c 3c]\ndo Ann's discarding\nexpect Ann may discard [3c], [1c 3c], done",
    "given\n  Ann: hand [1c 2c 3c]\ndo Ann's discarding\nexpect Ann may discard\nexpect Ann may not play",
    f'do round\nexpect Ann may wait\nexpect Ann may not show because "{CLOSED}"',
    'do round\nexpect Ann may not show because "You need a card."',
    # Whoever is not asked may do nothing, whatever it is called.
    "do Ann's turn\nexpect Ann may not show\nexpect Ann may not fly\nexpect Bob may not show",
    "given\n  Ann: hand [1c]\n  Bob: hand [2c]\ndo round\nexpect Bob may not show, wait",
    "given\n  Bob: hand [1c 2c]\ndo round\nBob: show\nexpect Bob may play [1c], play [2c]",
]  # fmt: skip


@pytest.mark.parametrize("lines", PASSING)
def test_passing_example_has_no_message(lines: str) -> None:
    outcome = run(lines)
    assert outcome.passed, outcome.message


FAILING = [
    (
        "given\n  Ann: hand [1c 2c]\nexpect Ann's hand = [2c 1c]",
        "Expected Ann's hand = [2c 1c], but found Ann's hand = [1c 2c] (2c on top).",
    ),
    (
        "given\n  Ann: score 1.5\nexpect Ann's score = 2 and Bob's score = 0",
        "Expected Ann's score = 2 and Bob's score = 0, but found Ann's score = 1½.",
    ),
    ("expect Ann's proud", "Expected Ann's proud, but found Ann's proud = no."),
    (
        "given\n  Ann: hand [1c]\n  Bob: hand [2c]\ndo round\nBob: wait",
        "It is not Bob's decision. Ann can choose: show or wait.",
    ),
    (
        "given\n  Ann: hand [1c]\ndo Ann's turn\nAnn: wait, wait",
        "No decision is left, so Ann cannot wait.",
    ),
    (
        "do Ann's turn\nAnn: show",
        "No decision is left, so Ann cannot show. Forced moves before it: Ann: wait.",
    ),
    (
        'given\n  Bob: hand [1c]\ndo Ann\'s turn\nexpect Bob may not show because "No."',
        "Bob has no decision here, so no reason is given. No decision is left. Forced moves before it: Ann: wait.",
    ),
    (
        "given\n  Bob: hand [1c]\ndo round\nexpect Bob may not wait",
        "Bob may wait. Forced moves before it: Ann: wait.",
    ),
    (
        "given\n  Ann: hand [1c]\ndo Ann's turn\nAnn: shout",
        "Ann may not shout: There is no move shout. Did you mean show? Ann can choose: show or wait.",
    ),
    (
        "given\n  Ann: hand [1c 2c]\ndo Ann's picking\nAnn: take",
        "Ann may not take: That could be take [1c] or take [2c]. Ann can choose: take [1c] or take [2c].",
    ),
    ("do Ann's turn\nexpect Ann may show", f"Ann may not show: {CLOSED}"),
    ("given\n  Ann: hand [1c]\ndo Ann's turn\nexpect Ann may not show", "Ann may show."),
    # Open in several ways is open.
    ("given\n  Ann: hand [1c 2c]\ndo Ann's discarding\nexpect Ann may not discard", "Ann may discard."),
    (
        "given\n  Ann: hand [1c 1c]",
        "The game has only 1 [1c], but this names more.",
    ),
    (
        'do Ann\'s turn\nexpect Ann may not show because "No."',
        f"Ann may not show, but for another reason: {CLOSED}",
    ),
]


@pytest.mark.parametrize(("lines", "message"), FAILING)
def test_failing_example_explains_itself(lines: str, message: str) -> None:
    outcome = run(lines)
    assert not outcome.passed
    assert outcome.message == message
    assert outcome.span is not None


def test_failing_example_points_to_its_line() -> None:
    outcome = run("given\n  Ann: hand [1c]\nexpect Ann's hand = [1c]\nexpect pile = [1c]")
    assert outcome.span is not None
    assert outcome.span.text.strip().startswith("expect pile")


def test_new_position_restarts_the_decision() -> None:
    """Ann is being asked when her cards are taken away."""
    lines = """
given
  Ann: hand [1c 2c]
do Ann's picking
given
  Ann: hand [3s]
expect Ann may take [3s]
expect Ann may not take [1c]
Ann: take [3s]
expect pile = [3s]
"""
    assert run(lines).passed
