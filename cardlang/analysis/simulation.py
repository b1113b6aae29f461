"""Simulation of bot matches, with tallies of the results."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate, compress
from operator import not_
from time import perf_counter

from attrs import define, field, frozen

from cardlang.lint.playtest.playtest_findings import MIN_BIAS_MATCHES, find_biased_seats, format_rarity
from cardlang.model import Game
from cardlang.model.exact_numbers import ExactNumber, encode_exact_number
from interpreter.bots.players import make_bot
from interpreter.match.match import start
from interpreter.program.program import compile_game
from interpreter.runtime.errors import RuleError
from interpreter.runtime.rng import iter_move_words

QUANTILES = ((0, "lowest"), (25, "quarter"), (50, "median"), (75, "three quarters"), (100, "highest"))
QUANTILE_LABELS = {"quarter": "lower quartile", "three quarters": "upper quartile"}
"""Names of `QUANTILES` in printed text."""


@define
class Tally:
    """Counts over matches with one player count.

    - Wins are by seat. A shared win counts for each winner.
    - `lengths`, `scores`: number of times each value occurred
    - `unplayed`: matches that were not played, because all earlier ones hit the move limit or the user `interrupted`
    - `seat_total`: total number of seats in all tallies reported together, for the significance test
    """

    players: int
    lengths: Counter[int] = field(factory=Counter)
    seconds: float = 0.0
    capped: int = 0
    without_winner: int = 0
    solo_wins: list[int] = field(init=False)
    shared_wins: list[int] = field(init=False)
    scores: Counter[ExactNumber] = field(factory=Counter)
    unplayed: int = 0
    interrupted: bool = False
    seat_total: int = 0

    def __attrs_post_init__(self) -> None:
        self.solo_wins = [0] * self.players
        self.shared_wins = [0] * self.players

    @property
    def match_count(self) -> int:
        return self.lengths.total()

    @property
    def decisions(self) -> int:
        return sum(length * matches for length, matches in self.lengths.items())

    def add_result(self, result: MatchResult) -> None:
        """Add a match. Its scores count only if it ended."""
        self.lengths[result.decisions] += 1
        self.seconds += result.seconds
        self.capped += not result.over
        self.without_winner += result.over and not result.winners
        wins = self.solo_wins if len(result.winners) == 1 else self.shared_wins
        for seat in result.winners:
            wins[seat] += 1
        if result.over:
            self.scores.update(score for score in result.scores if score is not None)

    def add_native_rows(self, rows: Sequence[int], decode_score: Callable[[int], ExactNumber | None]) -> None:
        """Add matches of the native engine. `rows` has the format of `NativeEngine.play_matches`.

        No match may have an error. `decode_score` converts a score of the engine to its value in the game.
        """
        width = 3 + self.players
        self.lengths.update(rows[::width])
        ends = Counter(rows[1::width])
        self.capped += ends[1]
        for mask, matches in Counter(rows[2::width]).items():
            winners = [seat for seat in range(self.players) if mask >> seat & 1]
            for seat in winners:
                (self.solo_wins if len(winners) == 1 else self.shared_wins)[seat] += matches
            self.without_winner += 0 if winners else matches
        self.without_winner -= ends[1]  # these were stopped at the move limit
        for seat in range(self.players):
            finished_rows = compress(rows[3 + seat :: width], map(not_, rows[1::width]))
            for value, matches in Counter(finished_rows).items():
                score = decode_score(value)
                if score is not None:
                    self.scores[score] += matches

    def combine_with(self, other: Tally) -> Tally:
        """Return the sum of two tallies. Neither is changed, so that an interrupt never leaves half a sum."""
        both = Tally(self.players, self.lengths + other.lengths, self.seconds + other.seconds)
        both.seat_total = self.seat_total
        both.capped = self.capped + other.capped
        both.without_winner = self.without_winner + other.without_winner
        both.solo_wins = [a + b for a, b in zip(self.solo_wins, other.solo_wins, strict=True)]
        both.shared_wins = [a + b for a, b in zip(self.shared_wins, other.shared_wins, strict=True)]
        both.scores = self.scores + other.scores
        return both

    @property
    def decisions_per_second(self) -> float:
        """Decisions per second."""
        return self.decisions / self.seconds if self.seconds else 0.0

    def compute_quantiles(self) -> list[tuple[str, ExactNumber]]:
        """Return the quartiles of the scores, each the nearest score that occurred."""
        ordered = sorted(self.scores)
        upto = list(accumulate(self.scores[score] for score in ordered))
        ranks = [(name, round(Fraction((upto[-1] - 1) * per, 100))) for per, name in QUANTILES if ordered]
        return [(name, ordered[bisect_right(upto, rank)]) for name, rank in ranks]

    def format_text(self) -> str:
        """Format the counts as lines of text."""
        from interpreter.runtime.value_text import format_number

        low, high, middle = min(self.lengths), max(self.lengths), self.decisions / self.match_count
        lines = [
            f"{self.players} player{'s' * (self.players > 1)}",
            f"  decisions  {middle:.1f} per match ({low} to {high}), {self.decisions_per_second:,.0f} per second",
            "  wins       "
            + ", ".join(f"seat {seat}: {self.format_share(seat)}" for seat in range(1, self.players + 1)),
        ]
        if any(self.shared_wins):
            lines.append("  shared     " + ", ".join(f"seat {n}: {won}" for n, won in enumerate(self.shared_wins, 1)))
        if self.without_winner:
            lines.append(f"  no winner  {self.without_winner}")
        if self.players > 1:
            lines.append(f"  seats      {self.describe_seat_bias()}")
        if self.scores:
            lines.append(
                "  scores     "
                + ", ".join(
                    f"{QUANTILE_LABELS.get(name, name)} {format_number(value)}"
                    for name, value in self.compute_quantiles()
                )
            )
        if self.capped:
            lines.append(f"  stopped    {self.capped} at the move limit (see --cap)")
        if self.unplayed:
            why = f"the first {self.match_count} all hit the move limit (see --cap, --variant)"
            lines.append(f"  left out   {self.unplayed:,}: {'interrupted' if self.interrupted else why}")
        return "\n".join(lines)

    def find_biased_seats(self) -> list[tuple[int, float]]:
        """Return the seats with significant bias; see `cardlang.lint.playtest.playtest_findings`."""
        wins = [alone + shared for alone, shared in zip(self.solo_wins, self.shared_wins, strict=True)]
        return find_biased_seats(self.match_count - self.capped, wins, max(self.seat_total, self.players))

    def describe_seat_bias(self) -> str:
        """Return a line on seat bias, as far as this number of matches can show it."""
        texts = [f"seat bias: seat {seat + 1} (by chance {format_rarity(p)})" for seat, p in self.find_biased_seats()]
        if texts:
            return ", ".join(texts)
        if self.match_count - self.capped < MIN_BIAS_MATCHES:
            return f"too few matches to tell; use --games {MIN_BIAS_MATCHES}"
        return "no significant difference"

    def format_share(self, seat: int) -> str:
        won = self.solo_wins[seat - 1]
        return f"{won} ({100 * won / self.match_count:.0f}%)"

    def build_json(self) -> dict[str, object]:
        """Return the counts for JSON output."""
        quantiles = {name.replace(" ", "_"): encode_exact_number(value) for name, value in self.compute_quantiles()}
        return {
            "players": self.players,
            "games": self.match_count,
            "capped": self.capped,
            "left_out": self.unplayed,
            "interrupted": self.interrupted,
            "wins": self.solo_wins,
            "shared_wins": self.shared_wins,
            "nobody_won": self.without_winner,
            "seats_unlike_others": [{"seat": seat + 1, "chance": chance} for seat, chance in self.find_biased_seats()],
            "decisions": {
                "total": self.decisions,
                "mean": round(self.decisions / self.match_count, 2),
                "most": max(self.lengths),
            },
            "decisions_per_second": round(self.decisions_per_second),
            "scores": quantiles or None,
        }


# ---------------------------------------------------------------- matches
@frozen
class MatchResult:
    """Result of a match.

    `over` is False if the match was stopped at the move limit; then it has no winner.
    """

    decisions: int
    seconds: float
    over: bool
    winners: list[int]
    scores: list[int | Fraction | None]


def play_match(game: Game, players: int, seed: int, bot: str, cap: int, native: bool = False) -> MatchResult:
    """Play a match to its end or to the move limit.

    With `native`, bots search on the native engine. Raise `RuleError` with the seed if a rule fails or an expectation
    is wrong.
    """
    try:
        if bot == "random":
            return play_random_match(game, players, seed, cap)
        return play_bot_match(game, players, seed, bot, cap, native)
    except RuleError as error:
        raise RuleError(error.span, f"{error.message} (seed {seed}, {players} players)") from error


def play_random_match(game: Game, players: int, seed: int, cap: int) -> MatchResult:
    """Play with uniformly random moves, using only move codes."""
    program = compile_game(game, players)
    word = iter_move_words(seed).__next__
    begin = perf_counter()
    state = program.start(seed, checking=True)
    apply = program.apply
    decisions = 0
    while state.who >= 0 and decisions < cap:
        legal = state.legal
        apply(state, legal[word() * len(legal) >> 64])
        decisions += 1
    seconds = perf_counter() - begin
    over = state.who < 0
    return MatchResult(
        decisions, seconds, over, program.find_winners(state) if over else [], program.compute_scores(state)
    )


def play_bot_match(game: Game, players: int, seed: int, bot: str, cap: int, native: bool) -> MatchResult:
    """Play with bots of one level. They limit playouts by number, not time, so that a seed gives the same match."""
    begin = perf_counter()
    match = start(game, players, seed, checking=True)
    bots = [make_bot(bot, seed * 100 + seat, native=native) for seat in range(players)]
    decisions = 0
    while match.decision is not None and decisions < cap:
        match.choose(bots[match.decision.seat].choose(match))
        decisions += 1
    winners = [match.players.index(name) for name in match.winners]
    return MatchResult(decisions, perf_counter() - begin, match.over, winners, match.scores)
