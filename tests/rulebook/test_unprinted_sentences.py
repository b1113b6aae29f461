"""Log sentences and questions are left out of rulebooks, with everything that only they use."""

import pytest

import cardlang
from cardlang.rulebook.render import render_rulebook_markdown

GAME = """game "Pairs" for 2 players
cards Pack in deck with worth
  8 of "One", 1
  8 of "Two", 2
zone deck seen by nobody
zone your hand seen by owner
number your score
define your sum as total of hand's worth
step play
  shuffle deck
  each player
    draw top 2 of deck to your hand
    {line}
    add 1 to your score
{more}"""

REASONS = """step reasons
  if deck is empty
    tell "That is why."
  tell "{players' sum} in all."
"""


def sheet(line: str, more: str = "") -> str:
    return render_rulebook_markdown(cardlang.loads(GAME.format(line=line, more=more)))


@pytest.mark.parametrize(
    ("line", "more"),
    [
        ('tell "{your sum} in all."', ""),
        ('remember your sum as before\n    tell "{before} in all."', ""),
        ("do reasons", REASONS),
        ('set your noted to your sum\n    tell "{your noted} in all."', "number your noted\n"),
        ("", "show your sum\n"),
    ],
    ids=["a sentence", "what is remembered for it", "a step of sentences", "what is noted for it", "what is shown"],
)
def test_tell_only_values_are_omitted(line: str, more: str) -> None:
    told = sheet(line, more)
    assert "Each player draws the top two cards of the deck and scores 1." in told
    for word in ("in all", "why", "Reasons", "before", "sum", "noted"):
        assert word not in told, word


def test_values_used_by_rules_are_printed() -> None:
    told = sheet('remember your sum as before\n    tell "{before} in all."\n    add before to your score')
    assert "total worth of your hand" in told and "in all" not in told


def test_questions_are_omitted() -> None:
    asked = 'you may draw 1 from top of deck to your hand "{0}"'
    assert "Do you want" not in sheet(asked.format("Do you want one more?"))
    assert "One more is yours." in sheet(asked.format("One more is yours."))
