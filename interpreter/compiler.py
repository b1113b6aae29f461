"""Compile a checked game to a program, once for each player count."""

from __future__ import annotations

from functools import lru_cache

from cardlang.game import Game
from interpreter.itself import KEPT, Itself
from interpreter.program import Program


def compile_game(game: Game, players: int, listen: bool = False) -> Program:
    """Return the program of a game for a player count. `listen`: generate events. Results are cached.

    Raise `ValueError` for a player count that the game does not allow."""
    if players not in game.seats:
        raise ValueError(f"{game.title} takes {seats_in_words(game.seats)} players, not {players}.")
    return compiled(Itself(game), players, listen)


@lru_cache(maxsize=KEPT)
def compiled(game: Itself, players: int, listen: bool) -> Program:
    return Program(game.game, players, listen)


def seats_in_words(seats: tuple[int, ...]) -> str:
    if len(seats) == 1:
        return str(seats[0])
    if len(seats) > 2 and seats == tuple(range(seats[0], seats[-1] + 1)):
        return f"{seats[0]} to {seats[-1]}"
    return f"{', '.join(map(str, seats[:-1]))} or {seats[-1]}"
