"""Python code of IR expressions.

The generated source uses the names `s` (the state), `t`, `z`, `ow`, `f` (its tracks, piles, owners and the current
frame), and variables `v1`, `v2`, …. Its namespace contains `interpreter.runtime.builtin_functions`, the card movers and
the program's tables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from interpreter import ir
from interpreter.codegen.templates import COMPARISON_SIGNS, fill_template
from interpreter.ir.traversal import is_free_to_repeat

OPERATION_TEMPLATES = {
    "alive": "s.alive", "asked": "s.who", "depth": "(len(s.frames) - 1)", "is_out": "(s.out >> {0} & 1)",
    "pile_of": "get_owner_slot(s.loc, 0, {0}, -1)", "item_at": "{0}[{1}]", "reversed": "{0}[::-1]",
    "distinct_values": "list(dict.fromkeys({0}))", "descending": "sorted({0}, reverse=True)",
    "ascending": "sorted({0})", "ranked": "[p[-1] for p in sorted({0}, key=KEY, reverse=True)]",
    "same_face": "same_face(FACE, {0}, {1})", "face_in": "face_in(FACE, {0}, {1})",
    "faces_of": "[FACE[c] for c in {0}]", "separate_copies": "separate_copies(FACE, {0})", "no_answers": "()",
    "with_answer": "(*{0}, ({1}, {2}))", "who_answered": "{0}[{1}][0]", "answer_of": "{0}[{1}][1]",
}  # fmt: skip
VARIADIC_OPERATIONS = {"most_of": "max", "least_of": "min", "range": "range"}
"""Python functions of operations with any number of arguments."""
EXTREME_TEMPLATES = {"most_of": "({0} if {0} > {1} else {1})", "least_of": "({0} if {0} < {1} else {1})"}
"""Faster extremes of two values that cost nothing."""
PLACE_POSITIONS = {"few": 1, "whole_numbers": 2, "present": 2}
"""Positions of the rule's place among the arguments, if it is not the last."""
BOOLEAN_EXPRESSIONS = (ir.Compare, ir.Logic, ir.Not, ir.IsIn)


class PythonExpressionGenerator:
    """Code generator for the expressions of one function.

    slots: the frame slots of variables.
    cached_variables: the variables among them that are also stored in a local."""

    def __init__(self, slots: Mapping[int, int], cached_variables: frozenset[int] = frozenset()) -> None:
        self.slots = slots
        self.cached_variables = cached_variables

    def generate_expression(self, expr: ir.Expr) -> str:
        return str(getattr(self, f"generate_{type(expr).__name__}")(expr))

    def generate_stored_value(self, expr: ir.Expr) -> str:
        """Generate a value to be stored: flags as 0 and 1."""
        text = self.generate_expression(expr)
        if expr.kind.tag != "flag" or not (isinstance(expr, ir.Local) or self.is_python_bool(expr)):
            return text
        return f"+{text}" if isinstance(expr, ir.Not | ir.Local) else f"(1 if {text} else 0)"

    def is_python_bool(self, expr: ir.Expr) -> bool:
        """Check whether the Python expression of a flag is a bool, or perhaps a list."""
        if isinstance(expr, ir.Either):
            return self.is_python_bool(expr.then) or self.is_python_bool(expr.otherwise)
        if isinstance(expr, ir.Op):
            return expr.operation != "present"
        return isinstance(expr, (*BOOLEAN_EXPRESSIONS, ir.Loop, ir.Read))

    # ------------------------------------------------------------ single values
    def generate_Const(self, e: ir.Const) -> str:
        return repr(e.value)

    def generate_Local(self, e: ir.Local) -> str:
        slot = self.slots.get(e.number)
        if slot is None or e.number in self.cached_variables:
            return f"v{e.number}"
        return f"f[{slot}]"

    def generate_SlotOf(self, e: ir.SlotOf) -> str:
        return str(self.slots[e.local.number])

    def generate_Track(self, e: ir.Track) -> str:
        return self.generate_slot_access("t", e)

    def generate_Pile(self, e: ir.Pile) -> str:
        return self.generate_slot_access("z", e)

    def generate_slot_access(self, array: str, e: ir.Track | ir.Pile) -> str:
        if e.of is None:
            return f"{array}[{e.base}]"
        of = self.generate_expression(e.of)
        absent = repr(ir.encode_absent(e.kind))
        plus = f"{e.base}+" if e.base else ""
        if not e.may_lack:
            return f"{array}[{plus}{of}]"
        if is_free_to_repeat(e.of):
            return f"({array}[{plus}{of}] if {of} >= 0 else {absent})"
        return f"get_owner_slot({array}, {e.base}, {of}, {absent})"

    def generate_Entry(self, e: ir.Entry) -> str:
        return f"{e.table}[{self.generate_expression(e.index)}]"

    def generate_Table(self, e: ir.Table) -> str:
        return e.table

    def generate_Link(self, e: ir.Link) -> str:
        base = self.generate_expression(e.base)
        index = str(int(base) + e.offset) if base.isdigit() else f"{base} + {e.offset}"
        return f"s.frames[{self.generate_expression(e.depth)}][{index}]"

    def generate_Arith(self, e: ir.Arith) -> str:
        return f"({self.generate_expression(e.left)} {e.operator} {self.generate_expression(e.right)})"

    # ------------------------------------------------------------ conditions
    def generate_Compare(self, e: ir.Compare) -> str:
        left, right = self.generate_expression(e.left), self.generate_expression(e.right)
        if e.unordered:
            left, right = f"set({left})", f"set({right})"
        elif e.left.kind.tag == "list":
            left, right = f"list({left})", f"list({right})"
        elif e.left.kind.tag == "reading":
            return f"({left} {'is' if e.operator == '=' else 'is not'} {right})"
        absent = repr(ir.encode_absent(e.left.kind))
        if e.operator == "=" and e.left_lacks and e.right_lacks:
            return f"({left} == {right} != {absent})"
        if e.operator == "!=" and e.left_lacks and e.right_lacks:
            return f"(not {left} == {right} != {absent})"
        before = f"{absent} < " if e.left_lacks else ""
        behind = f" > {absent}" if e.right_lacks else ""
        return f"({before}{left} {COMPARISON_SIGNS[e.operator]} {right}{behind})"

    def generate_Logic(self, e: ir.Logic) -> str:
        return f"({f' {e.operator} '.join(map(self.generate_expression, e.parts))})"

    def generate_Not(self, e: ir.Not) -> str:
        return f"(not {self.generate_expression(e.value)})"

    def generate_Either(self, e: ir.Either) -> str:
        then = self.generate_stored_value(e.then)
        condition = self.generate_expression(e.condition)
        return f"({then} if {condition} else {self.generate_stored_value(e.otherwise)})"

    def generate_IsIn(self, e: ir.IsIn) -> str:
        return f"({self.generate_expression(e.value)} in {self.generate_expression(e.list)})"

    # ------------------------------------------------------------ lists
    def generate_Items(self, e: ir.Items) -> str:
        return f"[{', '.join(map(self.generate_expression, e.items))}]"

    def generate_Spread(self, e: ir.Spread) -> str:
        return self.generate_spread_items(e, self.generate_expression)

    def generate_spread_items(self, e: ir.Spread, generate_item: Callable[[ir.Expr], str]) -> str:
        """Generate a list within a list, with `generate_item` for each item."""
        if isinstance(e.list, ir.Items) and e.list.items:
            return ", ".join(map(generate_item, e.list.items))
        return f"*{generate_item(e.list)}"

    def generate_Key(self, e: ir.Key) -> str:
        return f"({', '.join(map(self.generate_expression, e.parts))}{',' if len(e.parts) == 1 else ''})"

    def generate_At(self, e: ir.At) -> str:
        return f"{self.generate_expression(e.list)}[{e.index}]"

    def generate_Count(self, e: ir.Count) -> str:
        if isinstance(e.list, ir.Const) and isinstance(e.list.value, tuple):
            return str(len(e.list.value))
        return f"len({self.generate_expression(e.list)})"

    def generate_Loop(self, e: ir.Loop) -> str:
        """Generate a loop. Item-independent conditions are tested before it."""
        guards = [clause.condition for clause in e.clauses if isinstance(clause, ir.Test)]
        first = e.clauses[0]
        if isinstance(first, ir.Test) and guards:
            rest = ir.Loop(e.kind, e.function, e.clauses[1:], e.body)
            nothing = {"list": "()", "pairs": "()", "any": "False", "every": "True", "count": "0", "total": "0"}
            otherwise = nothing.get(e.function, repr(ir.encode_absent(e.kind)))
            return f"({self.generate_expression(rest)} if {self.generate_expression(first.condition)} else {otherwise})"
        return self.generate_comprehension(e)

    def generate_comprehension(self, e: ir.Loop) -> str:
        bare = self.generate_bare_list(e)
        body = self.generate_expression(e.body)
        items = (
            bare
            if bare and e.function in ("total", "highest", "lowest")
            else f"[{body} {self.generate_clauses(e.clauses)}]"
        )
        match e.function:
            case "any":
                return f"any({items})"
            case "every":
                return f"all({items})"
            case "count":
                return f"len({items})"
            case "total":
                return f"sum({items})"
            case "highest" | "lowest":
                best = "max" if e.function == "highest" else "min"
                return (
                    f"{best}({items})"
                    if bare and has_items(e)
                    else f"{best}({items}, default={ir.encode_absent(e.kind)!r})"
                )
        return items

    def generate_bare_list(self, e: ir.Loop) -> str:
        """Return the list itself, if the loop does not transform its items; otherwise empty."""
        if len(e.clauses) == 1 and isinstance(e.clauses[0], ir.For) and e.clauses[0].local == e.body:
            return self.generate_unordered_list(e.clauses[0].list)
        return ""

    def generate_unordered_list(self, items: ir.Expr) -> str:
        """Generate a list whose order does not matter."""
        return self.generate_expression(items)

    def generate_iterated_list(self, items: ir.Expr) -> str:
        """Generate a list that is only iterated over, once."""
        if isinstance(items, ir.Op) and items.operation == "distinct_values":
            return f"dict.fromkeys({self.generate_expression(items.args[0])})"
        return self.generate_expression(items)

    def generate_clauses(self, clauses: Sequence[ir.For | ir.Let | ir.Test]) -> str:
        parts = []
        for clause in clauses:
            match clause:
                case ir.For():
                    parts.append(
                        f"for {self.generate_expression(clause.local)} in {self.generate_iterated_list(clause.list)}"
                    )
                case ir.Let():
                    parts.append(
                        f"for {self.generate_expression(clause.local)} in ({self.generate_expression(clause.value)},)"
                    )
                case ir.Test():
                    parts.append(f"if {self.generate_expression(clause.condition)}")
        return " ".join(parts)

    # ------------------------------------------------------------ calls
    def generate_Calling(self, e: ir.Calling) -> str:
        args = ["s", *(["f"] if e.function.startswith("L_") else []), *map(self.generate_expression, e.args)]
        return f"{e.function}({', '.join(args)})"

    def generate_Dispatch(self, e: ir.Dispatch) -> str:
        args = "".join(f", {self.generate_expression(arg)}" for arg in e.args)
        return f"borne(s, {e.table}, {self.generate_expression(e.card)}, {ir.encode_absent(e.kind)!r}{args})"

    def generate_Read(self, e: ir.Read) -> str:
        cards, name = self.generate_expression(e.cards), e.ranking
        match e.what:
            case "beside":
                return f"read_beside({name!r}, s, {cards}, {self.generate_expression(e.other) if e.other else None})"
            case "matches":
                return f"matches[{name!r}]({cards}, s)"
        return f"read({name!r}, s, {cards})"

    def generate_TestOf(self, e: ir.TestOf) -> str:
        sets = f"rank_sets({e.ranking!r})" if e.ranking is not None else "None"
        return f"(lambda {self.generate_expression(e.local)}: {self.generate_expression(e.condition)}), {sets}"

    def generate_Op(self, e: ir.Op) -> str:
        special = getattr(self, f"generate_op_{e.operation}", None)
        if special is not None:
            return str(special(*e.args))
        if e.operation in OPERATION_TEMPLATES:
            return fill_template(OPERATION_TEMPLATES[e.operation], self.generate_expression, e.args)
        if e.operation in EXTREME_TEMPLATES and len(e.args) == 2 and all(map(is_free_to_repeat, e.args)):
            return fill_template(EXTREME_TEMPLATES[e.operation], self.generate_expression, e.args)
        if e.operation in VARIADIC_OPERATIONS:
            return f"{VARIADIC_OPERATIONS[e.operation]}({', '.join(map(self.generate_expression, e.args))})"
        args = [*(["s"] if e.operation in ir.STATE_OPERATIONS else []), *map(self.generate_expression, e.args)]
        if e.operation in ir.PLACE_OPERATIONS:
            args.insert(PLACE_POSITIONS.get(e.operation, len(args)), f"AT[{e.place}]")
        call = f"{e.operation}({', '.join(args)})"
        if e.operation == "present" and is_free_to_repeat(e.args[0]):  # rarely called
            return f"({args[0]} if {args[0]} != {args[1]} else {call})"
        return call

    def generate_op_owner_of(self, card: ir.Expr) -> str:
        of = self.generate_expression(card)
        return (
            f"({f'ow[{of}]'} if {of} >= 0 else -1)" if is_free_to_repeat(card) else f"get_owner_slot(ow, 0, {of}, -1)"
        )

    def generate_op_copied(self, items: ir.Expr) -> str:
        return (
            f"{self.generate_expression(items)}[:]"
            if isinstance(items, ir.Pile)
            else f"list({self.generate_expression(items)})"
        )

    def generate_op_first_list(self, *lists: ir.Expr) -> str:
        return f"({' or '.join(map(self.generate_expression, lists))} or ())"

    def generate_op_negated(self, value: ir.Expr) -> str:
        text = self.generate_expression(value)
        return f"[-x for x in {text}]" if value.kind.tag == "list" else f"-({text})"

    def generate_op_part_of(self, reading: ir.Expr, name: ir.Expr, absent: ir.Expr) -> str:
        part = name.value if isinstance(name, ir.Const) else ""
        if reading.kind.tag == "probe":
            return f"{self.generate_expression(reading)}.{part}"
        return f"reading_part({self.generate_expression(reading)}, {part!r}, {self.generate_expression(absent)})"


def has_items(e: ir.Loop) -> bool:
    """Check whether the first list of a loop, judging by its form, is never empty."""
    items = e.clauses[0].list if isinstance(e.clauses[0], ir.For) else None
    while isinstance(items, ir.Items) and items.items:
        if not isinstance(items.items[0], ir.Spread):
            return True
        items = items.items[0].list
    return False
