"""Examples in a few sentences: what holds, what players do, what comes of it; the cards are drawn."""

from collections.abc import Callable

SheetOf = Callable[[str], str]
TURN = """
step your turn
  you play 1 from your hand to table "One card."
"""


def story(sheet: str) -> str:
    return sheet.partition("**Story.** ")[2].partition("\n")[0]


def test_example_names_roles_moves_and_results(sheet_of: SheetOf) -> None:
    sheet = sheet_of(
        TURN
        + """
example "Story" with Ann, Bob
  given
    leader Bob
    Ann: hand [1r Kb], chips 1, folded yes
  do Ann's turn
  expect Ann may not play [F] because "One card."
  Ann: play [Kb]
  expect leader = Ann and Ann's hand is not empty
"""
    )
    assert story(sheet) == (
        "Bob leads. Ann has 1 chip and has folded. *Ann's hand: the 1 of Red and the King of Blue.* "
        "It is Ann's turn. Ann can't play Fool: one card. "
        "Ann plays the King of Blue and leads next. Ann's hand is not empty."
    )


def test_allowed_and_made_move_is_printed_once(sheet_of: SheetOf) -> None:
    moves = "  expect Ann may play [1r]\n  Ann: play [1r]\n"
    sheet = sheet_of(f'{TURN}example "Story" with Ann, Bob\n  given\n    Ann: hand [1r]\n  do Ann\'s turn\n{moves}')
    assert story(sheet) == "*Ann's hand: the 1 of Red.* It is Ann's turn. Ann plays the 1 of Red."


def test_allowed_and_forbidden_moves_are_one_sentence(sheet_of: SheetOf) -> None:
    moves = "  expect Ann may play [1r], play [2r]\n  expect Ann may not play [3r]\n"
    sheet = sheet_of(f'{TURN}example "Story" with Ann, Bob\n  do Ann\'s turn\n{moves}')
    assert "Ann may play the 1 of Red or the 2 of Red, but not the 3 of Red." in story(sheet)


def test_only_cards_that_matter_are_drawn(sheet_of: SheetOf) -> None:
    cards = "    Ann: hand [1r]\n    Bob: hand [2r]\n"
    sheet = sheet_of(f'{TURN}example "Story" with Ann, Bob\n  given\n{cards}  do Ann\'s turn\n  Ann: play [1r]\n')
    assert "Ann's hand" in story(sheet) and "Bob's hand" not in story(sheet)


def test_pile_named_like_its_owner_has_one_name(sheet_of: SheetOf) -> None:
    column = 'kind Column: First, Second\nzone Column\'s pile called "column"\n'
    given = "  given\n    First: pile [1r]\n  do Ann's turn\n  expect First's pile = [1r]\n"
    sheet = sheet_of(f'{column}example "Story" with Ann, Bob\n{given}')
    assert "First column: the 1 of Red" in story(sheet)


def test_each_position_draws_its_cards(sheet_of: SheetOf) -> None:
    sheet = sheet_of(
        """
step your turn
  draw top of deck to your hand
example "Story" with Ann, Bob
  given
    deck [1r 2r 9b]
  do Ann's turn
  expect deck = [1r 2r]
  given
    table [3r 4b]
  expect table = [3r 4b]
"""
    )
    assert story(sheet) == (
        "*Deck (from the top): the 9 of Blue, and the 2 and 1 of Red.* "
        "It is Ann's turn. The deck holds (from the top) the 2 and 1 of Red. "
        "Now the table holds the 3 of Red and the 4 of Blue. *Table: the 3 of Red and the 4 of Blue.*"
    )
