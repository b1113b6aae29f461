"""Expressions of a lowered program as C. What is one expression with loops in it becomes a statement expression of
GNU C."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.to_c.loops import Loops
from benchmarks.to_c.world import NoC, World, c_number, c_type, is_list
from interpreter import lowered as lo
from interpreter.lowered.operations import OPERATIONS

OPERATORS = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
FUNCTIONS = {"*": "product", "//": "floor_div", "%": "floor_mod"}
BEST_BY = {
    "highest_by": ("best_by", 1), "lowest_by": ("best_by", -1),
    "only_highest_by": ("only_best_by", 1), "only_lowest_by": ("only_best_by", -1),
    "all_highest_by": ("all_best_by", 1), "all_lowest_by": ("all_best_by", -1),
}  # fmt: skip
COMPARED = {"=": "== 0", "!=": "!= 0", "<": "== -1", ">": "== 1", "<=": "< 1", ">=": "% 2 >= 0"}


class Expressions(Loops):
    def __init__(self, world: World, slots: dict[int, int], frame: int) -> None:
        super().__init__(world, slots, frame)
        self.dispatch: dict[type, Callable[[Any], str]] = {
            getattr(lo, name[2:]): getattr(self, name) for name in dir(self) if name.startswith("x_")
        }

    def value(self, expr: lo.Expr) -> str:
        return self.dispatch[type(expr)](expr)

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
        return self.at("s->t[{}]", e, c_number(int(lo.absent(e.kind) or 0)))

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
            return f"{FUNCTIONS[e.operator]}({left}, {right})"
        return f"({left} {e.operator} {right})"

    # ------------------------------------------------------------ conditions
    def x_Compare(self, e: lo.Compare) -> str:
        if is_list(e.left.kind) or is_list(e.right.kind):
            same = f"{'same_set' if e.unordered else 'same_list'}({self.value(e.left)}, {self.value(e.right)})"
            return same if e.operator == "=" else f"!{same}"
        operator = OPERATORS[e.operator]
        if not (e.left_lacks or e.right_lacks):
            return f"({self.value(e.left)} {operator} {self.value(e.right)})"
        left, right = self.fresh("term"), self.fresh("term")
        kept = f"i64 {left} = {self.value(e.left)}, {right} = {self.value(e.right)};"
        absent = c_number(int(lo.absent(e.left.kind) or 0))
        test = f"{left} {operator} {right}"
        if e.operator == "=":
            test += f" && {left} != {absent}"
        elif e.operator == "!=":
            test += f" || {left} == {absent}"
        else:
            test += f" && {absent} < {left if e.left_lacks else right}"
        return f"({{ {kept} {test}; }})"

    def x_Logic(self, e: lo.Logic) -> str:
        return f"({(' && ' if e.operator == 'and' else ' || ').join(map(self.truth, e.parts))})"

    def x_Not(self, e: lo.Not) -> str:
        return f"!({self.truth(e.value)})"

    def x_Either(self, e: lo.Either) -> str:
        return f"({self.truth(e.condition)} ? {self.value(e.then)} : {self.value(e.otherwise)})"

    def x_IsIn(self, e: lo.IsIn) -> str:
        return f"contains({self.value(e.list)}, {self.value(e.value)})"

    # ------------------------------------------------------------ lists
    def x_Items(self, e: lo.Items) -> str:
        return self.made(e) if e.items else "(L){0}"

    def x_Loop(self, e: lo.Loop) -> str:
        return self.loop(e)

    def x_At(self, e: lo.At) -> str:
        if e.index >= 0:
            return f"({self.value(e.list)}).v[{e.index}]"
        name = self.fresh("list")
        return f"({{ L {name} = {self.value(e.list)}; {name}.v[{name}.n - 1]; }})"

    def x_Count(self, e: lo.Count) -> str:
        if e.list.kind.tag == "answers":
            return f"answers_in({self.value(e.list)}, {self.is_several(e.list)})"
        return f"(i64)({self.value(e.list)}).n"

    def is_several(self, chosen: lo.Expr) -> int:
        return int(isinstance(chosen, lo.Local) and chosen.number in self.world.several)

    # ------------------------------------------------------------ calls
    def x_Calling(self, e: lo.Calling) -> str:
        frame = ["f"] if e.function.startswith("L_") else []
        return f"{e.function}({', '.join(['s', *frame, *map(self.value, e.args)])})"

    def x_Dispatch(self, e: lo.Dispatch) -> str:
        self.world.dispatched.add(e.table)
        card = self.fresh("card")
        args = ["s", card, f"s->owner[{card}]", *map(self.value, e.args)]
        absent = "(L){0}" if is_list(e.kind) else c_number(int(lo.absent(e.kind) or 0))
        held = f"i64 {card} = {self.value(e.card)};"
        return f"({{ {held} {e.table}[{card}] ? {e.table}[{card}]({', '.join(args)}) : {absent}; }})"

    def x_TestOf(self, e: lo.TestOf) -> str:
        raise NoC("a test that is handed on")

    def x_Read(self, e: lo.Read) -> str:
        if e.what != "read":
            raise NoC(f"cards that are asked for what they make: {e.what}")
        named, functions = self.world.lowering.code.named, self.world.lowering.functions
        cards, wild = self.fresh("cards"), named("wild", e.ranking)
        flags = f"{wild}(s, {cards})" if wild in functions else "(L){0}"
        read = f"read_{named('ranking', e.ranking)}(s, {cards}, {flags}, {named('judge', e.ranking)})"
        return f"({{ L {cards} = {self.value(e.cards)}; {read}; }})"

    def x_Op(self, e: lo.Op) -> str:
        if e.operation in BEST_BY:
            function, sign = BEST_BY[e.operation]
            if is_list(e.kind) and e.kind.item is not None and is_list(e.kind.item):
                raise NoC("the best of lists")
            return f"{function}({self.value(e.args[0])}, {self.pair_width(e.args[0])}, {sign})"
        special = getattr(self, f"op_{e.operation}", None)
        if special is not None:
            return str(special(e, *e.args))
        args = [*(["s"] if OPERATIONS[e.operation].state else []), *map(self.value, e.args)]
        if OPERATIONS[e.operation].place:
            args.append(str(e.place))
        return f"{e.operation}({', '.join(args)})"

    def op_present(self, e: lo.Op, value: lo.Expr, absent: lo.Expr, somebody: lo.Expr) -> str:
        if c_type(value.kind) != "i64":
            raise NoC(f"a {value.kind.tag} that must be there")
        return f"present({self.value(value)}, {self.value(absent)}, {e.place})"

    def op_compare_readings(self, e: lo.Op, left: lo.Expr, operator: lo.Expr, right: lo.Expr) -> str:
        sign = operator.value if isinstance(operator, lo.Const) else "="
        result = self.fresh("result")
        held = f"int {result} = compared_readings({self.value(left)}, {self.value(right)});"
        test = f"{result} {COMPARED[str(sign)]}" if sign != ">=" else f"({result} == 0 || {result} == 1)"
        missing = "1" if sign == "!=" else "0"
        return f"({{ {held} {result} == 2 ? {missing} : {test}; }})"

    def op_alive(self, e: lo.Op) -> str:
        return "copied(list_of(s->alive))"

    def op_asked(self, e: lo.Op) -> str:
        return "s->who"

    def op_depth(self, e: lo.Op) -> str:
        return "(s->depth - 1)"

    def op_is_out(self, e: lo.Op, player: lo.Expr) -> str:
        return f"is_out(s, {self.value(player)})"

    def op_owner_of(self, e: lo.Op, card: lo.Expr) -> str:
        name = self.fresh("of")
        return f"({{ i64 {name} = {self.value(card)}; {name} >= 0 ? s->owner[{name}] : -1; }})"

    def op_copied(self, e: lo.Op, items: lo.Expr) -> str:
        return f"copied({self.value(items)})"

    def op_item_at(self, e: lo.Op, items: lo.Expr, place: lo.Expr) -> str:
        return f"({self.value(items)}).v[{self.value(place)}]"

    def op_most_of(self, e: lo.Op, *terms: lo.Expr) -> str:
        return self.most(terms, ">")

    def op_least_of(self, e: lo.Op, *terms: lo.Expr) -> str:
        return self.most(terms, "<")

    def most(self, terms: tuple[lo.Expr, ...], sign: str) -> str:
        best, item = self.fresh("best"), self.fresh("item")
        rest = "".join(
            f"{{ i64 {item} = {self.value(term)}; if ({item} {sign} {best}) {best} = {item}; }} " for term in terms[1:]
        )
        return f"({{ i64 {best} = {self.value(terms[0])}; {rest}{best}; }})"

    def op_first_list(self, e: lo.Op, *lists: lo.Expr) -> str:
        code = "(L){0}"
        for items in reversed(lists):
            name = self.fresh("list")
            code = f"({{ L {name} = {self.value(items)}; {name}.n ? {name} : {code}; }})"
        return code

    def op_first_present(self, e: lo.Op, values: lo.Expr, absent: lo.Expr) -> str:
        code = self.value(absent)
        for value in reversed(values.items if isinstance(values, lo.Items) else ()):
            name = self.fresh("value")
            code = f"({{ i64 {name} = {self.value(value)}; {name} != {self.value(absent)} ? {name} : {code}; }})"
        return code

    def op_reversed(self, e: lo.Op, items: lo.Expr) -> str:
        return f"turned({self.value(items)})"

    def op_distinct_values(self, e: lo.Op, items: lo.Expr) -> str:
        return f"different({self.value(items)})"

    def op_ascending(self, e: lo.Op, items: lo.Expr) -> str:
        return f"sorted_up({self.value(items)})"

    def op_negated(self, e: lo.Op, value: lo.Expr) -> str:
        if is_list(value.kind) or value.kind.tag == "key":
            raise NoC("a key of changing length")
        return f"-({self.value(value)})"

    def op_ranked(self, e: lo.Op, pairs: lo.Expr) -> str:
        width = self.pair_width(pairs)
        return f"items_of(in_key_order({self.value(pairs)}, {width}, -1), {width})"

    def op_range(self, e: lo.Op, *bounds: lo.Expr) -> str:
        return f"span_of({', '.join(self.bounds(bounds))})"

    def bounds(self, bounds: tuple[lo.Expr, ...]) -> list[str]:
        return [*map(self.value, bounds), *(["1"] if len(bounds) < 3 else [])]

    def op_few(self, e: lo.Op, run: lo.Expr, most: lo.Expr | None = None) -> str:
        if not isinstance(run, lo.Op) or run.operation != "range":
            raise NoC("few() of a list")
        return f"few({', '.join(self.bounds(run.args))}, {e.place})"

    def op_part_of(self, e: lo.Op, reading: lo.Expr, name: lo.Expr, absent: lo.Expr) -> str:
        part = name.value if isinstance(name, lo.Const) else ""
        if part == "title":
            raise NoC("titles of readings")
        if reading.kind.tag == "probe":
            return f"{self.value(reading)}->{part}"
        held = self.fresh("reading")
        other = "(L){0}" if is_list(e.kind) else self.value(absent)
        return f"({{ const Reading *{held} = {self.value(reading)}; {held} ? {held}->{part} : {other}; }})"

    def op_faces_of(self, e: lo.Op, cards: lo.Expr) -> str:
        return f"faces_of({self.value(cards)})"

    def op_no_answers(self, e: lo.Op) -> str:
        return "(L){0}"

    def op_with_answer(self, e: lo.Op, chosen: lo.Expr, who: lo.Expr, answer: lo.Expr) -> str:
        name = self.fresh("answers")
        if self.is_several(chosen):
            held = self.fresh("picked")
            put = f"L {held} = {self.value(answer)}; add(&{name}, {held}.n); extend(&{name}, {held});"
        else:
            put = f"add(&{name}, {self.value(answer)});"
        return f"({{ L {name} = copied({self.value(chosen)}); add(&{name}, {self.value(who)}); {put} {name}; }})"

    def op_who_answered(self, e: lo.Op, chosen: lo.Expr, place: lo.Expr) -> str:
        return f"answer_at({self.value(chosen)}, {self.value(place)}, {self.is_several(chosen)})[0]"

    def op_answer_of(self, e: lo.Op, chosen: lo.Expr, place: lo.Expr) -> str:
        at = f"answer_at({self.value(chosen)}, {self.value(place)}, {self.is_several(chosen)})"
        if not self.is_several(chosen):
            return f"{at}[1]"
        name = self.fresh("answer")
        return f"({{ const i64 *{name} = {at}; view({name} + 2, {name}[1]); }})"

    def op_more_picks(self, e: lo.Op, *args: lo.Expr) -> str:
        if len(args) > 6:
            raise NoC("a test that is handed on")
        return f"more_picks(s, {', '.join(map(self.value, args))})"

    def op_fulfilling(self, e: lo.Op, *args: lo.Expr) -> str:
        raise NoC("a test that is handed on")

    def op_highest_reading(self, e: lo.Op, readings: lo.Expr) -> str:
        raise NoC("a list of readings")

    op_lowest_reading = op_highest_reading

    def op_descending(self, e: lo.Op, items: lo.Expr) -> str:
        raise NoC("a key of changing length")

    op_larger_groups = op_descending

    def op_whole_numbers(self, e: lo.Op, items: lo.Expr, scale: lo.Expr, most: lo.Expr | None = None) -> str:
        limit = self.value(most) if most is not None else "LARGEST_NUMBER"
        return f"whole_numbers({self.value(items)}, {self.value(scale)}, {limit}, {e.place})"

    def op_counted(self, e: lo.Op, items: lo.Expr) -> str:
        return f"counted_items(s, {self.value(items)}, {e.place})"
