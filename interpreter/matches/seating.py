"""Check the players of a match against the game, and name them."""

from __future__ import annotations

from cardlang import game as g
from cardlang.plain_text import UNSEEN
from interpreter.compiler import seats_in_words
from interpreter.matches.names import PLAYERS


def seated(game: g.Game, players: int | list[str] | None) -> tuple[str, ...]:
    if players is None:
        players = min(game.seats)
    names = isinstance(players, list | tuple) and all(isinstance(name, str) for name in players)
    if not names and not isinstance(players, int):
        raise TypeError(f"Players must be a number or a list of names, not {players!r}.")
    count = players if isinstance(players, int) else len(players)
    if count not in game.seats:
        raise ValueError(f"{game.title} is for {seats_in_words(game.seats)} players, not {count}.")
    named = default_names(count) if isinstance(players, int) else tuple(players)
    if len({*map(str.strip, named), ""}) != len(named) + 1:
        raise ValueError("Each player needs a different name.")
    if any(map(UNSEEN.search, named)):
        raise ValueError("A player's name can only have visible characters, on one line.")
    return named


def default_names(count: int) -> tuple[str, ...]:
    return PLAYERS[:count] + tuple(f"Player-{number}" for number in range(len(PLAYERS) + 1, count + 1))
