"""Cards that a line names, but that are not legal or not in the game."""

import pytest

from cardlang.ui.terminal.command_parser import execute_line
from cardlang.ui.terminal.screen.card_styles import CardStyles
from cardlang.ui.terminal.screen.help_pages import list_decision_keys
from tests.terminal.conftest import Sessions


@pytest.mark.parametrize("typed", ["J♥", "jh", "why J♥"])
def test_illegal_card_has_its_name_and_reason(session: Sessions, typed: str) -> None:
    sat = session("crazy_eights", 3)
    sat.advance()
    assert "[Jh]" not in sat.match.decision.moves.texts  # type: ignore[union-attr]
    said = CardStyles(sat.match.game).replace_codes(execute_line(sat, typed).message)
    assert "J♥" in said and said.endswith(" is not possible. Choose from your playable cards."), said


def test_unknown_card_is_said_to_be_unknown(session: Sessions) -> None:
    sat = session("crazy_eights", 3)
    sat.advance()
    assert "The game has no card zz." in execute_line(sat, "zz").message


def test_hint_shows_cards_as_the_screen_does(session: Sessions) -> None:
    styles = CardStyles(session("crazy_eights", 3).match.game)
    assert styles.replace_move_codes("Choose As. As a start, 8d is bad.", ["[As]", "[8d]"]) == (
        "Choose A♠. As a start, 8♦ is bad."
    )
    assert styles.replace_move_codes("Play [As]. Instead: Play 8d.", ["[As]", "[8d]"]) == "Play A♠. Instead: Play 8♦."


WISH = """game "Wish" for 2 players
kind Suit: Clubs, Hearts
cards Pack in deck
  9 of each Suit
zone deck
Suit wish
number your score
step play
  each player
    you choose wanted from Suit
    set wish to wanted
    add 1 to your score
"""


def test_footer_says_that_options_have_numbers(session: Sessions) -> None:
    sat = session(WISH, 2)
    sat.advance()
    ask = sat.get_table().ask
    assert ask is not None and [action.key for action in ask.actions] == ["1", "2"]
    assert list_decision_keys(ask, "", (), ())[0] == "←→ or number: highlight"
