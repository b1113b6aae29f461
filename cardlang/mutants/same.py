"""Equivalence proofs for mutants: two games are equivalent if their programs (IR) are equal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from cardlang import game as g
from interpreter.program import Program
from interpreter.program_json import whole


class Proof:
    """Reference IR of a game, computed lazily and cached for comparisons."""

    def __init__(self, game: g.Game) -> None:
        self.parts = pieces(game)
        self.known: list[object] = []

    def holds_for(self, other: g.Game) -> bool:
        """Return whether another game is provably equivalent.

        It is if the IR for every player count and all data outside the IR are equal."""
        for number, piece in enumerate(pieces(other)):
            if number == len(self.known):
                self.known.append(next(self.parts))
            if piece != self.known[number]:
                return False
        return True


def pieces(game: g.Game) -> Iterator[object]:
    """Yield all data that determine play, without source positions.

    Programs are rebuilt here, since programs that ran examples have collected more data."""
    read = (game.kinds, game.columns, game.faces, game.rankings, game.orders, game.defines, game.borne_defines)
    yield [bare(each) for each in read]
    for players in game.seats:
        found: Any = whole(Program(game, players, listen=False))
        yield {key: value for key, value in found.items() if key != "places"}


def bare(value: Any) -> Any:
    """Return a value as plain data, without source positions."""
    if attrs.has(type(value)):
        names = (each.name for each in attrs.fields(type(value)) if each.name not in ("span", "origin", "sample"))
        return [type(value).__name__, *(bare(getattr(value, name)) for name in names)]
    if isinstance(value, dict):
        return [(key, bare(each)) for key, each in value.items()]
    return [bare(each) for each in value] if isinstance(value, tuple) else value
