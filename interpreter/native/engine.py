"""Run a program natively: single decisions, batches of matches, and playouts."""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Sequence
from typing import Any

from cardlang.game import Game
from interpreter.native.compilers import MAKERS, TRYING, Library, NoCompiler, library_of
from interpreter.native.program import c_source
from interpreter.native.states import as_numbers, from_numbers, sites_of_several
from interpreter.native.world import NoC
from interpreter.program import Program
from interpreter.readings import shown_reading
from interpreter.state import State
from interpreter.values import shown

NOTHING = -1
"""Fault value if nothing failed."""
AT_FAULT = 2
"""Outcome of a match in which a rule failed."""
BUDGET = 100_000
"""Maximum number of decisions of one call. Signals are handled between calls."""
LONGEST_ROW = 1 << 16
"""Maximum length of a serialized state, in numbers."""
MOST_TOGETHER = 1 << 24
"""Maximum number of matches of one call: their results are in memory."""
SEEDS = 1 << 64
"""Limit of the seeds that the C generator supports."""


class Batch(ctypes.Structure):
    """Counterpart of the struct `Batch` in `c/playing.h`."""

    _fields_ = (
        ("seed", ctypes.c_uint64), ("moves", ctypes.c_uint64), ("left", ctypes.c_int64), ("cap", ctypes.c_int64),
        ("budget", ctypes.c_int64), ("checking", ctypes.c_int64), ("playing", ctypes.c_int64),
        ("decisions", ctypes.c_int64),
    )  # fmt: skip


class Engine:
    """Compiled program. Its memory is for one thread at a time; other threads need an engine of their own
    (`another`).

    maker: the compiler."""

    def __init__(self, program: Program, library: Library) -> None:
        self.program, self.library = program, library
        self.maker = library.maker
        self.call = library.functions
        self.work = Memory(self.call["size_of_work"]())
        self.state_size: int = self.call["size_of_state"]()
        self.several = sites_of_several(program)
        self.players = program.players
        expr = program.player_noun("score")
        self.score_type = (expr.type, program.layout.scales.of(expr)) if expr is not None else None
        self.state = self.blank()
        self.row = (ctypes.c_int64 * LONGEST_ROW)()

    def another(self) -> Engine:
        """Return an engine of the same program for another thread."""
        return Engine(self.program, self.library)

    def blank(self) -> Memory:
        """Allocate memory for a state."""
        return Memory(self.state_size)

    # ------------------------------------------------------------ single decisions
    def start(self, seed: int, checking: bool = False, to: Memory | None = None) -> int:
        """Play a match to its first decision. Return NOTHING, the place of the rule that failed, or a lower number
        for other faults."""
        fault: int = self.call["native_start"](self.work.at, (to or self.state).at, seed % SEEDS, checking)
        return fault

    def apply(self, code: int, to: Memory | None = None) -> int:
        """Play a legal move."""
        fault: int = self.call["native_apply"](self.work.at, (to or self.state).at, code)
        return fault

    def numbers(self, of: Memory | None = None) -> list[int]:
        return self.row[: self.call["native_store"]((of or self.state).at, self.row)]

    def load(self, state: State, to: Memory | None = None) -> bool:
        """Load a Python state. Return whether it fits.

        It does not fit if it is too large, or its cards, seats or blocks do not match these rules. Raise
        `ValueError` for a state that C cannot represent."""
        numbers = as_numbers(state)
        fits = self.call["native_load"]((to or self.state).at, (ctypes.c_int64 * len(numbers))(*numbers), len(numbers))
        return bool(fits)

    def store(self, of: Memory | None = None) -> State:
        """Return the state as Python data."""
        return from_numbers(self.program, self.several, self.numbers(of))

    def results(self, of: Memory | None = None) -> tuple[list[int], list[Any], list[int]]:
        """Return the winning seats, the displayed scores, and the ranks. Raise `ValueError` if a rule fails."""
        room = (ctypes.c_int64 * (1 + 2 * self.players))()
        if self.call["native_results"](self.work.at, (of or self.state).at, room) != NOTHING:
            raise ValueError("the rules tell no results")
        scores = [self.score(value) for value in room[1 : 1 + self.players]]
        return seats_in(room[0]), scores, room[1 + self.players :]

    def score(self, value: int) -> Any:
        """Return a score as displayed."""
        return None if self.score_type is None else shown(value, *self.score_type)

    # ------------------------------------------------------------ batches of matches
    def play(self, first: int, matches: int, cap: int, checking: bool = False) -> memoryview:
        """Play matches with uniformly random moves and the seeds from `first` on, for at most `cap` decisions each.

        Return a row of `3 + players` numbers for each match, one after another:
        - the number of decisions
        - 0 if the match finished, 1 if it hit the limit, 2 if a rule failed
        - the winners as a bit mask, or the fault
        - the unscaled scores by seat

        Raise `ValueError` for a negative number of matches, or more than MOST_TOGETHER."""
        width = 3 + self.players
        rows = (ctypes.c_int64 * (max(checked_count(matches), 1) * width))()
        batch = Batch(first % SEEDS, 0, matches, cap, 0, checking, 0, 0)
        done = 0
        while batch.left > 0:
            batch.budget = BUDGET
            to = ctypes.byref(rows, done * width * 8)
            done += self.call["native_play"](self.work.at, self.state.at, ctypes.byref(batch), to)
        return memoryview(rows).cast("B").cast("q")[: done * width]

    def playouts(
        self, state: State, code: int, count: int, seed: int, horizon: int
    ) -> list[tuple[Sequence[int], list[int]]]:
        """Play random playouts from a state after this move, for at most `horizon` more decisions.

        Return the ranks and unscaled scores by seat of each one. Playouts in which a rule fails are dropped. Raise
        `ValueError` for a negative number of playouts, or more than MOST_TOGETHER."""
        if not self.load(state):
            return []
        width, scratch = 1 + 2 * self.players, self.blank()
        rows = (ctypes.c_int64 * (max(checked_count(count), 1) * width))()
        given = (self.work.at, self.state.at, scratch.at, code, count, horizon, seed % SEEDS, rows)
        done = self.call["native_playouts"](*given)
        found = (rows[at : at + width] for at in range(0, done * width, width))
        return [(row[1 : 1 + self.players], row[1 + self.players :]) for row in found if row[0] in (0, 1)]


class Memory:
    """Zeroed bytes, whose pages are not touched before use. `at`: their address.

    A forked process gets its own copy: two processes must not write to the same state."""

    def __init__(self, size: int) -> None:
        self.bytes = mmap.mmap(-1, size, access=mmap.ACCESS_COPY)
        self.held = (ctypes.c_char * size).from_buffer(self.bytes)
        self.at = ctypes.addressof(self.held)


def checked_count(matches: int) -> int:
    """Raise `ValueError` for a number of matches outside the limits of one call; otherwise return it."""
    if not 0 <= matches <= MOST_TOGETHER:
        raise ValueError(f"{matches:,} matches are not played in one call: none to {MOST_TOGETHER:,} are.")
    return matches


def seats_in(mask: int) -> list[int]:
    return [seat for seat in range(mask.bit_length()) if mask >> seat & 1]


def engine_of(game: Game, players: int, makers: Sequence[str] = MAKERS, trying: bool = False) -> Engine:
    """Compile a game. `trying`: include the search of `interpreter.native.trials`.

    Raise `NoCompiler` if no compiler is available, or if it fails."""
    program = Program(game, players, False)  # a fresh program, so that its source is always the same
    try:
        reads = shown_reading(game) if trying else None
        return Engine(program, library_of(c_source(program, reads, trying), TRYING if trying else None, makers))
    except NoC as reason:
        raise NoCompiler(f"{game.title} cannot be compiled to C: {reason}") from None
