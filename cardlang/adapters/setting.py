"""What a game is given to: its file, its players, how its results count."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from attrs import evolve

import cardlang
from cardlang.adapters import AdapterError
from cardlang.adapters.actions import Actions
from cardlang.game import Game
from interpreter.compiler import compile_game
from interpreter.matches.names import Names
from interpreter.matches.seating import seated
from interpreter.trees.point import RESULTS, Table, default_results


def named_table(file: str, *settings: Any) -> Table[Actions]:
    """As `table`, for a file; kept, as other libraries make their games again and again, until another text stands
    there. Its points can be stored."""
    found = kept_table(file, *settings)
    if cardlang.is_current(found.program.game, file):
        return found
    kept_table.cache_clear()
    return kept_table(file, *settings)


@lru_cache(maxsize=64)
def kept_table(file: str, *settings: Any) -> Table[Actions]:
    return evolve(table(file, *settings), made=(named_table, (file, *settings)))


def table(
    game: Game | str | Path,
    players: int | None = None,
    variant: str | None = None,
    results: str | None = None,
    largest_number: int | None = None,
) -> Table[Actions]:
    """A game set up for another library. `game`: as for `cardlang.load`; `players`: None for the fewest.

    `results`: what the players get. `score`: what their scores have gained; `place`: how many others each has left
    behind less how many were better. None: scores, unless the game itself says who wins.
    `largest_number`: choices of numbers end there; None: they must have a limit that can be told beforehand.
    Raises AdapterError for a game that cannot be represented, GameError, OSError and ValueError as loading does."""
    if not isinstance(game, Game):
        game = cardlang.load(game, variant)
    named = seated(game, players)
    names = Names(compile_game(game, len(named)), named)
    results = results or default_results(game)
    if results not in RESULTS:
        raise AdapterError(f"There are no results `{results}`: choose {' or '.join(RESULTS)}.")
    return Table(names, Actions(names.program, largest_number), results)
