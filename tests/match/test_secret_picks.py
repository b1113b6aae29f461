"""Other players don't learn the number of picked cards early, or ever if it is secret."""

from random import Random

import pytest

import cardlang
from interpreter.match.match import Match
from interpreter.view.player_view import View
from tests.game_files import read_game

SETS = read_game("sets")
CHOSEN = {
    "hidden cards": "you discard up to 4 from your hand to your pile",
    "cards that are played": "you play up to 4 from your hand to table",
    "values": "you choose 1 to 3 rivals from players\n    add count of rivals to your score",
    "secret values": "you choose 1 to 3 rivals from players\n    each player in rivals\n      set your mark to yes",
    "cards that are chosen": "you choose 1 to 3 chosen from your hand\n    add count of chosen to your score",
}


def pick(match: Match) -> None:
    assert match.decision is not None
    match.choose(next(at for at, text in enumerate(match.decision.moves.texts) if text != "done"))


def list_views(match: Match) -> list[tuple[View, bytes]]:
    """Return the views of all players except the current one."""
    others = [*({*match.players} - {match.decision.player if match.decision else ""}), None]
    return [(match.view(name), match.table(name).json()) for name in sorted(others, key=str)]


@pytest.mark.parametrize("body", CHOSEN.values(), ids=list(CHOSEN))
def test_incomplete_set_is_invisible_to_others(body: str) -> None:
    match = cardlang.loads(SETS.format(body)).start(3, 2)
    assert isinstance(match, Match) and match.decision is not None
    before, undone = list_views(match), match.can_undo("Bob")
    for _ in range(2):
        pick(match)
        assert match.state.picks and list_views(match) == before and match.can_undo("Bob") == undone
    match.choose("done")
    assert match.decision.player == "Bob"


def play_picks(body: str, picks: int, head: str = "each player") -> Match:
    """Return a match after Ann picked a number of cards and the others one each."""
    match = cardlang.loads(SETS.format(body).replace(f"each player\n    {body}", f"{head}\n    {body}", 1)).start(3, 2)
    assert isinstance(match, Match)
    while match.decision is not None and not match.decision.prompt.startswith("Put"):
        most = picks if match.decision.player == "Ann" else 1
        if len(match.state.picks) >= most:
            match.choose("done" if "done" in match.decision.moves.texts else 0)
        else:
            pick(match)
    return match


@pytest.mark.parametrize("head", ["each player", "together each player"])
def test_number_of_secret_picks_is_hidden(head: str) -> None:
    """By no number of a view, no number of its events, and no name of a moment."""
    body = "you choose 1 to 5 levels from Value\n      set your stake to count of levels"
    matches = [play_picks(body, picks, head) for picks in (1, 2, 4)]
    assert len({len(match.choices) for match in matches}) == 3
    for name in ("Bob", "Cat", None):
        first, *rest = [(match.view(name), match.table(name).json()) for match in matches]
        assert all(other == first for other in rest)


def test_events_count_actions_not_picks() -> None:
    matches = [play_picks(CHOSEN["hidden cards"], picks) for picks in (1, 4)]
    for match in matches:
        assert [match.view(name).since for name in match.players] == [1, 2, 3]
        assert max(event.at for event in match.view(None).events) == 3
        match.choose(0)
        assert match.view("Ann").since == 4


def test_samples_hide_the_number_of_picks() -> None:
    """What a bot gets of the match, a sample, tells it nothing more; also one taken amid somebody's choice."""
    samples = [play_picks(CHOSEN["hidden cards"], picks).sample("Bob", 1) for picks in (1, 4)]
    for sample in samples:
        while sample.decision is not None and sample.decision.player != "Cat":
            sample.choose(0)
        assert sample.view("Bob").since == 5 and sample.view("Bob").events[-1].at == 5
    amid = play_picks(CHOSEN["hidden cards"], 1).origin
    match = Match(amid.names, amid, amid.build_first_state())
    counts = []
    for _ in range(3):
        counts.append(match.sample("Bob", 1).view("Bob").since)
        pick(match)
    assert counts == [0, 0, 0]


def test_chooser_sees_each_secret_pick_in_the_log() -> None:
    """Nothing that was held back is lost: in the end the chooser and the referee have a line for each value."""
    for seed in range(5):
        match, chance = cardlang.loads(SETS.format(CHOSEN["values"])).start(3, seed), Random(seed)
        assert isinstance(match, Match)
        picked = 0
        while match.decision is not None and match.decision.player == "Ann":
            at = chance.randrange(len(match.decision.moves))
            picked += match.decision.moves.texts[at] != "done"
            match.choose(at)
        for name in ("Ann", "Bob", None):
            assert sum(line.startswith("Ann chooses") for line in match.view(name).log) == picked
        assert sum(line.startswith("Ann chooses") for line in match.log) == picked
