"""Generate C loops for lists of the IR. Lists that are only counted, summed or searched are never built."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import dropwhile, takewhile

from interpreter import lowered as lo
from interpreter.native.world import NoC, World, c_number, c_type, is_list

Body = Callable[[str], str]
Clauses = Sequence[lo.For | lo.Let | lo.Test]


class Loops:
    """Code generator for loops. `slots`: the frame slots of variables; `lists`: the slots that hold lists."""

    def __init__(self, world: World, slots: dict[int, int], frame: int) -> None:
        self.world = world
        self.slots = slots
        self.frame = frame
        self.count = 0

    def value(self, expr: lo.Expr) -> str:
        raise NotImplementedError

    def fresh(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}_{self.count}"

    def truth(self, expr: lo.Expr) -> str:
        """Generate the test that a flag is set, or that a list has items."""
        if isinstance(expr, lo.Loop) and expr.function == "list":
            return self.there(expr)
        code = self.value(expr)
        return f"({code}).n" if is_list(expr.kind) else code

    # ------------------------------------------------------------ each item
    def each(self, expr: lo.Expr, body: Body) -> str:
        """Generate C that runs the body for each item of a list."""
        match expr:
            case lo.Loop(function="list"):
                return self.through_clauses(expr.clauses, lambda: body(self.value(expr.body)))
            case lo.Items():
                return "".join(self.part(item, body) for item in expr.items)
            case lo.Either() if is_list(expr.kind):
                then, other = self.each(expr.then, body), self.each(expr.otherwise, body)
                return f"if ({self.truth(expr.condition)}) {{ {then} }} else {{ {other} }}"
            case lo.Op(operation="copied"):
                return self.each(expr.args[0], body)
            case lo.Op(operation="listed"):
                one = self.fresh("one")
                inside = f"if ({one} != -1 && {one} != NO_NUMBER) {{ {body(one)} }}"
                return f"{{ i64 {one} = {self.value(expr.args[0])}; {inside} }}"
            case lo.Op(operation="range"):
                return self.counting(expr.args, body)
            case lo.Op(operation="few", args=(lo.Op(operation="range", args=bounds),)):
                return self.counting(bounds, body, expr.place)
            case lo.Op(operation="subsets"):
                return self.subsets(expr, body)
        kind = expr.kind.item or lo.NUMBER
        return self.items(self.value(expr), 1, lambda items, at: body(self.unboxed(f"{items}.v[{at}]", kind)))

    def part(self, item: lo.Expr, body: Body) -> str:
        if isinstance(item, lo.Spread):
            return self.each(item.list, body)
        return f"{{ {body(self.value(item))} }}"

    def counting(self, args: Sequence[lo.Expr], body: Body, place: int | None = None) -> str:
        """Generate a counting loop. `place`: the rule that fails if the numbers are moves and too many."""
        name, end = self.fresh("count"), self.fresh("end")
        by = self.value(args[2]) if len(args) > 2 else "1"
        head = f"i64 {name} = {self.value(args[0])}, {end} = {self.value(args[1])};"
        few = "" if place is None else f"few_steps(s, {name}, {end}, {by}, {place});"
        return f"{{ {head} {few} for (; {name} < {end}; {name} += {by}) {{ {body(name)} }} }}"

    def items(self, code: str, step: int, body: Callable[[str, str], str]) -> str:
        items, at = self.fresh("items"), self.fresh("at")
        inside = body(items, at)
        return f"{{ L {items} = {code}; for (int {at} = 0; {at} < {items}.n; {at} += {step}) {{ {inside} }} }}"

    def subsets(self, expr: lo.Op, body: Body, fits: Callable[[str], list[str]] = lambda size: []) -> str:
        """Generate a loop over all non-empty subsets, smaller ones first. They share one buffer.

        fits: returns tests of a subset's size; sizes that fail are skipped."""
        items, size, at, held = (self.fresh(name) for name in ("items", "size", "at", "held"))
        head = f"L {items} = few_items(s, {self.value(expr.args[0])}, {expr.place}); int {at}[MAX_SUBSETS];"
        chosen = f"for (int i = 0; i < {size}; i++) {held}[i] = {items}.v[{at}[i]];"
        inside = f"i64 {held}[MAX_SUBSETS]; {chosen} {body(f'view({held}, {size})')}"
        each = f"first_choice({at}, {size}); do {{ {inside} }} while (next_choice({at}, {size}, {items}.n));"
        skipped = "".join(f"if (!({test})) continue; " for test in fits(size))
        return f"{{ {head} for (int {size} = 1; {size} <= {items}.n; {size}++) {{ {skipped}{each} }} }}"

    def tests_of_size(self, condition: lo.Expr, chosen: lo.Local, size: str) -> list[str]:
        """Return the tests of a choice's size that its condition requires before anything with a cost."""
        match condition:
            case lo.Logic(operator="and", parts=parts):
                asked = takewhile(lambda part: self.world.is_quiet([part]), parts)
                return [test for part in asked for test in self.tests_of_size(part, chosen, size)]
            case lo.Compare(operator="=", left=lo.Count(list=counted), right=lo.Const(value=int(number))):
                return [f"{size} == {number}"] if counted == chosen else []
            case lo.Read(what="matches", cards=cards) if cards == chosen:
                wild = self.world.program.game.rankings[condition.ranking].wilds
                name = self.world.lowering.code.named("ranking", condition.ranking)
                return [] if wild else [f"{size} >= {name}_ranking.fewest"]
        return []

    # ------------------------------------------------------------ lists of lists
    def boxed(self, code: str, kind: lo.Kind) -> str:
        """Convert a value to an item of a list. Lists are copied and stored by address, readings by pointer."""
        return f"boxed(s, {code})" if is_list(kind) else f"(i64)({code})" if kind.tag == "reading" else code

    def unboxed(self, code: str, kind: lo.Kind) -> str:
        """Convert an item of a list to a value."""
        if kind.tag == "reading":
            return f"((const Reading *)({code}))"
        return f"unboxed(s, {code})" if is_list(kind) else code

    def through_clauses(self, clauses: Clauses, body: Callable[[], str]) -> str:
        if not clauses:
            return body()
        first, rest = clauses[0], clauses[1:]
        match first:
            case lo.For():
                declared = f"{c_type(first.local.kind)} {self.value(first.local)}"

                def one(item: str) -> str:
                    return f"{declared} = {item}; {self.through_clauses(rest, body)}"

                if isinstance(first.list, lo.Op) and first.list.operation == "subsets" and rest:
                    asked, local = rest[0], first.local
                    test = asked.condition if isinstance(asked, lo.Test) else lo.Const(lo.FLAG, 1)
                    return self.subsets(first.list, one, lambda size: self.tests_of_size(test, local, size))
                return self.each(first.list, one)
            case lo.Let():
                declared = f"{c_type(first.local.kind)} {self.value(first.local)} = {self.value(first.value)};"
                return f"{{ {declared} {self.through_clauses(rest, body)} }}"
        return f"if ({self.truth(first.condition)}) {{ {self.through_clauses(rest, body)} }}"

    # ------------------------------------------------------------ folds
    def made(self, expr: lo.Expr) -> str:
        """Generate a new list."""
        name, kind = self.fresh("made"), expr.kind.item or lo.NUMBER
        loops = self.each(expr, lambda item: f"add(s, &{name}, {self.boxed(item, kind)});")
        return f"({{ L {name} = fresh(s); {loops} {name}; }})"

    def loop(self, e: lo.Loop) -> str:
        match e.function:
            case "list":
                return self.made(e)
            case "pairs":
                return self.pairs(e)
            case "any":
                return self.some(e, True)
            case "every":
                return f"!{self.some(e, False)}"
            case "count":
                name = self.fresh("total")
                return f"({{ i64 {name} = 0; {self.through_clauses(e.clauses, lambda: f'{name}++;')} {name}; }})"
            case "total":
                return self.total(e)
        return self.extreme(e.clauses, e.body, ">" if e.function == "highest" else "<", e.kind)

    def total(self, e: lo.Loop) -> str:
        name = self.fresh("total")
        loops = self.through_clauses(e.clauses, lambda: f"{name} += {self.value(e.body)};")
        return f"({{ i64 {name} = 0; {loops} {name}; }})"

    def some(self, e: lo.Loop, wanted: bool) -> str:
        """Generate the test that some item satisfies the loop's condition, or that some item does not."""
        return self.found(e, lambda: f"{'' if wanted else '!'}({self.truth(e.body)})")

    def there(self, e: lo.Loop) -> str:
        """Generate the test that a loop has any item."""
        return self.found(e, lambda: "1")

    def found(self, e: lo.Loop, condition: Callable[[], str]) -> str:
        """Generate a search for an iteration that satisfies a condition. It stops early if that has no visible
        effect."""
        found, out = self.fresh("found"), self.fresh("out")
        label, leave, behind = (f"__label__ {out}; ", f"goto {out};", f"{out}:; ") if self.may_leave(e) else ("",) * 3
        loops = self.through_clauses(e.clauses, lambda: f"if ({condition()}) {{ {found} = 1; {leave} }}")
        return f"({{ {label}i64 {found} = 0; {loops} {behind}{found}; }})"

    def may_leave(self, e: lo.Loop) -> bool:
        """Check whether skipping iterations has no visible effect. Python runs all of them and counts their steps."""
        turns = list(dropwhile(lambda clause: not isinstance(clause, lo.For), e.clauses))
        if turns and isinstance(turns[0], lo.For) and is_counted(turns[0].list):
            del turns[0]  # that list is built before the loop
        return self.world.is_quiet([*turns, e.body])

    def extreme(self, clauses: Clauses, body: lo.Expr, sign: str, kind: lo.Kind) -> str:
        best, any_, item = self.fresh("best"), self.fresh("any"), self.fresh("item")
        absent = lo.absent(kind)

        def test() -> str:
            better = f"if (!{any_} || {item} {sign} {best}) {{ {best} = {item}; {any_} = 1; }}"
            return f"i64 {item} = {self.value(body)}; {better}"

        start = c_number(absent if isinstance(absent, int) else -1)
        return f"({{ i64 {best} = {start}; int {any_} = 0; {self.through_clauses(clauses, test)} {best}; }})"

    # ------------------------------------------------------------ pairs
    def pairs(self, e: lo.Loop) -> str:
        """Generate a list of numbers with a key and an item for each pair."""
        name = self.fresh("made")
        if not isinstance(e.body, lo.Key):
            raise NoC("pairs that are no keys")
        key, item = e.body.parts

        def add() -> str:
            return f"{self.key(key, name)} add(s, &{name}, {self.boxed(self.value(item), item.kind)});"

        return f"({{ L {name} = fresh(s); {self.through_clauses(e.clauses, add)} {name}; }})"

    def key(self, key: lo.Expr, to: str) -> str:
        """Generate C that appends the numbers of a key to a list."""
        match key:
            case lo.Key():
                return " ".join(self.key(part, to) for part in key.parts)
            case lo.Spread(list=lo.Either() as split):
                sides = []
                for side in (split.then, split.otherwise):
                    zeros = f"add(s, &{to}, 0); " * (self.width(split) - self.width(side))
                    sides.append(f"{{ {self.key(side, to)} {zeros} }}")
                return f"if ({self.truth(split.condition)}) {sides[0]} else {sides[1]}"
            case lo.Op(operation="strength_of"):
                return f"add_strength(s, &{to}, {self.value(key.args[0])});"
        if is_list(key.kind):
            return self.long_key(key, to)
        return f"add(s, &{to}, {self.value(key)});"

    def long_key(self, key: lo.Expr, to: str) -> str:
        """Append a list as part of a key, padded. A list that is a prefix of another sorts lower."""
        sign, width = 1, self.width(key)
        if isinstance(key, lo.Op) and key.operation == "negated":
            sign, key = -1, key.args[0]
        return f"add_filled(s, &{to}, {self.value(key)}, {sign}, {width});"

    def width(self, key: lo.Expr) -> int:
        """Return the length of a key in numbers."""
        match key:
            case lo.Key():
                return sum(map(self.width, key.parts))
            case lo.Spread():
                return self.width(key.list)
            case lo.Either() if key.kind.tag == "key":
                return max(self.width(key.then), self.width(key.otherwise))
            case lo.Op(operation="strength_of"):
                return self.world.strength
            case lo.Op(operation="larger_groups"):
                return 2 * self.world.longest
            case lo.Op(operation="negated"):
                return self.width(key.args[0])
        return self.world.longest if is_list(key.kind) else 1

    def pair_width(self, pairs: lo.Expr) -> int:
        """Return the length of the keys of some pairs in numbers."""
        if isinstance(pairs, lo.Calling) and (value := self.world.result_of(pairs)) is not None:
            return self.pair_width(value)
        if isinstance(pairs, lo.Loop) and isinstance(pairs.body, lo.Key):
            return self.width(pairs.body.parts[0])
        raise NoC("pairs from elsewhere")


def is_counted(items: lo.Expr) -> bool:
    return isinstance(items, lo.Op) and items.operation == "counted"
