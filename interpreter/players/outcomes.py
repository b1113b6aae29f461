"""Utility of a playout for a player, and the statistics of several playouts of a move.

A playout that reaches the end of the match counts by place and by score, any other by score alone. The score is the
lead over the mean of the others, divided by the largest lead or deficit in any playout of the decision. If a game shows
each player the best split of their cards, half of the remaining cost counts in the middle of a deal. It reveals the
value of hands long before they are scored. If no player can be ahead (in cooperative or solitaire games), the player's
own score counts instead, and without scores the place.
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
"""Number of standard errors within which a worse move may be equally good."""
MUCH = 0.5
"""Share of the player's total that counts as a large stake, which needs a reason."""
LITTLE = 0.05
"""Share of the player's total up to which a stake needs no reason."""
SLIGHT = 2.0
"""Average loss that is accepted for a small stake, as a multiple of the stake.

A bot that always waits would never play.
"""
CAUTION = 1.0
"""Number of standard errors subtracted from the value of a move.

Of moves that are hard to distinguish, the safer one wins.
"""

RASH = 3.0
"""Number of standard errors subtracted for a gamble and added for a sure gain, in cooperative games."""
SOON = 0.1
"""Bonus for a sure gain now over an equal gain later, as a share of the largest gain or loss."""
DEAR = 3.0
"""Cost of all shared lives in cooperative games, as a multiple of the largest gain."""
FEWEST = 4
"""Minimum number of playouts before a gamble is made."""


@frozen
class Outcome:
    """Result of a playout for a player.

    place: from 0 for the last to 1 for the first place; 1 for all if they win together.
    first: the share of the first place; a half if two players share it.
    ahead: the lead over the mean score of the others, or the common score in cooperative games.
    gain: the change of the player's own score since the decision.
    over: whether the match has ended.
    lost: the part of the shared lives that was lost.
    """

    place: float
    first: float
    ahead: float
    gain: float
    over: bool
    lost: float = 0.0


def outcome(
    program: Program, state: State, seat: int, before: list[float], now: list[float], lives: float = 0.0
) -> Outcome:
    """Return the result of a playout for a seat.

    before, now: by seat, the level at the decision and at the end.
    lives: the shared lives at the decision.
    Raise `RuleError` if the places cannot be computed.
    """
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
    """Return the level of each player, by seat; higher is better.

    It is the first value of `order standing`, else the score; 0 if that is no number. Raise `RuleError` if a rule
    fails.
    """
    if "standing" in program.game.orders:
        return [leading(key) for key in program.keys(state)]
    return [leading(score) for score in program.scores(state)]


def lives_left(program: Program, state: State) -> float:
    """Return the sum of the shares left of all lives that a cooperative game needs to win; 0 if there are none."""
    return sum(state.t[slot] / whole for slot, whole in program.lives)


def lead(levels: list[float], seat: int, shared: bool = False) -> float:
    """Return a player's lead over the mean of the others, or the player's level if the score is `shared`."""
    if shared:
        return levels[seat]
    others = len(levels) - 1
    return levels[seat] - (sum(levels) - levels[seat]) / others if others else 0.0


def leading(key: object) -> float:
    """Return the first number of a sort key of players."""
    if isinstance(key, tuple) and key:
        return leading(key[0])
    return float(key) if isinstance(key, int | Fraction) else 0.0


@define
class Tried:
    """Move with the statistics of its playouts.

    index: its index among the moves of the decision.
    games: the number of playouts.
    first: the sum of first places.
    ended: the number of playouts that reached the end of the match.
    """

    index: int
    games: int = 0
    first: float = 0.0
    place: float = 0.0
    gain: float = 0.0
    ended: int = 0
    placed: float = 0.0
    led: float = 0.0
    """Sums over the playouts that ended: places from -1 to 1, and leads."""
    leads: float = 0.0
    squares: float = 0.0
    """Sums over all playouts: leads and squared leads."""
    lost: float = 0.0
    """Sum over all playouts: the part of the shared lives that was lost."""
    expected: float = 0.0
    spread: float = 0.0
    trust: int = 0
    """Prior of the lead: its mean and variance, and its weight as a number of playouts."""
    gamble: bool = False
    """True if hidden cards decide whether it gains for the team."""
    sure: bool = False
    """True if it gains for the team with any hidden cards."""
    cost: float = 0.0
    """Share of the player's total that the move costs immediately, such as a stake."""
    price: float = 0.0
    """Amount of this cost."""
    free: bool = False
    """True if the move is known to cost nothing immediately."""
    breaks: bool = False
    """True if it picks a card that counts in the value of the hand, or leaves out one that does not."""
    unfit: bool = False
    """True if the hand contradicts it: a bet without a hand, or a fold with a hand worth a call."""

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
        """Return the value of the move from -1 to 1. `scale`: the units of leads and gains."""
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
        """Mean lead."""
        return self.leads / max(self.games, 1)

    @property
    def doubt(self) -> float:
        """Standard error of the lead, including the prior."""
        games = max(self.games, 1)
        spread = max(self.squares / games - self.lead**2, 0.0) * games + self.trust * self.spread
        return float(spread**0.5 / (games + self.trust))

    @property
    def error(self) -> float:
        """Standard error of the lead."""
        games = max(self.games, 1)
        return float((max(self.squares / games - self.lead**2, 0.0) / games) ** 0.5)


@define
class Scale:
    """Scale of values: the largest lead or deficit, and the largest gain or loss, in any playout of a decision."""

    shared: bool = False
    """True if no player can be ahead."""
    split: bool = False
    """True if half of the cost of remaining cards counts when a playout stops in the middle of a deal."""
    amounts: bool = False
    """True if some of the moves differ only in their amount."""
    ahead: float = 0.0
    gain: float = 0.0

    def see(self, found: Outcome) -> None:
        if not self.shared:
            self.ahead = max(self.ahead, abs(found.ahead))
        self.gain = max(self.gain, abs(found.gain))


def best(tried: Iterable[Tried], scale: Scale) -> list[Tried]:
    """Sort moves from best to worst, with unfit moves last. Equal moves keep their order."""
    return sorted(tried, key=lambda move: (move.unfit, -move.worth(scale), move.index))


def fitting(ranked: list[Tried], scale: Scale) -> list[Tried]:
    """Return moves with the best first, or with an equally good one first that fits the stakes better."""
    fit, others = [move for move in ranked if not move.unfit], [move for move in ranked if move.unfit]
    if not fit:
        return ranked
    fit = holding(keeping(fit))
    return [*(modest(daring(fit), scale) if scale.amounts else willing(fit, scale)), *others]


def keeping(ranked: list[Tried]) -> list[Tried]:
    """Prefer a statistically equal move if the best one breaks up the hand (see `Tried.breaks`)."""
    first = ranked[0]
    if not first.breaks:
        return ranked
    for move in ranked[1:]:
        alike = move.lead >= first.lead - ALIKE * (first.error + move.error)
        if alike and not move.breaks and move.games >= FEWEST:
            return [move, *(other for other in ranked if other is not move)]
    return ranked


def holding(ranked: list[Tried]) -> list[Tried]:
    """Prefer a free move that may be equally good if the best one folds.

    A fold is recognized by a constant result: it costs nothing and leaves nothing open. If others stake something, no
    player should fold for free.
    """
    first = ranked[0]
    spread = round(first.error, 6)  # leads are floats: ignore rounding errors
    if first.price or spread or first.games < FEWEST or not any(move.price > 0 for move in ranked):
        return ranked
    for move in ranked[1:]:
        if move.free and move.error and move.lead >= first.lead - ALIKE * move.error:
            return [move, *(other for other in ranked if other is not move)]
    return ranked


def daring(ranked: list[Tried]) -> list[Tried]:
    """Prefer a cheap move with an average at least as high if the best one folds.

    Otherwise caution, which subtracts for variance, would fold good hands at a low price.
    """
    first = ranked[0]
    if first.price or round(first.error, 6):
        return ranked
    for move in ranked[1:]:
        if 0 < move.cost <= LITTLE and move.games >= FEWEST and move.lead >= first.lead:
            return [move, *(other for other in ranked if other is not move)]
    return ranked


def willing(ranked: list[Tried], scale: Scale) -> list[Tried]:
    """Prefer a small stake that may be equally good if the best move stakes nothing.

    The results of such a stake vary widely, and the results of waiting not at all.
    """
    first = ranked[0]
    if first.cost or not scale.ahead:
        return ranked
    for move in ranked:
        least = first.lead - ALIKE * (first.error + move.error) - SLIGHT * move.price
        if 0 < move.cost <= LITTLE and move.games and move.lead >= least:
            return [move, *(other for other in ranked if other is not move)]
    return ranked


def modest(ranked: list[Tried], scale: Scale) -> list[Tried]:
    """Prefer a smaller stake that may be equally good if the best move stakes much."""
    first = ranked[0]
    if first.cost < MUCH or not scale.ahead:
        return ranked
    least = first.worth(scale) - ALIKE * first.doubt / scale.ahead
    alike = [move for move in ranked if 0 < move.cost < first.cost and move.worth(scale) >= least]
    chosen = min(alike, key=lambda move: move.cost, default=first)
    return [chosen, *(move for move in ranked if move is not chosen)]


def mark_breaks(program: Program, state: State, tried: Iterable[Tried]) -> None:
    """Set for each move whether it breaks up the hand, as the game reads the hand to the current player.

    A pick of a card that counts breaks it up. If the player also chooses the number of cards, so does leaving out a
    card that does not count. Cards are picked in order, so a pick leaves out all cards before it.
    """
    name, site = shown_reading(program.game), program.site(state)
    if name is None or site.kind != "pick":
        return
    with suppress(RuleError):
        reading = program.of_player(name, state, state.who)
        if reading is None:
            return
        used, left_out = set(reading.used), False
        against = dict[int, bool]()
        for code in state.legal:  # DONE is always the last code
            against[code] = left_out or code - 1 in used
            idle = code != DONE and code - 1 not in used and state.owner[code - 1] == state.who
            left_out = left_out or (idle and site.picks_freely)
        for move in tried:
            move.breaks = against[state.legal[move.index]]


def weigh_costs(program: Program, world: State, tried: Iterable[Tried]) -> None:
    """Set the immediate cost of each move, in a sampled match."""
    before = levels(program, world)[world.who]
    for move in tried if before > 0 else ():
        state = program.clone(world)
        state.events, state.checking = None, False
        with suppress(RuleError):
            program.apply(state, world.legal[move.index])
            if state.rng == world.rng:  # a new deal has its own stakes
                move.price = before - levels(program, state)[world.who]
                move.cost = move.price / before
                move.free = move.price <= 0
