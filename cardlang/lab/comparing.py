"""Comparison of two games from pairs of matches: differences, their confidence intervals and verdicts in words."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from cardlang.lab.figures import Compared, Comparison, Difference, Verdict
from cardlang.lab.intervals import mean_interval, rounded_up
from cardlang.lab.pairing import SCALE
from cardlang.lab.summing import Sums
from cardlang.lab.words import many, matches
from cardlang.words import join

EQUAL = "practically equal"
FEWEST = 30
"""Smallest number of pairs for a verdict: the intervals need that many to be reliable."""
NOTICED = 0.05
"""Tolerance: a relative difference of a mean, or an absolute one of a share, below this counts as equal."""


@frozen
class Measure:
    """Quantity compared between the two games.

    `words` is its title. `more` and `less` describe the second game if its value is higher or lower. Stored values are
    multiplied by `scale`. A `share` is a part of 1, printed in percent."""

    name: str
    words: str
    more: str
    less: str
    scale: int = 1
    share: bool = False


MEASURES = (
    Measure("decisions", "decisions per match", "longer", "shorter"),
    Measure("turns", "turns per match", "with more turns", "with fewer turns"),
    Measure("rounds", "rounds per match", "with more rounds", "with fewer rounds"),
    Measure("capped", "matches that hit the move limit", "less likely to finish", "more likely to finish", SCALE, True),
    Measure("forced", "forced decisions", "with fewer real choices", "with more real choices", SCALE, True),
    Measure("moves", "legal moves, mean", "with more legal moves", "with fewer legal moves", SCALE),
    Measure("shared", "matches without a single winner", "more often undecided", "less often undecided", SCALE, True),
    Measure("changes", "lead changes", "with more lead changes", "with fewer lead changes"),
    Measure("comebacks", "comebacks after half-time", "with more comebacks", "with fewer comebacks", SCALE, True),
    Measure("decided", "played when the winner leads for good", "decided later", "decided earlier", SCALE, True),
    Measure("score", "mean score", "with higher scores", "with lower scores", SCALE),
    Measure("lead", "highest score minus lowest", "with a wider spread of scores", "with a narrower spread of scores",
            SCALE),
)  # fmt: skip


def seat_measure(seat: int) -> Measure:
    name = f"seat {seat}"
    return Measure(name, f"won by {name}", f"won more often by {name}", f"won less often by {name}", SCALE, True)


def compared(first: str, second: str, seed: int, cap: int, wanted: int, counts: Sequence[tuple[int, Sums]],
             interrupted: bool = False) -> Comparison:  # fmt: skip
    """Compare two games. `counts` has the sums of the pairs for each player count."""
    measures = {players: [*MEASURES, *map(seat_measure, range(1, players + 1))] for players, _ in counts}
    looked = sum(len(each) for each in measures.values())
    found = [chapter(players, sums, measures[players], looked, second) for players, sums in counts]
    return Comparison(first, second, seed, cap, wanted, interrupted, tuple(found))


def chapter(players: int, sums: Sums, measures: Sequence[Measure], looked: int, second: str) -> Compared:
    found = [each for measure in measures if (each := difference(sums, measure, looked)) is not None]
    played = sums["matches"]["played",]
    return Compared(players, played, tuple(found), verdict(found, played, second))


def difference(sums: Sums, measure: Measure, looked: int) -> Difference | None:
    """Return the figures for one measure. Return None if no pair has it, or if it is 0 in both games."""
    values = {name: column(sums, name, measure.name) for name in ("first", "second", "difference")}
    of = sum(values["difference"].values())
    if not of or not any(values["first"] | values["second"]):
        return None
    first, second = (total(values[name]) / of / measure.scale for name in ("first", "second"))
    squares = sum(value * value * count for value, count in values["difference"].items())
    mean, low, high = (each / measure.scale for each in mean_interval(total(values["difference"]), squares, of, looked))
    counts = tuple(sorted(values["difference"].items()))
    return Difference(measure.name, measure.words, measure.share, of, first, second, mean, low, high,
                      judged(measure, of, first, (mean, low, high)), counts)  # fmt: skip


def column(sums: Sums, table: str, name: str) -> dict[int, int]:
    return {int(key[1]): count for key, count in sums[table].items() if key[0] == name}


def total(counts: dict[int, int]) -> int:
    return sum(value * count for value, count in counts.items())


def judged(measure: Measure, of: int, first: float, interval: tuple[float, float, float]) -> Verdict:
    mean, low, high = interval
    noticed = NOTICED if measure.share else NOTICED * abs(first)
    if of >= FEWEST and (low > 0 or high < 0):
        return Verdict("plain", measure.more if mean > 0 else measure.less)
    if of >= FEWEST and max(high, -low) <= noticed:
        return Verdict("plain", EQUAL)
    half = max((high - low) / 2, 1e-9)
    more = max(2 * of, FEWEST, int(of * (half / noticed) ** 2) if noticed else 0)
    return Verdict("few", f"too few matches to tell: run {rounded_up(more):,}")


def verdict(found: Sequence[Difference], played: int, second: str) -> Verdict:
    told = [each.verdict.text for each in found if each.verdict.kind == "plain" and each.verdict.text != EQUAL]
    few = sum(each.verdict.kind == "few" for each in found)
    rest = f" {many(few, 'measure')} {'needs' if few == 1 else 'need'} more matches." if few else ""
    if told:
        return Verdict("plain", f"Matches of {second} are {join(told)}.{rest}")
    if few:
        return Verdict("few", f"No difference found in {matches(played)}.{rest}")
    return Verdict("good", f"The games are practically equal in {matches(played)}.")
