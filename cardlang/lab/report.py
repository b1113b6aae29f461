"""A report as it is laid out: chapters for numbers of players, in them the questions of a designer, each with its
verdict, plots and tables. Only words and figures; how they look is the page's affair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from cardlang import game as g
from cardlang.checks.reached import check_reached
from cardlang.lab.drawing import Bar, histogram, shares
from cardlang.lab.judging import Figures, Spread, Verdict, percent
from cardlang.lab.summing import Key, Sums
from cardlang.source import Span


@frozen
class Plot:
    caption: str
    svg: str


@frozen
class Table:
    """`head`: names of the columns; the first column names the row, the others are numbers."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""


@frozen
class Section:
    question: str
    verdict: Verdict
    parts: tuple[Plot | Table, ...] = ()


@frozen
class Chapter:
    title: str
    anchor: str
    sections: tuple[Section, ...]


@frozen
class Report:
    """`facts`: what was played, in a few words each."""

    title: str
    facts: tuple[str, ...]
    chapters: tuple[Chapter, ...]
    unused: Section


def report(game: g.Game, facts: Sequence[str], figures: Sequence[Figures], unused: Section) -> Report:
    title = game.title if game.variant is None else f"{game.title}: {game.variant}"
    return Report(title, tuple(facts), tuple(map(chapter, figures)), unused)


def chapter(found: Figures) -> Chapter:
    players = f"{found.players} player{'s' * (found.players > 1)}"
    return Chapter(players, f"players-{found.players}", tuple(sections(found)))


def sections(found: Figures) -> Iterator[Section]:
    yield fairness(found)
    yield length(found)
    yield choice(found)


def fairness(found: Figures) -> Section:
    bars = [Bar(f"seat {at}", each.share, each.low, each.high) for at, each in enumerate(found.seats.shares, 1)]
    told = "Wins by seat: " + ", ".join(f"{bar.label} {percent(bar.share)}" for bar in bars)
    parts = (
        Plot(
            "Matches won by each seat; the line is what all seats would win if they were alike.",
            shares(bars, found.seats.fair, told),
        ),
    )
    return Section("Is it fair?", found.seats.verdict, parts if found.players > 1 else ())


def length(found: Figures) -> Section:
    spread = found.length
    low, high, most = (f"{spread.quantile(part):,}" for part in (0.25, 0.75, 1))
    text = f"Half of all matches take {low} to {high} decisions; the longest took {most}."
    verdict = Verdict("plain", text)
    if found.capped:
        part = percent(found.capped / found.matches)
        verdict = Verdict("bad", f"{text} {found.capped:,} matches ({part}) ran to the cap and were given up.")
    rows = [spread_row("decisions", spread), spread_row("turns", found.turns)]
    if any(found.rounds.counts):
        rows.append(spread_row("rounds", found.rounds))
    head = ("in a match", "mean", "shortest", "5%", "half", "95%", "longest")
    plot = Plot("Matches by number of decisions.", histogram(spread.counts, text))
    return Section("How long is it?", verdict, (plot, Table(head, tuple(rows))))


def spread_row(name: str, spread: Spread) -> tuple[str, ...]:
    return (name, f"{spread.mean:,.1f}", *(f"{spread.quantile(part):,}" for part in (0, 0.05, 0.5, 0.95, 1)))


def choice(found: Figures) -> Section:
    choices = found.choices
    rows = (
        ("choices with one move", percent(choices.forced.share)),
        ("moves to choose from, half the time at most", f"{choices.median:,}"),
        ("choices among several moves in a turn", f"{choices.per_turn:.2f}"),
    )
    plots = (
        (Plot("Choices by number of moves.", histogram(choices.offered, "Choices by number of moves")),)
        if choices.offered
        else ()
    )
    return Section("Is there a choice?", choices.verdict, (*plots, Table(("", "figure"), rows)))


def unused(game: g.Game, sums: Sequence[Sums]) -> Section:
    """What no match of any number of players came to."""
    matches = f"{sum(each['lengths'].total() for each in sums):,} matches"
    places = {place for each in sums for place in each["times_used"]}
    reached = frozenset(span_of(game, place) for place in places)
    found = list(check_reached(game, reached, matches))
    rows = [(str(note.span.line), note.message.removesuffix(f" in {matches}")) for note in found]
    tables = [Table(("line", "what"), tuple(rows))] if rows else []
    cards = [face.title for face in game.faces if not any(touched(each, face.number) for each in sums)]
    if cards:
        tables.append(Table(("card", ""), tuple((title, "nobody had it or chose it") for title in cards)))
    if tables:
        verdict = Verdict("bad", f"Never used in {matches}: {len(rows)} rules and {len(cards)} cards.")
    else:
        verdict = Verdict("good", f"All rules of the file and all cards were used in {matches}.")
    return Section("What is never used?", verdict, tuple(tables))


def span_of(game: g.Game, place: Key) -> Span:
    source, start, end = map(int, place)
    return Span(game.sources[source], start, end)


def touched(sums: Sums, face: int) -> bool:
    return any(sums[name][face, won] for name in ("held", "played") for won in (0, 1))
