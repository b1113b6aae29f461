"""Command `cardlang replay`: a recorded match, step by step."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardlang.cli import match_options
from cardlang.cli.error_reports import load_recorded_match, report_rule_errors
from cardlang.cli.interactive_session import can_draw_screen, can_print_symbols, print_results
from cardlang.ui.terminal.escaped_output import write_line

if TYPE_CHECKING:
    from interpreter.match.match import Match


@click.command(
    epilog=match_options.format_examples(
        "replay", "replay match.jsonl --view Ann", "replay match.jsonl --until 20 --plain"
    )
)
@click.argument("record", type=click.Path(path_type=Path), required=False)
@click.option("--until", type=click.IntRange(0), metavar="N", help="Number of choices to stop after.")
@click.option("--view", metavar="NAME", help="Player whose view to show; default: everything.")
@click.option("--plain", is_flag=True, help="Print lines of text instead of the full screen.")
def replay_record(record: Path | None, until: int | None, view: str | None, plain: bool) -> None:
    """Step through a recorded match.

    Without RECORD, replays the saved match you played last."""
    with report_rule_errors():
        match = load_recorded_match(record or find_last_record(), until)
        if view is not None and view not in match.players:
            raise click.UsageError(f"{view} is not in this match. The players are {', '.join(match.players)}.")
        if can_draw_screen(plain):
            show_replay(match, view)
        else:
            print_match(match, view)


def find_last_record() -> Path:
    """Return the record of the match that was played last. Raise a usage error if there is none."""
    from cardlang.cli import saved_matches

    record = saved_matches.find_latest_record()
    if record is None:
        raise click.UsageError("There is no saved match to show. Name a RECORD.")
    return record


def show_replay(match: Match, name: str | None) -> None:
    """Show the match on the full screen, from its beginning."""
    from cardlang.ui.terminal.screen.card_styles import CardStyles
    from cardlang.ui.terminal.screen.table_app import ReplayApp

    def clone_at(count: int) -> Match:
        copy = match.clone()
        copy.rewind_to(count)
        return copy

    ReplayApp(match, clone_at, CardStyles(match.game, can_print_symbols(sys.stdout.encoding)), name).run()


def print_match(match: Match, name: str | None) -> None:
    """Print the log, then the results or the current table.

    A player's view leaves out the prompt and the picks of another player.
    """
    from cardlang.ui.terminal.line_mode import print_places

    view = match.view(name)
    for line in match.log if name is None else view.log:
        write_line(line)
    if match.decision is None:
        print_results(match)
        return
    write_line()
    print_places(match.table(name))
    prompt = match.decision.prompt if name is None else view.prompt
    write_line(f"{view.asked} to act{f': {prompt}' if prompt else '.'}")
