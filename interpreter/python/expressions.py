"""Generate Python from expressions of the IR.

The source uses the names `s` (the state), `t`, `z`, `ow`, `f` (its tracks, piles, owners and the current frame), and
variables `v1`, `v2`, …. Its namespace contains `interpreter.helpers`, the movers and the program's tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from interpreter import lowered as lo
from interpreter.handlers import handlers
from interpreter.lowered.operations import OPERATIONS
from interpreter.lowering.writer import is_simple

OPERATORS = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
BOOLEAN = (lo.Compare, lo.Logic, lo.Not, lo.IsIn)
ZERO_LIST = "()"


class Expressions:
    """Code generator for the expressions of one function.

    slots: the frame slots of variables.
    held: the variables among them that are also stored in a local.
    used: the short names that the source needs.
    printers: for each class of expressions, the method `x_…` that generates it."""

    def __init__(self, slots: Mapping[int, int], held: frozenset[int] = frozenset()) -> None:
        self.slots = slots
        self.held = held
        self.used: set[str] = set()
        self.printers = handlers(type(self), "x_", lo.EXPRESSIONS, "interpreter/python/expressions.py")

    def text(self, expr: lo.Expr) -> str:
        text: str = self.printers[type(expr)](self, expr)
        return text

    def number(self, expr: lo.Expr) -> str:
        """Generate a value to be stored: flags as 0 and 1."""
        text = self.text(expr)
        if expr.kind.tag != "flag" or not (isinstance(expr, lo.Local) or self.is_boolean(expr)):
            return text
        return f"+{text}" if isinstance(expr, lo.Not | lo.Local) else f"(1 if {text} else 0)"

    def is_boolean(self, expr: lo.Expr) -> bool:
        """Check whether the Python expression of a flag is a bool, or perhaps a list."""
        if isinstance(expr, lo.Either):
            return self.is_boolean(expr.then) or self.is_boolean(expr.otherwise)
        if isinstance(expr, lo.Op):
            return expr.operation != "present"
        return isinstance(expr, (*BOOLEAN, lo.Loop, lo.Read))

    # ------------------------------------------------------------ single values
    def x_Const(self, e: lo.Const) -> str:
        return repr(e.value)

    def x_Local(self, e: lo.Local) -> str:
        slot = self.slots.get(e.number)
        if slot is None or e.number in self.held:
            return f"v{e.number}"
        self.used.add("f")
        return f"f[{slot}]"

    def x_SlotOf(self, e: lo.SlotOf) -> str:
        return str(self.slots[e.local.number])

    def x_Track(self, e: lo.Track) -> str:
        self.used.add("t")
        return self.at("t", e)

    def x_Pile(self, e: lo.Pile) -> str:
        self.used.add("z")
        return self.at("z", e)

    def at(self, array: str, e: lo.Track | lo.Pile) -> str:
        if e.of is None:
            return f"{array}[{e.base}]"
        of = self.text(e.of)
        absent = repr(lo.absent(e.kind))
        plus = f"{e.base}+" if e.base else ""
        if not e.may_lack:
            return f"{array}[{plus}{of}]"
        if is_simple(e.of):
            return f"({array}[{plus}{of}] if {of} >= 0 else {absent})"
        return f"slot_of({array}, {e.base}, {of}, {absent})"

    def x_Entry(self, e: lo.Entry) -> str:
        return f"{e.table}[{self.text(e.index)}]"

    def x_Table(self, e: lo.Table) -> str:
        return e.table

    def x_Link(self, e: lo.Link) -> str:
        base = self.text(e.base)
        place = str(int(base) + e.offset) if base.isdigit() else f"{base} + {e.offset}"
        return f"s.frames[{self.text(e.depth)}][{place}]"

    def x_Arith(self, e: lo.Arith) -> str:
        return f"({self.text(e.left)} {e.operator} {self.text(e.right)})"

    # ------------------------------------------------------------ conditions
    def x_Compare(self, e: lo.Compare) -> str:
        left, right = self.text(e.left), self.text(e.right)
        if e.unordered:
            left, right = f"set({left})", f"set({right})"
        elif e.left.kind.tag == "list":
            left, right = f"list({left})", f"list({right})"
        elif e.left.kind.tag == "reading":
            return f"({left} {'is' if e.operator == '=' else 'is not'} {right})"
        absent = repr(lo.absent(e.left.kind))
        if e.operator == "=" and e.left_lacks and e.right_lacks:
            return f"({left} == {right} != {absent})"
        if e.operator == "!=" and e.left_lacks and e.right_lacks:
            return f"(not {left} == {right} != {absent})"
        before = f"{absent} < " if e.left_lacks else ""
        behind = f" > {absent}" if e.right_lacks else ""
        return f"({before}{left} {OPERATORS[e.operator]} {right}{behind})"

    def x_Logic(self, e: lo.Logic) -> str:
        return f"({f' {e.operator} '.join(map(self.text, e.parts))})"

    def x_Not(self, e: lo.Not) -> str:
        return f"(not {self.text(e.value)})"

    def x_Either(self, e: lo.Either) -> str:
        return f"({self.number(e.then)} if {self.text(e.condition)} else {self.number(e.otherwise)})"

    def x_IsIn(self, e: lo.IsIn) -> str:
        return f"({self.text(e.value)} in {self.text(e.list)})"

    # ------------------------------------------------------------ lists
    def x_Items(self, e: lo.Items) -> str:
        return f"[{', '.join(map(self.text, e.items))}]"

    def x_Spread(self, e: lo.Spread) -> str:
        return self.joined_in(e, self.text)

    def joined_in(self, e: lo.Spread, text: Callable[[lo.Expr], str]) -> str:
        """Generate a list within a list, with `text` for each item."""
        if isinstance(e.list, lo.Items) and e.list.items:
            return ", ".join(map(text, e.list.items))
        return f"*{text(e.list)}"

    def x_Key(self, e: lo.Key) -> str:
        return f"({', '.join(map(self.text, e.parts))}{',' if len(e.parts) == 1 else ''})"

    def x_At(self, e: lo.At) -> str:
        return f"{self.text(e.list)}[{e.index}]"

    def x_Count(self, e: lo.Count) -> str:
        if isinstance(e.list, lo.Const) and isinstance(e.list.value, tuple):
            return str(len(e.list.value))
        return f"len({self.text(e.list)})"

    def x_Loop(self, e: lo.Loop) -> str:
        """Generate a loop. Item-independent conditions are tested before it."""
        guards = [clause.condition for clause in e.clauses if isinstance(clause, lo.Test)]
        first = e.clauses[0]
        if isinstance(first, lo.Test) and guards:
            rest = lo.Loop(e.kind, e.function, e.clauses[1:], e.body)
            nothing = {"list": "()", "pairs": "()", "any": "False", "every": "True", "count": "0", "total": "0"}
            otherwise = nothing.get(e.function, repr(lo.absent(e.kind)))
            return f"({self.text(rest)} if {self.text(first.condition)} else {otherwise})"
        return self.looped(e)

    def looped(self, e: lo.Loop) -> str:
        bare = self.bare_list(e)
        body = self.text(e.body)
        made = bare if bare and e.function in ("total", "highest", "lowest") else f"[{body} {self.clauses(e.clauses)}]"
        match e.function:
            case "any":
                return f"any({made})"
            case "every":
                return f"all({made})"
            case "count":
                return f"len({made})"
            case "total":
                return f"sum({made})"
            case "highest" | "lowest":
                best = "max" if e.function == "highest" else "min"
                return f"{best}({made})" if bare and has_items(e) else f"{best}({made}, default={lo.absent(e.kind)!r})"
        return made

    def bare_list(self, e: lo.Loop) -> str:
        """Return the list itself, if the loop does not transform its items; otherwise empty."""
        if len(e.clauses) == 1 and isinstance(e.clauses[0], lo.For) and e.clauses[0].local == e.body:
            return self.in_any_order(e.clauses[0].list)
        return ""

    def in_any_order(self, items: lo.Expr) -> str:
        """Generate a list whose order does not matter."""
        return self.text(items)

    def gone_through(self, items: lo.Expr) -> str:
        """Generate a list that is only iterated over, once."""
        if isinstance(items, lo.Op) and items.operation == "distinct_values":
            return f"dict.fromkeys({self.text(items.args[0])})"
        return self.text(items)

    def clauses(self, clauses: Sequence[lo.For | lo.Let | lo.Test]) -> str:
        found = []
        for clause in clauses:
            match clause:
                case lo.For():
                    found.append(f"for {self.text(clause.local)} in {self.gone_through(clause.list)}")
                case lo.Let():
                    found.append(f"for {self.text(clause.local)} in ({self.text(clause.value)},)")
                case lo.Test():
                    found.append(f"if {self.text(clause.condition)}")
        return " ".join(found)

    # ------------------------------------------------------------ calls
    def x_Calling(self, e: lo.Calling) -> str:
        args = ["s", *(["f"] if e.function.startswith("L_") else []), *map(self.text, e.args)]
        self.used.update({"f"} if e.function.startswith("L_") else ())
        return f"{e.function}({', '.join(args)})"

    def x_Dispatch(self, e: lo.Dispatch) -> str:
        args = "".join(f", {self.text(arg)}" for arg in e.args)
        return f"borne(s, {e.table}, {self.text(e.card)}, {lo.absent(e.kind)!r}{args})"

    def x_Read(self, e: lo.Read) -> str:
        cards, name = self.text(e.cards), e.ranking
        match e.what:
            case "beside":
                return f"read_beside({name!r}, s, {cards}, {self.text(e.other) if e.other else None})"
            case "matches":
                return f"matches({name!r}, s, {cards})"
        return f"read({name!r}, s, {cards})"

    def x_TestOf(self, e: lo.TestOf) -> str:
        sets = f"rank_sets({e.ranking!r})" if e.ranking is not None else "None"
        return f"(lambda {self.text(e.local)}: {self.text(e.condition)}), {sets}"

    def x_Op(self, e: lo.Op) -> str:
        special = getattr(self, f"op_{e.operation}", None)
        if special is not None:
            return str(special(*e.args))
        operation = OPERATIONS[e.operation]
        args = [*(["s"] if operation.state else []), *map(self.text, e.args)]
        if operation.place:
            args.insert(self.place_of(e, len(args)), f"AT[{e.place}]")
        call = f"{e.operation}({', '.join(args)})"
        if e.operation == "present" and is_simple(e.args[0]):  # rarely called
            return f"({args[0]} if {args[0]} != {args[1]} else {call})"
        return call

    def place_of(self, e: lo.Op, count: int) -> int:
        """Return the position of the rule's place among the arguments."""
        return {"few": 1, "whole_numbers": 2, "present": 2}.get(e.operation, count)

    def op_alive(self) -> str:
        return "s.alive"

    def op_asked(self) -> str:
        return "s.who"

    def op_depth(self) -> str:
        return "(len(s.frames) - 1)"

    def op_is_out(self, player: lo.Expr) -> str:
        return f"(s.out >> {self.text(player)} & 1)"

    def op_owner_of(self, card: lo.Expr) -> str:
        self.used.add("ow")
        of = self.text(card)
        return f"({f'ow[{of}]'} if {of} >= 0 else -1)" if is_simple(card) else f"slot_of(ow, 0, {of}, -1)"

    def op_pile_of(self, card: lo.Expr) -> str:
        return f"slot_of(s.loc, 0, {self.text(card)}, -1)"

    def op_copied(self, items: lo.Expr) -> str:
        return f"{self.text(items)}[:]" if isinstance(items, lo.Pile) else f"list({self.text(items)})"

    def op_item_at(self, items: lo.Expr, place: lo.Expr) -> str:
        return f"{self.text(items)}[{self.text(place)}]"

    def op_most_of(self, *terms: lo.Expr) -> str:
        return f"max({', '.join(map(self.text, terms))})"

    def op_least_of(self, *terms: lo.Expr) -> str:
        return f"min({', '.join(map(self.text, terms))})"

    def op_first_list(self, *lists: lo.Expr) -> str:
        return f"({' or '.join(map(self.text, lists))} or ())"

    def op_reversed(self, items: lo.Expr) -> str:
        return f"{self.text(items)}[::-1]"

    def op_distinct_values(self, items: lo.Expr) -> str:
        return f"list(dict.fromkeys({self.text(items)}))"

    def op_descending(self, items: lo.Expr) -> str:
        return f"sorted({self.text(items)}, reverse=True)"

    def op_ascending(self, items: lo.Expr) -> str:
        return f"sorted({self.text(items)})"

    def op_negated(self, value: lo.Expr) -> str:
        text = self.text(value)
        return f"[-x for x in {text}]" if value.kind.tag == "list" else f"-({text})"

    def op_ranked(self, pairs: lo.Expr) -> str:
        return f"[p[-1] for p in sorted({self.text(pairs)}, key=KEY, reverse=True)]"

    def op_range(self, *bounds: lo.Expr) -> str:
        return f"range({', '.join(map(self.text, bounds))})"

    def op_part_of(self, reading: lo.Expr, name: lo.Expr, absent: lo.Expr) -> str:
        part = name.value if isinstance(name, lo.Const) else ""
        if reading.kind.tag == "probe":
            return f"{self.text(reading)}.{part}"
        return f"reading_part({self.text(reading)}, {part!r}, {self.text(absent)})"

    def op_same_face(self, left: lo.Expr, right: lo.Expr) -> str:
        return f"same_face(FACE, {self.text(left)}, {self.text(right)})"

    def op_face_in(self, card: lo.Expr, cards: lo.Expr) -> str:
        return f"face_in(FACE, {self.text(card)}, {self.text(cards)})"

    def op_faces_of(self, cards: lo.Expr) -> str:
        return f"[FACE[c] for c in {self.text(cards)}]"

    def op_separate_copies(self, cards: lo.Expr) -> str:
        return f"separate_copies(FACE, {self.text(cards)})"

    def op_no_answers(self) -> str:
        return "()"

    def op_with_answer(self, chosen: lo.Expr, who: lo.Expr, answer: lo.Expr) -> str:
        return f"(*{self.text(chosen)}, ({self.text(who)}, {self.text(answer)}))"

    def op_who_answered(self, chosen: lo.Expr, place: lo.Expr) -> str:
        return f"{self.text(chosen)}[{self.text(place)}][0]"

    def op_answer_of(self, chosen: lo.Expr, place: lo.Expr) -> str:
        return f"{self.text(chosen)}[{self.text(place)}][1]"


def has_items(e: lo.Loop) -> bool:
    """Check whether the first list of a loop, judging by its form, is never empty."""
    items = e.clauses[0].list if isinstance(e.clauses[0], lo.For) else None
    while isinstance(items, lo.Items) and items.items:
        if not isinstance(items.items[0], lo.Spread):
            return True
        items = items.items[0].list
    return False
