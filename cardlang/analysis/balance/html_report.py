"""HTML page of a balance or comparison report.

It has a chapter per player count. A chapter answers a designer's questions with a verdict, plots and tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache

import jinja2
from attrs import frozen
from markupsafe import Markup

from cardlang.analysis.balance.match_totals import MATCH_PARTS
from cardlang.analysis.balance.plots import ShareBar, draw_curves, draw_differences, draw_histogram, draw_shares
from cardlang.analysis.balance.report_statistics import (
    Balance,
    Chapter,
    Choices,
    Compared,
    Comparison,
    Course,
    Difference,
    Scores,
    Share,
    Spread,
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


@frozen
class Plot:
    caption: str
    svg: str


@frozen
class ReportTable:
    """Table. `head` has the column titles; the first column has the row titles. A `folded` table starts collapsed."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    folded: bool = False


ReportPart = Plot | ReportTable


@frozen
class ReportSection:
    """Question with its verdict. `note` explains how to read the tables."""

    question: str
    verdict: Verdict
    parts: tuple[ReportPart, ...] = ()
    note: str = ""


@frozen
class ReportChapter:
    """Chapter of the page."""

    title: str
    anchor: str
    sections: tuple[ReportSection, ...]


@frozen
class HtmlReport:
    """Laid-out report. `facts` describe the matches in a few words each."""

    title: str
    facts: tuple[str, ...]
    chapters: tuple[ReportChapter, ...]


def build_balance_report(balance: Balance, facts: Sequence[str]) -> HtmlReport:
    title = balance.game if balance.variant is None else f"{balance.game}: {balance.variant}"
    report_chapters = [
        ReportChapter(
            format_grouped_count(stats.players, "player"), f"players-{stats.players}", tuple(build_sections(stats))
        )
        for stats in balance.chapters
    ]
    short = [ReportChapter("In short", "short", (build_overview(balance),))] if len(report_chapters) > 1 else []
    return HtmlReport(title, tuple(facts), (*short, *report_chapters, build_usage_chapter(balance)))


def build_overview(balance: Balance) -> ReportSection:
    """Return an overview with a row for each player count."""
    head = ("players", "seats", "cost of a random move", "decisions", "forced", "comebacks")
    rows = []
    for chapter in balance.chapters:
        cost, course = chapter.skill.cost, chapter.course
        rows.append(
            (
                f"{chapter.players}",
                SEAT_BIAS_LABELS[chapter.seats.verdict.kind],
                "–" if cost is None else f"{format_signed_points(cost.cost)} points",
                f"{chapter.decisions.median:,}",
                format_percent(chapter.choices.forced.share),
                "–" if course is None else format_percent(course.comebacks.share),
            )
        )
    kinds = {chapter.seats.verdict.kind for chapter in balance.chapters}
    unlike = [f"{chapter.players}" for chapter in balance.chapters if chapter.seats.verdict.kind == "bad"]
    if unlike:
        verdict = Verdict("bad", f"Seat bias with {join_phrases(unlike)} players.")
    elif "few" in kinds:
        verdict = Verdict("few", "No seat bias found, but there are too few matches to rule it out.")
    else:
        verdict = Verdict("good", "No seat bias at any player count.")
    return ReportSection("Is it fair at each player count?", verdict, (ReportTable(head, tuple(rows)),))


SEAT_BIAS_LABELS = {"good": "no bias", "bad": "bias", "few": "too few matches", "plain": "–"}


# ---------------------------------------------------------------- chapter of a player count
def build_sections(stats: Chapter) -> Iterator[ReportSection]:
    yield build_fairness_section(stats)
    yield build_skill_section(stats)
    yield build_length_section(stats)
    yield build_choice_section(stats.choices)
    if stats.course is not None:
        yield build_lead_section(stats.course)
    if stats.scores is not None:
        yield build_score_section(stats.scores)


def build_bar(label: str, estimate: Share) -> ShareBar:
    return ShareBar(label, estimate.share, estimate.low, estimate.high)


def build_fairness_section(stats: Chapter) -> ReportSection:
    bars = [build_bar(f"seat {at}", share) for at, share in enumerate(stats.seats.wins, 1)]
    parts: list[ReportPart] = []
    if stats.players > 1:
        caption = "Win rate by seat, with 95 % confidence intervals. The dashed line is a fair share."
        parts.append(Plot(caption, draw_shares(bars, stats.seats.fair, describe_bars("Win rate by seat", bars))))
    ends = [("finished", stats.over), ("several winners", stats.shared), ("no winner", stats.unwon),
            ("hit the move limit", stats.capped)]  # fmt: skip
    rows = tuple((name, f"{count:,}", format_percent(count / max(1, stats.matches))) for name, count in ends)
    parts.append(ReportTable(("matches", "", ""), rows))
    return ReportSection("Is it fair?", stats.seats.verdict, tuple(parts))


def describe_bars(title: str, bars: Sequence[ShareBar]) -> str:
    return f"{title}: " + ", ".join(f"{bar.label} {format_percent(bar.share)}" for bar in bars)


def build_skill_section(stats: Chapter) -> ReportSection:
    parts: list[ReportPart] = []
    if stats.skill.players:
        bars = [build_bar(f"{player.name}, {player.bot}", player.wins) for player in stats.skill.players]
        caption = "Win rate by player, over all seats. The dashed line is a fair share."
        parts.append(Plot(caption, draw_shares(bars, stats.seats.fair, describe_bars("Win rate by player", bars))))
    cost = stats.skill.cost
    if cost is not None:
        rows = (
            ("after the best move", format_percent(cost.best)),
            ("after a random move", format_percent(cost.any)),
            (
                "cost of a random move",
                f"{format_signed_points(cost.cost)} ({format_signed_points(cost.low)} to "
                f"{format_signed_points(cost.high)}) points",
            ),
        )
        caption = f"From playouts with random moves, at {format_grouped_count(cost.decisions, 'decision')}."
        parts.append(ReportTable(("win rate", ""), rows, caption))
    return ReportSection("Does skill matter?", stats.skill.verdict, tuple(parts))


def build_length_section(stats: Chapter) -> ReportSection:
    rows = [format_distribution_row("decisions", stats.decisions), format_distribution_row("turns", stats.turns)]
    if stats.rounds is not None:
        rows.append(format_distribution_row("rounds", stats.rounds))
    head = ("per match", "mean", "lowest", "5th percentile", "median", "95th percentile", "highest")
    plot = Plot("Matches by number of decisions.", draw_histogram(stats.decisions.counts, stats.length.text))
    return ReportSection("How long is it?", stats.length, (plot, ReportTable(head, tuple(rows))))


def format_distribution_row(name: str, spread: Spread) -> tuple[str, ...]:
    numbers = (spread.lowest, spread.low, spread.median, spread.high, spread.highest)
    return (name, f"{spread.mean:,.1f}", *(f"{number:,}" for number in numbers))


def build_choice_section(stats: Choices) -> ReportSection:
    if not stats.offered:
        return ReportSection("Is there a choice?", stats.verdict)
    rows = (
        ("forced decisions (one legal move)", format_percent(stats.forced.share)),
        ("legal moves per decision, median", f"{stats.median:,}"),
        ("decisions with several moves, per turn", f"{stats.several_in_a_turn:.2f}"),
    )
    plot = Plot("Decisions by number of legal moves.", draw_histogram(stats.offered, stats.verdict.text))
    return ReportSection("Is there a choice?", stats.verdict, (plot, ReportTable(("", ""), rows)))


def build_lead_section(stats: Course) -> ReportSection:
    lines = (("ahead", stats.ahead), ("behind", stats.behind))
    caption = "Through the match, how often the later winner leads alone (ahead) or trails (behind)."
    parts = (
        Plot(caption, draw_curves(lines, stats.verdict.text)),
        ReportTable(
            ("", ""),
            (
                ("comebacks: the winner was behind at half-time", format_percent(stats.comebacks.share)),
                ("lead changes per match, mean", f"{stats.changes.mean:.1f}"),
                ("the winner leads for good, 25th percentile", format_percent(stats.decided.quarter / MATCH_PARTS)),
                ("the winner leads for good, median", format_percent(stats.decided.median / MATCH_PARTS)),
                (
                    "the winner leads for good, 75th percentile",
                    format_percent(stats.decided.three_quarters / MATCH_PARTS),
                ),
            ),
        ),
    )
    return ReportSection("When is it won?", stats.verdict, parts)


def build_score_section(stats: Scores) -> ReportSection:
    values = [Fraction(score) for score, _ in stats.counts]
    rounded_counts: dict[int, int] = {}
    for value, (_, count) in zip(values, stats.counts, strict=True):
        rounded_counts[round(value)] = rounded_counts.get(round(value), 0) + count
    text = (
        f"Winners score {stats.winners_mean:,.1f} on average, other players {stats.others_mean:,.1f}. "
        f"Scores range from {float(values[0]):,g} to {float(values[-1]):,g}."
    )
    plot = Plot("Players by final score.", draw_histogram(tuple(sorted(rounded_counts.items())), text))
    rows = [("winners, mean", f"{stats.winners_mean:,.1f}"), ("other players, mean", f"{stats.others_mean:,.1f}")]
    if stats.margins.matches:
        for part, number in (("median", stats.margins.median), ("95th percentile", stats.margins.high)):
            rows.append((f"winning margin, {part}", f"{number:,}"))
    return ReportSection("What do players score?", Verdict("plain", text), (plot, ReportTable(("", ""), tuple(rows))))


# ---------------------------------------------------------------- rules and cards
def build_usage_chapter(balance: Balance) -> ReportChapter:
    played = sum(each.matches for each in balance.chapters)
    rows = tuple((each.what, format_rule_location(each, balance)) for each in balance.unused)
    unused = (ReportTable(("", "line"), rows),) if rows else ()
    sections = [ReportSection("What is never used?", balance.unused_verdict, unused)]
    tables = [build_rules_table(balance, kinds, title, played) for kinds, title in RULE_KINDS]
    cards = [build_cards_table(balance, played)] if any(each.kind == "held" for each in balance.uses) else []
    parts = tuple(table for table in [*tables, *cards] if table.rows)
    sections.append(
        ReportSection(
            "What is used, and how often does it win?", balance.uses_verdict, parts, build_table_note(balance)
        )
    )
    return ReportChapter("Rules and cards", "rules", tuple(sections))


RULE_KINDS = (
    (("option", "reaction"), "Options and reactions"),
    (("rank",), "Ranks"),
    (("case",), "Cases"),
    (("step",), "Steps"),
)


def format_rule_location(rule: Use | Unused, balance: Balance) -> str:
    """Return the line number of a rule, such as `12`. A rule from a library also gets the library's name."""
    library = rule.file.rpartition("/")[2].rpartition("\\")[2].removesuffix(".cardgame")
    return f"{rule.line}" if rule.file == balance.file else f"{library} {rule.line}"


def build_rules_table(balance: Balance, kinds: Sequence[str], title: str, played: int) -> ReportTable:
    head = (title, "win ratio", "in matches", "times per match", "players", "line")
    rows = [
        (
            rule_use.name, format_win_ratio(rule_use), format_percent(rule_use.matches / max(1, played)),
            f"{rule_use.times / rule_use.matches:.1f}" if rule_use.matches else "–",
            f"{rule_use.players:,}" if rule_use.players else "–",
        )
        for rule_use in balance.uses if rule_use.kind in kinds
    ]  # fmt: skip
    return ReportTable(head, tuple(rows), f"Rarest first, in {format_matches(played)}.", len(rows) > MAX_OPEN_ROWS)


def build_table_note(balance: Balance) -> str:
    over, played = (sum(getattr(chapter, name) for chapter in balance.chapters) for name in ("over", "matches"))
    only = f" in the {format_matches(over)} that finished" if over < played else ""
    note = (
        f"The win ratio is the win rate of players who used it, or had it{only}, divided by a fair share. "
        f"After it comes its 95 % confidence interval, for that line alone. ▲ and ▼ mark significant lines: chance "
        f"would mark any line in fewer than {100 * USAGE_LEVEL:g} of 100 reports. So lines with similar numbers can "
        f"differ "
        f"in their mark."
    )
    options = [rule_use.ratio for rule_use in balance.uses if rule_use.kind == "option" and rule_use.ratio is not None]
    if len(options) > 1 and min(options) >= 1:
        note += (
            " Every option is above 1: players who stay in longer do more of everything. Compare them with each other."
        )
    return note


MAX_OPEN_ROWS = 24
"""Maximum number of rows of a table that isn't collapsed."""


def format_win_ratio(rule: Use) -> str:
    """Return a win ratio relative to a fair share, such as `1.20 ▲ (1.10–1.30)`."""
    if rule.ratio is None or rule.low is None or rule.high is None:
        return "–"
    mark = "" if rule.chance >= USAGE_LEVEL else " ▲" if rule.ratio > 1 else " ▼"
    return f"{rule.ratio:.2f}{mark} ({rule.low:.2f}–{rule.high:.2f})"


def build_cards_table(balance: Balance, played: int) -> ReportTable:
    """Return the table of cards: win ratios of the players who had each card, and of the players who chose it."""
    had = {(card_use.line, card_use.name): card_use for card_use in balance.uses if card_use.kind == "held"}
    chose = {(card_use.line, card_use.name): card_use for card_use in balance.uses if card_use.kind == "played"}
    rows = []
    for key in sorted(had, key=lambda key: (chose[key].matches, had[key].matches, key)):
        one, other = had[key], chose[key]
        if not one.matches and not other.matches:
            continue  # no player ever had it: a table card, or left out by setup
        shares = [format_percent(card_use.matches / max(1, played)) for card_use in (one, other)]
        rows.append((one.name, shares[0], format_win_ratio(one), shares[1], format_win_ratio(other)))
    head = ("Cards", "had in", "win ratio", "chosen in", "win ratio")
    return ReportTable(
        head, tuple(rows), f"Least chosen first, in {format_matches(played)}.", len(rows) > MAX_OPEN_ROWS
    )


# ---------------------------------------------------------------- comparison of two games
def build_comparison_report(comparison: Comparison, facts: Sequence[str]) -> HtmlReport:
    sheets = [
        ReportChapter(
            format_grouped_count(chapter.players, "player"),
            f"players-{chapter.players}",
            (build_comparison_section(chapter),),
        )
        for chapter in comparison.chapters
    ]
    return HtmlReport(f"{comparison.first} → {comparison.second}", tuple(facts), tuple(sheets))


def build_comparison_section(comparison: Compared) -> ReportSection:
    parts = [
        ReportTable(
            COMPARISON_HEAD,
            tuple(format_difference_row(difference) for difference in comparison.differences),
            COMPARISON_CAPTION,
        )
    ]
    shares = [difference for difference in comparison.differences if difference.share]
    plots = []
    if shares:
        bars = [ShareBar(difference.words, difference.mean, difference.low, difference.high) for difference in shares]
        description = "Differences of shares: " + ", ".join(
            f"{difference.words} {format_difference(difference)}" for difference in shares
        )
        plots.append(
            Plot(
                "Differences in percentage points, with 95 % confidence intervals.",
                draw_differences(bars, description),
            )
        )
    return ReportSection("What is different?", comparison.verdict, (*parts, *plots))


COMPARISON_HEAD = ("", "first", "second", "difference", "95 % CI", "second is")
COMPARISON_CAPTION = (
    "Means of matches with equal seeds and seats in both games. The 95 % confidence intervals (CI) hold for all rows "
    "together."
)


def format_difference_row(measured: Difference) -> tuple[str, ...]:
    first, second = format_measure(measured, measured.first), format_measure(measured, measured.second)
    interval = f"{format_signed_measure(measured, measured.low)} to {format_signed_measure(measured, measured.high)}"
    return (measured.words, first, second, format_difference(measured), interval, measured.verdict.text)


def format_difference(measured: Difference) -> str:
    return format_signed_measure(measured, measured.mean)


def format_measure(measured: Difference, value: float) -> str:
    return f"{100 * value:.1f}%" if measured.share else f"{value:,.2f}"


def format_signed_measure(measured: Difference, value: float) -> str:
    formatted = f"{100 * value:+.1f}" if measured.share else f"{value:+,.2f}"
    return formatted if formatted.strip("+-0.") else formatted.replace("-", "+")


# ---------------------------------------------------------------- HTML
def render_report(report: HtmlReport) -> str:
    return get_template_environment().get_template("report.html").render(report=report)


@cache
def get_template_environment() -> jinja2.Environment:
    environment = create_template_environment(__file__)
    environment.tests |= {
        "plot": lambda part: isinstance(part, Plot),
        "table": lambda part: isinstance(part, ReportTable),
    }
    environment.filters["drawn"] = lambda plot: Markup(plot.svg)  # `drawing` has escaped its strings
    return environment
