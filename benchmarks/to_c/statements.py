"""Statements and functions of the lowered program to C."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from benchmarks.to_c.expressions import OPERATORS, Expressions
from benchmarks.to_c.kinds import ANSWERS, EMPTY, LIST, NUMBER, PROBE, UNKNOWN, NoC, Value, c_type, is_list, width

ALIASES = {
    "f = s.frames[-1]": "Frame *f = top_frame(s);",
    "t = s.t": "i64 *t = s->t;",
    "z = s.z": "Pile *z = s->z;",
    "ow = s.owner": "i64 *ow = s->owner;",
}


class Statements(Expressions):
    def translate(self, node: ast.FunctionDef) -> tuple[str, str]:
        """Head and body of a function. What is learned of its variables is kept in `kinds`."""
        if node.decorator_list:
            raise NoC("a step that another one finishes")
        self.function, self.frame, self.count = node.name, self.world.frame_of(node.name), 0
        parameters = self.functions[node.name]
        if parameters[-1:] == ["v"] and node.name.endswith("__judge"):
            self.kinds.learn(PROBE, "local", node.name, "v")
        if parameters == ["s", "items"]:  # an order, which nobody may have called yet
            self.kinds.learn(LIST, "local", node.name, "items")
        for parameter in parameters:
            if parameter not in ("s", "f"):
                self.kinds.learn(UNKNOWN, "local", node.name, parameter)
                self.kinds.known.setdefault(("local", node.name, parameter), UNKNOWN)
        body = self.block(node.body)
        names = [key[2] for key in self.kinds.known if key[:2] == ("local", node.name) and key[2] not in parameters]
        own = [f"    {c_type(self.kinds.of('local', node.name, str(name)))} {name} = {{0}};" for name in names]
        return self.head(node.name, parameters), "\n".join(["{", *own, *("    " + line for line in body), "}"])

    def head(self, name: str, parameters: Sequence[str]) -> str:
        special = {"s": "S *s", "f": "Frame *f"}
        typed = [special.get(p) or f"{c_type(self.kinds.of('local', name, p))} {p}" for p in parameters]
        result = self.kinds.known.get(("result", name))
        return f"static {c_type(result) if result else 'void'} {name}({', '.join(typed)})"

    def block(self, nodes: Sequence[ast.stmt]) -> list[str]:
        return [line for node in nodes for line in self.statement(node)]

    def statement(self, node: ast.stmt) -> list[str]:
        method = getattr(self, f"s_{type(node).__name__}", None)
        if method is None:
            raise NoC(type(node).__name__)
        return method(node)  # type: ignore[no-any-return]

    def inside(self, nodes: Sequence[ast.stmt]) -> list[str]:
        return [*("    " + line for line in self.block(nodes)), "}"]

    def s_Pass(self, node: ast.Pass) -> list[str]:
        return []

    def s_Continue(self, node: ast.Continue) -> list[str]:
        return ["continue;"]

    def s_Raise(self, node: ast.Raise) -> list[str]:
        match node.exc:
            case ast.Call(func=ast.Name(id="Finish"), args=[ast.Constant(value=str(step))]):
                return [f"finish({self.world.enclosing(step)});"]
        raise NoC("Raise")

    def s_Return(self, node: ast.Return) -> list[str]:
        if node.value is None:
            return ["return;"]
        value = self.value(node.value)
        kind = self.kinds.learn(value.kind, "result", self.function)
        return [f"return {self.as_kind(value, kind)};"]

    def s_Expr(self, node: ast.Expr) -> list[str]:
        match node.value:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[item]):
                self.kinds.learn(LIST, "local", self.function, name)
                return [f"add(&{name}, {self.number(item)});"]
        return [f"{self.value(node.value).code};"]

    def s_If(self, node: ast.If) -> list[str]:
        if ast.unparse(node.test).startswith("s.checking and "):
            return []  # what rules expect is checked in Python, where it is also told
        lines = [f"if ({self.truth(node.test)}) {{", *self.inside(node.body)]
        return [*lines, "else {", *self.inside(node.orelse)] if node.orelse else lines

    def s_While(self, node: ast.While) -> list[str]:
        return [f"while ({self.truth(node.test)}) {{", *self.inside(node.body)]

    def s_For(self, node: ast.For) -> list[str]:
        if not isinstance(node.target, ast.Name):
            raise NoC("a loop over pairs")
        value, items, at = self.value(node.iter), self.fresh("items"), self.fresh("at")
        if value.kind.startswith("pairs"):
            raise NoC("a loop over pairs")
        self.kinds.learn(NUMBER, "local", self.function, node.target.id)
        head = f"for (int {at} = 0; {at} < {items}.n; {at}++) {{"
        return [f"L {items} = {value.code};", head, f"    {node.target.id} = {items}.v[{at}];", *self.inside(node.body)]

    def s_AugAssign(self, node: ast.AugAssign) -> list[str]:
        value = self.value(node.value)
        if isinstance(node.target, ast.Name) and is_list(value.kind):
            self.kinds.learn(LIST, "local", self.function, node.target.id)
            return [f"extend(&{node.target.id}, {value.code});"]
        target = self.target(node.target, value)
        if type(node.op) not in OPERATORS or is_list(value.kind):
            raise NoC(f"the assignment {ast.unparse(node)[:30]}")
        return [f"{target} {OPERATORS[type(node.op)]}= {value.code};"]

    # ------------------------------------------------------------ assignments
    def s_Assign(self, node: ast.Assign) -> list[str]:
        if ast.unparse(node) in ALIASES:
            return [ALIASES[ast.unparse(node)]]
        match node.targets:
            case [ast.Tuple(elts=names)]:
                return self.unpacked(names, node.value)
            case [ast.Subscript(slice=ast.Slice())]:
                return self.filled(node.targets[0], node.value)
        value = self.value(node.value)
        if len(node.targets) == 1:
            return [self.assigned(node.targets[0], value)]
        held = self.fresh("held")
        stores = [self.assigned(target, Value(held, value.kind)) for target in node.targets]
        return [f"{{ {c_type(value.kind)} {held} = {value.code};", *stores, "}"]

    def unpacked(self, names: Sequence[ast.expr], value: ast.expr) -> list[str]:
        if isinstance(value, ast.Tuple):
            held = [(self.fresh("held"), self.value(part)) for part in value.elts]
            lines = [f"{c_type(part.kind)} {name} = {part.code};" for name, part in held]
            stores = zip(names, held, strict=True)
            return [*lines, *(self.assigned(target, Value(name, part.kind)) for target, (name, part) in stores)]
        if isinstance(value, ast.Subscript):
            pairs, at = self.value(value.value), self.fresh("pair")
            if pairs.kind == ANSWERS and len(names) == 2:
                lines = [f"const i64 *{at} = answer_at({pairs.code}, {self.number(value.slice)});"]
                picked = Value(f"view({at} + 2, {at}[1])", LIST)
                return [*lines, *map(self.assigned, names, (Value(f"{at}[0]", NUMBER), picked))]
            if pairs.kind in (UNKNOWN, EMPTY) or (pairs.kind.startswith("pairs") and width(pairs.kind) == 1):
                lines = [f"i64 *{at} = ({pairs.code}).v + 2 * {self.number(value.slice)};"]
                return [*lines, *(self.assigned(name, Value(f"{at}[{i}]", NUMBER)) for i, name in enumerate(names))]
        raise NoC("several values taken from a list")

    def filled(self, target: ast.expr, value: ast.expr) -> list[str]:
        """`t[2:5] = [0] * 3`, `f[2:4] = [1, 2]`."""
        match target, value:
            case ast.Subscript(value=base, slice=ast.Slice(lower=ast.Constant(value=int(start)))), ast.List(elts=items):
                slots = [ast.Subscript(base, ast.Constant(start + at), ast.Load()) for at in range(len(items))]
                return [self.assigned(slot, self.value(item)) for slot, item in zip(slots, items, strict=True)]
            case (
                ast.Subscript(value=ast.Name(id="t"), slice=ast.Slice(lower=first, upper=end)),
                ast.BinOp(left=ast.List(elts=[start]), op=ast.Mult()),
            ) if first is not None and end is not None:
                at, held = self.fresh("at"), self.fresh("held")
                loop = f"for (int {at} = {self.number(first)}; {at} < {self.number(end)}; {at}++) t[{at}] = {held};"
                return [f"i64 {held} = {self.number(start)};", loop]
        raise NoC("a slice filled with different values")

    def assigned(self, target: ast.expr, value: Value) -> str:
        match target:
            case ast.Attribute(attr="picks"):
                return f"keep(&s->picks, {value.code});"
            case ast.Subscript() if (slot := self.slot(target)) is not None:
                kind = self.kinds.learn(value.kind, "slot", *slot)
                if is_list(kind):
                    return f"keep(&f->l[SLOT_{slot[1]}_{self.frame_number()}], {value.code});"
        return f"{self.target(target, value)} = {value.code};"

    def target(self, target: ast.expr, value: Value) -> str:
        match target:
            case ast.Name(id=name):
                self.kinds.learn(value.kind, "local", self.function, name)
                self.kinds.known.setdefault(("local", self.function, name), UNKNOWN)
                return name
            case ast.Subscript() | ast.Attribute():
                return self.value(target).code
        raise NoC(f"an assignment to {ast.unparse(target)[:30]}")
