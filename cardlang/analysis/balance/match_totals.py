"""Mergeable totals of match statistics over many matches.

Addition is associative and commutative. So matches can run in batches, in several processes, and with breaks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from attrs import define, field

from cardlang.analysis.balance.match_stats import MatchStats
from cardlang.model.exact_numbers import encode_exact_number

TableKey = tuple[int | str, ...]
TOTAL_TABLES = (
    "matches", "sat", "won", "lengths", "rounds", "offered", "turns", "used", "matches_used", "times_used",
    "times_capped", "lay", "read", "held", "played", "matches_held", "matches_played", "scores", "margins",
    "ahead", "changes", "decided", "tried",
)  # fmt: skip
MATCH_PARTS = 20
"""Number of equal parts of a match, for figures on leads."""


@define
class MatchTotals:
    """Counts by table and key. All are integers, so the order of addition doesn't matter.

    - `matches`: `played`, `over`, `matches_at_move_limit`, `unwon` (finished without a winner), `shared`
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
      `cardlang.analysis.balance.match_stats`), and the sum of the `squares` of their differences"""

    tables: dict[str, Counter[TableKey]] = field(factory=lambda: {name: Counter() for name in TOTAL_TABLES})

    @classmethod
    def create_empty(cls, tables: Sequence[str]) -> MatchTotals:
        """Return sums with other tables, all empty."""
        return cls({name: Counter() for name in tables})

    def combine_with(self, other: MatchTotals) -> MatchTotals:
        """Return the sum of two totals. Neither is changed, so that an interrupt never leaves half a sum."""
        return MatchTotals({name: counts + other.tables[name] for name, counts in self.tables.items()})

    @property
    def match_count(self) -> int:
        return self.tables["matches"]["played",]

    @property
    def matches_at_move_limit(self) -> int:
        return self.tables["matches"]["capped",]

    def __getitem__(self, name: str) -> Counter[TableKey]:
        return self.tables[name]

    def get_column(self, name: str) -> dict[int, int]:
        """Return a table with one-number keys, by that number."""
        return {int(key[0]): count for key, count in sorted(self.tables[name].items())}

    def build_json(self) -> dict[str, list[list[int | str]]]:
        """Return the sums as plain data: the rows of each table, with the key and the count in one list."""
        return {
            name: [[*key, count] for key, count in sorted(table.items(), key=get_sort_key)]
            for name, table in self.tables.items()
        }

    @classmethod
    def from_json(cls, data: object, tables: Sequence[str] = TOTAL_TABLES) -> MatchTotals:
        """Read sums from plain data. Raise ValueError if it is malformed."""
        totals = cls.create_empty(tables)
        if not isinstance(data, dict) or data.keys() != totals.tables.keys():
            raise ValueError("these are no sums")
        for name, rows in data.items():
            if not isinstance(rows, list) or not all(isinstance(row, list) and is_count_row(row) for row in rows):
                raise ValueError(f"{name} is no table")
            totals.tables[name].update({tuple(row[:-1]): row[-1] for row in rows})
        return totals


def get_sort_key(row: tuple[TableKey, int]) -> list[tuple[bool, int | str]]:
    return [(isinstance(part, str), part) for part in row[0]]


def is_count_row(row: list[object]) -> bool:
    return len(row) > 1 and all(type(part) in (int, str) for part in row) and type(row[-1]) is int and row[-1] > 0


def add_match(totals: MatchTotals, stats: MatchStats) -> None:
    """Add the counts of a match."""
    for name, key, count in count_match(stats):
        totals.tables[name][key] += count


TableCount = tuple[str, TableKey, int]


def count_match(stats: MatchStats) -> Iterator[TableCount]:
    yield "matches", ("played",), 1
    yield "lengths", (stats.decisions,), 1
    yield "turns", (stats.turns,), 1
    yield "rounds", (stats.rounds,), 1
    yield from (("offered", (moves,), count) for moves, count in stats.move_counts.items())
    yield from count_rule_uses(stats)
    yield from count_playouts(stats)
    if not stats.is_over:
        yield "matches", ("capped",), 1
        yield from (("times_capped", rule_position, sum(times)) for rule_position, times in stats.use_counts.items())
        return
    yield "matches", ("over",), 1
    if len(stats.winners) != 1:
        yield "matches", ("shared" if stats.winners else "unwon",), 1
    yield from count_results(stats)
    yield from count_margin(stats)
    yield from count_uses_by_result(stats)
    if len(stats.players_by_seat) > 1:
        yield from count_leads(stats)


def count_rule_uses(stats: MatchStats) -> Iterator[TableCount]:
    yield from (("lay", zone_key, 1) for zone_key in stats.zones_seen)
    yield from (("matches_held", (face,), 1) for face in stats.held_by)
    yield from (("matches_played", (face,), 1) for face in stats.played_by)
    for rule_position, times in stats.use_counts.items():
        yield "matches_used", rule_position, 1
        yield "times_used", rule_position, sum(times)


def count_playouts(stats: MatchStats) -> Iterator[TableCount]:
    if stats.playout_values is not None:
        best, any_ = stats.playout_values.best, stats.playout_values.mean
        for name, count in (("decisions", 1), ("best", best), ("any", any_), ("squares", (best - any_) ** 2)):
            yield from [("tried", (name,), count)] if count else []


def count_results(stats: MatchStats) -> Iterator[TableCount]:
    for seat, player in enumerate(stats.players_by_seat):
        yield "sat", (player, seat), 1
        if seat in stats.winners:
            yield "won", (player, seat), 1
        score = stats.scores[seat]
        if score is not None:
            yield "scores", (encode_exact_number(score), int(seat in stats.winners)), 1


def count_margin(stats: MatchStats) -> Iterator[TableCount]:
    """Yield the difference between the winner's score and the nearest other score."""
    known = [score for score in stats.scores if score is not None]
    if stats.winners and len(known) == len(stats.players_by_seat) > 1:
        best = Fraction(known[stats.winners[0]])
        others = [abs(score - best) for seat, score in enumerate(known) if seat != stats.winners[0]]
        yield "margins", (0 if len(stats.winners) > 1 else round(min(others)),), 1


def count_uses_by_result(stats: MatchStats) -> Iterator[TableCount]:
    """Yield the uses of rules and cards, by whether the player won."""
    for seat in range(len(stats.players_by_seat)):
        won = int(seat in stats.winners)
        yield from (
            ("used", (*rule_position, won), 1) for rule_position, times in stats.use_counts.items() if times[seat]
        )
        for name, masks in (("held", stats.held_by), ("played", stats.played_by)):
            yield from ((name, (face, won), 1) for face, mask in masks.items() if mask >> seat & 1)
        yield from (
            ("read", (*rule_position, won), 1) for rule_position, mask in stats.rank_holders.items() if mask >> seat & 1
        )


def count_leads(stats: MatchStats) -> Iterator[TableCount]:
    """Yield the counts on leads and comebacks."""
    yield "changes", (count_lead_changes(stats),), 1
    if len(stats.winners) != 1 or not stats.decisions:
        return
    winner = 1 << stats.winners[0]
    for part in range(MATCH_PARTS + 1):
        now = find_leaders_at(stats, part)
        how = "ahead" if now == winner else "level" if not now or now & winner else "behind"
        yield "ahead", (part, how), 1
    yield "decided", (find_decided_part(stats),), 1


def count_lead_changes(stats: MatchStats) -> int:
    """Return the number of times that the sole leader changed."""
    sole = [leaders for _, leaders in stats.leaders if leaders and leaders & leaders - 1 == 0]
    return sum(one != other for one, other in pairwise(sole))


def find_decided_part(stats: MatchStats) -> int:
    """Return the part of a match (0 to MATCH_PARTS) after which the winner led for good. It is MATCH_PARTS for a
    lead at the end only."""
    winner = 1 << stats.winners[0]
    behind = [decision_index for decision_index, leaders in stats.leaders if leaders != winner]
    first = next(
        (decision_index for decision_index, _ in stats.leaders if not behind or decision_index > behind[-1]),
        stats.decisions,
    )
    return first * MATCH_PARTS // stats.decisions


def find_leaders_at(stats: MatchStats, part: int) -> int:
    """Return the leaders after `part` of MATCH_PARTS parts of the match, as a bit set."""
    now = 0
    for decision_index, leaders in stats.leaders:
        if decision_index * MATCH_PARTS > part * stats.decisions:
            break
        now = leaders
    return now
