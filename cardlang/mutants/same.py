"""Whether it can be proved that two games are played alike: by what they are lowered to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from cardlang import game as g
from interpreter.program import Program
from interpreter.program_json import whole


class Proof:
    """What a game is lowered to, kept to be compared with others."""

    def __init__(self, game: g.Game) -> None:
        self.parts = pieces(game)
        self.known: list[object] = []

    def holds_for(self, other: g.Game) -> bool:
        """Whether another game is played alike: it is lowered to the same for every number of players, and what is
        worked out beside that is the same."""
        for number, piece in enumerate(pieces(other)):
            if number == len(self.known):
                self.known.append(next(self.parts))
            if piece != self.known[number]:
                return False
        return True


def pieces(game: g.Game) -> Iterator[object]:
    """All that decides how a game is played, one piece after another, without the places of its rules. Programs are
    made anew: those that examples were played by know more."""
    read = (game.kinds, game.columns, game.faces, game.rankings, game.orders, game.defines, game.borne_defines)
    yield [bare(each) for each in read]
    for players in game.seats:
        found: Any = whole(Program(game, players, listen=False))
        yield {key: value for key, value in found.items() if key != "places"}


def bare(value: Any) -> Any:
    """Plain data, without places."""
    if attrs.has(type(value)):
        names = (each.name for each in attrs.fields(type(value)) if each.name not in ("span", "origin", "sample"))
        return [type(value).__name__, *(bare(getattr(value, name)) for name in names)]
    if isinstance(value, dict):
        return [(key, bare(each)) for key, each in value.items()]
    return [bare(each) for each in value] if isinstance(value, tuple) else value
