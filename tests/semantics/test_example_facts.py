"""Facts in examples: their owners, and seats by name."""

import pytest

from cardlang import model as g
from tests.game_files import read_game
from tests.semantics.mini import findings, game

EXAMPLE = read_game("example_facts")


def test_facts_have_the_type_of_their_target() -> None:
    mini = game(EXAMPLE)
    given, doing, answer, expecting, moves = mini.examples[0].lines
    assert isinstance(given, g.Given)
    leader, trump, number, stack, hand, score, out = given.facts
    assert isinstance(leader, g.GivenTrack) and leader.value.type.tag == "player"
    assert isinstance(leader.value, g.Const) and leader.value.value == 1
    assert isinstance(trump, g.GivenTrack) and isinstance(trump.value, g.Const) and trump.value.value == 1
    assert isinstance(number, g.GivenTrack) and number.of is None
    assert isinstance(stack, g.GivenZone) and (stack.zone, stack.of) == ("stack", 1)
    assert isinstance(hand, g.GivenZone) and hand.of == 1
    assert [mini.faces[face].code for face in hand.faces] == ["Kc", "Jo", "Jo"]
    assert isinstance(score, g.GivenTrack) and score.of == 1
    assert isinstance(out, g.GivenTrack) and isinstance(out.value, g.Const) and out.value.value == 1
    assert isinstance(doing, g.Doing) and doing.statement.step == "pay"
    assert isinstance(answer, g.Answer) and [text for text, _ in answer.moves] == ["play [Kc]", "done"]
    assert isinstance(expecting, g.Expecting)
    assert isinstance(moves, g.ExpectingMoves) and moves.negated and moves.because == "No."


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ("    score 3", "E202", "score"),
        ("    Ann: trump Hearts", "E202", "trump"),
        ("    Ann: scoer 3", "E201", "scoer"),
        ("    Bbo: score 3", "E201", "Bbo"),
        ("    Ann: best 3", "E201", "best"),
        ("    Ann: score Bob", "E226", "Bob"),
        ("    Ann: hand [9c]", "E208", "9c"),
        ("    Ann: hand 3", "E226", "3"),
    ],
)
def test_invalid_facts_are_rejected(line: str, code: str, words: str) -> None:
    assert findings(f'example "e" with Ann, Bob\n  given\n{line}\n') == [(code, words)]


def test_examples_need_enough_players() -> None:
    assert findings('example "e" with Ann\n  expect leader = Ann\n') == [("E227", "Ann")]
