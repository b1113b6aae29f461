"""Range estimation in games with bets: weigh samples of the match by the observed moves of others.

Each public bet updates the weights in turn, by its probability with the hand in that sample. A hand's strength is its
percentile among all hands in the weighted samples at that point. So a player who raised twice has one of the best hands
that raise, not only one of the best of all hands. Discards count as well: a player who draws one card probably kept
four that count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random

from attrs import define

from interpreter.chance import seeded
from interpreter.matches.match import Match
from interpreter.players.betting import betting_of
from interpreter.players.conclusions import Made, Onlooker, as_dealt
from interpreter.players.habits import Habits
from interpreter.program import Program
from interpreter.ranking.reader import Reading
from interpreter.state import DONE, State

DEALS = 100
"""Number of samples."""
LET_GO = 0.03
"""Probability of discarding a card that counts, relative to one that does not."""
KEPT = 0.15
"""Probability of keeping a card that does not count, although it could be discarded."""


@define
class Supposed:
    """Samples of the match, weighted by the likelihood of the other players' moves."""

    worlds: Sequence[State]
    weights: Sequence[float]

    def draw(self, program: Program, random: Random) -> State:
        """Return a sample, drawn by weight, with a new random state."""
        (world,) = random.choices(self.worlds, self.weights)
        drawn = program.clone(world)
        drawn.events, drawn.checking, drawn.rng = None, False, seeded(random.getrandbits(63))
        return drawn


def suppose(onlooker: Onlooker, match: Match, habits: Habits, random: Random) -> Supposed:
    """Return samples weighted by the bets and discards of others."""
    worlds, renamings, weights = list[State](), list[list[int]](), [1.0] * DEALS
    for _ in range(DEALS):
        worlds.append(onlooker.sample(match, random.getrandbits(63)))
        renamings.append(onlooker.renaming)
    for deed in deeds(onlooker, match):
        made = deed[0]
        pasts = [as_dealt(match.names, made.before, renaming) for renaming in renamings]
        if match.program.site(made.before).options:
            likely = habits.likelihoods(pasts, made.code, weights, onlooker.wild(made.before.who))
        else:
            likely = [
                likely_set(habits.reading(past, past.who), past, deed, renaming)
                for past, renaming in zip(pasts, renamings, strict=True)
            ]
        weights = [weight * share for weight, share in zip(weights, likely, strict=True)]
    return Supposed(worlds, weights)


def deeds(onlooker: Onlooker, match: Match) -> Iterator[tuple[Made, ...]]:
    """Yield the public bets of others, and their sets of discards."""
    betting, made, begun = betting_of(match.program), onlooker.made, 0
    assert betting is not None
    while begun < len(made):
        first, site = made[begun], match.program.site(made[begun].before)
        end = end_of_set(match.program, made, begun) if site.kind == "pick" else begun + 1
        if betting.is_bet(site):
            if onlooker.shows_hand(match.names, first, match.state):
                yield (first,)
        elif onlooker.shows_set(match.names, first, match.state) and is_let_go(match, made[begun:end]):
            yield tuple(made[begun:end])
        begun = end


def end_of_set(program: Program, made: Sequence[Made], begun: int) -> int:
    """Return the index after the last pick of a set, or after `DONE`."""
    first, end = made[begun].before, begun + 1
    while end < len(made) and made[end - 1].code != DONE:
        before = made[end].before
        same = before.who == first.who and program.site(before).number == program.site(first).number
        if not same or len(before.picks) != end - begun:
            break
        end += 1
    return end


def is_let_go(match: Match, deed: Iterable[Made]) -> bool:
    """Return whether no card of the set is still in a zone of its player."""
    zones, loc = match.program.zones, match.state.loc
    piles = ((made.before.who, loc[made.code - 1]) for made in deed if made.code != DONE)
    return not any(pile >= 0 and zones[pile].of == who for who, pile in piles)


def likely_set(reading: Reading | None, past: State, deed: Sequence[Made], renaming: Sequence[int]) -> float:
    """Return the relative probability that a player discards this set and keeps this hand.

    Cards that count are rarely discarded, and cards that do not count are rarely kept, unless the number of discards is
    limited.
    """
    if reading is None or not reading.cards:
        return 1.0
    gone, used = {renaming[made.code - 1] for made in deed if made.code != DONE}, set(reading.used)
    hand = past.z[past.loc[reading.cards[0]]]
    kept = set(hand) - used - gone if deed[-1].code == DONE else ()
    return float(LET_GO ** len(gone & used) * KEPT ** len(kept))
