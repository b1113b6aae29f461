"""From what a player knows to the table that every screen draws."""

from __future__ import annotations

from functools import lru_cache

from cardlang.game import Game
from interpreter.itself import KEPT, Itself
from interpreter.matches.toggling import ChoosingView
from interpreter.matches.view import View
from interpreter.table import model
from interpreter.table.asking import ask_of
from interpreter.table.piles import Piles, Touched
from interpreter.table.places import Places


def table_of(view: View, game: Game, choosing: ChoosingView | None) -> model.Table:
    """`choosing`: how far a choice of several is that the viewer is asked for."""
    ask = ask_of(view.asking, choosing) if view.asking is not None else None
    places = Places(view, kept(Itself(game)), touched_by(ask, choosing))
    players = places.players()
    return model.Table(
        format=model.FORMAT,
        game=view.game,
        heading=(),
        viewer=view.player,
        places=players,
        middle=places.middle(),
        kinds=places.kinds(),
        readings=(),
        ask=ask,
        waiting=view.asked if view.asked != view.player else None,
        since=tuple(model.Told(str(line), rule=line.span.line if line.span else 0) for line in view.log[-12:]),
        moments=(),
        over=view.over,
        winners=view.winners,
    )


@lru_cache(maxsize=KEPT)
def kept(game: Itself) -> Piles:
    return Piles(game.game)


def touched_by(ask: model.Ask | None, choosing: ChoosingView | None) -> Touched:
    moves: dict[str, tuple[int, ...]] = {}
    for action in ask.actions if ask is not None else ():
        for ref in action.touches:
            moves[ref] = (*moves.get(ref, ()), action.move)
    if choosing is None:
        return Touched(moves)
    return Touched(moves, choosing.chosen, {*choosing.open, *choosing.chosen})
