"""Load, check, play and print card games that are written in plain English."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from cardlang.adapters.vector_env import VectorEnv
    from cardlang.diagnostics import Diagnostic, GameError
    from cardlang.loader import load, loads
    from cardlang.model import Game
    from cardlang.storage import shipped
    from interpreter.match.match import Match

__all__ = ["Diagnostic", "Game", "GameError", "from_json", "load", "loads", "resume", "shipped", "vector"]


MODULES = {
    "Diagnostic": "cardlang.diagnostics",
    "Game": "cardlang.model",
    "GameError": "cardlang.diagnostics",
    "load": "cardlang.loader",
    "loads": "cardlang.loader",
    "shipped": "cardlang.storage",
}
"""Modules of public names, imported on first use, so that a command line starts fast."""


def __getattr__(name: str) -> Any:
    if name not in MODULES:
        raise AttributeError(f"module 'cardlang' has no attribute '{name}'")
    value = globals()[name] = getattr(import_module(MODULES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *MODULES])


def from_json(data: bytes | str) -> Game:
    """Load a game from the JSON that `Game.json` returns.

    Args:
        data: The JSON.

    Returns:
        A game equal to the original.

    Raises:
        ValueError: The data is not such JSON. The message has the path to the error.

    Examples:
        >>> game = cardlang.load("hearts")
        >>> cardlang.from_json(game.json()) == game
        True
    """
    from cardlang.model.game_json import from_json as read

    return read(data)


def resume(path: str | Path, until: int | None = None) -> Match:
    """Resume the match of a record.

    A last line that is incomplete is dropped with a warning.

    Args:
        path: The record.
        until: Number of choices and undos to replay; all if None.

    Returns:
        The match after its last choice.

    Raises:
        RecordError: The record was altered, or is no record.
        OSError: The file cannot be read.
    """
    from pathlib import Path

    from cardlang.loader import loads
    from interpreter.match.record_resume import resume_match

    return resume_match(Path(path), until, loads)


def vector(
    game: Game | str | Path,
    n: int,
    players: int | None = None,
    seed: int = 1,
    *,
    engine: str = "auto",
    longest: int = 100_000,
    **settings: Any,
) -> VectorEnv:
    """Play many matches of a game in parallel over NumPy arrays.

    Args:
        game: A game, a file, or the name of a bundled game.
        n: Number of matches.
        players: Player count; the fewest if None.
        seed: Random seed of the first match, at least 0. The next match adds 1.
        engine: `native` (compiled C), `python`, or `auto` for the first that works. Both play the same matches.
        longest: Move limit: decisions in a match before it is truncated.
        **settings: `variant`, `results` and `largest_number`, as in `cardlang.adapters.game_encoding.table`.

    Returns:
        An environment like the vector environments of Gymnasium.

    Raises:
        ImportError: NumPy is not installed.
        GameError: The file has errors.
        ValueError: A number is out of range, or the matches need more memory than there is.
        AdapterError: The game has no such form.

    Examples:
        >>> env = cardlang.vector("hearts", 64, players=4)
        >>> observations, infos = env.reset()
        >>> observations.shape == (64, env.observation_size)
        True
    """
    from cardlang.adapters.game_encoding import table
    from cardlang.adapters.vector_env import VectorEnv, create_batch

    return VectorEnv(create_batch(table(game, players, **settings), n, engine, longest), seed)
