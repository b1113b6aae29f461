"""Setup of a game for other libraries: file, players and results."""

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
    """Set up a game file as `table` does, with a cache, since other libraries often reload their games.

    The cache is valid until the file changes. Points of the result can be pickled."""
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
    """Set up a game for another library.

    Args:
        game: A game, a file, or the name of a bundled game.
        players: Player count; the fewest if None.
        variant: Title of the variant.
        results: Rewards of the players: `score`, the gain in score; `place`, the number of players a player beat, less
            the number who did better. If None, scores, unless the game names its winner.
        largest_number: Upper limit for choices of numbers; if None, the game must have limits that can be worked out.

    Raises:
        AdapterError: The game cannot be represented.
        GameError: The file has errors.
        OSError: The file cannot be read.
        ValueError: The game does not allow this player count.
    """
    if not isinstance(game, Game):
        game = cardlang.load(game, variant)
    named = seated(game, players)
    names = Names(compile_game(game, len(named)), named)
    results = results or default_results(game)
    if results not in RESULTS:
        raise AdapterError(f"There are no results `{results}`: choose {' or '.join(RESULTS)}.")
    return Table(names, Actions(names.program, largest_number), results)
