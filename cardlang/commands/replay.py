"""`cardlang replay`: a recorded match, told again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardlang.commands.results import show_results
from cardlang.commands.running import resume_record, rules_at_fault

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
        tell(match, view)


def tell(match: Match, view: str | None) -> None:
    """The log, then the results or the table as it stands."""
    from cardlang.terminal.plain import Plain
    from cardlang.terminal.scene import scene_of

    for line in match.log if view is None else match.view(view).log:
        click.echo(line)
    if match.over:
        show_results(match)
        return
    if match.decision is not None:
        asked = f"{match.decision.player} is asked: {match.decision.prompt}"
        Plain(match.game).show(scene_of(match.view(view), match.game), [], asked, [])
