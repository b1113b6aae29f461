"""C code of IR expressions and operations."""

from __future__ import annotations

from interpreter import ir
from interpreter.codegen.c.c_context import (
    UnsupportedInC,
    encode_absent_number,
    find_c_type,
    format_c_number,
    is_list_kind,
    is_list_of_lists,
)
from interpreter.codegen.c.c_loops import CLoopGenerator
from interpreter.codegen.templates import COMPARISON_SIGNS, fill_template
from interpreter.ir.traversal import find_free_ir_variables

BEST_BY = {
    "highest_by": ("best_by", 1), "lowest_by": ("best_by", -1),
    "only_highest_by": ("only_best_by", 1), "only_lowest_by": ("only_best_by", -1),
    "all_highest_by": ("all_best_by", 1), "all_lowest_by": ("all_best_by", -1),
}  # fmt: skip
OPERATION_TEMPLATES = {
    "alive": "copied(s, list_of(s->alive))", "winners": "winners_so_far(s)", "asked": "s->who",
    "depth": "(s->depth - 1)", "reversed": "turned(s, {0})", "ascending": "sorted_up(s, {0})",
    "descending": "turned(s, sorted_up(s, {0}))", "no_answers": "(L){{0}}", "counted": "counted_items(s, {0}, {place})",
    "highest_reading": "best_reading({0}, 1)", "lowest_reading": "best_reading({0}, -1)",
}  # fmt: skip
READING_COMPARISONS = {"=": "== 0", "!=": "!= 0", "<": "== -1", ">": "== 1", "<=": "< 1", ">=": "% 2 >= 0"}


class COperationGenerator(CLoopGenerator):
    def has_multi_choices(self, choices: ir.Expr) -> int:
        return int(isinstance(choices, ir.Local) and choices.number in self.context.multi_choice_variables)

    def generate_Op(self, e: ir.Op) -> str:
        if e.operation in BEST_BY:
            function, sign = BEST_BY[e.operation]
            best = f"{function}(s, {self.generate_value(e.args[0])}, {self.find_pair_key_width(e.args[0])}, {sign})"
            return best if e.operation.startswith("all_") else self.generate_unboxed(best, e.kind)
        if e.operation in ("first_of", "last_of", "one_random") and is_list_kind(e.kind):
            return f"unboxed(s, {e.operation}(s, {self.generate_value(e.args[0])}, -1))"
        special = getattr(self, f"generate_op_{e.operation}", None)
        if special is not None:
            return str(special(e, *e.args))
        if e.operation in OPERATION_TEMPLATES:
            return fill_template(OPERATION_TEMPLATES[e.operation], self.generate_value, e.args, e.place)
        args = ["s", *map(self.generate_value, e.args)]
        if e.operation in ir.PLACE_OPERATIONS:
            args.append(str(e.place))
        return f"{e.operation}({', '.join(args)})"

    def generate_op_present(self, e: ir.Op, value: ir.Expr, absent: ir.Expr, somebody: ir.Expr) -> str:
        if find_c_type(value.kind) != "i64":
            raise UnsupportedInC(f"a {value.kind.tag} that must be there")
        return f"present(s, {self.generate_value(value)}, {self.generate_value(absent)}, {e.place})"

    def generate_op_compare_readings(self, e: ir.Op, left: ir.Expr, operator: ir.Expr, right: ir.Expr) -> str:
        sign = operator.value if isinstance(operator, ir.Const) else "="
        result = self.make_c_name("result")
        declaration = f"int {result} = compared_readings({self.generate_value(left)}, {self.generate_value(right)});"
        test = f"{result} {READING_COMPARISONS[str(sign)]}" if sign != ">=" else f"({result} == 0 || {result} == 1)"
        missing = "1" if sign == "!=" else "0"
        return f"({{ {declaration} {result} == 2 ? {missing} : {test}; }})"

    def generate_op_strength_of(self, e: ir.Op, *_: ir.Expr) -> str:
        raise UnsupportedInC("the strength of a reading outside a key")

    def generate_op_owner_of(self, e: ir.Op, card: ir.Expr) -> str:
        name = self.make_c_name("of")
        return f"({{ i64 {name} = {self.generate_value(card)}; {name} >= 0 ? s->owner[{name}] : -1; }})"

    def generate_op_pile_of(self, e: ir.Op, card: ir.Expr) -> str:
        name = self.make_c_name("of")
        return f"({{ i64 {name} = {self.generate_value(card)}; {name} >= 0 ? s->loc[{name}] : -1; }})"

    def generate_op_item_at(self, e: ir.Op, items: ir.Expr, index: ir.Expr) -> str:
        return self.generate_unboxed(f"({self.generate_value(items)}).v[{self.generate_value(index)}]", e.kind)

    def generate_op_most_of(self, e: ir.Op, *terms: ir.Expr) -> str:
        return self.generate_extreme_of_terms(terms, ">")

    def generate_op_least_of(self, e: ir.Op, *terms: ir.Expr) -> str:
        return self.generate_extreme_of_terms(terms, "<")

    def generate_extreme_of_terms(self, terms: tuple[ir.Expr, ...], sign: str) -> str:
        best, item = self.make_c_name("best"), self.make_c_name("item")
        rest = "".join(
            f"{{ i64 {item} = {self.generate_value(term)}; if ({item} {sign} {best}) {best} = {item}; }} "
            for term in terms[1:]
        )
        return f"({{ i64 {best} = {self.generate_value(terms[0])}; {rest}{best}; }})"

    def generate_op_first_list(self, e: ir.Op, *lists: ir.Expr) -> str:
        code = "(L){0}"
        for items in reversed(lists):
            name = self.make_c_name("list")
            code = f"({{ L {name} = {self.generate_value(items)}; {name}.n ? {name} : {code}; }})"
        return code

    def generate_op_first_present(self, e: ir.Op, values: ir.Expr, absent: ir.Expr) -> str:
        code = self.generate_value(absent)
        for value in reversed(values.items if isinstance(values, ir.Items) else ()):
            name = self.make_c_name("value")
            declaration = f"i64 {name} = {self.generate_value(value)};"
            code = f"({{ {declaration} {name} != {self.generate_value(absent)} ? {name} : {code}; }})"
        return code

    def generate_op_distinct_values(self, e: ir.Op, items: ir.Expr) -> str:
        if is_list_of_lists(items.kind):
            raise UnsupportedInC("lists that are compared within lists")
        of_cards = items.kind.item == ir.CARD
        return f"{'different_cards' if of_cards else 'different'}(s, {self.generate_value(items)})"

    def generate_op_negated(self, e: ir.Op, value: ir.Expr) -> str:
        if is_list_kind(value.kind):
            raise UnsupportedInC("a negative list outside a key")
        return f"-({self.generate_value(value)})"

    def generate_op_ranked(self, e: ir.Op, pairs: ir.Expr) -> str:
        width = self.find_pair_key_width(pairs)
        return f"items_of(s, in_key_order(s, {self.generate_value(pairs)}, {width}, -1), {width})"

    def generate_op_range(self, e: ir.Op, *bounds: ir.Expr) -> str:
        return f"span_of(s, {', '.join(self.generate_range_bounds(bounds))})"

    def generate_range_bounds(self, bounds: tuple[ir.Expr, ...]) -> list[str]:
        return [*map(self.generate_value, bounds), *(["1"] if len(bounds) < 3 else [])]

    def generate_op_few(self, e: ir.Op, run: ir.Expr, most: ir.Expr | None = None) -> str:
        if not isinstance(run, ir.Op) or run.operation != "range":
            raise UnsupportedInC("few() of a list")
        return f"few(s, {', '.join(self.generate_range_bounds(run.args))}, {e.place})"

    def generate_op_part_of(self, e: ir.Op, reading: ir.Expr, name: ir.Expr, absent: ir.Expr) -> str:
        part = name.value if isinstance(name, ir.Const) else ""
        if part == "title" and self.can_be_split(reading):
            raise UnsupportedInC("the title of a split into groups")
        if reading.kind.tag == "probe":
            return f"{self.generate_value(reading)}->{part}"
        pointer = self.make_c_name("reading")
        other = "(L){0}" if is_list_kind(e.kind) else self.generate_value(absent)
        declaration = f"const Reading *{pointer} = {self.generate_value(reading)};"
        return f"({{ {declaration} {pointer} ? {pointer}->{part} : {other}; }})"

    def can_be_split(self, reading: ir.Expr) -> bool:
        """Check whether a reading may come from a ranking that splits cards into groups."""
        rankings = self.context.program.game.rankings
        if isinstance(reading, ir.Read):
            return rankings[reading.ranking].size == "groups"
        if isinstance(reading, ir.Calling) and (value := self.context.find_returned_value(reading)) is not None:
            return self.can_be_split(value)
        return any(ranking.size == "groups" for ranking in rankings.values())

    def generate_op_with_answer(self, e: ir.Op, choices: ir.Expr, player: ir.Expr, answer: ir.Expr) -> str:
        name = self.make_c_name("answers")
        if self.has_multi_choices(choices):
            picked = self.make_c_name("picked")
            declaration = f"L {picked} = {self.generate_value(answer)};"
            put = f"{declaration} add(s, &{name}, {picked}.n); extend(s, &{name}, {picked});"
        else:
            put = f"add(s, &{name}, {self.generate_value(answer)});"
        copy = f"L {name} = copied(s, {self.generate_value(choices)});"
        return f"({{ {copy} add(s, &{name}, {self.generate_value(player)}); {put} {name}; }})"

    def generate_op_who_answered(self, e: ir.Op, choices: ir.Expr, index: ir.Expr) -> str:
        return f"{self.generate_answer_pointer(choices, index)}[0]"

    def generate_op_answer_of(self, e: ir.Op, choices: ir.Expr, index: ir.Expr) -> str:
        at = self.generate_answer_pointer(choices, index)
        if not self.has_multi_choices(choices):
            return f"{at}[1]"
        name = self.make_c_name("answer")
        return f"({{ const i64 *{name} = {at}; view({name} + 2, {name}[1]); }})"

    def generate_answer_pointer(self, choices: ir.Expr, index: ir.Expr) -> str:
        args = (self.generate_value(choices), self.generate_value(index), str(self.has_multi_choices(choices)))
        return f"answer_at({', '.join(args)})"

    def generate_op_more_picks(self, e: ir.Op, *args: ir.Expr) -> str:
        test = [] if isinstance(args[-1], ir.TestOf) else ["(Test){0}"]
        return f"more_picks(s, {', '.join([*map(self.generate_value, args), *test])})"

    def generate_op_fulfilling(self, e: ir.Op, items: ir.Expr, low: ir.Expr, high: ir.Expr, test: ir.Expr) -> str:
        most = "INT32_MAX" if isinstance(high, ir.Const) and high.value is None else self.generate_value(high)
        args = (self.generate_value(items), self.generate_value(low), most, self.generate_value(test))
        return f"fulfilling(s, {', '.join(args)})"

    def generate_op_subsets(self, e: ir.Op, *args: ir.Expr) -> str:
        return self.generate_new_list(e)

    def generate_op_whole_numbers(self, e: ir.Op, items: ir.Expr, scale: ir.Expr, most: ir.Expr | None = None) -> str:
        limit = self.generate_value(most) if most is not None else "LARGEST_NUMBER"
        return f"whole_numbers(s, {self.generate_value(items)}, {self.generate_value(scale)}, {limit}, {e.place})"


C_ARITHMETIC_FUNCTIONS = {"*": "product", "//": "floor_div", "%": "floor_mod"}


class CExpressionGenerator(COperationGenerator):
    # ------------------------------------------------------------ single values
    def generate_Const(self, e: ir.Const) -> str:
        if isinstance(e.value, str):
            return str(self.context.number_text(e.value))
        if isinstance(e.value, tuple):
            return self.context.generate_constant_list(e.value)
        if e.value is None:
            return "0"
        return format_c_number(e.value)

    def generate_Local(self, e: ir.Local) -> str:
        slot = self.slots.get(e.number)
        if slot is None:
            return f"v{e.number}"
        return f"list_of(f->l[SLOT_{slot}_{self.frame_number}])" if is_list_kind(e.kind) else f"f->x[{slot}]"

    def generate_SlotOf(self, e: ir.SlotOf) -> str:
        return str(self.slots[e.local.number])

    def generate_Track(self, e: ir.Track) -> str:
        return self.generate_slot_access("s->t[{}]", e, format_c_number(encode_absent_number(e.kind)))

    def generate_Pile(self, e: ir.Pile) -> str:
        return self.generate_slot_access("cards_in(s, {})", e, "(L){0}")

    def generate_slot_access(self, form: str, e: ir.Track | ir.Pile, absent: str) -> str:
        if e.of is None:
            return form.format(e.base)
        if not e.may_lack:
            return form.format(f"{e.base} + {self.generate_value(e.of)}")
        name = self.make_c_name("of")
        access = form.format(f"{e.base} + {name}")
        return f"({{ i64 {name} = {self.generate_value(e.of)}; {name} >= 0 ? {access} : {absent}; }})"

    def generate_Entry(self, e: ir.Entry) -> str:
        self.context.add_table(e.table)
        return f"{e.table}[{self.generate_value(e.index)}]"

    def generate_Table(self, e: ir.Table) -> str:
        return f"view({e.table}, {self.context.add_table(e.table)})"

    def generate_Link(self, e: ir.Link) -> str:
        frame, slot = f"s->frames[{self.generate_value(e.depth)}]", f"{self.generate_value(e.base)} + {e.offset}"
        return f"list_in({frame}, {slot})" if is_list_kind(e.kind) else f"{frame}.x[{slot}]"

    def generate_Arith(self, e: ir.Arith) -> str:
        left, right = self.generate_value(e.left), self.generate_value(e.right)
        if e.operator in C_ARITHMETIC_FUNCTIONS:
            return f"{C_ARITHMETIC_FUNCTIONS[e.operator]}(s, {left}, {right})"
        return f"({left} {e.operator} {right})"

    # ------------------------------------------------------------ conditions
    def generate_Compare(self, e: ir.Compare) -> str:
        if is_list_of_lists(e.left.kind) or is_list_of_lists(e.right.kind):
            raise UnsupportedInC("lists that are compared within lists")
        if is_list_kind(e.left.kind) or is_list_kind(e.right.kind):
            function = "same_set" if e.unordered else "same_list"
            same = f"{function}({self.generate_value(e.left)}, {self.generate_value(e.right)})"
            return same if e.operator == "=" else f"!{same}"
        operator = COMPARISON_SIGNS[e.operator]
        if not (e.left_lacks or e.right_lacks):
            return f"({self.generate_value(e.left)} {operator} {self.generate_value(e.right)})"
        left, right = self.make_c_name("term"), self.make_c_name("term")
        absent = format_c_number(encode_absent_number(e.left.kind))
        if e.left_lacks and not e.right_lacks:
            comparison = f"{left} {operator} {self.generate_value(e.right)}"
            return f"({{ i64 {left} = {self.generate_value(e.left)}; {absent} < {left} && {comparison}; }})"
        declarations = f"i64 {left} = {self.generate_value(e.left)}, {right} = {self.generate_value(e.right)};"
        test = f"{left} {operator} {right}"
        if e.operator == "=":
            test += f" && {left} != {absent}"
        elif e.operator == "!=":
            test += f" || {left} == {absent}"
        else:
            test += f" && {absent} < {right}"
        return f"({{ {declarations} {test}; }})"

    def generate_Logic(self, e: ir.Logic) -> str:
        return f"({(' && ' if e.operator == 'and' else ' || ').join(map(self.generate_truth, e.parts))})"

    def generate_Not(self, e: ir.Not) -> str:
        return f"!({self.generate_truth(e.value)})"

    def generate_Either(self, e: ir.Either) -> str:
        return (
            f"({self.generate_truth(e.condition)} ? {self.generate_value(e.then)} : {self.generate_value(e.otherwise)})"
        )

    def generate_IsIn(self, e: ir.IsIn) -> str:
        if is_list_of_lists(e.list.kind):
            raise UnsupportedInC("lists that are compared within lists")
        return f"contains({self.generate_value(e.list)}, {self.generate_value(e.value)})"

    # ------------------------------------------------------------ lists
    def generate_Items(self, e: ir.Items) -> str:
        return self.generate_new_list(e) if e.items else "(L){0}"

    def generate_Spread(self, e: ir.Spread) -> str:
        raise UnsupportedInC("the items of a list outside a list")

    def generate_Key(self, e: ir.Key) -> str:
        raise UnsupportedInC("a key outside a list of pairs")

    def generate_Loop(self, e: ir.Loop) -> str:
        return self.generate_fold(e)

    def generate_At(self, e: ir.At) -> str:
        if e.index >= 0:
            return self.generate_unboxed(f"({self.generate_value(e.list)}).v[{e.index}]", e.kind)
        name = self.make_c_name("list")
        return self.generate_unboxed(
            f"({{ L {name} = {self.generate_value(e.list)}; {name}.v[{name}.n - 1]; }})", e.kind
        )

    def generate_Count(self, e: ir.Count) -> str:
        if e.list.kind.tag == "answers":
            return f"answers_in({self.generate_value(e.list)}, {self.has_multi_choices(e.list)})"
        return f"(i64)({self.generate_value(e.list)}).n"

    # ------------------------------------------------------------ calls
    def generate_Calling(self, e: ir.Calling) -> str:
        frame = ["f"] if e.function.startswith("L_") else []
        return f"{e.function}({', '.join(['s', *frame, *map(self.generate_value, e.args)])})"

    def generate_Dispatch(self, e: ir.Dispatch) -> str:
        self.context.used_dispatches.add(e.table)
        card = self.make_c_name("card")
        args = ["s", card, f"s->owner[{card}]", *map(self.generate_value, e.args)]
        absent = "(L){0}" if is_list_kind(e.kind) else format_c_number(encode_absent_number(e.kind))
        declaration = f"i64 {card} = {self.generate_value(e.card)};"
        return f"({{ {declaration} {e.table}[{card}] ? {e.table}[{card}]({', '.join(args)}) : {absent}; }})"

    def generate_TestOf(self, e: ir.TestOf) -> str:
        """Generate a function that tests a choice, with a struct for the values it captures: closure conversion."""
        inside = CExpressionGenerator(self.context, self.slots, self.frame_number)
        condition = inside.generate_truth(e.condition)
        free = find_free_ir_variables([e.condition]) - {e.local.number}
        given = {part.number: part for part in ir.walk([e.condition]) if isinstance(part, ir.Local)}
        taken = [(find_c_type(given[number].kind), f"v{number}") for number in sorted(free - self.slots.keys())]
        taken += [("Frame *", "f")] if free & self.slots.keys() else []
        name = f"T_{len(self.context.test_functions)}"
        fields = " ".join(f"{kind} {local};" for kind, local in [*taken, ("int", "none")])
        lines = [f"const struct {name} *given = all;", "(void)given;"]
        lines += [f"{kind} {local} = given->{local};" for kind, local in taken]
        head = f"static i64 {name}(S *s, const void *all, L v{e.local.number})"
        body = " ".join([*lines, f"return {condition};"])
        self.context.test_functions.append(f"struct {name} {{ {fields} }};\n{head} {{ {body} }}")
        values = ", ".join(local for _, local in taken)
        sets = (
            f"&{self.context.lowering.make_identifier('ranking', e.ranking)}_ranking" if e.ranking is not None else "0"
        )
        return f"(Test){{{name}, &(struct {name}){{{values}}}, {sets}}}"

    def generate_Read(self, e: ir.Read) -> str:
        named, functions = self.context.lowering.make_identifier, self.context.lowering.functions
        cards, wild = self.make_c_name("cards"), named("wild", e.ranking)
        flags = f"{wild}(s, {cards})" if wild in functions and e.what != "beside" else "(L){0}"
        given = f"&{named('ranking', e.ranking)}_ranking, s, {cards}, {flags}"
        if e.what == "matches":
            read = f"matching({given})"
        elif self.context.program.game.rankings[e.ranking].size == "groups":
            read = f"read_split({given}, {self.generate_value(e.other) if e.other is not None else 0})"
        else:
            read = f"read_hand({given}, {named('judge', e.ranking)})"
        return f"({{ L {cards} = {self.generate_value(e.cards)}; {read}; }})"
