"""Wording of search results for hints: how much better the best move is than the others."""

from __future__ import annotations

from attrs import evolve, frozen

from cardlang.game import Call, Noun, TrackValue
from interpreter.matches.match import Match
from interpreter.players.outcomes import Tried, lead, levels
from interpreter.players.search import Counsel
from interpreter.players.worlds import Worlds
from interpreter.program import Program
from interpreter.stakes import roles

NAMED = 3
"""Maximum number of moves to compare in words."""
NEVER = 0.05
"""Probability of first place below which it is not mentioned."""
INSTEAD = " Instead: "
AS_WELL = "roughly equal"
LESS_SURELY = "higher average, higher risk"
BEST = "Best in playouts from here"
SURE = 1.5
"""Factor on the sum of both standard errors, beyond which a difference counts as significant.

It is above 1 because the best of many moves is ahead partly by luck.
"""


@frozen
class Weighed:
    """Move with its playout results.

    index, text: its index and printed form.
    games: the number of playouts.
    first: the share of playouts with the player in first place; a place shared by two counts half.
    ahead: the average lead over the mean of the others at the end; higher is better, even if low scores are good.
    gain: the average improvement of the player's own score since the decision.
    error: the standard error of `ahead`.
    """

    index: int
    text: str
    games: int
    first: float
    ahead: float
    gain: float
    error: float


@frozen
class Scored:
    """Context for wording results in points.

    players: the player count.
    before: the current lead over the mean of the others.
    unit: the unit of the score, singular and plural.
    staking: whether the decision is a bet, so that a lead includes earlier stakes.
    partners: the number of others who always have the player's score.
    even: the indices of moves between which the hand does not decide.
    """

    players: int
    before: float = 0.0
    unit: tuple[str, str] = ("point", "points")
    staking: bool = False
    partners: int = 0
    even: frozenset[int] = frozenset()

    @classmethod
    def of(cls, match: Match, worlds: Worlds) -> Scored:
        program, seat = match.program, worlds.seat
        now = [lead(levels(program, state), seat, program.shared) for state in worlds.states]
        sides = match.view(seat).sides
        partners = sides.count(sides[seat]) - 1 if sides and sides[seat] is not None else 0
        before = sum(now) / max(len(now), 1)
        return cls(len(match.players), before, unit_of(program), any(roles(worlds.site)), partners)

    @property
    def rivals(self) -> str:
        """Name of the players that a lead is over."""
        return "your opponent" if self.players == 2 else "the other side" if self.partners else "the other players"

    def amount(self, value: float) -> str:
        """Format a lead as `2.5 chips`. It is converted from a lead over all others to one over the opponents."""
        others = self.players - 1
        told = amount(value * others / max(others - self.partners, 1))
        return f"{told} {self.unit[told != '1.0']}"


def unit_of(program: Program) -> tuple[str, str]:
    """Return the unit of a player's score: chips, the name in its definition, or points."""
    game, value, nouns = program.game, program.player_noun("score"), list[Noun]()
    while isinstance(value, Call):
        nouns.append(game.defines[value.define].noun)
        value = game.defines[value.define].value
    if isinstance(value, TrackValue):
        nouns.append(game.tracks[value.track].noun)
    return next(((noun.singular, noun.plural) for noun in reversed(nouns) if noun.counted), ("point", "points"))


def weighed(tried: Tried, texts: tuple[str, ...]) -> Weighed:
    games = max(tried.games, 1)
    return Weighed(
        tried.index, texts[tried.index], tried.games, tried.first / games, tried.lead, tried.gain / games, tried.error
    )


def reasons(moves: tuple[Weighed, ...], kinds: list[object], labels: list[str], search: Counsel, scored: Scored) -> str:
    """Describe the best move and the alternatives.

    For example: `You finish first in 4 of 10 playouts from here. Instead: Fold · 3 of 10.` A dot separates a move and
    its number.
    kinds: by move, its kind without amounts.
    """
    chosen, others = moves[0], instead_of(moves, kinds, scored.staking)
    if not others:
        return "There was no time for playouts."
    told, rest = told_of(chosen, others, search, scored)
    if all(alike(chosen, move) for move in moves if move.games):
        return "Playouts from here show no difference between the moves."
    if not scored.staking and len(others) < len(moves) - 1 and all_as_good(moves):
        return "Playouts from here show hardly any difference between the moves."
    sure = "It gains more, whichever card it is. " if search.tried[0].sure else ""
    rows = sorted(zip(others, rest, strict=True), key=lambda row: row[1] != AS_WELL)
    instead = "; ".join(f"{labels[move.index]} · {number}" for move, number in rows)
    return f"{sure}{told}{INSTEAD}{instead}."


def told_of(chosen: Weighed, others: list[Weighed], search: Counsel, scored: Scored) -> tuple[str, list[str]]:
    """Describe the result of the best move, and compare each of the others with it.

    If playouts reach the end of the match and first places do not differ significantly, compare points, which differ
    sooner.
    """
    scale = search.scale
    ended = sum(tried.ended for tried in search.tried) * 2 > sum(tried.games for tried in search.tried)
    if not scale.ahead and (scale.gain or (scale.shared and not ended)):
        told = f"In playouts from here, your score changes by {signed(chosen.gain)} on average."
        return told, [compared(chosen.gain - move.gain, chosen, move, scored) for move in others]
    rest = [as_often(chosen, move) for move in others]
    often = ended and chosen.first >= NEVER and all(each is not None for each in rest) and set(rest) != {AS_WELL}
    if not scale.ahead or often:
        return f"You finish first in {share(chosen.first)} playouts from here.", [each or AS_WELL for each in rest]
    return by_lead(chosen, others, scale.split and not ended, scored)


def by_lead(chosen: Weighed, others: list[Weighed], split: bool, scored: Scored) -> tuple[str, list[str]]:
    """Describe results by the lead over the others.

    split: half of the points left in hands count, so the numbers are not the final scores. A negative lead is no
    argument for a move, and neither is a lead that may be luck.
    """
    ahead = chosen.ahead - scored.before
    told = f"In playouts from here, you end {scored.amount(ahead)} better off than {scored.rivals} on average."
    if scored.staking or split:
        scored = evolve(scored, staking=True)
        told = f"{BEST}{', counting half the points of cards left in hand' if split else ''}."
    elif ahead <= SURE * chosen.error:
        told = f"{BEST}."
    return told, [compared(chosen.ahead - move.ahead, chosen, move, scored) for move in others]


def instead_of(moves: tuple[Weighed, ...], kinds: list[object], staking: bool = False) -> list[Weighed]:
    """Return the best alternatives that were tried, one amount for each option.

    If all differ only in their amount, return a few amounts. `staking`: include all options of a bet, even rarely tried
    ones.
    """
    tried = [move for move in moves[1:] if move.games]
    first = dict[object, Weighed]()
    for move in tried:
        if kinds[move.index] != kinds[moves[0].index]:
            first.setdefault(kinds[move.index], move)
    others = list(first.values()) or tried
    return [move for move in others if staking or often_tried(moves[0], move)][: NAMED - 1] or others[:1]


def often_tried(chosen: Weighed, other: Weighed) -> bool:
    """Return whether a move has enough playouts to measure how much worse it is."""
    return other.games * 4 >= chosen.games


def alike(chosen: Weighed, other: Weighed) -> bool:
    """Return whether the displayed figures of two moves are equal."""
    pairs = ((chosen.ahead, other.ahead), (chosen.gain, other.gain), (chosen.first, other.first))
    return not any(float(amount(abs(one - two))) for one, two in pairs)


def all_as_good(moves: tuple[Weighed, ...]) -> bool:
    """Return whether luck alone can explain all differences."""
    return all(may_be_as_good(moves[0], move) for move in moves if move.games)


def may_be_as_good(chosen: Weighed, other: Weighed) -> bool:
    leads = abs(chosen.ahead - other.ahead) <= SURE * (chosen.error + other.error)
    return leads and as_often(chosen, other) == AS_WELL


def compared(less: float, chosen: Weighed, other: Weighed, scored: Scored) -> str:
    """Return a comparison such as `about 3.1 points worse`, or `AS_WELL` if it is not significant.

    Another move is never called better: it was not chosen because it costs more or its results vary more.
    """
    if abs(less) < SURE * (chosen.error + other.error) or not float(amount(abs(less))):
        return AS_WELL
    if {chosen.index, other.index} <= scored.even:
        return AS_WELL
    if less < 0:
        return LESS_SURELY if other.error > chosen.error else AS_WELL
    if scored.staking:  # the gain from a bet depends on the bets of others, which are only a model
        return "worse"
    if not often_tried(chosen, other):
        return "worse in a few playouts"
    return f"about {scored.amount(abs(less))} worse"


def as_often(chosen: Weighed, other: Weighed) -> str | None:
    """Return how often a move finishes first, such as `3 of 10`; `AS_WELL` if the difference is not significant.

    Return None if it finishes first more often than the best move: the choice had other reasons.
    """
    less = chosen.first - other.first
    if abs(less) <= SURE * (error_of_share(chosen) + error_of_share(other)):
        return AS_WELL
    return share(other.first) if less > 0 else None


def error_of_share(move: Weighed) -> float:
    return float((move.first * (1 - move.first) / max(move.games, 1)) ** 0.5)


def signed(value: float) -> str:
    return f"{'-' if value < 0 else '+'}{amount(abs(value))}"


def share(value: float) -> str:
    """Return `7 of 10`. A rare result is not called 0."""
    tenths = round(10 * value)
    if value > 0 and not tenths:
        return "fewer than 1 of 10"
    return f"{tenths} of 10"


def amount(value: float) -> str:
    return f"{value:.1f}" if abs(value) < 10 else f"{round(value)}"
