"""What the lowered text names but does not hold: tables, places in the rules, frames."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

from benchmarks.to_c.kinds import LIST, NUMBER, NoC, Value
from interpreter.lowering.naming import mangled
from interpreter.program import Program


class World:
    """Of one program. `tables`: C of the tables used so far, by name; `places`: names of the places in the rules;
    `strength`: how many numbers the strength of a reading takes; `left`: steps that are left from inside."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.tables: dict[str, str] = {}
        self.places: list[str] = []
        self.fixed: dict[tuple[int, ...], str] = {}
        self.frames = list(program.flow.frames)
        self.strength = 1
        self.left: list[str] = []

    def place(self, name: str) -> int:
        if name not in self.places:
            self.places.append(name)
        return self.places.index(name)

    def enclosing(self, step: str) -> str:
        """The table of where each block goes on when this step is left."""
        if step not in self.left:
            self.left.append(step)
        name = f"LEAVING_{self.left.index(step)}"
        targets = [each.get(step, -1) for each in self.program.enclosing]
        self.tables[name] = f"static const i64 {name}[] = {{{c_numbers(targets)}}};"
        return name

    def constant(self, numbers: Sequence[int]) -> str:
        """A list that is written out."""
        if not numbers:
            return "(L){0}"
        name = self.fixed.setdefault(tuple(numbers), f"FIXED_{len(self.fixed)}")
        self.tables[name] = f"static const i64 {name}[] = {{{c_numbers(numbers)}}};"
        return f"view({name}, {len(numbers)})"

    def named(self, name: str) -> Value:
        """What a name of the program's namespace stands for."""
        found = self.program.namespace.get(name)
        if isinstance(found, int):
            return Value(c_number(found), NUMBER)
        if is_numbers(found):
            self.table(name, found)
            return Value(f"view({name}, {len(found)})", LIST)
        raise NoC(f"the name {name}")

    def entry(self, name: str, index: str) -> Value:
        """An item of a table; index -1 is the last, which is why each begins with it."""
        found = self.program.namespace.get(name)
        if is_numbers(found):
            self.table(name, found)
            return Value(f"{name}[{index}]", NUMBER)
        if isinstance(found, Mapping) and all(isinstance(key, int) for key in found):
            found = [found.get(key, ()) for key in range(-1, max(found) + 1)]
            found = [*found[1:], found[0]]
        if isinstance(found, Sequence) and all(is_numbers(item) for item in found):
            rows = [f"{{(i64[]){{{c_numbers(item) or '0'}}}, {len(item)}, 0}}" for item in (found[-1], *found)]
            self.tables[name] = f"static const L {name}_all[] = {{{', '.join(rows)}}};\n#define {name} ({name}_all + 1)"
            return Value(f"{name}[{index}]", LIST)
        raise NoC(f"the table {name}")

    def table(self, name: str, numbers: Sequence[int]) -> None:
        last = [numbers[-1]] if numbers else [0]
        row = c_numbers([*last, *numbers])
        self.tables[name] = f"static const i64 {name}_all[] = {{{row}}};\n#define {name} ({name}_all + 1)"

    # ------------------------------------------------------------ frames
    def frame_of(self, function: str) -> str:
        """The frame that a block, or the list of moves of a decision, works in."""
        flow = self.program.flow
        if match := re.fullmatch(r"B(\d+)", function):
            frame = flow.frame_of.get(int(match[1]))
            return frame.name if frame is not None else ""
        if match := re.fullmatch(r"L(\d+)", function):
            blocks = [block for block, site in flow.site_of.items() if site == int(match[1])]
            return self.frame_of(f"B{blocks[0]}")
        return ""

    def padded(self, node: ast.expr) -> str:
        """The frame with this padding: `PAD_name`, or `PADS[its first block]`."""
        name, entries = ast.unparse(node), self.program.flow.entries
        for frame in self.frames:
            if name in (f"PAD_{mangled(frame)}", f"PADS[{entries.get(frame)}]"):
                return frame
        raise NoC("a frame chosen while the match is played")


def is_numbers(found: Any) -> TypeGuard[Sequence[int]]:
    if not isinstance(found, list | tuple | range):
        return False
    return all(isinstance(item, int) for item in found)


def c_number(number: int) -> str:
    if number == -(1 << 63):
        return "INT64_MIN"
    if abs(number) >= 1 << 63:
        raise NoC("a number of more than 64 bits")
    return f"{int(number)}LL" if abs(number) > 1 << 31 else str(int(number))


def c_numbers(numbers: Sequence[int]) -> str:
    return ", ".join(c_number(number) for number in numbers)
