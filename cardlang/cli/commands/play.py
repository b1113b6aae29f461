"""Command `cardlang play`: a match at the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardlang.cli import match_options
from cardlang.cli.error_reports import report_rule_errors
from cardlang.cli.file_arguments import check_output_path
from cardlang.cli.interactive_session import (
    SeatedMatch,
    ask_player_count,
    can_draw_screen,
    close_record_at_end,
    make_bots,
    play_with_rematches,
    print_results,
    resume_match,
    start_new_match,
)
from cardlang.cli.match_options import format_seat_kinds, parse_seed
from cardlang.cli.start_menu import offer_to_resume
from cardlang.ui.terminal.escaped_output import write_line

if TYPE_CHECKING:
    from interpreter.match.match import Match


@click.command(
    epilog=match_options.format_examples(
        "play hearts",
        "play texas_holdem --players 4 --seat You=you --seat Bob=sharp",
        "play hearts --auto --trace --seed 7",
    )
)
@click.argument("file", required=False)
@click.option("--players", type=int, metavar="N", help="Number of players; if not given, asks or takes the fewest.")
@click.option(
    "--seat", "given", multiple=True, metavar="NAME=KIND",
    help=f"Name of a player, and who plays: {format_seat_kinds()}. Repeatable.",
)  # fmt: skip
@click.option("--seed", type=parse_seed, metavar="SEED", help="Seed code or number, to play the same match again.")
@match_options.variant_option
@match_options.language_option
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
def play_in_terminal(
    file: str | None, players: int | None, given: tuple[str, ...], seed: int | None, variant: str | None,
    language: str | None, plain: bool, record: Path | None, resumed: Path | None, new: bool, trace: bool, auto: bool,
) -> None:  # fmt: skip
    """Play a game in the terminal.

    You take the first seat, and bots take the others. Use --seat to choose bots or to share the screen with
    other people."""
    if trace and not auto:
        raise click.UsageError("--trace shows hidden cards, so it works only with --auto.")
    if (file is None) == (resumed is None):
        raise click.UsageError(NO_FILE_ERROR if file is None else FILE_AND_RECORD_ERROR)
    if resumed is not None and (players, seed, variant) != (None, None, None):
        raise click.UsageError("A resumed match keeps its players, seed and variant.")
    with report_rule_errors():
        if can_draw_screen(plain):
            write_line(f"{file or resumed}: loading the rules …", err=True)  # loading takes a moment
        table = (
            resume_match(resumed, given, auto, record is None, language)
            if resumed
            else start_new_match(file or "", players, given, seed, variant, auto, language)
        )
        unasked, asking = record is None and resumed is None, seed is None and not auto
        going_on = unasked and asking and not new and can_draw_screen(plain=False)
        taken = offer_to_resume(table, bool(players or given), plain, language) if going_on else None
        table, record_path = taken or (table, None)
        settled = ask_player_count(table) if asking and can_draw_screen(plain) else table
        if settled is None:
            return
        if record is not None:
            start_recording(settled.match, record)
        if auto:
            with close_record_at_end(settled.match):
                play_bots_only(settled, trace)
        else:
            play_with_rematches(settled, plain, record_path, unasked)
        table = settled
        if table.match.over and seed is None:  # the seed reveals every hidden card, so not before the end
            from interpreter.runtime.rng import format_seed

            write_line(f"Seed {format_seed(table.match.seed)}.", err=True)


MAX_BOT_MOVES = 10_000
"""Move limit of a match between bots."""
NO_FILE_ERROR = "Name a game FILE, or a record with --resume."
FILE_AND_RECORD_ERROR = "Name a game FILE or a record with --resume, not both. The record contains its game."


def start_recording(match: Match, path: Path) -> None:
    """Write a record from now on. Raise an error if the file exists."""
    if path.exists():
        raise click.UsageError(f"{path} already exists. Name another file, or resume the match with --resume {path}")
    check_output_path(path, "record")
    match.record(path)


def play_bots_only(seated: SeatedMatch, trace: bool) -> None:
    """Let bots play, and print events as they happen. Stop at the move limit."""
    from cardlang.ui.terminal.line_mode import LogPrinter

    bots = make_bots(seated)
    teller = LogPrinter(seated.match, trace)
    left = MAX_BOT_MOVES
    while (decision := seated.match.decision) is not None and left:
        seated.match.choose(bots[decision.player].choose(seated.match))
        teller.print_new_lines()
        left -= 1
    teller.print_new_lines(flush=True)
    if seated.match.over:
        print_results(seated.match)
    else:
        write_line(f"The bots stop here: the match has not ended after {MAX_BOT_MOVES:,} decisions.", err=True)
