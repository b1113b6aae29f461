"""Options with bindings: the codes of those that are open, and back from a code to its option and values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cardlang import game as g
from cardlang.game.walking import free_vars, walk
from interpreter.lowering.blocks import Block
from interpreter.state import NO_NUMBER

if TYPE_CHECKING:
    from interpreter.lowering.flow import Flow

NUMBERS = 1 << 20
"""The radix of a number that is not the last binding: larger ones are refused."""


class Options:
    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.code = flow.code
        self.layout = flow.layout
        self.emit = flow.emit

    def radices(self, option: g.Option) -> tuple[int, ...]:
        """The last binding has no bound (0)."""
        sizes = [self.radix(var.type) for var, _ in option.binders]
        return (*sizes[:-1], 0) if sizes else ()

    def radix(self, type_: g.Type) -> int:
        if type_.tag == "player":
            return self.layout.players
        if type_.tag == "card":
            return self.layout.cards
        if type_.tag == "member":
            return len(self.flow.game.kinds[type_.of or ""].members)
        return NUMBERS

    def domain(self, domain: g.Domain, type_: g.Type, who: str, everything: bool = False, more: bool = False) -> str:
        """The source of what can be bound. `more`: something else is bound after it."""
        if domain.list is None:
            low, high = self.bounds(domain)
            return self.few(f"range({low}, {high} + 1)", domain, more)
        items = self.code.items(domain.list)
        if type_.tag == "number":
            most = f", {NUMBERS}" if more else ""
            scale = self.layout.scales.of(domain.list)
            return f"whole_numbers({items}, {scale}, {self.code.span(domain.list.span)}{most})"
        if type_.tag == "card" and self.layout.copies and not everything:
            return f"distinct(s, {items}, {who})"
        return items

    def few(self, run: str, domain: g.Domain, more: bool = False) -> str:
        """A run of numbers that is refused when it is too long."""
        if domain.high is None:
            raise AssertionError("bounds")
        return f"few({run}, {self.code.span(domain.high.span)}{f', {NUMBERS}' if more else ''})"

    def bounds(self, domain: g.Domain) -> tuple[str, str]:
        if domain.low is None or domain.high is None:
            raise AssertionError("bounds")
        scales = self.layout.scales
        low, high = self.code.expr(domain.low), self.code.expr(domain.high)
        if scales.of(domain.low) > 1:  # what is chosen is whole
            low = f"-(-({low}) // {scales.of(domain.low)})"
        if scales.of(domain.high) > 1:
            high = f"({high}) // {scales.of(domain.high)}"
        return low if low.isdigit() else f"max({low}, 0)", high

    # ------------------------------------------------------------ legal moves
    def legal(self, options: Sequence[g.Option], who: str, may: bool) -> list[str]:
        lines = ["legal = []"]
        before = dict(self.code.hoisted)
        for parts in self.repeated(options):
            name = self.code.fresh("h")
            lines.append(f"{name} = {self.code.expr(parts[0])}")
            self.code.hoisted.update((id(part), name) for part in parts)
        for index, option in enumerate(options):
            lines += self.legal_option(index, option, len(options), who)
        self.code.hoisted = before
        if may:
            lines.append("legal.append(0)")
        return [*lines, "return legal"]

    def repeated(self, options: Sequence[g.Option]) -> list[list[g.Call]]:
        """Definitions that the conditions and bounds ask for more than once, and that depend on no binding."""
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

    def legal_option(self, index: int, option: g.Option, count: int, who: str) -> list[str]:
        """Nested loops over the bindings; every condition stands as far out as it can."""
        names = {var.id: self.code.fresh("x") for var, _ in option.binders}
        saved = dict(self.code.env)
        self.code.env.update(names)
        conditions = self.conditions(option, who)
        lines: list[str] = []
        depth, known, base, weight = 0, set[int](), str(index + 1), count
        for place, radix in enumerate((*self.radices(option), None)):
            ready = [code for needs, code in conditions if needs <= known]
            conditions = [(needs, code) for needs, code in conditions if not needs <= known]
            if ready:
                lines.append("    " * depth + f"if {' and '.join(ready)}:")
                depth += 1
            if radix is None:
                lines.append("    " * depth + f"legal.append({base})")
                break
            var, domain = option.binders[place]
            if radix == 0 and not conditions:
                lines.append("    " * depth + self.run_of_codes(domain, var, names[var.id], base, weight, who))
                break
            items = self.domain(domain, var.type, who, more=radix > 0)
            if domain.list is not None:
                items = self.code.gone_through(items, domain.list)
            lines.append("    " * depth + f"for {names[var.id]} in {items}:")
            depth += 1
            if radix:
                lines.append("    " * depth + f"if len(legal) > MAX_MOVES: too_many({self.code.span(option.span)})")
            known.add(var.id)
            base, weight = f"{base} + {weight} * {names[var.id]}", weight * (radix or 1)
        self.code.env = saved
        return lines

    def conditions(self, option: g.Option, who: str) -> list[tuple[set[int], str]]:
        """The conditions and costs of an option, each with the bindings that it needs."""
        bound = {var.id for var, _ in option.binders}
        found = [(free_vars(condition) & bound, self.code.expr(condition)) for condition in option.when]
        for amount, track in option.costs:
            slot = f"t[{self.layout.track_base[track]} + {who}]"
            price = self.code.number(amount, self.layout.scales.track[track])
            there = f"{NO_NUMBER} < {price} <= {slot}" if self.code.maybe(amount) else f"{slot} >= {price}"
            found.append((free_vars(amount) & bound, there))
        return found

    def run_of_codes(self, domain: g.Domain, var: g.Var, name: str, base: str, weight: int, who: str) -> str:
        """The source that adds the codes of the last binding, when nothing more is asked of it."""
        if domain.list is None:
            low, high = self.bounds(domain)
            run = f"range({base} + {weight} * {low}, {base} + {weight} * ({high} + 1), {weight})"
            return f"legal += {self.few(run, domain)}"
        return f"legal += [{base} + {weight} * {name} for {name} in {self.domain(domain, var.type, who)}]"

    # ------------------------------------------------------------ doing it
    def unpack(self, option: g.Option, value: str) -> list[str]:
        """The sources of the values bound, out of a code's rest."""
        codes, weight = [], 1
        for radix in self.radices(option):
            part = value if weight == 1 else f"{value} // {weight}"
            codes.append(f"{part} % {radix}" if radix else part)
            weight *= radix or 1
        return codes

    def pay(self, option: g.Option, who: str) -> None:
        for amount, track in option.costs:
            base, scale = self.layout.track_base[track], self.layout.scales.track[track]
            self.emit(f"t[{base} + {who}] -= {self.code.number(amount, scale)}")

    def commit(self, options: Sequence[g.Option], after: Block) -> None:
        """`code` is known: bind, pay, and run the body of its option; then `after`."""
        flow = self.flow
        count = len(options)
        if count > 1 or options[0].binders:
            self.emit(f"option, value = (code - 1) % {count}, (code - 1) // {count}")
        blocks = [flow.new_block() for _ in options]
        for index, block in enumerate(blocks[:-1]):
            self.emit(f"if option == {index}:")
            with flow.deeper():
                self.bind_and_go(options[index], block)
        self.bind_and_go(options[-1], blocks[-1])
        for option, block in zip(options, blocks, strict=True):
            flow.begin(block)
            flow.sequence(option.body)
            flow.goto(after)

    def bind_and_go(self, option: g.Option, block: Block) -> None:
        for (var, _), code in zip(option.binders, self.unpack(option, "value"), strict=True):
            self.emit(f"{self.flow.name_of(var, framed=True)} = {code}")
        if option.costs:
            self.emit("who = s.who")
            self.pay(option, "who")
        self.flow.goto(block)
