"""Generate C from the operations of expressions."""

from __future__ import annotations

from interpreter import lowered as lo
from interpreter.lowered.operations import OPERATIONS
from interpreter.native.loops import Loops
from interpreter.native.world import NoC, c_type, holds_lists, is_list

BEST_BY = {
    "highest_by": ("best_by", 1), "lowest_by": ("best_by", -1),
    "only_highest_by": ("only_best_by", 1), "only_lowest_by": ("only_best_by", -1),
    "all_highest_by": ("all_best_by", 1), "all_lowest_by": ("all_best_by", -1),
}  # fmt: skip
COMPARED = {"=": "== 0", "!=": "!= 0", "<": "== -1", ">": "== 1", "<=": "< 1", ">=": "% 2 >= 0"}


class Operations(Loops):
    def is_several(self, chosen: lo.Expr) -> int:
        return int(isinstance(chosen, lo.Local) and chosen.number in self.world.several)

    def x_Op(self, e: lo.Op) -> str:
        if e.operation in BEST_BY:
            function, sign = BEST_BY[e.operation]
            best = f"{function}(s, {self.value(e.args[0])}, {self.pair_width(e.args[0])}, {sign})"
            return best if e.operation.startswith("all_") else self.unboxed(best, e.kind)
        if e.operation in ("first_of", "last_of", "one_random") and is_list(e.kind):
            return f"unboxed(s, {e.operation}(s, {self.value(e.args[0])}, -1))"
        special = getattr(self, f"op_{e.operation}", None)
        if special is not None:
            return str(special(e, *e.args))
        args = ["s", *map(self.value, e.args)]
        if OPERATIONS[e.operation].place:
            args.append(str(e.place))
        return f"{e.operation}({', '.join(args)})"

    def op_present(self, e: lo.Op, value: lo.Expr, absent: lo.Expr, somebody: lo.Expr) -> str:
        if c_type(value.kind) != "i64":
            raise NoC(f"a {value.kind.tag} that must be there")
        return f"present(s, {self.value(value)}, {self.value(absent)}, {e.place})"

    def op_compare_readings(self, e: lo.Op, left: lo.Expr, operator: lo.Expr, right: lo.Expr) -> str:
        sign = operator.value if isinstance(operator, lo.Const) else "="
        result = self.fresh("result")
        held = f"int {result} = compared_readings({self.value(left)}, {self.value(right)});"
        test = f"{result} {COMPARED[str(sign)]}" if sign != ">=" else f"({result} == 0 || {result} == 1)"
        missing = "1" if sign == "!=" else "0"
        return f"({{ {held} {result} == 2 ? {missing} : {test}; }})"

    def op_strength_of(self, e: lo.Op, *_: lo.Expr) -> str:
        raise NoC("the strength of a reading outside a key")

    def op_alive(self, e: lo.Op) -> str:
        return "copied(s, list_of(s->alive))"

    def op_winners(self, e: lo.Op) -> str:
        return "winners_so_far(s)"

    def op_asked(self, e: lo.Op) -> str:
        return "s->who"

    def op_depth(self, e: lo.Op) -> str:
        return "(s->depth - 1)"

    def op_is_out(self, e: lo.Op, player: lo.Expr) -> str:
        return f"is_out(s, {self.value(player)})"

    def op_owner_of(self, e: lo.Op, card: lo.Expr) -> str:
        name = self.fresh("of")
        return f"({{ i64 {name} = {self.value(card)}; {name} >= 0 ? s->owner[{name}] : -1; }})"

    def op_pile_of(self, e: lo.Op, card: lo.Expr) -> str:
        name = self.fresh("of")
        return f"({{ i64 {name} = {self.value(card)}; {name} >= 0 ? s->loc[{name}] : -1; }})"

    def op_copied(self, e: lo.Op, items: lo.Expr) -> str:
        return f"copied(s, {self.value(items)})"

    def op_item_at(self, e: lo.Op, items: lo.Expr, place: lo.Expr) -> str:
        return self.unboxed(f"({self.value(items)}).v[{self.value(place)}]", e.kind)

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
        return f"turned(s, {self.value(items)})"

    def op_distinct_values(self, e: lo.Op, items: lo.Expr) -> str:
        if holds_lists(items.kind):
            raise NoC("lists that are compared within lists")
        of_cards = items.kind.item == lo.CARD
        return f"{'different_cards' if of_cards else 'different'}(s, {self.value(items)})"

    def op_ascending(self, e: lo.Op, items: lo.Expr) -> str:
        return f"sorted_up(s, {self.value(items)})"

    def op_negated(self, e: lo.Op, value: lo.Expr) -> str:
        if is_list(value.kind):
            raise NoC("a negative list outside a key")
        return f"-({self.value(value)})"

    def op_ranked(self, e: lo.Op, pairs: lo.Expr) -> str:
        width = self.pair_width(pairs)
        return f"items_of(s, in_key_order(s, {self.value(pairs)}, {width}, -1), {width})"

    def op_range(self, e: lo.Op, *bounds: lo.Expr) -> str:
        return f"span_of(s, {', '.join(self.bounds(bounds))})"

    def bounds(self, bounds: tuple[lo.Expr, ...]) -> list[str]:
        return [*map(self.value, bounds), *(["1"] if len(bounds) < 3 else [])]

    def op_few(self, e: lo.Op, run: lo.Expr, most: lo.Expr | None = None) -> str:
        if not isinstance(run, lo.Op) or run.operation != "range":
            raise NoC("few() of a list")
        return f"few(s, {', '.join(self.bounds(run.args))}, {e.place})"

    def op_part_of(self, e: lo.Op, reading: lo.Expr, name: lo.Expr, absent: lo.Expr) -> str:
        part = name.value if isinstance(name, lo.Const) else ""
        if part == "title" and self.may_split(reading):
            raise NoC("the title of a split into groups")
        if reading.kind.tag == "probe":
            return f"{self.value(reading)}->{part}"
        held = self.fresh("reading")
        other = "(L){0}" if is_list(e.kind) else self.value(absent)
        return f"({{ const Reading *{held} = {self.value(reading)}; {held} ? {held}->{part} : {other}; }})"

    def may_split(self, reading: lo.Expr) -> bool:
        """Check whether a reading may come from a ranking that splits cards into groups."""
        rankings = self.world.program.game.rankings
        if isinstance(reading, lo.Read):
            return rankings[reading.ranking].size == "groups"
        if isinstance(reading, lo.Calling) and (value := self.world.result_of(reading)) is not None:
            return self.may_split(value)
        return any(ranking.size == "groups" for ranking in rankings.values())

    def op_faces_of(self, e: lo.Op, cards: lo.Expr) -> str:
        return f"faces_of(s, {self.value(cards)})"

    def op_separate_copies(self, e: lo.Op, cards: lo.Expr) -> str:
        return f"separate_copies(s, {self.value(cards)})"

    def op_no_answers(self, e: lo.Op) -> str:
        return "(L){0}"

    def op_with_answer(self, e: lo.Op, chosen: lo.Expr, who: lo.Expr, answer: lo.Expr) -> str:
        name = self.fresh("answers")
        if self.is_several(chosen):
            held = self.fresh("picked")
            put = f"L {held} = {self.value(answer)}; add(s, &{name}, {held}.n); extend(s, &{name}, {held});"
        else:
            put = f"add(s, &{name}, {self.value(answer)});"
        return f"({{ L {name} = copied(s, {self.value(chosen)}); add(s, &{name}, {self.value(who)}); {put} {name}; }})"

    def op_who_answered(self, e: lo.Op, chosen: lo.Expr, place: lo.Expr) -> str:
        return f"answer_at({self.value(chosen)}, {self.value(place)}, {self.is_several(chosen)})[0]"

    def op_answer_of(self, e: lo.Op, chosen: lo.Expr, place: lo.Expr) -> str:
        at = f"answer_at({self.value(chosen)}, {self.value(place)}, {self.is_several(chosen)})"
        if not self.is_several(chosen):
            return f"{at}[1]"
        name = self.fresh("answer")
        return f"({{ const i64 *{name} = {at}; view({name} + 2, {name}[1]); }})"

    def op_more_picks(self, e: lo.Op, *args: lo.Expr) -> str:
        test = [] if isinstance(args[-1], lo.TestOf) else ["(Test){0}"]
        return f"more_picks(s, {', '.join([*map(self.value, args), *test])})"

    def op_fulfilling(self, e: lo.Op, items: lo.Expr, low: lo.Expr, high: lo.Expr, test: lo.Expr) -> str:
        most = "INT32_MAX" if isinstance(high, lo.Const) and high.value is None else self.value(high)
        return f"fulfilling(s, {self.value(items)}, {self.value(low)}, {most}, {self.value(test)})"

    def op_highest_reading(self, e: lo.Op, readings: lo.Expr) -> str:
        return f"best_reading({self.value(readings)}, 1)"

    def op_lowest_reading(self, e: lo.Op, readings: lo.Expr) -> str:
        return f"best_reading({self.value(readings)}, -1)"

    def op_descending(self, e: lo.Op, items: lo.Expr) -> str:
        return f"turned(s, sorted_up(s, {self.value(items)}))"

    def op_subsets(self, e: lo.Op, items: lo.Expr) -> str:
        return self.made(e)

    def op_whole_numbers(self, e: lo.Op, items: lo.Expr, scale: lo.Expr, most: lo.Expr | None = None) -> str:
        limit = self.value(most) if most is not None else "LARGEST_NUMBER"
        return f"whole_numbers(s, {self.value(items)}, {self.value(scale)}, {limit}, {e.place})"

    def op_counted(self, e: lo.Op, items: lo.Expr) -> str:
        return f"counted_items(s, {self.value(items)}, {e.place})"
