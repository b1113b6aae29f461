"""HTML page of a balance or comparison report.

It has a chapter per player count. A chapter answers a designer's questions with a verdict, plots and tables. The pages
are in `templates/`; this module has their formats and figures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import jinja2

from cardlang.analysis.balance.match_totals import MATCH_PARTS
from cardlang.analysis.balance.report_statistics import (
    Balance,
    Comparison,
    Difference,
    Unused,
    Use,
    Verdict,
    format_grouped_count,
    format_matches,
    format_percent,
    format_signed_points,
)
from cardlang.analysis.balance.rule_usage import USAGE_LEVEL
from cardlang.english.morphology import join_phrases
from cardlang.rulebook.render.html import create_template_environment

MAX_OPEN_ROWS = 24
"""Maximum number of rows of a table that isn't collapsed."""
COMPARISON_HEAD = ("", "first", "second", "difference", "95 % CI", "second is")


# ---------------------------------------------------------------- balance
def render_balance_report(balance: Balance, facts: Sequence[str]) -> str:
    """Return the page of a balance report. `facts` describe the matches in a few words each."""
    return get_template_environment().get_template("balance.html").render(
        balance=balance,
        facts=facts,
        numbered_chapters=list_chapters(balance),
        overview_verdict=judge_player_counts(balance),
        played=max(1, sum(chapter.matches for chapter in balance.chapters)),
        note=build_table_note(balance),
        card_uses=pair_card_uses(balance),
        location=lambda rule: format_rule_location(rule, balance),
    )  # fmt: skip


def list_chapters(stats: Balance | Comparison) -> list[tuple[str, str]]:
    """Return the anchors and titles of the chapters."""
    counts = [chapter.players for chapter in stats.chapters]
    return [(f"players-{count}", format_grouped_count(count, "player")) for count in counts]


def judge_player_counts(balance: Balance) -> Verdict:
    kinds = {chapter.seats.verdict.kind for chapter in balance.chapters}
    unlike = [f"{chapter.players}" for chapter in balance.chapters if chapter.seats.verdict.kind == "bad"]
    if unlike:
        return Verdict("bad", f"Seat bias with {join_phrases(unlike)} players.")
    if "few" in kinds:
        return Verdict("few", "No seat bias found, but there are too few matches to rule it out.")
    return Verdict("good", "No seat bias at any player count.")


def format_rule_location(rule: Use | Unused, balance: Balance) -> str:
    """Return the line number of a rule, such as `12`. A rule from a library also gets the library's name."""
    library = rule.file.rpartition("/")[2].rpartition("\\")[2].removesuffix(".cardgame")
    return f"{rule.line}" if rule.file == balance.file else f"{library} {rule.line}"


def build_table_note(balance: Balance) -> str:
    over, played = (sum(getattr(chapter, name) for chapter in balance.chapters) for name in ("over", "matches"))
    only = f" in the {format_matches(over)} that finished" if over < played else ""
    note = (
        f"The win ratio is the win rate of players who used it, or had it{only}, divided by a fair share. "
        f"After it comes its 95 % confidence interval, for that line alone. ▲ and ▼ mark significant lines: chance "
        f"would mark any line in fewer than {100 * USAGE_LEVEL:g} of 100 reports. So lines with similar numbers can "
        f"differ in their mark."
    )
    options = [rule_use.ratio for rule_use in balance.uses if rule_use.kind == "option" and rule_use.ratio is not None]
    if len(options) > 1 and min(options) >= 1:
        note += (
            " Every option is above 1: players who stay in longer do more of everything. Compare them with each other."
        )
    return note


def format_win_ratio(rule: Use) -> str:
    """Return a win ratio relative to a fair share, such as `1.20 ▲ (1.10–1.30)`."""
    if rule.ratio is None or rule.low is None or rule.high is None:
        return "–"
    mark = "" if rule.chance >= USAGE_LEVEL else " ▲" if rule.ratio > 1 else " ▼"
    return f"{rule.ratio:.2f}{mark} ({rule.low:.2f}–{rule.high:.2f})"


def pair_card_uses(balance: Balance) -> Iterator[tuple[Use, Use]]:
    """Yield the figures of each card: of the players who had it, and of those who chose it. Least chosen first.

    Cards that no player ever had are left out: cards of the table, or left out by setup."""
    had, chose = (
        {(use.line, use.name): use for use in balance.uses if use.kind == kind} for kind in ("held", "played")
    )
    for key in sorted(had, key=lambda key: (chose[key].matches, had[key].matches, key)):
        if had[key].matches or chose[key].matches:
            yield had[key], chose[key]


def round_values(counts: Iterable[tuple[int | str, int]]) -> list[tuple[int, int]]:
    """Return counts of exact numbers as counts of rounded numbers, ascending."""
    rounded = Counter[int]()
    for value, count in counts:
        rounded[round(Fraction(value))] += count
    return sorted(rounded.items())


# ---------------------------------------------------------------- comparison of two games
def render_comparison_report(comparison: Comparison, facts: Sequence[str]) -> str:
    """Return the page of a comparison, like `render_balance_report`."""
    return get_template_environment().get_template("comparison.html").render(
        comparison=comparison, facts=facts, numbered_chapters=list_chapters(comparison), head=COMPARISON_HEAD
    )  # fmt: skip


def format_difference_row(measured: Difference) -> tuple[str, ...]:
    first, second = (
        f"{100 * value:.1f}%" if measured.share else f"{value:,.2f}" for value in (measured.first, measured.second)
    )
    low, high = (format_difference(measured, value) for value in (measured.low, measured.high))
    return (measured.words, first, second, format_difference(measured), f"{low} to {high}", measured.verdict.text)


def format_difference(measured: Difference, value: float | None = None) -> str:
    """Return the mean of a difference, or the end `value` of its interval, with its sign."""
    value = measured.mean if value is None else value
    formatted = f"{100 * value:+.1f}" if measured.share else f"{value:+,.2f}"
    return formatted if formatted.strip("+-0.") else formatted.replace("-", "+")


# ---------------------------------------------------------------- plots
MAX_BINS = 24
MIN_LABEL_GAP = 13


def bin_counts(counts: Sequence[tuple[int, int]]) -> tuple[int, list[int]]:
    """Return the width of the bins of a histogram and the count in each. Wide ranges are binned evenly.

    `counts` has pairs of a number and its count, ascending."""
    low, high = counts[0][0], counts[-1][0]
    size = max(1, -(-(high - low + 1) // MAX_BINS))
    columns = [0] * ((high - low) // size + 1)
    for value, count in counts:
        columns[(value - low) // size] += count
    return size, columns


def place_labels(lowest: float, first: float, second: float) -> tuple[float, float]:
    """Return the heights of two labels, moved if they would overlap. `lowest` is that of the axis."""
    first = min(first, lowest)
    if abs(second - first) >= MIN_LABEL_GAP:
        return first, second
    is_below = second >= first and first + MIN_LABEL_GAP <= lowest + 4
    return first, first + MIN_LABEL_GAP if is_below else first - MIN_LABEL_GAP


@cache
def get_template_environment() -> jinja2.Environment:
    environment = create_template_environment(__file__)
    environment.globals |= {
        "match_parts": MATCH_PARTS, "max_open_rows": MAX_OPEN_ROWS, "bin_counts": bin_counts,
        "place_labels": place_labels,
    }  # fmt: skip
    filters: Mapping[str, Callable[..., Any]] = {
        "count": format_grouped_count, "number": "{:,}".format, "digit": "{:.1f}".format, "percent": format_percent,
        "points": format_signed_points, "win_ratio": format_win_ratio, "player_name": "{0.name}, {0.bot}".format,
        "seat_name": "seat {}".format, "fraction": Fraction, "rounded_counts": round_values,
        "difference": format_difference, "difference_row": format_difference_row,
    }  # fmt: skip
    environment.filters |= filters
    return environment
