"""`cardlang simulate`: play many matches between bots, and count results."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from time import monotonic
from typing import TYPE_CHECKING

import click
from attrs import define, evolve, field, frozen

from cardlang.commands import options
from cardlang.commands.files import load_game
from cardlang.commands.options import Wanted
from cardlang.commands.pool import worked
from cardlang.commands.rules import Rules, rules_of
from cardlang.commands.running import rules_at_fault
from cardlang.commands.seats import checked_count, player_counts
from cardlang.plain_text import json_text, visible
from cardlang.terminal.telling import forget_progress, tell, tell_lines, tell_progress

if TYPE_CHECKING:
    from cardlang.commands.tally import Tally
    from cardlang.commands.trial import Trials
    from cardlang.game import Game

LONG = 60
"""Seconds from which the expected time is announced."""


@frozen
class Order:
    """Matches to simulate, as plain values that can be sent to other processes.

    Seeds go from `first` up to, but without, `stop`.
    """

    rules: Rules
    players: int
    first: int
    stop: int
    bot: str
    cap: int
    figures: int
    engine: str = "python"

    @property
    def games(self) -> int:
        return self.stop - self.first


@click.command(
    epilog=options.examples(
        "simulate hearts --games 1000 --players 4",
        "simulate my_game --games 2000 --jobs 2 --report balance.html",
        "simulate kuhn_poker --seat Ann=steady --seat Bob=random --games 50",
    )
)
@click.argument("file")
@options.variant
@options.wanted(
    games=100,
    players="every count that the game allows",
    engine="Engine to play with: compiled C, or Python.",
    report="HTML file for the balance report.",
)
def command(file: str, variant: str | None, wanted: Wanted) -> None:
    """Let bots play many matches.

    Prints wins, lengths, scores, and rules that were never reached. With --report, writes a page on the balance of
    the game; with --seat, compares bots. Ctrl-C stops early and keeps the results so far."""
    game = load_game(file, variant)
    if wanted.players is not None:
        checked_count(game, wanted.players)
    watched = wanted.report is not None or wanted.seats or wanted.cluster is not None
    (report_balance if watched else count_matches)(game, rules_of(game, file), wanted)


def report_balance(game: Game, rules: Rules, wanted: Wanted) -> None:
    from cardlang.commands.reporting import runs_of, tell_balance, workers

    runs = runs_of(game, rules, wanted)
    tell_balance(game, runs, workers(wanted, ((rules, game),)), wanted)


def count_matches(game: Game, rules: Rules, wanted: Wanted) -> None:
    """Play the matches and print the counts. Exit with 130 after Ctrl-C."""
    from cardlang.commands.engines import chosen

    counts = sorted(game.seats) if wanted.players is None else [wanted.players]
    first, stop = wanted.seed, wanted.seed + wanted.games
    orders = [Order(rules, count, first, stop, wanted.bot, wanted.cap, sum(counts)) for count in counts]
    with rules_at_fault():
        engine = chosen(orders, wanted.engine, game, lambda text: tell(text, err=True))
        tallies = (play_all(evolve(order, engine=engine), wanted.jobs) for order in orders)
        found = (tell_data if wanted.as_json else tell_text)(game, wanted, engine, tallies)
    if found[-1].interrupted:
        click.get_current_context().exit(130)


def tell_data(game: Game, wanted: Wanted, engine: str, tallies: Iterable[Tally]) -> list[Tally]:
    """Print all counts as JSON, and return them."""
    told: dict[str, object] = {
        "game": game.title,
        "variant": game.variant,
        "bot": wanted.bot,
        "seed": wanted.seed,
        "cap": wanted.cap,
        "engine": engine,
    }
    found = list(until_interrupted(tallies))
    tell_lines(json_text(told | {"players": [tally.data() for tally in found]} | not_reached(game, found)))
    return found


def tell_text(game: Game, wanted: Wanted, engine: str, tallies: Iterable[Tally]) -> list[Tally]:
    """Print the counts of each player count as they finish, and return them."""
    many = f"{wanted.games:,} matches of {wanted.bot} bots"
    tell(f"{game.title}, for {player_counts(game)}: {many}, seeds from {wanted.seed}")
    found = list(told_one_by_one(tallies))
    if not found[-1].interrupted:
        tell_unreached(game, found)
    return found


def tried_out(game: Game, tallies: list[Tally]) -> Trials:
    """Play a few matches again with instrumented rules, which would slow down all matches."""
    from cardlang.commands.trial import MATCHES, Trials, try_out

    return Trials(game, tuple(try_out(game, tally.players, min(MATCHES, tally.games)) for tally in tallies))


def not_reached(game: Game, tallies: list[Tally]) -> dict[str, object]:
    from cardlang.report import place

    if tallies[-1].interrupted:
        return {"not_reached": None}
    trials = tried_out(game, tallies)
    rules = [{"message": note.message, **place(note.span)} for note in trials.unreached()]
    return {"not_reached": {"matches": trials.matches, "rules": rules}}


def tell_unreached(game: Game, tallies: list[Tally]) -> None:
    trials = tried_out(game, tallies)
    for note in trials.unreached():
        tell_lines(f"{visible(str(note.span))}: {note.message}")


def told_one_by_one(tallies: Iterable[Tally]) -> Iterator[Tally]:
    for tally in until_interrupted(tallies):
        tell_lines(tally.text())
        yield tally


def until_interrupted(tallies: Iterable[Tally]) -> Iterator[Tally]:
    for tally in tallies:
        yield tally
        if tally.interrupted:
            return


def play_all(order: Order, jobs: int) -> Tally:
    """Play all matches of an order in `jobs` processes, and show the progress on a terminal.

    Stop early if the first matches all hit the move limit, or after Ctrl-C if any match has been played.
    """
    from cardlang.commands.engines import CHUNK, chunks, play_part
    from cardlang.commands.tally import Tally

    total, watch = Tally(order.players, figures=order.figures), Watch(order, jobs)
    try:
        for part in worked(play_part, chunks(order), jobs):
            total = total.with_(part)
            if total.capped == total.games >= min(CHUNK, order.games):  # random play doesn't finish
                break
            watch.tell(total.games, total.seconds)
    except KeyboardInterrupt:
        if not total.games:
            raise
        total.interrupted = True
    total.left_out = order.games - total.games
    if sys.stderr.isatty():
        forget_progress()
    return total


@define
class Watch:
    """Progress of an order. It announces a long time once, and shows the progress on a terminal."""

    order: Order
    jobs: int
    begun: float = field(factory=monotonic)
    told: bool = False

    def tell(self, games: int, seconds: float) -> None:
        """Report progress. `seconds` is the total playing time of these matches in all processes."""
        if not self.told and monotonic() - self.begun > 1:
            self.told = True
            left = seconds / games * (self.order.games - games) / self.jobs
            if left > LONG:
                what = f"{self.order.games:,} matches of {self.order.players} players will take about {duration(left)}."
                tell(f"{what} Press Ctrl-C to stop and see the results so far.", err=True)
        if sys.stderr.isatty():
            tell_progress(f"{self.order.players} players: {games:,} of {self.order.games:,}")


def duration(seconds: float) -> str:
    """Return `2 minutes`, `3 days` or `31 years`."""
    units = (("year", 31_557_600), ("day", 86_400), ("hour", 3600), ("minute", 60))
    name, length = next((unit for unit in units if seconds >= 2 * unit[1]), units[-1])
    number = round(seconds / length)
    return f"{number:,} {name}{'s' * (number != 1)}"
