"""Lower options with bindings: encode legal moves as codes, and decode a code to its option and values."""

from __future__ import annotations

from collections.abc import Sequence

from cardlang import game as g
from cardlang.game.walking import free_vars, walk
from interpreter import lowered as lo
from interpreter.lowering.building import ONE, ZERO, Statements
from interpreter.lowering.stepping import Stepping
from interpreter.lowering.writer import conjunction
from interpreter.state import NO_NUMBER

NUMBERS = 1 << 20
"""Radix of a number that is not the last binding. Larger numbers are refused."""
CODES = lo.list_of(lo.NUMBER)
Condition = tuple[set[int], lo.Expr]


class Options(Stepping):
    def radices(self, option: g.Option) -> tuple[int, ...]:
        """Return the radix of each binding. The last one is unbounded (0)."""
        sizes = [self.radix(var.type) for var, _ in option.binders]
        return (*sizes[:-1], 0) if sizes else ()

    def radix(self, type_: g.Type) -> int:
        if type_.tag == "player":
            return self.layout.players
        if type_.tag == "card":
            return self.layout.cards
        if type_.tag == "member":
            return len(self.game.kinds[type_.of or ""].members)
        return NUMBERS

    def domain(
        self, domain: g.Domain, type_: g.Type, who: lo.Expr, everything: bool = False, more: bool = False
    ) -> lo.Expr:
        """Return the values of a binding. `more`: another binding follows it."""
        if domain.list is None:
            low, high = self.bounds(domain)
            return self.few(lo.Op(CODES, "range", (low, plus(high, ONE))), domain, more)
        items = self.once(self.code.opened(domain.list), domain.list)
        if type_.tag == "number":
            most = (lo.Const(lo.NUMBER, NUMBERS),) if more else ()
            scale = lo.Const(lo.NUMBER, self.layout.scales.of(domain.list))
            return lo.Op(CODES, "whole_numbers", (items, scale, *most), self.code.place(domain.list.span))
        if type_.tag == "card" and self.layout.copies and not everything:
            return lo.Op(items.kind, "distinct", (items, who))
        return items

    def few(self, run: lo.Expr, domain: g.Domain, more: bool = False) -> lo.Expr:
        """Check the length of a range of numbers. A range that is too long fails."""
        if domain.high is None:
            raise AssertionError("bounds")
        most = (lo.Const(lo.NUMBER, NUMBERS),) if more else ()
        return lo.Op(CODES, "few", (run, *most), self.code.place(domain.high.span))

    def bounds(self, domain: g.Domain) -> tuple[lo.Expr, lo.Expr]:
        if domain.low is None or domain.high is None:
            raise AssertionError("bounds")
        scales = self.layout.scales
        low, high = self.code.expr(domain.low), self.code.expr(domain.high)
        by = lo.Const(lo.NUMBER, scales.of(domain.low))
        if by != ONE:  # chosen numbers are whole
            low = minus(ZERO, lo.Arith(lo.NUMBER, "//", minus(ZERO, low), by))
        by = lo.Const(lo.NUMBER, scales.of(domain.high))
        if by != ONE:
            high = lo.Arith(lo.NUMBER, "//", high, by)
        sure = isinstance(low, lo.Const) and isinstance(low.value, int) and low.value >= 0
        return low if sure else lo.Op(lo.NUMBER, "most_of", (low, ZERO)), high

    # ------------------------------------------------------------ legal moves
    def legal(self, options: Sequence[g.Option], who: lo.Expr, may: bool) -> Statements:
        """Return the body of a function that lists the codes of the legal moves."""
        legal = self.code.local(CODES)
        before = dict(self.code.hoisted)
        with self.collected() as body:
            self.emit(lo.Assign(legal, lo.Items(CODES, ())))
            for parts in self.repeated(options):
                held = self.kept(self.code.expr(parts[0]))
                self.code.hoisted.update((id(part), held) for part in parts)
            for index, option in enumerate(options):
                self.legal_option(legal, index, option, len(options), who)
            if may:
                self.emit(lo.Collect(legal, ZERO))
            self.emit(lo.Return(legal))
        self.code.hoisted = before
        return tuple(body)

    def repeated(self, options: Sequence[g.Option]) -> list[list[g.Call]]:
        """Return the definitions that conditions and bounds use more than once, and that depend on no binding."""
        bound = {var.id for option in options for var, _ in option.binders}
        known = self.code.env.keys() - bound
        asked = [
            part
            for option in options
            for part in walk((option.when, tuple(domain for _, domain in option.binders)))
            if isinstance(part, g.Call) and free_vars(part) <= known and self.code.constant(part) is None
        ]
        groups: dict[g.Call, list[g.Call]] = {}
        for part in asked:
            groups.setdefault(part, []).append(part)
        return [parts for parts in groups.values() if len(parts) > 1]

    def legal_option(self, legal: lo.Local, index: int, option: g.Option, count: int, who: lo.Expr) -> None:
        saved = dict(self.code.env)
        names = {var.id: self.code.local(self.code.kind(var.type)) for var, _ in option.binders}
        self.code.env.update(names)
        self.from_binding(
            legal, option, names, who, self.conditions(option, who), 0, lo.Const(lo.NUMBER, index + 1), count
        )
        self.code.env = saved

    def from_binding(
        self, legal: lo.Local, option: g.Option, names: dict[int, lo.Local], who: lo.Expr,
        conditions: list[Condition], place: int, base: lo.Expr, weight: int,
    ) -> None:  # fmt: skip
        """Emit nested loops over the bindings from `place` on. Every condition is tested as early as possible."""
        known = {var.id for var, _ in option.binders[:place]}
        ready = [condition for needs, condition in conditions if needs <= known]
        if ready:
            rest = [condition for condition in conditions if not condition[0] <= known]
            with self.where(conjunction(ready)):
                self.from_binding(legal, option, names, who, rest, place, base, weight)
            return
        if place == len(option.binders):
            self.emit(lo.Collect(legal, base))
            return
        var, domain = option.binders[place]
        radix = self.radices(option)[place]
        if radix == 0 and not conditions:
            self.emit(lo.Collect(legal, self.run_of_codes(domain, var, names[var.id], base, weight, who), many=True))
            return
        items = self.domain(domain, var.type, who, more=radix > 0)
        if self.code.large or self.code.effort.is_counted_option(option):
            items = self.code.counted(items, option.span)
        with self.collected() as body:
            if radix:
                self.emit(lo.Effect("few_moves", (legal,), self.code.place(option.span)))
            base = plus(base, times(weight, names[var.id]))
            self.from_binding(legal, option, names, who, conditions, place + 1, base, weight * (radix or 1))
        self.emit(lo.ForEach(names[var.id], items, tuple(body)))

    def conditions(self, option: g.Option, who: lo.Expr) -> list[Condition]:
        """Return the conditions and costs of an option, with the bindings that each of them needs."""
        bound = {var.id for var, _ in option.binders}
        found = [(free_vars(condition) & bound, self.code.expr(condition)) for condition, _ in option.when]
        for amount, track, _ in option.costs:
            scale = self.layout.scales.track[track]
            slot = lo.Track(lo.Kind("number", scale=scale), self.layout.track_base[track], who)
            price = self.code.number(amount, scale)
            there: lo.Expr = lo.Compare(lo.FLAG, ">=", slot, price)
            if self.code.maybe(amount):
                there = conjunction([lo.Compare(lo.FLAG, "!=", price, lo.Const(price.kind, NO_NUMBER)), there])
            found.append((free_vars(amount) & bound, there))
        return found

    def run_of_codes(
        self, domain: g.Domain, var: g.Var, name: lo.Local, base: lo.Expr, weight: int, who: lo.Expr
    ) -> lo.Expr:
        """Return the codes of the last binding, if no condition depends on it."""
        if domain.list is None:
            low, high = self.bounds(domain)
            first, behind = plus(base, times(weight, low)), plus(base, times(weight, plus(high, ONE)))
            return self.few(lo.Op(CODES, "range", (first, behind, lo.Const(lo.NUMBER, weight))), domain)
        items = self.domain(domain, var.type, who)
        return lo.Loop(CODES, "list", (lo.For(name, items),), plus(base, times(weight, name)))

    # ------------------------------------------------------------ carrying out a move
    def unpacked(self, option: g.Option, rest: lo.Expr) -> list[lo.Expr]:
        """Decode the bound values from the rest of a code."""
        values, weight = [], 1
        for radix in self.radices(option):
            part = rest if weight == 1 else lo.Arith(lo.NUMBER, "//", rest, lo.Const(lo.NUMBER, weight))
            part = lo.Arith(lo.NUMBER, "%", part, lo.Const(lo.NUMBER, radix)) if radix else part
            values.append(part)
            weight *= radix or 1
        return values

    def pay(self, option: g.Option, who: lo.Expr) -> None:
        for amount, track, _ in option.costs:
            base, scale = self.layout.track_base[track], self.layout.scales.track[track]
            place = self.code.place(option.span)
            self.emit(lo.Bump(base, who, "-", self.code.number(amount, scale), place, checked=False, told=False))

    def taken_option(self, count: int, code: lo.Expr) -> tuple[lo.Expr, lo.Expr]:
        """Split a code into the option's number and the rest."""
        if count == 1:
            return ZERO, minus(code, ONE)
        whole = minus(code, ONE)
        by = lo.Const(lo.NUMBER, count)
        return self.kept(lo.Arith(lo.NUMBER, "%", whole, by)), self.kept(lo.Arith(lo.NUMBER, "//", whole, by))

    def carry_out(self, options: Sequence[g.Option], code: lo.Expr, who: lo.Expr) -> None:
        """Carry out the option of a code: bind its variables, pay its costs, run its body."""
        number, rest = self.taken_option(len(options), code)
        bodies: list[Statements] = []
        for option in options:
            with self.collected() as body, self.names_within():
                for (var, _), value in zip(option.binders, self.unpacked(option, rest), strict=True):
                    local = self.bind(var, self.code.kind(var.type))
                    self.emit(lo.Assign(local, value))
                self.enact(option, who)
            bodies.append(tuple(body))
        self.emit_all(chosen(number, bodies))

    def enact(self, option: g.Option, who: lo.Expr) -> None:
        """Pay for an option whose variables are bound, and run its body."""
        for var, domain in option.binders:
            self.note_choice(var, domain, who)
        self.pay(option, who)
        self.come_to(option.span)
        self.sequence(option.body)

    def emit_all(self, body: Statements) -> None:
        self.body.extend(body)


def chosen(number: lo.Expr, bodies: Sequence[Statements]) -> Statements:
    """Select the body with that number."""
    result = bodies[-1]
    for index in range(len(bodies) - 2, -1, -1):
        test = lo.Compare(lo.FLAG, "=", number, lo.Const(lo.NUMBER, index))
        result = (lo.If(test, bodies[index], result),)
    return result


def plus(left: lo.Expr, right: lo.Expr) -> lo.Expr:
    if isinstance(left, lo.Const) and isinstance(right, lo.Const):
        return lo.Const(lo.NUMBER, int(left.value or 0) + int(right.value or 0))  # type: ignore[arg-type]
    return left if right == ZERO else lo.Arith(lo.NUMBER, "+", left, right)


def minus(left: lo.Expr, right: lo.Expr) -> lo.Expr:
    return lo.Arith(lo.NUMBER, "-", left, right)


def times(weight: int, value: lo.Expr) -> lo.Expr:
    if isinstance(value, lo.Const) and isinstance(value.value, int):
        return lo.Const(lo.NUMBER, weight * value.value)
    return value if weight == 1 else lo.Arith(lo.NUMBER, "*", lo.Const(lo.NUMBER, weight), value)
