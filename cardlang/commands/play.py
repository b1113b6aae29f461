"""`cardlang play`: a match at the terminal, with people and bots."""

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


@click.command()
@click.argument("file", required=False)
@click.option("--players", type=int, help="How many play; the fewest that the game takes if not given.")
@click.option("--seat", "given", multiple=True, metavar="NAME=KIND", help=f"A player: {listed_kinds()}. Repeat.")
@click.option(
    "--seed", type=seed_number, metavar="INTEGER", help="The number that all chance comes from; drawn if not given."
)
@options.variant
@click.option("--plain", is_flag=True, help="Lines of text that a screen reader can follow, no drawing.")
@click.option("--record", type=click.Path(path_type=Path, dir_okay=False), help="Keep a record in this file.")
@click.option("--resume", "resumed", type=click.Path(path_type=Path), help="Go on with a recorded match.")
@click.option("--new", is_flag=True, help="Begin a new match, without asking, where one of this game was left.")
@click.option("--trace", is_flag=True, help="Show everything that happens, hidden cards too, with its rule.")
@click.option("--auto", is_flag=True, help="All seats are bots.")
def command(
    file: str | None, players: int | None, given: tuple[str, ...], seed: int | None, variant: str | None,
    plain: bool, record: Path | None, resumed: Path | None, new: bool, trace: bool, auto: bool,
) -> None:  # fmt: skip
    """Play a game against bots, or with others at the same screen (--seat Ann=you --seat Bob=you)."""
    if trace and not auto:
        raise click.UsageError("--trace shows hidden cards: it goes with --auto only.")
    if (file is None) == (resumed is None):
        raise click.UsageError("Name a game FILE, or a record with --resume." if file is None else EITHER)
    if resumed is not None and (players, seed, variant) != (None, None, None):
        raise click.UsageError("A match that goes on keeps its players, its seed and its variant.")
    with rules_at_fault():
        if draws(plain):
            tell(f"{file or resumed}: the rules are read …", err=True)  # which takes a moment
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
        if table.match.over and seed is None:  # not before: whoever has it can work out every hidden card
            tell(f"Seed {table.match.seed}.", err=True)


MOST_WATCHED = 10_000
"""So many decisions bots take among themselves."""
EITHER = "Name a game FILE or a record with --resume, not both: the record holds its game."


def keep_record(match: Match, path: Path) -> None:
    """Writes a record from now on. It must not exist yet."""
    if path.exists():
        raise click.UsageError(f"{path} exists already; name another file, or go on with it: --resume {path}")
    check_target(path, "record")
    match.record(path)


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
