"""Python code of IR statements, functions and blocks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from interpreter import ir
from interpreter.codegen.python.python_effects import (
    INDENT,
    PythonCodegenSettings,
    PythonEffectGenerator,
)
from interpreter.ir.traversal import find_assigned_variables, find_free_ir_variables
from interpreter.runtime.builtin_functions import LARGEST

MAX_INLINE_SLOTS = 6
"""Maximum number of slots set one by one."""
VALUE_EVENTS = ("told", "learnt")
"""Events that contain values, which are evaluated immediately."""
SHORT_NAMES = {"f": "s.frames[-1]", "t": "s.t", "z": "s.z", "ow": "s.owner", "loc": "s.loc", "known": "s.known"}


SHORT_NAME_PATTERN = re.compile(rf"(?<![.\w'])({'|'.join(SHORT_NAMES)})\b")
TEXT_PATTERN = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""")
"""Pattern of quoted texts, in which no name counts as used."""


class PythonStatementGenerator(PythonEffectGenerator):
    """Code generator for statements: the method `emit_…` of each class."""

    def __init__(
        self, slots: Mapping[int, int], settings: PythonCodegenSettings, cached_variables: frozenset[int] = frozenset()
    ) -> None:
        super().__init__(slots, settings, cached_variables)
        self.loop_depth = 0
        self.block_number: int | None = None
        self.label: int | None = None
        self.self_looping_blocks: set[int] = set()

    def emit_indented_body(self, body: Sequence[ir.Stmt]) -> None:
        self.depth += 1
        before = len(self.lines)
        self.emit_body(body)
        if len(self.lines) == before:
            self.emit_line("pass")
        self.depth -= 1

    def emit_body(self, body: Sequence[ir.Stmt]) -> None:
        for stmt in body:
            getattr(self, f"emit_{type(stmt).__name__}")(stmt)

    # ------------------------------------------------------------ values
    def emit_Assign(self, stmt: ir.Assign) -> None:
        framed = stmt.local.number in self.slots
        value = self.generate_stored_value(stmt.value) if framed else self.generate_expression(stmt.value)
        if stmt.copied and not (isinstance(stmt.value, ir.Op) and stmt.value.operation == "copied"):
            value = f"list({value})"
        self.emit_line(f"{self.generate_target(stmt.local)} = {value}")

    def generate_target(self, local: ir.Local) -> str:
        """Return the assignment target: the frame slot, and the local that caches it."""
        slot = self.slots.get(local.number)
        if slot is None:
            return f"v{local.number}"
        return f"f[{slot}] = v{local.number}" if local.number in self.cached_variables else f"f[{slot}]"

    def generate_slot_index(self, base: int, owner: ir.Expr | None) -> str:
        if owner is None:
            return str(base)
        return f"{base}+{self.generate_expression(owner)}" if base else self.generate_expression(owner)

    def emit_Store(self, stmt: ir.Store) -> None:
        slot, value = self.generate_slot_index(stmt.base, stmt.of), self.generate_stored_value(stmt.value)
        if stmt.count > MAX_INLINE_SLOTS:
            self.emit_line(f"t[{stmt.base}:{stmt.base + stmt.count}] = [{value}] * {stmt.count}")
            return
        if stmt.count > 1:
            slots = (f"t[{stmt.base + number}] = " for number in range(stmt.count))
            self.emit_line(f"{''.join(slots)}{value}")
            return
        has_event = self.with_events and stmt.place is not None
        if has_event:
            self.emit_line(f"old = t[{slot}]")
        if stmt.checked:
            self.emit_checked_store(slot, value, self.generate_place(stmt.place))
        else:
            self.emit_line(f"t[{slot}] = {value}")
        if has_event:
            self.emit_line(f"s.events.append(('set', {self.generate_place(stmt.place)}, {slot}, old, t[{slot}]))")

    def emit_Bump(self, stmt: ir.Bump) -> None:
        slot, value = self.generate_slot_index(stmt.base, stmt.of), self.generate_expression(stmt.value)
        has_event = self.with_events and stmt.told
        if has_event:
            self.emit_line(f"old = t[{slot}]")
        if stmt.checked:
            self.emit_checked_store(slot, f"t[{slot}] {stmt.operator} {value}", self.generate_place(stmt.place))
        else:
            self.emit_line(f"t[{slot}] {stmt.operator}= {value}")
        if has_event:
            self.emit_line(f"s.events.append(('set', {self.generate_place(stmt.place)}, {slot}, old, t[{slot}]))")

    def emit_checked_store(self, slot: str, value: str, rule_reference: str) -> None:
        """Generate an assignment to a track of a number that may be absent or too large."""
        self.emit_line(f"t[{slot}] = n = {value}")
        self.emit_line(f"if not {-LARGEST} < n < {LARGEST}: checked(n, {rule_reference})")

    def emit_SetLink(self, stmt: ir.SetLink) -> None:
        depth = self.generate_expression(stmt.depth) if stmt.depth is not None else "-1"
        slot = f"s.frames[{depth}][{self.generate_expression(stmt.base)} + {stmt.offset}]"
        self.emit_line(f"{slot} = {self.generate_expression(stmt.value)}")

    def emit_Collect(self, stmt: ir.Collect) -> None:
        local = self.generate_expression(stmt.local)
        if stmt.many and isinstance(stmt.value, ir.Op) and stmt.value.operation == "few" and len(stmt.value.args) == 1:
            self.emit_line(f"n = {self.generate_expression(stmt.value.args[0])}")
            self.emit_line(f"{local} += n if len(n) <= MAX_MOVES else few(n, {self.generate_place(stmt.value.place)})")
        else:
            value = self.generate_expression(stmt.value)
            self.emit_line(f"{local} += {value}" if stmt.many else f"{local}.append({value})")

    # ------------------------------------------------------------ control flow
    def emit_If(self, stmt: ir.If) -> None:
        word = "if"
        while True:
            if not stmt.then and stmt.otherwise:
                self.emit_line(f"{word} not {self.generate_expression(stmt.condition)}:")
                self.emit_indented_body(stmt.otherwise)
                return
            self.emit_line(f"{word} {self.generate_expression(stmt.condition)}:")
            self.emit_indented_body(stmt.then)
            if not stmt.otherwise:
                return
            if is_end_unreachable(stmt.then) and word == "if":
                self.emit_body(stmt.otherwise)
                return
            if len(stmt.otherwise) == 1 and isinstance(stmt.otherwise[0], ir.If):
                word, stmt = "elif", stmt.otherwise[0]
                continue
            self.emit_line("else:")
            self.emit_indented_body(stmt.otherwise)
            return

    def emit_ForEach(self, stmt: ir.ForEach) -> None:
        name = f"v{stmt.local.number}"
        self.emit_line(f"for {name} in {self.generate_expression(stmt.list)}:")
        framed = stmt.local.number in self.slots
        self.emit_loop_body(stmt.body, [f"{self.generate_target(stmt.local)} = {name}"] if framed else [])

    def emit_Answers(self, stmt: ir.Answers) -> None:
        pair = [stmt.who, stmt.answer]
        names = [f"v{local.number}" for local in pair]
        self.emit_line(f"for {', '.join(names)} in {self.generate_expression(stmt.chosen)}:")
        framed = [target for target in zip(pair, names, strict=True) if target[0].number in self.slots]
        self.emit_loop_body(stmt.body, [f"{self.generate_target(local)} = {name}" for local, name in framed])

    def emit_While(self, stmt: ir.While) -> None:
        self.emit_line(f"while {self.generate_expression(stmt.condition) if stmt.condition is not None else 'True'}:")
        self.emit_loop_body(stmt.body)

    def emit_loop_body(self, body: Sequence[ir.Stmt], first_lines: Sequence[str] = ()) -> None:
        """Generate the body of a loop, after some lines."""
        self.loop_depth += 1
        self.depth += 1
        for line in first_lines:
            self.emit_line(line)
        self.depth -= 1
        self.emit_indented_body(body)
        self.loop_depth -= 1

    def emit_Return(self, stmt: ir.Return) -> None:
        self.emit_line("return" if stmt.value is None else f"return {self.generate_expression(stmt.value)}")

    def emit_Leave(self, stmt: ir.Leave) -> None:
        framed = self.block_number is not None
        self.emit_line(f"return unwind(s, {stmt.step!r})" if framed else f"raise Finish({stmt.step!r})")

    def emit_Goto(self, stmt: ir.Goto) -> None:
        if stmt.block == self.label and not self.loop_depth:
            self.self_looping_blocks.add(stmt.block)
            self.emit_line("continue")
        else:
            self.emit_line(f"return {stmt.block}")

    def emit_Again(self, stmt: ir.Again) -> None:
        label, loops, self.label, self.loop_depth = self.label, self.loop_depth, stmt.block, 0
        self.emit_line("while True:")
        self.emit_indented_body(stmt.body)
        self.label, self.loop_depth = label, loops

    # ------------------------------------------------------------ events, steps, calls
    def emit_Event(self, stmt: ir.Event) -> None:
        if self.with_events:
            args = ", ".join(map(self.generate_expression, stmt.args))
            data = f"heard(s, {args})" if stmt.name in VALUE_EVENTS else args
            self.emit_line(f"s.events.append(({stmt.name!r}, {self.generate_place(stmt.place)}, {data}))")

    def emit_Fuel(self, stmt: ir.Fuel) -> None:
        self.emit_line(f"s.fuel -= {self.generate_expression(stmt.steps)}")
        self.emit_line(f"if s.fuel < 0: endless({self.generate_place(stmt.place)})")

    def emit_Expect(self, stmt: ir.Expect) -> None:
        values = "".join(f"{self.generate_expression(value)}, " for value in stmt.values)
        self.emit_line(
            f"if s.checking and not {self.generate_expression(stmt.condition)}: broken({stmt.number}, ({values}))"
        )

    def emit_Do(self, stmt: ir.Do) -> None:
        self.emit_line(f"{stmt.function}({', '.join(['s', *map(self.generate_stored_value, stmt.args)])})")

    def emit_DoBorne(self, stmt: ir.DoBorne) -> None:
        args = ", ".join(map(self.generate_expression, stmt.args))
        self.emit_line(f"do_borne(s, {stmt.table}, {self.generate_expression(stmt.card)}, {args})")

    # ------------------------------------------------------------ waiting
    def emit_KeepPlace(self, stmt: ir.KeepPlace) -> None:
        self.emit_line(f"f[0] = {stmt.block}")

    def emit_Stop(self, stmt: ir.Stop) -> None:
        player = self.generate_expression(stmt.who)
        self.emit_line(f"f[0] = {stmt.block}; s.who = {player}; s.legal = {self.generate_expression(stmt.legal)}")
        self.emit_line("return -1")

    def emit_TakePick(self, stmt: ir.TakePick) -> None:
        code = self.generate_expression(stmt.code)
        self.emit_line(f"if {code}: s.picks = [*s.picks, {code} - 1]")
        self.emit_line(f"if {code} and len(s.picks) < {self.generate_expression(stmt.most)}:")
        self.emit_line(f"    s.legal = L_{stmt.site}(s, f, s.who)")
        self.emit_line("    if s.legal: return -1")
        self.emit_line(f"{self.generate_target(stmt.answer)} = s.picks; s.picks = []")

    def emit_Enter(self, stmt: ir.Enter) -> None:
        args = ["0", *map(self.generate_stored_value, stmt.args)]
        if stmt.card is not None:
            self.emit_line(f"entry = BORNE[{stmt.routine!r}][{self.generate_expression(stmt.card)}]")
            self.emit_line(f"if entry < 0: return {stmt.after}")
            entry, padding = "entry", "*PADS[entry]"
        else:
            entry = str(self.settings.entry_blocks[stmt.routine])
            padding = ", ".join(map(repr, self.settings.frames[stmt.routine].initial_values))
        self.emit_line(f"f[0] = {stmt.after}")
        self.emit_line(f"push(s, [{', '.join([*args, padding])}], {self.generate_place(stmt.place)})")
        self.emit_line(f"return {entry}")

    def emit_Pop(self, stmt: ir.Pop) -> None:
        self.emit_line("s.frames.pop()")
        self.emit_line("return s.frames[-1][0]")

    def emit_End(self, stmt: ir.End) -> None:
        self.emit_line("return over(s)")


def is_end_unreachable(body: Sequence[ir.Stmt]) -> bool:
    """Check whether the code after a body in the same block is unreachable."""
    if not body:
        return False
    match body[-1]:
        case ir.Goto() | ir.Stop() | ir.Enter() | ir.Pop() | ir.Return() | ir.Leave() | ir.End() | ir.Again():
            return True
        case ir.If(then=then, otherwise=otherwise):
            return is_end_unreachable(then) and is_end_unreachable(otherwise)
    return False


# ---------------------------------------------------------------- functions and blocks
def join_function_source(
    head: str, generator: PythonStatementGenerator, loads: Sequence[str], skipped_name: str = ""
) -> str:
    """Return the source of a function. It starts with the short names that its code uses."""
    code = "\n".join([*loads, *(generator.lines or [f"{INDENT}pass"])])
    used = set(SHORT_NAME_PATTERN.findall(TEXT_PATTERN.sub("''", code))) - {skipped_name}
    names = [f"{INDENT}{name} = {source}" for name, source in SHORT_NAMES.items() if name in used]
    return "\n".join([head, *names, code])


def generate_frame_loads(
    numbers: Iterable[int], slots: Mapping[int, int], generator: PythonStatementGenerator
) -> list[str]:
    """Return the lines that load variables from the frame which are read before they are set."""
    loaded = [number for number in sorted(numbers) if number in generator.cached_variables]
    return [f"{INDENT}v{number} = f[{slots[number]}]" for number in loaded]


def generate_python_function(function: ir.Function, frame: ir.Frame | None, settings: PythonCodegenSettings) -> str:
    """Generate a function of the program. Functions that list moves also take the `frame`."""
    lister = frame is not None
    slots, private_variables = (frame.slots, frame.private_variables) if frame is not None else ({}, frozenset[int]())
    writer = PythonStatementGenerator(slots, settings, private_variables)
    writer.emit_body(function.body)
    params = ["s", *(["f"] if lister else []), *(f"v{param.number}" for param in function.params)]
    head = f"def {function.name}({', '.join(params)}):"
    loads = generate_frame_loads(
        find_free_ir_variables(function.body) - find_assigned_variables(function.body), slots, writer
    )
    text = join_function_source(head, writer, loads, "f" if lister else "")
    return text if function.catches is None else f"@finishes({function.catches!r})\n{text}"


def generate_python_block(block: ir.Block, frame: ir.Frame | None, settings: PythonCodegenSettings) -> str:
    """Generate a block as a function of the state, and of the move that it takes."""
    slots, private_variables = (frame.slots, frame.private_variables) if frame is not None else ({}, frozenset[int]())
    writer = PythonStatementGenerator(slots, settings, private_variables)
    writer.block_number = writer.label = block.number
    taken = block.code
    params = "s" if taken is None else f"s, v{taken.number}"
    if taken is not None and taken.number in slots:
        writer.emit_line(f"f[{slots[taken.number]}] = v{taken.number}")
    writer.emit_body(block.body)
    if block.number in writer.self_looping_blocks:
        writer.lines = [f"{INDENT}while True:", *(INDENT + line for line in writer.lines)]
    loads = generate_frame_loads(block.reads, slots, writer)
    return join_function_source(f"def B{block.number}({params}):", writer, loads)
