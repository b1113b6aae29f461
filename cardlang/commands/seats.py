"""Seats of people and bots, from the options of the command line."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

import click
from attrs import frozen

from cardlang.plain_text import UNSEEN

if TYPE_CHECKING:
    from cardlang.game import Game

NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Joe")
BOTS = ("easy", "steady", "sharp", "search", "rollout", "random")
"""Names in `interpreter.players.levels`, repeated to read a command line without importing it."""
KINDS = ("you", *BOTS)
USUAL = "steady"
"""Default opponent."""


def seed_number(text: str | int) -> int:
    """Parse a seed of the command line. Raise a usage error if it is invalid."""
    from interpreter.chance import checked

    try:
        return checked(int(text))
    except ValueError:
        told = str(text)
        shown = told if len(told) <= 30 else f"{told[:30]}…"
        raise click.BadParameter(f"{shown} is not a whole number with at most 308 digits.") from None


@frozen
class Seat:
    """Name of a player and the kind of player: `you` for a person at this terminal, else a bot."""

    name: str
    kind: str

    @property
    def is_person(self) -> bool:
        return self.kind == "you"


def fewest(game: Game) -> int:
    """Return the default player count.

    It is the smallest count of the game, but at least two if the game allows more than one player.
    """
    return min((count for count in game.seats if count > 1), default=game.seats[0])


def player_counts(game: Game) -> str:
    """Return `2 to 7 players` or `2, 4 or 6 players`."""
    seats = sorted(game.seats)
    if len(seats) == 1:
        return "1 player" if seats == [1] else f"{seats[0]} players"
    if seats == list(range(seats[0], seats[-1] + 1)) and len(seats) > 2:
        return f"{seats[0]} to {seats[-1]} players"
    return f"{', '.join(map(str, seats[:-1]))} or {seats[-1]} players"


def checked_count(game: Game, count: int) -> int:
    """Return the count if the game allows it. Raise a usage error if not."""
    if count not in game.seats:
        raise click.UsageError(f"{game.title} is for {player_counts(game)}, not for {count}.")
    return count


def read_seat(text: str) -> Seat:
    """Parse `Mal=you` as a seat. Raise a usage error if it is invalid."""
    name, equals, kind = text.partition("=")
    name = " ".join(name.split())
    if not equals or not name:
        raise click.UsageError(f"--seat {text}: write NAME=KIND, where KIND is {listed_kinds()}.")
    if len(name) > 30 or set(name) & set("[](),"):
        raise click.UsageError(f"--seat {text}: a name has at most 30 letters, and no brackets or commas.")
    if UNSEEN.search(name):
        raise click.UsageError(f"--seat {text}: a name can only have visible characters.")
    if kind not in KINDS:
        close = get_close_matches(kind.lower(), KINDS, 1, 0.5)
        meant = f" Did you mean {close[0]}?" if close else ""
        raise click.UsageError(f"Unknown kind of player “{kind}”. Use {listed_kinds()}.{meant}")
    return Seat(name, kind)


def listed_kinds() -> str:
    return f"{', '.join(KINDS[:-1])} or {KINDS[-1]}"


def choose_seats(game: Game, players: int | None, given: Sequence[str], auto: bool) -> list[Seat]:
    """Return the given seats, filled up with bots.

    The bots are steady, or random if all seats are bots (`auto`). If no seats are given, the person takes the first,
    unless `auto`. Raise a usage error if the game doesn't allow the seats.
    """
    seats = [read_seat(text) for text in given]
    if auto and any(seat.is_person for seat in seats):
        raise click.UsageError("With --auto, all seats are bots. Remove --seat NAME=you.")
    count = checked_count(game, players if players is not None else max(len(seats), fewest(game)))
    if len(seats) > count:
        raise click.UsageError(f"There are {len(seats)} --seat options for {count} players.")
    taken = {seat.name.lower() for seat in seats}
    if len(taken) < len(seats):
        raise click.UsageError("Two seats have the same name.")
    free = [name for name in NAMES if name.lower() not in taken]
    bot = usual(auto)
    kinds = ["you" if not (seats or auto) else bot, *[bot] * count]
    return seats + [Seat(name, kind) for name, kind in zip(free[: count - len(seats)], kinds, strict=False)]


def usual(auto: bool) -> str:
    """Return the default bot. Matches between bots use random ones, which are fast and reach more rules."""
    return "random" if auto else USUAL


def reseat(names: Sequence[str], given: Sequence[str], auto: bool) -> list[Seat]:
    """Return the seats of a resumed match.

    Players without a given seat are bots. If no given seat is a person, the first player is one, unless `auto`. Raise a
    usage error for a name that is not in the match.
    """
    seats = {seat.name: seat for seat in map(read_seat, given)}
    for name in seats:
        if name not in names:
            raise click.UsageError(f"{name} is not in this match. The players are {', '.join(names)}.")
    person = None if auto or any(seat.is_person for seat in seats.values()) else names[0]
    return [seats.get(name, Seat(name, "you" if name == person else usual(auto))) for name in names]
