"""Interactive sessions: start or resume a match, save it, play it to its end, and offer a rematch."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import click
from attrs import evolve, frozen

from cardlang.commands.files import load_game
from cardlang.commands.results import show_results
from cardlang.commands.running import go_on_with_record, resume_record
from cardlang.commands.seats import Seat, choose_seats, player_counts, reseat, usual
from cardlang.terminal.telling import tell

if TYPE_CHECKING:
    from cardlang.game import Game
    from cardlang.terminal.session import Bot, Session
    from interpreter.matches.match import Match
    from interpreter.players.pace import Pace


@frozen
class Table:
    """Match and its players."""

    match: Match
    seats: list[Seat]
    defaulted: bool = False
    """Whether the player count is a default, and the game allows several."""
    timed: bool = True
    """Whether bots think by the clock. With a seed they count playouts, so that the match is repeatable."""


def begin(
    file: str, players: int | None, given: tuple[str, ...], seed: int | None, variant: str | None, auto: bool
) -> Table:
    """Start a new match."""
    from interpreter.matches.match import start

    game = load_game(file, variant)
    seats = choose_seats(game, players, given, auto)
    defaulted = players is None and not given and len(game.seats) > 1
    return Table(start(game, [seat.name for seat in seats], seed), seats, defaulted, timed=seed is None)


def counted(table: Table) -> Table | None:
    """Ask for the player count on the screen if it is a default, and return the table for it.

    Return None if the person quits.
    """
    from cardlang.terminal.screen.counting import ChoiceApp, CountScreen, middle
    from interpreter.matches.match import start

    if not table.defaulted:
        return table
    game = table.match.game
    counts = sorted(game.seats)
    at = ChoiceApp(CountScreen(game.title, counts, middle(counts), usual(auto=False), rules_of(game))).run()
    if at is None:
        return None
    tell(f"{game.title}: shuffling the cards …", err=True)  # drawing the screen takes a moment
    seats = choose_seats(game, counts[at], (), auto=False)
    return Table(start(game, [seat.name for seat in seats]), seats)


def rules_of(game: Game) -> Callable[[], str]:
    """Return a function that renders the rulebook for the table.

    It is cached, because counting odds can take seconds.
    """
    from cardlang.rulesheet import build
    from cardlang.rulesheet.markdown import render

    return cache(lambda: render(build(game, examples="few"), at_table=True))


def resume(path: Path, given: tuple[str, ...], auto: bool, recorded: bool) -> Table:
    """Resume the match of a record. With `recorded`, continue to write to the record."""
    match = go_on_with_record(path) if recorded else resume_record(path)
    return Table(match, reseat(match.players, given, auto))


def make_bots(table: Table, kind: str | None = None) -> dict[str, Bot]:
    """Create a bot for each seat without a person, each with its own random stream.

    `kind` overrides the chosen kinds.
    """
    from interpreter.players.levels import make_bot

    bots = [(at, seat) for at, seat in enumerate(table.seats, 1) if not seat.is_person]
    return {seat.name: make_bot(kind or seat.kind, table.match.seed * 100 + at, table.timed) for at, seat in bots}


def sit(table: Table, plain: bool, kept: Path | None = None, unasked: bool = False) -> None:
    """Let people play, and play again for as long as they like.

    `kept` is the record of an automatically saved match. With `unasked`, such a record is started if the input is a
    terminal.
    """
    from cardlang.commands import keeping

    while True:
        if unasked and kept is None and sys.stdin.isatty():
            kept = keeping.keep(table.match, table.seats)
            unkept = [UNKEPT] if kept is None else []
        else:
            unkept = []
        with recorded(table.match):
            again = play(table, plain, kept is not None, unkept)
        if kept is not None:
            keeping.leave(table.match, kept)
        if not again:
            return
        table, kept, unasked = rematch(table), None, unasked or kept is not None


def rematch(table: Table) -> Table:
    """Start another match with the same players."""
    from interpreter.matches.match import start

    return evolve(table, match=start(table.match.game, list(table.match.players)), timed=True)


HASTY = "easy"
"""Bot that plays on when the remaining people only wait for the end."""
UNKEPT = "This match is not saved, because no folder is writable. You can still play it."


def play(table: Table, plain: bool, kept: bool, notes: Sequence[str] = ()) -> bool:
    """Play a match with people, and return whether they want another.

    Quitting or the end of the input stops the match without a result. `kept` means that the match is saved
    automatically. `notes` are shown at the start.
    """
    session = make_session(table, kept)
    session.notes += notes
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

        game = table.match.game
        if table.defaulted:
            session.notes += [f"{game.title} is for {player_counts(game)}. Use --players N to change the number."]
        session.notes += [welcome(table)]
        play_in_lines(session)
        again = False
    if again:  # the screen has shown the result already
        return True
    if table.match.over:
        show_results(table.match)
    else:
        on = ", ".join([table.match.game.title, *session.table().heading])
        fate = (
            "saved. Run `cardlang` to resume it."
            if table.match.choices
            else "no one has moved yet, so nothing is saved."
        )
        tell(f"{on}: {fate if session.kept else 'the match stops here.'}", err=True)
    return False


def make_session(table: Table, kept: bool) -> Session:
    """Create the session that a screen displays."""
    from cardlang.rulesheet import aid, build
    from cardlang.rulesheet.markdown import render
    from cardlang.terminal.captions import captions
    from cardlang.terminal.session import Session, Texts

    game = table.match.game
    texts = Texts(
        rules=rules_of(game),
        aid=cache(lambda: render(aid(build(game)), at_table=True)),
        cards=lambda: captions(game),
    )
    hasty = make_bots(table, HASTY)
    return Session(table.match, make_bots(table), texts, thought_once(counsel), kept, pace(table), hasty)


def pace(table: Table) -> Pace | None:
    """Return the timing of bots if a person watches them at a terminal."""
    from interpreter.players.pace import pace_of

    kinds = [seat.kind for seat in table.seats if not seat.is_person]
    return pace_of(kinds, 0.0) if kinds and sys.stdout.isatty() else None


def thought_once(counsel: Callable[[Match], str]) -> Callable[[Match], str]:
    """Cache the hint for the current position, so that asking again gives the same hint."""
    last: tuple[list[object], str] | None = None

    def told(match: Match) -> str:
        nonlocal last
        if last is None or last[0] != match.choices:
            last = [*match.choices], counsel(match)
        return last[1]

    return told


def counsel(match: Match) -> str:
    """Return a hint: the move that a bot would make, and its reasons."""
    from interpreter.players.engines import if_ready
    from interpreter.players.hints import hint

    assert match.decision is not None
    return hint(match, match.decision.player, engines=if_ready).told


def draws(plain: bool) -> bool:
    """Return whether to draw on the full screen of a terminal."""
    return not plain and sys.stdout.isatty() and sys.stdin.isatty() and os.environ.get("TERM") != "dumb"


def carries_symbols() -> bool:
    """Return whether the encoding of the terminal has the symbols of cards."""
    from cardlang.drawing.symbols import SIGNS
    from cardlang.terminal.screen.looks import BACK
    from cardlang.terminal.spoken import NAMED

    try:
        "".join([SIGNS, BACK, *NAMED.values()]).encode(sys.stdout.encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


@contextmanager
def recorded(match: Match) -> Iterator[None]:
    """Close the record at the end. If writing it fails, print how to resume the match."""
    from interpreter.errors import RecordingError

    try:
        yield
    except RecordingError as error:
        raise click.ClickException(f"{error} The match stops here. Resume it with --resume {error.path}") from error
    finally:
        match.close()


def welcome(table: Table) -> str:
    """Return `You are Ann; Bob and Cat are bots. Type ? for help.`"""
    from interpreter.matches.names import listed

    people = [seat.name for seat in table.seats if seat.is_person]
    bots = [seat.name for seat in table.seats if not seat.is_person]
    who = f"You are {people[0]}" if len(people) == 1 else f"{listed(people)} share this screen"
    against = f"; {listed(bots)} {'is a bot' if len(bots) == 1 else 'are bots'}" if bots else ""
    return f"{who}{against}. Type ? for help."
