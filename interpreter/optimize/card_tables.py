"""Lookup tables for values that depend only on a card."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter import ir
from interpreter.ir.simplifier import INTEGER_OPERATORS, rewrite_top_down, substitute_variables
from interpreter.ir.traversal import Part, list_children

MIN_TABULATED_SIZE = 4
"""Minimum size, in nodes, of an expression replaced by a table."""
TABULATED_EXPRESSIONS = (ir.Const, ir.Local, ir.Entry, ir.Compare, ir.Logic, ir.Not, ir.Either, ir.Arith)


class CardTableBuilder:
    """Lookup tables of one program: `tables` by name, for `card_count` cards; `make_identifier` returns a new name."""

    def __init__(self, tables: dict[str, Any], card_count: int, make_identifier: Callable[[str, str], str]) -> None:
        self.tables, self.card_count, self.make_identifier = tables, card_count, make_identifier
        self.names_by_values: dict[tuple[int, ...], str] = {}

    def tabulate_body(self, body: tuple[ir.Stmt, ...]) -> tuple[ir.Stmt, ...]:
        return rewrite_top_down(body, self.tabulate_part)

    def tabulate_part(self, part: Part) -> Part | None:
        if isinstance(part, ir.Loop) and part.function == "total":
            return self.tabulate_total(part)
        if (
            not isinstance(part, TABULATED_EXPRESSIONS)
            or isinstance(part, ir.Const | ir.Local)
            or part.kind.tag == "list"
        ):
            return None
        card = self.find_only_card(part)
        if card is None or measure_expression(part) < MIN_TABULATED_SIZE:
            return None
        values = tuple(int(self.evaluate_for_card(part, row_card)) for row_card in (*range(self.card_count), -1))
        if values not in self.names_by_values:
            self.names_by_values[values] = self.make_identifier("K", str(len(self.names_by_values)))
            self.tables[self.names_by_values[values]] = list(values)
        return ir.Entry(part.kind, self.names_by_values[values], card)

    def tabulate_total(self, e: ir.Loop) -> ir.Loop | None:
        """Look up each term of a total in a table; None if the terms do not depend on one card only."""
        last = max(at for at, clause in enumerate(e.clauses) if isinstance(clause, ir.For))
        term = e.body
        for clause in reversed(e.clauses[last + 1 :]):
            if isinstance(clause, ir.Let):
                term = substitute_variables(term, {clause.local.number: clause.value})
            elif isinstance(clause, ir.Test):
                term = ir.Either(e.kind, clause.condition, term, ir.Const(e.kind, 0))
        if last + 1 == len(e.clauses) or self.find_only_card(term) is None:
            return None
        return rewrite_top_down(e.replace(clauses=e.clauses[: last + 1], body=term), self.tabulate_part)

    def find_only_card(self, expr: ir.Expr) -> ir.Local | None:
        """Return the only card on which an expression depends; None if it depends on anything else."""
        cards: set[ir.Local] = set()
        stack: list[Part] = [expr]
        while stack:
            part = stack.pop()
            if not isinstance(part, TABULATED_EXPRESSIONS) or (
                isinstance(part, ir.Const) and not isinstance(part.value, int)
            ):
                return None
            if isinstance(part, ir.Local):
                cards.add(part)
                if part.kind != ir.CARD or len(cards) > 1:
                    return None
            elif isinstance(part, ir.Entry) and not isinstance(self.tables[part.table][-1], int):
                return None
            stack += list_children(part)
        return cards.pop() if cards else None

    def evaluate_for_card(self, e: ir.Expr, card: int) -> int:
        match e:
            case ir.Const():
                return int(e.value)  # type: ignore[arg-type]
            case ir.Local():
                return card
            case ir.Entry():
                return int(self.tables[e.table][self.evaluate_for_card(e.index, card)])
            case ir.Not():
                return not self.evaluate_for_card(e.value, card)
            case ir.Logic():
                return (all if e.operator == "and" else any)(self.evaluate_for_card(part, card) for part in e.parts)
            case ir.Either():
                return self.evaluate_for_card(
                    e.then if self.evaluate_for_card(e.condition, card) else e.otherwise, card
                )
            case ir.Compare():
                return self.evaluate_comparison(
                    e, self.evaluate_for_card(e.left, card), self.evaluate_for_card(e.right, card)
                )
            case ir.Arith():
                return int(
                    INTEGER_OPERATORS[e.operator](
                        self.evaluate_for_card(e.left, card), self.evaluate_for_card(e.right, card)
                    )
                )
        raise AssertionError(f"expected a tabulated expression, not {type(e).__name__}")

    def evaluate_comparison(self, e: ir.Compare, left: int, right: int) -> bool:
        absent = ir.encode_absent(e.left.kind)
        lacking = (e.left_lacks and left == absent) or (e.right_lacks and right == absent)
        return e.operator == "!=" if lacking else bool(INTEGER_OPERATORS[e.operator](left, right))


def measure_expression(expr: Part) -> int:
    return 1 + sum(map(measure_expression, list_children(expr)))
