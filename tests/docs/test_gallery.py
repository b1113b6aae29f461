"""The gallery's facts about each game are up to date."""

import pytest

import cardlang
from tests.docs.documents import ROOT
from tests.docs.gallery import PAGE, count_words, games, libraries, library_words, update_figures


def test_every_game_and_library_has_a_row() -> None:
    page = PAGE.read_text("utf-8")
    assert games(page) == {path.relative_to(ROOT).as_posix() for path in cardlang.shipped().values()}
    assert libraries(page) == set(library_words())


@pytest.mark.slow
def test_gallery_figures_are_up_to_date() -> None:
    page = PAGE.read_text("utf-8")
    assert page.splitlines() == update_figures(page).splitlines(), "write them with: python -m tests.docs"


def test_word_count_ignores_comments_and_notes() -> None:
    text = """game "A, B" for 2 to 4 players # 6
"A note of five words." # nothing
zone deck
ruling "Is this counted?"
  "No." # nor this
step play "Until \\"the\\" end." # 2

  ruling "And this?"
    "No."
  set round to (round + 1) "Up." # 6
example "None" with Ann, Bob
  expect 1 = 1
"""
    assert count_words(text) == 6 + 2 + 2 + 6
