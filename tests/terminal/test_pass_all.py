"""Passing on all reactions that do not concern the viewer with one key."""

from __future__ import annotations

from cardlang.ui.terminal.command_parser import execute_line
from cardlang.ui.terminal.session_state import Session
from interpreter.match.match import Match
from tests.game_files import read_game
from tests.terminal.conftest import Sessions, send_keys

GAME = read_game("watchmen")


def reach_others_turn(session: Sessions) -> Session:
    """Return a session after the first of three actions in Bob's turn, each of which Ann could stop."""
    sat = session(GAME)
    sat.bots = {name: Schemer() for name in sat.bots}
    sat.advance()
    sat.hand_over_screen()
    sat.make_move("rest")
    sat.advance()
    return sat


class Schemer:
    """A bot that makes one move whenever it can and stops nobody."""

    def __init__(self, move: str = "scheme") -> None:
        self.move = move

    def choose(self, match: Match) -> int:
        assert match.decision is not None
        texts = match.decision.moves.texts
        return texts.index(self.move if self.move in texts else "pass")


def test_pass_all_passes_until_the_viewers_turn(session: Sessions) -> None:
    sat, seen = reach_others_turn(session), list[str]()
    look = lambda screen: seen.append(screen.text)  # noqa: E731
    send_keys(sat, [look, "x", look])
    assert "x pass" in seen[0] and "x pass" not in seen[1]
    assert [sum(line.startswith(f"{name} chooses") for line in sat.get_log()) for name in ("Bob", "Cat")] == [3, 3]


def test_passed_events_are_reported(session: Sessions) -> None:
    sat = reach_others_turn(session)
    assert sat.pass_reactions() == ""
    sat.advance()
    told = [each.text for each in sat.get_table().since]
    assert sum("Bob chooses" in text for text in told) >= 2 and "Cat chooses “scheme”." in told
    assert sat.report_forced_moves() == []


def test_pass_all_ends_at_another_question(session: Sessions) -> None:
    sat = reach_others_turn(session)
    made = len(sat.match.choices)
    assert execute_line(sat, "pass all").has_moved
    sat.advance()
    ask = sat.get_table().ask
    assert ask is not None and not ask.reacts_to and not sat.passes_reactions and len(sat.match.choices) > made + 6
    sat.make_move("rest")
    assert sat.passing_since is None


def test_pass_all_ends_at_an_action_against_the_viewer(session: Sessions) -> None:
    sat = session(GAME.replace("option scheme\n", "option scheme with victim from your others\n"))
    sat.bots = {"Bob": Schemer("scheme Cat"), "Cat": Schemer("scheme Ann")}
    sat.advance()
    sat.hand_over_screen()
    sat.make_move("rest")
    sat.advance()
    assert sat.pass_reactions() == ""
    sat.advance()
    ask = sat.get_table().ask
    assert ask is not None and "Cat" in ask.question and ask.reacts_to == "you"


def test_pass_all_works_for_reactions_only(session: Sessions) -> None:
    sat = session(GAME)
    sat.advance()
    sat.hand_over_screen()
    assert sat.pass_reactions() and not sat.match.choices


def test_events_stay_after_a_single_pass(session: Sessions) -> None:
    sat = reach_others_turn(session)
    before = [each.text for each in sat.get_table().since]
    sat.make_move("pass")
    sat.advance()
    assert [each.text for each in sat.get_earlier_events()] == before != []
