"""Lower lists.

Conditions and mappings over a list are fused into one loop. Loop invariants are computed once before it. Questions
about few players are unrolled."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cardlang import game as g
from cardlang.game.walking import bound_here, children, conjuncts, free_vars, has_chance
from cardlang.source import Span
from interpreter import lowered as lo
from interpreter.lowering.orders import order_function
from interpreter.lowering.single import SingleValues
from interpreter.lowering.writer import TRUE, conjunction

UNROLL = 3
"""Maximum number of seats up to which a question about all players is unrolled."""
Clauses = tuple[lo.For | lo.Let | lo.Test, ...]


class Lists(SingleValues):
    def costly(self, bodies: tuple[g.Expr | None, ...], bound: set[int]) -> list[g.Expr]:
        """Return the invariant parts that are not constants."""
        return [part for part in invariants(bodies, bound) if self.constant(part) is None]

    def held(self, bodies: tuple[g.Expr | None, ...], bound: set[int]) -> list[lo.For | lo.Let | lo.Test]:
        """Hoist the parts of the bodies that do not depend on the bound variables."""
        clauses: list[lo.For | lo.Let | lo.Test] = []
        for part in self.costly(bodies, bound):
            value = self.expr(part)
            local = self.local(value.kind)
            clauses.append(lo.Let(local, value))
            self.hoisted[id(part)] = local
        return clauses

    def filters(self, items: g.Expr) -> tuple[g.Expr, list[tuple[g.Var, g.Expr]]]:
        """Split a list into its source and its conditions, innermost first. Definitions are expanded."""
        items = self.plain(items)
        if not isinstance(items, g.Filter):
            return items, []
        inner, conditions = self.filters(items.list)
        return inner, [*conditions, (items.var, items.condition)]

    def plain(self, items: g.Expr) -> g.Expr:
        """Expand a definition of the table if it selects from a list."""
        while isinstance(items, g.Call) and items.of is None and id(items) not in self.hoisted:
            value = self.game.defines[items.define].value
            if not isinstance(value, g.Filter | g.Builtin | g.Call):
                break
            items = value
        return items

    @contextmanager
    def going(self, items: g.Expr, var: g.Var, *bodies: g.Expr) -> Iterator[tuple[lo.Local, Clauses]]:
        """Yield the local for `var` and the clauses that run it over a list with its conditions."""
        inner, conditions = self.filters(items)
        source = self.items(inner)
        before, hoisted = dict(self.env), dict(self.hoisted)
        local, ids = self.local(source.kind.item or lo.NUMBER), {v.id for v, _ in conditions} | {var.id}
        clauses, conditions = self.guards(conditions)
        clauses += self.held((*(c for _, c in conditions), *bodies), ids)
        self.env.update(dict.fromkeys(ids, local))
        clauses.append(lo.For(local, self.gone_through(source, inner)))
        clauses += [lo.Test(self.expr(condition)) for _, condition in conditions]
        yield local, tuple(clauses)
        self.env, self.hoisted = before, hoisted

    def gone_through(self, source: lo.Expr, items: g.Expr) -> lo.Expr:
        """Return the list of a loop. In games with much work, its iterations are counted."""
        if not self.large or (isinstance(items, g.Agg) and items.function == "subsets"):
            return source
        return self.counted(source, items.span)

    def counted(self, source: lo.Expr, span: Span) -> lo.Expr:
        """Return a list whose iterations count as steps."""
        return lo.Op(source.kind, "counted", (source,), self.place(span))

    def guards(
        self, conditions: list[tuple[g.Var, g.Expr]]
    ) -> tuple[list[lo.For | lo.Let | lo.Test], list[tuple[g.Var, g.Expr]]]:
        """Hoist the conditions that do not depend on the item: they are tested once before the loop."""
        bound = {var.id for var, _ in conditions}
        parts = [(var, part) for var, condition in conditions for part in conjuncts(condition)]
        once = [part for _, part in parts if not free_vars(part) & bound]
        rest = [(var, part) for var, part in parts if free_vars(part) & bound]
        if not once:
            return [], conditions
        return [lo.Test(conjunction([self.expr(part) for part in once]))], rest

    # ------------------------------------------------------------ choosing from lists
    def x_Filter(self, e: g.Filter) -> lo.Expr:
        with self.going(e, e.var) as (local, clauses):
            return lo.Loop(lo.list_of(local.kind), "list", clauses, local)

    def x_MapEach(self, e: g.MapEach) -> lo.Expr:
        seats = self.seats(e.list)
        kind = self.kind_of(e)
        if seats and e.value.type.tag != "list" and not self.maybe(e.value):
            return lo.Items(kind, tuple(self.unrolled(e.var, e.value, seats)))
        with self.going(e.list, e.var, e.value) as (_, clauses):
            value = self.expr(e.value)
            if e.value.type.tag == "list":
                item = self.local(value.kind.item or lo.NUMBER)
                return lo.Loop(value.kind, "list", (*clauses, lo.For(item, value)), item)
            if self.maybe(e.value):
                local = self.local(value.kind)
                clauses = (*clauses, lo.Let(local, value), lo.Test(self.is_there(local)))
                value = local
            return lo.Loop(lo.list_of(value.kind), "list", clauses, value)

    def is_there(self, value: lo.Expr) -> lo.Expr:
        return lo.Compare(lo.FLAG, "!=", value, self.absent(value.kind))

    def seats(self, expr: g.Expr) -> tuple[int, ...]:
        """Return the seats of a list that always contains all players, if they are few; otherwise none."""
        everyone = isinstance(expr, g.Builtin) and expr.name == "players"
        few = self.layout.fixed_seats and self.layout.players <= UNROLL
        return tuple(range(self.layout.players)) if everyone and few else ()

    def seat_tests(self, items: g.Expr, var: g.Var, last: g.Expr | None) -> list[lo.Expr] | None:
        """Return a membership test for each seat in a selection from all players; None if they are many.

        last: a further condition on the player."""
        inner, conditions = self.filters(items)
        seats = self.seats(inner)
        if not seats:
            return None
        tests = []
        for seat in seats:
            before = dict(self.env)
            self.env.update({v.id: lo.Const(lo.SEAT, seat) for v in (*(v for v, _ in conditions), var)})
            bodies = [c for _, c in conditions] + ([last] if last is not None else [])
            tests.append(conjunction([self.expr(body) for body in bodies]) if bodies else TRUE)
            self.env = before
        return tests

    def unrolled(self, var: g.Var, body: g.Expr, seats: tuple[int, ...]) -> list[lo.Expr]:
        values = []
        for seat in seats:
            with self.bound(var, lo.Const(lo.SEAT, seat)):
                values.append(self.expr(body))
        return values

    def x_Joined(self, e: g.Joined) -> lo.Expr:
        items = lo.Items(self.kind_of(e), self.joined_parts(e))
        named = {face for item in e.items if isinstance(item, g.NamedCards) for face in item.faces}
        if len(e.items) > 1 and any(self.game.faces[face].copies > 1 for face in named):
            return lo.Op(items.kind, "separate_copies", (items,))
        return items

    def joined_parts(self, e: g.Joined) -> tuple[lo.Expr, ...]:
        scale = self.layout.scales.of(e)
        return tuple(self.joined_part(item, scale) for item in e.items)

    def joined_part(self, item: g.Expr, scale: int) -> lo.Expr:
        if item.type.tag == "list":
            code = self.gone_through(self.expr(item), item)
            return lo.Spread(code.kind, code)
        if isinstance(item, g.ZoneCards):
            code = self.pile(item.zone, item.of)
            return lo.Spread(code.kind, code)
        code = self.number(item, scale) if item.type.tag == "number" else self.expr(item)
        if not self.maybe(item):
            return code
        kind = lo.list_of(code.kind)
        return lo.Spread(kind, lo.Op(kind, "listed", (code,)))

    # ------------------------------------------------------------ ordering lists
    def x_Sorted(self, e: g.Sorted) -> lo.Expr:
        return lo.Op(self.kind_of(e), "ranked", (self.pairs(e),))

    def x_AggBy(self, e: g.AggBy) -> lo.Expr:
        name = e.function if e.which == "first" else f"{e.which}_{e.function}"
        return lo.Op(self.kind_of(e), f"{name}_by", (self.pairs(e),))

    def pairs(self, e: g.Sorted | g.AggBy) -> lo.Expr:
        """Return the list of pairs of key and item."""
        if e.order is not None:
            name = order_function(self, self.game.orders[e.order])
            function = self.functions[name]
            items = self.items(e.list)
            kind = function.result if function and function.result else lo.list_of(lo.Kind("pair", items.kind.item))
            return lo.Calling(kind, name, (items,))
        if e.var is None or e.key is None:
            raise AssertionError("a key or an order")
        with self.going(e.list, e.var, e.key) as (local, clauses):
            key = self.key(e.key)
            pair = lo.Kind("pair", local.kind, width=1 if key.kind.tag != "key" else 0)
            return lo.Loop(lo.list_of(pair), "pairs", clauses, lo.Key(pair, (key, local)))

    def key(self, expr: g.Expr) -> lo.Expr:
        """Return a sort key for a value."""
        code = self.expr(expr)
        return lo.Op(lo.Kind("key"), "strength_of", (code,)) if expr.type.tag == "reading" else code


def invariants(bodies: tuple[g.Expr | None, ...], bound: set[int]) -> list[g.Expr]:
    """Return the largest costly subexpressions that do not depend on the variables bound inside the bodies."""
    found: list[g.Expr] = []
    for body in bodies:
        if body is not None:
            collect_invariants(body, bound, found)
    return found


HEAVY = (g.Call, g.Agg, g.AggBy, g.MapEach, g.Filter, g.Quantified, g.ReadRanking, g.Sorted)


"""Expressions that cost work."""
ASKING = (g.IsEmpty, g.Not, g.And, g.Or)
"""Tests that cost nothing by themselves."""


def is_work(expr: g.Expr) -> bool:
    if isinstance(expr, ASKING):
        return all(is_work(child) for child in children(expr) if isinstance(child, g.Expr))
    return isinstance(expr, HEAVY)


def collect_invariants(expr: g.Expr, bound: set[int], found: list[g.Expr]) -> None:
    if is_work(expr) and not has_chance(expr) and not free_vars(expr) & bound:
        found.append(expr)
        return
    below = bound | bound_here(expr)
    for child in children(expr):
        if isinstance(child, g.Expr) and child is not getattr(expr, "var", None):
            collect_invariants(child, below, found)
