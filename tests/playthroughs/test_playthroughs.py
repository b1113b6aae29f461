"""Recorded playthroughs: the same players act, and their moves lead to the same end."""

import pytest

from tests.playthroughs.files import FOLDER, LONGEST, path, read, scores, winners
from tests.shipped import Cast, casts, load


def test_every_game_has_playthroughs() -> None:
    assert {file.name for file in FOLDER.glob("*.txt")} == {path(cast).name for cast in casts()}


@pytest.mark.slow
@pytest.mark.parametrize("cast", casts(), ids=str)
def test_playthroughs_replay(cast: Cast) -> None:
    play = read(path(cast).read_text(encoding="utf-8"))
    assert play.cast == cast
    match = load(cast.game, cast.variant).start(list(play.names), play.seed)
    for number, (name, move) in enumerate(play.moves, 1):
        decision = match.decision
        assert decision is not None, f"The match is over before decision {number}."
        assert (number, decision.player) == (number, name)
        assert move in decision.moves.texts, f"Decision {number}: {name} cannot {move}: {match.why_not(move)}"
        match.choose(move)
    assert match.over or len(play.moves) == LONGEST
    assert (scores(match), winners(match)) == (play.scores, play.winners)
