"""Playout results, and the ranking of moves by them.

A playout that reaches the end of the match counts by final place and by score, any other by score alone. The score is
the lead over the mean of the others, divided by the largest lead or deficit in any playout of the decision. If a game
shows each player the best split of their cards, half of the remaining cost counts in the middle of a deal. It reveals
the value of hands long before they are scored. If no player can be ahead (in cooperative or solitaire games), the
player's own score counts instead, or the final place if there are no scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from fractions import Fraction

from attrs import define, frozen

from interpreter.program.betting_roles_and_shown_hand import find_shown_reading
from interpreter.program.program import Program
from interpreter.runtime.errors import RuleError
from interpreter.runtime.state import ABSENT, DONE, State

EQUAL_ERRORS = 1.0
"""Number of standard errors within which a worse move may be equally good."""
LARGE_STAKE = 0.5
"""Share of the player's total that counts as a large stake, which needs a reason."""
SMALL_STAKE = 0.05
"""Share of the player's total up to which a stake needs no reason."""
ACCEPTED_LOSS = 2.0
"""Average loss that is accepted for a small stake, as a multiple of the stake.

A bot that always waits would never play.
"""
CAUTION_ERRORS = 1.0
"""Number of standard errors subtracted from the value of a move.

Of moves that are hard to distinguish, the safer one wins.
"""
GAMBLE_ERRORS = 3.0
"""Number of standard errors subtracted for a gamble and added for a sure gain, in cooperative games."""
SURE_GAIN_BONUS = 0.1
"""Bonus for a sure gain now over an equal gain later, as a share of the largest gain or loss."""
LIVES_COST = 3.0
"""Cost of all shared lives in cooperative games, as a multiple of the largest gain."""
MIN_GAMBLE_PLAYOUTS = 4
"""Minimum number of playouts before a gamble is made."""


@frozen
class PlayoutResult:
    """Result of a playout for a player.

    place: from 0 for the last to 1 for the first place; 1 for all if they win together.
    first_share: the share of the first place; a half if two players share it.
    lead: the lead over the mean score of the others, or the common score in cooperative games.
    gain: the change of the player's own score since the decision.
    is_over: whether the match has ended.
    lives_lost: the part of the shared lives that was lost.
    """

    place: float
    first_share: float
    lead: float
    gain: float
    is_over: bool
    lives_lost: float = 0.0


def evaluate_playout(
    program: Program,
    state: State,
    seat: int,
    start_levels: list[float],
    end_levels: list[float],
    start_lives: float = 0.0,
) -> PlayoutResult:
    """Return the result of a playout for a seat.

    before, now: by seat, the level at the decision and at the end.
    start_lives: the shared lives at the decision.
    Raise `RuleError` if the places cannot be computed.
    """
    ahead = compute_lead_over_mean(end_levels, seat, program.shared)
    if program.shared:
        won = float(bool(program.find_winners(state)))
        lost = start_lives - sum_cooperative_life_shares(program, state)
        return PlayoutResult(won, won, ahead, end_levels[seat] - start_levels[seat], state.who == ABSENT, lost)
    places = program.compute_places(state)
    place, equal, others = places[seat], places.count(places[seat]), len(places) - 1
    worse = 1 - (place - 1 + (equal - 1) / 2) / others if others else 0.5
    return PlayoutResult(
        worse, 1 / equal if place == 1 else 0.0, ahead, end_levels[seat] - start_levels[seat], state.who == ABSENT
    )


def get_player_levels(program: Program, state: State) -> list[float]:
    """Return the level of each player, by seat; higher is better.

    It is the first value of `order standing`, else the score; 0 if that is no number. Raise `RuleError` if a rule
    fails.
    """
    if "standing" in program.game.orders:
        return [get_first_number(key) for key in program.compute_ranking_keys(state)]
    return [get_first_number(score) for score in program.compute_scores(state)]


def sum_cooperative_life_shares(program: Program, state: State) -> float:
    """Return the sum of the shares left of all lives that a cooperative game needs to win; 0 if there are none."""
    return sum(state.t[slot] / total for slot, total in program.lives)


def compute_lead_over_mean(levels: list[float], seat: int, shared: bool = False) -> float:
    """Return a player's lead over the mean of the others, or the player's level if the score is `shared`."""
    if shared:
        return levels[seat]
    others = len(levels) - 1
    return levels[seat] - (sum(levels) - levels[seat]) / others if others else 0.0


def get_first_number(key: object) -> float:
    """Return the first number of a sort key of players."""
    if isinstance(key, tuple) and key:
        return get_first_number(key[0])
    return float(key) if isinstance(key, int | Fraction) else 0.0


@define
class CandidateStatistics:
    """Move with the statistics of its playouts.

    index: its index among the moves of the decision; for a set, the index of its first pick.
    rest: for a set, the codes of all later picks.
    games: the number of playouts.
    first: the sum of first places.
    ended: the number of playouts that reached the end of the match.
    """

    index: int
    rest: tuple[int, ...] = ()
    games: int = 0
    first: float = 0.0
    place: float = 0.0
    gain: float = 0.0
    ended: int = 0
    place_sum: float = 0.0
    ended_lead_sum: float = 0.0
    """Sums over the playouts that ended: places from -1 to 1, and leads."""
    lead_sum: float = 0.0
    squared_lead_sum: float = 0.0
    """Sums over all playouts: leads and squared leads."""
    lives_lost: float = 0.0
    """Sum over all playouts: the part of the shared lives that was lost."""
    prior_lead: float = 0.0
    prior_variance: float = 0.0
    prior_weight: int = 0
    """Prior of the lead: its mean and variance, and its weight as a number of playouts."""
    is_gamble: bool = False
    """True if hidden cards decide whether it gains for the team."""
    is_sure: bool = False
    """True if it gains for the team with any hidden cards."""
    cost: float = 0.0
    """Share of the player's total that the move costs immediately, such as a stake."""
    price: float = 0.0
    """Amount of this cost."""
    is_free: bool = False
    """True if the move is known to cost nothing immediately."""
    breaks_hand: bool = False
    """True if it picks a card that counts in the value of the hand, or fewer others than possible."""
    progress: int = 0
    """Progress in a game for one player (see `interpreter.bots.solitaire_policy`)."""
    is_unfit: bool = False
    """True if the hand contradicts it: a bet without a hand, or a fold with a hand worth a call."""

    def add_result(self, result: PlayoutResult) -> None:
        self.games += 1
        self.first += result.first_share
        self.place += result.place
        self.gain += result.gain
        self.lead_sum += result.lead
        self.squared_lead_sum += result.lead**2
        self.lives_lost += result.lives_lost
        if result.is_over:
            self.ended += 1
            self.place_sum += 2 * result.place - 1
            self.ended_lead_sum += result.lead

    def compute_value(self, scale: ValueScale) -> float:
        """Return the value of the move from -1 to 1. `scale`: the units of leads and gains."""
        if not self.games:
            return -1.0
        if scale.max_lead:
            own_value = self.place_sum / 2 + (self.lead_sum - self.ended_lead_sum / 2) / scale.max_lead
            mean = (own_value + self.prior_weight * self.prior_lead / scale.max_lead) / (self.games + self.prior_weight)
            return mean - CAUTION_ERRORS * self.lead_error_with_prior / scale.max_lead
        if scale.max_gain:
            doubt = self.lead_error / scale.max_gain if self.games >= MIN_GAMBLE_PLAYOUTS else 1.0
            sure = (GAMBLE_ERRORS * doubt + SURE_GAIN_BONUS) * self.is_sure - GAMBLE_ERRORS * doubt * self.is_gamble
            return (self.place_sum / 2 + self.gain / scale.max_gain - LIVES_COST * self.lives_lost) / self.games + sure
        return (2 * self.place) / self.games - 1

    @property
    def mean_lead(self) -> float:
        """Mean lead."""
        return self.lead_sum / max(self.games, 1)

    @property
    def lead_error_with_prior(self) -> float:
        """Standard error of the lead, including the prior."""
        games = max(self.games, 1)
        spread = (
            max(self.squared_lead_sum / games - self.mean_lead**2, 0.0) * games
            + self.prior_weight * self.prior_variance
        )
        return float(spread**0.5 / (games + self.prior_weight))

    @property
    def lead_error(self) -> float:
        """Standard error of the lead."""
        games = max(self.games, 1)
        return float((max(self.squared_lead_sum / games - self.mean_lead**2, 0.0) / games) ** 0.5)


@define
class ValueScale:
    """Scale of values: the largest lead or deficit, and the largest gain or loss, in any playout of a decision."""

    shared: bool = False
    """True if no player can be ahead."""
    split: bool = False
    """True if half of the cost of remaining cards counts when a playout stops in the middle of a deal."""
    amounts: bool = False
    """True if some of the moves differ only in their amount."""
    max_lead: float = 0.0
    max_gain: float = 0.0

    def update_scale(self, result: PlayoutResult) -> None:
        if not self.shared:
            self.max_lead = max(self.max_lead, abs(result.lead))
        self.max_gain = max(self.max_gain, abs(result.gain))


def rank_moves(moves: Iterable[CandidateStatistics], scale: ValueScale) -> list[CandidateStatistics]:
    """Sort moves from best to worst, with unfit moves last. Equal moves keep their order."""
    return sorted(moves, key=lambda move: (move.is_unfit, -move.compute_value(scale), move.index))


def split_off_worse_half(
    ranked: list[CandidateStatistics],
) -> tuple[list[CandidateStatistics], list[CandidateStatistics]]:
    """Return the better half of the moves, but at least two, and the others.

    The better half includes the best move that keeps the hand: a few playouts are no reason to break up a hand.
    """
    half = max(2, (len(ranked) + 1) // 2)
    keeper = next((place for place, move in enumerate(ranked) if not move.breaks_hand), 0)
    if keeper >= half:
        ranked = [*ranked[: half - 1], ranked[keeper], *ranked[half - 1 : keeper], *ranked[keeper + 1 :]]
    return ranked[:half], ranked[half:]


def prefer_fitting_stake(ranked: list[CandidateStatistics], scale: ValueScale) -> list[CandidateStatistics]:
    """Return moves with the best first, or with an equally good one first that fits the stakes better."""
    fit, others = [move for move in ranked if not move.is_unfit], [move for move in ranked if move.is_unfit]
    if not fit:
        return ranked
    fit = prefer_free_move(prefer_kept_hand(prefer_progress(fit)))
    return [
        *(prefer_smaller_stake(prefer_cheap_move(fit), scale) if scale.amounts else prefer_small_stake(fit, scale)),
        *others,
    ]


def move_to_front(
    ranked: list[CandidateStatistics], preferred: Iterable[CandidateStatistics]
) -> list[CandidateStatistics]:
    """Return moves with the first of the preferred ones, if any, at the front."""
    chosen = next(iter(preferred), ranked[0])
    return [chosen, *(move for move in ranked if move is not chosen)]


def prefer_kept_hand(ranked: list[CandidateStatistics]) -> list[CandidateStatistics]:
    """Prefer a statistically equal move if the best one breaks up the hand (see `CandidateStatistics.breaks_hand`).

    After very few playouts, prefer any move that keeps the hand.
    """
    first = ranked[0]
    if not first.breaks_hand:
        return ranked
    if first.games < MIN_GAMBLE_PLAYOUTS:
        return move_to_front(ranked, (move for move in ranked if not move.breaks_hand))
    kept = (move for move in ranked[1:] if not move.breaks_hand and move.games >= MIN_GAMBLE_PLAYOUTS)
    return move_to_front(ranked, (move for move in kept if move.mean_lead >= compute_equal_lead(first, move)))


def prefer_progress(ranked: list[CandidateStatistics]) -> list[CandidateStatistics]:
    """Prefer a statistically equal move with more progress."""
    first = ranked[0]
    alike = [move for move in ranked if move.games and move.mean_lead >= compute_equal_lead(first, move)]
    return move_to_front(ranked, sorted(alike, key=lambda move: -move.progress))


def compute_equal_lead(first: CandidateStatistics, move: CandidateStatistics) -> float:
    """Return the least mean lead with which a move may be as good as the first one."""
    return first.mean_lead - EQUAL_ERRORS * (first.lead_error + move.lead_error)


def prefer_free_move(ranked: list[CandidateStatistics]) -> list[CandidateStatistics]:
    """Prefer a free move that may be equally good if the best one folds.

    A fold is recognized by a constant result: it costs nothing and leaves nothing open. If others stake something, no
    player should fold for free.
    """
    first = ranked[0]
    spread = round(first.lead_error, 6)  # leads are floats: ignore rounding errors
    if first.price or spread or first.games < MIN_GAMBLE_PLAYOUTS or not any(move.price > 0 for move in ranked):
        return ranked
    free = (move for move in ranked[1:] if move.is_free and move.lead_error)
    return move_to_front(ranked, (x for x in free if x.mean_lead >= first.mean_lead - EQUAL_ERRORS * x.lead_error))


def prefer_cheap_move(ranked: list[CandidateStatistics]) -> list[CandidateStatistics]:
    """Prefer a cheap move with an average at least as high if the best one folds.

    Otherwise caution, which subtracts for variance, would fold good hands at a low price.
    """
    first = ranked[0]
    if first.price or round(first.lead_error, 6):
        return ranked
    cheap = (move for move in ranked[1:] if 0 < move.cost <= SMALL_STAKE and move.games >= MIN_GAMBLE_PLAYOUTS)
    return move_to_front(ranked, (move for move in cheap if move.mean_lead >= first.mean_lead))


def prefer_small_stake(ranked: list[CandidateStatistics], scale: ValueScale) -> list[CandidateStatistics]:
    """Prefer a small stake that may be equally good if the best move stakes nothing.

    The results of such a stake vary widely, and the results of waiting not at all.
    """
    first = ranked[0]
    if first.cost or not scale.max_lead:
        return ranked
    small = (move for move in ranked if 0 < move.cost <= SMALL_STAKE and move.games)
    return move_to_front(
        ranked,
        (move for move in small if move.mean_lead >= compute_equal_lead(first, move) - ACCEPTED_LOSS * move.price),
    )


def prefer_smaller_stake(ranked: list[CandidateStatistics], scale: ValueScale) -> list[CandidateStatistics]:
    """Prefer a smaller stake that may be equally good if the best move stakes much."""
    first = ranked[0]
    if first.cost < LARGE_STAKE or not scale.max_lead:
        return ranked
    least = first.compute_value(scale) - EQUAL_ERRORS * first.lead_error_with_prior / scale.max_lead
    alike = [move for move in ranked if 0 < move.cost < first.cost and move.compute_value(scale) >= least]
    return move_to_front(ranked, sorted(alike, key=lambda move: move.cost))


def mark_broken_hands(program: Program, state: State, moves: Sequence[CandidateStatistics]) -> None:
    """Set for each move whether it breaks up the hand, as the game reads the hand to the current player.

    A pick of a card that counts breaks it up. If the player also chooses the number of cards, so does a set with fewer
    cards than possible that do not count.
    """
    name, site = find_shown_reading(program.game), program.get_site(state)
    if name is None or site.kind != "pick":
        return
    with suppress(RuleError):
        reading = program.evaluate_player_value(name, state, state.who)
        if reading is None:
            return
        sets = [{code - 1 for code in (state.legal[move.index], *move.rest) if code != DONE} for move in moves]
        used, own = set(reading.used), {card for cards in sets for card in cards if state.owner[card] == state.who}
        are_complete = site.picks_freely and any(move.rest for move in moves)
        least = min(max(map(len, sets)), len(own - used)) if are_complete else 0
        for move, cards in zip(moves, sets, strict=True):
            move.breaks_hand = bool(cards & used) or len(cards) < least


def set_move_costs(program: Program, sample: State, moves: Iterable[CandidateStatistics]) -> None:
    """Set the immediate cost of each move, in a sampled match."""
    before = get_player_levels(program, sample)[sample.who]
    for move in moves if before > 0 else ():
        state = program.clone_silently(sample)
        with suppress(RuleError):
            program.apply(state, sample.legal[move.index])
            if state.rng == sample.rng:  # a new deal has its own stakes
                move.price = before - get_player_levels(program, state)[sample.who]
                move.cost = move.price / before
                move.is_free = move.price <= 0
