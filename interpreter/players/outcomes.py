"""What a trial game is worth to a player, and what several of them say about a move.

A trial game that came to the end of the match counts by place and by score, any other by score alone: how far the
player is ahead of the others' mean, in units of the largest lead or lag that any trial game of the decision showed.
Where a game shows everybody the split of their own cards that leaves the least, half of what is left counts amid a
deal: what hands are worth is seen there long before anybody scores.
Where nobody is ever ahead (all play together, or alone) one's own score counts instead, and where there are no scores
the place that one has.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from fractions import Fraction

from attrs import define, frozen

from interpreter.errors import RuleError
from interpreter.program import Program
from interpreter.readings import shown_reading
from interpreter.state import ABSENT, DONE, State

ALIKE = 1.0
"""What is worth less by so many standard errors at most may be as good."""
MUCH = 0.5
"""Who stakes so much of what they have needs a reason."""
LITTLE = 0.05
"""Who stakes no more than so much of what they have needs no reason."""
SLIGHT = 2.0
"""Such a stake is made even if up to so many times it are lost by it: who always waits never plays."""
CAUTION = 1.0
"""So many standard errors are taken off what a move is worth: of moves that can hardly be told apart the safer one is
made."""

RASH = 3.0
"""So many are taken off what a gamble is worth, where all play together, and put on what is sure to bring more."""
SOON = 0.1
"""What is sure to bring more now is worth so much more, of the largest gain or loss, than the same later."""
DEAR = 3.0
"""Where all need lives to win together, all of them are worth so many times the largest gain."""
FEWEST = 4
"""From fewer trial games no gamble is made."""


@frozen
class Outcome:
    """Where a trial game left a player. `place`: from 0 for the last to 1 for the first; 1 for all if they win
    together; `first`: the share of the first place (a half if two have it); `ahead`: of the others' mean score, or the
    score that all have together; `gain`: of one's own score since the decision; `over`: the match has come to its
    end; `lost`: the part of everybody's lives that went."""

    place: float
    first: float
    ahead: float
    gain: float
    over: bool
    lost: float = 0.0


def outcome(
    program: Program, state: State, seat: int, before: list[float], now: list[float], lives: float = 0.0
) -> Outcome:
    """`before`: everybody's level at the decision, `now`: at the end; `lives`: what was left of them at the decision.
    Raises RuleError where places cannot be worked out."""
    ahead = lead(now, seat, program.shared)
    if program.shared:
        won = float(bool(program.winners(state)))
        lost = lives - lives_left(program, state)
        return Outcome(won, won, ahead, now[seat] - before[seat], state.who == ABSENT, lost)
    places = program.places(state)
    place, equal, others = places[seat], places.count(places[seat]), len(places) - 1
    worse = 1 - (place - 1 + (equal - 1) / 2) / others if others else 0.5
    return Outcome(worse, 1 / equal if place == 1 else 0.0, ahead, now[seat] - before[seat], state.who == ABSENT)


def levels(program: Program, state: State) -> list[float]:
    """How high each player stands, by seat, higher is better: what `order standing` looks at first, else the score; 0
    for what is no number. Raises RuleError where that cannot be worked out."""
    if "standing" in program.game.orders:
        return [leading(key) for key in program.keys(state)]
    return [leading(score) for score in program.scores(state)]


def lives_left(program: Program, state: State) -> float:
    """The part that is left of what all need some of to win; 0 where nothing is of that sort."""
    return sum(state.t[slot] / whole for slot, whole in program.lives)


def lead(levels: list[float], seat: int, shared: bool = False) -> float:
    """How far a player is ahead of the others' mean; how high all are, if that is `shared`."""
    if shared:
        return levels[seat]
    others = len(levels) - 1
    return levels[seat] - (sum(levels) - levels[seat]) / others if others else 0.0


def leading(key: object) -> float:
    """The first number of what players are ordered by."""
    if isinstance(key, tuple) and key:
        return leading(key[0])
    return float(key) if isinstance(key, int | Fraction) else 0.0


@define
class Tried:
    """A move and what its trial games came to. `index`: among the moves of the decision; `games`: how many; `first`:
    how often they left the player in the first place; `ended`: how many came to the end of the match."""

    index: int
    games: int = 0
    first: float = 0.0
    place: float = 0.0
    gain: float = 0.0
    ended: int = 0
    placed: float = 0.0
    led: float = 0.0
    """Of those that did: places, from -1 to 1, and leads."""
    leads: float = 0.0
    squares: float = 0.0
    """Of all: leads, and their squares."""
    lost: float = 0.0
    """Of all: the part of everybody's lives that went."""
    expected: float = 0.0
    spread: float = 0.0
    trust: int = 0
    """The lead that is expected without them and its variance, as good as so many trial games."""
    gamble: bool = False
    """Whether it may bring the players more together, or not, as hidden cards lie."""
    sure: bool = False
    """Whether it brings them more, however these lie."""
    cost: float = 0.0
    """The part of what the player has that is gone as soon as it is made, such as what is staked."""
    price: float = 0.0
    """How much that is."""
    free: bool = False
    """Whether it is known that nothing is gone then."""
    breaks: bool = False
    """Whether it picks a card that counts in what the hand is worth, or leaves out one that does not."""
    unfit: bool = False
    """Whether the hand speaks against it: a bet without one, or one given up that pays for staying in."""

    def add(self, found: Outcome) -> None:
        self.games += 1
        self.first += found.first
        self.place += found.place
        self.gain += found.gain
        self.leads += found.ahead
        self.squares += found.ahead**2
        self.lost += found.lost
        if found.over:
            self.ended += 1
            self.placed += 2 * found.place - 1
            self.led += found.ahead

    def worth(self, scale: Scale) -> float:
        """From -1 to 1."""
        if not self.games:
            return -1.0
        if scale.ahead:
            own = self.placed / 2 + (self.leads - self.led / 2) / scale.ahead
            mean = (own + self.trust * self.expected / scale.ahead) / (self.games + self.trust)
            return mean - CAUTION * self.doubt / scale.ahead
        if scale.gain:
            doubt = self.error / scale.gain if self.games >= FEWEST else 1.0
            sure = (RASH * doubt + SOON) * self.sure - RASH * doubt * self.gamble
            return (self.placed / 2 + self.gain / scale.gain - DEAR * self.lost) / self.games + sure
        return (2 * self.place) / self.games - 1

    @property
    def lead(self) -> float:
        """The mean."""
        return self.leads / max(self.games, 1)

    @property
    def doubt(self) -> float:
        """The standard error of the lead, with what was known before."""
        games = max(self.games, 1)
        spread = max(self.squares / games - self.lead**2, 0.0) * games + self.trust * self.spread
        return float(spread**0.5 / (games + self.trust))

    @property
    def error(self) -> float:
        """The standard error of the lead."""
        games = max(self.games, 1)
        return float((max(self.squares / games - self.lead**2, 0.0) / games) ** 0.5)


@define
class Scale:
    """The largest lead or lag, and the largest gain or loss, of any trial game of a decision."""

    shared: bool = False
    """Whether nobody can be ahead."""
    split: bool = False
    """Whether half of what hands leave counts where a trial game ends amid a deal."""
    amounts: bool = False
    """Whether some of the moves differ by an amount alone."""
    ahead: float = 0.0
    gain: float = 0.0

    def see(self, found: Outcome) -> None:
        if not self.shared:
            self.ahead = max(self.ahead, abs(found.ahead))
        self.gain = max(self.gain, abs(found.gain))


def best(tried: Iterable[Tried], scale: Scale) -> list[Tried]:
    """The best first, after all others those against which the hand speaks; of equal ones the one that stands first
    among the moves."""
    return sorted(tried, key=lambda move: (move.unfit, -move.worth(scale), move.index))


def fitting(ranked: list[Tried], scale: Scale) -> list[Tried]:
    """The best first, or what is as good by chance and suits what is staked better."""
    fit, others = [move for move in ranked if not move.unfit], [move for move in ranked if move.unfit]
    if not fit:
        return ranked
    fit = holding(keeping(fit))
    return [*(modest(daring(fit), scale) if scale.amounts else willing(fit, scale)), *others]


def keeping(ranked: list[Tried]) -> list[Tried]:
    """The best first, unless it picks against what counts in one's hand, and a move that does not may be as good."""
    first = ranked[0]
    if not first.breaks:
        return ranked
    for move in ranked[1:]:
        alike = move.lead >= first.lead - ALIKE * (first.error + move.error)
        if alike and not move.breaks and move.games >= FEWEST:
            return [move, *(other for other in ranked if other is not move)]
    return ranked


def holding(ranked: list[Tried]) -> list[Tried]:
    """The best first, unless it gives up, so that always the same comes of it, and a move that costs as little and
    leaves all open may be as good: where others stake something nobody gives up for nothing."""
    first = ranked[0]
    spread = round(first.error, 6)  # leads are fractions
    if first.price or spread or first.games < FEWEST or not any(move.price > 0 for move in ranked):
        return ranked
    for move in ranked[1:]:
        if move.free and move.error and move.lead >= first.lead - ALIKE * move.error:
            return [move, *(other for other in ranked if other is not move)]
    return ranked


def daring(ranked: list[Tried]) -> list[Tried]:
    """The best first, unless it gives up and a move that costs a little brought no less on average: caution, which
    takes off what spreads, would give up good hands for a small price."""
    first = ranked[0]
    if first.price or round(first.error, 6):
        return ranked
    for move in ranked[1:]:
        if 0 < move.cost <= LITTLE and move.games >= FEWEST and move.lead >= first.lead:
            return [move, *(other for other in ranked if other is not move)]
    return ranked


def willing(ranked: list[Tried], scale: Scale) -> list[Tried]:
    """The best first, unless it stakes nothing and a move that stakes a little may be as good: what trial games make of
    such a stake spreads widely, and what comes of waiting not at all."""
    first = ranked[0]
    if first.cost or not scale.ahead:
        return ranked
    for move in ranked:
        least = first.lead - ALIKE * (first.error + move.error) - SLIGHT * move.price
        if 0 < move.cost <= LITTLE and move.games and move.lead >= least:
            return [move, *(other for other in ranked if other is not move)]
    return ranked


def modest(ranked: list[Tried], scale: Scale) -> list[Tried]:
    """The best first, unless it risks much and a move that stakes less, but something, may be as good."""
    first = ranked[0]
    if first.cost < MUCH or not scale.ahead:
        return ranked
    least = first.worth(scale) - ALIKE * first.doubt / scale.ahead
    alike = [move for move in ranked if 0 < move.cost < first.cost and move.worth(scale) >= least]
    chosen = min(alike, key=lambda move: move.cost, default=first)
    return [chosen, *(move for move in ranked if move is not chosen)]


def mark_breaks(program: Program, state: State, tried: Iterable[Tried]) -> None:
    """Says of each move whether it picks a card that counts in the hand of the player who is asked, as the game reads
    it to them; where they say how many, too, whether it leaves out one of theirs that does not: cards are asked for in
    order, and what stands before one that is picked is not asked for again."""
    name, site = shown_reading(program.game), program.site(state)
    if name is None or site.kind != "pick":
        return
    with suppress(RuleError):
        reading = program.of_player(name, state, state.who)
        if reading is None:
            return
        used, left_out = set(reading.used), False
        against = dict[int, bool]()
        for code in state.legal:  # DONE is the last
            against[code] = left_out or code - 1 in used
            idle = code != DONE and code - 1 not in used and state.owner[code - 1] == state.who
            left_out = left_out or (idle and site.picks_freely)
        for move in tried:
            move.breaks = against[state.legal[move.index]]


def weigh_costs(program: Program, world: State, tried: Iterable[Tried]) -> None:
    """Says of each move what it costs at once, in a match that could be the real one."""
    before = levels(program, world)[world.who]
    for move in tried if before > 0 else ():
        state = program.clone(world)
        state.events, state.checking = None, False
        with suppress(RuleError):
            program.apply(state, world.legal[move.index])
            if state.rng == world.rng:  # another deal has stakes of its own
                move.price = before - levels(program, state)[world.who]
                move.cost = move.price / before
                move.free = move.price <= 0
