"""Every bundled game as a PettingZoo environment."""

import warnings
from typing import Any

import pytest

from cardlang.adapters import AdapterError
from tests.shipped import Cast, load, one_cast_each

testing = pytest.importorskip(
    "pettingzoo.test", reason="PettingZoo is not installed: pip install 'cardlang[pettingzoo]'"
)
pettingzoo = pytest.importorskip("cardlang.adapters.pettingzoo")
LARGEST = 200
"""Where games that offer numbers without limit are cut off."""


def make_environment(cast: Cast) -> Any:
    return pettingzoo.env(load(cast.game, cast.variant), players=cast.players, largest_number=LARGEST)


@pytest.mark.slow
@pytest.mark.parametrize("cast", one_cast_each(), ids=str)
def test_pettingzoo_standard_tests_pass(cast: Cast, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        testing.api_test(make_environment(cast), num_cycles=30)
        testing.seed_test(lambda: make_environment(cast), num_cycles=10)
    assert "Passed" in capsys.readouterr().out


def play_first_moves(env: Any, decisions: int) -> list[dict[str, Any]]:
    """Return the observations while the first legal move is made repeatedly."""
    seen = []
    for _ in range(decisions):
        observed, _, ended, cut, _ = env.last()
        if ended or cut:
            break
        seen.append(observed)
        env.step(int(observed["action_mask"].argmax()))
    return seen


def test_action_mask_equals_legal_moves() -> None:
    env = pettingzoo.env("hearts", players=4)
    env.reset(seed=3)
    for observed in play_first_moves(env, 30):
        assert observed["action_mask"].sum() >= 1
    assert env.observe(env.agent_selection)["action_mask"].sum() == len(env.match.decision.moves)
    waiting = next(agent for agent in env.agents if agent != env.agent_selection)
    assert env.observe(waiting)["action_mask"].sum() == 0


def test_observations_hide_unknown_cards() -> None:
    """Cards hidden from Ann are dealt anew: her observation stays the same."""
    env = pettingzoo.env("crazy_eights", players=3)
    env.reset(seed=5)
    before = env.observe("Ann")["observation"].tolist()
    env.match = env.match.sample("Ann", 1)
    assert env.observe("Ann")["observation"].tolist() == before
    assert env.observe("Bob")["observation"].tolist() != before


def test_rewards_arrive_at_the_end() -> None:
    env = pettingzoo.env("kuhn_poker", largest_number=2)
    env.reset(seed=1)
    play_first_moves(env, 10)
    assert env.match.over and all(env.terminations.values())
    assert sum(env.rewards.values()) == 0 and any(env.rewards.values())
    assert env.rewards == {name: float(score - 2) for name, score in zip(env.agents, env.match.scores, strict=True)}


def test_long_match_is_truncated() -> None:
    env = pettingzoo.env("hearts", players=4, longest=5)
    env.reset(seed=1)
    assert len(play_first_moves(env, 10)) == 5 and all(env.truncations.values())


def test_pettingzoo_errors_are_clear() -> None:
    env = pettingzoo.env("hearts", players=4)
    env.reset(seed=1)
    shut = int(env.observe(env.agent_selection)["action_mask"].argmin())
    with pytest.raises(ValueError, match=f"{shut} is illegal for Ann"):
        env.step(shut)
    with pytest.raises(AdapterError, match="cannot be represented"):
        pettingzoo.env("texas_holdem")
    with pytest.raises(AdapterError, match="longest must be at least 1"):
        pettingzoo.env("hearts", longest=0)
