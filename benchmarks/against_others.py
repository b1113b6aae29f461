"""Speed of matches with random moves, compared with Python libraries for poker and card games."""

from __future__ import annotations

import random
from typing import Any

import cardlang
from benchmarks.measuring import Rate, in_turn, rate_of
from interpreter.native.engine import build_engine

MINIMUM, STRETCH, CAP = 50, 200, 10_000
TEXT = """\
## Whole matches, compared with PokerKit and RLCard

Thousands of decisions a second.

| game, players; other side | cardlang | other side | ratio | minimum | stretch | met |
|---|---|---|---|---|---|---|
{rows}

All legal moves are equally likely, and so are all legal amounts. In no-limit Hold'em, RLCard allows five bet sizes;
PokerKit allows any.
"""


def ours(name: str, players: int) -> Rate:
    engine, seed = build_engine(cardlang.load(name), players), 1

    def work(matches: int) -> int:
        nonlocal seed
        seed += matches
        return sum(engine.play_matches(seed, matches, CAP)[:: 3 + players])

    return rate_of(work)


def pokerkit() -> Rate:
    from pokerkit import Automation, NoLimitTexasHoldem

    draw = random.Random(1)
    alone = tuple(each for each in Automation)

    def hand() -> int:
        state: Any = NoLimitTexasHoldem.create_state(alone, True, 0, (1, 2), 2, (100, 100), 2)
        decisions = 0
        while state.status:
            moves = ["check_or_call"] * state.can_check_or_call() + ["fold"] * state.can_fold()
            moves += ["raise"] * state.can_complete_bet_or_raise_to()
            move = draw.choice(moves)
            if move == "raise":
                low, high = (
                    state.min_completion_betting_or_raising_to_amount,
                    state.max_completion_betting_or_raising_to_amount,
                )
                state.complete_bet_or_raise_to(draw.randint(low, high))
            else:
                state.fold() if move == "fold" else state.check_or_call()
            decisions += 1
        return decisions

    return rate_of(lambda hands: sum(hand() for _ in range(hands)))


def rlcard(name: str) -> Rate:
    import rlcard as library

    env, draw = library.make(name, config={"seed": 1}), random.Random(1)

    def work(matches: int) -> int:
        decisions = 0
        for _ in range(matches):
            state, _ = env.reset()
            while not env.is_over():
                state, _ = env.step(draw.choice(list(state["legal_actions"])))
                decisions += 1
        return decisions

    return rate_of(work)


def section() -> str:
    sides = (
        ("texas_holdem", "PokerKit", pokerkit), ("texas_holdem", "RLCard", lambda: rlcard("no-limit-holdem")),
        ("leduc_poker", "RLCard", lambda: rlcard("leduc-holdem")),
    )  # fmt: skip
    rows = []
    for name, other, make in sides:
        ratio = in_turn(ours(name, 2), make())
        met = ratio.met(MINIMUM, STRETCH)
        title = cardlang.load(name).title
        rows.append(f"| {title}, 2; {other} | {ratio.told(1e3)} | {MINIMUM} | {STRETCH} | {met} |")
        print(rows[-1], flush=True)
    return TEXT.format(rows="\n".join(rows))


if __name__ == "__main__":
    section()
