"""`cardlang replay`: a recorded match, told again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardlang.commands.results import show_results
from cardlang.commands.running import resume_record, rules_at_fault
from cardlang.terminal.telling import tell

if TYPE_CHECKING:
    from interpreter.matches.match import Match


@click.command()
@click.argument("record", type=click.Path(path_type=Path))
@click.option("--until", type=click.IntRange(0), help="Stop after so many choices.")
@click.option("--view", metavar="NAME", help="As this player saw it; without, everything is shown.")
def command(record: Path, until: int | None, view: str | None) -> None:
    """Tell a recorded match again, and show the table where it stops."""
    with rules_at_fault():
        match = resume_record(record, until)
        if view is not None and view not in match.players:
            raise click.UsageError(f"{view} does not play in this match; {', '.join(match.players)} do.")
        tell_match(match, view)


def tell_match(match: Match, name: str | None) -> None:
    """The log, then the results or the table as it stands. What somebody else is asked, and has picked so far, a player
    is not shown."""
    from cardlang.terminal.lines import tell_places

    view = match.view(name)
    for line in match.log if name is None else view.log:
        tell(line)
    if match.decision is None:
        show_results(match)
        return
    tell()
    tell_places(match.table(name))
    prompt = match.decision.prompt if name is None else view.prompt
    tell(f"{view.asked} is asked{f': {prompt}' if prompt else '.'}")
