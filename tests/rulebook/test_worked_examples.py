"""Examples as worked examples in English."""

from collections.abc import Callable


def test_an_example_is_a_story(sheet_of: Callable[[str], str]) -> None:
    sheet = sheet_of(
        """
step your turn
  you play 1 from your hand to table "One card."

example "A turn" with Ann, Bob
  given
    leader Bob
    Ann: hand [1r Kb], chips 1, folded yes
  do Ann's turn
  expect Ann may not play [F] because "One card."
  Ann: play [Kb]
  expect table = [Kb] and Ann's hand is not empty
"""
    )
    assert (
        "**A turn.** The leader is Bob. "
        "Ann holds the 1 of Red and the King of Blue, has one chip and has folded. "
        "It is Ann's turn. Ann may not play Fool: “One card.” Ann plays the King of Blue. "
        "Then the table holds the King of Blue and Ann's hand is not empty.\n"
    ) in sheet


def test_a_stack_is_listed_from_the_top(sheet_of: Callable[[str], str]) -> None:
    """Where it matters which card lies on top, the sheet begins with that card; and it says what stays as it was."""
    sheet = sheet_of(
        """
step your turn
  you discard up to 2 from your hand to table
  draw top of deck to your hand

example "A deck" with Ann, Bob
  given
    deck [1r 2r 9b]
    Ann: hand [5r 7b]
  do Ann's turn
  expect Ann may discard [7b], done
  Ann: done
  expect deck = [1r 2r]
  given
    table [3r 4b]
  expect table = [3r 4b]
"""
    )
    assert (
        "The deck holds (from the top) the 9 of Blue, and the 2 and 1 of Red. "
        "Ann holds the 5 of Red and the 7 of Blue. "
        "It is Ann's turn. Ann may choose none or discard the 7 of Blue. Ann chooses none. "
        "Then the deck holds (from the top) the 2 and 1 of Red. "
        "Now the table holds the 3 of Red and the 4 of Blue. "
        "Then the table holds the 3 of Red and the 4 of Blue.\n"
    ) in sheet


def test_a_story_names_nobody_twice(sheet_of: Callable[[str], str]) -> None:
    """What is so of somebody stands together; a title that is a sentence has no plural."""
    sheet = sheet_of(
        """
cards Words in deck
  4 of "No Way!" (W)
  4 of "Plan" (P)

example "Two conditions" with Ann, Bob
  given
    Ann: hand [W W], score 2, chips 3, folded yes, shelf [1r]
    Bob: hand [P P]
  expect Ann's chips = 3
  expect Ann's score = 2 and Ann's hand is not empty and Ann's chips > 0
  do Ann's turn
  expect Ann may do [P], pass
"""
    )
    assert (
        "Ann holds two copies of No Way!, has three chips and has folded; Ann's score is two and Ann's "
        "shelf is the 1 of Red. Bob holds two Plans. Then Ann has three chips. Ann's score is two, Ann's hand is not "
        "empty and Ann has some chips. It is Ann's turn. Ann may pass or choose “do” with Plan.\n"
    ) in sheet
