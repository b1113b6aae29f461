"""Hold the context of C code generation: tables, constants, strings, and steps that are left from inside."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter import lowered as lo
from interpreter.lowered.walking import Part
from interpreter.program import Program


class NoC(Exception):
    """IR construct without C code; the message names it."""


class World:
    """Code generation context of one program.

    tables: the C source of the tables used so far, by name.
    strength: the length of a reading's strength in numbers.
    left: the steps that are left from inside.
    dispatched: the tables of functions by card in use.
    tests: the functions of tests that are passed as arguments.
    longest: the maximum length of a stored list."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.lowering = program.lowering
        self.tables: dict[str, str] = {}
        self.fixed: dict[tuple[int, ...], str] = {}
        self.texts: dict[str, int] = {"": 0}
        self.frames = list(self.lowering.splitter.frames)
        self.strength = 1
        self.left: list[str] = []
        self.several = answers_of_several(program)
        self.dispatched: set[str] = set()
        self.tests: list[str] = []
        self.longest = max(program.layout.cards + 2 * program.players, 16) + 2

    def text(self, text: str) -> int:
        """Return the number of a string."""
        return self.texts.setdefault(text, len(self.texts))

    def result_of(self, call: lo.Calling) -> lo.Expr | None:
        """Return the value of a function's final return statement."""
        function = self.lowering.functions[call.function]
        last = function.body[-1] if function is not None and function.body else None
        return last.value if isinstance(last, lo.Return) else None

    def is_quiet(self, parts: Sequence[Part]) -> bool:
        """Check whether skipping expressions has no visible effect: no random draws, no steps, no failures."""
        return self.lowering.sparing.is_quiet(parts, ())

    def enclosing(self, step: str) -> str:
        """Return the table of the blocks that continue when this step is left."""
        if step not in self.left:
            self.left.append(step)
        name = f"LEAVING_{self.left.index(step)}"
        targets = [each.get(step, -1) for each in self.program.enclosing]
        self.tables[name] = f"static const i64 {name}[] = {{{c_numbers(targets)}}};"
        return name

    def borne(self, table: str) -> tuple[str, str]:
        """Return one of the routines of a card step, and the table of their frame numbers and first blocks by card.

        The entry -1 is the last one."""
        splitter, names = self.lowering.splitter, self.lowering.borne[table]
        rows = [
            f"{{{self.frames.index(name)}, {splitter.entries[name]}}}" if name is not None else "{-1, -1}"
            for name in (names[-1], *names)
        ]
        here = f"BORNE_{list(self.lowering.borne).index(table)}"
        self.tables[here] = (
            f"static const i64 {here}_all[][2] = {{{', '.join(rows)}}};\n#define {here} ({here}_all + 1)"
        )
        return next(name for name in names if name is not None), here

    def functions_by_card(self, table: str) -> str:
        """Generate a table of functions by card. The entry -1 is the last one."""
        names = self.lowering.code.dispatches[table]
        functions = [self.lowering.functions[name] for name in names if name is not None]
        first = next(iter(functions), None)
        kinds = [param.kind for param in first.params] if first is not None else [lo.CARD, lo.SEAT]
        params = ", ".join(["S *", *map(c_type, kinds)])
        row = ", ".join(name or "0" for name in (names[-1], *names))
        result = c_type(first.result if first is not None else None)
        return f"static {result} (*const {table}_all[])({params}) = {{{row}}};\n#define {table} ({table}_all + 1)"

    def constant(self, numbers: Sequence[int]) -> str:
        """Generate a constant list."""
        if not numbers:
            return "(L){0}"
        name = self.fixed.setdefault(tuple(numbers), f"FIXED_{len(self.fixed)}")
        self.tables[name] = f"static const i64 {name}[] = {{{c_numbers(numbers)}}};"
        return f"view({name}, {len(numbers)})"

    def table(self, name: str) -> int:
        """Generate a table of numbers, strings or lists, and return its length. The entry -1 is the last one."""
        values = self.lowering.code.tables[name]
        last = values[-1] if values else 0
        if isinstance(last, list | tuple):
            rows = [f"{{(i64[]){{{c_numbers(item) or '0'}}}, {len(item)}, 0}}" for item in (last, *values)]
            self.tables[name] = f"static const L {name}_all[] = {{{', '.join(rows)}}};\n#define {name} ({name}_all + 1)"
        else:
            numbers = [self.text(value) if isinstance(value, str) else value for value in (last, *values)]
            self.tables[name] = (
                f"static const i64 {name}_all[] = {{{c_numbers(numbers)}}};\n#define {name} ({name}_all + 1)"
            )
        return len(values)


def answers_of_several(program: Program) -> set[int]:
    """Return the variables that store simultaneous choices of several items."""
    found = set()
    for routine in program.lowering.routines.values():
        for part in lo.walk(routine.body if routine is not None else ()):
            if isinstance(part, lo.Answers) and part.answer.kind.tag == "list":
                found.add(part.chosen.number)
    return found


def absent_number(kind: lo.Kind) -> int:
    """Return the number that represents an absent value of a kind."""
    value = lo.absent(kind)
    return value if isinstance(value, int) else 0


def c_number(number: int) -> str:
    if number == -(1 << 63):
        return "INT64_MIN"
    if abs(number) >= 1 << 63:
        raise NoC("a number of more than 64 bits")
    return f"{int(number)}LL" if abs(number) > 1 << 31 else str(int(number))


def c_numbers(numbers: Sequence[int]) -> str:
    return ", ".join(c_number(number) for number in numbers)


def c_type(kind: lo.Kind | None) -> str:
    if kind is None:
        return "void"
    return {"list": "L", "answers": "L", "reading": "const Reading *", "probe": "const Probe *"}.get(kind.tag, "i64")


def is_list(kind: lo.Kind) -> bool:
    return kind.tag in ("list", "answers")


def holds_lists(kind: lo.Kind) -> bool:
    return kind.item is not None and is_list(kind.item)
