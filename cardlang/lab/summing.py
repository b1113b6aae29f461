"""Sums over matches, as tables of counts.

Addition is associative and commutative. So matches can run in batches, in several processes, and with breaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from attrs import define, field

from cardlang.lab.watching import Number, Story

Key = tuple[int | str, ...]
TABLES = (
    "matches", "sat", "won", "lengths", "rounds", "offered", "turns", "used", "matches_used", "times_used",
    "times_capped", "lay", "read", "held", "played", "matches_held", "matches_played", "scores", "margins",
    "ahead", "changes", "decided", "tried",
)  # fmt: skip
PARTS = 20
"""Number of equal parts of a match, for figures on leads."""


@define
class Sums:
    """Counts by table and key. All are integers, so the order of addition doesn't matter.

    - `matches`: `played`, `over`, `capped`, `unwon` (finished without a winner), `shared`
    - `sat`, `won`: finished matches and wins, by player and seat; a shared win counts for each winner
    - `lengths`, `rounds`, `turns`: matches, by the number of decisions, rounds or turns
    - `offered`: decisions, by the number of legal moves
    - `used`, `read`, `held`, `played`: players in finished matches who used, had or chose it. Keys: a place, or the
      number of a face, and whether the player won (1) or not (0)
    - `matches_used`, `matches_held`, `matches_played`: matches with it; `times_used`: number of uses;
      `times_capped`: number of uses in matches stopped at the limit
    - `lay`: matches with such a card in a zone, by the number of the face and the zone
    - `scores`: players, by score and whether they won; `margins`: matches, by the difference between the winner's score
      and the nearest other score
    - `ahead`: matches, by part of the match (the last is its end) and the winner's position then: `ahead`, `level` or
      `behind`
    - `changes`: matches, by the number of lead changes
    - `decided`: matches, by the part after which the winner led for good
    - `tried`: number of `decisions` with playouts, the sums of the playout values `best` and `any` (see
      `cardlang.lab.costs`), and the sum of the `squares` of their differences"""

    tables: dict[str, Counter[Key]] = field(factory=lambda: {name: Counter() for name in TABLES})

    @classmethod
    def blank(cls, tables: Sequence[str]) -> Sums:
        """Return sums with other tables, all empty."""
        return cls({name: Counter() for name in tables})

    def add(self, other: Sums) -> None:
        for name, counts in other.tables.items():
            self.tables[name].update(counts)

    def __getitem__(self, name: str) -> Counter[Key]:
        return self.tables[name]

    def column(self, name: str) -> dict[int, int]:
        """Return a table with one-number keys, by that number."""
        return {int(key[0]): count for key, count in sorted(self.tables[name].items())}

    def data(self) -> dict[str, list[list[int | str]]]:
        """Return the sums as plain data: the rows of each table, with the key and the count in one list."""
        return {
            name: [[*key, count] for key, count in sorted(each.items(), key=order)]
            for name, each in self.tables.items()
        }

    @classmethod
    def of(cls, data: object, tables: Sequence[str] = TABLES) -> Sums:
        """Read sums from plain data. Raise ValueError if it is malformed."""
        sums = cls.blank(tables)
        if not isinstance(data, dict) or data.keys() != sums.tables.keys():
            raise ValueError("these are no sums")
        for name, rows in data.items():
            if not isinstance(rows, list) or not all(isinstance(row, list) and is_row(row) for row in rows):
                raise ValueError(f"{name} is no table")
            sums.tables[name].update({tuple(row[:-1]): row[-1] for row in rows})
        return sums


def order(row: tuple[Key, int]) -> list[tuple[bool, int | str]]:
    return [(isinstance(part, str), part) for part in row[0]]


def is_row(row: list[object]) -> bool:
    return len(row) > 1 and all(type(part) in (int, str) for part in row) and type(row[-1]) is int and row[-1] > 0


def add_story(sums: Sums, story: Story) -> None:
    """Add the counts of a match."""
    for name, key, count in told(story):
        sums.tables[name][key] += count


Count = tuple[str, Key, int]


def told(story: Story) -> Iterator[Count]:
    yield "matches", ("played",), 1
    yield "lengths", (story.decisions,), 1
    yield "turns", (story.turns,), 1
    yield "rounds", (story.rounds,), 1
    yield from (("offered", (moves,), count) for moves, count in story.offered.items())
    yield from uses(story)
    yield from trial_games(story)
    if not story.over:
        yield "matches", ("capped",), 1
        yield from (("times_capped", place, sum(times)) for place, times in story.used.items())
        return
    yield "matches", ("over",), 1
    if len(story.winners) != 1:
        yield "matches", ("shared" if story.winners else "unwon",), 1
    yield from results(story)
    yield from margin(story)
    yield from by_result(story)
    if len(story.sat) > 1:
        yield from course(story)


def uses(story: Story) -> Iterator[Count]:
    yield from (("lay", each, 1) for each in story.lay)
    yield from (("matches_held", (face,), 1) for face in story.held)
    yield from (("matches_played", (face,), 1) for face in story.played)
    for place, times in story.used.items():
        yield "matches_used", place, 1
        yield "times_used", place, sum(times)


def trial_games(story: Story) -> Iterator[Count]:
    if story.tried is not None:
        best, any_ = story.tried.best, story.tried.any
        for name, count in (("decisions", 1), ("best", best), ("any", any_), ("squares", (best - any_) ** 2)):
            yield from [("tried", (name,), count)] if count else []


def results(story: Story) -> Iterator[Count]:
    for seat, player in enumerate(story.sat):
        yield "sat", (player, seat), 1
        if seat in story.winners:
            yield "won", (player, seat), 1
        score = story.scores[seat]
        if score is not None:
            yield "scores", (written(score), int(seat in story.winners)), 1


def margin(story: Story) -> Iterator[Count]:
    """Yield the difference between the winner's score and the nearest other score."""
    known = [score for score in story.scores if score is not None]
    if story.winners and len(known) == len(story.sat) > 1:
        best = Fraction(known[story.winners[0]])
        others = [abs(score - best) for seat, score in enumerate(known) if seat != story.winners[0]]
        yield "margins", (0 if len(story.winners) > 1 else round(min(others)),), 1


def written(score: Number) -> int | str:
    return score if isinstance(score, int) else str(score)


def by_result(story: Story) -> Iterator[Count]:
    """Yield the uses of rules and cards, by whether the player won."""
    for seat in range(len(story.sat)):
        won = int(seat in story.winners)
        yield from (("used", (*place, won), 1) for place, times in story.used.items() if times[seat])
        for name, masks in (("held", story.held), ("played", story.played)):
            yield from ((name, (face, won), 1) for face, mask in masks.items() if mask >> seat & 1)
        yield from (("read", (*place, won), 1) for place, mask in story.read.items() if mask >> seat & 1)


def course(story: Story) -> Iterator[Count]:
    """Yield the counts on leads and comebacks."""
    yield "changes", (lead_changes(story),), 1
    if len(story.winners) != 1 or not story.decisions:
        return
    winner = 1 << story.winners[0]
    for part in range(PARTS + 1):
        now = at(story, part)
        how = "ahead" if now == winner else "level" if not now or now & winner else "behind"
        yield "ahead", (part, how), 1
    yield "decided", (decided_at(story),), 1


def lead_changes(story: Story) -> int:
    """Return the number of times that the sole leader changed."""
    sole = [leaders for _, leaders in story.ahead if leaders and leaders & leaders - 1 == 0]
    return sum(one != other for one, other in pairwise(sole))


def decided_at(story: Story) -> int:
    """Return the part of a match (0 to PARTS) after which the winner led for good. It is PARTS for a lead at the end
    only."""
    winner = 1 << story.winners[0]
    behind = [place for place, leaders in story.ahead if leaders != winner]
    first = next((place for place, _ in story.ahead if not behind or place > behind[-1]), story.decisions)
    return first * PARTS // story.decisions


def at(story: Story, part: int) -> int:
    """Return the leaders after `part` of PARTS parts of the match, as a bit set."""
    now = 0
    for place, leaders in story.ahead:
        if place * PARTS > part * story.decisions:
            break
        now = leaders
    return now
