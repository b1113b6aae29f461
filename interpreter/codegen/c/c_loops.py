"""C loops for IR loops over lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import dropwhile, takewhile

from interpreter import ir
from interpreter.codegen.c.c_context import CCodegenContext, UnsupportedInC, find_c_type, format_c_number, is_list_kind

ItemBody = Callable[[str], str]
Clauses = Sequence[ir.For | ir.Let | ir.Test]


class CLoopGenerator:
    """Code generator for loops. `slots`: the frame slots of variables; `lists`: the slots that hold lists."""

    def __init__(self, context: CCodegenContext, slots: dict[int, int], frame_number: int) -> None:
        self.context = context
        self.slots = slots
        self.frame_number = frame_number
        self.name_count = 0

    def generate_value(self, expr: ir.Expr) -> str:
        """Generate an expression, by the method `generate_…` of its class."""
        return str(getattr(self, f"generate_{type(expr).__name__}")(expr))

    def make_c_name(self, prefix: str) -> str:
        self.name_count += 1
        return f"{prefix}_{self.name_count}"

    def generate_truth(self, expr: ir.Expr) -> str:
        """Generate the test that a flag is set, or that a list has items."""
        if isinstance(expr, ir.Loop) and expr.function == "list":
            return self.generate_search(expr, lambda: "1")
        code = self.generate_value(expr)
        return f"({code}).n" if is_list_kind(expr.kind) else code

    # ------------------------------------------------------------ each item
    def generate_each(self, expr: ir.Expr, body: ItemBody) -> str:
        """Generate C that runs the body for each item of a list."""
        match expr:
            case ir.Loop(function="list"):
                return self.generate_clause_loops(expr.clauses, lambda: body(self.generate_value(expr.body)))
            case ir.Items():
                return "".join(self.generate_each_part(item, body) for item in expr.items)
            case ir.Either() if is_list_kind(expr.kind):
                then, other = self.generate_each(expr.then, body), self.generate_each(expr.otherwise, body)
                return f"if ({self.generate_truth(expr.condition)}) {{ {then} }} else {{ {other} }}"
            case ir.Op(operation="copied"):
                return self.generate_each(expr.args[0], body)
            case ir.Op(operation="listed"):
                one = self.make_c_name("one")
                inside = f"if ({one} != -1 && {one} != NO_NUMBER) {{ {body(one)} }}"
                return f"{{ i64 {one} = {self.generate_value(expr.args[0])}; {inside} }}"
            case ir.Op(operation="range"):
                return self.generate_counting_loop(expr.args, body)
            case ir.Op(operation="few", args=(ir.Op(operation="range", args=bounds),)):
                return self.generate_counting_loop(bounds, body, expr.place)
            case ir.Op(operation="subsets"):
                return self.generate_subset_loop(expr, body)
        kind = expr.kind.item or ir.NUMBER
        return self.generate_item_loop(
            self.generate_value(expr), 1, lambda items, at: body(self.generate_unboxed(f"{items}.v[{at}]", kind))
        )

    def generate_each_part(self, item: ir.Expr, body: ItemBody) -> str:
        if isinstance(item, ir.Spread):
            return self.generate_each(item.list, body)
        return f"{{ {body(self.generate_value(item))} }}"

    def generate_counting_loop(self, args: Sequence[ir.Expr], body: ItemBody, rule_number: int | None = None) -> str:
        """Generate a counting loop. `rule_number`: the rule that fails if the numbers are moves and too many."""
        name, end = self.make_c_name("count"), self.make_c_name("end")
        by = self.generate_value(args[2]) if len(args) > 2 else "1"
        head = f"i64 {name} = {self.generate_value(args[0])}, {end} = {self.generate_value(args[1])};"
        few = "" if rule_number is None else f"few_steps(s, {name}, {end}, {by}, {rule_number});"
        return f"{{ {head} {few} for (; {name} < {end}; {name} += {by}) {{ {body(name)} }} }}"

    def generate_item_loop(self, code: str, step: int, body: Callable[[str, str], str]) -> str:
        items, at = self.make_c_name("items"), self.make_c_name("at")
        inside = body(items, at)
        return f"{{ L {items} = {code}; for (int {at} = 0; {at} < {items}.n; {at} += {step}) {{ {inside} }} }}"

    def generate_subset_loop(
        self, expr: ir.Op, body: ItemBody, build_size_tests: Callable[[str], list[str]] = lambda size: []
    ) -> str:
        """Generate a loop over the subsets of a list, smaller ones first. They share one buffer.

        build_size_tests: returns tests of a subset's size; sizes that fail are skipped."""
        items, size, most, at, subset = (self.make_c_name(name) for name in ("items", "size", "most", "at", "held"))
        low = self.make_c_name("low")
        values = [self.generate_value(arg) for arg in expr.args]
        head = f"L {items} = {values[0]}; i64 {low} = {values[1]}; if ({low} < 0) {low} = 0;"
        bounds = f"{low}, {values[2]}, {values[3]}, {expr.place}"
        head += f" int {most} = largest_subset(s, {items}, {bounds}), {at}[MAX_SUBSET_SIZE];"
        chosen = f"for (int i = 0; i < {size}; i++) {subset}[i] = {items}.v[{at}[i]];"
        inside = f"i64 {subset}[MAX_SUBSET_SIZE]; {chosen} {body(f'view({subset}, {size})')}"
        loop = f"first_choice({at}, {size}); do {{ {inside} }} while (next_choice({at}, {size}, {items}.n));"
        skipped = "".join(f"if (!({test})) continue; " for test in build_size_tests(size))
        return f"{{ {head} for (int {size} = (int){low}; {size} <= {most}; {size}++) {{ {skipped}{loop} }} }}"

    def find_size_tests(self, condition: ir.Expr, chosen_list: ir.Local, size: str) -> list[str]:
        """Return the tests of a choice's size that its condition requires before anything with a cost."""
        match condition:
            case ir.Logic(operator="and", parts=parts):
                asked = takewhile(lambda part: self.context.lowering.optimizer.purity.is_pure([part]), parts)
                return [test for part in asked for test in self.find_size_tests(part, chosen_list, size)]
            case ir.Read(what="matches", cards=cards) if cards == chosen_list:
                wild = self.context.program.game.rankings[condition.ranking].wilds
                name = self.context.lowering.make_identifier("ranking", condition.ranking)
                return [] if wild else [f"{size} >= {name}_ranking.fewest"]
        return []

    # ------------------------------------------------------------ lists of lists
    def generate_boxed(self, code: str, kind: ir.Kind) -> str:
        """Convert a value to an item of a list. Lists are copied and stored by address, readings by pointer."""
        return f"boxed(s, {code})" if is_list_kind(kind) else f"(i64)({code})" if kind.tag == "reading" else code

    def generate_unboxed(self, code: str, kind: ir.Kind) -> str:
        """Convert an item of a list to a value."""
        if kind.tag == "reading":
            return f"((const Reading *)({code}))"
        return f"unboxed(s, {code})" if is_list_kind(kind) else code

    def generate_clause_loops(self, clauses: Clauses, body: Callable[[], str]) -> str:
        if not clauses:
            return body()
        first, rest = clauses[0], clauses[1:]
        match first:
            case ir.For():
                declared = f"{find_c_type(first.local.kind)} {self.generate_value(first.local)}"

                def generate_item(item: str) -> str:
                    return f"{declared} = {item}; {self.generate_clause_loops(rest, body)}"

                if isinstance(first.list, ir.Op) and first.list.operation == "subsets" and rest:
                    asked, local = rest[0], first.local
                    test = asked.condition if isinstance(asked, ir.Test) else ir.Const(ir.FLAG, 1)
                    return self.generate_subset_loop(
                        first.list, generate_item, lambda size: self.find_size_tests(test, local, size)
                    )
                return self.generate_each(first.list, generate_item)
            case ir.Let():
                variable = f"{find_c_type(first.local.kind)} {self.generate_value(first.local)}"
                declaration = f"{variable} = {self.generate_value(first.value)};"
                return f"{{ {declaration} {self.generate_clause_loops(rest, body)} }}"
        return f"if ({self.generate_truth(first.condition)}) {{ {self.generate_clause_loops(rest, body)} }}"

    # ------------------------------------------------------------ folds
    def generate_new_list(self, expr: ir.Expr) -> str:
        """Generate a new list."""
        name, kind = self.make_c_name("made"), expr.kind.item or ir.NUMBER
        loops = self.generate_each(expr, lambda item: f"add(s, &{name}, {self.generate_boxed(item, kind)});")
        return f"({{ L {name} = fresh(s); {loops} {name}; }})"

    def generate_fold(self, e: ir.Loop) -> str:
        match e.function:
            case "list":
                return self.generate_new_list(e)
            case "pairs":
                return self.generate_key_pairs(e)
            case "any":
                return self.generate_some_test(e, True)
            case "every":
                return f"!{self.generate_some_test(e, False)}"
            case "count" | "total":
                name = self.make_c_name("total")
                loops = self.generate_clause_loops(e.clauses, lambda: self.generate_sum_step(e, name))
                return f"({{ i64 {name} = 0; {loops} {name}; }})"
        return self.generate_extreme(e.clauses, e.body, ">" if e.function == "highest" else "<", e.kind)

    def generate_sum_step(self, e: ir.Loop, name: str) -> str:
        return f"{name}++;" if e.function == "count" else f"{name} += {self.generate_value(e.body)};"

    def generate_some_test(self, e: ir.Loop, expected: bool) -> str:
        """Generate the test that some item satisfies the loop's condition, or that some item does not."""
        return self.generate_search(e, lambda: f"{'' if expected else '!'}({self.generate_truth(e.body)})")

    def generate_search(self, e: ir.Loop, condition: Callable[[], str]) -> str:
        """Generate a search for an iteration that satisfies a condition. It stops early if that has no visible
        effect."""
        flag, out = self.make_c_name("found"), self.make_c_name("out")
        label, leave, behind = (
            (f"__label__ {out}; ", f"goto {out};", f"{out}:; ") if self.can_stop_early(e) else ("",) * 3
        )
        loops = self.generate_clause_loops(e.clauses, lambda: f"if ({condition()}) {{ {flag} = 1; {leave} }}")
        return f"({{ {label}i64 {flag} = 0; {loops} {behind}{flag}; }})"

    def can_stop_early(self, e: ir.Loop) -> bool:
        """Check whether skipping iterations has no visible effect. Python runs all of them and counts their steps."""
        turns = list(dropwhile(lambda clause: not isinstance(clause, ir.For), e.clauses))
        if turns and isinstance(turns[0], ir.For) and is_counted_list(turns[0].list):
            del turns[0]  # that list is built before the loop
        return self.context.lowering.optimizer.purity.is_pure([*turns, e.body])

    def generate_extreme(self, clauses: Clauses, body: ir.Expr, sign: str, kind: ir.Kind) -> str:
        best, any_, item = self.make_c_name("best"), self.make_c_name("any"), self.make_c_name("item")
        absent = ir.encode_absent(kind)

        def generate_comparison() -> str:
            better = f"if (!{any_} || {item} {sign} {best}) {{ {best} = {item}; {any_} = 1; }}"
            return f"i64 {item} = {self.generate_value(body)}; {better}"

        start = format_c_number(absent if isinstance(absent, int) else -1)
        loops = self.generate_clause_loops(clauses, generate_comparison)
        return f"({{ i64 {best} = {start}; int {any_} = 0; {loops} {best}; }})"

    # ------------------------------------------------------------ pairs
    def generate_key_pairs(self, e: ir.Loop) -> str:
        """Generate a list of numbers with a key and an item for each pair."""
        name = self.make_c_name("made")
        if not isinstance(e.body, ir.Key):
            raise UnsupportedInC("pairs that are no keys")
        key, item = e.body.parts

        def generate_pair() -> str:
            key_code = self.generate_key(key, name)
            return f"{key_code} add(s, &{name}, {self.generate_boxed(self.generate_value(item), item.kind)});"

        return f"({{ L {name} = fresh(s); {self.generate_clause_loops(e.clauses, generate_pair)} {name}; }})"

    def generate_key(self, key: ir.Expr, list_name: str) -> str:
        """Generate C that appends the numbers of a key to a list."""
        match key:
            case ir.Key():
                return " ".join(self.generate_key(part, list_name) for part in key.parts)
            case ir.Spread(list=ir.Either() as split):
                sides = []
                for side in (split.then, split.otherwise):
                    zeros = f"add(s, &{list_name}, 0); " * (self.find_key_length(split) - self.find_key_length(side))
                    sides.append(f"{{ {self.generate_key(side, list_name)} {zeros} }}")
                return f"if ({self.generate_truth(split.condition)}) {sides[0]} else {sides[1]}"
            case ir.Op(operation="strength_of"):
                return f"add_strength(s, &{list_name}, {self.generate_value(key.args[0])});"
        if is_list_kind(key.kind):
            return self.generate_list_key(key, list_name)
        return f"add(s, &{list_name}, {self.generate_value(key)});"

    def generate_list_key(self, key: ir.Expr, list_name: str) -> str:
        """Append a list as part of a key, padded. A list that is a prefix of another sorts lower."""
        sign, width = 1, self.find_key_length(key)
        if isinstance(key, ir.Op) and key.operation == "negated":
            sign, key = -1, key.args[0]
        return f"add_filled(s, &{list_name}, {self.generate_value(key)}, {sign}, {width});"

    def find_key_length(self, key: ir.Expr) -> int:
        """Return the length of a key in numbers."""
        match key:
            case ir.Key():
                return sum(map(self.find_key_length, key.parts))
            case ir.Spread():
                return self.find_key_length(key.list)
            case ir.Either() if key.kind.tag == "key":
                return max(self.find_key_length(key.then), self.find_key_length(key.otherwise))
            case ir.Op(operation="strength_of"):
                return self.context.strength_size
            case ir.Op(operation="larger_groups"):
                return 2 * self.context.max_list_length
            case ir.Op(operation="negated"):
                return self.find_key_length(key.args[0])
        return self.context.max_list_length if is_list_kind(key.kind) else 1

    def find_pair_key_width(self, pairs: ir.Expr) -> int:
        """Return the length of the keys of some pairs in numbers."""
        if isinstance(pairs, ir.Calling) and (value := self.context.find_returned_value(pairs)) is not None:
            return self.find_pair_key_width(value)
        if isinstance(pairs, ir.Loop) and isinstance(pairs.body, ir.Key):
            return self.find_key_length(pairs.body.parts[0])
        raise UnsupportedInC("pairs from elsewhere")


def is_counted_list(items: ir.Expr) -> bool:
    return isinstance(items, ir.Op) and items.operation == "counted"
