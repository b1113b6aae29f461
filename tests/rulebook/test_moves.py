"""Moves of examples in the words of the rules."""

from collections.abc import Callable

import pytest

SheetOf = Callable[[str], str]


def story(sheet: str, title: str) -> str:
    """Return the sentences of an example."""
    return sheet.partition(f"**{title}.** ")[2].partition("\n")[0]


def test_option_moves_name_their_values(sheet_of: SheetOf) -> None:
    """Figures say what they are; names and cards speak for themselves."""
    sheet = sheet_of(
        """
step your turn
  you choose one
    option ask-for with rival from your others, wanted from Value
      set leader to rival
    option raise with amount from 1 to 99
      add amount to your score
    option play with played from your hand, times from 1 to 2
      move played to table
    option swap with old from leader's hand
      move old to table
example "Words" with Ann, Bob
  given
    Ann: hand [3r 4r]
  do Ann's turn
  expect Ann may ask-for Bob 7, ask-for Bob King, raise 98
  expect Ann may play [4r] 2, swap 1
  Ann: raise 7
"""
    )
    assert story(sheet, "Words") == (
        "*Ann's hand: the 3 and 4 of Red.* It is Ann's turn. "
        "Ann may choose “ask for” with Bob and value 7 or “ask for” with Bob and King or raise by 98. "
        "Ann may choose “play” with the 4 of Red and 2 or “swap” with card 1. Ann raises by 7."
    )


def test_card_moves_name_count_or_cards(sheet_of: SheetOf) -> None:
    sheet = sheet_of(
        """
zone your row seen by nobody
step your turn
  you draw 0 to 3 from top of deck to your hand
  you turn 2 from your row to table
example "Figures" with Ann, Bob
  do Ann's turn
  expect Ann may draw 0, draw 1, draw 3
  Ann: draw 2, turn 1, turn 4
"""
    )
    assert story(sheet, "Figures") == (
        "It is Ann's turn. Ann may draw no cards, one card or three cards. "
        "Ann draws two cards, turns up card 1, then turns up card 4."
    )


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("you play 1 from your hand to table", "Ann plays the 4 of Red."),
        (
            "you choose one\n    option stay\n      do your stop\n  you play 1 from your hand to table",
            "Ann chooses the 4 of",
        ),
        ("you choose liked from your hand", "Ann chooses the 4 of Red."),
        ("you choose bid from 1 to 3\n  you play 1 from your hand to table", "Ann plays the 4 of Red."),
    ],
)
def test_omitted_verbs_are_filled_in(statement: str, said: str, sheet_of: SheetOf) -> None:
    """The rules know it, if only one sort of choice can be meant."""
    sheet = sheet_of(
        f"step your turn\n  {statement}\nstep your stop\n  you discard 1 from your hand to table\n"
        'example "Bare" with Ann, Bob\n  do Ann\'s turn\n  Ann: [4r]\n'
    )
    assert said in story(sheet, "Bare")


def test_values_have_no_quotes(sheet_of: SheetOf) -> None:
    sheet = sheet_of(
        """\
step your turn
  you choose rival from your others
  you choose bid from 0 to 3
  you choose dye from Suit
example "Bare" with Ann, Bob
  do Ann's turn
  Ann: Bob, 2, Red
"""
    )
    assert "Ann chooses Bob, chooses 2, then chooses Red." in story(sheet, "Bare")


def test_card_steps_and_reactions_are_described(sheet_of: SheetOf) -> None:
    """Steps that cards bear and reactions ask for moves, too."""
    sheet = sheet_of(
        """
cards Tools (T) in deck
  1 of "Saw"
    step effect
      you draw 1 to 2 from top of deck to your hand
step your turn
  you choose tool from your hand
  do tool's effect
  announce noise
    add 1 to your score
reaction hush
  to noise
  with shown from your hand
  cancel
example "A saw" with Ann, Bob
  do Ann's turn
  Ann: [TSaw], draw 2
  Bob: hush [3r]
"""
    )
    assert "Ann chooses Saw, then draws two cards. Bob answers with the 3 of Red." in story(sheet, "A saw")


def test_given_facts_come_first(sheet_of: SheetOf) -> None:
    trick = (
        'step trick\n  leader plays 1 from leader\'s hand to table\nexample "Trick" with Ann, Bob\n  given\n'
        "    leader Ann\n    Ann: hand [3r]\n  do trick\n  expect Ann may play [3r]\n"
    )
    assert story(sheet_of(trick), "Trick") == "Ann leads. *Ann's hand: the 3 of Red.* Ann may play the 3 of Red."
    deal = 'step setup\n  shuffle deck\nexample "A deal" with Ann, Bob\n{}  do setup\n  expect leader = nobody\n'
    assert story(sheet_of(deal.format("  given\n    round 1\n")), "A deal") == "The round is one. There is no leader."
    assert "A deal" not in sheet_of(deal.format(""))  # a check of the dealing, and no scene


def test_verb_options_are_verbs(sheet_of: SheetOf) -> None:
    """Card players bet 3 and steal from somebody: nobody chooses “bet” with 3."""
    sheet = sheet_of(
        """
step your turn
  you choose one
    option bet with amount from 1 to 9
      add amount to your score
    option steal with rival from your others
      set leader to rival
    option sit-out
      set leader to you
    option boost with amount from 1 to 9
      add amount to your score
example "Verbs" with Ann, Bob
  do Ann's turn
  expect Ann may not bet 10
  expect Ann may bet 9, sit-out
  Ann: steal Bob
  do Ann's turn
  Ann: boost 3
"""
    )
    assert "Ann can't bet 10. Ann may bet 9 or sit out. Ann steals from Bob." in story(sheet, "Verbs")
    assert "Ann chooses “boost” with 3." in story(sheet, "Verbs")
