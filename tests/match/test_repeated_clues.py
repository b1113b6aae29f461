"""In cooperative games, bots don't repeat a clue."""

import pytest

from interpreter.bots.bot_players import PlayoutPlayer
from interpreter.match.match import Match
from interpreter.native.background_engine_builds import EngineProvider, wait_for_engine
from tests.native.following import needs_either
from tests.shipped import Cast

ENGINES = [None, pytest.param(wait_for_engine, marks=needs_either)]


@pytest.mark.parametrize("engines", ENGINES, ids=["python", "native"])
def test_bot_does_not_repeat_a_clue(engines: EngineProvider | None) -> None:
    """Bob and Cat have each got a clue. No card has moved since."""
    match = Cast("fireworks", 3).start(2)
    told = "colour-hint Bob Red"
    assert told in list_tried_moves(match, engines)
    match.choose(told)
    match.choose("colour-hint Cat Green")
    assert told not in list_tried_moves(match, engines)
    assert "colour-hint Bob White" in list_tried_moves(match, engines)


def list_tried_moves(match: Match, engines: EngineProvider | None) -> set[str]:
    assert match.decision is not None
    search = PlayoutPlayer(1, 1, engines=engines).build_search(match)
    return {match.decision.moves.texts[move.index] for move in search.tried}
