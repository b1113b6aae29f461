"""What a random move costs: how much more often a match is won after the best of a few moves than after any of them.

At one decision of a match, a few moves are tried in samples that could be the match, as far as whoever decides knows;
each is played on by chance. Half of the samples say which move is best, the others how good it is, and the other way
round: a move that was only lucky is not counted as good."""

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
"""So many matches have a decision that is tried, and one of so many of those that follow."""
SAMPLES = 8
MOVES = 8
"""So many moves are tried at most."""
HORIZON = 400
"""A trial game is judged as it stands after so many decisions."""
WHOLE = lcm(*range(1, 13)) * lcm(*range(1, MOVES + 1))
"""What a match is worth that is won alone. Shared by any number of players, and averaged over any number of moves, it
is still an integer."""


@frozen
class Tried:
    """What the trial games of a decision were worth, after the `best` move and after `any`; SAMPLES * WHOLE each, if
    all were won."""

    best: int
    any: int


def is_costed(number: int) -> bool:
    """Whether a decision of match `number` (from 0) is tried."""
    return number < COSTED or number % EVERY == 0


def matches_with(decisions: int) -> int:
    """How many matches have so many decisions that are tried."""
    return decisions if decisions <= COSTED else COSTED + EVERY * (decisions - COSTED)


@cache
def names_of(game: g.Game, players: int) -> Names:
    return start(game, players, 1).names


def tried(game: g.Game, players: int, seed: int, codes: Sequence[int], open: Sequence[int]) -> Tried | None:
    """Trial games at one of the decisions `open` (places in `codes`, the moves of the match with this seed). None if
    there is no such decision."""
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
    """What a trial game is worth to the player who is asked: nothing, where a rule cannot be carried out in it, as
    cards that are only supposed may lead there."""
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
