"""Result page: the outcome is never cut off."""

from __future__ import annotations

import pytest

from interpreter.match.match import Match
from tests.shipped import is_asked
from tests.terminal.conftest import Seen, Sessions, Stays, all_in, send_keys, session_where

SUITS = str.maketrans("♥♠♣♦", "hscd")
NAMES = ("Ann", "Bob", "Cat", "Dan")


def pause_pages(session: Sessions, players: int, rows: int = 24) -> list[list[str]]:
    """Return the pages of the pauses up to the showdown."""
    sat = session("texas_holdem", players=players, seed=4)
    sat.bots = dict.fromkeys(sat.bots, Stays())
    pages: list[list[str]] = []

    def stay(seen: Seen) -> str:
        if pages and any("showdown" in line for line in pages[-1]):
            return ""
        if seen.app.is_paused:
            pages.append(seen.lines)
            return "enter"
        seen.app.continue_after_move(sat.make_move(Stays().choose(sat.match)))
        return "f12"

    send_keys(sat, [stay] * 12, size=(80, rows))
    return pages


def showdown(session: Sessions, players: int, rows: int = 24) -> list[str]:
    return pause_pages(session, players, rows)[-1]


def test_showdown_lists_new_totals(session: Sessions) -> None:
    shown = showdown(session, 4)
    after = shown.index(next(line for line in shown if "before  change  now" in line))
    assert [line.split()[0] for line in shown[after + 1 : after + 5]] == [*NAMES]
    assert not any("▼" in line for line in shown)
    assert all(any(line.startswith(f"  {name}  ") for line in shown[:after]) for name in NAMES)  # their hands


def test_board_keeps_its_order(session: Sessions) -> None:
    shown = showdown(session, 3)
    board = next(line for line in shown if line.startswith("  board"))
    match, codes = session("texas_holdem", 3, seed=4).match, list[str]()
    while len(codes) < 5:
        match.choose(Stays().choose(match))
        codes = [str(card.code) for card in match.view(None).zone("board").cards]  # the last on top
    assert board.translate(SUITS).split() == ["board", *codes]


def shares_the_win(match: Match) -> bool:
    """Return whether Ann, who acts first, and Bob share everything after both go all-in."""
    if not is_asked("Ann")(match):
        return False
    match = match.clone()
    match.choose("raise 198")
    match.choose("call")
    return "share" in " ".join(match.view(None).log)


def test_shared_pot_is_reported_once(session: Sessions) -> None:
    sat = session_where(session, shares_the_win, "texas_holdem", 2)
    seen: list[str] = []

    send_keys(sat, [all_in(sat), *["enter"] * 4, lambda at: seen.append(at.text)], size=(100, 30))
    assert seen[0].count("share") == 1 and "You and Bob share 400" in seen[0]


@pytest.mark.slow
def test_last_call_is_shown_up_to_the_showdown(session: Sessions) -> None:
    for rows in (24, 22):
        pages = pause_pages(session, 4, rows)
        assert any(" call" in line or " check" in line for page in pages for line in page)
