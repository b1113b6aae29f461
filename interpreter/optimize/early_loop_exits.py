"""Short-circuit of searches: loops that stop at the first item that decides their result."""

from __future__ import annotations

from collections.abc import Callable

from interpreter import ir
from interpreter.ir.traversal import Part
from interpreter.optimize.loop_optimization import Clauses, unroll_loop
from interpreter.optimize.purity import PurityAnalysis


class SearchShortCircuiter:
    """Short-circuiting of loops that look for one item.

    outline_function: moves statements to a new function and returns its call."""

    def __init__(self, outline_function: Callable[[ir.Body, ir.Kind], ir.Expr], purity: PurityAnalysis) -> None:
        self.outline_function, self.purity = outline_function, purity

    def short_circuit_part(self, part: Part) -> Part:
        """Make tests of lists in a part stop early. Its children are already rewritten."""
        match part:
            case ir.Loop(function="any" | "every"):
                return self.outline_quantifier(part)
            case ir.Op(operation="first_of", args=(ir.Loop(function="list") as loop, otherwise)) if (
                isinstance(loop.clauses[-1], ir.Test) and part.kind.tag != "list" and self.purity.is_pure([loop])
            ):
                return self.outline_search(loop.clauses, loop.body, otherwise)
            case ir.Not():
                value = self.build_condition_test(part.value)
                return part if value is part.value else part.replace(value=value)
            case ir.If() | ir.Test() | ir.Either() | ir.While() if part.condition is not None:
                condition = self.build_condition_test(part.condition)
                return part if condition is part.condition else part.replace(condition=condition)
            case ir.Logic():
                parts = tuple(map(self.build_condition_test, part.parts))
                changed = any(new is not old for new, old in zip(parts, part.parts, strict=True))
                return part.replace(parts=parts) if changed else part
        return part

    def build_condition_test(self, expr: ir.Expr) -> ir.Expr:
        """Return the test that a condition holds, or that a list has items, without building the list."""
        if isinstance(expr, ir.Not) and isinstance(expr.value, ir.Not):
            return expr.value.value
        if isinstance(expr, ir.Items) and expr.items and all(isinstance(item, ir.Spread) for item in expr.items):
            lists = tuple(item.list for item in expr.items if isinstance(item, ir.Spread))
            return (
                lists[0] if len(lists) == 1 else ir.Logic(ir.FLAG, "or", tuple(map(self.build_condition_test, lists)))
            )
        if not (isinstance(expr, ir.Loop) and expr.function == "list" and self.purity.is_pure([expr])):
            return expr
        last = expr.clauses[-1]
        if not isinstance(last, ir.For):
            return self.outline_quantifier(ir.Loop(ir.FLAG, "any", expr.clauses, ir.TRUE))
        if len(expr.clauses) == 1:
            return last.list
        loop = unroll_loop(ir.Loop(ir.FLAG, "any", expr.clauses[:-1], last.list))
        return self.outline_quantifier(loop) if isinstance(loop, ir.Loop) else loop

    def outline_quantifier(self, e: ir.Loop) -> ir.Expr:
        if not self.purity.is_pure([e]):
            return e
        some = e.function == "any"
        decided, otherwise = (ir.TRUE, ir.FALSE) if some else (ir.FALSE, ir.TRUE)
        condition = e.body if some else ir.Not(ir.FLAG, e.body)
        clauses = e.clauses if e.body == ir.TRUE else (*e.clauses, ir.Test(condition))
        return self.outline_search(clauses, decided, otherwise)

    def outline_search(self, clauses: Clauses, found: ir.Expr, otherwise: ir.Expr) -> ir.Expr:
        """Return the value `found` in the first iteration of some clauses; `otherwise` if there is none."""
        body: ir.Body = (ir.Return(found),)
        for clause in reversed(clauses):
            match clause:
                case ir.For():
                    body = (ir.ForEach(clause.local, clause.list, body),)
                case ir.Let():
                    body = (ir.Assign(clause.local, clause.value), *body)
                case ir.Test():
                    body = (ir.If(clause.condition, body),)
        return self.outline_function((*body, ir.Return(otherwise)), otherwise.kind)
