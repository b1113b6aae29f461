"""Texts with values in them, before they are rendered."""

from __future__ import annotations

from cardlang.game.expressions import Expr


class Text(str):
    """A text with values in it, as written.

    It holds its pieces until they are rendered in the wording of the rule sheet, which needs the whole game. A loaded
    game holds none.
    """

    __slots__ = ("pieces",)
    pieces: tuple[str | Expr, ...]
