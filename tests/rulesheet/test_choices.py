"""Options, offers, announcements and reactions on the sheet."""

from collections.abc import Callable

SheetOf = Callable[[str], str]


def test_options_with_conditions_and_costs(sheet_of: SheetOf) -> None:
    sheet = sheet_of(
        """
step your turn
  you choose one
    option buy with thing from your hand where suit = Red costs 2 chips
      play thing to table
      add 1 to your score
    option rest when your hand is empty "Nothing to do."
"""
    )
    assert "1. Choose one of these:\n" in sheet
    assert (
        "   - **Buy:** Choose one of the cards in your hand whose suit is Red (the thing card). "
        "Costs two chips.\n"
        "     1. Play the thing card to the table.\n"
        "     2. Add one to your score.\n"
        "   - **Rest:** Only if your hand is empty. *Nothing to do.*\n"
    ) in sheet


def test_offer_goes_round(sheet_of: SheetOf) -> None:
    sheet = sheet_of(
        """
step your turn
  first player from leader where not folded may choose one
    option claim "Lead."
      set leader to you
  otherwise
    shuffle deck
"""
    )
    assert (
        "1. Each player who has not folded, in turn, clockwise from the leader, may take this option; "
        "the first who does so ends the asking:\n"
        "   - **Claim:** You become the leader. *Lead.*\n"
        "2. If nobody does, shuffle the deck.\n"
    ) in sheet


def test_announcement_and_reaction(sheet_of: SheetOf) -> None:
    sheet = sheet_of(
        """
step your turn
  announce raid on your left
    shuffle deck
  otherwise
    add 1 to your score

reaction shield "Not me."
  to raid
  with guard from your hand where it is Trumps
  play guard to table
  cancel
"""
    )
    assert "1. Announce “raid” on the player to your left; others may answer with “Shield”.\n" in sheet
    assert "2. Unless it is cancelled, shuffle the deck.\n3. If it is cancelled, add one to your score.\n" in sheet
    assert "- **Shield:** In answer to “raid” of another player." in sheet
    assert "Choose one of the Trumps in your hand (the guard). *Not me.*\n" in sheet
    assert "  1. Play the guard to the table.\n  2. What you answer is cancelled.\n" in sheet


def test_several_and_optional_choices(sheet_of: SheetOf) -> None:
    sheet = sheet_of(
        """
step your turn
  you may choose 1 to 3 gems from your hand
    move gems to table
"""
    )
    assert "1. You may choose one to three of the cards in your hand (the gems).\n" in sheet
    assert "2. If you do, move the gems to the table.\n" in sheet


def test_steps_follow_in_the_order_of_play(sheet_of: SheetOf) -> None:
    sheet = sheet_of(
        """
step scoring
  add 1 to round
step play
  each player
    do your turn
  do scoring
step your turn
  do your second with 2
step your second with number amount "The second half."
  add amount to your score
"""
    )
    places = [sheet.index(f"### {title}\n") for title in ("The game", "Turn", "Second", "Scoring")]
    assert places == sorted(places)
    assert "1. Carry out “Second” with two as the amount.\n" in sheet
    assert "### Second\n\n*The second half.*\n\n1. Add the amount to your score.\n" in sheet
