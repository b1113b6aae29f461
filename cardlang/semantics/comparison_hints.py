"""Hints for comparisons that lack a part: `rank = 8 or 2`, `chosen = 8`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from attrs import frozen

from cardlang import model as g
from cardlang.semantics.expression_resolver import find_member_index, has_worth, report_not_a_flag
from cardlang.semantics.symbol_table import ResolveContext
from cardlang.syntax import ast as n

Operand = tuple[n.Expr, g.Expr]
"""Operand of `and` or `or`, as written and resolved."""
LIST_OPERATORS = {"=": "in", "!=": "not in"}
"""Operators that compare with each value of a list, by operators that compare with one value."""


@frozen
class WrittenComparison:
    """Sides and operator of a comparison, as written."""

    left: str
    operator: str
    right: str


def report_values_in_condition(ctx: ResolveContext, word: str, operands: Sequence[Operand]) -> None:
    """Report operands of `and` or `or` that are values, as in `rank = 8 or 2`.

    Values complete the comparison before them. The first operands of `or` complete the comparison after them."""
    groups = [(is_value, list(group)) for is_value, group in groupby(operands, is_value_operand)]
    for place, (is_value, group) in enumerate(groups):
        if not is_value:
            continue
        values = [node.span.text for node, _ in group]
        hint = ""
        if place:
            condition, resolved = groups[place - 1][1][-1]
            if resolved.type.tag == "error":
                continue
            if compared := find_last_comparison(condition):
                hint = complete_comparison(compared, values, word)
        elif groups[1:] and word == "or" and (compared := find_last_comparison(groups[1][1][0][0])):
            hint = complete_reversed_comparison(compared, values)
        for node, value in group[:1] if hint else group:
            report_not_a_flag(ctx, value, node.span, hint)


def is_value_operand(operand: Operand) -> bool:
    return operand[1].type.tag not in ("flag", "error")


def find_last_comparison(node: n.Expr) -> WrittenComparison | None:
    """Return the last comparison in a condition, or None."""
    match node:
        case n.Compare(operator=operator, left=left, right=right):
            return WrittenComparison(left.span.text, operator, right.span.text)
        case n.IsA(value=value, negated=negated, name=name):
            return WrittenComparison(value.span.text, "!=" if negated else "=", name.text)
        case n.And(right=inner) | n.Or(right=inner) | n.Not(value=inner) | n.Quantified(condition=inner):
            return find_last_comparison(inner)
    return None


def complete_comparison(compared: WrittenComparison, values: list[str], word: str) -> str:
    """Return a hint for values after a comparison, as in `rank = 8 or 2`."""
    values = [compared.right, *values]
    if compared.operator in LIST_OPERATORS:
        return f"write `{compared.left} {LIST_OPERATORS[compared.operator]} ({', '.join(values)})`"
    return f"write `{f' {word} '.join(f'{compared.left} {compared.operator} {value}' for value in values)}`"


def complete_reversed_comparison(compared: WrittenComparison, values: list[str]) -> str:
    """Return a hint for values before a comparison, as in `8 or 2 = rank`."""
    values.append(compared.left)
    if compared.operator in LIST_OPERATORS:
        return f"write `{compared.right} {LIST_OPERATORS[compared.operator]} ({', '.join(values)})`"
    return f"write `{' or '.join(f'{value} {compared.operator} {compared.right}' for value in values)}`"


def build_attribute_comparison_hint(ctx: ResolveContext, operator: str, card: g.Expr, value: g.Expr) -> str:
    """Return a hint that compares an attribute of a card with a value, or an empty string."""
    if (card.type.item or card.type).tag != "card":
        return ""
    if (card.type.tag, value.type.tag) == ("list", "number"):
        return f"write `count of {card.span.text} {operator} {value.span.text}`"
    attributes = [name for name, column in ctx.columns.items() if can_have_value(ctx, column.type, value)]
    if value.type.tag == "text":
        attributes = ["title"]
    if card.type.tag == "list":
        written = [f"any card in {card.span.text} has {name} {operator} {value.span.text}" for name in attributes]
    else:
        owner = "" if card.span.text == "it" else f"{card.span.text}'s "
        written = [f"{owner}{name} {operator} {value.span.text}" for name in attributes]
    return f"write {' or '.join(f'`{condition}`' for condition in written)}" if written else ""


def can_have_value(ctx: ResolveContext, type_: g.Type, value: g.Expr) -> bool:
    """Return whether an attribute can have a value: the kind of the attribute has it, or both are numbers."""
    value_type = value.type.item or value.type
    if type_.tag == "member" and value_type.tag == "number":
        if isinstance(value, g.Const):
            return find_member_index(ctx, str(type_.of), str(value.value)) is not None
        return has_worth(ctx, str(type_.of))
    return (type_.tag, type_.of) == (value_type.tag, value_type.of)
