"""Cards in rows and columns of a grid."""

from __future__ import annotations

import pytest

import cardlang
from interpreter.view.table_model import TableCard, TablePile
from tests.errors import find_codes
from tests.game_files import read_game

GAME = read_game("beds")


def piles(more: str = "") -> dict[str, TablePile]:
    """Return Ann's piles after she and Bob have turned two cards each. `more`: what happens then."""
    text = GAME.replace("  {more}\n", f"  {more}\n" if more else "")
    match = cardlang.loads(text).start(2, seed=3)
    match.confirm("Ann", ["zone/under/Ann#2", "zone/under/Ann#4"])
    match.confirm("Bob", ["zone/under/Bob#1", "zone/under/Bob#2"])
    return {pile.name: pile for pile in match.table("Ann").places[0].piles}


def test_two_zones_form_one_grid() -> None:
    """Ann has turned the second and the fourth of six, dealt row by row: the middle of the first and the first of the
    second."""
    grid = piles()["under"]
    assert (grid.form, grid.across, grid.count) == ("grid", 3, 6)
    assert [card.face is not None for card in grid.cards] == [False, True, False, True, False, False]
    assert "over" not in piles()
    refs = [card.ref for card in grid.cards]
    assert refs[1].startswith("zone/over/Ann#") and refs[0].startswith("zone/under/Ann#") and len(set(refs)) == 6


def test_grid_cards_omit_position_marks() -> None:
    assert all(card.marks == () for card in piles()["under"].cards)
    wet = piles("each card in players' over\n    set that card's wet to yes")
    marks: list[TableCard] = [card for card in wet["under"].cards if card.marks]
    assert [card.marks for card in marks] == [(("wet", "yes"),)] * 2


def test_removed_card_leaves_a_gap() -> None:
    """Ann's first card of the second row, the fourth cell, is gone. The other cards keep their cells."""
    grid = piles("move top of (first of players)'s over to compost")["under"]
    assert (grid.form, grid.across, grid.count) == ("grid", 3, 5)
    assert grid.cells == (0, 1, 2, 4, 5) and not any(card.marks for card in grid.cards)


def test_cards_in_one_cell_form_a_row() -> None:
    """Ann's two open cards move to one hole: no grid can show both."""
    open_cards = piles(
        "each card in (first of players)'s over\n    set that card's hole to 1\n    set that card's furrow to Front"
    )["over"]
    assert (open_cards.form, open_cards.count) == ("row", 2)


@pytest.mark.parametrize(
    ("show", "code"),
    [
        ("show your over as grid", "E214"),
        ("show your over as grid of 3 by furrow, hole", "E214"),
        ("show your over as grid by furrow, value", "E237"),
        ("show your over as grid by furrow, score", "E237"),
    ],
)
def test_invalid_grids_are_rejected(show: str, code: str) -> None:
    text = GAME.replace("show your over as grid by furrow, hole", show).replace("  {more}\n", "")
    assert find_codes(text) == [code]


def test_grid_positions_have_words() -> None:
    """Of the row, a member of a kind, and the column, a number: both are named."""
    places = [f"furrow {row}, hole {at}" for row in ("Front", "Back") for at in (1, 2, 3)]
    assert [card.place for card in piles()["under"].cards] == places
