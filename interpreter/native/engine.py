"""A program as machine code: matches from decision to decision, many at once, and playouts."""

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
"""What is at fault when nothing is."""
AT_FAULT = 2
"""How a match ended in which something is at fault."""
BUDGET = 100_000
"""So many decisions are made in one call at most: then signals are looked at."""
LONGEST_ROW = 1 << 16
"""So many numbers has a state at most."""
MOST_TOGETHER = 1 << 24
"""So many matches are played in one call at most: their rows lie in memory."""
SEEDS = 1 << 64
"""Seeds below this start the generator that C knows."""


class Batch(ctypes.Structure):
    """As `Batch` in `c/playing.h`."""

    _fields_ = (
        ("seed", ctypes.c_uint64), ("moves", ctypes.c_uint64), ("left", ctypes.c_int64), ("cap", ctypes.c_int64),
        ("budget", ctypes.c_int64), ("checking", ctypes.c_int64), ("playing", ctypes.c_int64),
        ("decisions", ctypes.c_int64),
    )  # fmt: skip


class Engine:
    """A program as machine code. Its own memory is for one thread at a time: other threads take engines of their own
    (`another`). `maker`: what compiled it."""

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
        """The same for another thread."""
        return Engine(self.program, self.library)

    def blank(self) -> Memory:
        """Room for a state."""
        return Memory(self.state_size)

    # ------------------------------------------------------------ decision by decision
    def start(self, seed: int, checking: bool = False, to: Memory | None = None) -> int:
        """Plays a match to its first decision. What is at fault: NOTHING, or a place of the rules, or less."""
        fault: int = self.call["native_start"](self.work.at, (to or self.state).at, seed % SEEDS, checking)
        return fault

    def apply(self, code: int, to: Memory | None = None) -> int:
        """Makes a move that is open."""
        fault: int = self.call["native_apply"](self.work.at, (to or self.state).at, code)
        return fault

    def numbers(self, of: Memory | None = None) -> list[int]:
        return self.row[: self.call["native_store"]((of or self.state).at, self.row)]

    def load(self, state: State, to: Memory | None = None) -> bool:
        """Takes over where a match stands; whether it fits: not where it is too large, or no state of these rules as
        far as its cards, seats and blocks show. Raises ValueError for a state that C does not know."""
        numbers = as_numbers(state)
        fits = self.call["native_load"]((to or self.state).at, (ctypes.c_int64 * len(numbers))(*numbers), len(numbers))
        return bool(fits)

    def store(self, of: Memory | None = None) -> State:
        """Where the match stands, for the Python."""
        return from_numbers(self.program, self.several, self.numbers(of))

    def results(self, of: Memory | None = None) -> tuple[list[int], list[Any], list[int]]:
        """Who has won (seats), scores as people know them, places. Raises ValueError if a rule is at fault."""
        room = (ctypes.c_int64 * (1 + 2 * self.players))()
        if self.call["native_results"](self.work.at, (of or self.state).at, room) != NOTHING:
            raise ValueError("the rules tell no results")
        scores = [self.score(value) for value in room[1 : 1 + self.players]]
        return seats_in(room[0]), scores, room[1 + self.players :]

    def score(self, value: int) -> Any:
        """A score as people know it."""
        return None if self.score_type is None else shown(value, *self.score_type)

    # ------------------------------------------------------------ many matches
    def play(self, first: int, matches: int, cap: int, checking: bool = False) -> memoryview:
        """Plays matches with the seeds from `first` on, each move equally likely, for at most `cap` decisions each. Of
        each a row of `3 + players` numbers, one after another: decisions; 0 if it came to its end, 1 if it was given
        up, 2 if something was at fault; who has won, as a bit set, or what was at fault; scores by seat, as they
        are kept. Raises ValueError for fewer than none, and for more than MOST_TOGETHER."""
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
        """Matches that go on from a state with this move and then by chance, for `horizon` more decisions at most. Of
        each places and scores (as they are kept) by seat; none of those in which a rule is at fault. Raises ValueError
        for fewer than none, and for more than MOST_TOGETHER."""
        if not self.load(state):
            return []
        width, scratch = 1 + 2 * self.players, self.blank()
        rows = (ctypes.c_int64 * (max(checked_count(count), 1) * width))()
        given = (self.work.at, self.state.at, scratch.at, code, count, horizon, seed % SEEDS, rows)
        done = self.call["native_playouts"](*given)
        found = (rows[at : at + width] for at in range(0, done * width, width))
        return [(row[1 : 1 + self.players], row[1 + self.players :]) for row in found if row[0] in (0, 1)]


class Memory:
    """Some bytes, all zero at first, that are not touched before they are used. `at`: where they lie. A process that is
    forked off has its own: two that play must not write to the same state."""

    def __init__(self, size: int) -> None:
        self.bytes = mmap.mmap(-1, size, access=mmap.ACCESS_COPY)
        self.held = (ctypes.c_char * size).from_buffer(self.bytes)
        self.at = ctypes.addressof(self.held)


def checked_count(matches: int) -> int:
    """Raises ValueError for a number of matches that are not played in one call."""
    if not 0 <= matches <= MOST_TOGETHER:
        raise ValueError(f"{matches:,} matches are not played in one call: none to {MOST_TOGETHER:,} are.")
    return matches


def seats_in(mask: int) -> list[int]:
    return [seat for seat in range(mask.bit_length()) if mask >> seat & 1]


def engine_of(game: Game, players: int, makers: Sequence[str] = MAKERS, trying: bool = False) -> Engine:
    """A game as machine code. `trying`: with what tries moves out (`interpreter.native.trials`). Raises NoCompiler
    where there is nothing that makes it, or what there is cannot."""
    program = Program(game, players, False)  # with nothing else in it, so that its text is always the same
    try:
        reads = shown_reading(game) if trying else None
        return Engine(program, library_of(c_source(program, reads, trying), TRYING if trying else None, makers))
    except NoC as reason:
        raise NoCompiler(f"{game.title} has what is not printed to C: {reason}") from None
