"""Simulation of bot matches, with tallies of the results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import compress
from operator import add
from time import perf_counter

from attrs import frozen

from cardlang.analysis.balance.match_stats import build_move_chooser
from cardlang.analysis.balance.match_totals import MatchTotals
from cardlang.analysis.balance.report_statistics import Spread, compute_distribution, find_quantile
from cardlang.english.morphology import format_count
from cardlang.lint.playtest.playtest_findings import find_biased_seats, format_rarity
from cardlang.lint.playtest.playtest_report import MIN_BIAS_MATCHES
from cardlang.model import Game
from cardlang.model.exact_numbers import ExactNumber, encode_exact_number
from interpreter.program.program import compile_game
from interpreter.runtime.errors import RuleError

QUANTILES = ((0, "lowest"), (0.25, "quarter"), (0.5, "median"), (0.75, "three quarters"), (1, "highest"))
QUANTILE_LABELS = {"quarter": "lower quartile", "three quarters": "upper quartile"}
"""Names of `QUANTILES` in printed text."""


TALLY_TABLES = ("matches", "lengths", "solo_wins", "shared_wins", "scores")
"""Tables of the totals that `play_match` results are added to.

`matches` has the numbers `played`, `capped` and `unwon` (finished without a winner), and the `nanoseconds` of play.
Wins are by seat. A shared win counts for each winner."""


def add_result(totals: MatchTotals, result: MatchResult) -> None:
    """Add a match. Its scores count only if it ended."""
    facts = {
        "played": 1,
        "capped": not result.over,
        "unwon": result.over and not result.winners,
        "nanoseconds": round(result.seconds * 1e9),
    }
    totals["matches"].update({(name,): int(count) for name, count in facts.items()})
    totals["lengths"][result.decisions,] += 1
    totals["solo_wins" if len(result.winners) == 1 else "shared_wins"].update((seat,) for seat in result.winners)
    if result.over:
        totals["scores"].update((encode_exact_number(score),) for score in result.scores if score is not None)


def add_native_rows(
    totals: MatchTotals, rows: Sequence[int], players: int, decode_score: Callable[[int], ExactNumber | None]
) -> None:
    """Add matches of the native engine. `rows` has the format of `NativeEngine.play_matches`.

    No match may have an error. `decode_score` converts a score of the engine to its value in the game.
    """
    width = 3 + players
    lengths, ends, winners = (rows[column::width] for column in range(3))
    finished = [not end for end in ends]
    totals["lengths"].update({(length,): matches for length, matches in Counter(lengths).items()})
    totals["matches"].update(
        {("played",): len(lengths), ("capped",): sum(ends), ("unwon",): list(compress(winners, finished)).count(0)}
    )
    for mask, matches in Counter(winners).items():
        seats = [seat for seat in range(players) if mask >> seat & 1]
        for seat in seats:
            totals["solo_wins" if len(seats) == 1 else "shared_wins"][seat,] += matches
    for column in range(3, width):
        for value, matches in Counter(compress(rows[column::width], finished)).items():
            score = decode_score(value)
            if score is not None:
                totals["scores"][encode_exact_number(score),] += matches


@frozen
class Tally:
    """Results of matches with one player count.

    - `seat_total`: total number of seats in all tallies reported together, for the significance test
    - `unplayed`: matches that were not played, because all earlier ones hit the move limit or the user `interrupted`
    """

    players: int
    totals: MatchTotals
    seat_total: int
    unplayed: int = 0
    interrupted: bool = False

    @property
    def match_count(self) -> int:
        return self.totals.match_count

    @property
    def finished_count(self) -> int:
        return self.match_count - self.totals.matches_at_move_limit

    @property
    def decisions(self) -> Spread:
        return compute_distribution(self.totals.get_column("lengths"))

    @property
    def decisions_per_second(self) -> float:
        seconds = self.totals["matches"]["nanoseconds",] / 1e9
        return sum(value * count for value, count in self.decisions.counts) / seconds if seconds else 0.0

    def list_wins(self, table: str) -> list[int]:
        return [self.totals[table][seat,] for seat in range(self.players)]

    def compute_quantiles(self) -> list[tuple[str, ExactNumber]]:
        """Return the quartiles of the scores, each the nearest score that occurred."""
        scores = Counter[ExactNumber]()
        for (score,), count in self.totals["scores"].items():
            scores[score if isinstance(score, int) else Fraction(score)] += count
        return [(name, find_quantile(scores, scores.total(), part)) for part, name in QUANTILES if scores]

    def format_text(self) -> str:
        """Format the counts as lines of text."""
        from interpreter.runtime.value_formatting import format_number

        length, wins, shared = self.decisions, self.list_wins("solo_wins"), self.list_wins("shared_wins")
        range_text = f"{length.mean:.1f} per match ({length.lowest} to {length.highest})"
        lines = [
            format_count(self.players, "player"),
            f"  decisions  {range_text}, {self.decisions_per_second:,.0f} per second",
            "  wins       "
            + ", ".join(f"seat {n}: {won} ({100 * won / self.match_count:.0f}%)" for n, won in enumerate(wins, 1)),
        ]
        if any(shared):
            lines.append("  shared     " + ", ".join(f"seat {n}: {won}" for n, won in enumerate(shared, 1)))
        if unwon := self.totals["matches"]["unwon",]:
            lines.append(f"  no winner  {unwon}")
        if self.players > 1:
            lines.append(f"  seats      {self.describe_seat_bias()}")
        scores = [
            f"{QUANTILE_LABELS.get(name, name)} {format_number(value)}" for name, value in self.compute_quantiles()
        ]
        if scores:
            lines.append("  scores     " + ", ".join(scores))
        if self.totals.matches_at_move_limit:
            lines.append(f"  stopped    {self.totals.matches_at_move_limit} at the move limit (see --cap)")
        if self.unplayed:
            why = f"the first {self.match_count} all hit the move limit (see --cap, --variant)"
            lines.append(f"  left out   {self.unplayed:,}: {'interrupted' if self.interrupted else why}")
        return "\n".join(lines)

    def find_biased_seats(self) -> list[tuple[int, float]]:
        """Return the seats with significant bias; see `cardlang.lint.playtest.playtest_findings`."""
        wins = list(map(add, self.list_wins("solo_wins"), self.list_wins("shared_wins")))
        return find_biased_seats(self.finished_count, wins, self.seat_total)

    def describe_seat_bias(self) -> str:
        """Return a line on seat bias, as far as this number of matches can show it."""
        texts = [f"seat bias: seat {seat + 1} (by chance {format_rarity(p)})" for seat, p in self.find_biased_seats()]
        if texts:
            return ", ".join(texts)
        if self.finished_count < MIN_BIAS_MATCHES:
            return f"too few matches to tell; use --games {MIN_BIAS_MATCHES}"
        return "no significant difference"

    def build_json(self) -> dict[str, object]:
        """Return the counts for JSON output."""
        quantiles = {name.replace(" ", "_"): encode_exact_number(value) for name, value in self.compute_quantiles()}
        length = self.decisions
        return {
            "players": self.players,
            "games": self.match_count,
            "capped": self.totals.matches_at_move_limit,
            "left_out": self.unplayed,
            "interrupted": self.interrupted,
            "wins": self.list_wins("solo_wins"),
            "shared_wins": self.list_wins("shared_wins"),
            "nobody_won": self.totals["matches"]["unwon",],
            "seats_unlike_others": [{"seat": seat + 1, "chance": chance} for seat, chance in self.find_biased_seats()],
            "decisions": {
                "total": sum(value * count for value, count in length.counts),
                "mean": round(length.mean, 2),
                "most": length.highest,
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

    With `native`, bots search on the native engine. They limit playouts by number, not time, so that a seed gives the
    same match. Raise `RuleError` with the seed if a rule fails or an expectation is wrong.
    """
    try:
        program = compile_game(game, players)
        choose = build_move_chooser(program, [bot] * players, seed, native)
        begin, decisions = perf_counter(), 0
        state = program.start(seed, checking=True)
        while state.who >= 0 and decisions < cap:
            program.apply(state, choose(state))
            decisions += 1
        seconds, over = perf_counter() - begin, state.who < 0
    except RuleError as error:
        raise RuleError(error.span, f"{error.message} (seed {seed}, {players} players)") from error
    winners = program.find_winners(state) if over else []
    return MatchResult(decisions, seconds, over, winners, program.compute_scores(state))
