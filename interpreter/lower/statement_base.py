"""Base class of statement lowering: body, frame variables, routines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from attrs import frozen

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.model.traversal import has_random_draw
from interpreter import ir
from interpreter.ir.traversal import get_handlers, walk
from interpreter.lower.operators import ExpressionLowerer
from interpreter.lower.work_and_uniqueness_analysis import SuspensionAnalysis
from interpreter.runtime.layout import Layout

if TYPE_CHECKING:
    from interpreter.runtime.state import DecisionPoint


MAX_BODY_NESTING = 15
"""Maximum nesting of bodies in one function. Python allows at most 20 nested loops."""
LIST_MAKING_OPERATIONS = {
    "copied", "listed", "some_first", "some_last", "some_top", "some_bottom", "some_random", "ranked", "reversed",
    "all_highest_by", "all_lowest_by", "distinct_values", "in_order", "ascending", "descending",
    "still_there",
}  # fmt: skip
"""Operations that make new lists."""
NO_SEAT = ir.Const(ir.SEAT, -1)


@frozen
class PassFlag:
    """Flag of a `repeat until you pass`: a variable of this frame, or a slot of the frame at `depth`.

    Outside such a repeat, `depth` is below 0."""

    flag: ir.Local | None
    depth: ir.Expr = ir.ZERO
    base: ir.Expr = ir.ZERO


class StatementLowererBase:
    """State of lowering one game for one player count.

    Statements are added to `body`. Code that may wait becomes routines, which are lowered after their callers.

    sites: the decision points.
    site_scopes: for each site, the storage of the game variables that are known there.
    properties: properties, by number.
    handlers: for each class of statements, the method `lower_…` that lowers it."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.game = layout.game
        self.expression_lowerer = ExpressionLowerer(layout)
        self.suspension = SuspensionAnalysis(self.game)
        self.sites: list[DecisionPoint] = []
        self.site_scopes: list[dict[int, ir.Expr]] = []
        self.properties: list[g.Property] = []
        self.routines: dict[str, ir.Routine | None] = {}
        self.card_step_routines: dict[str, tuple[str | None, ...]] = {}
        self.pending_routines: list[Callable[[], None]] = []
        self.body: list[ir.Stmt] = []
        self.in_routine = False
        """True while lowering a routine, not a function."""
        self.enclosing_steps: tuple[str, ...] = ()
        """The enclosing steps within this routine."""
        self.current_step = ""
        self.nesting_depth = 0
        self.pass_flag: PassFlag | None = None
        """Storage of the pass flag for the enclosing `repeat until you pass`, if any."""
        self.frame_variables: set[int] = set()
        self.links: list[tuple[ir.Local, ...]] = []
        self.unmodified_lists: set[int] = set()
        """List variables that are never modified."""
        self.functions = self.expression_lowerer.functions
        self.handlers = get_handlers(type(self), "lower_", g.STATEMENT_CLASSES, "interpreter/lower/control_flow.py")

    # ------------------------------------------------------------ statements
    def emit(self, stmt: ir.Stmt) -> None:
        self.body.append(stmt)

    @contextmanager
    def collect_emitted(self) -> Iterator[list[ir.Stmt]]:
        """Collect the statements emitted within the block in a separate list."""
        outer, self.body = self.body, []
        yield self.body
        self.body = outer

    @contextmanager
    def emit_if(self, condition: ir.Expr, otherwise: ir.Body = ()) -> Iterator[None]:
        """Run the statements emitted within the block only if the condition holds, else `otherwise`."""
        with self.collect_emitted() as body:
            yield
        self.emit(ir.If(condition, tuple(body), otherwise))

    def emit_reached(self, span: Span) -> None:
        """Record in a coverage program that a place was reached."""
        if self.expression_lowerer.records_coverage:
            self.emit(ir.Do("reached", (ir.Const(ir.NUMBER, self.expression_lowerer.number_rule_span(span)),)))

    def emit_card_count(self, span: Span, wanted_count: g.Expr | None, cards: g.Expr) -> None:
        """Record in a coverage program the number of cards wanted (0: all) and available.

        For random expressions, record only that the place was reached. A second evaluation would give another value."""
        if has_random_draw(wanted_count) or has_random_draw(cards):
            self.emit_reached(span)
        elif self.expression_lowerer.records_coverage:
            number = ir.ZERO if wanted_count is None else self.expression_lowerer.lower_expression(wanted_count)
            there = ir.Count(ir.NUMBER, self.expression_lowerer.lower_list(cards))
            self.emit(
                ir.Do(
                    "cards_there", (ir.Const(ir.NUMBER, self.expression_lowerer.number_rule_span(span)), number, there)
                )
            )

    def lower_body(self, body: Sequence[g.Stmt]) -> None:
        """Lower the statements of a body. The first one marks the body as reached for coverage."""
        if body:
            self.emit_reached(body[0].span)
        for stmt in body:
            self.lower_statement(stmt)

    def lower_nested_body(self, body: Sequence[g.Stmt]) -> ir.Body:
        return self.lower_nested(lambda: self.lower_body(body), body)

    def lower_nested(self, lower_inner: Callable[[], None], body: Sequence[g.Stmt]) -> ir.Body:
        """Lower a body nested within another statement. Bodies nested too deeply become functions."""
        outer, self.nesting_depth = self.nesting_depth, self.nesting_depth + 1
        apart = self.nesting_depth > MAX_BODY_NESTING and not any(map(self.suspension.can_stop, body))
        framed, here = self.in_routine, self.current_step
        if apart:
            self.nesting_depth, self.in_routine, self.current_step = 0, False, ""
        with self.collect_emitted() as found:
            lower_inner()
        self.nesting_depth, self.in_routine, self.current_step = outer, framed, here
        return (self.outline_body(tuple(found)),) if apart else tuple(found)

    def outline_body(self, body: ir.Body) -> ir.Stmt:
        """Return a call of a new function with this body. Exits inside it may leave code around the call."""
        call = self.expression_lowerer.outline_function((*body, ir.Return(ir.Const(ir.FLAG, 0))), ir.FLAG)
        if not isinstance(call, ir.Calling):
            raise AssertionError("a call")
        leaves = any(isinstance(part, ir.Leave | ir.Do | ir.DoBorne) for part in walk(body))
        return ir.Do(call.function, call.args, leaves and self.in_routine)

    def lower_statement(self, stmt: g.Stmt) -> None:
        self.handlers[type(stmt)](self, stmt)

    def charge_steps(self, place: int, body: Sequence[object], rounds: ir.Expr = ir.ONE) -> None:
        """Charge the step limit for the given rounds of a body. A rule that exceeds it before the next decision
        fails."""
        steps = ir.Const(ir.NUMBER, self.expression_lowerer.work_estimator.count_round_steps(body))
        amount = rounds if steps == ir.ONE else steps if rounds == ir.ONE else ir.Arith(ir.NUMBER, "*", steps, rounds)
        self.emit(ir.Fuel(amount, place))

    # ------------------------------------------------------------ variables
    def bind_local(self, var: g.Var, kind: ir.Kind | None = None) -> ir.Local:
        """Create a local for a variable of the game."""
        scale = self.layout.scales.variable_scales.get(var.id, 1)
        local = self.expression_lowerer.create_local(kind or self.expression_lowerer.lower_type(var.type, scale))
        self.expression_lowerer.env[var.id] = local
        return local

    def is_independent_list(self, items: ir.Expr) -> bool:
        """Check whether a list is independent of later changes to piles, because it was made here."""
        match items:
            case ir.Local():
                return items.number in self.unmodified_lists
            case ir.Op():
                return items.operation in LIST_MAKING_OPERATIONS
        return isinstance(items, ir.Const | ir.Items | ir.Loop)

    def store_in_local(self, value: ir.Expr) -> ir.Expr:
        """Store a value that is used more than once in a local."""
        if isinstance(value, ir.Const | ir.Local):
            return value
        local = self.expression_lowerer.create_local(value.kind)
        self.emit(ir.Assign(local, value))
        return local
