"""The rules that processes play: told to each other in a few words, loaded once in each."""

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
    """Which rules are played: plain values. `digest`: of the texts they were read from, so that a file that has changed
    since stands for other rules."""

    path: str
    variant: str | None
    digest: str


_games: dict[Rules, Game] = {}


def rules_of(game: Game, file: str) -> Rules:
    """Those of a game that was loaded from the file that is meant. This process need not load it again."""
    found = Rules(str(find_game(file)), game.variant, digest(game))
    keep_games([(found, game)])
    return found


def digest(game: Game) -> str:
    return kept.digest("".join(kept.digest(source.text) for source in game.sources))


def kept_game(rules: Rules) -> Game:
    """The game, loaded once in each process. Raises a ClickException where its file is not what it was."""
    if rules not in _games:
        game = load_game(rules.path, rules.variant)
        if digest(game) != rules.digest:
            raise click.ClickException(f"{rules.path} changed during the match. Start again.")
        keep_games([(rules, game)])
    return _games[rules]


def keep_games(games: Iterable[tuple[Rules, Game]]) -> None:
    """Games that this process need not load."""
    _games.update(games)
