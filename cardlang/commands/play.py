"""`cardlang play`: a match at the terminal, with people and bots."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click
from attrs import frozen

from cardlang.commands.files import check_target, load_game
from cardlang.commands.results import show_results
from cardlang.commands.running import go_on_with_record, resume_record, rules_at_fault
from cardlang.commands.seats import Seat, choose_seats, listed_kinds, player_counts, reseat, seed_number
from cardlang.terminal.telling import tell

if TYPE_CHECKING:
    from cardlang.terminal.session import Bot, Session
    from interpreter.matches.match import Match


@frozen
class Table:
    """A match and who plays it."""

    match: Match
    seats: list[Seat]
    hints: tuple[str, ...] = ()
    """What a person should know beforehand."""
    timed: bool = True
    """Bots think by the clock. Where a seed is given they count instead: it makes the match repeatable."""


@click.command()
@click.argument("file", required=False)
@click.option("--players", type=int, help="How many play; the fewest that the game takes if not given.")
@click.option("--seat", "given", multiple=True, metavar="NAME=KIND", help=f"A player: {listed_kinds()}. Repeat.")
@click.option(
    "--seed", type=seed_number, metavar="INTEGER", help="The number that all chance comes from; drawn if not given."
)
@click.option("--variant", help="The title of a variant of the game.")
@click.option("--plain", is_flag=True, help="Lines of text that a screen reader can follow, no drawing.")
@click.option("--record", type=click.Path(path_type=Path, dir_okay=False), help="Keep a record in this file.")
@click.option("--resume", "resumed", type=click.Path(path_type=Path), help="Go on with a recorded match.")
@click.option("--trace", is_flag=True, help="Show everything that happens, hidden cards too, with its rule.")
@click.option("--auto", is_flag=True, help="All seats are bots.")
def command(
    file: str | None, players: int | None, given: tuple[str, ...], seed: int | None, variant: str | None,
    plain: bool, record: Path | None, resumed: Path | None, trace: bool, auto: bool,
) -> None:  # fmt: skip
    """Play a game against bots, or with others at the same screen (--seat Ann=you --seat Bob=you)."""
    if trace and not auto:
        raise click.UsageError("--trace shows hidden cards: it goes with --auto only.")
    if (file is None) == (resumed is None):
        raise click.UsageError("Name a game FILE, or a record with --resume." if file is None else EITHER)
    if resumed is not None and (players, seed, variant) != (None, None, None):
        raise click.UsageError("A match that goes on keeps its players, its seed and its variant.")
    with rules_at_fault():
        table = (
            resume(resumed, given, auto, record is None)
            if resumed
            else begin(file or "", players, given, seed, variant, auto)
        )
        if record is not None:
            keep_record(table.match, record)
        with recorded(table.match):
            if auto:
                watch(table, trace)
            else:
                play(table, plain)
        if table.match.over and seed is None:  # not before: whoever has it can work out every hidden card
            tell(f"Seed {table.match.seed}.", err=True)


MOST_WATCHED = 10_000
"""So many decisions bots take among themselves."""
EITHER = "Name a game FILE or a record with --resume, not both: the record holds its game."


def begin(
    file: str, players: int | None, given: tuple[str, ...], seed: int | None, variant: str | None, auto: bool
) -> Table:
    """A new match."""
    from interpreter.matches.match import start

    game = load_game(file, variant)
    seats = choose_seats(game, players, given, auto)
    defaulted = players is None and not given and len(game.seats) > 1
    hints = (f"{game.title} is for {player_counts(game)}: --players N changes how many.",) if defaulted else ()
    return Table(start(game, [seat.name for seat in seats], seed), seats, hints, timed=seed is None)


def resume(path: Path, given: tuple[str, ...], auto: bool, recorded: bool) -> Table:
    """The match of a record. `recorded`: the record goes on with it."""
    match = go_on_with_record(path) if recorded else resume_record(path)
    return Table(match, reseat(match.players, given, auto))


def keep_record(match: Match, path: Path) -> None:
    """Writes a record from now on. It must not exist yet."""
    if path.exists():
        raise click.UsageError(f"{path} exists already; name another file, or go on with it: --resume {path}")
    check_target(path, "record")
    match.record(path)


def make_bots(table: Table) -> dict[str, Bot]:
    """A player for each seat that is not a person's, each with chance of its own."""
    from interpreter.players.levels import make_bot

    bots = [(at, seat) for at, seat in enumerate(table.seats, 1) if not seat.is_person]
    return {seat.name: make_bot(seat.kind, table.match.seed * 100 + at, table.timed) for at, seat in bots}


def watch(table: Table, trace: bool) -> None:
    """Bots play among themselves; what happens is printed as it does. A match that does not end by chance is given
    up."""
    from cardlang.terminal.watching import Teller

    bots = make_bots(table)
    teller = Teller(table.match, trace)
    left = MOST_WATCHED
    while (decision := table.match.decision) is not None and left:
        table.match.choose(bots[decision.player].choose(table.match))
        teller.tell()
        left -= 1
    teller.tell(to_the_end=True)
    if table.match.over:
        show_results(table.match)
    else:
        tell(f"The bots stop here: after {MOST_WATCHED:,} decisions there is no end in sight.", err=True)


def play(table: Table, plain: bool) -> bool:
    """People play. To leave, or the end of the input, ends the match without a result. True if they want another."""
    session = make_session(table)
    if draws(plain):
        from cardlang.terminal.screen.app import TableApp
        from cardlang.terminal.screen.looks import Looks

        app = TableApp(session, Looks(table.match.game, carries_symbols()))
        outcome = app.run()
        if app.fault is not None:
            raise app.fault
        again = outcome == "again"
    else:
        from cardlang.terminal.lines import play_in_lines

        session.notes += [*table.hints, welcome(table)]
        play_in_lines(session)
        again = False
    if table.match.over:
        show_results(table.match)
    else:
        tell("The match stops here.", err=True)
    return again


def make_session(table: Table) -> Session:
    """The match with all that its screen needs to know."""
    from cardlang.rulesheet import aid, build, markdown
    from cardlang.rulesheet.markdown import render
    from cardlang.terminal.captions import captions
    from cardlang.terminal.session import Session, Texts

    game = table.match.game
    texts = Texts(rules=lambda: markdown(game), aid=lambda: render(aid(build(game))), cards=lambda: captions(game))
    return Session(table.match, make_bots(table), texts, counsel)


def counsel(match: Match) -> str:
    """What a bot would do where the match stands, and what speaks for it."""
    from interpreter.players.hints import hint

    assert match.decision is not None
    found = hint(match, match.decision.player)
    return f"{found.move}: {found.words}"


def draws(plain: bool) -> bool:
    """Whether there is a terminal that can draw, and it is to be drawn on."""
    return not plain and sys.stdout.isatty() and sys.stdin.isatty() and os.environ.get("TERM") != "dumb"


def carries_symbols() -> bool:
    """Whether the encoding of the terminal has the symbols of cards."""
    from cardlang.terminal.screen.looks import BACK, NAMED, SYMBOLS

    try:
        "".join([SYMBOLS, BACK, *NAMED.values()]).encode(sys.stdout.encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


@contextmanager
def recorded(match: Match) -> Iterator[None]:
    """Says how a match goes on that stops because its record cannot be written; in the end its record is free."""
    from interpreter.errors import RecordingError

    try:
        yield
    except RecordingError as error:
        raise click.ClickException(f"{error} The match stops here; go on with it: --resume {error.path}") from error
    finally:
        match.close()


def welcome(table: Table) -> str:
    """Who plays what: `You are Ann; Bob and Cat are bots. Type ? for help.`"""
    from interpreter.matches.names import listed

    people = [seat.name for seat in table.seats if seat.is_person]
    bots = [seat.name for seat in table.seats if not seat.is_person]
    who = f"You are {people[0]}" if len(people) == 1 else f"{listed(people)} share this screen"
    against = f"; {listed(bots)} {'is a bot' if len(bots) == 1 else 'are bots'}" if bots else ""
    return f"{who}{against}. Type ? for help."
