"""Bots and other automatic players."""

from pathlib import Path
from statistics import mean, stdev

import pytest

import cardlang
from cardlang.cli import match_options
from interpreter.bots.bot_players import BOT_NAMES, Player, PlayoutPlayer, RandomPlayer, make_bot
from interpreter.bots.hints import find_hint
from interpreter.bots.playout_results import compute_lead_over_mean, get_player_levels
from interpreter.runtime.errors import MoveError
from tests.game_files import read_game
from tests.match.conftest import load

GUESS = read_game("guess")


def test_random_players_with_equal_seeds_make_equal_moves() -> None:
    logs = []
    for _ in range(2):
        match, player = load("kuhn_poker").start(2, 5), RandomPlayer(8)
        while not match.over:
            match.choose(player.choose(match))
        logs.append(list(match.log))
    assert logs[0] == logs[1]


def test_playout_player_finds_the_best_number() -> None:
    match, player = cardlang.loads(GUESS).start(2, 1), PlayoutPlayer(3, playouts=30)
    match.choose(player.choose(match))
    match.choose(player.choose(match))
    assert match.scores[0] in (8, 9)
    assert match.scores[1] in (8, 9)
    assert match.scores[1] is not None


def test_playout_player_leaves_the_match_unchanged() -> None:
    match = load("hearts").start(4, 2)
    before = match.clone()
    move = PlayoutPlayer(1, playouts=1, horizon=20).choose(match)
    assert 0 <= move < 11
    assert match == before


class Ticking:
    """Clock that advances by a fixed number of seconds at each reading."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.now, self.looks = seconds, 0.0, 0

    def __call__(self) -> float:
        self.looks += 1
        self.now += self.seconds
        return self.now


@pytest.mark.parametrize(("name", "players"), [("contract_bridge", 4), ("tail_story", 2), ("gin_rummy", 2)])
def test_playout_player_keeps_its_time_limit(name: str, players: int) -> None:
    """It looks at the clock within trial games: when time is up, of the moves not tried yet each is only made."""
    match, clock = load(name).start(players, 3), Ticking(0.01)
    assert match.decision is not None
    PlayoutPlayer(1, None, seconds=0.5, clock=clock).choose(match)
    assert 50 <= clock.looks <= 55 + 3 * len(match.decision.moves)


def test_a_bot_without_time_still_moves() -> None:
    match = load("hearts").start(4, 3)
    assert 0 <= PlayoutPlayer(1, None, seconds=0.0, clock=Ticking(1)).choose(match) < 13


def test_a_bot_without_any_limit_is_refused() -> None:
    with pytest.raises(ValueError, match="playouts or a time"):
        PlayoutPlayer(1, None)


@pytest.mark.parametrize("playouts", [0, -5])
def test_playout_player_rejects_zero_playouts(playouts: int) -> None:
    with pytest.raises(ValueError, match=f"at least one playout for each move, not {playouts}"):
        PlayoutPlayer(1, playouts)


def test_bot_names_match_options_and_docs() -> None:
    assert set(match_options.BOT_KINDS) == set(BOT_NAMES)
    table = Path("docs/commands/play.md").read_text(encoding="utf-8")
    assert [name for name in BOT_NAMES if f"\n| `{name}` | " not in table] == []


@pytest.mark.parametrize("name", BOT_NAMES)
def test_bots_with_playout_counts_are_deterministic(name: str) -> None:
    moves = []
    for _ in range(2):
        match, bot = load("kuhn_poker").start(2, 5), make_bot(name, 4)
        while not match.over:
            match.choose(bot.choose(match))
        moves.append(match.choices)
    assert moves[0] == moves[1]


def test_hint_gives_a_reason() -> None:
    """With 9 the largest number is named: nobody can be ahead of it."""
    match = cardlang.loads(GUESS).start(2, 1)
    match.choose("5")
    told = find_hint(match, match.players[1], seconds=None, playouts=10)
    assert (told.move, told.games) == ("9", sum(move.games for move in told.moves))
    assert told.moves[0].lead == 4
    assert told.moves[0].first_share == 1
    assert told.reasons.endswith(
        "Instead: 8 · about 1.0 point worse; 7 · about 2.0 points worse."
    )  # these win as surely
    with pytest.raises(MoveError, match="nothing to decide"):
        find_hint(match, match.players[0], seconds=None, playouts=1)


BEST_TWO = read_game("best_two")


def test_hint_for_a_set_names_every_card() -> None:
    """Of 1 to 5 the best two are 4 and 5, wherever they lie."""
    match = cardlang.loads(BEST_TWO).start(1, 3)
    told = find_hint(match, "Ann", seconds=None, playouts=4)
    by_ref = {card.ref: card.code for card in match.table("Ann").places[0].piles[0].cards}
    assert sorted(str(by_ref[ref]) for ref in told.refs) == ["4", "5"]
    assert told.full_text.startswith("Play [4] and [5].")
    assert "Instead: Play [3] and [5] · worse" in told.reasons
    match.confirm("Ann", told.refs)
    assert match.over


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "players", "matches", "decisions"),
    [("hearts", 4, 24, 210), ("cribbage", 2, 8, 90), ("tall_card", 3, 80, 100)],
)
def test_a_bot_beats_random_players(name: str, players: int, matches: int, decisions: int) -> None:
    """By its lead after so many decisions: 0 lies below the whole interval of 95 %."""
    leads = []
    for seed in range(matches):
        match, own = load(name).start(players, seed), seed % players
        bots: list[Player] = [RandomPlayer(seed * 10 + seat) for seat in range(players)]
        bots[own] = PlayoutPlayer(seed, 2, horizon=60)
        while match.decision is not None and len(match.choices) < decisions:
            match.choose(bots[match.decision.seat].choose(match))
        leads.append(compute_lead_over_mean(get_player_levels(match.program, match.state), own))
    assert mean(leads) - 1.96 * stdev(leads) / matches**0.5 > 0


def test_picks_of_a_set_share_the_time_limit() -> None:
    """Three of 13 cards make 286 sets, too many to compare: each pick gets a part of the time that is left."""
    now, asked = [0.0], list[float]()
    bot, match = PlayoutPlayer(1, None, seconds=0.3, clock=lambda: now[0]), load("hearts").start(4, 2)
    for _ in range(3):
        asked.append(bot.get_move_budget(match).seconds or 0.0)
        now[0] += asked[-1]
        match.choose(0)
    assert 0 < sum(asked) <= 0.3 and all(asked)
