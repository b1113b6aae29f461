"""Stop tests of one or every item at the first item that decides them: short-circuit evaluation."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import evolve

from interpreter import lowered as lo
from interpreter.lowered.walking import Part, walk
from interpreter.passes.unrolling import loop

TRUE, FALSE = lo.Const(lo.FLAG, 1), lo.Const(lo.FLAG, 0)
QUIET = {
    "plus", "minus", "scaled", "least_of", "most_of", "same_face", "face_in", "owner_of", "pile_of", "is_out", "alive",
    "listed", "first_of", "last_of", "others_of", "left_of", "right_of", "distinct_values",
}  # fmt: skip
"""Operations that draw no random numbers, take no steps and cannot fail."""


class Quantifiers:
    """Short-circuiting of the quantifiers of one program.

    outlined: makes a function of statements and returns its call.
    quiet: the functions made here."""

    def __init__(self, outlined: Callable[[tuple[lo.Stmt, ...], lo.Kind], lo.Expr]) -> None:
        self.outlined = outlined
        self.quiet: set[str] = set()

    def asked(self, part: Part) -> Part:
        """Make tests of lists in a part stop early. Its children are already rewritten."""
        match part:
            case lo.Loop(function="any" | "every"):
                return self.stopping(part)
            case lo.Not():
                value = self.question(part.value)
                return part if value is part.value else evolve(part, value=value)
            case lo.If() | lo.Test() | lo.Either() | lo.While() if part.condition is not None:
                condition = self.question(part.condition)
                return part if condition is part.condition else evolve(part, condition=condition)
            case lo.Logic():
                parts = tuple(map(self.question, part.parts))
                changed = any(new is not old for new, old in zip(parts, part.parts, strict=True))
                return evolve(part, parts=parts) if changed else part
        return part

    def question(self, expr: lo.Expr) -> lo.Expr:
        """Return the test that a condition holds, or that a list has items, without building the list."""
        if isinstance(expr, lo.Not) and isinstance(expr.value, lo.Not):
            return expr.value.value
        if isinstance(expr, lo.Items) and expr.items and all(isinstance(item, lo.Spread) for item in expr.items):
            lists = tuple(item.list for item in expr.items if isinstance(item, lo.Spread))
            return lists[0] if len(lists) == 1 else lo.Logic(lo.FLAG, "or", tuple(map(self.question, lists)))
        if not (isinstance(expr, lo.Loop) and expr.function == "list" and self.may_stop([expr])):
            return expr
        last = expr.clauses[-1]
        if not isinstance(last, lo.For):
            return self.stopping(lo.Loop(lo.FLAG, "any", expr.clauses, TRUE))
        if len(expr.clauses) == 1:
            return last.list
        made = loop(lo.Loop(lo.FLAG, "any", expr.clauses[:-1], last.list))
        return self.stopping(made) if isinstance(made, lo.Loop) else made

    def stopping(self, e: lo.Loop) -> lo.Expr:
        if not self.may_stop([e]):
            return e
        some = e.function == "any"
        decided = lo.Return(TRUE if some else FALSE)
        body: tuple[lo.Stmt, ...] = (lo.If(e.body if some else lo.Not(lo.FLAG, e.body), (decided,)),)
        if e.body == TRUE:
            body = (decided,)
        for clause in reversed(e.clauses):
            match clause:
                case lo.For():
                    body = (lo.ForEach(clause.local, clause.list, body),)
                case lo.Let():
                    body = (lo.Assign(clause.local, clause.value), *body)
                case lo.Test():
                    body = (lo.If(clause.condition, body),)
        call = self.outlined((*body, lo.Return(FALSE if some else TRUE)), lo.FLAG)
        if isinstance(call, lo.Calling):
            self.quiet.add(call.function)
        return call

    def may_stop(self, parts: Sequence[Part]) -> bool:
        """Check whether evaluating parts more often, or not for all items, has no visible effect."""
        for part in walk(parts):
            if isinstance(part, lo.Dispatch | lo.Read | lo.TestOf):
                return False
            if isinstance(part, lo.Calling) and part.function not in self.quiet:
                return False
            if isinstance(part, lo.Op) and part.operation not in QUIET:
                return False
        return True
