"""Lower expressions of a game to the IR: the shared base class.

Numbers are scaled by the result of `Scales.of`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from cardlang import game as g
from cardlang.source import Span
from interpreter import lowered as lo
from interpreter.handlers import handlers
from interpreter.layout import Layout
from interpreter.lowered.kinds import NOTHING, Kind, number
from interpreter.lowered.walking import assigned, free_in, walk
from interpreter.lowering.effort import Effort
from interpreter.state import ABSENT, NO_NUMBER, UNLIMITED

TRUE, FALSE = lo.Const(lo.FLAG, 1), lo.Const(lo.FLAG, 0)


DEEPEST = 20
"""Maximum nesting of values in one function. Python limits nested brackets."""


class Writer:
    """Lowering of expressions. It collects the functions, tables and places that they need.

    handlers: for each class of expressions, the method `x_…` that lowers it.
    env: the current value of each game variable, by number.
    hoisted: expressions that are already evaluated, by identity."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.game = layout.game
        self.env: dict[int, lo.Expr] = {}
        self.hoisted: dict[int, lo.Expr] = {}
        self.depth = 0
        self.functions: dict[str, lo.Function | None] = {}
        self.tables: dict[str, Any] = {}
        self.dispatches: dict[str, tuple[str | None, ...]] = {}
        self.places: list[Span] = []
        self.place_of: dict[Span, int] = {}
        self.names: dict[tuple[str, str], str] = {}
        self.taken: set[str] = set()
        self.counter = 0
        self.covering = False
        """True if the program records coverage."""
        self.watched: frozenset[str] = frozenset()
        """Tracks whose reads and writes it records."""
        self.effort = Effort(layout.game, layout.players)
        self.large = self.effort.is_large()
        self.sizes: dict[str, int] = {}
        self.handlers = handlers(type(self), "x_", g.EXPRESSIONS, "interpreter/lowering/questions.py")

    # ------------------------------------------------------------ names, variables, places
    def local(self, kind: Kind) -> lo.Local:
        self.counter += 1
        return lo.Local(kind, self.counter)

    def named(self, sort: str, name: str) -> str:
        """Return a unique identifier of letters, digits and underscores for a name of a category."""
        known = self.names.get((sort, name))
        if known is None:
            plain = known = f"{sort}_{re.sub('[^a-zA-Z0-9]', '_', name)}"
            while known in self.taken:
                known = f"{plain}_{len(self.taken)}"
            self.taken.add(known)
            self.names[sort, name] = known
        return known

    def table(self, sort: str, name: str, values: Sequence[object]) -> str:
        known = self.named(sort, name)
        self.tables.setdefault(known, values)
        return known

    def place(self, span: Span) -> int:
        """Return the number of a rule's place in the program."""
        if span not in self.place_of:
            self.place_of[span] = len(self.places)
            self.places.append(span)
        return self.place_of[span]

    @contextmanager
    def bound(self, var: g.Var | None, value: lo.Expr) -> Iterator[None]:
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
    def apart(self) -> Iterator[None]:
        """Start a separate function: nothing is bound or hoisted yet."""
        saved, self.env, hoisted, self.hoisted = self.env, {}, self.hoisted, {}
        yield
        self.env, self.hoisted = saved, hoisted

    def outlined(self, body: tuple[lo.Stmt, ...], result: Kind) -> lo.Expr:
        """Outline statements to a function, and return its call. The variables that they read become arguments."""
        names = free_in(body) - assigned(body)
        found = {part.number: part for part in walk(body) if isinstance(part, lo.Local) and part.number in names}
        params = tuple(found[number] for number in sorted(found))
        name = self.named("P", str(len(self.functions)))
        self.functions[name] = lo.Function(name, params, body, result)
        return lo.Calling(result, name, params)

    # ------------------------------------------------------------ kinds
    def kind(self, type_: g.Type, scale: int = 1) -> Kind:
        match type_.tag:
            case "number":
                return number(scale)
            case "list":
                return lo.list_of(self.kind(type_.item, scale) if type_.item else NOTHING)
            case "player":
                return lo.SEAT
        return Kind(type_.tag)  # type: ignore[arg-type]

    def kind_of(self, expr: g.Expr) -> Kind:
        return self.kind(expr.type, self.layout.scales.of(expr))

    def maybe(self, expr: g.Expr) -> bool:
        """Check whether a value may be absent."""
        return self.layout.presence.maybe(expr)

    def absent(self, kind: Kind) -> lo.Const:
        return lo.Const(kind, lo.absent(kind))

    # ------------------------------------------------------------ values
    def expr(self, expr: g.Expr) -> lo.Expr:
        hoisted = self.hoisted.get(id(expr))
        if hoisted is not None:
            return hoisted
        outer, self.depth = self.depth, (self.depth + 1) % DEEPEST
        lowered: lo.Expr = self.handlers[type(expr)](self, expr)
        self.depth = outer
        return self.outlined((lo.Return(lowered),), lowered.kind) if outer == DEEPEST - 1 else lowered

    def sure(self, expr: g.Expr, code: lo.Expr | None = None) -> lo.Expr:
        """Return a value that must be present (`code`, if lowered already). An absent value is a rule error."""
        code = code or self.expr(expr)
        if not self.maybe(expr):
            return code
        somebody = lo.Const(lo.FLAG, int(expr.type.tag == "player"))
        kind = self.kind(expr.type)
        return lo.Op(code.kind, "present", (code, self.absent(kind), somebody), self.place(expr.span))

    def number(self, expr: g.Expr, scale: int) -> lo.Expr:
        """Lower a number at a given scale, which is a multiple of its own."""
        own = self.layout.scales.of(expr)
        constant = self.constant(expr)
        if constant is not None:
            return self.literal(constant, scale, expr.type)
        code = self.expr(expr)
        if own == scale:
            return code
        by = lo.Const(lo.NUMBER, scale // own)
        if self.maybe(expr) or expr.type.unlimited:
            return lo.Op(number(scale), "scaled", (code, by))
        return lo.Arith(number(scale), "*", code, by)

    def value(self, expr: g.Expr, want: g.Type, scale: int) -> lo.Expr:
        """Lower a value to be stored as type `want`. Absent numbers and other absent values have different
        encodings."""
        return self.number(expr, scale) if want.tag == "number" else self.expr(expr)

    def constant(self, expr: g.Expr) -> g.Value:
        """Return the value of a constant number, following definitions; otherwise None."""
        while isinstance(expr, g.Call) and expr.of is None:
            expr = self.game.defines[expr.define].value
        return expr.value if isinstance(expr, g.Const) and expr.type.tag == "number" else None

    def truth(self, expr: g.Expr) -> bool | None:
        """Return the truth value of a constant condition; otherwise None."""
        while isinstance(expr, g.Call) and expr.of is None:
            expr = self.game.defines[expr.define].value
        return bool(expr.value) if isinstance(expr, g.Const) else None

    def literal(self, value: g.Value, scale: int, type_: g.Type) -> lo.Const:
        kind = self.kind(type_, scale)
        if value is None:
            return lo.Const(kind, NO_NUMBER if type_.tag == "number" else ABSENT)
        if value == g.UNLIMITED:
            return lo.Const(kind, UNLIMITED)
        return lo.Const(kind, int(Fraction(value) * scale))

    def noted(self, span: Span, value: lo.Expr) -> lo.Expr:
        """Return a value whose evaluation is recorded by a coverage program."""
        if not self.covering:
            return value
        return lo.Calling(value.kind, "reached", (lo.Const(lo.NUMBER, self.place(span)), value))

    # ------------------------------------------------------------ slots
    def at(self, base: int, of: g.Expr | None) -> tuple[int, lo.Expr | None, bool]:
        """Return a slot of the table, or of a player, card or member: base, owner, and whether the owner may be
        absent."""
        if of is None:
            return base, None, False
        whose = self.expr(of)
        if isinstance(whose, lo.Const) and isinstance(whose.value, int) and whose.value >= 0:
            return base + whose.value, None, False
        return base, whose, self.maybe(of)

    def pile(self, zone: str, of: g.Expr | None) -> lo.Expr:
        return lo.Pile(lo.list_of(lo.CARD), *self.at(self.layout.zone_base[zone], of))

    def items(self, expr: g.Expr) -> lo.Expr:
        """Lower a list. A single value becomes a list of one item, or an empty list if it is absent."""
        if isinstance(expr, g.ZoneCards):
            return self.pile(expr.zone, expr.of)
        code = self.expr(expr)
        if code.kind.tag == "list":
            return code
        return lo.Op(lo.list_of(code.kind), "listed", (code,))


def is_simple(expr: lo.Expr) -> bool:
    """Check whether evaluating an expression again costs nothing."""
    match expr:
        case lo.Const() | lo.Local():
            return True
        case lo.Track() | lo.Pile():
            return not expr.may_lack and (expr.of is None or isinstance(expr.of, lo.Const | lo.Local))
    return False


def conjunction(parts: Sequence[lo.Expr]) -> lo.Expr:
    """Combine conditions with `and`, dropping constants."""
    needed = tuple(part for part in parts if part != TRUE)
    if FALSE in needed:
        return FALSE
    return needed[0] if len(needed) == 1 else lo.Logic(lo.FLAG, "and", needed) if needed else TRUE


def disjunction(parts: Sequence[lo.Expr]) -> lo.Expr:
    """Combine conditions with `or`, dropping constants."""
    needed = tuple(part for part in parts if part != FALSE)
    if TRUE in needed:
        return TRUE
    return needed[0] if len(needed) == 1 else lo.Logic(lo.FLAG, "or", needed) if needed else FALSE
