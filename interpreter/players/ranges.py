"""What others may hold after what they have done, where players bet.

Samples of the match are weighed by each bet that somebody made in the open, in turn: of the hands that they may have
had just then (in the samples, as the moves before weigh them), those that suit the bet count more. So whoever has
raised twice is taken to hold one of the best of the hands that raise, and not one of the best of all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from attrs import define

from interpreter.chance import seeded
from interpreter.matches.match import Match
from interpreter.players.conclusions import Made, Onlooker, as_dealt
from interpreter.players.habits import Habits
from interpreter.program import Program
from interpreter.state import State

DEALS = 100
"""So many samples are weighed."""


@define
class Supposed:
    """Matches that could be the real one, each with how likely what others did would be in it."""

    worlds: Sequence[State]
    weights: Sequence[float]

    def draw(self, program: Program, random: Random) -> State:
        """One of them, as often as it is likely, with chance of its own."""
        (world,) = random.choices(self.worlds, self.weights)
        drawn = program.clone(world)
        drawn.events, drawn.checking, drawn.rng = None, False, seeded(random.getrandbits(63))
        return drawn


def suppose(onlooker: Onlooker, match: Match, habits: Habits, made: Iterable[Made], random: Random) -> Supposed:
    """`made`: the bets of others."""
    worlds, renamings, weights = list[State](), list[list[int]](), [1.0] * DEALS
    for _ in range(DEALS):
        worlds.append(onlooker.sample(match, random.getrandbits(63)))
        renamings.append(onlooker.renaming)
    for move in made:
        pasts = [as_dealt(match.names, move.before, renaming) for renaming in renamings]
        likely = habits.likelihoods(pasts, move.code, weights, onlooker.wild(move.before.who))
        weights = [weight * share for weight, share in zip(weights, likely, strict=True)]
    return Supposed(worlds, weights)
