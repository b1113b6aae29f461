"""Expressions to Python source. The names that the source uses: `s` (the state), `t`, `z`, `ow`, `f` (its tracks,
piles, owners and the running frame), variables `v1`, `v2`, …, and what `helpers` and `tables` put into its name space.

A number's source gives its value times the scale that `Scales.of` tells for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from math import lcm
from typing import Any

from cardlang import game as g
from interpreter.comparing import compare
from interpreter.layout import Layout, is_pure
from interpreter.links import shared_offset
from interpreter.orders import order_function, reader_name
from interpreter.state import ABSENT, NO_NUMBER, UNLIMITED
from interpreter.walk import bound_here, children, free_vars, walk

SIMPLE = re.compile(r"-?\w+(\[-?\w+\])?\Z")
UNROLL = 3
"""Up to how many seats a question about all players is written out seat by seat."""
LINK_DEPTH, LINK_BASE = -1, -2
"""Where the names of an answered link's place stand among the variables."""
INLINE = 60
"""Up to how many nodes a definition is put in where it is called."""


class Expressions:
    """Turns expressions into source; collects the functions and tables that this needs."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.game = layout.game
        self.env: dict[int, str] = {}
        self.hoisted: dict[int, str] = {}
        self.functions: dict[str, str] = {}
        self.tables: dict[str, Any] = {}
        self.counter = 0
        self.sizes: dict[str, int] = {}
        self.dispatch: dict[type, Callable[[Any], str]] = {
            getattr(g, name[2:]): getattr(self, name) for name in dir(self) if name.startswith("x_")
        }

    # ------------------------------------------------------------ names
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

    def table(self, name: str, value: Any) -> str:
        name = re.sub(r"\W", "_", name)
        self.tables.setdefault(name, value)
        return name

    def span(self, span: Any) -> str:
        """A name under which a rule's place is known to the source."""
        name = f"AT_{span.start}_{abs(hash(span.source.name)) % 9973}"
        return self.table(name, span)

    def maybe(self, expr: g.Expr) -> bool:
        """Whether a value may be absent."""
        return self.layout.presence.maybe(expr)

    # ------------------------------------------------------------ entry points
    def expr(self, expr: g.Expr) -> str:
        hoisted = self.hoisted.get(id(expr))
        return hoisted if hoisted is not None else self.dispatch[type(expr)](expr)

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
            return str(int(expr.value))
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

    def literal(self, value: Any, scale: int, type_: g.Type) -> str:
        if value is None:
            return str(NO_NUMBER if type_.tag == "number" else ABSENT)
        if value == g.UNLIMITED:
            return str(UNLIMITED)
        return str(int(Fraction(value) * scale))

    def items(self, expr: g.Expr) -> str:
        """The source of a list; a single value becomes a list of one, or of none if it is absent."""
        if expr.type.tag == "list" or isinstance(expr, g.NamedCards):
            return self.expr(expr)
        if isinstance(expr, g.ZoneCards):
            return self.pile(expr.zone, expr.of)
        return f"listed({self.expr(expr)})"

    # ------------------------------------------------------------ leaves
    def x_Const(self, e: g.Const) -> str:
        if e.type.tag == "text":
            return repr(e.value)
        if e.type.tag == "list":
            return repr(list(e.value))
        return self.literal(e.value, self.layout.scales.of(e), e.type)

    def x_Var(self, e: g.Var) -> str:
        return self.env[e.id]

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

    def x_TrackValue(self, e: g.TrackValue) -> str:
        tag = self.game.tracks[e.track].type.tag
        absent = NO_NUMBER if tag == "number" else 0 if tag == "flag" else ABSENT
        return self.at("t", self.layout.track_base[e.track], e.of, str(absent))

    def pile(self, zone: str, of: g.Expr | None) -> str:
        return self.at("z", self.layout.zone_base[zone], of, "()")

    def x_ZoneCards(self, e: g.ZoneCards) -> str:
        pile = self.pile(e.zone, e.of)
        if e.type.tag == "list":
            return pile
        return f"({pile}[-1] if {pile} else -1)" if SIMPLE.match(pile) else f"last_of({pile}, -1)"

    def x_SetCards(self, e: g.SetCards) -> str:
        faces = [face for face in self.game.faces if face.set == e.set]
        cards = [face.first + copy for face in faces for copy in range(face.copies)]
        return self.table(f"SET_{e.set}", tuple(cards))

    def x_NamedCards(self, e: g.NamedCards) -> str:
        cards = tuple(self.game.faces[face].first for face in e.faces)
        return str(cards[0]) if e.type.tag == "card" else self.table(f"CARDS_{self.fresh()}", cards)

    def x_Attribute(self, e: g.Attribute) -> str:
        table = self.column_table(e.attribute)
        return f"{table}[{self.expr(e.card)}]"

    def column_table(self, name: str) -> str:
        """By card number; the last entry answers for no card (-1)."""
        column = self.game.columns[name]
        absent: Any = NO_NUMBER if column.type.tag == "number" else "" if column.type.tag == "text" else ABSENT
        return self.table(f"C_{name}", [*self.layout.column(name), absent])

    def x_Worth(self, e: g.Worth) -> str:
        kind = e.value.type.of or ""
        worths = self.layout.worths(kind)
        if isinstance(e.value, g.Attribute):
            column = [*self.layout.column(e.value.attribute), ABSENT]
            table = self.table(f"N_{e.value.attribute}", [worths[place] for place in column])
            return f"{table}[{self.expr(e.value.card)}]"
        return f"{self.table(f'W_{kind}', worths)}[{self.expr(e.value)}]"

    def x_Members(self, e: g.Members) -> str:
        return str(tuple(range(len(self.game.kinds[e.kind].members))))

    # ------------------------------------------------------------ definitions
    def x_Call(self, e: g.Call) -> str:
        define = self.game.defines[e.define]
        constant = self.constant(e)
        if constant is not None:
            return self.literal(constant, self.layout.scales.of(e), e.type)
        if e.of is None:
            return self.inlined(define) or f"{self.define_function(define)}(s)"
        code = self.items(e.of) if define.subject == "cards" else self.expr(e.of)
        if SIMPLE.match(code) and not self.maybe(e.of):
            with self.bound(define.var, code):
                inlined = self.inlined(define)
            if inlined:
                return inlined
        return f"{self.define_function(define)}(s, {code})"

    def inlined(self, define: g.Define) -> str | None:
        if define.name not in self.sizes:
            self.sizes[define.name] = sum(1 for _ in walk((define.value,)))
        if self.sizes[define.name] > INLINE or isinstance(define.value, g.FirstPossible):
            return None
        if define.type.tag == "flag":
            code = self.expr(define.value)
        else:
            code = self.value(define.value, define.type, self.layout.scales.define[define.name])
        return code if len(code) < 400 else None

    def define_function(self, define: g.Define) -> str:
        name = "d_" + re.sub(r"\W", "_", define.name)
        if name not in self.functions:
            self.functions[name] = ""
            saved, self.env, hoisted, self.hoisted = self.env, {}, self.hoisted, {}
            param = self.fresh()
            with self.bound(define.var, param):
                code = self.value(define.value, define.type, self.layout.scales.define[define.name])
            self.env, self.hoisted = saved, hoisted
            lines = [f"def {name}(s, {param}):" if define.var else f"def {name}(s):"]
            if define.subject in ("player", "card") or define.subject in self.game.kinds:
                lines.append(f"    if {param} == -1: return {self.absent(define.type)}")
            self.functions[name] = "\n".join([*lines, f"    return {code}"])
        return name

    def absent(self, type_: g.Type) -> str:
        kinds = {"number": str(NO_NUMBER), "flag": "0", "list": "()", "reading": "None", "text": "''"}
        return kinds.get(type_.tag, "-1")

    def x_BorneCall(self, e: g.BorneCall) -> str:
        return f"{self.borne_function(self.game.borne_defines[e.define])}(s, {self.expr(e.card)})"

    def borne_function(self, borne: g.BorneDefine) -> str:
        """By the card's face: a function of its own for each body."""
        name = "b_" + re.sub(r"\W", "_", borne.name)
        if name not in self.functions:
            self.functions[name] = ""
            bodies: dict[int, str] = {}
            cases = [self.borne_body(name, body, bodies, borne.type) for body in borne.bodies]
            table = f"{name.upper()} = ({', '.join(cases[face] for face in self.layout.face)}, None)"
            lines = [table, f"def {name}(s, c):", f"    body = {name.upper()}[c]"]
            lines.append(f"    return {self.absent(borne.type)} if body is None else body(s, c, s.owner[c])")
            del self.functions[name]  # it stands behind the functions that its table names
            self.functions[name] = "\n".join(lines)
        return name

    def borne_body(self, name: str, body: g.BorneBody | None, done: dict[int, str], type_: g.Type) -> str:
        if body is None:
            return "None"
        if id(body.value) not in done:
            saved, self.env, hoisted, self.hoisted = self.env, {}, self.hoisted, {}
            function, card, owner = self.fresh(name + "_"), self.fresh(), self.fresh()
            with self.bound(body.var, card), self.bound(body.owner, owner):
                code = self.value(body.value, type_, 1)
            self.env, self.hoisted = saved, hoisted
            self.functions[function] = f"def {function}(s, {card}, {owner}):\n    return {code}"
            done[id(body.value)] = function
        return done[id(body.value)]

    # ------------------------------------------------------------ what the language knows
    def x_Builtin(self, e: g.Builtin) -> str:
        fixed = self.layout.fixed_seats
        if e.of is None:
            if e.name == "players":
                return str(tuple(range(self.layout.players))) if fixed else "s.alive"
            return f"{e.name}(s)"
        code = self.expr(e.of)
        tag = e.of.type.tag
        if tag == "player":
            if fixed and e.name in ("left", "right", "others") and not self.maybe(e.of):
                return f"{self.table(e.name.upper(), self.seat_table(e.name))}[{code}]"
            return f"{e.name}_of(s, {code})"
        if tag == "card":
            if e.name == "owner":
                return self.at("ow", 0, e.of, "-1")
            return f"{self.title_table()}[{code}]"
        if tag == "list":
            return f"len({code})"
        if tag == "member":
            titles = [m.name for m in self.game.kinds[e.of.type.of or ""].members]
            return f"{self.table(f'M_{e.of.type.of}', titles)}[{code}]"
        return f"reading_{e.name}(s, {code})" if e.name == "owner" else f"{code}.{e.name}" if not self.maybe(e.of) else (
            f"reading_part({code}, {e.name!r}, {self.absent(e.type)})"
        )

    def seat_table(self, name: str) -> list[Any]:
        n = self.layout.players
        if name == "others":
            return [tuple((seat + step) % n for step in range(1, n)) for seat in range(n)]
        return [(seat + (1 if name == "left" else -1)) % n for seat in range(n)]

    def title_table(self) -> str:
        titles = [self.game.faces[face].title for face in self.layout.face]
        return self.table("TITLES", [*titles, ""])

    def x_Actor(self, e: g.Actor) -> str:
        return f"s.frames[{self.env[LINK_DEPTH]}][{self.env[LINK_BASE]}]"

    def x_Target(self, e: g.Target) -> str:
        offset = shared_offset(self.game, e.name)
        return f"s.frames[{self.env[LINK_DEPTH]}][{self.env[LINK_BASE]} + {offset}]"

    # ------------------------------------------------------------ lists
    @contextmanager
    def each(self, var: g.Var, *bodies: g.Expr | None) -> Iterator[tuple[str, str]]:
        """Binds `var` to a fresh name. What the bodies need that does not depend on it is worked out once before:
        the second text goes between `for …` clauses of a comprehension."""
        clauses = ""
        before = dict(self.hoisted)
        for part in self.costly(bodies, {var.id}):
            name = self.fresh("h")
            clauses += f"for {name} in ({self.expr(part)},) "
            self.hoisted[id(part)] = name
        name = self.fresh()
        with self.bound(var, name):
            yield name, clauses
        self.hoisted = before

    def costly(self, bodies: tuple[g.Expr | None, ...], bound: set[int]) -> list[g.Expr]:
        """The invariant parts that are not simply numbers known beforehand."""
        return [part for part in invariants(bodies, bound) if self.constant(part) is None]

    def filters(self, items: g.Expr) -> tuple[g.Expr, list[tuple[g.Var, g.Expr]]]:
        """A list without the conditions around it, and these from the inside out. Definitions are looked into."""
        items = self.plain(items)
        if not isinstance(items, g.Filter):
            return items, []
        inner, conditions = self.filters(items.list)
        return inner, [*conditions, (items.var, items.condition)]

    def plain(self, items: g.Expr) -> g.Expr:
        """What a definition of the table stands for, if that is a choice from a list."""
        while isinstance(items, g.Call) and items.of is None and id(items) not in self.hoisted:
            value = self.game.defines[items.define].value
            if not isinstance(value, g.Filter | g.Builtin | g.Call):
                break
            items = value
        return items

    @contextmanager
    def going(self, items: g.Expr, var: g.Var, *bodies: g.Expr) -> Iterator[tuple[str, str]]:
        """The name for `var` and the clauses (`for … in … if …`) that run it over a list and its conditions."""
        inner, conditions = self.filters(items)
        source = self.items(inner)
        before, hoisted = dict(self.env), dict(self.hoisted)
        name, ids = self.fresh(), {v.id for v, _ in conditions} | {var.id}
        clauses, conditions = self.guards(conditions)
        for part in self.costly((*(c for _, c in conditions), *bodies), ids):
            held = self.fresh("h")
            clauses += f"for {held} in ({self.expr(part)},) "
            self.hoisted[id(part)] = held
        self.env.update(dict.fromkeys(ids, name))
        tests = "".join(f" if {self.expr(condition)}" for _, condition in conditions)
        yield name, f"{clauses}for {name} in {source}{tests}"
        self.env, self.hoisted = before, hoisted

    def guards(self, conditions: list[tuple[g.Var, g.Expr]]) -> tuple[str, list[tuple[g.Var, g.Expr]]]:
        """What does not depend on the item is asked once, before the list is gone through."""
        bound = {var.id for var, _ in conditions}
        parts = [(var, part) for var, condition in conditions for part in conjuncts(condition)]
        once = [part for _, part in parts if not free_vars(part) & bound]
        rest = [(var, part) for var, part in parts if free_vars(part) & bound]
        if not once:
            return "", conditions
        return f"for _ in ONCE if {' and '.join(self.expr(part) for part in once)} ", rest

    def x_Filter(self, e: g.Filter) -> str:
        with self.going(e, e.var) as (name, clauses):
            return f"[{name} {clauses}]"

    def x_MapEach(self, e: g.MapEach) -> str:
        seats = self.seats(e.list)
        if seats and e.value.type.tag != "list" and not self.maybe(e.value):
            return f"({', '.join(self.unrolled(e.var, e.value, seats))},)"
        with self.going(e.list, e.var, e.value) as (name, clauses):
            code = self.expr(e.value)
            if e.value.type.tag == "list":
                item = self.fresh()
                return f"[{item} {clauses} for {item} in {code}]"
            if not self.maybe(e.value):
                return f"[{code} {clauses}]"
            value, absent = self.fresh("w"), self.absent(e.value.type)
            test = f"{value} {'is not' if absent == 'None' else '!='} {absent}"
            return f"[{value} {clauses} for {value} in ({code},) if {test}]"

    def seats(self, expr: g.Expr) -> tuple[int, ...]:
        """The seats of a list that is always all players, if there are few."""
        everyone = isinstance(expr, g.Builtin) and expr.name == "players"
        few = self.layout.fixed_seats and self.layout.players <= UNROLL
        return tuple(range(self.layout.players)) if everyone and few else ()

    def seat_tests(self, items: g.Expr, var: g.Var, last: g.Expr | None) -> list[str] | None:
        """For a choice from all players, if they are few: by seat, the test whether it belongs (and `last` holds)."""
        inner, conditions = self.filters(items)
        seats = self.seats(inner)
        if not seats:
            return None
        tests = []
        for seat in seats:
            before = dict(self.env)
            self.env.update({v.id: str(seat) for v in (*(v for v, _ in conditions), var)})
            bodies = [c for _, c in conditions] + ([last] if last is not None else [])
            tests.append("(" + (" and ".join(self.expr(body) for body in bodies) or "True") + ")")
            self.env = before
        return tests

    def unrolled(self, var: g.Var, body: g.Expr, seats: tuple[int, ...]) -> list[str]:
        codes = []
        for seat in seats:
            with self.bound(var, str(seat)):
                codes.append(self.expr(body))
        return codes

    def x_Joined(self, e: g.Joined) -> str:
        parts = []
        for item in e.items:
            if item.type.tag == "list":
                parts.append(f"*{self.expr(item)}")
            elif isinstance(item, g.ZoneCards):
                parts.append(f"*{self.pile(item.zone, item.of)}")
            elif self.maybe(item):
                parts.append(f"*listed({self.scaled_item(item, e)})")
            else:
                parts.append(self.scaled_item(item, e))
        return f"[{', '.join(parts)}]"

    def scaled_item(self, item: g.Expr, joined: g.Joined) -> str:
        return self.number(item, self.layout.scales.of(joined)) if item.type.tag == "number" else self.expr(item)

    def x_Sorted(self, e: g.Sorted) -> str:
        return f"[p[-1] for p in sorted({self.pairs(e)}, key=KEY, reverse=True)]"

    def x_AggBy(self, e: g.AggBy) -> str:
        name = ("all_" if e.all else "") + e.function
        return f"{name}_by({self.pairs(e)})"

    def pairs(self, e: g.Sorted | g.AggBy) -> str:
        """Pairs of key and item."""
        if e.order is not None:
            return f"{order_function(self, self.game.orders[e.order])}(s, {self.items(e.list)})"
        if e.var is None or e.key is None:
            raise AssertionError("a key or an order")
        with self.going(e.list, e.var, e.key) as (name, clauses):
            return f"[({self.key(e.key)}, {name}) {clauses}]"

    def key(self, expr: g.Expr) -> str:
        """A value by which things compare."""
        return f"strength_of({self.expr(expr)})" if expr.type.tag == "reading" else self.expr(expr)

    # ------------------------------------------------------------ folds
    def x_Agg(self, e: g.Agg) -> str:
        return str(getattr(self, f"agg_{e.function}")(e))

    def agg_count(self, e: g.Agg) -> str:
        items = self.plain(e.list)
        if isinstance(items, g.Filter) and (tests := self.seat_tests(items, items.var, None)):
            return "(" + " + ".join(f"(1 if {test} else 0)" for test in tests) + ")"
        return f"len({self.items(items)})"

    def agg_total(self, e: g.Agg) -> str:
        terms = self.seat_terms(e.list, "0")
        return "(" + " + ".join(terms) + ")" if terms else f"sum({self.items(e.list)})"

    def agg_highest(self, e: g.Agg, name: str = "highest") -> str:
        best = "max" if name == "highest" else "min"
        terms = self.terms(e.list, name)
        if terms is not None and e.type.tag != "reading":
            if len(terms) == 2 and all(SIMPLE.match(code) for code in terms):
                sign = ">" if name == "highest" else "<"
                return f"({terms[0]} if {terms[0]} {sign} {terms[1]} else {terms[1]})"
            return f"{best}({', '.join(terms)})" if len(terms) > 1 else terms[0]
        if e.type.tag == "reading":
            return f"{name}_reading({self.items(e.list)})"
        return f"{best}({self.items(e.list)}, default={self.absent(e.type)})"

    def terms(self, items: g.Expr, name: str) -> list[str] | None:
        """What `highest` or `lowest` compares, one by one, if it is known how many; no more than needed."""
        if not isinstance(items, g.Joined):
            return self.seat_terms(items, str(NO_NUMBER)) if name == "highest" else self.seat_terms(items, None)
        scale, codes = self.layout.scales.of(items), []
        for item in items.items:
            if item.type.tag == "list":
                several = self.seat_terms(item, str(NO_NUMBER)) if name == "highest" and scale == 1 else None
                if several is None:
                    return None
                codes += several
            elif self.maybe(item):
                return None
            elif not (name == "lowest" and self.constant(item) == g.UNLIMITED):
                codes.append(self.number(item, scale) if item.type.tag == "number" else self.expr(item))
        return codes or [str(UNLIMITED)]

    def seat_terms(self, items: g.Expr, neutral: str | None) -> list[str] | None:
        """The values of all players, if they are few; `neutral` stands for a player who does not count."""
        if not isinstance(items, g.MapEach) or items.value.type.tag != "number" or self.maybe(items.value):
            return None
        inner, conditions = self.filters(items.list)
        seats = self.seats(inner)
        if not seats or conditions and neutral is None:
            return None
        codes = self.unrolled(items.var, items.value, seats)
        if not conditions:
            return codes
        tests = self.seat_tests(items.list, items.var, None) or []
        return [f"({code} if {test} else {neutral})" for code, test in zip(codes, tests, strict=True)]

    def agg_lowest(self, e: g.Agg) -> str:
        return self.agg_highest(e, "lowest")

    def one_or_some(self, e: g.Agg, index: str) -> str:
        items = self.items(e.list)
        if e.number is not None:
            return f"some_{e.function}({items}, {self.expr(e.number)})"
        if SIMPLE.match(items):
            return f"({items}[{index}] if {items} else {self.absent(e.type)})"
        return f"{'first' if index == '0' else 'last'}_of({items}, {self.absent(e.type)})"

    def agg_first(self, e: g.Agg) -> str:
        if e.number is None and isinstance(e.list, g.MapEach):
            single = self.first_of_map(e.list, e.type)
            if single:
                return single
        return self.one_or_some(e, "0")

    def first_of_map(self, e: g.MapEach, type_: g.Type) -> str:
        """`first of table's suit`, where every card has one: the suit of the first card."""
        if e.value.type.tag == "list" or self.maybe(e.value) and not self.layout_has_all(e.value):
            return ""
        items = self.items(e.list)
        if not SIMPLE.match(items):
            return ""
        with self.bound(e.var, f"{items}[0]"):
            return f"({self.expr(e.value)} if {items} else {self.absent(type_)})"

    def layout_has_all(self, value: g.Expr) -> bool:
        return isinstance(value, g.Attribute) and None not in self.game.columns[value.attribute].values

    def agg_bottom(self, e: g.Agg) -> str:
        return self.one_or_some(e, "0")

    def agg_last(self, e: g.Agg) -> str:
        return self.one_or_some(e, "-1")

    def agg_top(self, e: g.Agg) -> str:
        return self.one_or_some(e, "-1")

    def agg_random(self, e: g.Agg) -> str:
        items = self.items(e.list)
        if e.number is not None:
            return f"some_random(s, {items}, {self.expr(e.number)})"
        return f"one_random(s, {items}, {self.absent(e.type)})"

    def agg_reverse(self, e: g.Agg) -> str:
        return f"{self.items(e.list)}[::-1]"

    def agg_distinct(self, e: g.Agg) -> str:
        return f"list(dict.fromkeys({self.items(e.list)}))"

    def agg_subsets(self, e: g.Agg) -> str:
        return f"subsets(s, {self.items(e.list)}, {self.span(e.span)})"

    def x_Whole(self, e: g.Whole) -> str:
        scales = self.layout.scales
        value = e.value
        if isinstance(value, g.Arith) and value.operator == "/" and not isinstance(value.right, g.Const):
            left, right = scales.of(value.left), scales.of(value.right)
            top, under = self.number(value.left, left * right), self.number(value.right, left * right)
            return f"whole({top}, {under}, {self.span(e.span)})"
        scale = scales.of(value)
        if self.maybe(value):
            return f"whole({self.expr(value)}, {scale}, {self.span(e.span)})"
        return self.expr(value) if scale == 1 else f"(({self.expr(value)}) // {scale})"

    # ------------------------------------------------------------ rankings
    def x_ReadRanking(self, e: g.ReadRanking) -> str:
        cards = self.items(e.cards)
        if e.beside is not None:
            return f"{reader_name(self, e.ranking)}_beside(s, {cards}, {self.expr(e.beside)})"
        return f"{reader_name(self, e.ranking)}(s, {cards})"

    def x_IsReading(self, e: g.IsReading) -> str:
        return f"{reader_name(self, e.ranking)}_matches(s, {self.items(e.cards)})"

    # ------------------------------------------------------------ questions
    def x_IsSet(self, e: g.IsSet) -> str:
        sets = [self.game.faces[face].set == e.set for face in self.layout.face]
        return f"{self.table(f'IS_{e.set}', [*sets, False])}[{self.expr(e.card)}]"

    def x_IsEmpty(self, e: g.IsEmpty) -> str:
        items = self.plain(e.value)
        if isinstance(items, g.Filter):
            return f"(not {self.quantifier(items.list, items.var, items.condition, 'any')})"
        return f"(not {self.items(e.value)})"

    def x_IsAbsent(self, e: g.IsAbsent) -> str:
        if e.value.type.tag == "list":
            return f"(not {self.expr(e.value)})"
        absent = self.absent(e.value.type)
        return f"({self.expr(e.value)} {'is' if absent == 'None' else '=='} {absent})"

    def x_Quantified(self, e: g.Quantified) -> str:
        if e.quantifier == "no":
            return f"(not {self.quantifier(e.list, e.var, e.condition, 'any')})"
        return self.quantifier(e.list, e.var, e.condition, "any" if e.quantifier == "any" else "all")

    def quantifier(self, items: g.Expr, var: g.Var, condition: g.Expr, name: str) -> str:
        if name == "all" and (seats := self.seats(items)):
            return f"({' and '.join(self.unrolled(var, condition, seats))})"
        if name == "any" and (tests := self.seat_tests(items, var, condition)):
            return f"({' or '.join(tests)})"
        with self.going(items, var, condition) as (_, clauses):
            return f"{name}([{self.expr(condition)} {clauses}])"

    def x_IsIn(self, e: g.IsIn) -> str:
        if e.value.type.named or e.list.type.named:
            return f"face_in(FACE, {self.expr(e.value)}, {self.items(e.list)})"
        code = f"({self.expr(e.value)} in {self.items(e.list)})"
        return code

    def x_And(self, e: g.And) -> str:
        left, right = self.truth(e.left), self.truth(e.right)
        if left is not None or right is not None:
            return "0" if False in (left, right) else self.expr(e.right if left else e.left)
        return f"({self.expr(e.left)} and {self.expr(e.right)})"

    def x_Or(self, e: g.Or) -> str:
        left, right = self.truth(e.left), self.truth(e.right)
        if left is not None or right is not None:
            return "1" if True in (left, right) else self.expr(e.left if right is False else e.right)
        return f"({self.expr(e.left)} or {self.expr(e.right)})"

    def truth(self, expr: g.Expr) -> bool | None:
        """Whether a condition holds, where that is known beforehand."""
        while isinstance(expr, g.Call) and expr.of is None:
            expr = self.game.defines[expr.define].value
        return bool(expr.value) if isinstance(expr, g.Const) else None

    def x_Not(self, e: g.Not) -> str:
        return f"(not {self.expr(e.value)})"

    def x_Compare(self, e: g.Compare) -> str:
        return compare(self, e)

    # ------------------------------------------------------------ arithmetic and cases
    def x_Arith(self, e: g.Arith) -> str:
        scales, maybe = self.layout.scales, self.maybe(e.left) or self.maybe(e.right)
        if e.operator in "+-":
            scale = lcm(scales.of(e.left), scales.of(e.right))
            left, right = self.number(e.left, scale), self.number(e.right, scale)
            if maybe or e.left.type.unlimited or e.right.type.unlimited:
                return f"{'plus' if e.operator == '+' else 'minus'}({left}, {right})"
            return f"({left} {e.operator} {right})"
        if e.operator == "*" and not maybe and (is_count(e.left) or is_count(e.right)):
            return f"({self.expr(e.left)} * {self.expr(e.right)})"
        if e.operator == "*":
            return f"times({self.expr(e.left)}, {self.expr(e.right)}, {self.span(e.span)})"
        return self.number(e.left, scales.of(e.left))  # divided by a constant: the scale has taken it up

    def x_Cases(self, e: g.Cases) -> str:
        scale = self.layout.scales.of(e)
        code = ""
        for value, condition in e.cases:
            shown = self.value(value, e.type, scale)
            code += shown if condition is None else f"{shown} if {self.expr(condition)} else "
        return f"({code})"

    def x_FirstPossible(self, e: g.FirstPossible) -> str:
        if e.type.tag == "list":
            return "(" + " or ".join(self.items(value) for value, _ in e.lists) + " or ())"
        return f"first_present(({', '.join(self.expr(value) for value, _ in e.lists)},), {self.absent(e.type)})"


def is_count(expr: g.Expr) -> bool:
    """A number that is sure to be small: a product with it is checked early enough when it is kept."""
    small = isinstance(expr, g.Const) and isinstance(expr.value, int) and abs(expr.value) < 1 << 16
    return small or isinstance(expr, g.Agg) and expr.function == "count"


def conjuncts(condition: g.Expr) -> list[g.Expr]:
    if isinstance(condition, g.And):
        return [*conjuncts(condition.left), *conjuncts(condition.right)]
    return [condition]


def invariants(bodies: tuple[g.Expr | None, ...], bound: set[int]) -> list[g.Expr]:
    """The largest parts of the bodies that are work and do not depend on what is bound inside them."""
    found: list[g.Expr] = []
    for body in bodies:
        if body is not None:
            collect_invariants(body, bound, found)
    return found


HEAVY = (g.Call, g.Agg, g.AggBy, g.MapEach, g.Filter, g.Quantified, g.ReadRanking, g.Sorted)


def collect_invariants(expr: g.Expr, bound: set[int], found: list[g.Expr]) -> None:
    if isinstance(expr, HEAVY) and is_pure(expr) and not free_vars(expr) & bound:
        found.append(expr)
        return
    below = bound | bound_here(expr)
    for child in children(expr):
        if isinstance(child, g.Expr) and child is not getattr(expr, "var", None):
            collect_invariants(child, below, found)
