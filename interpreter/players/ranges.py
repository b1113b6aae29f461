"""What others may hold after what they have done, where players bet.

Samples of the match are weighed by each bet that somebody made in the open, in turn: of the hands that they may have
had just then (in the samples, as the moves before weigh them), those that suit the bet count more. So whoever has
raised twice is taken to hold one of the best of the hands that raise, and not one of the best of all. And whoever
draws one card is taken to have kept four that count.
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
"""So many samples are weighed."""
LET_GO = 0.03
"""So likely a card goes that counts in the hand, for one that does not."""
KEPT = 0.15
"""So likely a card that does not count is kept though it could go."""


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


def suppose(onlooker: Onlooker, match: Match, habits: Habits, random: Random) -> Supposed:
    """By the bets of others, and by what they let go of their hands."""
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
    """The bets of others, and the cards that they have let go, each set of them together."""
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
    """Behind its last pick, or `DONE`."""
    first, end = made[begun].before, begun + 1
    while end < len(made) and made[end - 1].code != DONE:
        before = made[end].before
        same = before.who == first.who and program.site(before).number == program.site(first).number
        if not same or len(before.picks) != end - begun:
            break
        end += 1
    return end


def is_let_go(match: Match, deed: Iterable[Made]) -> bool:
    """Whether nothing of it still lies before whoever picked it."""
    zones, loc = match.program.zones, match.state.loc
    piles = ((made.before.who, loc[made.code - 1]) for made in deed if made.code != DONE)
    return not any(pile >= 0 and zones[pile].of == who for who, pile in piles)


def likely_set(reading: Reading | None, past: State, deed: Sequence[Made], renaming: Sequence[int]) -> float:
    """How likely such a set of cards leaves such a hand: seldom does a card go that counts, or one stay that does not,
    unless no more could go."""
    if reading is None or not reading.cards:
        return 1.0
    gone, used = {renaming[made.code - 1] for made in deed if made.code != DONE}, set(reading.used)
    hand = past.z[past.loc[reading.cards[0]]]
    kept = set(hand) - used - gone if deed[-1].code == DONE else ()
    return float(LET_GO ** len(gone & used) * KEPT ** len(kept))
