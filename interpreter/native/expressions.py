"""Generate C from expressions of the IR. Expressions with loops become statement expressions of GNU C."""

from __future__ import annotations

from interpreter import lowered as lo
from interpreter.handlers import handlers
from interpreter.lowered.walking import free_in
from interpreter.native.operations import Operations
from interpreter.native.world import NoC, World, absent_number, c_number, c_type, holds_lists, is_list

OPERATORS = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
FUNCTIONS = {"*": "product", "//": "floor_div", "%": "floor_mod"}


class Expressions(Operations):
    def __init__(self, world: World, slots: dict[int, int], frame: int) -> None:
        super().__init__(world, slots, frame)
        self.printers = handlers(type(self), "x_", lo.EXPRESSIONS, "interpreter/native/expressions.py")

    def value(self, expr: lo.Expr) -> str:
        text: str = self.printers[type(expr)](self, expr)
        return text

    # ------------------------------------------------------------ single values
    def x_Const(self, e: lo.Const) -> str:
        if isinstance(e.value, str):
            return str(self.world.text(e.value))
        if isinstance(e.value, tuple):
            return self.world.constant(e.value)
        if e.value is None:
            return "0"
        return c_number(e.value)

    def x_Local(self, e: lo.Local) -> str:
        slot = self.slots.get(e.number)
        if slot is None:
            return f"v{e.number}"
        return f"list_of(f->l[SLOT_{slot}_{self.frame}])" if is_list(e.kind) else f"f->x[{slot}]"

    def x_SlotOf(self, e: lo.SlotOf) -> str:
        return str(self.slots[e.local.number])

    def x_Track(self, e: lo.Track) -> str:
        return self.at("s->t[{}]", e, c_number(absent_number(e.kind)))

    def x_Pile(self, e: lo.Pile) -> str:
        return self.at("list_of(s->z[{}])", e, "(L){0}")

    def at(self, form: str, e: lo.Track | lo.Pile, absent: str) -> str:
        if e.of is None:
            return form.format(e.base)
        if not e.may_lack:
            return form.format(f"{e.base} + {self.value(e.of)}")
        name = self.fresh("of")
        there = form.format(f"{e.base} + {name}")
        return f"({{ i64 {name} = {self.value(e.of)}; {name} >= 0 ? {there} : {absent}; }})"

    def x_Entry(self, e: lo.Entry) -> str:
        self.world.table(e.table)
        return f"{e.table}[{self.value(e.index)}]"

    def x_Table(self, e: lo.Table) -> str:
        return f"view({e.table}, {self.world.table(e.table)})"

    def x_Link(self, e: lo.Link) -> str:
        if is_list(e.kind):
            raise NoC("a list that an announcement shares")
        return f"s->frames[{self.value(e.depth)}].x[{self.value(e.base)} + {e.offset}]"

    def x_Arith(self, e: lo.Arith) -> str:
        left, right = self.value(e.left), self.value(e.right)
        if e.operator in FUNCTIONS:
            return f"{FUNCTIONS[e.operator]}(s, {left}, {right})"
        return f"({left} {e.operator} {right})"

    # ------------------------------------------------------------ conditions
    def x_Compare(self, e: lo.Compare) -> str:
        if holds_lists(e.left.kind) or holds_lists(e.right.kind):
            raise NoC("lists that are compared within lists")
        if is_list(e.left.kind) or is_list(e.right.kind):
            same = f"{'same_set' if e.unordered else 'same_list'}({self.value(e.left)}, {self.value(e.right)})"
            return same if e.operator == "=" else f"!{same}"
        operator = OPERATORS[e.operator]
        if not (e.left_lacks or e.right_lacks):
            return f"({self.value(e.left)} {operator} {self.value(e.right)})"
        left, right = self.fresh("term"), self.fresh("term")
        absent = c_number(absent_number(e.left.kind))
        if e.left_lacks and not e.right_lacks:
            there = f"{left} {operator} {self.value(e.right)}"
            return f"({{ i64 {left} = {self.value(e.left)}; {absent} < {left} && {there}; }})"
        kept = f"i64 {left} = {self.value(e.left)}, {right} = {self.value(e.right)};"
        test = f"{left} {operator} {right}"
        if e.operator == "=":
            test += f" && {left} != {absent}"
        elif e.operator == "!=":
            test += f" || {left} == {absent}"
        else:
            test += f" && {absent} < {right}"
        return f"({{ {kept} {test}; }})"

    def x_Logic(self, e: lo.Logic) -> str:
        return f"({(' && ' if e.operator == 'and' else ' || ').join(map(self.truth, e.parts))})"

    def x_Not(self, e: lo.Not) -> str:
        return f"!({self.truth(e.value)})"

    def x_Either(self, e: lo.Either) -> str:
        return f"({self.truth(e.condition)} ? {self.value(e.then)} : {self.value(e.otherwise)})"

    def x_IsIn(self, e: lo.IsIn) -> str:
        if holds_lists(e.list.kind):
            raise NoC("lists that are compared within lists")
        return f"contains({self.value(e.list)}, {self.value(e.value)})"

    # ------------------------------------------------------------ lists
    def x_Items(self, e: lo.Items) -> str:
        return self.made(e) if e.items else "(L){0}"

    def x_Spread(self, e: lo.Spread) -> str:
        raise NoC("the items of a list outside a list")

    def x_Key(self, e: lo.Key) -> str:
        raise NoC("a key outside a list of pairs")

    def x_Loop(self, e: lo.Loop) -> str:
        return self.loop(e)

    def x_At(self, e: lo.At) -> str:
        if e.index >= 0:
            return self.unboxed(f"({self.value(e.list)}).v[{e.index}]", e.kind)
        name = self.fresh("list")
        return self.unboxed(f"({{ L {name} = {self.value(e.list)}; {name}.v[{name}.n - 1]; }})", e.kind)

    def x_Count(self, e: lo.Count) -> str:
        if e.list.kind.tag == "answers":
            return f"answers_in({self.value(e.list)}, {self.is_several(e.list)})"
        return f"(i64)({self.value(e.list)}).n"

    # ------------------------------------------------------------ calls
    def x_Calling(self, e: lo.Calling) -> str:
        frame = ["f"] if e.function.startswith("L_") else []
        return f"{e.function}({', '.join(['s', *frame, *map(self.value, e.args)])})"

    def x_Dispatch(self, e: lo.Dispatch) -> str:
        self.world.dispatched.add(e.table)
        card = self.fresh("card")
        args = ["s", card, f"s->owner[{card}]", *map(self.value, e.args)]
        absent = "(L){0}" if is_list(e.kind) else c_number(absent_number(e.kind))
        held = f"i64 {card} = {self.value(e.card)};"
        return f"({{ {held} {e.table}[{card}] ? {e.table}[{card}]({', '.join(args)}) : {absent}; }})"

    def x_TestOf(self, e: lo.TestOf) -> str:
        """Generate a function that tests a choice, with a struct for the values it captures: closure conversion."""
        inside = Expressions(self.world, self.slots, self.frame)
        condition = inside.truth(e.condition)
        free = free_in([e.condition]) - {e.local.number}
        given = {part.number: part for part in lo.walk([e.condition]) if isinstance(part, lo.Local)}
        taken = [(c_type(given[number].kind), f"v{number}") for number in sorted(free - self.slots.keys())]
        taken += [("Frame *", "f")] if free & self.slots.keys() else []
        name = f"T_{len(self.world.tests)}"
        fields = " ".join(f"{kind} {local};" for kind, local in [*taken, ("int", "none")])
        lines = [f"const struct {name} *given = all;", "(void)given;"]
        lines += [f"{kind} {local} = given->{local};" for kind, local in taken]
        head = f"static i64 {name}(S *s, const void *all, L v{e.local.number})"
        body = " ".join([*lines, f"return {condition};"])
        self.world.tests.append(f"struct {name} {{ {fields} }};\n{head} {{ {body} }}")
        values = ", ".join(local for _, local in taken)
        sets = f"&{self.world.lowering.code.named('ranking', e.ranking)}_ranking" if e.ranking is not None else "0"
        return f"(Test){{{name}, &(struct {name}){{{values}}}, {sets}}}"

    def x_Read(self, e: lo.Read) -> str:
        named, functions = self.world.lowering.code.named, self.world.lowering.functions
        cards, wild = self.fresh("cards"), named("wild", e.ranking)
        flags = f"{wild}(s, {cards})" if wild in functions and e.what != "beside" else "(L){0}"
        given = f"&{named('ranking', e.ranking)}_ranking, s, {cards}, {flags}"
        if e.what == "matches":
            read = f"matching({given})"
        elif self.world.program.game.rankings[e.ranking].size == "groups":
            read = f"read_split({given}, {self.value(e.other) if e.other is not None else 0})"
        else:
            read = f"read_hand({given}, {named('judge', e.ranking)})"
        return f"({{ L {cards} = {self.value(e.cards)}; {read}; }})"
