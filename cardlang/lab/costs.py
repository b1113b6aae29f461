"""Cost of a random move: the gain in win rate of the best of a few moves over a random one.

At one decision per match, a few moves are tried by Monte Carlo playouts. The playouts start from samples of the hidden
cards that fit the player's knowledge, and make random moves. One half of the samples selects the best move and the
other half estimates its value, then the halves swap (cross-fitting). A move that was only lucky gains nothing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import lcm
from random import Random

from attrs import frozen

from cardlang import game as g
from interpreter.errors import RuleError
from interpreter.matches.match import start
from interpreter.matches.names import Names
from interpreter.matches.sampling import sample_state
from interpreter.players.candidates import candidates
from interpreter.program import Program
from interpreter.state import State

COSTED, EVERY = 200, 10
"""Sampling rate: playouts run for the first COSTED matches, then for one match in EVERY."""
SAMPLES = 8
MOVES = 8
"""Maximum number of moves to try at a decision."""
HORIZON = 400
"""Length limit of a playout, in decisions. After that, the current standing is scored."""
WHOLE = lcm(*range(1, 13)) * lcm(*range(1, MOVES + 1))
"""Value of a match won alone. It is divisible, so shared wins and means over several moves stay integers."""


@frozen
class Tried:
    """Summed playout values of a decision: of the `best` move, and the mean of all moves tried (`any`).

    Both are SAMPLES * WHOLE if every playout is won."""

    best: int
    any: int


def is_costed(number: int) -> bool:
    """Return whether match `number` (from 0) has a decision to try."""
    return number < COSTED or number % EVERY == 0


def matches_with(decisions: int) -> int:
    """Return the number of matches needed for that number of tried decisions."""
    return decisions if decisions <= COSTED else COSTED + EVERY * (decisions - COSTED)


@cache
def names_of(game: g.Game, players: int) -> Names:
    return start(game, players, 1).names


def tried(game: g.Game, players: int, seed: int, codes: Sequence[int], open: Sequence[int]) -> Tried | None:
    """Run playouts at a random one of the decisions `open`.

    `open` has indices into `codes`, the moves of the match with this seed. Return None for solo games, or if `open` is
    empty."""
    if not open or players == 1:
        return None
    random, names = Random(f"cost {seed}"), names_of(game, players)
    program = names.program
    state = program.start(seed)
    for code in codes[: random.choice(open)]:
        program.apply(state, code)
    moves = candidates(program, state, MOVES, random)
    halves = [[0] * len(moves), [0] * len(moves)]
    for sample in range(SAMPLES):
        world = sample_state(names, state, state.who, random.getrandbits(63))
        for place, move in enumerate(moves):
            halves[sample % 2][place] += worth(program, world, move, random)
    one, other = halves
    best = other[one.index(max(one))] + one[other.index(max(other))]
    return Tried(best, (sum(one) + sum(other)) // len(moves))


def worth(program: Program, world: State, move: int, random: Random) -> int:
    """Run a playout and return its value to the player to move.

    Return 0 if a rule fails: sampled cards may lead to positions that the rules can't handle."""
    state, seat = program.clone(world), world.who
    try:
        program.apply(state, state.legal[move])
        for _ in range(HORIZON):
            if state.who < 0:
                break
            program.apply(state, state.legal[int(random.random() * len(state.legal))])
        places = program.places(state)
    except RuleError:
        return 0
    return WHOLE // places.count(1) if places[seat] == 1 else 0
