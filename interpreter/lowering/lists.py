"""Source of lists. Conditions and mappings over a list become one comprehension; what does not change from item to
item is worked out once before it, and questions about a few players are written out player by player."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cardlang import game as g
from cardlang.game.walking import bound_here, children, free_vars
from interpreter.layout import is_pure
from interpreter.lowering.orders import order_function
from interpreter.lowering.values import Values

UNROLL = 3
"""Up to how many seats a question about all players is written out seat by seat."""


class Lists(Values):
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
        yield name, f"{clauses}for {name} in {self.gone_through(source, inner)}{tests}"
        self.env, self.hoisted = before, hoisted

    def gone_through(self, source: str, items: g.Expr) -> str:
        """The source of a list that a loop runs over; counted, where the game is one of much work."""
        if not self.large or (isinstance(items, g.Agg) and items.function == "subsets"):
            return source
        return f"counted(s, {source}, {self.span(items.span)})"

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
        with self.going(e.list, e.var, e.value) as (_, clauses):
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
        name = e.function if e.which == "first" else f"{e.which}_{e.function}"
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
