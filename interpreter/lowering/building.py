"""Base class for lowering statements: emitting, nesting and binding."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from attrs import frozen

from cardlang import game as g
from cardlang.game.walking import has_chance
from cardlang.source import Span
from interpreter import lowered as lo
from interpreter.handlers import handlers
from interpreter.layout import Layout
from interpreter.lowered.walking import walk
from interpreter.lowering.questions import Expressions
from interpreter.lowering.suspending import Suspending

if TYPE_CHECKING:
    from interpreter.state import Site

Statements = tuple[lo.Stmt, ...]
DEEPEST = 15
"""Maximum nesting of bodies in one function. Python allows at most 20 nested loops."""
ONE = lo.Const(lo.NUMBER, 1)
ZERO = lo.Const(lo.NUMBER, 0)
MAKING = {
    "copied", "listed", "some_first", "some_last", "some_top", "some_bottom", "some_random", "ranked", "reversed",
    "all_highest_by", "all_lowest_by", "distinct_values", "in_order", "ascending", "descending",
    "still_there",
}  # fmt: skip
"""Operations that make new lists."""
NOBODY = lo.Const(lo.SEAT, -1)


@frozen
class Passing:
    """Flag of a `repeat until you pass`: a variable of this frame, or a slot of the frame at `depth`.

    Outside such a repeat, `depth` is below 0."""

    flag: lo.Local | None
    depth: lo.Expr = ZERO
    base: lo.Expr = ZERO


class Building:
    """State of lowering one game for one player count.

    Statements are added to `body`. Code that may wait becomes routines, which are lowered after their callers.

    sites: the decision points.
    scopes: for each site, the storage of the game variables that are known there.
    expected: properties, by number.
    handlers: for each class of statements, the method `do_…` that lowers it."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.game = layout.game
        self.code = Expressions(layout)
        self.suspending = Suspending(self.game)
        self.sites: list[Site] = []
        self.scopes: list[dict[int, lo.Expr]] = []
        self.expected: list[g.Property] = []
        self.routines: dict[str, lo.Routine | None] = {}
        self.borne: dict[str, tuple[str | None, ...]] = {}
        self.waiting: list[Callable[[], None]] = []
        self.body: list[lo.Stmt] = []
        self.framed = False
        """True while lowering a routine, not a function."""
        self.within: tuple[str, ...] = ()
        """The enclosing steps within this routine."""
        self.here = ""
        self.depth = 0
        self.passing: Passing | None = None
        """Storage of the pass flag for the enclosing `repeat until you pass`, if any."""
        self.wanted: set[int] = set()
        self.links: list[tuple[lo.Local, ...]] = []
        self.unchanging: set[int] = set()
        """List variables that are never modified."""
        self.functions = self.code.functions
        self.handlers = handlers(type(self), "do_", g.STATEMENTS, "interpreter/lowering/plain.py")

    # ------------------------------------------------------------ statements
    def emit(self, stmt: lo.Stmt) -> None:
        self.body.append(stmt)

    @contextmanager
    def collected(self) -> Iterator[list[lo.Stmt]]:
        """Collect the statements emitted meanwhile in a separate list."""
        outer, self.body = self.body, []
        yield self.body
        self.body = outer

    @contextmanager
    def where(self, condition: lo.Expr, otherwise: Statements = ()) -> Iterator[None]:
        """Run the statements emitted meanwhile only if the condition holds, else `otherwise`."""
        with self.collected() as body:
            yield
        self.emit(lo.If(condition, tuple(body), otherwise))

    def come_to(self, span: Span) -> None:
        """Record in a coverage program that a place was reached."""
        if self.code.covering:
            self.emit(lo.Do("reached", (lo.Const(lo.NUMBER, self.code.place(span)),)))

    def count_cards(self, span: Span, wanted: g.Expr | None, cards: g.Expr) -> None:
        """Record in a coverage program the number of cards wanted (0: all) and available.

        For random expressions, record only that the place was reached. A second evaluation would give another value."""
        if has_chance(wanted) or has_chance(cards):
            self.come_to(span)
        elif self.code.covering:
            number = ZERO if wanted is None else self.code.expr(wanted)
            there = lo.Count(lo.NUMBER, self.code.items(cards))
            self.emit(lo.Do("cards_there", (lo.Const(lo.NUMBER, self.code.place(span)), number, there)))

    def sequence(self, body: Sequence[g.Stmt]) -> None:
        """Lower the statements of a body. The first one marks the body as reached for coverage."""
        if body:
            self.come_to(body[0].span)
        for stmt in body:
            self.statement(stmt)

    def block(self, body: Sequence[g.Stmt]) -> Statements:
        return self.nested(lambda: self.sequence(body), body)

    def nested(self, lower: Callable[[], None], body: Sequence[g.Stmt]) -> Statements:
        """Lower a body nested within another statement. Bodies nested too deeply become functions."""
        outer, self.depth = self.depth, self.depth + 1
        apart = self.depth > DEEPEST and not any(map(self.suspending.may_stop, body))
        framed, here = self.framed, self.here
        if apart:
            self.depth, self.framed, self.here = 0, False, ""
        with self.collected() as found:
            lower()
        self.depth, self.framed, self.here = outer, framed, here
        return (self.done_apart(tuple(found)),) if apart else tuple(found)

    def done_apart(self, body: Statements) -> lo.Stmt:
        """Return a call of a new function with this body. Exits inside it may leave code around the call."""
        call = self.code.outlined((*body, lo.Return(lo.Const(lo.FLAG, 0))), lo.FLAG)
        if not isinstance(call, lo.Calling):
            raise AssertionError("a call")
        leaves = any(isinstance(part, lo.Leave | lo.Do | lo.DoBorne) for part in walk(body))
        return lo.Do(call.function, call.args, leaves and self.framed)

    def statement(self, stmt: g.Stmt) -> None:
        self.handlers[type(stmt)](self, stmt)

    def fuel(self, place: int, body: Sequence[object], rounds: lo.Expr = ONE) -> None:
        """Charge the step limit for the given rounds of a body. A rule that exceeds it before the next decision
        fails."""
        steps = lo.Const(lo.NUMBER, self.code.effort.steps_of(body))
        amount = rounds if steps == ONE else steps if rounds == ONE else lo.Arith(lo.NUMBER, "*", steps, rounds)
        self.emit(lo.Fuel(amount, place))

    # ------------------------------------------------------------ variables
    def bind(self, var: g.Var, kind: lo.Kind | None = None) -> lo.Local:
        """Create a local for a variable of the game."""
        scale = self.layout.scales.var.get(var.id, 1)
        local = self.code.local(kind or self.code.kind(var.type, scale))
        self.code.env[var.id] = local
        return local

    def stays(self, items: lo.Expr) -> bool:
        """Check whether a list is independent of later changes to piles, because it was made here."""
        match items:
            case lo.Local():
                return items.number in self.unchanging
            case lo.Op():
                return items.operation in MAKING
        return isinstance(items, lo.Const | lo.Items | lo.Loop)

    def kept(self, value: lo.Expr) -> lo.Expr:
        """Store a value that is used more than once in a local."""
        if isinstance(value, lo.Const | lo.Local):
            return value
        local = self.code.local(value.kind)
        self.emit(lo.Assign(local, value))
        return local
