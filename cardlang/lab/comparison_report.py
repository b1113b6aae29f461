"""Layout of a comparison report: per player count, a table of all measures and a plot of the shares."""

from __future__ import annotations

from collections.abc import Sequence

from cardlang.lab.drawing import Bar, differences
from cardlang.lab.figures import Compared, Comparison, Difference
from cardlang.lab.report import Plot, Report, Section, Sheet, Table
from cardlang.lab.words import many


def comparison_report(found: Comparison, facts: Sequence[str]) -> Report:
    sheets = [
        Sheet(many(each.players, "player"), f"players-{each.players}", (section(each),)) for each in found.chapters
    ]
    return Report(f"{found.first} → {found.second}", tuple(facts), tuple(sheets))


def section(found: Compared) -> Section:
    parts = [Table(HEAD, tuple(row(each) for each in found.differences), CAPTION)]
    shares = [each for each in found.differences if each.share]
    plots = []
    if shares:
        bars = [Bar(each.words, each.mean, each.low, each.high) for each in shares]
        told = "Differences of shares: " + ", ".join(f"{each.words} {difference(each)}" for each in shares)
        plots.append(
            Plot(
                "Differences in percentage points, with 95 % confidence intervals.",
                differences(bars, told),
            )
        )
    return Section("What is different?", found.verdict, (*parts, *plots))


HEAD = ("", "first", "second", "difference", "95 % CI", "second is")
CAPTION = (
    "Means of matches with equal seeds and seats in both games. The 95 % confidence intervals (CI) hold for all rows "
    "together."
)


def row(each: Difference) -> tuple[str, ...]:
    first, second = number(each, each.first), number(each, each.second)
    interval = f"{signed(each, each.low)} to {signed(each, each.high)}"
    return (each.words, first, second, difference(each), interval, each.verdict.text)


def difference(each: Difference) -> str:
    return signed(each, each.mean)


def number(each: Difference, value: float) -> str:
    return f"{100 * value:.1f}%" if each.share else f"{value:,.2f}"


def signed(each: Difference, value: float) -> str:
    told = f"{100 * value:+.1f}" if each.share else f"{value:+,.2f}"
    return told if told.strip("+-0.") else told.replace("-", "+")
