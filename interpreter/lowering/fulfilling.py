"""The condition on a whole choice of several (`provided`).

Where it asks that the cards chosen make a rank (`provided group is Meld`), the ranking itself tells which choices do,
and only these are looked at; what else is asked is tested of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardlang import game as g
from cardlang.game.walking import conjuncts
from interpreter import lowered as lo
from interpreter.lowering.writer import conjunction

if TYPE_CHECKING:
    from interpreter.lowering.writer import Writer


def fulfils(code: Writer, stmt: g.Choose, item: lo.Kind) -> lo.TestOf:
    """What tells whether a choice of such items fulfils its condition.

    Where a ranking is named, only what makes a rank of it can pass, and it finds these."""
    if stmt.provided is None:
        raise AssertionError("a condition")
    parts, names = asked(code.game, stmt.provided, {stmt.var.id})
    rank = next((part for part in parts if makes_rank(code.game, part, names)), None)
    if rank is None:
        parts, names = [stmt.provided], {stmt.var.id}
    before, chosen = dict(code.env), code.local(lo.list_of(item))
    code.env.update(dict.fromkeys(names, chosen))
    test = conjunction([code.expr(part) for part in parts if part is not rank])
    code.env = before
    return lo.TestOf(lo.FLAG, chosen, test, rank.ranking if isinstance(rank, g.IsReading) else None)


def asked(game: g.Game, condition: g.Expr, names: set[int]) -> tuple[list[g.Expr], set[int]]:
    """What a condition asks one by one, and the variables that mean what is chosen (`names` at first): definitions of
    what is chosen are looked into."""
    found: list[g.Expr] = []
    for part in conjuncts(condition):
        define = game.defines[part.define] if isinstance(part, g.Call) else None
        if isinstance(part, g.Call) and define is not None and define.var is not None and is_chosen(part.of, names):
            below, names = asked(game, define.value, names | {define.var.id})
            found += below
        else:
            found.append(part)
    return found, names


def is_chosen(cards: g.Expr | None, names: set[int]) -> bool:
    return isinstance(cards, g.Var) and cards.id in names


def makes_rank(game: g.Game, part: g.Expr, names: set[int]) -> bool:
    return isinstance(part, g.IsReading) and is_chosen(part.cards, names) and not game.rankings[part.ranking].wilds
