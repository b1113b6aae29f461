"""Texts of a game are never executed."""

from __future__ import annotations

import pytest

import cardlang

GAME = """\
game "Texts" for 2 players
cards Words in heap
  1 of TEXT (W)
  1 of "Other" (O)
zone heap
number your score
define word as TEXT
define your judged as
  TEXT when score > 100
  "yes" when word = TEXT and (first of heap)'s title = TEXT
  otherwise "no"
define long as total of (heap where title = TEXT or title = word)'s seen-there
define card's seen-there as
  1 when title = TEXT TEXT
  otherwise 0

step play
  each player
    do your turn
step your turn TEXT
  you choose one
    option same when (first of heap)'s title = TEXT TEXT
      if your judged = "yes" and (first of heap)'s title = TEXT
        add 1 to your score TEXT
    option other when word != TEXT
  repeat until (first of heap)'s title = TEXT
    you choose way from 1 to 2
  expect word = TEXT TEXT

example TEXT with Ann, Bob
  expect word = TEXT and Ann's judged = "yes" and long = 1 and word = (first of heap)'s title
  do play
  expect Ann may same
  expect Ann may not other
  Ann: same
  Bob: same
  expect Ann's score = 1 and Bob's score = 1
"""

TEXTS = [
    " f[0]", "t[1]", " z[0], ow[1], s.t", "f, t, z", "return @1", "  return @1", "return -1", "code - 1", "{word}",
    "{0}", "%s %d %(x)s",
    r"back\\slash \\n \\x41", r"\"quoted\"", "'single'", '\'\'\'', "# no comment", "a; b: c", "\u2003",
    "\N{SNOWMAN} \N{MUSICAL SYMBOL G CLEF}", "e\u0301", "None", "0", "-1", " ", r"\{\{ 7 * 7 }}", r"\{% if %}",
    "<b>&amp;", "x" * 5000,
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_any_text_is_itself(text: str) -> None:
    game = cardlang.loads(GAME.replace("TEXT", f'"{text}"'))
    assert [outcome.message for outcome in (example.run() for example in game.examples)] == [""]
    match = game.start(2, 1)
    match.choose("same")
    match.choose("same")
    assert match.over and match.scores == [1, 1]
    said = text.replace('\\"', '"').replace("\\{", "{").replace("\\\\", "\\")
    assert match.program.evaluate(game.defines["word"].value, match.state) == said


def test_half_a_character_is_refused_with_its_place() -> None:
    with pytest.raises(cardlang.GameError) as caught:
        cardlang.loads(GAME.replace("TEXT", '"\ud800"'))
    assert [(finding.code, finding.span.line) for finding in caught.value.diagnostics] == [("E120", 3)]


ABSENT = """\
game "Absent" for 2 players
kind Suit: Cups (c), Swords (s)
cards Pack in stock
  1 of each Suit
zone stock
zone heap
zone hole
number your score
define lead as first of heap's suit
step play
  each player
    add 1 to your score
example "What belongs to something absent is absent, and equal to nothing" with Ann, Bob
  expect lead's title = nothing and (top of heap)'s title = nothing
  expect lead's title != "Swords" and lead's title != "Cups" and (top of heap)'s title != (top of hole)'s title
  expect not ((top of heap)'s title = (top of hole)'s title)
  expect Cups's title = "Cups" and (top of stock)'s suit's title = "Swords"
"""


def test_titles_of_what_is_absent() -> None:
    (example,) = cardlang.loads(ABSENT).examples
    assert example.run().message == ""
    wrong = cardlang.loads(ABSENT.replace("lead's title = nothing", 'lead\'s title = "Cups"')).examples[0].run()
    assert wrong.found == "lead's title = nothing"
