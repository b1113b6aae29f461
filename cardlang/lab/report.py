"""Layout of a balance report, independent of HTML.

It has a chapter per player count. A chapter answers a designer's questions with a verdict, plots and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from attrs import frozen

from cardlang.lab.drawing import Bar, curves, histogram, shares
from cardlang.lab.figures import Balance, Chapter, Choices, Course, Scores, Share, Spread, Unused, Use, Verdict
from cardlang.lab.summing import PARTS
from cardlang.lab.uses import SURE
from cardlang.lab.words import many, matches, percent, signed
from cardlang.words import join


@frozen
class Plot:
    caption: str
    svg: str


@frozen
class Table:
    """Table. `head` has the column titles; the first column has the row titles. A `folded` table starts collapsed."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    folded: bool = False


Part = Plot | Table


@frozen
class Section:
    """Question with its verdict. `note` explains how to read the tables."""

    question: str
    verdict: Verdict
    parts: tuple[Part, ...] = ()
    note: str = ""


@frozen
class Sheet:
    """Chapter of the page."""

    title: str
    anchor: str
    sections: tuple[Section, ...]


@frozen
class Report:
    """Laid-out report. `facts` describe the matches in a few words each."""

    title: str
    facts: tuple[str, ...]
    chapters: tuple[Sheet, ...]


def report(found: Balance, facts: Sequence[str]) -> Report:
    title = found.game if found.variant is None else f"{found.game}: {found.variant}"
    chapters = [
        Sheet(many(each.players, "player"), f"players-{each.players}", tuple(sections(each))) for each in found.chapters
    ]
    short = [Sheet("In short", "short", (in_short(found),))] if len(chapters) > 1 else []
    return Report(title, tuple(facts), (*short, *chapters, rules_and_cards(found)))


def in_short(found: Balance) -> Section:
    """Return an overview with a row for each player count."""
    head = ("players", "seats", "cost of a random move", "decisions", "forced", "comebacks")
    rows = []
    for each in found.chapters:
        cost, course = each.skill.cost, each.course
        rows.append((
            f"{each.players}", SEATS[each.seats.verdict.kind], "–" if cost is None else f"{signed(cost.cost)} points",
            f"{each.decisions.median:,}", percent(each.choices.forced.share),
            "–" if course is None else percent(course.comebacks.share),
        ))  # fmt: skip
    kinds = {each.seats.verdict.kind for each in found.chapters}
    unlike = [f"{each.players}" for each in found.chapters if each.seats.verdict.kind == "bad"]
    if unlike:
        verdict = Verdict("bad", f"Seat bias with {join(unlike)} players.")
    elif "few" in kinds:
        verdict = Verdict("few", "No seat bias found, but there are too few matches to rule it out.")
    else:
        verdict = Verdict("good", "No seat bias at any player count.")
    return Section("Is it fair at each player count?", verdict, (Table(head, tuple(rows)),))


SEATS = {"good": "no bias", "bad": "bias", "few": "too few matches", "plain": "–"}


# ---------------------------------------------------------------- chapter of a player count
def sections(found: Chapter) -> Iterator[Section]:
    yield fairness(found)
    yield skill(found)
    yield length(found)
    yield choice(found.choices)
    if found.course is not None:
        yield course(found.course)
    if found.scores is not None:
        yield scored(found.scores)


def bar(label: str, each: Share) -> Bar:
    return Bar(label, each.share, each.low, each.high)


def fairness(found: Chapter) -> Section:
    bars = [bar(f"seat {at}", each) for at, each in enumerate(found.seats.wins, 1)]
    parts: list[Part] = []
    if found.players > 1:
        caption = "Win rate by seat, with 95 % confidence intervals. The dashed line is a fair share."
        parts.append(Plot(caption, shares(bars, found.seats.fair, told("Win rate by seat", bars))))
    ends = [("finished", found.over), ("several winners", found.shared), ("no winner", found.unwon),
            ("hit the move limit", found.capped)]  # fmt: skip
    rows = tuple((name, f"{count:,}", percent(count / max(1, found.matches))) for name, count in ends)
    parts.append(Table(("matches", "", ""), rows))
    return Section("Is it fair?", found.seats.verdict, tuple(parts))


def told(what: str, bars: Sequence[Bar]) -> str:
    return f"{what}: " + ", ".join(f"{each.label} {percent(each.share)}" for each in bars)


def skill(found: Chapter) -> Section:
    parts: list[Part] = []
    if found.skill.players:
        bars = [bar(f"{each.name}, {each.bot}", each.wins) for each in found.skill.players]
        caption = "Win rate by player, over all seats. The dashed line is a fair share."
        parts.append(Plot(caption, shares(bars, found.seats.fair, told("Win rate by player", bars))))
    cost = found.skill.cost
    if cost is not None:
        rows = (
            ("after the best move", percent(cost.best)),
            ("after a random move", percent(cost.any)),
            (
                "cost of a random move",
                f"{signed(cost.cost)} ({signed(cost.low)} to {signed(cost.high)}) points",
            ),
        )
        caption = f"From playouts with random moves, at {many(cost.decisions, 'decision')}."
        parts.append(Table(("win rate", ""), rows, caption))
    return Section("Does skill matter?", found.skill.verdict, tuple(parts))


def length(found: Chapter) -> Section:
    rows = [spread_row("decisions", found.decisions), spread_row("turns", found.turns)]
    if found.rounds is not None:
        rows.append(spread_row("rounds", found.rounds))
    head = ("per match", "mean", "lowest", "5th percentile", "median", "95th percentile", "highest")
    plot = Plot("Matches by number of decisions.", histogram(found.decisions.counts, found.length.text))
    return Section("How long is it?", found.length, (plot, Table(head, tuple(rows))))


def spread_row(name: str, spread: Spread) -> tuple[str, ...]:
    numbers = (spread.lowest, spread.low, spread.median, spread.high, spread.highest)
    return (name, f"{spread.mean:,.1f}", *(f"{number:,}" for number in numbers))


def choice(found: Choices) -> Section:
    if not found.offered:
        return Section("Is there a choice?", found.verdict)
    rows = (
        ("forced decisions (one legal move)", percent(found.forced.share)),
        ("legal moves per decision, median", f"{found.median:,}"),
        ("decisions with several moves, per turn", f"{found.several_in_a_turn:.2f}"),
    )
    plot = Plot("Decisions by number of legal moves.", histogram(found.offered, found.verdict.text))
    return Section("Is there a choice?", found.verdict, (plot, Table(("", ""), rows)))


def course(found: Course) -> Section:
    lines = (("ahead", found.ahead), ("behind", found.behind))
    caption = "Through the match, how often the later winner leads alone (ahead) or trails (behind)."
    parts = (
        Plot(caption, curves(lines, found.verdict.text)),
        Table(
            ("", ""),
            (
                ("comebacks: the winner was behind at half-time", percent(found.comebacks.share)),
                ("lead changes per match, mean", f"{found.changes.mean:.1f}"),
                ("the winner leads for good, 25th percentile", percent(found.decided.quarter / PARTS)),
                ("the winner leads for good, median", percent(found.decided.median / PARTS)),
                ("the winner leads for good, 75th percentile", percent(found.decided.three_quarters / PARTS)),
            ),
        ),
    )
    return Section("When is it won?", found.verdict, parts)


def scored(found: Scores) -> Section:
    values = [Fraction(score) for score, _ in found.counts]
    whole: dict[int, int] = {}
    for value, (_, count) in zip(values, found.counts, strict=True):
        whole[round(value)] = whole.get(round(value), 0) + count
    text = (
        f"Winners score {found.winners_mean:,.1f} on average, other players {found.others_mean:,.1f}. "
        f"Scores range from {float(values[0]):,g} to {float(values[-1]):,g}."
    )
    plot = Plot("Players by final score.", histogram(tuple(sorted(whole.items())), text))
    rows = [("winners, mean", f"{found.winners_mean:,.1f}"), ("other players, mean", f"{found.others_mean:,.1f}")]
    if found.margins.matches:
        for part, number in (("median", found.margins.median), ("95th percentile", found.margins.high)):
            rows.append((f"winning margin, {part}", f"{number:,}"))
    return Section("What do players score?", Verdict("plain", text), (plot, Table(("", ""), tuple(rows))))


# ---------------------------------------------------------------- rules and cards
def rules_and_cards(found: Balance) -> Sheet:
    played = sum(each.matches for each in found.chapters)
    rows = tuple((each.what, place(each, found)) for each in found.unused)
    unused = (Table(("", "line"), rows),) if rows else ()
    sections = [Section("What is never used?", found.unused_verdict, unused)]
    tables = [rules_table(found, kinds, title, played) for kinds, title in KINDS]
    cards = [cards_table(found, played)] if any(each.kind == "held" for each in found.uses) else []
    parts = tuple(table for table in [*tables, *cards] if table.rows)
    sections.append(Section("What is used, and how often does it win?", found.uses_verdict, parts, how_to_read(found)))
    return Sheet("Rules and cards", "rules", tuple(sections))


KINDS = (
    (("option", "reaction"), "Options and reactions"),
    (("rank",), "Ranks"),
    (("case",), "Cases"),
    (("step",), "Steps"),
)


def place(each: Use | Unused, found: Balance) -> str:
    """Return the line number of a rule, such as `12`. A rule from a library also gets the library's name."""
    library = each.file.rpartition("/")[2].rpartition("\\")[2].removesuffix(".cardgame")
    return f"{each.line}" if each.file == found.file else f"{library} {each.line}"


def rules_table(found: Balance, kinds: Sequence[str], title: str, played: int) -> Table:
    head = (title, "win ratio", "in matches", "times per match", "players", "line")
    rows = [
        (
            each.name, ratio(each), percent(each.matches / max(1, played)),
            f"{each.times / each.matches:.1f}" if each.matches else "–",
            f"{each.players:,}" if each.players else "–",
        )
        for each in found.uses if each.kind in kinds
    ]  # fmt: skip
    return Table(head, tuple(rows), f"Rarest first, in {matches(played)}.", len(rows) > LONG)


def how_to_read(found: Balance) -> str:
    over, played = (sum(getattr(each, name) for each in found.chapters) for name in ("over", "matches"))
    only = f" in the {matches(over)} that finished" if over < played else ""
    told = (
        f"The win ratio is the win rate of players who used it, or had it{only}, divided by a fair share. "
        f"After it comes its 95 % confidence interval, for that line alone. ▲ and ▼ mark significant lines: chance "
        f"would mark any line in fewer than {100 * SURE:g} of 100 reports. So lines with similar numbers can differ "
        f"in their mark."
    )
    options = [each.ratio for each in found.uses if each.kind == "option" and each.ratio is not None]
    if len(options) > 1 and min(options) >= 1:
        told += (
            " Every option is above 1: players who stay in longer do more of everything. Compare them with each other."
        )
    return told


LONG = 24
"""Maximum number of rows of a table that isn't collapsed."""


def ratio(each: Use) -> str:
    """Return a win ratio relative to a fair share, such as `1.20 ▲ (1.10–1.30)`."""
    if each.ratio is None or each.low is None or each.high is None:
        return "–"
    mark = "" if each.chance >= SURE else " ▲" if each.ratio > 1 else " ▼"
    return f"{each.ratio:.2f}{mark} ({each.low:.2f}–{each.high:.2f})"


def cards_table(found: Balance, played: int) -> Table:
    """Return the table of cards: win ratios of the players who had each card, and of the players who chose it."""
    had = {(each.line, each.name): each for each in found.uses if each.kind == "held"}
    chose = {(each.line, each.name): each for each in found.uses if each.kind == "played"}
    rows = []
    for key in sorted(had, key=lambda key: (chose[key].matches, had[key].matches, key)):
        one, other = had[key], chose[key]
        if not one.matches and not other.matches:
            continue  # no player ever had it: a table card, or left out by setup
        shares = [percent(each.matches / max(1, played)) for each in (one, other)]
        rows.append((one.name, shares[0], ratio(one), shares[1], ratio(other)))
    head = ("Cards", "had in", "win ratio", "chosen in", "win ratio")
    return Table(head, tuple(rows), f"Least chosen first, in {matches(played)}.", len(rows) > LONG)
