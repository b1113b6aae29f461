"""Texts of a game are never executed."""

import pytest

import cardlang
from tests.errors import find_diagnostics
from tests.game_files import read_game

GAME = read_game("texts")

TEXTS = [
    " f[0]", "t[1]", " z[0], ow[1], s.t", "f, t, z", "return @1", "  return @1", "return -1", "code - 1", "{word}",
    "{0}", "%s %d %(x)s",
    r"back\\slash \\n \\x41", r"\"quoted\"", "'single'", '\'\'\'', "# no comment", "a; b: c", "\u2003x",
    "\N{SNOWMAN} \N{MUSICAL SYMBOL G CLEF}", "e\u0301", "None", "0", "-1", " x", r"\{\{ 7 * 7 }}", r"\{% if %}",
    "<b>&amp;", "x" * 5000,
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_text_is_never_executed(text: str) -> None:
    game = cardlang.loads(GAME.replace("TEXT", f'"{text}"'))
    assert [outcome.message for outcome in (example.run() for example in game.examples)] == [""]
    match = game.start(2, 1)
    match.choose("same")
    match.choose("same")
    assert match.over and match.scores == [1, 1]
    said = text.replace('\\"', '"').replace("\\{", "{").replace("\\\\", "\\")
    assert match.program.evaluate(game.defines["word"].value, match.state) == said


def test_surrogate_is_rejected() -> None:
    assert [(finding.code, finding.span.line) for finding in find_diagnostics(GAME.replace("TEXT", '"\ud800"'))] == [
        ("E120", 3)
    ]


ABSENT = read_game("absent")


def test_title_of_nothing_is_nothing() -> None:
    (example,) = cardlang.loads(ABSENT).examples
    assert example.run().message == ""
    wrong = cardlang.loads(ABSENT.replace("lead's title = nothing", 'lead\'s title = "Cups"')).examples[0].run()
    assert wrong.found == "lead's title = nothing"
