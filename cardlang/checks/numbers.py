"""Check of overflow in constant expressions."""

from __future__ import annotations

from collections.abc import Iterator

from cardlang import game as g
from cardlang.checks.known import constant
from cardlang.game.walking import everything
from cardlang.limits import MAX_NUMBER
from cardlang.source import Diagnostic


def check_numbers(game: g.Game) -> Iterator[Diagnostic]:
    """Report the first calculation with constants and the player count that exceeds the largest number."""
    for part in everything(game):
        if isinstance(part, g.Arith) and any(is_huge(game, part, players) for players in game.seats):
            yield Diagnostic(
                "E124", f"this value is larger than {MAX_NUMBER:,}", part.span, "use smaller numbers, or fewer of them"
            )
            return


def is_huge(game: g.Game, value: g.Expr, players: int) -> bool:
    found = constant(game, value, players)
    return found is not None and abs(found) > MAX_NUMBER
