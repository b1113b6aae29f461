"""Replace expressions that depend on one card alone by lookup tables."""

from __future__ import annotations

from collections.abc import Callable
from operator import add, eq, floordiv, ge, gt, le, lt, mod, mul, ne, sub
from typing import Any

from interpreter import lowered as lo
from interpreter.lowered.rewriting import outermost
from interpreter.lowered.walking import Part, parts

WORTH = 4
"""Minimum size, in nodes, of an expression replaced by a table."""
KNOWN = (lo.Const, lo.Local, lo.Entry, lo.Compare, lo.Logic, lo.Not, lo.Either, lo.Arith)
OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": add, "-": sub, "*": mul, "//": floordiv, "%": mod, "=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge,
}  # fmt: skip


class Tables:
    """Lookup tables of one program: `tables` by name, for `cards` cards; `named` makes a new name."""

    def __init__(self, tables: dict[str, Any], cards: int, named: Callable[[str, str], str]) -> None:
        self.tables, self.cards, self.named = tables, cards, named
        self.names: dict[tuple[int, ...], str] = {}

    def looked_up(self, body: tuple[lo.Stmt, ...]) -> tuple[lo.Stmt, ...]:
        return outermost(body, self.change)

    def change(self, part: Part) -> Part | None:
        if not isinstance(part, KNOWN) or isinstance(part, lo.Const | lo.Local) or part.kind.tag == "list":
            return None
        card = self.card_of(part)
        if card is None or sized(part) < WORTH:
            return None
        values = tuple(int(self.value(part, each)) for each in (*range(self.cards), -1))
        if values not in self.names:
            self.names[values] = self.named("K", str(len(self.names)))
            self.tables[self.names[values]] = list(values)
        return lo.Entry(part.kind, self.names[values], card)

    def card_of(self, expr: lo.Expr) -> lo.Local | None:
        """Return the only card on which an expression depends; None if it depends on anything else."""
        cards: set[lo.Local] = set()
        stack: list[Part] = [expr]
        while stack:
            part = stack.pop()
            if not isinstance(part, KNOWN) or (isinstance(part, lo.Const) and not isinstance(part.value, int)):
                return None
            if isinstance(part, lo.Local):
                cards.add(part)
                if part.kind != lo.CARD or len(cards) > 1:
                    return None
            elif isinstance(part, lo.Entry) and not isinstance(self.tables[part.table][-1], int):
                return None
            stack += parts(part)
        return cards.pop() if cards else None

    def value(self, e: lo.Expr, card: int) -> int:
        match e:
            case lo.Const():
                return int(e.value)  # type: ignore[arg-type]
            case lo.Local():
                return card
            case lo.Entry():
                return int(self.tables[e.table][self.value(e.index, card)])
            case lo.Not():
                return not self.value(e.value, card)
            case lo.Logic():
                return (all if e.operator == "and" else any)(self.value(part, card) for part in e.parts)
            case lo.Either():
                return self.value(e.then if self.value(e.condition, card) else e.otherwise, card)
            case lo.Compare():
                return self.compared(e, self.value(e.left, card), self.value(e.right, card))
            case lo.Arith():
                return int(OPERATORS[e.operator](self.value(e.left, card), self.value(e.right, card)))
        raise AssertionError(type(e).__name__)

    def compared(self, e: lo.Compare, left: int, right: int) -> bool:
        absent = lo.absent(e.left.kind)
        lacking = (e.left_lacks and left == absent) or (e.right_lacks and right == absent)
        return e.operator == "!=" if lacking else bool(OPERATORS[e.operator](left, right))


def sized(expr: Part) -> int:
    return 1 + sum(map(sized, parts(expr)))
