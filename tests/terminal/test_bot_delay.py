"""A bot's delay reveals nothing about its decision."""

from __future__ import annotations

import pytest

from interpreter.bots.bot_players import BOT_NAMES, SEARCH_BOT_LEVELS
from interpreter.bots.equal_response_time import MAX_PACE, EqualResponseTime, build_equal_response_time
from interpreter.match.match import Match
from tests.terminal.conftest import Sessions

ASKED = {
    "one card or several": "you discard up to 4 from your hand to your pile",
    "nothing but a pass": "you may discard 1 from your hand where value > 9 to your pile",
    "a number": "you choose n from 1 to 9\n    add n to your score",
}
GAME = """\
game "Turns" for 3 players
kind Value: 1 to 9
cards Pack in deck
  3 of each Value
zone deck seen by nobody
zone your hand seen by owner
zone your pile seen by nobody
zone table
number your score
step play
  shuffle deck
  each player
    deal top 5 of deck to your hand
  each player
    {}
  each player
    you play 1 from your hand to table
"""


class Slow:
    """A bot that thinks the longer, the more moves there are."""

    def __init__(self, now: list[float], picks: int) -> None:
        self.now, self.picks = now, picks

    def choose(self, match: Match) -> int:
        assert match.decision is not None
        moves = match.decision.moves.texts
        self.now[0] += 0.01 * (len(moves) - 1)
        return moves.index("done") if len(match.state.picks) == self.picks and "done" in moves else 0


@pytest.mark.parametrize("picks", [0, 1, 4])
@pytest.mark.parametrize("asked", ASKED.values(), ids=list(ASKED))
def test_bot_decisions_take_equal_time(session: Sessions, asked: str, picks: int) -> None:
    sat, now, waits = session(GAME.format(asked), 3, people=0), [50.0], list[float]()

    def wait(seconds: float) -> None:
        now[0] += seconds
        if not sat.match.state.picks:
            waits.append(now[0])

    sat.bots = dict.fromkeys(sat.match.players, Slow(now, picks))
    sat.pace = EqualResponseTime(0.5, lambda: now[0])
    sat.advance(wait)
    assert sat.match.over and waits == pytest.approx([50.5 + 0.5 * count for count in range(6)])


def test_bots_keep_the_pace_of_the_slowest() -> None:
    """Also of one that needs longer than it should, but not without end."""
    assert build_equal_response_time(BOT_NAMES, 0.7).min_seconds > max(
        level.seconds or 0 for level in SEARCH_BOT_LEVELS.values()
    )
    assert (
        build_equal_response_time(["random"], 0.7).min_seconds == 0.7
        and build_equal_response_time(["steady"], 0.0).min_seconds > 0.3
    )
    now = [0.0]
    pace = EqualResponseTime(0.5, lambda: now[0])
    for taken, least in ((0.1, 0.5), (2.0, 2.0), (0.1, 2.0), (60.0, MAX_PACE), (0.0, MAX_PACE)):
        begun, now[0] = now[0], now[0] + taken
        assert pace.get_remaining_seconds(begun) == pytest.approx(max(0.0, least - taken)) and pace.min_seconds == least
