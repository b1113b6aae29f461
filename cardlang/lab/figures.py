"""Figures of a report as plain data, for other programs: names, numbers, strings and tuples of these.

These classes define `docs/report.schema.json`."""

from __future__ import annotations

from typing import Any, Literal

import attrs
from attrs import frozen

DIGITS = 6
"""Decimal places of shares and means in JSON."""

Counts = tuple[tuple[int, int], ...]


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
    counts: Counts


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

    offered: Counts
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


@frozen
class Balance:
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

    def data(self) -> dict[str, Any]:
        """Return the report as plain data for JSON."""
        return attrs.asdict(self, value_serializer=lambda _, __, value: told(value))


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
    counts: Counts


@frozen
class Compared:
    """Differences at one player count."""

    players: int
    matches: int
    differences: tuple[Difference, ...]
    verdict: Verdict


@frozen
class Comparison:
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

    def data(self) -> dict[str, Any]:
        """Return the comparison as plain data for JSON."""
        return attrs.asdict(self, value_serializer=lambda _, __, value: told(value))


def told(value: Any) -> Any:
    return round(value, DIGITS) if type(value) is float else value
