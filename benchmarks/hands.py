"""Speed of the native engine at ranking five-card poker hands, compared with specialized libraries; and at ranking a
hand with a wild card."""

from __future__ import annotations

from typing import Any

import cardlang
from benchmarks.measuring import Rate, figure, in_turn, rate_of
from cardlang.model import Game
from interpreter.native.compilers import COMPILER_TYPES
from interpreter.native.match_extension_module import build_hand_reader_class
from interpreter.program.program import compile_game
from tests.native.hands import NOUN, Hands, Table

COUNT = 50_000
MINIMUM, STRETCH = 0.5, 1
TEXT = """\
## Ranking poker hands, compared with phevaluator and treys

Thousands of hands a second: {count} random five-card hands, ranked as in Texas Hold'em. One call per hand uses
an extension module compiled for the game. It returns a tuple; the other libraries return a number.

| how; other side | cardlang | other side | ratio | minimum | stretch | met |
|---|---|---|---|---|---|---|
{rows}

A hand of Tall Card with a wild card takes {wild} µs on average, over {count} random hands (target: 0.3). In two
of five such hands, several sets of cards make the rank. Which set is best depends on the state of the table.
cardlang compares them all.
"""


def one_by_one(game: Game, hands: Hands) -> Rate:
    strength = build_hand_reader_class(game, 2, NOUN, "hand")().strength
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
    hands = Hands(program, Table("board", "2c", None), 5, COUNT, makers=COMPILER_TYPES)
    hands.engine.c_functions["native_set_pile"](
        hands.engine.work_memory.address, hands.engine.state.address, program.zone_base["board"], None, 0
    )
    codes = [[face(program, card) for card in hand] for hand in hands.hands]
    rows = []
    for how, ours in (("one call per hand", one_by_one(game, hands)), ("in batches", together(hands))):
        for name, theirs in (("phevaluator", phevaluator), ("treys", treys)):
            ratio = in_turn(ours, theirs(codes))
            rows.append(
                f"| {how}; {name} | {ratio.told(1e3)} | {MINIMUM} | {STRETCH} | {ratio.met(MINIMUM, STRETCH)} |"
            )
            print(rows[-1], flush=True)
    wild = Hands(
        compile_game(cardlang.load("tall_card"), 2),
        Table("tall", "TRdD", "claimer", "RdD"),
        5,
        COUNT,
        makers=COMPILER_TYPES,
    )
    micro = figure(1e6 / together(wild)())
    print(micro, flush=True)
    return TEXT.format(rows="\n".join(rows), wild=micro, count=f"{COUNT:,}")


def face(program: Any, card: int) -> str:
    """Return the code of a card in these libraries, such as `Th` for the ten of hearts."""
    code: str = program.game.faces[program.face[card]].code
    return code.replace("10", "T")


if __name__ == "__main__":
    section()
