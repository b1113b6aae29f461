"""Short identifiers of rules that are sent between processes, and a cache of the loaded games."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click
from attrs import frozen

from cardlang import kept
from cardlang.commands.files import find_game, load_game

if TYPE_CHECKING:
    from cardlang.game import Game


@frozen
class Rules:
    """Identifier of a game or variant, as plain values.

    `digest` covers the source files, so a changed file has a different identifier.
    """

    path: str
    variant: str | None
    digest: str


_games: dict[Rules, Game] = {}


def rules_of(game: Game, file: str) -> Rules:
    """Return the identifier of a game loaded from `file`, and cache the game."""
    found = Rules(str(find_game(file)), game.variant, digest(game))
    keep_games([(found, game)])
    return found


def digest(game: Game) -> str:
    return kept.digest("".join(kept.digest(source.text) for source in game.sources))


def kept_game(rules: Rules) -> Game:
    """Return the game, loaded once in each process. Raise `ClickException` if its file has changed."""
    if rules not in _games:
        game = load_game(rules.path, rules.variant)
        if digest(game) != rules.digest:
            raise click.ClickException(f"{rules.path} changed during the match. Start again.")
        keep_games([(rules, game)])
    return _games[rules]


def keep_games(games: Iterable[tuple[Rules, Game]]) -> None:
    """Cache loaded games."""
    _games.update(games)
