"""Upper bounds of numbers, by static analysis of the rules."""

from __future__ import annotations

from cardlang import game as g
from interpreter.program import Program


class Bounds:
    """Upper bounds of a program's numbers. None means unbounded or unknown."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.game = program.game
        self.open: set[str] = set()

    def most(self, expr: g.Expr | None) -> int | None:
        """Return the largest value of an expression."""
        match expr:
            case g.Const(value=int(value)):
                return value
            case g.Whole(value=value):
                return self.most(value)
            case g.Cases(cases=cases):
                return highest([self.most(value) for value, _ in cases])
            case g.Arith(operator="+", left=left, right=right):
                return total([self.most(left), self.most(right)])
            case g.Arith(operator="-", left=left, right=g.Const(value=int(value))):
                return total([self.most(left), -value])
            case g.Call(define=name, of=None) | g.Call(define=name):
                return self.defined(name)
            case g.Builtin(name="seat"):
                return self.program.players
            case g.Builtin(name="size"):
                return len(self.program.face)
            case g.Agg():
                return self.of_fold(expr)
            case g.Worth() | g.Attribute():
                return self.worth(expr)
        return None

    def defined(self, name: str) -> int | None:
        if name in self.open:
            return None
        self.open.add(name)
        try:
            return self.most(self.game.defines[name].value)
        finally:
            self.open.discard(name)

    def of_fold(self, expr: g.Agg) -> int | None:
        if expr.function == "count":
            return max(len(self.program.face), self.program.players, *map(len, self.members()))
        if expr.function == "lowest" and isinstance(expr.list, g.Joined):
            known = [most for item in expr.list.items if (most := self.most(item)) is not None]
            return min(known, default=None)
        if expr.function in ("lowest", "highest", "first", "last", "top", "bottom", "random") and expr.number is None:
            return self.of_items(expr.list)
        return None

    def of_items(self, expr: g.Expr) -> int | None:
        """Return the largest item of a list."""
        match expr:
            case g.Joined(items=items):
                return highest([self.most(item) for item in items])
            case g.MapEach(value=value):
                return self.most(value)
            case g.Filter(list=items) | g.Sorted(list=items):
                return self.of_items(items)
        return None

    def worth(self, expr: g.Worth | g.Attribute) -> int | None:
        if isinstance(expr, g.Attribute):
            numbers = [value for value in self.game.columns[expr.attribute].values if isinstance(value, int)]
            return max(numbers, default=0) if expr.type.tag == "number" else None
        kind = self.game.kinds[expr.value.type.of or ""]
        stated = [int(m.name) if m.worth is None and m.name.isdecimal() else m.worth or 0 for m in kind.members]
        return max(stated)

    def members(self) -> list[tuple[g.Member, ...]]:
        return [(), *(kind.members for kind in self.game.kinds.values())]


def highest(values: list[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return max(known, default=0) if len(known) == len(values) else None


def total(values: list[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None
