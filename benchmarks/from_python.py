"""Speed of matches driven from Python: single matches by decision, and batches."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import numpy

import cardlang
from benchmarks.measuring import Rate, in_turn, rate_of
from interpreter.native.match_extension_module import build_native_match_class

ONE = (
    ("kuhn_poker", 2, "kuhn_poker"), ("leduc_poker", 2, "leduc_poker"), ("hearts", 4, "hearts"),
    ("crazy_eights", 3, "crazy_eights(players=3)"), ("go_fish", 3, "go_fish(players=3)"),
)  # fmt: skip
MANY = (("leduc_poker", 2, "leduc_poker", {"largest_number": 4}), ("hearts", 4, "hearts", {}))
SIDE_BY_SIDE = 64

TEXT = """\
## From Python, compared with OpenSpiel

Millions of decisions a second, one match at a time. Each step lists the legal moves and plays one. cardlang uses an
extension module compiled for each game.

| game, players | cardlang | OpenSpiel | ratio | minimum | stretch | met |
|---|---|---|---|---|---|---|
{one}

Millions of decisions a second, {count} matches in parallel: `cardlang.vector` and OpenSpiel's `SyncVectorEnv`. Each
step returns observations as numbers, and a mask of legal actions. Only `step` is timed. cardlang's observations include
all piles and counters; OpenSpiel's include what its authors selected.

| game, players | cardlang | OpenSpiel | ratio | minimum | stretch | met |
|---|---|---|---|---|---|---|
{many}
"""


def ours(name: str, players: int) -> Rate:
    door, draw, seed = build_native_match_class(cardlang.load(name), players)(), random.Random(1).random, 0

    def work(matches: int) -> int:
        nonlocal seed
        decisions = 0
        for _ in range(matches):
            seed += 1
            door.start(seed)
            while door.who >= 0:
                door.choose(int(draw() * len(door.legal())))
                decisions += 1
        return decisions

    return rate_of(work)


def theirs(name: str) -> Rate:
    import pyspiel

    game, draw = pyspiel.load_game(name), random.Random(1).random

    def by_chance(state: Any) -> None:
        left, outcomes = draw(), state.chance_outcomes()
        for action, chance in outcomes:
            left -= chance
            if left < 0:
                state.apply_action(action)
                return
        state.apply_action(outcomes[-1][0])

    def work(matches: int) -> int:
        decisions = 0
        for _ in range(matches):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    by_chance(state)
                    continue
                legal = state.legal_actions()
                state.apply_action(legal[int(draw() * len(legal))])
                decisions += 1
        return decisions

    return rate_of(work)


def steps_a_second(count: int, choose: Callable[[], Any], step: Callable[[Any], None]) -> Rate:
    """Return a rate of which only the steps are timed. The number of steps adapts to the speed."""

    def timed(steps: int) -> float:
        seconds = 0.0
        for _ in range(steps):
            actions = choose()
            begun = time.process_time()
            step(actions)
            seconds += time.process_time() - begun
        return seconds

    steps = 1
    while timed(steps) < 0.1:
        steps *= 2
    return lambda: count * steps / timed(steps)


def our_many(name: str, players: int, settings: dict[str, int]) -> Rate:
    env = cardlang.vector(name, SIDE_BY_SIDE, players, **settings)
    env.reset()
    return steps_a_second(SIDE_BY_SIDE, env.random_actions, lambda actions: env.step(actions))  # type: ignore[arg-type, func-returns-value]


def their_many(name: str) -> Rate:
    from open_spiel.python import rl_environment
    from open_spiel.python.vector_env import SyncVectorEnv

    env = SyncVectorEnv([rl_environment.Environment(name) for _ in range(SIDE_BY_SIDE)])
    draw, held = random.Random(1), [env.reset()]

    def choose() -> list[Any]:
        seats = [each.observations["current_player"] for each in held[0]]
        legal = [each.observations["legal_actions"][seat] for each, seat in zip(held[0], seats, strict=True)]
        return [rl_agent_output(draw.choice(moves)) for moves in legal]

    def step(actions: list[Any]) -> None:
        held[0] = env.step(actions, reset_if_done=True)[0]

    return steps_a_second(SIDE_BY_SIDE, choose, step)


def rl_agent_output(action: int) -> Any:
    from open_spiel.python.rl_agent import StepOutput

    return StepOutput(action=action, probs=numpy.ones(1))


def section() -> str:
    one, many = [], []
    for name, players, other in ONE:
        ratio = in_turn(ours(name, players), theirs(other))
        title = cardlang.load(name).title
        one.append(f"| {title}, {players} | {ratio.told()} | 1.8 | 4 | {ratio.met(1.8, 4)} |")
        print(one[-1], flush=True)
    for name, players, other, settings in MANY:
        ratio = in_turn(our_many(name, players, settings), their_many(other))
        title = cardlang.load(name).title
        many.append(f"| {title}, {players} | {ratio.told()} | 10 | 10 | {ratio.met(10, 10)} |")
        print(many[-1], flush=True)
    return TEXT.format(one="\n".join(one), many="\n".join(many), count=SIDE_BY_SIDE)


if __name__ == "__main__":
    section()
