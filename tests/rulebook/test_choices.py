"""Options, offers, announcements and reactions in rulebooks."""

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
    assert "\nChoose one of these:\n" in sheet
    assert (
        """\
- **Buy:** Play a Red card from your hand, and pay 2 chips. Score 1.
- **Rest:** Only if your hand is empty. *Nothing to do.*
"""
    ) in sheet


def test_offer_goes_round(sheet_of: SheetOf) -> None:
    sheet = sheet_of(
        """
step your turn
  each player from leader where not folded may choose one, until one does
    option claim "Lead."
      set leader to you
  otherwise
    shuffle deck
"""
    )
    assert (
        """\
1. Starting with the leader, each player who has not folded may choose this, until one of them does:
   - **Claim:** You lead.
2. If no one does, shuffle the deck.
"""
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
    assert "2. Unless “raid” is cancelled, shuffle the deck.\n3. If “raid” is cancelled, score 1." in sheet
    shield = "When another player announces “raid”, you may play a Trump from your hand to cancel it."
    assert f"- **Shield:** {shield} *Not me.*\n" in sheet


def test_reaction_names_its_target(sheet_of: SheetOf) -> None:
    sheet = sheet_of(
        """
step your turn
  announce raid on your left
    shuffle deck

reaction shield
  to raid
  when target = you
  cancel
"""
    )
    assert "- **Shield:** When another player announces “raid” and you are the target, you may cancel it.\n" in sheet


def test_several_and_optional_choices(sheet_of: SheetOf) -> None:
    sheet = sheet_of(
        """
step your turn
  you may choose 1 to 3 gems from your hand
    move gems to table
"""
    )
    assert "\nYou may move one to three cards from your hand to the table.\n" in sheet


def test_steps_are_in_play_order(sheet_of: SheetOf) -> None:
    sheet = sheet_of(
        """
step scoring
  add 1 to round
  add 2 to round
  add 3 to round
step play
  each player
    do your turn
  do scoring
step your turn
  do your second with 2
  shuffle deck
  shuffle deck
step your second with number amount "The second half."
  add amount to your score
"""
    )
    titles = ("## How to play", "### Turn", "### Second", "### Scoring")
    places = [sheet.index(f"\n{title}\n") for title in titles]
    assert places == sorted(places)
    assert "1. Go through the second with two as the amount.\n" in sheet
    assert "### Second\n\n*The second half.*\n\nScore the amount.\n" in sheet


def test_block_of_an_uncertain_choice_is_conditional(sheet_of: SheetOf) -> None:
    """Its block is done only with what was chosen; what stands after the block, in any case."""
    sheet = sheet_of(
        """
step your turn
  you choose 2 gems from your hand when count of gems = 2
    move gems to table
    add 1 to your score
  shuffle deck
"""
    )
    assert (
        """\
1. Move two cards from your hand to the table, provided there are two of those cards.
2. If you do, score 1.
3. Shuffle the deck.
"""
    ) in sheet


def test_block_of_a_certain_choice_is_unconditional(sheet_of: SheetOf) -> None:
    sheet = sheet_of("step your turn\n  you choose named from Suit\n    set wanted to named\n    shuffle deck\n")
    assert "1. Choose a suit.\n2. That suit becomes the wanted suit.\n3. Shuffle the deck.\n" in sheet


def test_chooser_is_named_throughout(sheet_of: SheetOf) -> None:
    """What somebody else is asked to do names that player to the end; then the reader is addressed again."""
    sheet = sheet_of(
        """
step your turn
  leader may choose gem from your hand
    play gem to table
    set your folded to yes
    add 1 to your score
    do your second
    each player
      draw top of deck to your hand
  leader gives 1 from your hand to your prizes
  add 1 to your score
step your second
  shuffle deck
  shuffle deck
  shuffle deck
"""
    )
    assert (
        """\
1. The leader may choose one card from the leader's hand as the gem:
   1. Play the gem.
   2. The leader has now folded.
   3. The leader scores 1.
   4. The leader goes through the second.
   5. Each player draws the top card of the deck.
2. The leader gives one card from the leader's hand to the leader's Prizes.
3. Score 1.
"""
    ) in sheet


def test_simultaneous_choice_is_one_sentence(sheet_of: SheetOf) -> None:
    sheet = sheet_of("step your turn\n  together each player where chips > 0\n    you play 1 from your hand to table\n")
    assert "\nAt the same time and in secret, each player who has any chips plays one card from their hand.\n" in sheet
    sheet = sheet_of("step your turn\n  together each player\n    you play 1 from your hand to table\n")
    assert "\nAt the same time and in secret, each player plays one card from their hand.\n" in sheet


def test_stored_choice_is_named(sheet_of: SheetOf) -> None:
    sheet = sheet_of(
        """
step your turn
  together each player
    you choose stake from 0 to your chips when stake != your score
      set your score to stake
  you choose named from Suit
  set wanted to named
  you choose again from Suit
  set wanted to again
  if again = Red
    shuffle deck
"""
    )
    assert "each player chooses their score, from 0 to their chips, provided it is not their score.\n" in sheet
    assert "2. Choose a suit as the wanted suit.\n3. Choose a suit as the again.\n" in sheet


def test_option_conditions_come_first(sheet_of: SheetOf) -> None:
    """Before what is chosen for it, but for those that are about that."""
    sheet = sheet_of(
        """
step your turn
  you choose one
    option bid with amount from 1 to your chips
      when not frozen
      when amount > your score
      set your score to amount
    option rest
"""
    )
    assert ("- **Bid:** Only if bids are not closed. Raise your score, to your chips at most.\n") in sheet


def test_single_option_needs_no_list(sheet_of: SheetOf) -> None:
    """It needs no list; a remark at its beginning belongs to it."""
    sheet = sheet_of(
        """
step your turn
  you may choose one
    option knock
      "With a low hand."
      set leader to you
  leader may choose one
    option leave
      shuffle deck
      set your folded to yes
  you choose one
    option ask with rival from your others
      shuffle deck
      add 1 to rival's score
  repeat until you pass
    you may choose one
      option buy costs 2 chips
        add 1 to your score
"""
    )
    assert "1. **Knock:** If you wish, you lead. *With a low hand.*\n" in sheet
    assert "2. **Leave:** If the leader wishes:\n   1. Shuffle the deck.\n   2. The leader has now folded.\n" in sheet
    assert "3. **Ask:** Choose another player. Shuffle the deck. That player scores 1.\n" in sheet
    assert "4. **Buy:** As often as you like, pay 2 chips. Score 1.\n" in sheet


def test_note_follows_its_instruction(sheet_of: SheetOf) -> None:
    sheet = sheet_of('step your turn\n  shuffle deck\n  "Well."\n  add 1 to your score\n')
    assert "1. Shuffle the deck. *Well.*\n2. Score 1.\n" in sheet


def test_match_loop_is_the_end_of_the_game(sheet_of: SheetOf) -> None:
    """Nobody begins a game that is over; any other loop may have nothing to do."""
    sheet = sheet_of(
        """
step play
  repeat until round = 3
    add 1 to round
    repeat until deck is empty
      do leader's turn
"""
    )
    assert "## End of the game\n\nThe game ends after three rounds.\n" in sheet
    assert "Repeat until the deck is empty: the leader takes a turn.\n" in sheet


def test_clause_texts_follow_the_option_text(sheet_of: SheetOf) -> None:
    """The conditions are one sentence; words that stand beside several costs are told once."""
    sheet = sheet_of(
        """
step your turn
  you choose one
    option rest "Do nothing."
      when your hand is empty "Not with cards."
      when not frozen
      costs 2 chips and 1 score "It is not for nothing."
"""
    )
    assert (
        "**Rest:** Only if your hand is empty and bids are not closed. Pay 2 chips and 1 score. "
        "*Do nothing. Not with cards.*"
    ) in sheet


STRIKE = """
step your turn
  you choose prey from your others' hand
  announce strike on prey
    play prey to table
  announce threat on prey's owner
    add 1 to your score

reaction hide
  to {answered}
  discard top of your hand to table
"""
GONE = "An announcement about a card that an answer has moved counts as cancelled."


def test_moved_target_rule_is_printed_if_needed(sheet_of: SheetOf) -> None:
    sheet = sheet_of(STRIKE.replace("{answered}", "strike"))
    assert "When all have passed in a row" in sheet and GONE in sheet
    assert GONE not in sheet_of(STRIKE.replace("{answered}", "threat"))


GRAB = """
step your turn
  together each player
    you take 1 from {pile} to your hand
"""


def test_recheck_rule_is_printed_if_needed(sheet_of: SheetOf) -> None:
    again = "each choice that is still possible takes effect"
    assert again in sheet_of(GRAB.replace("{pile}", "table"))
    assert again not in sheet_of(GRAB.replace("{pile}", "your hand"))
