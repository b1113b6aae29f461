"""Report failed expectations (`expect` in a step) with the values found."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from cardlang import game as g
from interpreter.errors import RuleError
from interpreter.matches.names import PLAYERS, Names
from interpreter.values import shown

if TYPE_CHECKING:
    from interpreter.program import Program

KNOWN = (g.Const, g.NamedCards)


def sides(condition: g.Expr) -> list[g.Expr]:
    """Return the parts of a condition whose values explain its failure."""
    match condition:
        case g.And() | g.Or():
            found = [*sides(condition.left), *sides(condition.right)]
        case g.Not() | g.IsEmpty() | g.IsAbsent():
            found = [condition.value]
        case g.Compare():
            found = [condition.left, condition.right]
        case g.IsIn():
            found = [condition.value, condition.list]
        case g.Quantified():
            found = [condition.list]
        case _:
            found = [condition]
    by_text = {side.span.text: side for side in found if not isinstance(side, KNOWN)}
    return list(by_text.values())


def broken(program: Program, stmt: g.Property, values: tuple[object, ...]) -> NoReturn:
    """Raise the `RuleError` of a failed expectation. `values`: the internal values of its operands."""
    names = Names(program, PLAYERS)
    found = [
        f"{side.span.text} = {names.value(side.type, shown(value, side.type, program.layout.scales.of(side)))}"
        for side, value in zip(sides(stmt.condition), values, strict=True)
    ]
    told = f"{stmt.doc} " if stmt.doc else ""
    raise RuleError(stmt.span, f"{told}Expected {stmt.condition.span.text}, but found {', '.join(found)}.")
