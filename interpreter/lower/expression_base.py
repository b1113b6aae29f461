"""Base class of expression lowering: scope, tables, announcement links.

Numbers are scaled by the result of `Scales.get_scale`.

An announcement link is stored in the frame of the announcer. Its slots from `base` on are actor, target, cancelled,
answered, then the values that reactions share by name. A reaction's frame contains the address of the link it responds
to: the depth of that frame, and the base.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from cardlang import model as g
from cardlang.diagnostics import Span
from interpreter import ir
from interpreter.ir.ir_expressions import NOTHING, Kind, build_number_kind
from interpreter.ir.traversal import find_assigned_variables, find_free_ir_variables, get_handlers, walk
from interpreter.lower.work_and_uniqueness_analysis import WorkEstimator
from interpreter.runtime.layout import Layout
from interpreter.runtime.state import ABSENT, NO_NUMBER, UNLIMITED

MAX_VALUE_NESTING = 20
"""Maximum nesting of values in one function. Python limits nested brackets."""


class ExpressionLowererBase:
    """Lowering of expressions. It collects the functions, tables and places that they need.

    handlers: for each class of expressions, the method `lower_…` that lowers it.
    env: the current value of each game variable, by number.
    hoisted: expressions that are already evaluated, by identity."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.game = layout.game
        self.env: dict[int, ir.Expr] = {}
        self.hoisted: dict[int, ir.Expr] = {}
        self.depth = 0
        self.functions: dict[str, ir.Function | None] = {}
        self.tables: dict[str, Any] = {}
        self.dispatch_tables: dict[str, tuple[str | None, ...]] = {}
        self.rule_spans: list[Span] = []
        self.span_numbers: dict[Span, int] = {}
        self.identifiers: dict[tuple[str, str], str] = {}
        self.used_identifiers: set[str] = set()
        self.local_count = 0
        self.records_coverage = False
        """True if the program records coverage."""
        self.watched_tracks: frozenset[str] = frozenset()
        """Tracks whose reads and writes it records."""
        self.work_estimator = WorkEstimator(layout.game, layout.players)
        self.is_work_large = self.work_estimator.is_work_large()
        self.definition_sizes: dict[str, int] = {}
        self.handlers = get_handlers(type(self), "lower_", g.EXPRESSION_CLASSES, "interpreter/lower/operators.py")

    # ------------------------------------------------------------ names, variables, places
    def create_local(self, kind: Kind) -> ir.Local:
        self.local_count += 1
        return ir.Local(kind, self.local_count)

    def make_identifier(self, category: str, name: str) -> str:
        """Return a unique identifier of letters, digits and underscores for a name of a category."""
        known = self.identifiers.get((category, name))
        if known is None:
            plain = known = f"{category}_{re.sub('[^a-zA-Z0-9]', '_', name)}"
            while known in self.used_identifiers:
                known = f"{plain}_{len(self.used_identifiers)}"
            self.used_identifiers.add(known)
            self.identifiers[category, name] = known
        return known

    def add_table(self, category: str, name: str, values: Sequence[object]) -> str:
        known = self.make_identifier(category, name)
        self.tables.setdefault(known, values)
        return known

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
    def start_separate_scope(self) -> Iterator[None]:
        """Start a separate function: nothing is bound or hoisted yet."""
        saved, self.env, hoisted, self.hoisted = self.env, {}, self.hoisted, {}
        yield
        self.env, self.hoisted = saved, hoisted

    def outline_function(self, body: tuple[ir.Stmt, ...], result: Kind) -> ir.Expr:
        """Outline statements to a function, and return its call. The variables that they read become arguments."""
        names = find_free_ir_variables(body) - find_assigned_variables(body)
        found = {part.number: part for part in walk(body) if isinstance(part, ir.Local) and part.number in names}
        params = tuple(found[number] for number in sorted(found))
        name = self.make_identifier("P", str(len(self.functions)))
        self.functions[name] = ir.Function(name, params, body, result)
        return ir.Calling(result, name, params)

    # ------------------------------------------------------------ kinds
    def lower_type(self, type_: g.Type, scale: int = 1) -> Kind:
        match type_.tag:
            case "number":
                return build_number_kind(scale)
            case "list":
                return ir.build_list_kind(self.lower_type(type_.item, scale) if type_.item else NOTHING)
            case "player":
                return ir.SEAT
        return Kind(type_.tag)  # type: ignore[arg-type]

    def find_value_kind(self, expr: g.Expr) -> Kind:
        return self.lower_type(expr.type, self.layout.scales.get_scale(expr))

    def can_be_absent(self, expr: g.Expr) -> bool:
        """Check whether a value may be absent."""
        return self.layout.presence.can_value_be_absent(expr)

    def build_absent_const(self, kind: Kind) -> ir.Const:
        return ir.Const(kind, ir.encode_absent(kind))

    # ------------------------------------------------------------ values
    def lower_expression(self, expr: g.Expr) -> ir.Expr:
        hoisted = self.hoisted.get(id(expr))
        if hoisted is not None:
            return hoisted
        outer, self.depth = self.depth, (self.depth + 1) % MAX_VALUE_NESTING
        lowered: ir.Expr = self.handlers[type(expr)](self, expr)
        self.depth = outer
        return self.outline_function((ir.Return(lowered),), lowered.kind) if outer == MAX_VALUE_NESTING - 1 else lowered

    def lower_present_value(self, expr: g.Expr, code: ir.Expr | None = None) -> ir.Expr:
        """Return a value that must be present (`code`, if lowered already). An absent value is a rule error."""
        code = code or self.lower_expression(expr)
        if not self.can_be_absent(expr):
            return code
        somebody = ir.Const(ir.FLAG, int(expr.type.tag == "player"))
        kind = self.lower_type(expr.type)
        return ir.Op(
            code.kind, "present", (code, self.build_absent_const(kind), somebody), self.number_rule_span(expr.span)
        )

    def lower_number(self, expr: g.Expr, scale: int) -> ir.Expr:
        """Lower a number at a given scale, which is a multiple of its own."""
        own = self.layout.scales.get_scale(expr)
        constant = self.find_constant_number(expr)
        if constant is not None:
            return self.build_literal(constant, scale, expr.type)
        code = self.lower_expression(expr)
        if own == scale:
            return code
        by = ir.Const(ir.NUMBER, scale // own)
        if self.can_be_absent(expr) or expr.type.unlimited:
            return ir.Op(build_number_kind(scale), "scaled", (code, by))
        return ir.Arith(build_number_kind(scale), "*", code, by)

    def lower_stored_value(self, expr: g.Expr, target_type: g.Type, scale: int) -> ir.Expr:
        """Lower a value to be stored as type `target_type`. Absent numbers and other absent values have different
        encodings."""
        return self.lower_number(expr, scale) if target_type.tag == "number" else self.lower_expression(expr)

    def find_constant_number(self, expr: g.Expr) -> g.Value:
        """Return the value of a constant number, following definitions; otherwise None."""
        while isinstance(expr, g.Call) and expr.of is None:
            expr = self.game.defines[expr.define].value
        return expr.value if isinstance(expr, g.Const) and expr.type.tag == "number" else None

    def find_constant_truth(self, expr: g.Expr) -> bool | None:
        """Return the truth value of a constant condition; otherwise None."""
        while isinstance(expr, g.Call) and expr.of is None:
            expr = self.game.defines[expr.define].value
        return bool(expr.value) if isinstance(expr, g.Const) else None

    def build_literal(self, value: g.Value, scale: int, type_: g.Type) -> ir.Const:
        kind = self.lower_type(type_, scale)
        if value is None:
            return ir.Const(kind, NO_NUMBER if type_.tag == "number" else ABSENT)
        if value == g.UNLIMITED:
            return ir.Const(kind, UNLIMITED)
        return ir.Const(kind, int(Fraction(value) * scale))

    def record_coverage(self, span: Span, value: ir.Expr) -> ir.Expr:
        """Return a value whose evaluation is recorded by a coverage program."""
        if not self.records_coverage:
            return value
        return ir.Calling(value.kind, "reached", (ir.Const(ir.NUMBER, self.number_rule_span(span)), value))

    # ------------------------------------------------------------ slots
    def lower_slot_address(self, base: int, owner: g.Expr | None) -> tuple[int, ir.Expr | None, bool]:
        """Return a slot of the table, or of a player, card or member: base, owner, and whether the owner may be
        absent."""
        if owner is None:
            return base, None, False
        whose = self.lower_expression(owner)
        if isinstance(whose, ir.Const) and isinstance(whose.value, int) and whose.value >= 0:
            return base + whose.value, None, False
        return base, whose, self.can_be_absent(owner)

    def lower_pile(self, zone: str, owner: g.Expr | None) -> ir.Expr:
        return ir.Pile(ir.build_list_kind(ir.CARD), *self.lower_slot_address(self.layout.zone_base[zone], owner))

    def lower_list(self, expr: g.Expr) -> ir.Expr:
        """Lower a list. A single value becomes a list of one item, or an empty list if it is absent."""
        if isinstance(expr, g.ZoneCards):
            return self.lower_pile(expr.zone, expr.of)
        code = self.lower_expression(expr)
        if code.kind.tag == "list":
            return code
        return ir.Op(ir.build_list_kind(code.kind), "listed", (code,))


def build_conjunction(parts: Sequence[ir.Expr]) -> ir.Expr:
    """Combine conditions with `and`, dropping constants."""
    needed = tuple(part for part in parts if part != ir.TRUE)
    if ir.FALSE in needed:
        return ir.FALSE
    return needed[0] if len(needed) == 1 else ir.Logic(ir.FLAG, "and", needed) if needed else ir.TRUE


def build_disjunction(parts: Sequence[ir.Expr]) -> ir.Expr:
    """Combine conditions with `or`, dropping constants."""
    needed = tuple(part for part in parts if part != ir.FALSE)
    if ir.TRUE in needed:
        return ir.TRUE
    return needed[0] if len(needed) == 1 else ir.Logic(ir.FLAG, "or", needed) if needed else ir.FALSE


LINK_ACTOR, LINK_TARGET, LINK_CANCELLED, LINK_ANSWERED, LINK_SHARED = range(5)


def find_shared_offset(names: list[str], name: str | None) -> int:
    """Return the offset of a link's target, or of a shared value: one of `Layout.shared_names`."""
    return LINK_TARGET if name is None else LINK_SHARED + names.index(name)
