"""Five-card poker hands: the ranking of a game as machine code, beside libraries that are made for nothing else; and a
hand with a wild card."""

from __future__ import annotations

import ctypes
from typing import Any

import cardlang
from benchmarks.measuring import Rate, figure, in_turn, rate_of
from interpreter.compiler import compile_game
from tests.native.hands import Hands, Table

COUNT = 2000
PROMISED, GOAL = 0.5, 1
TEXT = """\
## Hands read, thousands a second

Poker hands of five cards by the ranking of Texas Hold'em, beside phevaluator and treys.

| how | cardlang | the other | ratio | promised | goal | reached |
|---|---|---|---|---|---|---|
{rows}

A hand of Tall Card with a wild card takes {wild} µs on average, of {count} hands drawn by chance (promised: 0.3).
"""


def one_by_one(hands: Hands) -> Rate:
    call, engine, size = hands.engine.call["native_read_hands"], hands.engine, hands.size
    work, state, start = engine.work.at, engine.state.at, ctypes.addressof(hands.cards)
    places = [start + 8 * size * number for number in range(hands.count)]

    def read(rounds: int) -> int:
        for _ in range(rounds):
            for place in places:
                call(work, state, hands.pile, place, size, 1, hands.rows)
        return rounds * hands.count

    return rate_of(read)


def together(hands: Hands) -> Rate:
    def read(rounds: int) -> int:
        for _ in range(rounds):
            hands.compiled()
        return rounds * hands.count

    return rate_of(read)


def called(evaluate: Any, hands: list[Any]) -> Rate:
    def read(rounds: int) -> int:
        for _ in range(rounds):
            for hand in hands:
                evaluate(hand)
        return rounds * len(hands)

    return rate_of(read)


def phevaluator(codes: list[list[str]]) -> Rate:
    from phevaluator import Card, evaluate_cards

    hands = [[Card.to_id(code) for code in hand] for hand in codes]
    return called(lambda hand: evaluate_cards(*hand), hands)


def treys(codes: list[list[str]]) -> Rate:
    from treys import Card, Evaluator

    evaluator = Evaluator()
    hands = [[Card.new(code) for code in hand] for hand in codes]
    return called(lambda hand: evaluator.evaluate([], hand), hands)


def section() -> str:
    program = compile_game(cardlang.load("texas_holdem"), 2)
    hands = Hands(program, Table("board", "2c", None), 5, COUNT)
    hands.engine.call["native_set_pile"](
        hands.engine.work.at, hands.engine.state.at, program.zone_base["board"], None, 0
    )
    codes = [[face(program, card) for card in hand] for hand in hands.hands]
    rows = []
    for how, ours in (("a call a hand", one_by_one), ("in batches", together)):
        for name, theirs in (("phevaluator", phevaluator), ("treys", treys)):
            ratio = in_turn(ours(hands), theirs(codes))
            rows.append(
                f"| {how}; {name} | {ratio.told(1e3)} | {PROMISED} | {GOAL} | {ratio.reached(PROMISED, GOAL)} |"
            )
            print(rows[-1], flush=True)
    wild = Hands(compile_game(cardlang.load("tall_card"), 2), Table("tall", "TRdD", "claimer", "RdD"), 5, COUNT)
    micro = figure(1e6 / together(wild)())
    print(micro, flush=True)
    return TEXT.format(rows="\n".join(rows), wild=micro, count=f"{COUNT:,}")


def face(program: Any, card: int) -> str:
    """`Th` for the ten of hearts, which these libraries write so."""
    code: str = program.game.faces[program.face[card]].code
    return code.replace("10", "T")


if __name__ == "__main__":
    section()
