"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click
from attrs import fields_dict, frozen

from cardlang.commands.seats import BOTS, seed_number

Command = Callable[..., None]

force = click.option("--force", is_flag=True, help="Replace files that cardlang did not write.")
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
variant = click.option("--variant", metavar="TITLE", help="Variant to use.")


def examples(*commands: str) -> str:
    """Format examples for the end of a help text."""
    return "\b\nExamples:\n" + "\n".join(f"  cardlang {each}" for each in commands)


def jobs(note: str = "Number of processes.") -> Callable[[Command], Command]:
    return click.option("--jobs", type=click.IntRange(1, 64), metavar="N", default=1, show_default=True, help=note)


@frozen
class Wanted:
    """Values of the options added by `wanted`; see these for each field.

    If `players` is None, all player counts that the game allows are played.
    """

    games: int
    players: int | None
    seed: int
    bot: str
    seats: tuple[str, ...]
    cap: int
    jobs: int
    engine: str
    cluster: str | None
    report: Path | None
    force: bool
    as_json: bool


def wanted(games: int, players: str, engine: str, report: str) -> Callable[[Command], Command]:
    """Return a decorator that adds the options of simulations and passes them as one `wanted` argument.

    `games` is a default; `players`, `engine` and `report` are parts of the help text.
    """
    options = (
        click.option("--games", type=click.IntRange(1), metavar="N", default=games, show_default=True,
                     help="Matches to play at each player count."),
        click.option("--players", type=int, metavar="N", help=f"Number of players; default: {players}."),
        click.option("--seed", type=seed_number, metavar="N", default=1, show_default=True,
                     help="Random seed of the first match; each later match adds 1."),
        click.option("--bot", type=click.Choice(BOTS), default="random", show_default=True,
                     help="Bot for seats without --seat."),
        click.option("--seat", "seats", multiple=True, metavar="NAME=BOT",
                     help="Name of a player and their bot. Repeatable."),
        click.option("--cap", type=click.IntRange(1), metavar="N", default=10_000, show_default=True,
                     help="Move limit: decisions in a match before it is stopped."),
        jobs(),
        click.option("--engine", type=click.Choice(["auto", "native", "python"]), default="auto", show_default=True,
                     help=engine),
        click.option("--cluster", metavar="ADDRESS",
                     help="Dask scheduler to play on, such as tcp://10.0.0.5:8786."),
        click.option("--report", type=click.Path(path_type=Path), metavar="PAGE", help=report),
        force,
        as_json,
    )  # fmt: skip

    def with_options(command: Command) -> Command:
        @wraps(command)
        def given(**told: Any) -> None:
            own = {name: told.pop(name) for name in fields_dict(Wanted)}
            command(**told, wanted=Wanted(**own))

        for option in reversed(options):
            option(given)
        return given

    return with_options
