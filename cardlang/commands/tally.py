"""Counts of wins, lengths and scores over many matches."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate, compress
from operator import not_
from typing import TYPE_CHECKING

from attrs import define, field

from cardlang.lab.likelihood import ENOUGH, once_in, unlike

if TYPE_CHECKING:
    from cardlang.commands.matches import Result

Number = int | Fraction
QUANTILES = ((0, "lowest"), (25, "quarter"), (50, "median"), (75, "three quarters"), (100, "highest"))
SAID = {"quarter": "lower quartile", "three quarters": "upper quartile"}
"""Names of `QUANTILES` in printed text."""


@define
class Tally:
    """Counts over matches with one player count.

    - Wins are by seat. A shared win counts for each winner.
    - `lengths`, `scores`: number of times each value occurred
    - `left_out`: matches that were not played, because all earlier ones hit the move limit or the user `interrupted`
    - `figures`: total number of seats in all tallies reported together, for the significance test
    """

    players: int
    lengths: Counter[int] = field(factory=Counter)
    seconds: float = 0.0
    capped: int = 0
    unwon: int = 0
    alone: list[int] = field(init=False)
    shared: list[int] = field(init=False)
    scores: Counter[Number] = field(factory=Counter)
    left_out: int = 0
    interrupted: bool = False
    figures: int = 0

    def __attrs_post_init__(self) -> None:
        self.alone = [0] * self.players
        self.shared = [0] * self.players

    @property
    def games(self) -> int:
        return self.lengths.total()

    @property
    def decisions(self) -> int:
        return sum(length * matches for length, matches in self.lengths.items())

    def count(self, result: Result) -> None:
        """Add a match. Its scores count only if it ended."""
        self.lengths[result.decisions] += 1
        self.seconds += result.seconds
        self.capped += not result.over
        self.unwon += result.over and not result.winners
        wins = self.alone if len(result.winners) == 1 else self.shared
        for seat in result.winners:
            wins[seat] += 1
        if result.over:
            self.scores.update(score for score in result.scores if score is not None)

    def count_rows(self, rows: Sequence[int], known: Callable[[int], Number | None]) -> None:
        """Add matches of the native engine. `rows` has the format of `interpreter.native.engine.Engine.play`.

        No match may have an error. `known` converts a score of the engine to its value in the game.
        """
        width = 3 + self.players
        self.lengths.update(rows[::width])
        ends = Counter(rows[1::width])
        self.capped += ends[1]
        for mask, matches in Counter(rows[2::width]).items():
            winners = [seat for seat in range(self.players) if mask >> seat & 1]
            for seat in winners:
                (self.alone if len(winners) == 1 else self.shared)[seat] += matches
            self.unwon += 0 if winners else matches
        self.unwon -= ends[1]  # these were stopped at the move limit
        for seat in range(self.players):
            kept = compress(rows[3 + seat :: width], map(not_, rows[1::width]))
            for value, matches in Counter(kept).items():
                score = known(value)
                if score is not None:
                    self.scores[score] += matches

    def with_(self, other: Tally) -> Tally:
        """Return the sum of two tallies. Neither is changed, so that an interrupt never leaves half a sum."""
        both = Tally(self.players, self.lengths + other.lengths, self.seconds + other.seconds)
        both.figures = self.figures
        both.capped = self.capped + other.capped
        both.unwon = self.unwon + other.unwon
        both.alone = [a + b for a, b in zip(self.alone, other.alone, strict=True)]
        both.shared = [a + b for a, b in zip(self.shared, other.shared, strict=True)]
        both.scores = self.scores + other.scores
        return both

    @property
    def rate(self) -> float:
        """Decisions per second."""
        return self.decisions / self.seconds if self.seconds else 0.0

    def quantiles(self) -> list[tuple[str, Number]]:
        """Return the quartiles of the scores, each the nearest score that occurred."""
        ordered = sorted(self.scores)
        upto = list(accumulate(self.scores[score] for score in ordered))
        places = [(name, round(Fraction((upto[-1] - 1) * per, 100))) for per, name in QUANTILES if ordered]
        return [(name, ordered[bisect_right(upto, place)]) for name, place in places]

    def text(self) -> str:
        """Format the counts as lines of text."""
        from interpreter.matches.names import exact

        low, high, middle = min(self.lengths), max(self.lengths), self.decisions / self.games
        lines = [
            f"{self.players} player{'s' * (self.players > 1)}",
            f"  decisions  {middle:.1f} per match ({low} to {high}), {self.rate:,.0f} per second",
            "  wins       " + ", ".join(f"seat {seat}: {self.share(seat)}" for seat in range(1, self.players + 1)),
        ]
        if any(self.shared):
            lines.append("  shared     " + ", ".join(f"seat {n}: {won}" for n, won in enumerate(self.shared, 1)))
        if self.unwon:
            lines.append(f"  no winner  {self.unwon}")
        if self.players > 1:
            lines.append(f"  seats      {self.seats()}")
        if self.scores:
            lines.append(
                "  scores     "
                + ", ".join(f"{SAID.get(name, name)} {exact(value)}" for name, value in self.quantiles())
            )
        if self.capped:
            lines.append(f"  stopped    {self.capped} at the move limit (see --cap)")
        if self.left_out:
            why = f"the first {self.games} all hit the move limit (see --cap, --variant)"
            lines.append(f"  left out   {self.left_out:,}: {'interrupted' if self.interrupted else why}")
        return "\n".join(lines)

    def unlike(self) -> list[tuple[int, float]]:
        """Return the seats with significant bias; see `likelihood.unlike`."""
        wins = [alone + shared for alone, shared in zip(self.alone, self.shared, strict=True)]
        return unlike(self.games - self.capped, wins, max(self.figures, self.players))

    def seats(self) -> str:
        """Return a line on seat bias, as far as this number of matches can show it."""
        found = [f"seat bias: seat {seat + 1} (by chance {once_in(p)})" for seat, p in self.unlike()]
        if found:
            return ", ".join(found)
        if self.games - self.capped < ENOUGH:
            return f"too few matches to tell; use --games {ENOUGH}"
        return "no significant difference"

    def share(self, seat: int) -> str:
        won = self.alone[seat - 1]
        return f"{won} ({100 * won / self.games:.0f}%)"

    def data(self) -> dict[str, object]:
        """Return the counts for JSON output."""
        quantiles = {name.replace(" ", "_"): number(value) for name, value in self.quantiles()}
        return {
            "players": self.players,
            "games": self.games,
            "capped": self.capped,
            "left_out": self.left_out,
            "interrupted": self.interrupted,
            "wins": self.alone,
            "shared_wins": self.shared,
            "nobody_won": self.unwon,
            "seats_unlike_others": [{"seat": seat + 1, "chance": chance} for seat, chance in self.unlike()],
            "decisions": {
                "total": self.decisions,
                "mean": round(self.decisions / self.games, 2),
                "most": max(self.lengths),
            },
            "decisions_per_second": round(self.rate),
            "scores": quantiles or None,
        }


def number(value: Number) -> int | str:
    """Return an exact number for JSON: `12` or `"75/2"`."""
    return value if isinstance(value, int) else str(value)
