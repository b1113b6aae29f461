"""Texts with values in them, until these are said."""

from __future__ import annotations

from cardlang.game.expressions import Expr


class Text(str):
    """Words with values in them, as written. They stand for their pieces until these are said in the words of the
    sheet, for which the whole game has to be known: a game that is loaded holds none."""

    __slots__ = ("pieces",)
    pieces: tuple[str | Expr, ...]
