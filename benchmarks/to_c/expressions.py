"""Expressions of the lowered program to C. What Python writes as one expression with loops in it becomes a statement
expression of GNU C."""

from __future__ import annotations

import ast

from benchmarks.to_c.calls import BEST_BY, CALLS, ENDS, FAILING, NOTHING
from benchmarks.to_c.kinds import (
    ANSWERS,
    EMPTY,
    LIST,
    NUMBER,
    READING,
    UNKNOWN,
    Kinds,
    NoC,
    Value,
    c_type,
    is_list,
    joined,
    width,
)
from benchmarks.to_c.lists import Lists, range_of
from benchmarks.to_c.world import World, c_number
from interpreter.lowering.naming import mangled
from interpreter.state import ABSENT

STATE = {"alive": LIST, "order": LIST, "picks": LIST, "legal": LIST, "fuel": NUMBER, "who": NUMBER, "out": NUMBER}
PROBE = {"used": LIST, "rest": LIST, "cards": LIST, "wilds": NUMBER}
ROWS = {"t": "t", "ow": "ow", "s.t": "s->t", "s.owner": "s->owner", "s.known": "s->known", "s.loc": "s->loc"}
OPERATORS: dict[type, str] = {
    ast.Add: "+", ast.Sub: "-", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
FUNCTIONS: dict[type, str] = {ast.Mult: "product", ast.FloorDiv: "floor_div", ast.Mod: "floor_mod"}


class Expressions(Lists):
    """Of one function at a time: its name and frame. `functions`: parameters of those of the program."""

    def __init__(self, world: World, kinds: Kinds, functions: dict[str, list[str]]) -> None:
        super().__init__(world)
        self.kinds = kinds
        self.functions = functions
        self.function = ""
        self.frame = ""

    def value(self, node: ast.expr) -> Value:
        method = getattr(self, f"x_{type(node).__name__}", None)
        if method is None:
            raise NoC(type(node).__name__)
        return method(node)  # type: ignore[no-any-return]

    def truth(self, node: ast.expr) -> str:
        match node:
            case ast.UnaryOp(op=ast.Not()):
                return f"!({self.truth(node.operand)})"
            case ast.BoolOp():
                sign = " && " if isinstance(node.op, ast.And) else " || "
                return f"({sign.join(self.truth(part) for part in node.values)})"
            case ast.ListComp():
                return self.there(node)
        value = self.value(node)
        return f"({value.code}).n" if is_list(value.kind) else value.code

    # ------------------------------------------------------------ names and numbers
    def x_Constant(self, node: ast.Constant) -> Value:
        if not isinstance(node.value, int):
            raise NoC(f"the constant {node.value!r}")
        return Value(c_number(node.value), NUMBER)

    def x_Name(self, node: ast.Name) -> Value:
        if node.id in self.variables:
            return Value(node.id, self.variables[node.id])
        if ("local", self.function, node.id) in self.kinds.known:
            return Value(node.id, self.kinds.of("local", self.function, node.id))
        if node.id in ("f", "s", "t", "z", "ow"):
            raise NoC(f"{node.id} as a value")
        return self.world.named(node.id)

    def x_Attribute(self, node: ast.Attribute) -> Value:
        text = ast.unparse(node)
        if text.startswith("s.") and node.attr in STATE:
            kind = STATE[node.attr]
            pile = kind == LIST and node.attr != "legal"
            return Value(f"copied(list_of(s->{node.attr}))" if pile else f"s->{node.attr}", kind)
        if text.startswith("v.") and node.attr in PROBE:
            return Value(f"v->{node.attr}", PROBE[node.attr])
        raise NoC(text)

    def x_UnaryOp(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            return Value(self.truth(node), NUMBER)
        return Value(f"{'-' if isinstance(node.op, ast.USub) else ''}({self.number(node.operand)})", NUMBER)

    def x_BinOp(self, node: ast.BinOp) -> Value:
        if isinstance(node.op, ast.Add) and is_list(self.value(node.left).kind):
            name = self.fresh("both")
            code = f"extend(&{name}, {self.list(node.right)}); {name};"
            return Value(f"({{ L {name} = copied({self.list(node.left)}); {code} }})", LIST)
        left, right = self.number(node.left), self.number(node.right)
        if type(node.op) in FUNCTIONS:
            return Value(f"{FUNCTIONS[type(node.op)]}({left}, {right})", NUMBER)
        if type(node.op) not in OPERATORS:
            raise NoC(type(node.op).__name__)
        return Value(f"({left} {OPERATORS[type(node.op)]} {right})", NUMBER)

    def x_BoolOp(self, node: ast.BoolOp) -> Value:
        first = self.value(node.values[0])
        if not is_list(first.kind):
            return Value(self.truth(node), NUMBER)
        if isinstance(node.op, ast.And):
            raise NoC("`and` between lists")
        code, kind = self.list(node.values[-1]), first.kind
        for part in reversed(node.values[:-1]):
            name = self.fresh("list")
            code = f"({{ L {name} = {self.list(part)}; {name}.n ? {name} : {code}; }})"
        return Value(code, kind)

    def x_IfExp(self, node: ast.IfExp) -> Value:
        one, other = self.value(node.body), self.value(node.orelse)
        return Value(f"({self.truth(node.test)} ? {one.code} : {other.code})", joined(one.kind, other.kind))

    def x_Compare(self, node: ast.Compare) -> Value:
        if len(node.ops) == 1:
            return Value(self.comparison(node.ops[0], node.left, node.comparators[0]), NUMBER)
        names = [self.fresh("term") for _ in range(len(node.ops) + 1)]
        terms = [node.left, *node.comparators]
        kept = " ".join(f"i64 {name} = {self.number(term)};" for name, term in zip(names, terms, strict=True))
        signs = [OPERATORS[type(op)] for op in node.ops]
        tests = " && ".join(f"{names[i]} {sign} {names[i + 1]}" for i, sign in enumerate(signs))
        return Value(f"({{ {kept} {tests}; }})", NUMBER)

    def comparison(self, op: ast.cmpop, left: ast.expr, right: ast.expr) -> str:
        if isinstance(op, ast.In | ast.NotIn):
            sign = "!" if isinstance(op, ast.NotIn) else ""
            return f"{sign}contains({self.list(right)}, {self.number(left)})"
        if type(op) not in OPERATORS:
            raise NoC(type(op).__name__)
        return f"({self.number(left)} {OPERATORS[type(op)]} {self.number(right)})"

    # ------------------------------------------------------------ lists
    def x_ListComp(self, node: ast.ListComp) -> Value:
        return self.made(node)

    def x_List(self, node: ast.List) -> Value:
        return self.made(node)

    def x_Tuple(self, node: ast.Tuple) -> Value:
        return self.made(node)

    def slot(self, node: ast.Subscript) -> tuple[str, int] | None:
        """The frame and slot that `f[3]` is."""
        match node:
            case ast.Subscript(value=ast.Name(id="f"), slice=ast.Constant(value=int(number))):
                return self.frame, number
        return None

    def x_Subscript(self, node: ast.Subscript) -> Value:
        slot = self.slot(node)
        if slot is not None:
            kind = self.kinds.of("slot", *slot)
            code = f"list_of(f->l[SLOT_{slot[1]}_{self.frame_number()}])" if is_list(kind) else f"f->x[{slot[1]}]"
            return Value(code, kind)
        if isinstance(node.slice, ast.Slice):
            if node.slice.lower or node.slice.upper or node.slice.step:
                raise NoC(f"the slice {ast.unparse(node)[-30:]}")
            return Value(f"copied({self.list(node.value)})", LIST)
        base = ast.unparse(node.value)
        if base in ROWS:
            return Value(f"{ROWS[base]}[{self.number(node.slice)}]", NUMBER)
        if base in ("z", "s.z"):
            return Value(f"list_of({'z' if base == 'z' else 's->z'}[{self.number(node.slice)}])", LIST)
        if base == "s.frames[-1]":
            return Value(f"top_frame(s)->x[{self.number(node.slice)}]", NUMBER)
        if isinstance(node.value, ast.Subscript) and ast.unparse(node.value.value) == "s.frames":
            return Value(f"s->frames[{self.number(node.value.slice)}].x[{self.number(node.slice)}]", NUMBER)
        if isinstance(node.value, ast.Name) and node.value.id not in self.variables and self.is_global(node.value.id):
            return self.world.entry(node.value.id, self.number(node.slice))
        return self.entry(self.value(node.value), node.slice)

    def frame_number(self) -> int:
        return self.world.frames.index(self.frame) if self.frame in self.world.frames else -1

    def is_global(self, name: str) -> bool:
        return ("local", self.function, name) not in self.kinds.known

    def entry(self, value: Value, index: ast.expr) -> Value:
        last = ast.unparse(index) == "-1"
        if value.kind.startswith("entry") and last:
            return Value(f"({value.code})[{width(value.kind)}]", NUMBER)
        if value.kind not in (LIST, EMPTY, UNKNOWN):
            raise NoC(f"an item of {value.kind}")
        if not last:
            return Value(f"({value.code}).v[{self.number(index)}]", NUMBER)
        name = self.fresh("list")
        return Value(f"({{ L {name} = {value.code}; {name}.v[{name}.n - 1]; }})", NUMBER)

    # ------------------------------------------------------------ calls
    def x_Call(self, node: ast.Call) -> Value:
        name = ast.unparse(node.func)
        if name in self.functions:
            return self.own_call(name, node.args)
        special = getattr(self, f"call_{name.replace('.', '_')}", None)
        if special is not None:
            return special(node)  # type: ignore[no-any-return]
        if name in BEST_BY:
            return self.best_by(name, node)
        if name not in CALLS:
            raise NoC(f"{name}()")
        letters, kind = CALLS[name]
        if len(letters) != len(node.args):
            raise NoC(f"{name}() of {len(node.args)} values")
        args = [self.argument(letter, arg) for letter, arg in zip(letters, node.args, strict=True) if letter != "-"]
        return Value(f"{'fail' if name in FAILING else name}({', '.join(args)})", kind)

    def argument(self, letter: str, node: ast.expr) -> str:
        match letter, node:
            case "s", _:
                return "s"
            case "a", ast.Name():
                return str(self.world.place(node.id))
            case "e", ast.Constant(value=str(end)):
                return ENDS[end]
            case "l", _:
                return self.list(node)
            case "r", _:
                return self.value(node).code
        return self.number(node)

    def own_call(self, name: str, args: list[ast.expr]) -> Value:
        passed = []
        for parameter, arg in zip(self.functions[name], args, strict=True):
            if parameter in ("s", "f"):
                passed.append(parameter)
                continue
            value = self.value(arg)
            kind = self.kinds.learn(value.kind, "local", name, parameter)
            passed.append(self.as_kind(value, kind))
        return Value(f"{name}({', '.join(passed)})", self.kinds.of("result", name))

    def as_kind(self, value: Value, kind: str) -> str:
        return "(L){0}" if value.kind == EMPTY and is_list(kind) else value.code

    def best_by(self, name: str, node: ast.Call) -> Value:
        function, sign, kind = BEST_BY[name]
        pairs = self.value(node.args[0])
        size = width(pairs.kind) if pairs.kind.startswith("pairs") else 1
        return Value(f"{function}({pairs.code}, {size}, {sign})", kind)

    def call_len(self, node: ast.Call) -> Value:
        inner = node.args[0]
        if ast.unparse(inner) == "s.frames":
            return Value("s->depth", NUMBER)
        if isinstance(inner, ast.ListComp):
            return Value(self.total(inner, counted=True), NUMBER)
        value = self.value(inner)
        if value.kind == ANSWERS:
            return Value(f"answers_in({value.code})", NUMBER)
        step = width(value.kind) + 1 if value.kind.startswith("pairs") else 1
        return Value(f"({value.code}).n" + (f" / {step}" if step > 1 else ""), NUMBER)

    def call_sum(self, node: ast.Call) -> Value:
        return Value(self.total(node.args[0], counted=False), NUMBER)

    def call_any(self, node: ast.Call) -> Value:
        return Value(self.some(node.args[0], wanted=True), NUMBER)

    def call_all(self, node: ast.Call) -> Value:
        return Value(f"!{self.some(node.args[0], wanted=False)}", NUMBER)

    def call_max(self, node: ast.Call) -> Value:
        return self.most(node, ">")

    def call_min(self, node: ast.Call) -> Value:
        return self.most(node, "<")

    def most(self, node: ast.Call, sign: str) -> Value:
        if len(node.args) > 1:
            return Value(self.extreme(ast.Tuple(node.args, ast.Load()), None, sign), NUMBER)
        default = node.keywords[0].value if node.keywords else None
        return Value(self.extreme(node.args[0], default, sign), NUMBER)

    def call_list(self, node: ast.Call) -> Value:
        value = self.value(node.args[0])
        fresh = isinstance(node.args[0], ast.ListComp | ast.Call)
        return value if fresh else Value(f"copied({value.code})", value.kind)

    def call_dict_fromkeys(self, node: ast.Call) -> Value:
        return Value(f"different({self.list(node.args[0])})", LIST)

    def call_range(self, node: ast.Call) -> Value:
        return Value(f"span_of({', '.join(map(self.number, range_of(node.args)))})", LIST)

    def call_few(self, node: ast.Call) -> Value:
        match node.args:
            case [ast.Call(func=ast.Name(id="range"), args=args), place]:
                numbers = [*map(self.number, range_of(args)), self.argument("a", place)]
                return Value(f"few({', '.join(numbers)})", LIST)
        raise NoC("few() of a list")

    def call_sorted(self, node: ast.Call) -> Value:
        words = {word.arg: ast.unparse(word.value) for word in node.keywords}
        pairs = self.value(node.args[0])
        if words.get("key") != "KEY" or not pairs.kind.startswith("pairs"):
            raise NoC("sorted() of plain lists")
        sign = -1 if words.get("reverse") == "True" else 1
        return Value(f"in_key_order({pairs.code}, {width(pairs.kind)}, {sign})", pairs.kind)

    def call_slot_of(self, node: ast.Call) -> Value:
        """Of nobody it is absent."""
        array, base, of, absent = node.args
        name = self.fresh("of")
        with self.bound(name, NUMBER):
            place = ast.BinOp(base, ast.Add(), ast.Name(name, ast.Load()))
            there = self.value(ast.Subscript(array, place, ast.Load()))
        other = self.value(absent)
        code = f"({{ i64 {name} = {self.number(of)}; {name} >= 0 ? {there.code} : {other.code}; }})"
        return Value(code, there.kind)

    def call_unwind(self, node: ast.Call) -> Value:
        step = node.args[1]
        if not isinstance(step, ast.Constant):
            raise NoC("unwind() to a step not written out")
        return Value(f"unwind(s, {self.world.enclosing(str(step.value))})", NUMBER)

    def call_read(self, node: ast.Call) -> Value:
        ranking, _, cards, wild, judge = node.args
        name = mangled(str(getattr(ranking, "value", "")))
        flags = "(L){0}" if isinstance(wild, ast.Constant) else self.list(wild)
        return Value(f"read_{name}(s, {self.list(cards)}, {flags}, {ast.unparse(judge)})", READING)

    def call_s_frames_pop(self, node: ast.Call) -> Value:
        return Value("s->depth--", NOTHING)

    def call_push(self, node: ast.Call) -> Value:
        match node.args:
            case [_, ast.BinOp(left=ast.List(elts=given), op=ast.Add(), right=padding), place]:
                frame = self.world.padded(padding)
                return Value(self.pushed(frame, given, self.argument("a", place)), NOTHING)
        raise NoC("push() of a frame not written out")

    def pushed(self, frame: str, given: list[ast.expr], place: str) -> str:
        values = [self.value(node) for node in given]
        held = [self.fresh("given") for _ in values]
        before = [f"{c_type(value.kind)} {name} = {value.code};" for name, value in zip(held, values, strict=True)]
        layout = self.world.program.flow.frames[frame]
        new, number, size = self.fresh("new"), self.world.frames.index(frame), layout.size
        after = [f"{new}->x[{slot}] = -1;" for slot, before in layout.cards.items() if before == ABSENT]
        for slot, (name, value) in enumerate(zip(held, values, strict=True)):
            kept = is_list(self.kinds.learn(value.kind, "slot", frame, slot))
            after.append(f"keep(&{new}->l[SLOT_{slot}_{number}], {name});" if kept else f"{new}->x[{slot}] = {name};")
        pushing = f"push_frame(s, {size}, {place}); Frame *{new} = top_frame(s);"
        return f"({{ {' '.join([*before, pushing, *after])} }})"
