"""Text of a hint: a comparison of the candidate moves in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import hypot

from attrs import frozen

from cardlang.model import Call, Noun, TrackValue
from interpreter.bots.hint_samples import MatchSamples
from interpreter.bots.playout_results import CandidateStatistics, ValueScale, compute_lead_over_mean, get_player_levels
from interpreter.bots.playout_search import CandidateSearch
from interpreter.match.match import Match
from interpreter.program.betting_roles_and_shown_hand import find_option_roles
from interpreter.program.program import Program

MAX_COMPARED_MOVES = 3
"""Maximum number of moves to compare in words."""
MIN_FIRST_SHARE = 0.05
"""Probability of first place below which it is not mentioned."""
ROUGHLY_EQUAL = "roughly equal"
AGAINST_ODDS = "against the odds"
LESS_NOW = "gains less now"
A_GAMBLE = "a gamble"
BEST_IN_PLAYOUTS = "Best in playouts from here"
AMONG_BEST = "Among the best in playouts from here"
ALL_EQUAL = "All moves do equally well in playouts from here."
SAME_EFFECT = "All moves have the same effect."
NO_PROGRESS = "No move makes progress now."
NO_OTHER_PROGRESS = "No other move makes progress now."
TOO_CLOSE = "Too close to tell: playouts from here show no clear difference."
EQUAL_SHARE = 0.01
"""Share of the largest result within which moves are equal."""
EQUAL_ERRORS = 1.96
"""Number of standard errors of a difference that covers 95 % of cases."""
MIN_EQUAL_PLAYOUTS = 30
"""Number of playouts below which moves are never called equal."""
MIN_COMPARED_PLAYOUTS = 100
"""Number of playouts that always measures how much worse a move is."""
SIGNIFICANCE_FACTOR = 1.5
"""Factor on the sum of both standard errors, beyond which a difference counts as significant.

It is above 1 because the best of many moves is ahead partly by luck.
"""


@frozen
class MoveSummary:
    """Move with its playout results.

    index, text: its index and printed form. A set has its place in the list of sets, and its label.
    games: the number of playouts.
    first_share: the share of playouts with the player in first place; a place shared by two counts half.
    lead: the average lead over the mean of the others at the end; higher is better, even if low scores are good.
    gain: the average improvement of the player's own score since the decision.
    error: the standard error of `lead`.
    is_unfit: the hand's chance to win speaks against this bet, call or fold.
    is_gamble: hidden cards decide whether it gains for the team.
    """

    index: int
    text: str
    games: int
    first_share: float
    lead: float
    gain: float
    error: float
    is_unfit: bool = False
    is_gamble: bool = False


@frozen
class ScoreContext:
    """Context for wording results in points.

    players: the player count.
    before: the current lead over the mean of the others.
    unit: the unit of the score, singular and plural.
    is_bet: whether the decision is a bet, so that a lead includes earlier stakes.
    partners: the number of others who always have the player's score.
    even_moves: the indices of moves between which the hand does not decide.
    lesser_moves: the indices of moves that surely gain less now.
    """

    players: int
    before: float = 0.0
    unit: tuple[str, str] = ("point", "points")
    is_bet: bool = False
    partners: int = 0
    even_moves: frozenset[int] = frozenset()
    lesser_moves: frozenset[int] = frozenset()

    @classmethod
    def from_match(cls, match: Match, samples: MatchSamples) -> ScoreContext:
        program, seat = match.program, samples.seat
        now = [
            compute_lead_over_mean(get_player_levels(program, state), seat, program.shared) for state in samples.states
        ]
        sides = match.view(seat).sides
        partners = sides.count(sides[seat]) - 1 if sides and sides[seat] is not None else 0
        before = sum(now) / max(len(now), 1)
        return cls(
            len(match.players),
            before,
            find_score_unit(program),
            any(find_option_roles(samples.program.game, samples.site)),
            partners,
        )

    @property
    def rival_names(self) -> str:
        """Name of the players that a lead is over."""
        return "your opponent" if self.players == 2 else "the other side" if self.partners else "the other players"

    def format_lead(self, value: float) -> str:
        """Format a lead as `2.5 chips`. It is converted from a lead over all others to one over the opponents."""
        others = max(self.players - 1, 1)
        amount = format_amount(value * others / max(others - self.partners, 1))
        return f"{amount} {self.unit[amount != '1.0']}"


def find_score_unit(program: Program) -> tuple[str, str]:
    """Return the unit of a player's score: chips, the name in its definition, or points."""
    game, value, nouns = program.game, program.find_player_expression("score"), list[Noun]()
    while isinstance(value, Call):
        nouns.append(game.defines[value.define].noun)
        value = game.defines[value.define].value
    if isinstance(value, TrackValue):
        nouns.append(game.tracks[value.track].noun)
    return next(((noun.singular, noun.plural) for noun in reversed(nouns) if noun.counted), ("point", "points"))


def summarize_move(move: CandidateStatistics, index: int, text: str) -> MoveSummary:
    games = max(move.games, 1)
    return MoveSummary(
        index,
        text,
        move.games,
        move.first / games,
        move.mean_lead,
        move.gain / games,
        move.lead_error,
        move.is_unfit,
        move.is_gamble,
    )


def describe_best_move(
    moves: tuple[MoveSummary, ...],
    kinds: Sequence[object],
    labels: list[str],
    search: CandidateSearch,
    scored: ScoreContext,
) -> tuple[str, str]:
    """Describe the best move, and the alternatives if they differ.

    For example: `You finish first in 4 of 10 playouts from here.` and `Instead: Fold · 3 of 10.` A dot separates a move
    and its number.
    kinds: by move, its kind without amounts.
    """
    chosen, others = moves[0], select_alternatives(moves, kinds, scored.is_bet)
    if not others:
        return "There was no time for playouts.", ""
    summary, rest = describe_results(chosen, others, search, scored)
    if {kinds[move.index] for move in moves} == set(kinds) and is_all_equal(moves, search.scale):
        return ALL_EQUAL, ""
    if not scored.is_bet and len(others) < len(moves) - 1 and is_all_equally_good(moves):
        return TOO_CLOSE, ""
    rest = [
        find_drawback(chosen, move, scored) if number == ROUGHLY_EQUAL else number
        for move, number in zip(others, rest, strict=True)
    ]
    return summary, list_alternatives([(labels[move.index], number) for move, number in zip(others, rest, strict=True)])


def find_drawback(chosen: MoveSummary, other: MoveSummary, scored: ScoreContext) -> str:
    """Return what speaks against another move that is as good in playouts; `ROUGHLY_EQUAL` if nothing does."""
    if other.is_unfit > chosen.is_unfit:
        return AGAINST_ODDS
    if other.is_gamble > chosen.is_gamble:
        return A_GAMBLE
    return LESS_NOW if other.index in scored.lesser_moves else ROUGHLY_EQUAL


def list_alternatives(rows: list[tuple[str, str]]) -> str:
    """List other moves, given with their comparisons. Roughly equal ones come first."""
    if all(number == ROUGHLY_EQUAL for _, number in rows):
        return f"About equally good: {'; '.join(label for label, _ in rows)}."
    rows = sorted(rows, key=lambda row: row[1] != ROUGHLY_EQUAL)
    return f"Instead: {'; '.join(f'{label} · {number}' for label, number in rows)}."


def describe_results(
    chosen: MoveSummary, others: list[MoveSummary], search: CandidateSearch, scored: ScoreContext
) -> tuple[str, list[str]]:
    """Describe the result of the best move, and compare each of the others with it.

    If playouts reach the end of the match and first places do not differ significantly, compare points, which differ
    sooner.
    """
    scale = search.scale
    ended = sum(tried.ended for tried in search.tried) * 2 > sum(tried.games for tried in search.tried)
    if not scale.max_lead and (scale.max_gain or (scale.shared and not ended)):
        rest = [describe_difference(chosen.gain - move.gain, chosen, move, scored) for move in others]
        if not float(format_amount(chosen.gain)) or scored.players == 1:
            return f"{describe_rank(rest)}.", rest
        span = "from here" if ended else "of the next few turns"
        change = f"{'falls' if chosen.gain < 0 else 'rises'} by {format_amount(abs(chosen.gain))}"
        return f"In playouts {span}, your score {change} on average.", rest
    shares = [
        ROUGHLY_EQUAL if {chosen.index, move.index} <= scored.even_moves else describe_first_share(chosen, move)
        for move in others
    ]
    often = (
        ended
        and chosen.first_share >= MIN_FIRST_SHARE
        and all(difference is not None for difference in shares)
        and set(shares) != {ROUGHLY_EQUAL}
    )
    if not scale.max_lead or often:
        own_share = format_share(chosen.first_share)
        return f"You finish first in {own_share} playouts from here.", [
            "slightly fewer" if difference == own_share else difference or ROUGHLY_EQUAL for difference in shares
        ]
    return describe_leads(chosen, others, scale.split and not ended, scored)


def describe_leads(
    chosen: MoveSummary, others: list[MoveSummary], split: bool, scored: ScoreContext
) -> tuple[str, list[str]]:
    """Describe results by the lead over the others.

    split: half of the points left in hands count, so the numbers are not the final scores. A negative lead is no
    argument for a move, and neither is a lead that may be luck.
    """
    ahead = chosen.lead - scored.before
    summary = (
        f"In playouts from here, you end {scored.format_lead(ahead)} better off than {scored.rival_names} on average."
    )
    rest = [describe_difference(chosen.lead - move.lead, chosen, move, scored) for move in others]
    small = ahead <= SIGNIFICANCE_FACTOR * chosen.error or not float(format_amount(ahead))
    if scored.is_bet or split or small:
        summary = f"{describe_rank(rest)}."
    return summary, rest


def describe_rank(differences: list[str]) -> str:
    """Return the rank of the best move in words, from its differences to the others."""
    return AMONG_BEST if ROUGHLY_EQUAL in differences else BEST_IN_PLAYOUTS


def select_alternatives(
    moves: tuple[MoveSummary, ...], kinds: Sequence[object], staking: bool = False
) -> list[MoveSummary]:
    """Return the best alternatives that were tried, one amount for each option.

    If all differ only in their amount, return a few amounts. `staking`: include all options of a bet, even rarely tried
    ones.
    """
    tried = [move for move in moves[1:] if move.games]
    first = dict[object, MoveSummary]()
    for move in tried:
        if kinds[move.index] != kinds[moves[0].index]:
            first.setdefault(kinds[move.index], move)
    others = sorted(first.values() or tried, key=lambda move: -move.lead)
    return [move for move in others if staking or has_enough_playouts(moves[0], move)][
        : MAX_COMPARED_MOVES - 1
    ] or others[:1]


def has_enough_playouts(chosen: MoveSummary, other: MoveSummary) -> bool:
    """Return whether a move has enough playouts to measure how much worse it is."""
    return other.games >= min(chosen.games / 4, MIN_COMPARED_PLAYOUTS)


def is_all_equal(moves: tuple[MoveSummary, ...], scale: ValueScale) -> bool:
    """Return whether all moves are as good as the first one, with 95 % confidence.

    Their leads and first places may differ by `EQUAL_SHARE` of the largest gain, and of 1. A large lead from earlier
    deals makes no moves equal.
    """
    chosen, limit = moves[0], EQUAL_SHARE * (scale.max_gain or scale.max_lead)
    return all(
        move.games >= MIN_EQUAL_PLAYOUTS
        and abs(chosen.lead - move.lead) + EQUAL_ERRORS * hypot(chosen.error, move.error) <= limit
        and abs(chosen.first_share - move.first_share)
        + EQUAL_ERRORS * hypot(compute_share_error(chosen), compute_share_error(move))
        <= EQUAL_SHARE
        for move in moves
    )


def prefer_passing(
    moves: tuple[MoveSummary, ...], scale: ValueScale, spends_card: Callable[[int], bool], reacts: bool = False
) -> tuple[MoveSummary, ...]:
    """Return the moves with a pass first if all are equal and the best one spends a card: a pass keeps it for later.

    reacts: the moves answer another player's move. Then a pass only has to be about as good as the best one.
    """
    first, passing = moves[0], next((move for move in moves if move.text == "pass"), None)
    if passing is None or not spends_card(first.index):
        return moves
    alike = reacts and has_enough_playouts(first, passing) and can_be_equally_good(first, passing)
    if alike or is_all_equal(moves, scale):
        return passing, *(move for move in moves if move is not passing)
    return moves


def is_all_equally_good(moves: tuple[MoveSummary, ...]) -> bool:
    """Return whether luck alone can explain all differences."""
    return all(can_be_equally_good(moves[0], move) for move in moves if move.games)


def can_be_equally_good(chosen: MoveSummary, other: MoveSummary) -> bool:
    leads = abs(chosen.lead - other.lead) <= SIGNIFICANCE_FACTOR * (chosen.error + other.error)
    return leads and describe_first_share(chosen, other) == ROUGHLY_EQUAL


def describe_difference(deficit: float, chosen: MoveSummary, other: MoveSummary, scored: ScoreContext) -> str:
    """Return a comparison such as `about 3.1 points worse`, or `ROUGHLY_EQUAL` if it is not significant.

    Another move is never called better: it was not chosen because it costs more or its results vary more.
    """
    if deficit < SIGNIFICANCE_FACTOR * (chosen.error + other.error) or not float(format_amount(deficit)):
        return ROUGHLY_EQUAL
    is_vague = scored.players == 1 and bool(chosen.error or other.error)
    if is_vague or {chosen.index, other.index} <= scored.even_moves:
        return ROUGHLY_EQUAL  # the playouts of a solitaire vary too much
    if scored.is_bet or scored.players == 1:  # the gain from a bet depends on a mere model of the others' bets
        return "worse"
    return f"about {scored.format_lead(deficit)} worse"


def describe_first_share(chosen: MoveSummary, other: MoveSummary) -> str | None:
    """Return how often a move finishes first, such as `3 of 10`; `ROUGHLY_EQUAL` if the difference is not significant.

    Return None if it finishes first more often than the best move: the choice had other reasons.
    """
    less = chosen.first_share - other.first_share
    if abs(less) <= SIGNIFICANCE_FACTOR * (compute_share_error(chosen) + compute_share_error(other)):
        return ROUGHLY_EQUAL
    return format_share(other.first_share) if less > 0 else None


def compute_share_error(move: MoveSummary) -> float:
    return float((move.first_share * (1 - move.first_share) / max(move.games, 1)) ** 0.5)


def format_share(value: float) -> str:
    """Return `7 of 10`. A rare result is not called 0."""
    tenths = round(10 * value)
    if value > 0 and not tenths:
        return "fewer than 1 of 10"
    return f"{tenths} of 10"


def format_amount(value: float) -> str:
    return f"{value:.1f}" if abs(value) < 10 else f"{round(value)}"
