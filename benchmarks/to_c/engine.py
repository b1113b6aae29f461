"""Compiles the C of a program with the system's compiler, and calls it."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.to_c.program import c_source
from interpreter.program import Program
from interpreter.state import State

HERE = Path(__file__).parent
OPTIONS = ("-std=gnu11", "-shared", "-fPIC", "-fwrapv", "-w")
ROOM = 1 << 16


def compiler() -> str | None:
    """A C compiler that knows GNU C (statement expressions), if there is one."""
    return next((path for path in map(shutil.which, ("gcc", "clang", "cc")) if path), None)


class Engine:
    """A program as machine code, with one match in hand. Raises NoC if its text has a form that is not translated,
    `subprocess.CalledProcessError` if the compiler refuses what was made."""

    def __init__(self, program: Program, reads: str | None = None, optimize: str = "-O2") -> None:
        self.program = program
        self.text = c_source(program, reads)
        with tempfile.TemporaryDirectory() as folder:
            source, library = Path(folder, "game.c"), Path(folder, "game.so")
            source.write_text(self.text, encoding="utf-8")
            command = [compiler() or "cc", optimize, *OPTIONS, f"-I{HERE}", str(source), "-o", str(library)]
            subprocess.run(command, check=True, capture_output=True, text=True)
            self.library: Any = ctypes.CDLL(str(library))
        for name in ("blank", "begin", "apply", "flat", "winners", "size_of_state", "play"):
            getattr(self.library, name).restype = ctypes.c_int64
        self.state = ctypes.create_string_buffer(self.library.size_of_state())
        self.numbers = (ctypes.c_int64 * ROOM)()

    def start(self, seed: int) -> str | None:
        """None, or the place in the rules that is at fault."""
        return self.fault(self.library.begin(self.state, ctypes.c_int64(seed)))

    def apply(self, code: int) -> str | None:
        return self.fault(self.library.apply(self.state, ctypes.c_int64(code)))

    def flat(self) -> list[int]:
        return self.numbers[: self.library.flat(self.state, self.numbers)]

    def winners(self) -> list[int]:
        won = self.library.winners(self.state)
        return [seat for seat in range(64) if won >> seat & 1]

    def play(self, seed: int, matches: int, limit: int, draws: Any) -> tuple[int, int]:
        """Decisions made and a sum over all moves and winners; `draws`: a C array of doubles, one for a decision."""
        told = (ctypes.c_int64 * 2)()
        fault = self.fault(self.library.play(*map(ctypes.c_int64, (seed, matches, limit)), draws, told))
        if fault is not None:
            raise RuntimeError(fault)
        return told[0], told[1]

    def fault(self, number: int) -> str | None:
        if number == -1:
            return None
        places = self.program.lowering.code.places
        return places[number].text if number >= 0 else f"error {number} of the C program"


def flat(state: State) -> list[int]:
    """A state as numbers: all that the rules know of it. A list is preceded by its length."""
    rng = state.rng if isinstance(state.rng, int) else 0
    numbers = [state.who, rng - (1 << 64) if rng >> 63 else rng, state.out, state.fuel]
    rows = [state.legal, state.t, state.loc, state.owner, state.known, state.order, state.alive, state.picks, *state.z]
    for row in rows:
        numbers += [len(row), *row]
    for frame in state.frames:
        for value in frame:
            numbers += flat_list(value) if isinstance(value, list | tuple) else [int(value)]
    return numbers


def flat_list(value: Sequence[Any]) -> list[int]:
    row: list[int] = []
    for item in value:
        for part in item if isinstance(item, tuple) else (item,):
            row += [len(part), *part] if isinstance(part, list | tuple) else [part]
    return [len(row), *row]
