"""What a report says, as plain data: names, numbers, texts and tuples of these, so that other programs can read it.
`docs/report.schema.json` is made of these classes."""

from __future__ import annotations

from typing import Any, Literal

import attrs
from attrs import frozen

DIGITS = 6
"""So many places of a share or a mean are told."""

Counts = tuple[tuple[int, int], ...]


@frozen
class Verdict:
    """`kind`: whether it is as one would wish (`good`), or not (`bad`), or cannot be told of so few matches (`few`);
    `plain` judges nothing."""

    kind: Literal["good", "bad", "few", "plain"]
    text: str


@frozen
class Share:
    """`count` of `of`, as a part of 1, and the interval that the true share lies in."""

    count: int
    of: int
    share: float
    low: float
    high: float


@frozen
class Spread:
    """How something that is counted once in a match is spread over matches. `low`, `high`: 5% of all are less, or more.
    `counts`: pairs of a number and how often it occurred, ascending."""

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
    """`fair`: what each seat would win if all were alike; `wins`: by seat, shared wins count for each who shares
    them."""

    fair: float
    wins: tuple[Share, ...]
    verdict: Verdict


@frozen
class Cost:
    """Trial games that went on from `decisions` decisions, one of a match, after each of a few moves, by chance: how
    often they were won after the `best` of these moves, and after `any`; `cost` is the difference."""

    decisions: int
    best: float
    any: float
    cost: float
    low: float
    high: float


@frozen
class Player:
    """`bot`: the sort of bot that played; it sat everywhere equally often."""

    name: str
    bot: str
    wins: Share


@frozen
class Skill:
    """`cost`: null where one plays alone, or no trial games were played."""

    players: tuple[Player, ...]
    cost: Cost | None
    verdict: Verdict


@frozen
class Choices:
    """`offered`: pairs of a number of moves and how often somebody chose from so many; a choice of several cards is
    one. `forced`: those with one move. `several_in_a_turn`: choices with more than one, on average."""

    offered: Counts
    median: int
    forced: Share
    several_in_a_turn: float
    verdict: Verdict


@frozen
class Course:
    """Matches that one player won. `ahead`: by twentieth of the match, its end too, how often the one who won in the
    end had the highest score alone; `behind`: somebody else had. `comebacks`: behind when half was played. `decided`:
    how many twentieths were played when the winner was ahead for good, the most quarter by quarter. `changes`: of the
    lead."""

    changes: Spread
    ahead: tuple[float, ...]
    behind: tuple[float, ...]
    comebacks: Share
    decided: Spread
    verdict: Verdict


@frozen
class Scores:
    """`counts`: scores with how often they occurred, ascending; a fraction is a text such as `75/2`. The means are of
    those who won and of the others. `margins`: from the winner's score to the nearest of another, rounded; 0 where
    several won."""

    counts: tuple[tuple[int | str, int], ...]
    winners_mean: float
    others_mean: float
    margins: Spread


@frozen
class Chapter:
    """What matches of so many players say. `unwon`: over, and nobody has won; `shared`: won by several; `capped`: given
    up at the cap of decisions. `rounds` is null where a match has none; `course` and `scores` too."""

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
    """A rule or a card, in all matches. `matches`: so many had it; `times`: how often in all (0 for cards). `players`:
    how many players did it, had it (`held`) or chose it (`played`), counted anew in each match that came to its end;
    `won`: so many of them won, `expected`: so many would have if it made no difference. `ratio` is won / expected, with
    its interval; null where nothing was expected. `chance`: how often chance shows so much, corrected for all that was
    looked at."""

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
    """What no match came to: a place in a file, or a card."""

    file: str
    line: int
    what: str


@frozen
class Balance:
    """All of it. `file`: of the game; `matches`: for each number of players so many were wanted; `interrupted`: not all
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
        """For JSON."""
        return attrs.asdict(self, value_serializer=lambda _, __, value: told(value))


@frozen
class Difference:
    """A measure of matches, in both games and the mean of its differences (the second less the first), in pairs of
    matches with the same seed; with its interval. `share`: a part of 1. `counts`: pairs of a difference and how many
    pairs of matches had it, ascending; those of shares and scores are in thousandths."""

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
    """Pairs of matches of so many players."""

    players: int
    matches: int
    differences: tuple[Difference, ...]
    verdict: Verdict


@frozen
class Comparison:
    """All of it. `first`, `second`: the games, with their variants; `matches`: so many were wanted of each, for each
    number of players; `interrupted`: not all were played."""

    first: str
    second: str
    seed: int
    cap: int
    matches: int
    interrupted: bool
    chapters: tuple[Compared, ...]

    def data(self) -> dict[str, Any]:
        """For JSON."""
        return attrs.asdict(self, value_serializer=lambda _, __, value: told(value))


def told(value: Any) -> Any:
    return round(value, DIGITS) if type(value) is float else value
