"""Lower the condition on a whole choice of several items (`provided`).

If it requires the chosen cards to form a rank (`provided group is Meld`), the ranking itself lists the candidates.
Only these are tested for the remaining conditions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardlang import game as g
from cardlang.game.walking import conjuncts
from interpreter import lowered as lo
from interpreter.lowering.writer import conjunction

if TYPE_CHECKING:
    from interpreter.lowering.writer import Writer


def fulfils(code: Writer, stmt: g.Choose, item: lo.Kind) -> lo.TestOf:
    """Return the test that a choice of such items fulfils its condition.

    If the condition names a ranking, only sets that form one of its ranks can pass, and the ranking finds them."""
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
    """Split a condition into its conjuncts, and return them with the variables that denote the choice.

    Definitions about the choice are expanded. `names`: the variables known to denote it."""
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
