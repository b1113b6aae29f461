"""Choices that must reach a sum: the current sum, and the cards that are needed."""

from __future__ import annotations

import cardlang
from cardlang.ui.terminal.command_parser import execute_line
from cardlang.ui.terminal.session_state import Session
from interpreter.match.match import Match
from tests.game_files import read_game
from tests.terminal.conftest import sitting

PAYING = read_game("payers")
TEN = "total of coins' value = 10"


def paying(condition: str = TEN, source: str = "market", seen: str = "") -> Match:
    text = PAYING.format(condition=condition, source=source, seen=seen, market="1 2 7 9", purse="3 4")
    text = text.replace("player 1's purse", "(first of players)'s purse")
    match = cardlang.loads(text).start(["Ann", "Bob"], 1)
    assert isinstance(match, Match)
    return match


def ref(match: Match, code: str) -> str:
    table = match.table("Ann")
    piles = (pile for place in (table.middle, *table.places) for pile in place.piles)
    return next(card.ref for pile in piles for card in pile.cards if card.code == code)


def chosen(match: Match, *codes: str) -> tuple[str, str, set[str]]:
    """Return the question, the sum and the codes of needed cards."""
    ask = match.table("Ann", [ref(match, code) for code in codes]).ask
    assert ask is not None and ask.choosing is not None
    named = {ref(match, code): code for code in "1279"}
    return ask.question, ask.choosing.sum, {named[each] for each in ask.choosing.needs}


def test_question_shows_the_current_sum() -> None:
    match = paying()
    assert chosen(match, "7", "1")[:2] == (
        "Choose one to four cards from the market: 2 selected, which add up to 8 of 10.",
        "8 of 10",
    )
    assert chosen(match)[0].endswith("0 selected, to add up to 10.")
    assert chosen(paying("12 >= worth of coins"), "2", "9")[1] == "11 of at most 12"
    assert chosen(paying("count of coins > 1 and total of coins' value > 8"), "2")[1] == "2 of more than 8"


def test_other_conditions_show_no_sum() -> None:
    asked = "Choose one to four cards from the market: 1 selected."
    assert chosen(paying("count of coins = 2"), "2")[:2] == (asked, "")
    assert chosen(paying("total of coins' value = count of coins * 4"), "2")[1] == ""


def test_needed_cards_complete_the_sum() -> None:
    """Of 1, 2, 7 and 9, only 1 + 9 and 1 + 2 + 7 are ten."""
    match = paying()
    assert chosen(match, "1")[2] == set()
    assert chosen(match, "2")[2] == {"1", "7"}
    assert chosen(match, "9")[2] == {"1"}
    assert chosen(match, "9", "1")[2] == set()


def test_sums_of_hidden_cards_are_hidden() -> None:
    match = paying("total of coins' value < 8", "your purse", "seen by nobody")
    table = match.table("Ann")
    refs = table.ask.choosing.refs  # type: ignore[union-attr]
    assert len(refs) == 2
    told = match.table("Ann", refs[:1]).ask.choosing  # type: ignore[union-attr]
    assert told.chosen == refs[:1] and told.sum == ""  # type: ignore[union-attr]


def test_needed_cards_are_selected_automatically() -> None:
    sat = sitting(cardlang.loads(paying().game.sources[0].text), 2)
    sat.advance()
    sat.hand_over_screen()
    assert sat.toggle_ref(ref(sat.match, "2")) == "The rest is selected for you: nothing else goes with it."
    assert {*sat.selection} == {ref(sat.match, code) for code in "127"}
    assert sat.toggle_ref(ref(sat.match, "7")) == "" and len(sat.selection) == 2
    said = execute_line(sat, "7").message
    assert said.endswith("3 selected, which add up to 10 of 10. Selected: 1, 2 and 7. Press Enter to confirm.")


def start_payment() -> Session:
    """Return a match before Ann's 1 is picked, which is in every legal set."""
    sat = sitting(cardlang.loads(paying().game.sources[0].text), 2)
    sat.hand_over_screen()
    return sat


def test_deselecting_removes_automatic_picks() -> None:
    """9 needs 1; what the viewer ticked stays."""
    sat = start_payment()
    sat.toggle_ref(ref(sat.match, "9"))
    assert {*sat.selection} == {ref(sat.match, code) for code in "91"}
    assert sat.toggle_ref(ref(sat.match, "9")) == "" and sat.selection == ()
    sat.toggle_ref(ref(sat.match, "1"))
    sat.toggle_ref(ref(sat.match, "2"))
    assert {*sat.selection} == {ref(sat.match, code) for code in "127"}
    sat.toggle_ref(ref(sat.match, "2"))
    assert sat.selection == (ref(sat.match, "1"),)


def test_incompatible_card_starts_a_new_selection() -> None:
    """Neither 9 + 1 nor 9 + 1 + 2 can be with the 7, and 7 needs 1 and 2."""
    sat = start_payment()
    sat.toggle_ref(ref(sat.match, "9"))
    said = sat.toggle_ref(ref(sat.match, "7"))
    assert said.startswith("New selection: this does not go with the earlier one.") and "for you" in said
    assert {*sat.selection} == {ref(sat.match, code) for code in "712"}
