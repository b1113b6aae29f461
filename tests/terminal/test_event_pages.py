"""Pauses for events that the next table has no room for."""

from __future__ import annotations

import random

import pytest

from cardlang.ui.terminal.command_parser import execute_line
from cardlang.ui.terminal.session_state import Session
from tests.terminal.conftest import Seen, Sessions, send_keys


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "players", "seed"), [("cribbage", 2, 7), ("tail_story", 3, 3), ("tail_story", 3, 8), ("hearts", 4, 3)]
)
def test_no_event_is_left_out(session: Sessions, name: str, players: int, seed: int) -> None:
    """Of all that is told while Ann plays by chance nothing is left out: no table counts lines it does not show."""
    sat = session(name, players, 1, seed)
    chance = random.Random(seed)
    screens: list[str] = []

    def move(seen: Seen) -> str:
        screens.append(" ".join(seen.text.split()))
        app = seen.app
        if app.is_paused or not sat.is_waiting_for_person() or sat.match.over:
            return "enter"
        decision = sat.match.decision
        assert decision is not None
        sat.perform_action(lambda: sat.match.choose(chance.randrange(len(decision.moves))))
        app.play_until_decision()
        return "f12"

    send_keys(sat, [move] * 30)
    assert len(sat.match.choices) > 20
    tables = [screen for screen in screens if "── scores" not in screen and "── result" not in screen]
    assert tables and not [screen for screen in tables if "more line" in screen]


@pytest.mark.slow
def test_forced_cards_are_shown_one_by_one(session: Sessions) -> None:
    """The end of a pegging, where one has one card left: what it brings stands on a screen before the result does."""
    sat = session("cribbage", 2, 1, 7)
    held: list[str] = []

    def move(seen: Seen) -> str:
        if seen.app.is_paused:
            held.append(seen.text)
            return "enter"
        decision = sat.match.decision
        assert decision is not None
        sat.perform_action(lambda: sat.match.choose(0))
        seen.app.play_until_decision()
        return "f12"

    send_keys(sat, [move] * 24)
    pegged = [line for line in sat.get_log() if "peg" in line]
    assert any("You peg" in screen and "── scores" not in screen for screen in held) or not any(
        line.startswith("You peg") for line in pegged
    )
    assert any("[Enter] Continue" in screen for screen in held)


def play_answered_move(session: Sessions) -> Session:
    """Return a session in which Ann has seen Bob's response to her move, and can undo."""
    sat = session("texas_holdem", 2)
    sat.advance()
    sat.hand_over_screen()
    for _ in range(40):
        if sat.match.over or (
            any(not line.startswith("You") for line in sat.get_log()[sat.seen_log_lines + 1 :]) and sat.can_undo()
        ):
            break
        sat.make_move("call") and sat.make_move("check") and sat.make_move(0)
        sat.advance()
        sat.hand_over_screen()
    return sat


def test_undo_asks_if_something_was_seen(session: Sessions) -> None:
    """Bob's answer to a bet is known: it is told before the move is taken back."""
    sat = play_answered_move(session)
    made = len(sat.match.choices)
    assert "Since then you have seen: Bob" in sat.undo() and sat.unconfirmed and len(sat.match.choices) == made
    assert sat.undo(confirmed=True) == "" and len(sat.match.choices) < made and not sat.unconfirmed


@pytest.mark.slow
@pytest.mark.parametrize(("key", "yes"), [("enter", True), ("y", True), ("c", False), ("right", False), ("u", False)])
def test_undo_question_takes_only_answers(session: Sessions, key: str, yes: bool) -> None:
    """And by no key anything else is done than to answer it, whatever is pointed at; nothing else is offered."""
    sat, seen = play_answered_move(session), list[str]()
    made = len(sat.match.choices)
    look = lambda screen: seen.append(screen.text)  # noqa: E731
    app = send_keys(sat, ["f", "u", look, key])
    assert "Enter or y: undo" in seen[0] and "Since then you have seen: Bob" in seen[0] and not sat.unconfirmed
    assert "[Enter]" not in seen[0] and "[f]" not in seen[0] and " fold?" not in seen[0]
    assert (len(sat.match.choices) < made) == yes and len(sat.match.choices) <= made
    assert yes or (app.input_state.cursor and app.message == "Nothing was changed.")


def test_undo_question_accepts_typed_answers(session: Sessions) -> None:
    for line, yes in (("y", True), ("hint", False)):
        sat = play_answered_move(session)
        made = len(sat.match.choices)
        assert "Type y" in execute_line(sat, "undo").message
        execute_line(sat, line)
        assert (len(sat.match.choices) < made) == yes and not sat.unconfirmed
