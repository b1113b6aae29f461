"""Lists of the lowered program to C loops. What is only counted, added up or looked through is never made a list."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from benchmarks.to_c.kinds import ANSWERS, EMPTY, LIST, NUMBER, NoC, Value, c_type, is_list, width
from benchmarks.to_c.world import World

Body = Callable[[Value], str]


class Lists:
    """The part of a translation that knows lists. `variables`: those of the comprehensions around, by name."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.variables: dict[str, str] = {}
        self.count = 0

    def value(self, node: ast.expr) -> Value:
        raise NotImplementedError

    def truth(self, node: ast.expr) -> str:
        raise NotImplementedError

    def number(self, node: ast.expr) -> str:
        value = self.value(node)
        if is_list(value.kind):
            raise NoC("a list where a number is wanted")
        return value.code

    def list(self, node: ast.expr) -> str:
        value = self.value(node)
        if not is_list(value.kind) and value.kind != "unknown":
            raise NoC(f"a {value.kind} where a list is wanted")
        return value.code

    def fresh(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}_{self.count}"

    @contextmanager
    def bound(self, name: str, kind: str) -> Iterator[None]:
        before = self.variables.get(name)
        self.variables[name] = kind
        yield
        del self.variables[name]
        if before is not None:
            self.variables[name] = before

    # ------------------------------------------------------------ each item
    def each(self, node: ast.expr, body: Body) -> str:
        """C that carries out the body for each item."""
        match node:
            case ast.ListComp():
                return self.comprehension(node, lambda: body(self.listed(node.elt)))
            case ast.Tuple() | ast.List() if constants(node.elts) is None and node.elts:
                return "".join(self.element(item, body) for item in node.elts)
            case ast.Call(func=ast.Name(id="list"), args=[inner]):
                return self.each(inner, body)
            case ast.Call(func=ast.Name(id="listed"), args=[single]):
                name = self.fresh("one")
                inside = body(Value(name, NUMBER))
                return (
                    f"{{ i64 {name} = {self.number(single)}; if ({name} != -1 && {name} != NO_NUMBER) {{ {inside} }} }}"
                )
            case ast.Call(func=ast.Name(id="range"), args=args):
                return self.counting(args, body)
        value = self.value(node)
        if value.kind == ANSWERS:  # only copied, and never looked at one by one
            return body(Value(value.code, ANSWERS))
        return self.through(value, lambda items, at: body(item_of(value.kind, items, at)))

    def item(self, node: ast.expr) -> Value:
        return self.pair(node) if isinstance(node, ast.Tuple) and len(node.elts) == 2 else self.value(node)

    def listed(self, node: ast.expr) -> Value:
        item = self.item(node)
        if is_list(item.kind):
            raise NoC("a list of lists")
        return item

    def element(self, item: ast.expr, body: Body) -> str:
        if isinstance(item, ast.Starred):
            return self.each(item.value, body)
        return f"{{ {body(self.item(item))} }}"

    def counting(self, args: Sequence[ast.expr], body: Body) -> str:
        first, to, step = range_of(args)
        name, end = self.fresh("count"), self.fresh("end")
        start, last, by = self.number(first), self.number(to), self.number(step)
        inside = body(Value(name, NUMBER))
        return f"for (i64 {name} = {start}, {end} = {last}; {name} < {end}; {name} += {by}) {{ {inside} }}"

    def through(self, value: Value, body: Callable[[str, str], str]) -> str:
        items, at = self.fresh("items"), self.fresh("at")
        step = width(value.kind) + 1 if value.kind.startswith("pairs") else 1
        inside = body(items, at)
        return f"{{ L {items} = {value.code}; for (int {at} = 0; {at} < {items}.n; {at} += {step}) {{ {inside} }} }}"

    def comprehension(self, node: ast.ListComp, body: Callable[[], str]) -> str:
        def level(number: int) -> str:
            if number == len(node.generators):
                return body()
            part = node.generators[number]

            def inside() -> str:
                rest = [f"if ({self.truth(test)})" for test in part.ifs]
                return f"{' '.join(rest)} {{ {level(number + 1)} }}"

            if isinstance(part.target, ast.Tuple):
                return self.numbered(part, inside)
            return self.each(part.iter, lambda item: self.binding(part.target, item, inside))

        return level(0)

    def binding(self, target: ast.expr, item: Value, inside: Callable[[], str]) -> str:
        if not isinstance(target, ast.Name):
            raise NoC(f"for {ast.unparse(target)} in a list")
        with self.bound(target.id, item.kind):
            return f"{c_type(item.kind)} {target.id} = {item.code}; {inside()}"

    def numbered(self, part: ast.comprehension, inside: Callable[[], str]) -> str:
        match part:
            case ast.comprehension(
                target=ast.Tuple(elts=[ast.Name(id=place), name]),
                iter=ast.Call(func=ast.Name(id="enumerate"), args=[items]),
            ):
                with self.bound(place, NUMBER):
                    value = self.value(items)
                    return self.through(
                        value,
                        lambda list_, at: (
                            f"i64 {place} = {at}; " + self.binding(name, item_of(value.kind, list_, at), inside)
                        ),
                    )
        raise NoC(f"for {ast.unparse(part.target)} in {ast.unparse(part.iter)[:20]}")

    # ------------------------------------------------------------ lists and what is made of them
    def made(self, node: ast.ListComp | ast.List | ast.Tuple) -> Value:
        """A new list."""
        if isinstance(node, ast.List | ast.Tuple):
            fixed = constants(node.elts)
            if fixed is not None:
                return Value(self.world.constant(fixed), LIST if fixed else EMPTY)
        name, kinds = self.fresh("made"), [LIST]

        def put(item: Value) -> str:
            if item.kind.startswith("key"):
                kinds[0] = f"pairs {width(item.kind)}"
                return item.code.replace("@", f"&{name}")
            if item.kind == ANSWERS:
                kinds[0] = ANSWERS
                return item.code.replace("@", f"&{name}") if "@" in item.code else f"extend(&{name}, {item.code});"
            if item.kind.startswith("entry"):
                kinds[0] = f"pairs {width(item.kind)}"
                return f"extend(&{name}, view({item.code}, {width(item.kind) + 1}));"
            if is_list(item.kind) or item.kind in ("reading", "probe"):
                raise NoC(f"a list of {item.kind} values")
            return f"add(&{name}, {item.code});"

        loops = self.each(node, put)
        return Value(f"({{ L {name} = {{0}}; {loops} {name}; }})", kinds[0])

    def pair(self, node: ast.Tuple) -> Value:
        """A key and an item, as C that adds them to the list `@`."""
        key, item = node.elts
        last = self.value(item)
        if is_list(last.kind) and not isinstance(key, ast.Tuple):
            held = self.fresh("picked")
            both = f"add(@, {self.number(key)}); add(@, {held}.n); extend(@, {held});"
            return Value(f"{{ L {held} = {last.code}; {both} }}", ANSWERS)
        parts = key.elts if isinstance(key, ast.Tuple) else [key]
        code, size = "", 0
        for part in parts:
            if isinstance(part, ast.Starred):
                raise NoC("a key of changing length")
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == "strength_of":
                code += f"add_strength(@, {self.value(part.args[0]).code}); "
                size += self.world.strength
            else:
                code += f"add(@, {self.number(part)}); "
                size += 1
        return Value(f"{code}add(@, {self.number(item)});", f"key {size}")

    def some(self, node: ast.expr, wanted: bool) -> str:
        """Whether there is an item that holds, or one that does not."""
        found, out = self.fresh("found"), self.fresh("out")
        sign = "" if wanted else "!"
        loops = self.each(node, lambda item: f"if ({sign}({as_truth(item)})) {{ {found} = 1; goto {out}; }}")
        return f"({{ __label__ {out}; i64 {found} = 0; {loops} {out}:; {found}; }})"

    def there(self, node: ast.expr) -> str:
        """Whether there is any item at all."""
        found, out = self.fresh("found"), self.fresh("out")
        loops = self.each(node, lambda item: f"{found} = 1; goto {out};")
        return f"({{ __label__ {out}; i64 {found} = 0; {loops} {out}:; {found}; }})"

    def total(self, node: ast.expr, counted: bool) -> str:
        name = self.fresh("total")
        loops = self.each(node, lambda item: f"{name}++;" if counted else f"{name} += {item.code};")
        return f"({{ i64 {name} = 0; {loops} {name}; }})"

    def extreme(self, node: ast.expr, default: ast.expr | None, sign: str) -> str:
        best, any_, item_ = self.fresh("best"), self.fresh("any"), self.fresh("item")
        start = self.number(default) if default is not None else "0"
        loops = self.each(
            node,
            lambda item: (
                f"i64 {item_} = {item.code}; if (!{any_} || {item_} {sign} {best}) {{ {best} = {item_}; {any_} = 1; }}"
            ),
        )
        return f"({{ i64 {best} = {start}; int {any_} = 0; {loops} {best}; }})"


def item_of(kind: str, items: str, at: str) -> Value:
    if kind.startswith("pairs"):
        return Value(f"{items}.v + {at}", f"entry {width(kind)}")
    return Value(f"{items}.v[{at}]", NUMBER)


def as_truth(value: Value) -> str:
    return f"{value.code}.n" if is_list(value.kind) else value.code


def constants(nodes: Sequence[ast.expr]) -> list[int] | None:
    """The numbers, if all are written."""
    found: list[int] = []
    for node in nodes:
        value: Any = None
        if isinstance(node, ast.Constant):
            value = node.value
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            value = -int(node.operand.value)  # type: ignore[arg-type]
        if not isinstance(value, int):
            return None
        found.append(int(value))
    return found


def range_of(args: Sequence[ast.expr]) -> tuple[ast.expr, ast.expr, ast.expr]:
    zero, one = ast.Constant(0), ast.Constant(1)
    if len(args) == 1:
        return zero, args[0], one
    return args[0], args[1], args[2] if len(args) > 2 else one
