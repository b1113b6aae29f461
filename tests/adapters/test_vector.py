"""`cardlang.vector`: observations, legal actions and rewards equal those of single matches."""

import os
import subprocess
import sys
from random import Random
from typing import Any

import pytest

import cardlang
from cardlang.adapters import AdapterError
from cardlang.adapters.game_encoding import table
from interpreter.match.match import Match
from interpreter.narration.decision_text import format_moves
from interpreter.runtime.errors import RuleError
from tests.docs.documents import blocks
from tests.native.following import QUICK, needs_either
from tests.shipped import Cast, casts, load

numpy = pytest.importorskip("numpy", reason="numpy is not installed: pip install 'cardlang[ai]'")

from cardlang.adapters.game_encoding import ObservationEncoder  # noqa: E402
from cardlang.adapters.match_batch import MatchBatch  # noqa: E402
from cardlang.adapters.vector_env import VectorEnv  # noqa: E402
from tests.game_files import read_game  # noqa: E402

LARGEST = 6
"""Numbers above it are not offered, in games that would offer any."""
ENGINES = {"native": QUICK, "python": ()}
CASTS = [next(cast for cast in casts() if cast.game == name) for name in cardlang.shipped()]
both = pytest.mark.parametrize("engine", [pytest.param("native", marks=needs_either), "python"])


def settings(name: str, players: int) -> dict[str, int]:
    try:
        table(load(name), players)
    except AdapterError:
        return {"largest_number": LARGEST}
    return {}


def make_vector_env(cast: Cast, n: int, seed: int, engine: str, longest: int = 10_000) -> VectorEnv:
    made = table(load(cast.game), cast.players, **settings(cast.game, cast.players))
    env = VectorEnv(MatchBatch(made, n, longest, ENGINES[engine]), seed)
    assert env.engine == engine
    return env


class Beside:
    """A match that is played beside one of an environment's, by itself."""

    def __init__(self, env: VectorEnv, seed: int) -> None:
        self.table, self.env = env.batch.table, env
        self.features = ObservationEncoder(self.table.names)
        self.begin(seed)

    def begin(self, seed: int) -> None:
        self.seed = seed
        self.match: Match = self.table.names.game.start(len(self.env.players), seed)  # type: ignore[assignment]
        if self.match.over:
            self.begin(seed + self.env.num_envs)

    @property
    def codes(self) -> dict[int, int]:
        """Return the codes of the legal moves by their numbers."""
        state = self.match.state
        return self.table.numbering.map_actions_to_codes(
            self.table.names, state, format_moves(self.table.names, state, state.legal)
        )

    def is_shown(self, at: int, seen: Any, infos: dict[str, Any]) -> None:
        decision = self.match.decision
        assert decision is not None and infos["player"][at] == decision.seat
        assert (
            seen[at].tolist() == numpy.array(self.features.encode_view(self.match.view(decision.player)), "f4").tolist()
        )
        assert numpy.flatnonzero(infos["action_mask"][at]).tolist() == sorted(self.codes)

    def take(self, number: int) -> tuple[list[float], bool]:
        """Make a move, and restart after the last one. Return the reward, and whether the match ended."""
        self.match.choose(self.match.state.legal.index(self.codes[number]))
        if not self.match.over:
            return [0.0] * len(self.match.players), False
        gained = self.table.compute_gains(self.match.state)
        self.begin(self.seed + self.env.num_envs)
        return gained, True


def follow(env: VectorEnv, seed: int, steps: int) -> int:
    """Play random moves in the vector environment and in single matches. Return the number of finished matches."""
    draw, ended = Random(seed), 0
    beside = [Beside(env, seed + each) for each in range(env.num_envs)]
    seen, infos = env.reset()
    for _ in range(steps):
        for at, match in enumerate(beside):
            match.is_shown(at, seen, infos)
        numbers = [draw.choice(numpy.flatnonzero(row).tolist()) for row in infos["action_mask"]]
        seen, rewards, ends, cuts, infos = env.step(numpy.array(numbers))
        assert not cuts.any()
        for at, match in enumerate(beside):
            gained, over = match.take(numbers[at])
            assert (rewards[at].tolist(), ends[at]) == (pytest.approx(gained), over)
            ended += over
    return ended


@pytest.mark.slow
@needs_either
@pytest.mark.parametrize("cast", CASTS, ids=str)
def test_vector_rows_equal_single_matches(cast: Cast) -> None:
    follow(make_vector_env(cast, 2, 5, "native"), 5, 40)


@pytest.mark.slow
@both
@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "black_hole"])
def test_vector_restarts_finished_matches(name: str, engine: str) -> None:
    cast = next(cast for cast in CASTS if cast.game == name)
    assert follow(make_vector_env(cast, 3, 7, engine), 7, 120) > 8


@pytest.mark.slow
@needs_either
@pytest.mark.parametrize("name", ["tall_card", "go_fish", "texas_holdem"])
def test_vector_engines_agree(name: str) -> None:
    cast = next(cast for cast in CASTS if cast.game == name)
    one, other = (make_vector_env(cast, 4, 3, engine, longest=90) for engine in ENGINES)
    one.reset(), other.reset()
    for _ in range(200):
        actions = one.random_actions()
        here, there = one.step(actions), other.step(actions)
        assert all((mine == its).all() for mine, its in zip(here[:4], there[:4], strict=True))
        assert all((here[4][key] == there[4][key]).all() for key in here[4])


def test_vector_observations_hide_unknown_cards() -> None:
    """What a player does not know is dealt anew: the same numbers, and the same moves."""
    for name, players in (("hearts", 4), ("go_fish", 3), ("tall_tales", 4), ("fireworks", 3)):
        made = table(load(name), players)
        features, names = ObservationEncoder(made.names), made.names
        match, draw = names.game.start(players, 2), Random(1)
        assert isinstance(match, Match)
        for step in range(60):
            if match.decision is None:
                break
            state = match.state
            other = match.sample(match.decision.player, step).state
            assert features.encode_state(other) == features.encode_state(state)
            numbers = [
                made.numbering.map_actions_to_codes(names, each, format_moves(names, each, each.legal))
                for each in (state, other)
            ]
            assert list(numbers[0]) == list(numbers[1])
            match.choose(draw.randrange(len(match.decision.moves)))


def test_colliding_moves_get_distinct_actions() -> None:
    """Cards that look alike to whoever plays them, but lie in different zones of others, get numbers of their own."""
    env = make_vector_env(
        next(cast for cast in CASTS if cast.game == "tail_story"), 30, 1, "native" if QUICK else "python"
    )
    env.reset()
    for _ in range(60):
        _, _, _, _, infos = env.step(env.random_actions())
        for at, known in env.batch.codes_by_action.items():
            assert numpy.flatnonzero(infos["action_mask"][at]).tolist() == sorted(known)


# ---------------------------------------------------------------- how it is used
@both
def test_vector_seeds_are_consecutive(engine: str) -> None:
    one, other = (make_vector_env(Cast("leduc_poker", 2), 4, seed, engine) for seed in (10, 12))
    seen, _ = one.reset()
    assert (other.reset()[0][:2] == seen[2:]).all()
    assert (one.reset(seed=12)[0] == other.reset(seed=12)[0]).all()
    before = one.batch.seeds.max()
    one.reset()
    assert one.batch.seeds.min() > before


@both
def test_vector_truncates_long_matches(engine: str) -> None:
    env = make_vector_env(Cast("hearts", 4), 2, 1, engine, longest=5)
    env.reset()
    for step in range(1, 16):
        _, rewards, ends, cuts, _ = env.step(env.random_actions())
        assert cuts.all() == (step % 5 == 0) and cuts.any() == cuts.all() and not ends.any() and not rewards.any()
    assert env.batch.seeds.tolist() == [7, 8]


@both
def test_illegal_action_changes_nothing(engine: str) -> None:
    env = make_vector_env(Cast("leduc_poker", 2), 3, 1, engine)
    seen, infos = env.reset()
    before, actions = seen.copy(), env.random_actions()
    for forged in (-1, env.num_actions, 1 << 40, int(numpy.flatnonzero(infos["action_mask"][1] == 0)[0])):
        wrong = actions.copy()
        wrong[1] = forged
        with pytest.raises(ValueError, match=rf"Action {forged} is illegal for \w+ in match 1"):
            env.step(wrong)
        assert (env.batch.observations == before).all() and not env.batch.move_counts.any()
    env.step(actions)


def test_invalid_actions_are_rejected() -> None:
    env = make_vector_env(Cast("leduc_poker", 2), 3, 1, "python")
    with pytest.raises(ValueError, match="Call reset first"):
        env.step([0, 0, 0])
    env.reset()
    for given in ([0, 0], 0, [[0, 0, 0]], []):
        with pytest.raises(ValueError, match=r"Actions must have the shape \(3,\)"):
            env.step(given)
    for strange in ([0.0, 0.0, 0.0], ["a", "b", "c"], [None, None, None], [True, True, True]):
        with pytest.raises(TypeError, match="whole numbers"):
            env.step(strange)


def test_closing_twice_is_allowed() -> None:
    with cardlang.vector("hearts", 1, 4, engine="python") as env:
        env.reset()
    env.close()
    for call in (env.reset, env.random_actions, lambda: env.step([0])):
        with pytest.raises(ValueError, match="closed"):
            call()


@pytest.mark.parametrize(
    ("given", "error", "told"),
    [
        ({"n": 0}, ValueError, "at least 1, not 0"),
        ({"n": -3}, ValueError, "at least 1, not -3"),
        ({"n": 10**12}, ValueError, r"1,000,000,000,000 matches of Hearts need about [\d,.]+ GB. There is memory for"),
        ({"n": 2.5}, TypeError, "whole number, not 2.5"),
        ({"n": True}, TypeError, "whole number"),
        ({"seed": -1}, ValueError, "A seed must be from 0"),
        ({"seed": 1 << 63}, ValueError, "A seed must be from 0"),
        ({"seed": "x"}, TypeError, "A seed must be a whole number, not 'x'"),
        ({"players": 9}, ValueError, "Hearts is for 4 players, not 9"),
        ({"longest": 0}, ValueError, "longest must be at least 1"),
        ({"engine": "fast"}, ValueError, "no engine `fast`"),
        ({"results": "luck"}, ValueError, "no results `luck`"),
        ({"game": "kuhn_poker", "players": 2}, ValueError, "largest_number"),
    ],
)
def test_invalid_vector_arguments_are_rejected(given: dict[str, Any], error: type[Exception], told: str) -> None:
    arguments: dict[str, Any] = {"game": "hearts", "n": 2, "players": 4, "engine": "python"} | given
    with pytest.raises(error, match=told):
        cardlang.vector(**arguments)


FAULTY = read_game("a_rule_at_fault")
MANY = read_game("sometimes_many_moves")
IDLE = 'game "Nobody decides" for 2 players\nnumber your score\nstep play\n  each player\n    add 1 to your score\n'


@both
def test_vector_reports_rule_errors(engine: str) -> None:
    rows = MatchBatch(table(cardlang.loads(FAULTY)), 2, 100, ENGINES[engine])
    env = VectorEnv(rows, 1)
    _, infos = env.reset()
    last = int(numpy.flatnonzero(infos["action_mask"][0])[-1])
    with pytest.raises(RuleError):
        for _ in range(5):
            env.step([last, last])


@pytest.mark.slow
@needs_either
def test_overflowing_matches_fall_back_to_python() -> None:
    env = VectorEnv(MatchBatch(table(cardlang.loads(MANY)), 4, 100, QUICK), 1)
    assert env.engine == "native"
    aside, step = set[int](), env.step
    env.step = lambda actions: (step(actions), aside.update(env.batch.states))[0]  # type: ignore[method-assign]
    assert follow(env, 1, 80) > 20
    assert aside and not set(range(4)) <= set(env.batch.states)


@both
def test_game_without_decisions_is_rejected(engine: str) -> None:
    env = VectorEnv(MatchBatch(table(cardlang.loads(IDLE)), 2, 100, ENGINES[engine]), 1)
    with pytest.raises(AdapterError, match="has no decisions"):
        env.reset()


def test_missing_numpy_is_reported() -> None:
    code = "import sys; sys.modules['numpy'] = None; import cardlang; cardlang.vector('hearts', 1)"
    surroundings = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=surroundings)
    assert f"{sys.executable} -m pip install 'numpy>=" in done.stderr.strip().splitlines()[-1]


@pytest.mark.slow
def test_documented_policy_learns() -> None:
    """Even before, as both move at random; what the best answer gains, 2.37, comes from the solved game."""
    [page] = [block.text for block in blocks("docs/training.md") if block.language == "python"]
    space: dict[str, Any] = {"__name__": "training"}
    exec(page, space)
    assert abs(space["before"]) < 0.4 and 1.5 < space["after"] < 2.374
