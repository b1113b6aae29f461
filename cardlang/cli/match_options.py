"""Command-line options for players, seats, seeds and match counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from attrs import fields_dict, frozen

from cardlang.english.control_characters import INVISIBLE_PATTERN
from cardlang.game_translation import LANGUAGE
from cardlang.ui.terminal.start_options import choose_middle_count

if TYPE_CHECKING:
    from cardlang.model import Game


DEFAULT_NAMES = (
    "Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Joe",
    "Kim", "Lou", "Mia", "Ned", "Oli", "Pam", "Ray", "Sue", "Tom", "Una",
)  # fmt: skip
BOT_KINDS = ("easy", "steady", "sharp", "search", "rollout", "random")
"""Names in `interpreter.bots.bot_players`, repeated to read a command line without importing it."""
SEAT_KINDS = ("you", *BOT_KINDS)
DEFAULT_BOT = "steady"
"""Default opponent."""


def check_language(text: str) -> str:
    """Return the code of a language. Raise a usage error if it is invalid, such as a path."""
    if LANGUAGE.fullmatch(text):
        return text
    raise click.BadParameter("write the code of a language, such as de or pt-BR.")


def parse_seed(text: str | int) -> int:
    """Parse a seed of the command line. Raise a usage error if it is invalid."""
    from interpreter.runtime import rng

    try:
        return rng.check_seed(rng.parse_seed(str(text)))
    except ValueError:
        text_form = str(text)
        shown = text_form if len(text_form) <= 30 else f"{text_form[:30]}…"
        raise click.BadParameter(f"{shown} is neither a seed code nor a number of at most 308 digits.") from None


@frozen
class Seat:
    """Name of a player and the kind of player: `you` for a person at this terminal, else a bot."""

    name: str
    kind: str

    @property
    def is_person(self) -> bool:
        return self.kind == "you"


def format_player_counts(game: Game) -> str:
    """Return `2 to 7 players` or `2, 4 or 6 players`."""
    from interpreter.runtime import state_layout

    return f"{state_layout.format_player_counts(game.seats)} player{'s' * (game.seats != (1,))}"


def check_player_count(game: Game, count: int) -> int:
    """Return the count if the game allows it. Raise a usage error if not."""
    if count not in game.seats:
        raise click.UsageError(f"{game.title} is for {format_player_counts(game)}, not for {count}.")
    return count


def parse_seat(text: str) -> Seat:
    """Parse `Mal=you` as a seat. Raise a usage error if it is invalid."""
    name, equals, kind = text.partition("=")
    name = " ".join(name.split())
    if not equals or not name:
        raise click.UsageError(f"--seat {text}: write NAME=KIND, where KIND is {format_seat_kinds()}.")
    if len(name) > 30 or set(name) & set("[](),"):
        raise click.UsageError(f"--seat {text}: a name has at most 30 letters, and no brackets or commas.")
    if INVISIBLE_PATTERN.search(name):
        raise click.UsageError(f"--seat {text}: a name can only have visible characters.")
    if kind not in SEAT_KINDS:
        close = get_close_matches(kind.lower(), SEAT_KINDS, 1, 0.5)
        meant = f" Did you mean {close[0]}?" if close else ""
        raise click.UsageError(f"Unknown kind of player “{kind}”. Use {format_seat_kinds()}.{meant}")
    return Seat(name, kind)


def format_seat_kinds() -> str:
    return f"{', '.join(SEAT_KINDS[:-1])} or {SEAT_KINDS[-1]}"


def choose_seats(game: Game, players: int | None, seat_options: Sequence[str], auto: bool) -> list[Seat]:
    """Return the given seats, filled up with bots.

    The bots are steady, or random if all seats are bots (`auto`). If no seats are given, the person takes the first,
    unless `auto`. Raise a usage error if the game doesn't allow the seats.
    """
    seats = [parse_seat(text) for text in seat_options]
    if auto and any(seat.is_person for seat in seats):
        raise click.UsageError("With --auto, all seats are bots. Remove --seat NAME=you.")
    count = check_player_count(
        game, players if players is not None else max(len(seats), choose_middle_count(game.seats))
    )
    if len(seats) > count:
        raise click.UsageError(f"There are {len(seats)} --seat options for {count} players.")
    taken = {seat.name.lower() for seat in seats}
    if len(taken) < len(seats):
        raise click.UsageError("Two seats have the same name.")
    free = [name for name in DEFAULT_NAMES if name.lower() not in taken]
    bot = choose_default_bot(auto)
    kinds = ["you" if not (seats or auto) else bot, *[bot] * count]
    return seats + [Seat(name, kind) for name, kind in zip(free[: count - len(seats)], kinds, strict=False)]


def choose_default_bot(auto: bool) -> str:
    """Return the default bot. Matches between bots use random ones, which are fast and reach more rules."""
    return "random" if auto else DEFAULT_BOT


def restore_seats(names: Sequence[str], seat_options: Sequence[str], auto: bool) -> list[Seat]:
    """Return the seats of a resumed match.

    Players without a given seat are bots. If no given seat is a person, the first player is one, unless `auto`. Raise a
    usage error for a name that is not in the match.
    """
    seats = {seat.name: seat for seat in map(parse_seat, seat_options)}
    for name in seats:
        if name not in names:
            raise click.UsageError(f"{name} is not in this match. The players are {', '.join(names)}.")
    person = None if auto or any(seat.is_person for seat in seats.values()) else names[0]
    return [seats.get(name, Seat(name, "you" if name == person else choose_default_bot(auto))) for name in names]


# ---------------------------------------------------------------- options of simulations
CommandFunction = Callable[..., None]
force_option = click.option("--force", is_flag=True, help="Replace files that cardlang did not write.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
variant_option = click.option("--variant", metavar="TITLE", help="Variant to use.")
language_option = click.option(
    "--language", metavar="CODE", type=check_language, help="Language of the game's texts, from NAME.CODE.csv."
)


def format_examples(*commands: str) -> str:
    """Format examples for the end of a help text."""
    return "\b\nExamples:\n" + "\n".join(f"  cardlang {command}" for command in commands)


def add_jobs_option(help_text: str = "Number of processes.") -> Callable[[CommandFunction], CommandFunction]:
    return click.option("--jobs", type=click.IntRange(1, 64), metavar="N", default=1, show_default=True, help=help_text)


@frozen
class SimulationOptions:
    """Values of the options added by `add_simulation_options`; see these for each field.

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


def add_simulation_options(
    games: int, players: str, engine: str, report: str
) -> Callable[[CommandFunction], CommandFunction]:
    """Return a decorator that adds the options of simulations and passes them as one `options` argument.

    `games` is a default; `players`, `engine` and `report` are parts of the help text.
    """
    options = (
        click.option("--games", type=click.IntRange(1), metavar="N", default=games, show_default=True,
                     help="Matches to play at each player count."),
        click.option("--players", type=int, metavar="N", help=f"Number of players; default: {players}."),
        click.option("--seed", type=parse_seed, metavar="N", default=1, show_default=True,
                     help="Random seed of the first match; each later match adds 1."),
        click.option("--bot", type=click.Choice(BOT_KINDS), default="random", show_default=True,
                     help="Bot for seats without --seat."),
        click.option("--seat", "seats", multiple=True, metavar="NAME=BOT",
                     help="Name of a player and their bot. Repeatable."),
        click.option("--cap", type=click.IntRange(1), metavar="N", default=10_000, show_default=True,
                     help="Move limit: decisions in a match before it is stopped."),
        add_jobs_option(),
        click.option("--engine", type=click.Choice(["auto", "native", "python"]), default="auto", show_default=True,
                     help=engine),
        click.option("--cluster", metavar="ADDRESS",
                     help="Dask scheduler to play on, such as tcp://10.0.0.5:8786."),
        click.option("--report", type=click.Path(path_type=Path), metavar="PAGE", help=report),
        force_option,
        json_option,
    )  # fmt: skip

    def with_options(command: CommandFunction) -> CommandFunction:
        @wraps(command)
        def call_command(**told: Any) -> None:
            option_values = {name: told.pop(name) for name in fields_dict(SimulationOptions)}
            command(**told, options=SimulationOptions(**option_values))

        for option in reversed(options):
            option(call_command)
        return call_command

    return with_options
