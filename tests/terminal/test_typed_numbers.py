"""Typed numbers mean the listed line, whatever the cards are called.

Unknown letters do nothing. The letters of the full screen work in a typed line."""

from __future__ import annotations

import pytest

from cardlang.ui.terminal.command_parser import execute_line, list_option_entries
from cardlang.ui.terminal.session_state import Session
from tests.terminal.conftest import Sessions, send_keys

CARDS = """\
game "Numbers" for 2 players
{kinds}
cards Pack in deck
  {cards}
zone deck seen by nobody
zone table
zone your hand seen by owner
define your score as count of your hand
step play
  shuffle deck
  each player
    deal top 5 of deck to your hand
  repeat until players' hand is empty
    each player
      {asked}
"""
KINDS = {
    "numbers": ("ordered kind Value: 1 to 9\nkind Back: Plain ()", "2 of each Value"),
    "each once": ("ordered kind Value: 1 to 12", "1 of each Value"),
    "letters": ("kind Rank: Jack (J), Queen (Q), Hero (H), Unicorn (U), Wizard (W)", "2 of each Rank"),
    "suits": ("ordered kind Value: 1 to 5\nkind Suit: Sun (S), Moon (M)", "1 of each Value, Suit"),
}
ONE, SEVERAL = "you play 1 from your hand to table", "you play 1 to 3 from your hand to table"


def deal_cards(session: Sessions, cards: str, asked: str, seed: int) -> Session:
    kinds, pack = KINDS[cards]
    text = CARDS.format(kinds=kinds.replace("\nkind Back: Plain ()", ""), cards=pack, asked=asked)
    sat = session(text, 2, people=2, seed=seed)
    sat.hand_over_screen()
    return sat


def hand(sat: Session) -> list[str]:
    return sorted(str(card.code) for card in sat.match.view("Ann").zone("hand", "Ann").cards)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("cards", ["numbers", "each once", "suits"])
def test_number_plays_its_line_or_nothing(session: Sessions, cards: str, seed: int) -> None:
    """And where cards are called by numbers, never another than the one that is called so."""
    lines = {each.key: each.label for each in list_option_entries(deal_cards(session, cards, ONE, seed).get_table())}
    assert len(lines) == len({*lines.values()}) and all(key.isdecimal() for key in lines)
    for number in range(1, 15):
        sat = deal_cards(session, cards, ONE, seed)
        before = hand(sat)
        moved = execute_line(sat, str(number)).has_moved
        gone = [code for code in {*before} if before.count(code) > hand(sat).count(code)]
        assert moved == bool(gone) and (moved or str(number) not in lines)
        if str(number) in lines:
            assert gone == [lines[str(number)].split()[-1].strip("[]")]
        if moved and cards != "suits":
            assert gone == [str(number)]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("cards", ["numbers", "each once", "suits"])
def test_numbers_mean_lines_in_set_choices(session: Sessions, cards: str, seed: int) -> None:
    lines = list_option_entries(deal_cards(session, cards, SEVERAL, seed).get_table())
    assert len({each.key for each in lines}) == len(lines) == 5
    for first, second in ((0, 1), (4, 2), (1, 3)):
        both = sorted(lines[at].label for at in (first, second))
        sat = deal_cards(session, cards, SEVERAL, seed)
        before = hand(sat)
        assert execute_line(sat, f"{lines[first].key} {lines[second].key}").has_moved
        for code in hand(sat):
            before.remove(code)
        assert before == both
        sat = deal_cards(session, cards, SEVERAL, seed)
        assert not execute_line(sat, lines[first].key).has_moved
        assert [each.label for each in list_option_entries(sat.get_table()) if "(selected)" in each.label] == [
            f"{lines[first].label} (selected)"
        ]


def test_a_card_and_a_line_can_be_named_together(session: Sessions) -> None:
    sat = deal_cards(session, "suits", SEVERAL, 1)
    lines = list_option_entries(sat.get_table())
    before = hand(sat)
    assert execute_line(sat, f"{lines[0].label} and 3").has_moved
    assert sorted({*before} - {*hand(sat)}) == sorted(lines[at].label for at in (0, 2))


@pytest.mark.parametrize("asked", [ONE, SEVERAL])
@pytest.mark.parametrize("typed", ["x", "zz", "99", "why not"])
def test_enter_after_an_unknown_line_does_nothing(session: Sessions, typed: str, asked: str) -> None:
    """Where a set is chosen already, it would confirm it: it does so when it is pressed again."""
    sat = deal_cards(session, "suits", asked, 1)
    if asked == SEVERAL:
        execute_line(sat, "1")
    reply = execute_line(sat, typed)
    if typed.startswith("why"):
        assert execute_line(sat, "").has_moved == (asked == SEVERAL)
        return
    assert not reply.has_moved and reply.message
    first = execute_line(sat, "")
    assert not first.has_moved and "Nothing happened" in first.message
    assert execute_line(sat, "").has_moved == (asked == SEVERAL)


def test_typed_letters_equal_full_screen_keys(session: Sessions) -> None:
    sat = deal_cards(session, "suits", ONE, 1)
    assert execute_line(sat, "q").page == execute_line(sat, "Q").page == "quit"
    for letter, word in (("h", "hint"), ("u", "undo"), ("w 9X", "why 9X"), ("w", "why")):
        assert execute_line(sat, letter) == execute_line(sat, word) and execute_line(sat, letter).is_understood
    assert not sat.match.choices


def test_why_explains_a_listed_line(session: Sessions) -> None:
    """By its number or its letter, and an option that is not offered now by its letter."""
    sat = deal_cards(session, "suits", ONE, 1)
    for line in list_option_entries(sat.get_table()):
        assert execute_line(sat, f"why {line.key}").message.startswith(f"{line.label}: ")
    sat = session("texas_holdem", 2, people=2)
    sat.hand_over_screen()
    ask = sat.get_table().ask
    assert ask is not None and ask.closed
    assert execute_line(sat, "why 1").message.startswith(
        f"{list_option_entries(sat.get_table())[0].label}: "
    )  # no line has a number
    for closed in (each for each in ask.closed if each.key):
        assert execute_line(sat, f"w {closed.key}").message == f"{closed.label}: not now. {closed.why}"
        reply = execute_line(sat, closed.key)  # never another option that begins with this letter
        assert reply.message == f"{closed.label}: not now. {closed.why}" and not reply.has_moved


def test_card_codes_take_precedence_over_commands(session: Sessions) -> None:
    """A queen `Q` can be played, and so `q` does not quit."""
    sat = deal_cards(session, "letters", ONE, 1)
    assert hand(sat) == ["H", "J", "Q", "U", "W"]
    for letter in "qhuw":
        sat = deal_cards(session, "letters", ONE, 1)
        assert execute_line(sat, letter).has_moved and letter.upper() not in hand(sat)


@pytest.mark.slow
@pytest.mark.parametrize("letter", ["x", "z", "ß"])
def test_enter_after_an_unused_letter_does_nothing(session: Sessions, letter: str) -> None:
    """Whatever the cursor is at on the full screen; pressed again it does what is marked."""
    sat = deal_cards(session, "suits", ONE, 1)
    sat.bots = {"Bob": sat_still}
    app = send_keys(sat, ["right", letter, "enter"])
    assert not sat.match.choices and app.message.startswith(f"There is no option {letter}. Press Enter")
    sat = deal_cards(session, "suits", ONE, 1)
    sat.bots = {"Bob": sat_still}
    app = send_keys(sat, ["escape", letter, "enter"])
    assert not app.input_state.cursor and app.message == f"There is no option {letter}."
    sat = deal_cards(session, "suits", ONE, 1)
    sat.bots = {"Bob": sat_still}
    send_keys(sat, ["right", letter, "enter", "enter"])
    assert sat.match.choices


class First:
    def choose(self, match: object) -> int:
        return 0


sat_still = First()
