"""What happened is read before it goes: play waits where the next table has no room for all that matters."""

from __future__ import annotations

import random

import pytest

from tests.terminal.conftest import Seen, Sessions, played


@pytest.mark.parametrize(
    ("name", "players", "seed"), [("cribbage", 2, 7), ("tail_story", 3, 3), ("tail_story", 3, 8), ("hearts", 4, 3)]
)
def test_whatever_matters_is_read(session: Sessions, name: str, players: int, seed: int) -> None:
    """Of all that is told while Ann plays by chance nothing is left out: no table counts lines it does not show."""
    sat = session(name, players, 1, seed)
    chance = random.Random(seed)
    screens: list[str] = []

    def move(seen: Seen) -> str:
        screens.append(" ".join(seen.text.split()))
        app = seen.app
        if app.paused or not sat.waits() or sat.match.over:
            return "enter"
        decision = sat.match.decision
        assert decision is not None
        sat.moved(lambda: sat.match.choose(chance.randrange(len(decision.moves))))
        app.go_on()
        return "f12"

    played(sat, [move] * 30)
    assert len(sat.match.choices) > 20
    tables = [screen for screen in screens if "── scores" not in screen and "── result" not in screen]
    assert tables and not [screen for screen in tables if "more line" in screen]


def test_forced_cards_are_seen_one_after_another(session: Sessions) -> None:
    """The end of a pegging, where one has one card left: what it brings stands on a screen before the result does."""
    sat = session("cribbage", 2, 1, 7)
    held: list[str] = []

    def move(seen: Seen) -> str:
        if seen.app.paused:
            held.append(seen.text)
            return "enter"
        decision = sat.match.decision
        assert decision is not None
        sat.moved(lambda: sat.match.choose(0))
        seen.app.go_on()
        return "f12"

    played(sat, [move] * 24)
    pegged = [line for line in sat.log() if "peg" in line]
    assert any("You peg" in screen and "── scores" not in screen for screen in held) or not any(
        line.startswith("You peg") for line in pegged
    )
    assert any("[Enter] Go on" in screen for screen in held)


def test_taking_back_asks_first_where_something_was_seen(session: Sessions) -> None:
    """Bob's answer to a bet is known: the first u tells it, the second takes it back."""
    sat = session("texas_holdem", 2)
    sat.advance()
    sat.look()
    for _ in range(40):
        if sat.match.over or (any(not line.startswith("You") for line in sat.log()[sat.seen + 1 :]) and sat.can_undo()):
            break
        sat.make("call") and sat.make("check") and sat.make(0)
        sat.advance()
        sat.look()
    made = len(sat.match.choices)
    said = sat.undo()
    assert "Undo once more does it." in said and len(sat.match.choices) == made
    assert sat.undo() == "" and len(sat.match.choices) < made
