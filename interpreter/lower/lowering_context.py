"""Context of lowering a game for one player count, and dispatch to the functions that lower each construct.

The functions of this package take the context first. They return expressions, and emit statements into its `body`.
Numbers are scaled by the result of `Scales.get_scale`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import cached_property

from attrs import Factory, define, field, frozen

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.tree import HandlerRegistry
from interpreter import ir
from interpreter.ir.ir_program_builder import IrBuilder
from interpreter.knowledge.hidden_card_data_flow import HiddenCardVariables
from interpreter.knowledge.hidden_information_analysis import CommonKnowledge, find_logged_hidden_variables
from interpreter.knowledge.taint_tracking import LoggedValues
from interpreter.lower.block_splitter import MAX_BODY_NESTING, BlockSplitter
from interpreter.lower.card_hiding_analysis import find_hiding_names
from interpreter.lower.refillable_piles import RefillIndex
from interpreter.lower.work_bounds_and_unique_lists import SuspensionAnalysis, WorkEstimator
from interpreter.optimize.optimizer import Optimizer
from interpreter.runtime.state import DecisionPoint
from interpreter.runtime.state_layout import Layout

MAX_VALUE_NESTING = 20
"""Maximum nesting of values in one function. Python limits nested brackets."""
LIST_MAKING_OPERATIONS = {
    "copied", "listed", "some_first", "some_last", "some_top", "some_bottom", "some_random", "ranked", "reversed",
    "all_highest_by", "all_lowest_by", "distinct_values", "in_order", "ascending", "descending",
    "still_there", "above_of", "below_of",
}  # fmt: skip
"""Operations that make new lists."""


@frozen
class PassFlag:
    """Flag of a `repeat until you pass`: a variable of this frame, or a slot of the frame at `depth`.

    Outside such a repeat, `depth` is below 0."""

    flag: ir.Local | None
    depth: ir.Expr = ir.ZERO
    base: ir.Expr = ir.ZERO


@define(slots=False, eq=False)
class Lowering(IrBuilder):
    """State of lowering one game for one player count.

    Statements are emitted into `body`. Code that may wait becomes routines, which are lowered after their callers.

    records_coverage: the program records coverage.
    watched_tracks: tracks whose reads and writes the program records.
    env: the current value of each game variable, by number.
    hoisted: expressions that are already evaluated, by identity.
    sites: the decision points.
    site_scopes: for each site, the storage of the game variables that are known there.
    properties, logged_values: properties, and descriptions of values for listeners, by number.
    in_routine: a routine is being lowered, not a function.
    enclosing_steps: the enclosing steps within this routine.
    pass_flag: storage of the pass flag for the enclosing `repeat until you pass`, if any.
    unmodified_lists: list variables that are never modified.
    face_knowers: for each variable within an expression, the seats that know the cards it iterates over.
    known_names: names known here: their cards, and the seats that can identify them.
    loop_variables: variables of the enclosing loops over cards.
    reported_place: place of the decision being lowered, if its moves become visible immediately."""

    layout: Layout = field(kw_only=True)
    records_coverage: bool = field(kw_only=True)
    watched_tracks: frozenset[str] = field(kw_only=True)
    game: g.Game = field(init=False)
    env: dict[int, ir.Expr] = Factory(dict)
    hoisted: dict[int, ir.Expr] = Factory(dict)
    value_nesting: int = 0
    rule_spans: list[Span] = Factory(list)
    span_numbers: dict[Span, int] = Factory(dict)
    definition_sizes: dict[str, int] = Factory(dict)
    sites: list[DecisionPoint] = Factory(list)
    site_scopes: list[dict[int, ir.Expr]] = Factory(list)
    properties: list[g.Property] = Factory(list)
    logged_values: list[LoggedValues] = Factory(list)
    routines: dict[str, ir.Routine | None] = Factory(dict)
    card_step_routines: dict[str, tuple[str | None, ...]] = Factory(dict)
    pending_routines: list[Callable[[], None]] = Factory(list)
    body: list[ir.Stmt] = Factory(list)
    in_routine: bool = False
    enclosing_steps: tuple[str, ...] = ()
    current_step: str = ""
    body_nesting: int = 0
    pass_flag: PassFlag | None = None
    frame_variables: set[int] = Factory(set)
    links: list[tuple[ir.Local, ...]] = Factory(list)
    unmodified_lists: set[int] = Factory(set)
    face_knowers: dict[int, ir.Expr] = Factory(dict)
    known_names: list[tuple[ir.Expr, ir.Local]] = Factory(list)
    loop_variables: list[g.Var] = Factory(list)
    reported_place: int | None = None

    def __attrs_post_init__(self) -> None:
        self.game = self.layout.game
        self.all_seats = ir.build_number(self.layout.everyone)
        self.work_estimator = WorkEstimator(self.game, self.layout.players)
        self.suspension = SuspensionAnalysis(self.game)
        self.refills = RefillIndex(self.game)
        self.entered_zones = {trigger.zone for trigger in self.game.enters}
        self.optimizer = Optimizer(self, self.layout.cards, self.list_ranking_functions)
        self.splitter = BlockSplitter(self, self.layout.finishing)

    # ---------------------------------------------------------------- analyses
    @cached_property
    def common_knowledge(self) -> CommonKnowledge:
        return CommonKnowledge(self.game)

    @cached_property
    def card_names(self) -> HiddenCardVariables:
        return HiddenCardVariables(self.common_knowledge)

    @cached_property
    def hiding_names(self) -> frozenset[str]:
        """Names of the code that may hide cards."""
        return find_hiding_names(self.card_names)

    @cached_property
    def traced_variables(self) -> frozenset[int]:
        return find_logged_hidden_variables(self.game)

    def list_ranking_functions(self, ranking: str) -> tuple[str, ...]:
        """Return the names of the functions that reading by a ranking calls."""
        wilds = (self.make_identifier("wild", ranking),) if self.game.rankings[ranking].wilds else ()
        return (self.make_identifier("judge", ranking), *wilds)

    # ---------------------------------------------------------------- kinds and constants
    def lower_type(self, type_: g.Type, scale: int = 1) -> ir.Kind:
        match type_.tag:
            case "number":
                return ir.build_number_kind(scale)
            case "list":
                return ir.build_list_kind(self.lower_type(type_.item, scale) if type_.item else ir.NOTHING)
            case "player":
                return ir.SEAT
        return ir.Kind(type_.tag)  # type: ignore[arg-type]

    def find_value_kind(self, expr: g.Expr) -> ir.Kind:
        return self.lower_type(expr.type, self.layout.scales.get_scale(expr))

    def can_be_absent(self, expr: g.Expr) -> bool:
        """Check whether a value may be absent."""
        return self.layout.presence.can_value_be_absent(expr)

    def find_constant(self, expr: g.Expr) -> g.Const | None:
        """Return the constant that an expression is, following definitions; otherwise None."""
        while isinstance(expr, g.Call) and expr.of is None:
            expr = self.game.defines[expr.define].value
        return expr if isinstance(expr, g.Const) else None

    def find_constant_number(self, expr: g.Expr) -> g.Value:
        """Return the value of a constant number; otherwise None."""
        constant = self.find_constant(expr)
        return constant.value if constant is not None and constant.type.tag == "number" else None

    # ---------------------------------------------------------------- places and variables
    def number_rule_span(self, span: Span) -> int:
        """Return the number of a rule's place in the program."""
        if span not in self.span_numbers:
            self.span_numbers[span] = len(self.rule_spans)
            self.rule_spans.append(span)
        return self.span_numbers[span]

    @contextmanager
    def bind_temporarily(self, var: g.Var | None, value: ir.Expr) -> Iterator[None]:
        if var is None:
            yield
            return
        before = self.env.get(var.id)
        self.env[var.id] = value
        yield
        if before is None:
            del self.env[var.id]
        else:
            self.env[var.id] = before

    @contextmanager
    def bind_all_temporarily(self, values: Iterable[tuple[g.Var, ir.Expr]]) -> Iterator[None]:
        with ExitStack() as bound:
            for var, value in values:
                bound.enter_context(self.bind_temporarily(var, value))
            yield

    @contextmanager
    def set_temporarily(self, **values: object) -> Iterator[None]:
        """Set attributes within the block."""
        saved = {name: getattr(self, name) for name in values}
        vars(self).update(values)
        yield
        vars(self).update(saved)

    def start_separate_scope(self) -> AbstractContextManager[None]:
        """Start a separate function: nothing is bound or hoisted yet."""
        return self.set_temporarily(env={}, hoisted={})

    def bind_local(self, var: g.Var, kind: ir.Kind | None = None) -> ir.Local:
        """Create a local for a variable of the game."""
        scale = self.layout.scales.variable_scales.get(var.id, 1)
        local = self.env[var.id] = self.create_local(kind or self.lower_type(var.type, scale))
        return local

    # ---------------------------------------------------------------- statements
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
        if self.records_coverage:
            self.emit(ir.Do("reached", (ir.build_number(self.number_rule_span(span)),)))

    def emit_assignment(self, value: ir.Expr, copied: bool = False) -> ir.Local:
        """Assign a value to a new local."""
        local = self.create_local(value.kind)
        self.emit(ir.Assign(local, value, copied))
        return local

    def store_in_local(self, value: ir.Expr) -> ir.Expr:
        """Store a value that is used more than once in a local."""
        return value if isinstance(value, ir.Const | ir.Local) else self.emit_assignment(value)

    def is_independent_list(self, items: ir.Expr) -> bool:
        """Check whether a list is independent of later changes to piles, because it was made here."""
        match items:
            case ir.Local():
                return items.number in self.unmodified_lists
            case ir.Op():
                return items.operation in LIST_MAKING_OPERATIONS
        return isinstance(items, ir.Const | ir.Items | ir.Loop)

    def charge_steps(self, place: int, body: Sequence[object], rounds: ir.Expr = ir.ONE) -> None:
        """Charge the step limit for the given rounds of a body. A rule that exceeds it before the next decision
        fails."""
        steps = ir.build_number(self.work_estimator.count_round_steps(body))
        amount = rounds if steps == ir.ONE else steps if rounds == ir.ONE else ir.Arith(ir.NUMBER, "*", steps, rounds)
        self.emit(ir.Fuel(amount, place))

    # ---------------------------------------------------------------- names of hidden cards
    @contextmanager
    def forget_inner_names(self) -> Iterator[None]:
        """Forget the names introduced within the block."""
        count = len(self.known_names)
        yield
        del self.known_names[count:]

    def narrow_knowledge(self, moved: ir.Expr | None) -> None:
        """Narrow the knowledge of names because cards in the piles of `moved` (None: any) become indistinguishable."""
        for cards, seats in self.known_names:
            self.emit(ir.Assign(seats, ir.Op(ir.NUMBER, "narrowed", (seats, cards, cards if moved is None else moved))))


# ---------------------------------------------------------------- dispatch
EXPRESSION_LOWERERS = HandlerRegistry("interpreter/lower/operators.py: no @lowers_expression of {}")
STATEMENT_LOWERERS = HandlerRegistry("interpreter/lower/control_flow.py: no @lowers_statement of {}")
lowers_expression, lowers_statement = EXPRESSION_LOWERERS.register, STATEMENT_LOWERERS.register


def lower_expression(ctx: Lowering, expr: g.Expr) -> ir.Expr:
    hoisted = ctx.hoisted.get(id(expr))
    if hoisted is not None:
        return hoisted
    outer, ctx.value_nesting = ctx.value_nesting, (ctx.value_nesting + 1) % MAX_VALUE_NESTING
    lowered: ir.Expr = EXPRESSION_LOWERERS[type(expr)](ctx, expr)
    ctx.value_nesting = outer
    return ctx.outline_function((ir.Return(lowered),), lowered.kind) if outer == MAX_VALUE_NESTING - 1 else lowered


def lower_statement(ctx: Lowering, stmt: g.Stmt) -> None:
    STATEMENT_LOWERERS[type(stmt)](ctx, stmt)


def lower_body(ctx: Lowering, body: Sequence[g.Stmt]) -> None:
    """Lower the statements of a body. The first one marks the body as reached for coverage."""
    if body:
        ctx.emit_reached(body[0].span)
    for stmt in body:
        lower_statement(ctx, stmt)


def lower_nested(ctx: Lowering, body: Sequence[g.Stmt], lower_inner: Callable[[], None]) -> ir.Body:
    """Lower a body nested within another statement by `lower_inner`. Bodies nested too deeply become functions."""
    depth = ctx.body_nesting + 1
    if depth <= MAX_BODY_NESTING:
        with ctx.set_temporarily(body_nesting=depth), ctx.forget_inner_names(), ctx.collect_emitted() as found:
            lower_inner()
        return tuple(found)
    ctx.narrow_knowledge(None)  # a function cannot change variables around it
    if any(map(ctx.suspension.can_wait_for_player, body)):
        with ctx.set_temporarily(body_nesting=depth, known_names=[]), ctx.collect_emitted() as found:
            lower_inner()
        return tuple(found)
    code = {"body_nesting": 0, "in_routine": False, "current_step": ""}
    with ctx.set_temporarily(known_names=[], **code), ctx.collect_emitted() as found:
        lower_inner()
    leaves = any(isinstance(part, ir.Leave | ir.Do | ir.DoBorne) for part in ir.walk(found))
    call = ctx.outline_function((*found, ir.Return(ir.FALSE)), ir.FLAG)
    return (ir.Do(call.function, call.args, leaves and ctx.in_routine),)
