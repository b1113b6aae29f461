"""`cardlang replay`: print a recorded match, or step through it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardlang.commands import options
from cardlang.commands.results import show_results
from cardlang.commands.running import resume_record, rules_at_fault
from cardlang.commands.sitting import carries_symbols, draws
from cardlang.terminal.telling import tell

if TYPE_CHECKING:
    from interpreter.matches.match import Match


@click.command(
    epilog=options.examples(
        "replay",
        "replay match.jsonl --view Ann",
        "replay match.jsonl --until 20 --plain",
    )
)
@click.argument("record", type=click.Path(path_type=Path), required=False)
@click.option("--until", type=click.IntRange(0), metavar="N", help="Number of choices to stop after.")
@click.option("--view", metavar="NAME", help="Player whose view to show; default: everything.")
@click.option("--plain", is_flag=True, help="Print lines of text instead of the full screen.")
def command(record: Path | None, until: int | None, view: str | None, plain: bool) -> None:
    """Step through a recorded match.

    Without RECORD, replays the saved match you played last."""
    with rules_at_fault():
        match = resume_record(record or last_record(), until)
        if view is not None and view not in match.players:
            raise click.UsageError(f"{view} is not in this match. The players are {', '.join(match.players)}.")
        if draws(plain):
            step_through(match, view)
        else:
            tell_match(match, view)


def last_record() -> Path:
    """Return the record of the match that was played last. Raise a usage error if there is none."""
    from cardlang.commands import keeping

    found = keeping.latest()
    if found is None:
        raise click.UsageError("There is no saved match to show. Name a RECORD.")
    return found


def step_through(match: Match, name: str | None) -> None:
    """Show the match on the full screen, from its beginning."""
    from cardlang.terminal.screen.looks import Looks
    from cardlang.terminal.screen.stepper import Stepper

    def before(count: int) -> Match:
        copy = match.clone()
        copy.rewind(count)
        return copy

    Stepper(match, before, Looks(match.game, carries_symbols()), name).run()


def tell_match(match: Match, name: str | None) -> None:
    """Print the log, then the results or the current table.

    A player's view leaves out the prompt and the picks of another player.
    """
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
    tell(f"{view.asked} to act{f': {prompt}' if prompt else '.'}")
