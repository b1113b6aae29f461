"""`cardlang play`: play a match at the terminal, with people and bots."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardlang.commands import options
from cardlang.commands.files import check_target
from cardlang.commands.going_on import taken_up
from cardlang.commands.results import show_results
from cardlang.commands.running import rules_at_fault
from cardlang.commands.seats import listed_kinds, seed_number
from cardlang.commands.sitting import Table, begin, counted, draws, make_bots, recorded, resume, sit
from cardlang.terminal.telling import tell

if TYPE_CHECKING:
    from interpreter.matches.match import Match


@click.command(
    epilog=options.examples(
        "play hearts",
        "play texas_holdem --players 4 --seat You=you --seat Bob=sharp",
        "play hearts --auto --trace --seed 7",
    )
)
@click.argument("file", required=False)
@click.option("--players", type=int, metavar="N", help="Number of players; if not given, asks or takes the fewest.")
@click.option(
    "--seat", "given", multiple=True, metavar="NAME=KIND",
    help=f"Name of a player, and who plays: {listed_kinds()}. Repeatable.",
)  # fmt: skip
@click.option("--seed", type=seed_number, metavar="N", help="Random seed, to play the same match again.")
@options.variant
@click.option("--plain", is_flag=True, help="Print lines of text instead of the full screen.")
@click.option(
    "--record", type=click.Path(path_type=Path, dir_okay=False), help="File to save a record of the match in."
)
@click.option(
    "--resume", "resumed", metavar="FILE", type=click.Path(path_type=Path), help="Record of the match to resume."
)
@click.option("--new", is_flag=True, help="Start a new match without asking about a saved one.")
@click.option("--trace", is_flag=True, help="With --auto: print every event and its rule, hidden cards included.")
@click.option("--auto", is_flag=True, help="Let bots play all seats.")
def command(
    file: str | None, players: int | None, given: tuple[str, ...], seed: int | None, variant: str | None,
    plain: bool, record: Path | None, resumed: Path | None, new: bool, trace: bool, auto: bool,
) -> None:  # fmt: skip
    """Play a game in the terminal.

    You take the first seat, and bots take the others. Use --seat to choose bots or to share the screen with
    other people."""
    if trace and not auto:
        raise click.UsageError("--trace shows hidden cards, so it works only with --auto.")
    if (file is None) == (resumed is None):
        raise click.UsageError("Name a game FILE, or a record with --resume." if file is None else EITHER)
    if resumed is not None and (players, seed, variant) != (None, None, None):
        raise click.UsageError("A resumed match keeps its players, seed and variant.")
    with rules_at_fault():
        if draws(plain):
            tell(f"{file or resumed}: loading the rules …", err=True)  # loading takes a moment
        table = (
            resume(resumed, given, auto, record is None)
            if resumed
            else begin(file or "", players, given, seed, variant, auto)
        )
        unasked, asking = record is None and resumed is None, seed is None and not auto
        going_on = unasked and asking and not new and draws(plain=False)
        taken = taken_up(table, bool(players or given)) if going_on else None
        table, kept = taken or (table, None)
        settled = counted(table) if asking and draws(plain) else table
        if settled is None:
            return
        if record is not None:
            keep_record(settled.match, record)
        if auto:
            with recorded(settled.match):
                watch(settled, trace)
        else:
            sit(settled, plain, kept, unasked)
        table = settled
        if table.match.over and seed is None:  # the seed reveals every hidden card, so not before the end
            tell(f"Seed {table.match.seed}.", err=True)


MOST_WATCHED = 10_000
"""Move limit of a match between bots."""
EITHER = "Name a game FILE or a record with --resume, not both. The record contains its game."


def keep_record(match: Match, path: Path) -> None:
    """Write a record from now on. Raise an error if the file exists."""
    if path.exists():
        raise click.UsageError(f"{path} already exists. Name another file, or resume the match with --resume {path}")
    check_target(path, "record")
    match.record(path)


def watch(table: Table, trace: bool) -> None:
    """Let bots play, and print events as they happen. Stop at the move limit."""
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
        tell(f"The bots stop here: the match has not ended after {MOST_WATCHED:,} decisions.", err=True)
