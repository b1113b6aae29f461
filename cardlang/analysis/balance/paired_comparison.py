"""Paired comparison of two games: matches with the same seeds, and confidence intervals of each difference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from attrs import frozen

from cardlang.analysis.balance.match_stats import MatchStats
from cardlang.analysis.balance.match_totals import (
    MATCH_PARTS,
    MatchTotals,
    count_lead_changes,
    find_decided_part,
    find_leaders_at,
)
from cardlang.analysis.balance.report_statistics import (
    Compared,
    Comparison,
    Difference,
    Verdict,
    estimate_mean,
    format_grouped_count,
    format_matches,
    round_up,
)
from cardlang.english.morphology import join_phrases

PAIR_TABLES = ("matches", "first", "second", "difference")
"""Tables of counts. `matches` counts the pairs `played` and the `capped` ones, in which neither match finished.

`first`, `second` and `difference` count pairs by measure and value."""
MEASURE_SCALE = 1000
"""Scale of shares and scores, so that all sums are integers."""


def add_pair(totals: MatchTotals, first: MatchStats, second: MatchStats) -> None:
    """Add a match of each game."""
    totals["matches"]["played",] += 1
    if not (first.is_over or second.is_over):
        totals["matches"]["capped",] += 1
    one, other = dict(compute_measures(first)), dict(compute_measures(second))
    for name, value in one.items():
        if name in other:
            totals["first"][name, value] += 1
            totals["second"][name, other[name]] += 1
            totals["difference"][name, other[name] - value] += 1


def compute_measures(stats: MatchStats) -> Iterator[tuple[str, int]]:
    """Yield the measures of a match and their values. Measures that don't apply are missing."""
    yield "decisions", stats.decisions
    yield "turns", stats.turns
    yield "rounds", stats.rounds
    total = stats.move_counts.total()
    if total:
        yield "forced", MEASURE_SCALE * stats.move_counts[1] // total
        yield "moves", MEASURE_SCALE * sum(moves * count for moves, count in stats.move_counts.items()) // total
    yield "capped", MEASURE_SCALE * (not stats.is_over)
    if stats.is_over:
        for seat in range(len(stats.players_by_seat)):
            yield f"seat {seat + 1}", MEASURE_SCALE * (seat in stats.winners)
        yield "shared", MEASURE_SCALE * (len(stats.winners) != 1)
        yield from compute_score_measures(stats)
        if len(stats.winners) == 1 and len(stats.players_by_seat) > 1 and stats.decisions:
            yield "changes", count_lead_changes(stats)
            now, winner = find_leaders_at(stats, MATCH_PARTS // 2), 1 << stats.winners[0]
            yield "comebacks", MEASURE_SCALE * bool(now and not now & winner)
            yield "decided", MEASURE_SCALE * find_decided_part(stats) // MATCH_PARTS


def compute_score_measures(stats: MatchStats) -> Iterator[tuple[str, int]]:
    known = [Fraction(score) for score in stats.scores if score is not None]
    if known:
        yield "score", round(MEASURE_SCALE * sum(known) / len(known))
        if len(known) > 1:
            yield "lead", round(MEASURE_SCALE * (max(known) - min(known)))


# ---------------------------------------------------------------- differences
EQUAL_TEXT = "practically equal"
MIN_PAIRS = 30
"""Smallest number of pairs for a verdict: the intervals need that many to be reliable."""
DIFFERENCE_TOLERANCE = 0.05
"""Tolerance: a relative difference of a mean, or an absolute one of a share, below this counts as equal."""


@frozen
class ComparedMeasure:
    """Quantity compared between the two games.

    `title` is its title. `higher_text` and `lower_text` describe the second game if its value is higher or lower.
    Stored values are multiplied by `scale`. With `is_share`, a value is a part of 1, printed in percent."""

    name: str
    title: str
    higher_text: str
    lower_text: str
    scale: int = 1
    is_share: bool = False


MEASURES = tuple(ComparedMeasure(*row) for row in (
    ("decisions", "decisions per match", "longer", "shorter"),
    ("turns", "turns per match", "with more turns", "with fewer turns"),
    ("rounds", "rounds per match", "with more rounds", "with fewer rounds"),
    ("capped", "matches that hit the move limit", "less likely to finish", "more likely to finish",
     MEASURE_SCALE, True),
    ("forced", "forced decisions", "with fewer real choices", "with more real choices", MEASURE_SCALE, True),
    ("moves", "legal moves, mean", "with more legal moves", "with fewer legal moves", MEASURE_SCALE),
    ("shared", "matches without a single winner", "more often undecided", "less often undecided", MEASURE_SCALE, True),
    ("changes", "lead changes", "with more lead changes", "with fewer lead changes"),
    ("comebacks", "comebacks after half-time", "with more comebacks", "with fewer comebacks", MEASURE_SCALE, True),
    ("decided", "played when the winner leads for good", "decided later", "decided earlier", MEASURE_SCALE, True),
    ("score", "mean score", "with higher scores", "with lower scores", MEASURE_SCALE),
    ("lead", "highest score minus lowest", "with a wider spread of scores", "with a narrower spread of scores",
     MEASURE_SCALE),
))  # fmt: skip


def build_seat_measure(seat: int) -> ComparedMeasure:
    name = f"seat {seat}"
    return ComparedMeasure(
        name, f"won by {name}", f"won more often by {name}", f"won less often by {name}", MEASURE_SCALE, True
    )


def compare_totals(
    first: str,
    second: str,
    seed: int,
    cap: int,
    requested: int,
    counts: Sequence[tuple[int, MatchTotals]],
    interrupted: bool = False,
) -> Comparison:
    """Compare two games. `counts` has the sums of the pairs for each player count."""
    measures = {players: [*MEASURES, *map(build_seat_measure, range(1, players + 1))] for players, _ in counts}
    looked = sum(len(each) for each in measures.values())
    comparisons = [
        compare_player_count(players, totals, measures[players], looked, second) for players, totals in counts
    ]
    return Comparison(first, second, seed, cap, requested, interrupted, tuple(comparisons))


def compare_player_count(
    players: int, totals: MatchTotals, measures: Sequence[ComparedMeasure], interval_count: int, second: str
) -> Compared:
    differences = [
        difference
        for measure in measures
        if (difference := compute_game_difference(totals, measure, interval_count)) is not None
    ]
    played = totals.match_count
    return Compared(players, played, tuple(differences), judge_differences(differences, played, second))


def compute_game_difference(totals: MatchTotals, measure: ComparedMeasure, interval_count: int) -> Difference | None:
    """Return the figures for one measure. Return None if no pair has it, or if it is 0 in both games."""
    values = {name: get_value_counts(totals, name, measure.name) for name in ("first", "second", "difference")}
    of = sum(values["difference"].values())
    if not of or not any(values["first"] | values["second"]):
        return None
    first, second = (sum_values(values[name]) / of / measure.scale for name in ("first", "second"))
    squares = sum(value * value * count for value, count in values["difference"].items())
    mean, low, high = (
        each / measure.scale for each in estimate_mean(sum_values(values["difference"]), squares, of, interval_count)
    )
    counts = tuple(sorted(values["difference"].items()))
    return Difference(measure.name, measure.title, measure.is_share, of, first, second, mean, low, high,
                      judge_difference(measure, of, first, (mean, low, high)), counts)  # fmt: skip


def get_value_counts(totals: MatchTotals, table: str, name: str) -> dict[int, int]:
    return {int(key[1]): count for key, count in totals[table].items() if key[0] == name}


def sum_values(counts: dict[int, int]) -> int:
    return sum(value * count for value, count in counts.items())


def judge_difference(
    measure: ComparedMeasure, pair_count: int, first: float, interval: tuple[float, float, float]
) -> Verdict:
    mean, low, high = interval
    noticed = DIFFERENCE_TOLERANCE if measure.is_share else DIFFERENCE_TOLERANCE * abs(first)
    if pair_count >= MIN_PAIRS and (low > 0 or high < 0):
        return Verdict("plain", measure.higher_text if mean > 0 else measure.lower_text)
    if pair_count >= MIN_PAIRS and max(high, -low) <= noticed:
        return Verdict("plain", EQUAL_TEXT)
    half = max((high - low) / 2, 1e-9)
    more = max(2 * pair_count, MIN_PAIRS, int(pair_count * (half / noticed) ** 2) if noticed else 0)
    return Verdict("few", f"too few matches to tell; use --games {round_up(more)}")


def judge_differences(differences: Sequence[Difference], played: int, second: str) -> Verdict:
    findings = [
        difference.verdict.text
        for difference in differences
        if difference.verdict.kind == "plain" and difference.verdict.text != EQUAL_TEXT
    ]
    few = sum(difference.verdict.kind == "few" for difference in differences)
    rest = f" {format_grouped_count(few, 'measure')} {'needs' if few == 1 else 'need'} more matches." if few else ""
    if findings:
        return Verdict("plain", f"Matches of {second} are {join_phrases(findings)}.{rest}")
    if few:
        return Verdict("few", f"No difference found in {format_matches(played)}.{rest}")
    return Verdict("good", f"The games are practically equal in {format_matches(played)}.")
