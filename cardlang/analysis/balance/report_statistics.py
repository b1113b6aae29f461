"""Data classes and statistics of a report: shares, confidence intervals, spreads and number formats.

The classes define `docs/report.schema.json`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, sqrt
from statistics import NormalDist
from typing import Any, Literal, TypeVar

import attrs
from attrs import frozen

from cardlang.model.exact_numbers import ExactNumber

JSON_DIGITS = 6
"""Decimal places of shares and means in JSON."""
ValueCounts = tuple[tuple[int, int], ...]


@frozen
class Verdict:
    """Verdict in words.

    `kind` is `good` or `bad` from a designer's point of view, `few` if there are too few matches, or `plain` (no
    judgment)."""

    kind: Literal["good", "bad", "few", "plain"]
    text: str


@frozen
class Share:
    """Share: `count` of `of`, as a part of 1, and its confidence interval."""

    count: int
    of: int
    share: float
    low: float
    high: float


@frozen
class Spread:
    """Distribution of a quantity that each match has once.

    `low` and `high` are the 5th and 95th percentile. `counts` has pairs of a value and its number of matches,
    ascending."""

    matches: int
    mean: float
    lowest: int
    low: int
    quarter: int
    median: int
    three_quarters: int
    high: int
    highest: int
    counts: ValueCounts


@frozen
class Seats:
    """Win rates by seat.

    `fair` is the share of wins per seat without a seat bias. `wins` is by seat. A shared win counts for each winner."""

    fair: float
    wins: tuple[Share, ...]
    verdict: Verdict


@frozen
class Cost:
    """Cost of a random move, in win rate, from playouts with random moves at `decisions` decisions, one per match.

    `best` is the win rate after the best of a few moves, `any` the mean after all of them. `cost` is the difference,
    with its confidence interval."""

    decisions: int
    best: float
    any: float
    cost: float
    low: float
    high: float


@frozen
class Player:
    """Player in all matches. `bot` is the type of bot. Each player had every seat equally often."""

    name: str
    bot: str
    wins: Share


@frozen
class Skill:
    """Figures on skill. `cost` is null in solo games, or if there were no playouts."""

    players: tuple[Player, ...]
    cost: Cost | None
    verdict: Verdict


@frozen
class Choices:
    """Figures on decisions.

    `offered` has pairs of a number of legal moves and the number of decisions with it. Choosing several cards is one
    decision. `forced` counts decisions with one legal move. `several_in_a_turn` is the mean number of unforced
    decisions per turn."""

    offered: ValueCounts
    median: int
    forced: Share
    several_in_a_turn: float
    verdict: Verdict


@frozen
class Course:
    """Figures on the course of matches with a single winner.

    The lists have an entry for each twentieth of the match, and one for its end. `ahead` is the share of matches in
    which the later winner had the highest score alone. `behind` is the share in which only other players had the
    highest score. `comebacks` counts matches in which the winner was behind at half-time. `decided` is the number of
    twentieths after which the winner led for good. `changes` is the number of lead changes."""

    changes: Spread
    ahead: tuple[float, ...]
    behind: tuple[float, ...]
    comebacks: Share
    decided: Spread
    verdict: Verdict


@frozen
class Scores:
    """Figures on final scores.

    `counts` has pairs of a score and its count, ascending. A fraction is a string such as `75/2`. The means are of
    winners and of all other players. `margins` are from the winner's score to the nearest other score, rounded. They
    are 0 if several players won."""

    counts: tuple[tuple[int | str, int], ...]
    winners_mean: float
    others_mean: float
    margins: Spread


@frozen
class Chapter:
    """Figures for one player count.

    `unwon` matches finished without a winner, `shared` ones with several winners. `capped` ones were stopped at the
    decision limit. `rounds` is null if matches have no rounds. `course` and `scores` are null if they don't apply."""

    players: int
    matches: int
    over: int
    unwon: int
    shared: int
    capped: int
    seats: Seats
    skill: Skill
    decisions: Spread
    turns: Spread
    rounds: Spread | None
    length: Verdict
    choices: Choices
    course: Course | None
    scores: Scores | None


@frozen
class Use:
    """Rule or card, and its link with winning, over all matches.

    `matches` is the number of matches with it, and `times` the total number of uses (0 for cards). `players` used it,
    had it (`held`) or chose it (`played`), counted once per finished match. `won` of them won. `expected` wins would
    mean that it makes no difference. `ratio` is won / expected, with its confidence interval, or null if `expected` is
    0. `chance` is the p-value of the ratio, corrected for multiple tests."""

    kind: Literal["option", "reaction", "case", "rank", "step", "held", "played"]
    name: str
    file: str
    line: int
    matches: int
    times: int
    players: int
    won: int
    expected: float
    ratio: float | None
    low: float | None
    high: float | None
    chance: float


@frozen
class Unused:
    """Place in a file, or a card, that no match used."""

    file: str
    line: int
    what: str


class Report:
    """Complete report."""

    def build_json(self) -> dict[str, Any]:
        """Return the report as plain data for JSON, with rounded numbers."""
        return attrs.asdict(
            self,  # type: ignore[arg-type]
            value_serializer=lambda _, __, value: round(value, JSON_DIGITS) if type(value) is float else value,
        )


@frozen
class Balance(Report):
    """Complete balance report.

    `file` is the file of the game. `matches` were requested for each player count. `interrupted` means that not all
    were played."""

    game: str
    variant: str | None
    file: str
    seed: int
    cap: int
    matches: int
    interrupted: bool
    chapters: tuple[Chapter, ...]
    uses: tuple[Use, ...]
    uses_verdict: Verdict
    unused: tuple[Unused, ...]
    unused_verdict: Verdict


@frozen
class Difference:
    """Difference of a measure between two games, over pairs of matches with the same seed.

    `first` and `second` are the means. `mean` is the mean difference, second minus first, with its confidence interval.
    `share` marks a part of 1. `counts` has pairs of a difference and its number of matches, ascending. Those of shares
    and scores are in thousandths."""

    name: str
    words: str
    share: bool
    of: int
    first: float
    second: float
    mean: float
    low: float
    high: float
    verdict: Verdict
    counts: ValueCounts


@frozen
class Compared:
    """Differences at one player count."""

    players: int
    matches: int
    differences: tuple[Difference, ...]
    verdict: Verdict


@frozen
class Comparison(Report):
    """Complete comparison of two games.

    `first` and `second` are the games with their variants. `matches` were requested of each game for each player count.
    `interrupted` means that not all were played."""

    first: str
    second: str
    seed: int
    cap: int
    matches: int
    interrupted: bool
    chapters: tuple[Compared, ...]


# ---------------------------------------------------------------- confidence intervals
ERROR_RATE = 0.05
"""Family-wise error rate: the probability that any interval of a kind misses its true value."""


def estimate_share(count: int, total: int, interval_count: float = 1) -> Share:
    """Return `count` of `total` with Wilson's score interval.

    The interval is corrected for `interval_count` simultaneous intervals (Bonferroni).

    Sources: E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22, 1927; O. J.
    Dunn, Multiple comparisons among means, JASA 56, 1961, after C. E. Bonferroni."""
    if not total:
        return Share(0, 0, 0.0, 0.0, 1.0)
    z, p = compute_z_score(interval_count), count / total
    middle = (p + z * z / (2 * total)) / (1 + z * z / total)
    half = z * sqrt(p * (1 - p) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    return Share(count, total, p, max(0.0, middle - half), min(1.0, middle + half))


def estimate_mean(total: int, squares: int, count: int, interval_count: int = 1) -> tuple[float, float, float]:
    """Return the mean of `count` numbers and the ends of its normal confidence interval.

    `total` is their sum, `squares` the sum of their squares."""
    mean = total / count
    error = compute_z_score(interval_count) * sqrt(max(0.0, squares / count - mean * mean) / max(1, count - 1))
    return mean, mean - error, mean + error


def compute_z_score(interval_count: float) -> float:
    """Return the half-width of an interval in standard errors, for `interval_count` simultaneous intervals."""
    return NormalDist().inv_cdf(1 - ERROR_RATE / (2 * max(1, interval_count)))


def compute_sample_size(share: float, half: float, interval_count: float) -> int:
    """Return the sample size for an interval of half-width `half` about a share, rounded up to 1, 2 or 5 times a power
    of 10.

    It is n = p (1 - p) (z / half)², from the simple (Wald) interval."""
    return round_up(ceil(max(share * (1 - share), 0.01) * (compute_z_score(interval_count) / half) ** 2))


def round_up(number: int) -> int:
    unit = 1
    while True:
        for digit in (1, 2, 5):
            if digit * unit >= number:
                return digit * unit
        unit *= 10


def adjust_p_values(p_values: Sequence[float]) -> list[float]:
    """Return p-values of several tests, adjusted to bound the family-wise error rate.

    Source: S. Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6,
    1979."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    adjusted, least = [0.0] * len(p_values), 0.0
    for rank, index in enumerate(order):
        least = max(least, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = least
    return adjusted


# ---------------------------------------------------------------- distributions
Number = TypeVar("Number", int, ExactNumber)
QUANTILE_LEVELS = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)


def compute_distribution(counts: Mapping[int, int]) -> Spread:
    """Return a distribution. `counts` maps numbers to their counts. Quantiles are numbers that occurred."""
    total = sum(counts.values())
    mean = sum(value * count for value, count in counts.items()) / total if total else 0.0
    lowest, low, quarter, median, three, high, highest = (
        find_quantile(counts, total, part) for part in QUANTILE_LEVELS
    )
    ordered = tuple(sorted(counts.items()))
    return Spread(total, mean, lowest, low, quarter, median, three, high, highest, ordered)


def find_quantile(counts: Mapping[Number, int], total: int, part: float) -> Number:
    """Return the quantile at `part` (0 to 1) by the nearest-rank method, or 0 if there are no numbers."""
    left = round(part * (total - 1))
    for value, count in sorted(counts.items()):
        left -= count
        if left < 0:
            return value
    return 0


# ---------------------------------------------------------------- number formats
def format_percent(share: float) -> str:
    """Return a share as `54.2%`."""
    return f"{100 * share:.1f}%"


def format_points(share: float) -> str:
    """Return a share as `1.3 percentage points`."""
    return f"{100 * share:.1f} percentage points"


def format_signed_points(share: float) -> str:
    """Return a share in percentage points, such as `−1.3`, with a typographic minus sign."""
    return f"{100 * share:.1f}".replace("-", "−")


def format_interval(share: Share) -> str:
    """Return a confidence interval as `(53.1% to 55.2%)`."""
    return f"({format_percent(share.low)} to {format_percent(share.high)})"


def format_grouped_count(count: int, noun: str, plural: str = "") -> str:
    """Return a count with its noun, and commas between groups of digits: `1 match`, `2,000 matches`."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def format_matches(count: int) -> str:
    return format_grouped_count(count, "match", "matches")
