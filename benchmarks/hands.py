"""Five-card poker hands: the ranking of a game as machine code, beside libraries that are made for nothing else; and a
hand with a wild card."""

from __future__ import annotations

from typing import Any

import cardlang
from benchmarks.measuring import Rate, figure, in_turn, rate_of
from cardlang.game import Game
from interpreter.compiler import compile_game
from interpreter.native.compilers import MAKERS
from interpreter.native.door import hands_of
from tests.native.hands import NOUN, Hands, Table

COUNT = 50_000
PROMISED, GOAL = 0.5, 1
TEXT = """\
## Hands read, thousands a second

Poker hands of five cards by the ranking of Texas Hold'em, beside phevaluator and treys: {count} hands drawn by chance.
A call a hand goes through an extension of Python that is compiled for the game (`interpreter/native/door.py`), and
gives a tuple that tells how good the hand is; the others give a number.

| how | cardlang | the other | ratio | promised | goal | reached |
|---|---|---|---|---|---|---|
{rows}

A hand of Tall Card with a wild card takes {wild} µs on average, of {count} hands drawn by chance (promised: 0.3).
Of two in five such hands only the rank is known again: several ways make it, and which is best depends on the table, so
they are looked for and compared.
"""


def one_by_one(game: Game, hands: Hands) -> Rate:
    strength = hands_of(game, 2, NOUN, "hand")().strength
    return called(lambda hand: strength(*hand), hands.hands)


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
    game = cardlang.load("texas_holdem")
    program = compile_game(game, 2)
    hands = Hands(program, Table("board", "2c", None), 5, COUNT, makers=MAKERS)
    hands.engine.call["native_set_pile"](
        hands.engine.work.at, hands.engine.state.at, program.zone_base["board"], None, 0
    )
    codes = [[face(program, card) for card in hand] for hand in hands.hands]
    rows = []
    for how, ours in (("a call a hand", one_by_one(game, hands)), ("in batches", together(hands))):
        for name, theirs in (("phevaluator", phevaluator), ("treys", treys)):
            ratio = in_turn(ours, theirs(codes))
            rows.append(
                f"| {how}; {name} | {ratio.told(1e3)} | {PROMISED} | {GOAL} | {ratio.reached(PROMISED, GOAL)} |"
            )
            print(rows[-1], flush=True)
    wild = Hands(
        compile_game(cardlang.load("tall_card"), 2), Table("tall", "TRdD", "claimer", "RdD"), 5, COUNT, makers=MAKERS
    )
    micro = figure(1e6 / together(wild)())
    print(micro, flush=True)
    return TEXT.format(rows="\n".join(rows), wild=micro, count=f"{COUNT:,}")


def face(program: Any, card: int) -> str:
    """`Th` for the ten of hearts, which these libraries write so."""
    code: str = program.game.faces[program.face[card]].code
    return code.replace("10", "T")


if __name__ == "__main__":
    section()
