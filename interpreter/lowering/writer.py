"""Expressions to Python source: the writer that all kinds of expressions share.

The names that the source uses: `s` (the state), `t`, `z`, `ow`, `f` (its tracks, piles, owners and the running frame),
variables `v1`, `v2`, …, and what `interpreter.helpers` and the writer's tables put into its name space. A number's
source gives its value times the scale that `Scales.of` tells for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from cardlang import game as g
from cardlang.source import Source, Span
from interpreter.layout import Layout
from interpreter.lowering.effort import Effort
from interpreter.lowering.naming import mangled
from interpreter.state import ABSENT, NO_NUMBER, UNLIMITED

SIMPLE = re.compile(r"-?\w+(\[[-+\w]+(\[\w+\])?\])?\Z")
"""Source that costs nothing to repeat."""
LOCAL = r"(?<![\w.'])[a-z]+\d+\b"
"""The names of locals in source."""


class Writer:
    """Turns expressions into source; collects the functions and tables that this needs. Each class of expressions
    has a method `x_…` in one of the classes built on this one."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.game = layout.game
        self.env: dict[int, str] = {}
        self.hoisted: dict[int, str] = {}
        self.functions: dict[str, str] = {}
        self.tables: dict[str, Any] = {}
        self.sources: dict[Source, int] = {}
        self.texts: dict[str, int] = {}
        self.counter = 0
        self.effort = Effort(layout.game, layout.players)
        self.large = self.effort.is_large()
        self.sizes: dict[str, int] = {}
        self.dispatch: dict[type, Callable[[Any], str]] = {
            getattr(g, name[2:]): getattr(self, name) for name in dir(self) if name.startswith("x_")
        }

    def fresh(self, prefix: str = "v") -> str:
        self.counter += 1
        return f"{prefix}{self.counter}"

    @contextmanager
    def bound(self, var: g.Var | None, code: str) -> Iterator[None]:
        if var is None:
            yield
            return
        before = self.env.get(var.id)
        self.env[var.id] = code
        yield
        if before is None:
            del self.env[var.id]
        else:
            self.env[var.id] = before

    @contextmanager
    def outlining(self) -> Iterator[set[str]]:
        """While source is made that `outlined` puts into a function: the names that it may know from around it."""
        yield {name for code in (*self.env.values(), *self.hoisted.values()) for name in re.findall(r"\w+", code)}

    def outlined(self, lines: list[str], known: set[str]) -> str:
        """The call of a function made of these lines. Of the known names, it is handed those that it uses."""
        used = known & {name for line in lines for name in re.findall(LOCAL, line)}
        if any(re.search(r"(?<![\w.'])f\[", line) for line in lines):
            used.add("f")
        handed = ", ".join(["s", *sorted(used)])
        name = self.fresh("P")
        self.functions[name] = "\n".join([f"def {name}({handed}):", *(f"    {line}" for line in lines)])
        return f"{name}({handed})"

    def table(self, name: str, value: Any) -> str:
        name = mangled(name)
        self.tables.setdefault(name, value)
        return name

    def text(self, text: str) -> str:
        """A name under which a text of the game is known to the source. None stands in the source itself, which is
        searched for names and jumps when its functions are put together."""
        return self.table(f"TEXT_{self.texts.setdefault(text, len(self.texts))}", text)

    def span(self, span: Span) -> str:
        """A name under which a rule's place is known to the source."""
        source = self.sources.setdefault(span.source, len(self.sources))
        return self.table(f"AT_{source}_{span.start}_{span.end}", span)

    def maybe(self, expr: g.Expr) -> bool:
        """Whether a value may be absent."""
        return self.layout.presence.maybe(expr)

    def expr(self, expr: g.Expr) -> str:
        hoisted = self.hoisted.get(id(expr))
        return hoisted if hoisted is not None else self.dispatch[type(expr)](expr)

    def sure(self, expr: g.Expr, code: str = "") -> str:
        """The source (`code`, if it is made already) of a value that must be there: where it may be absent, it is
        asked, and a rule that finds it absent is at fault."""
        code = code or self.expr(expr)
        if not self.maybe(expr):
            return code
        return f"present({code}, {self.absent(expr.type)}, {self.span(expr.span)}, {expr.type.tag == 'player'})"

    def number(self, expr: g.Expr, scale: int) -> str:
        """The source of a number at a given scale (a multiple of its own)."""
        own = self.layout.scales.of(expr)
        constant = self.constant(expr)
        if constant is not None:
            return self.literal(constant, scale, expr.type)
        code = self.expr(expr)
        if own == scale:
            return code
        if self.maybe(expr) or expr.type.unlimited:
            return f"scaled({code}, {scale // own})"
        return f"({code}) * {scale // own}"

    def value(self, expr: g.Expr, want: g.Type, scale: int) -> str:
        """The source of a value to be kept as `want`: absent numbers and members have different marks."""
        if want.tag == "number":
            return self.number(expr, scale)
        if want.tag == "flag":
            return self.flag(expr)
        return self.expr(expr)

    def flag(self, expr: g.Expr) -> str:
        if isinstance(expr, g.Const):
            return "1" if expr.value else "0"
        code = self.expr(expr)
        if isinstance(expr, g.TrackValue | g.Var):
            return code
        return f"+({code})" if self.is_boolean(expr) else f"(1 if {code} else 0)"

    def is_boolean(self, expr: g.Expr) -> bool:
        if isinstance(expr, g.And | g.Or):
            return self.is_boolean(expr.left) and self.is_boolean(expr.right)
        return isinstance(expr, g.Not | g.Quantified | g.TrackValue | g.IsAbsent)

    def constant(self, expr: g.Expr) -> Any:
        """The value of a number known beforehand, through definitions; else None."""
        while isinstance(expr, g.Call) and expr.of is None:
            expr = self.game.defines[expr.define].value
        return expr.value if isinstance(expr, g.Const) and expr.type.tag == "number" else None

    def truth(self, expr: g.Expr) -> bool | None:
        """Whether a condition holds, where that is known beforehand."""
        while isinstance(expr, g.Call) and expr.of is None:
            expr = self.game.defines[expr.define].value
        return bool(expr.value) if isinstance(expr, g.Const) else None

    def literal(self, value: g.Value, scale: int, type_: g.Type) -> str:
        if value is None:
            return str(NO_NUMBER if type_.tag == "number" else ABSENT)
        if value == g.UNLIMITED:
            return str(UNLIMITED)
        return str(int(Fraction(value) * scale))

    def absent(self, type_: g.Type) -> str:
        kinds = {"number": str(NO_NUMBER), "flag": "0", "list": "()", "reading": "None", "text": "''"}
        return kinds.get(type_.tag, "-1")

    def at(self, array: str, base: int, of: g.Expr | None, absent: str) -> str:
        """A slot: the table's, or that of a player, card or member. Of nobody it is absent."""
        if of is None:
            return f"{array}[{base}]"
        code = self.expr(of)
        if code.isdigit():
            return f"{array}[{base + int(code)}]"
        plus = f"{base}+" if base else ""
        if not self.maybe(of):
            return f"{array}[{plus}{code}]"
        if SIMPLE.match(code):
            return f"({array}[{plus}{code}] if {code} >= 0 else {absent})"
        return f"slot_of({array}, {base}, {code}, {absent})"

    def pile(self, zone: str, of: g.Expr | None) -> str:
        return self.at("z", self.layout.zone_base[zone], of, "()")

    def items(self, expr: g.Expr) -> str:
        """The source of a list; a single value becomes a list of one, or of none if it is absent."""
        if expr.type.tag == "list" or isinstance(expr, g.NamedCards):
            return self.expr(expr)
        if isinstance(expr, g.ZoneCards):
            return self.pile(expr.zone, expr.of)
        return f"listed({self.expr(expr)})"
