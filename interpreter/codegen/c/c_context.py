"""Context of C code generation: constants, tables and C types."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter import ir
from interpreter.program.program import Program


class UnsupportedInC(Exception):
    """IR construct without C code; the message names it."""


class CCodegenContext:
    """Code generation context of one program.

    tables: the C source of the tables used so far, by name.
    strength_size: the length of a reading's strength in numbers.
    left_steps: the steps that a `Leave` exits.
    used_dispatches: the tables of functions by card in use.
    test_functions: the functions of tests that are passed as arguments.
    max_list_length: the maximum length of a stored list."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.lowering = program.lowering
        self.tables: dict[str, str] = {}
        self.constants: dict[tuple[int, ...], str] = {}
        self.text_numbers: dict[str, int] = {"": 0}
        self.frame_names = list(self.lowering.splitter.frames)
        self.strength_size = 1
        self.left_steps: list[str] = []
        self.multi_choice_variables = find_multi_choice_variables(program)
        self.used_dispatches: set[str] = set()
        self.test_functions: list[str] = []
        self.max_list_length = max(program.layout.cards + 2 * program.players, 16) + 2

    def number_text(self, text: str) -> int:
        """Return the number of a string."""
        return self.text_numbers.setdefault(text, len(self.text_numbers))

    def find_returned_value(self, call: ir.Calling) -> ir.Expr | None:
        """Return the value of a function's final return statement."""
        function = self.lowering.functions[call.function]
        last = function.body[-1] if function is not None and function.body else None
        return last.value if isinstance(last, ir.Return) else None

    def add_leaving_table(self, step: str) -> str:
        """Return the table of the blocks that continue when this step is left."""
        if step not in self.left_steps:
            self.left_steps.append(step)
        name = f"LEAVING_{self.left_steps.index(step)}"
        targets = [each.get(step, -1) for each in self.program.enclosing]
        self.tables[name] = f"static const i64 {name}[] = {{{format_c_numbers(targets)}}};"
        return name

    def add_card_routine_table(self, table: str) -> tuple[str, str]:
        """Return one of the routines of a card step, and the table of their frame numbers and first blocks by card.

        The entry -1 is the last one."""
        splitter, names = self.lowering.splitter, self.lowering.card_step_routines[table]
        rows = [
            f"{{{self.frame_names.index(name)}, {splitter.entry_blocks[name]}}}" if name is not None else "{-1, -1}"
            for name in (names[-1], *names)
        ]
        macro = f"BORNE_{list(self.lowering.card_step_routines).index(table)}"
        self.tables[macro] = (
            f"static const i64 {macro}_all[][2] = {{{', '.join(rows)}}};\n#define {macro} ({macro}_all + 1)"
        )
        return next(name for name in names if name is not None), macro

    def generate_dispatch_table(self, table: str) -> str:
        """Generate a table of functions by card. The entry -1 is the last one."""
        names = self.lowering.dispatch_tables[table]
        functions = [self.lowering.functions[name] for name in names if name is not None]
        first = next(iter(functions), None)
        kinds = [param.kind for param in first.params] if first is not None else [ir.CARD, ir.SEAT]
        params = ", ".join(["S *", *map(find_c_type, kinds)])
        row = ", ".join(name or "0" for name in (names[-1], *names))
        result = find_c_type(first.result if first is not None else None)
        return f"static {result} (*const {table}_all[])({params}) = {{{row}}};\n#define {table} ({table}_all + 1)"

    def generate_constant_list(self, numbers: Sequence[int]) -> str:
        """Generate a constant list."""
        if not numbers:
            return "(L){0}"
        name = self.constants.setdefault(tuple(numbers), f"FIXED_{len(self.constants)}")
        self.tables[name] = f"static const i64 {name}[] = {{{format_c_numbers(numbers)}}};"
        return f"view({name}, {len(numbers)})"

    def add_table(self, name: str) -> int:
        """Generate a table of numbers, strings or lists, and return its length. The entry -1 is the last one."""
        values = self.lowering.tables[name]
        last = values[-1] if values else 0
        if isinstance(last, list | tuple):
            rows = [f"{{(i64[]){{{format_c_numbers(item) or '0'}}}, {len(item)}, 0}}" for item in (last, *values)]
            self.tables[name] = f"static const L {name}_all[] = {{{', '.join(rows)}}};\n#define {name} ({name}_all + 1)"
        else:
            numbers = [self.number_text(value) if isinstance(value, str) else value for value in (last, *values)]
            self.tables[name] = (
                f"static const i64 {name}_all[] = {{{format_c_numbers(numbers)}}};\n#define {name} ({name}_all + 1)"
            )
        return len(values)


def find_multi_choice_variables(program: Program) -> set[int]:
    """Return the variables that store simultaneous choices of several items."""
    variables = set()
    for routine in program.lowering.routines.values():
        for part in ir.walk(routine.body if routine is not None else ()):
            if isinstance(part, ir.Answers) and part.answer.kind.tag == "list":
                variables.add(part.chosen.number)
    return variables


def encode_absent_number(kind: ir.Kind) -> int:
    """Return the number that represents an absent value of a kind."""
    value = ir.encode_absent(kind)
    return value if isinstance(value, int) else 0


def format_c_number(number: int) -> str:
    if number == -(1 << 63):
        return "INT64_MIN"
    if abs(number) >= 1 << 63:
        raise UnsupportedInC("a number of more than 64 bits")
    return f"{int(number)}LL" if abs(number) > 1 << 31 else str(int(number))


def format_c_numbers(numbers: Sequence[int]) -> str:
    return ", ".join(format_c_number(number) for number in numbers)


def find_c_type(kind: ir.Kind | None) -> str:
    if kind is None:
        return "void"
    return {"list": "L", "answers": "L", "reading": "const Reading *", "probe": "const Probe *"}.get(kind.tag, "i64")


def is_list_kind(kind: ir.Kind) -> bool:
    return kind.tag in ("list", "answers")


def is_list_of_lists(kind: ir.Kind) -> bool:
    return kind.item is not None and is_list_kind(kind.item)


def find_multi_choice_sites(program: Program) -> frozenset[int]:
    """Return the simultaneous decisions for several items."""
    return frozenset(
        part.site
        for block in program.lowering.splitter.blocks
        for part in ir.walk(block.body)
        if isinstance(part, ir.TakePick)
    )
