"""Native engine: steps of matches, batches of matches and state conversion."""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from cardlang.model import Game
from interpreter.codegen.c.c_context import UnsupportedInC, find_multi_choice_sites
from interpreter.codegen.c.c_program import generate_c_source
from interpreter.native.compilers import (
    COMPILER_TYPES,
    SEARCH_FUNCTIONS,
    NativeCompileError,
    NativeLibrary,
    compile_library,
)
from interpreter.program.betting_roles_and_shown_hand import find_shown_reading
from interpreter.program.program import Program
from interpreter.runtime.state import State, to_displayed_value

WORD_RANGE = 1 << 64


def serialize_state(state: State) -> list[int]:
    """Serialize a state. Lists are preceded by their length.

    Raise `ValueError` for a state that C cannot represent: one with the random state of a long seed, or with
    listeners."""
    if not isinstance(state.rng, int) or state.rng >= WORD_RANGE or state.events is not None:
        raise ValueError("a state with long chance or with listeners")
    return serialize_state_with_rng(state, state.rng - WORD_RANGE if state.rng >> 63 else state.rng)


def serialize_state_with_rng(state: State, rng_state: int = 0) -> list[int]:
    """Serialize a state with another random state."""
    numbers = [state.who, rng_state, state.out, state.fuel, len(state.frames)]
    rows = state.legal, state.t, state.loc, state.owner, state.known, state.order, state.alive, state.picks
    for row in (*rows, *state.z):
        numbers += [len(row), *row]
    for frame in state.frames:
        for value in frame:
            numbers += serialize_list(value) if isinstance(value, list | tuple) else [int(value)]
    return numbers


def serialize_list(value: Sequence[Any]) -> list[int]:
    """Serialize a list of numbers or of simultaneous choices: who and the move, or who, the number of cards and the
    cards."""
    if not value or not isinstance(value[0], tuple):
        return [len(value), *value]
    row: list[int] = []
    for item in value:
        for part in item:
            row += [len(part), *part] if isinstance(part, list | tuple) else [part]
    return [len(row), *row]


def deserialize_state(program: Program, multi_choice_sites: frozenset[int], numbers: Sequence[int]) -> State:
    """Restore a state from its numbers.

    `multi_choice_sites`: the sites, as in `frame.codes`, whose choices are of several cards.
    """
    given, s = iter(numbers), State()
    s.who, rng, s.out, s.fuel, depth = islice(given, 5)
    s.rng = rng % WORD_RANGE
    s.legal, s.t, s.loc, s.owner, s.known, s.order, s.alive, s.picks = (read_row(given) for _ in range(8))
    s.z = [read_row(given) for _ in program.zones]
    s.frames = [read_frame(program, multi_choice_sites, given) for _ in range(depth)]
    s.events, s.checking = None, False
    return s


def read_row(numbers: Iterator[int]) -> list[int]:
    return list(islice(numbers, next(numbers)))


def read_frame(program: Program, multi_choice_sites: frozenset[int], numbers: Iterator[int]) -> list[Any]:
    block = next(numbers)
    frame = program.get_block_frame(block)
    values: list[Any] = [block]
    for slot, kind in enumerate(frame.kinds[1:] if frame is not None else (), start=1):
        if kind is None or kind.tag not in ("list", "answers"):
            values.append(next(numbers))
        elif kind.tag == "list":
            values.append(read_row(numbers))
        else:
            assert frame is not None
            values.append(read_choices(read_row(numbers), frame.codes.get(slot) in multi_choice_sites))
    return values


def read_choices(numbers: list[int], is_multi_choice: bool) -> tuple[tuple[int, Any], ...]:
    given = iter(numbers)
    return tuple((who, read_row(given) if is_multi_choice else next(given)) for who in given)


NO_FAULT = -1
"""Fault value if nothing failed."""
OUTCOME_RULE_FAILED = 2
"""Outcome of a match in which a rule failed."""
MAX_DECISIONS_PER_CALL = 100_000
"""Maximum number of decisions of one call. Signals are handled between calls."""
MAX_STATE_NUMBERS = 1 << 16
"""Maximum length of a serialized state, in numbers."""
MAX_MATCHES_PER_CALL = 1 << 24
"""Maximum number of matches of one call: their results are in memory."""
SEED_LIMIT = 1 << 64
"""Limit of the seeds that the C generator supports."""


class NativeBatch(ctypes.Structure):
    """Counterpart of the struct `NativeBatch` in `run_loop.h`."""

    _fields_ = (
        ("seed", ctypes.c_uint64), ("moves", ctypes.c_uint64), ("left", ctypes.c_int64), ("cap", ctypes.c_int64),
        ("budget", ctypes.c_int64), ("checking", ctypes.c_int64), ("playing", ctypes.c_int64),
        ("decisions", ctypes.c_int64),
    )  # fmt: skip


class NativeEngine:
    """Compiled program. Its memory is for one thread at a time; other threads need an engine of their own
    (`create_for_thread`).

    compiler_name: the compiler."""

    def __init__(self, program: Program, library: NativeLibrary) -> None:
        self.program, self.library = program, library
        self.compiler_name = library.compiler_name
        self.c_functions = library.functions
        self.work_memory = NativeMemory(self.c_functions["size_of_work"]())
        self.state_size: int = self.c_functions["size_of_state"]()
        self.multi_choice_sites = find_multi_choice_sites(program)
        self.players = program.players
        expr = program.find_player_expression("score")
        self.score_type = (expr.type, program.layout.scales.get_scale(expr)) if expr is not None else None
        self.state = self.allocate_state()
        self.practice_memory: NativeMemory | None = None
        """Policy for playouts, learned from practice deals."""
        self.practised_deals = 0
        self.row_buffer = (ctypes.c_int64 * MAX_STATE_NUMBERS)()

    def create_for_thread(self) -> NativeEngine:
        """Return an engine of the same program for another thread."""
        return NativeEngine(self.program, self.library)

    def allocate_state(self) -> NativeMemory:
        """Allocate memory for a state."""
        return NativeMemory(self.state_size)

    # ------------------------------------------------------------ single decisions
    def start(self, seed: int, checking: bool = False, memory: NativeMemory | None = None) -> int:
        """Play a match to its first decision.

        Return `NO_FAULT`, the place of the rule that failed, or a lower number for other faults.
        """
        fault: int = self.c_functions["native_start"](
            self.work_memory.address, (memory or self.state).address, seed % SEED_LIMIT, checking
        )
        return fault

    def apply(self, code: int, memory: NativeMemory | None = None) -> int:
        """Play a legal move."""
        fault: int = self.c_functions["native_apply"](self.work_memory.address, (memory or self.state).address, code)
        return fault

    def read_state_numbers(self) -> list[int]:
        return self.row_buffer[: self.c_functions["native_store"](self.state.address, self.row_buffer)]

    def load(self, state: State, memory: NativeMemory | None = None) -> bool:
        """Load a Python state. Return whether it fits.

        It does not fit if it is too large, or its cards, seats or blocks do not match these rules. Raise
        `ValueError` for a state that C cannot represent."""
        numbers = serialize_state(state)
        fits = self.c_functions["native_load"](
            (memory or self.state).address, (ctypes.c_int64 * len(numbers))(*numbers), len(numbers)
        )
        return bool(fits)

    def read_state(self) -> State:
        """Return the state as Python data."""
        return deserialize_state(self.program, self.multi_choice_sites, self.read_state_numbers())

    def read_results(self) -> tuple[list[int], list[Any], list[int]]:
        """Return the winning seats, the displayed scores, and the ranks. Raise `ValueError` if a rule fails."""
        room = (ctypes.c_int64 * (1 + 2 * self.players))()
        if self.c_functions["native_results"](self.work_memory.address, self.state.address, room) != NO_FAULT:
            raise ValueError("the rules tell no results")
        scores = [self.convert_score(value) for value in room[1 : 1 + self.players]]
        return list_seats_in_mask(room[0]), scores, room[1 + self.players :]

    def convert_score(self, value: int) -> Any:
        """Return a score as displayed."""
        return None if self.score_type is None else to_displayed_value(value, *self.score_type)

    # ------------------------------------------------------------ batches of matches
    def play_matches(
        self, first_seed: int, match_count: int, decision_limit: int, checking: bool = False
    ) -> memoryview:
        """Play matches with uniformly random moves, for at most `decision_limit` decisions each.

        The seeds are `first_seed` and the following numbers.
        Return a row of `3 + players` numbers for each match, one after another:
        - the number of decisions
        - 0 if the match finished, 1 if it hit the limit, 2 if a rule failed
        - the winners as a bit mask, or the fault
        - the unscaled scores by seat

        Raise `ValueError` for a negative number of matches, or more than `MAX_MATCHES_PER_CALL`."""
        width = 3 + self.players
        rows = (ctypes.c_int64 * (max(check_match_count(match_count), 1) * width))()
        batch = NativeBatch(first_seed % SEED_LIMIT, 0, match_count, decision_limit, 0, checking, 0, 0)
        done = 0
        while batch.left > 0:
            batch.budget = MAX_DECISIONS_PER_CALL
            to = ctypes.byref(rows, done * width * 8)
            done += self.c_functions["native_play"](
                self.work_memory.address, self.state.address, ctypes.byref(batch), to
            )
        return memoryview(rows).cast("B").cast("q")[: done * width]

    def run_playouts(
        self, state: State, code: int, count: int, seed: int, horizon: int
    ) -> list[tuple[Sequence[int], list[int]]]:
        """Play random playouts from a state after this move, for at most `horizon` more decisions.

        Return the ranks and unscaled scores by seat of each one. Playouts in which a rule fails are dropped. Raise
        `ValueError` for a negative number of playouts, or more than `MAX_MATCHES_PER_CALL`."""
        if not self.load(state):
            return []
        width, scratch = 1 + 2 * self.players, self.allocate_state()
        rows = (ctypes.c_int64 * (max(check_match_count(count), 1) * width))()
        given = (
            self.work_memory.address,
            self.state.address,
            scratch.address,
            code,
            count,
            horizon,
            seed % SEED_LIMIT,
            rows,
        )
        done = self.c_functions["native_playouts"](*given)
        playouts = (rows[at : at + width] for at in range(0, done * width, width))
        return [(row[1 : 1 + self.players], row[1 + self.players :]) for row in playouts if row[0] in (0, 1)]


class NativeMemory:
    """Zeroed bytes, whose pages are not touched before use. `address`: their address.

    A forked process gets its own copy: two processes must not write to the same state."""

    def __init__(self, size: int) -> None:
        self.bytes = mmap.mmap(-1, size, access=mmap.ACCESS_COPY)
        self.buffer = (ctypes.c_char * size).from_buffer(self.bytes)
        self.address = ctypes.addressof(self.buffer)


def check_match_count(matches: int) -> int:
    """Raise `ValueError` for a number of matches outside the limits of one call; otherwise return it."""
    if not 0 <= matches <= MAX_MATCHES_PER_CALL:
        raise ValueError(f"{matches:,} matches are not played in one call: none to {MAX_MATCHES_PER_CALL:,} are.")
    return matches


def list_seats_in_mask(mask: int) -> list[int]:
    return [seat for seat in range(mask.bit_length()) if mask >> seat & 1]


def build_engine(
    game: Game, players: int, compiler_types: Sequence[str] = COMPILER_TYPES, with_search: bool = False
) -> NativeEngine:
    """Compile a game. `with_search`: include the search of `interpreter.native.playouts`.

    Raise `NativeCompileError` if no compiler is available, or if it fails."""
    program = Program(game, players, False)  # a fresh program, so that its source is always the same
    try:
        reads = find_shown_reading(game) if with_search else None
        return NativeEngine(
            program,
            compile_library(
                generate_c_source(program, reads, with_search),
                SEARCH_FUNCTIONS if with_search else None,
                compiler_types,
            ),
        )
    except UnsupportedInC as reason:
        raise NativeCompileError(f"{game.title} cannot be compiled to C: {reason}") from None
