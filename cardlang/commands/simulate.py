"""`cardlang simulate`: many matches of bots, and what can be counted in them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import click
from attrs import define, evolve, field, frozen

from cardlang.commands.files import load_game
from cardlang.commands.pool import worked
from cardlang.commands.rules import Rules, rules_of
from cardlang.commands.running import rules_at_fault
from cardlang.commands.seats import BOTS, checked_count, player_counts, seed_number
from cardlang.plain_text import json_text, visible
from cardlang.terminal.telling import forget_progress, tell, tell_lines, tell_progress

if TYPE_CHECKING:
    from cardlang.commands.tally import Tally
    from cardlang.commands.trial import Trials
    from cardlang.game import Game

LONG = 60
"""From how many seconds on it is said beforehand how long it will take."""


@frozen
class Order:
    """What is to be simulated; plain values, so that other processes can be told. `stop`: no seed from
    here on."""

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


@click.command()
@click.argument("file")
@click.option("--games", type=click.IntRange(1), default=100, show_default=True, help="How many matches.")
@click.option("--players", type=int, help="For so many players; every number that the game takes if not given.")
@click.option(
    "--seed",
    type=seed_number,
    metavar="INTEGER",
    default=1,
    show_default=True,
    help="The seed of the first match; then count up.",
)
@click.option("--variant", help="The title of a variant of the game.")
@click.option("--bot", type=click.Choice(BOTS), default="random", show_default=True)
@click.option("--cap", type=click.IntRange(1), default=10_000, show_default=True, help="Most decisions in a match.")
@click.option("--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes at work at once.")
@click.option(
    "--engine",
    type=click.Choice(["auto", "native", "python"]),
    default="auto",
    show_default=True,
    help="What plays: machine code, made where it is worth it, or Python.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--report", type=click.Path(path_type=Path), help="Write a page of HTML about the balance of the game.")
@click.option(
    "--seat", "seats", multiple=True, metavar="NAME=BOT", help="Who plays, wherever they sit; as often as needed."
)
@click.option("--cluster", metavar="ADDRESS", help="Workers of a Dask scheduler play, such as tcp://10.0.0.5:8786.")
def command(
    file: str, games: int, players: int | None, seed: int, variant: str | None, bot: str, cap: int, jobs: int,
    engine: str, as_json: bool, report: Path | None, seats: tuple[str, ...], cluster: str | None,
) -> None:  # fmt: skip
    """Let bots play many matches; count wins, lengths and scores.

    With --report it writes a page about the balance of the game, with --seat it tells what different bots make of it.

    What the rules `expect` is checked on the way. If it will take long, it says how long; Ctrl-C ends it, and shows
    what has been counted until then.

    \b
    --json prints one object:
      game, variant, bot, seed, cap
      engine: what played, native or python
      players: a list, for each number of players
        players, games
        capped: matches given up at the cap of decisions
        left_out: matches not played, because all before them ran to the cap, or
        interrupted: whether it was ended by Ctrl-C
        wins: by seat, won alone
        seats_unlike_others: seats (from 1) that win more or less than chance explains, each with the
        chance that any of the seats would show such a difference
        shared_wins: by seat
        nobody_won: matches that came to their end without a winner
        decisions: total, mean, most in a match
        decisions_per_second
        scores: lowest, quarter, median, three_quarters, highest; or null
      not_reached: what at most 100 matches for each number of players did not come to; null if interrupted
        matches: how many; rules: a list of message, file, line, column
    Scores are integers, or texts such as "75/2".
    """
    from cardlang.commands.engines import chosen

    game = load_game(file, variant)
    rules = rules_of(game, file)
    counts = sorted(game.seats) if players is None else [checked_count(game, players)]
    if report is not None or seats or cluster is not None:
        from cardlang.commands.reporting import runs_of, tell_balance, workers

        runs = runs_of(game, rules, counts if not seats else [players], seats, bot, seed, cap, games, engine)
        work = workers(jobs, cluster, ((rules, game),))
        return tell_balance(game, runs, work, report, as_json)
    orders = [Order(rules, count, seed, seed + games, bot, cap, sum(counts)) for count in counts]
    with rules_at_fault():
        engine = chosen(orders, engine, game, lambda text: tell(text, err=True))
        tallies = (play_all(evolve(order, engine=engine), jobs) for order in orders)
        if as_json:
            told: dict[str, object] = {
                "game": game.title,
                "variant": game.variant,
                "bot": bot,
                "seed": seed,
                "cap": cap,
                "engine": engine,
            }
            found = list(until_interrupted(tallies))
            tell_lines(json_text(told | {"players": [tally.data() for tally in found]} | not_reached(game, found)))
        else:
            tell(f"{game.title}, for {player_counts(game)}: {games:,} matches of {bot} bots, seeds from {seed}")
            found = list(told_one_by_one(tallies))
            if not found[-1].interrupted:
                tell_unreached(game, found)
    if found[-1].interrupted:
        click.get_current_context().exit(130)


def tried_out(game: Game, tallies: list[Tally]) -> Trials:
    """A few of the matches again, by rules that note what they come to: they would slow the others."""
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
    """Plays all matches of an order, in so many processes; progress is told on a terminal. Ctrl-C ends it with what has
    been counted, if anything has."""
    from cardlang.commands.engines import CHUNK, chunks, play_part
    from cardlang.commands.tally import Tally

    total, watch = Tally(order.players, figures=order.figures), Watch(order, jobs)
    try:
        for part in worked(play_part, chunks(order), jobs):
            total = total.with_(part)
            if total.capped == total.games >= min(CHUNK, order.games):  # it does not end by chance
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
    """Tells how long an order will take, once, if that is long; and how far it has come, on a terminal."""

    order: Order
    jobs: int
    begun: float = field(factory=monotonic)
    told: bool = False

    def tell(self, games: int, seconds: float) -> None:
        """`seconds`: the time that so many games have taken, wherever they were played."""
        if not self.told and monotonic() - self.begun > 1:
            self.told = True
            left = seconds / games * (self.order.games - games) / self.jobs
            if left > LONG:
                what = f"{self.order.games:,} matches of {self.order.players} players will take about {duration(left)}."
                tell(f"{what} Ctrl-C ends them, and shows what is counted.", err=True)
        if sys.stderr.isatty():
            tell_progress(f"{self.order.players} players: {games:,} of {self.order.games:,}")


def duration(seconds: float) -> str:
    """`2 minutes`, `3 days`, `31 years`."""
    units = (("year", 31_557_600), ("day", 86_400), ("hour", 3600), ("minute", 60))
    name, length = next((unit for unit in units if seconds >= 2 * unit[1]), units[-1])
    number = round(seconds / length)
    return f"{number:,} {name}{'s' * (number != 1)}"
