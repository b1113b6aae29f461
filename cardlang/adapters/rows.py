"""Batches of matches that advance one decision per call: their memory and their engine.

The native engine plays them if it is available (`interpreter/native/c/vector.h`). Python plays all matches otherwise,
and single matches that the native engine can't continue; these are marked `aside`. The results are identical."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from typing import Any, NamedTuple

from cardlang.adapters import AdapterError, optional
from cardlang.adapters.actions import Actions
from cardlang.adapters.features import Features
from cardlang.adapters.row_tables import row_tables
from interpreter.matches.moves import printed
from interpreter.native.compilers import MAKERS, NoCompiler, library_of
from interpreter.native.engine import Memory
from interpreter.native.program import c_source, header
from interpreter.native.states import from_numbers, sites_of_several
from interpreter.native.world import NoC
from interpreter.program import Program
from interpreter.state import ABSENT, State
from interpreter.trees.point import Table

numpy: Any = optional("numpy", "ai")

HERE, FAULTY, ALIKE, NOBODY = range(4)
"""Engine of a match: native; Python; native with actions numbered in Python. The last value marks a game without
decisions."""
LEFT, BEGINS = -1, -2
"""Special values of a code: the match was advanced already; the match starts."""
MOST_IDLE = 1000
"""Maximum number of consecutive matches without a decision."""
ROOM = 64
"""Initial capacity of the list of moves of each match."""
TOUCHED = 48 * 1024
"""Estimate of the bytes of a native state that are ever touched."""
LONGEST_STORE = 1 << 16
FUNCTIONS = {"rows_step": ("p", "p", "p"), "rows_codes": ("p", "p", "p"), "rows_random": ("p", "u", "p")}


class Fields(ctypes.Structure):
    """Mirror of the C struct `Rows` in `vector.h`."""

    _fields_ = (
        *((name, ctypes.c_int64) for name in ("count", "room", "longest", "by_place")),
        *(
            (name, ctypes.c_void_p)
            for name in (
                "states", "seen", "gained", "open", "asked", "ended", "cut", "aside", "seeds", "made", "choices",
            )
        ),
    )  # fmt: skip


class Told(NamedTuple):
    """Result of a move: rewards by seat, and flags for a finished and a truncated match."""

    gained: list[float]
    ended: bool
    cut: bool


class Rows:
    """Batch of `count` matches, as arrays by match.

    `seen` has the current player's observation, `open` the action mask, and `asked` the current seat. `gained` has the
    rewards of the last move by seat. `ended` and `cut` mark matches that the last move finished or truncated."""

    def __init__(self, table: Table[Actions], count: int, longest: int, makers: Sequence[str] = MAKERS) -> None:
        self.table, self.names, self.program, self.actions = table, table.names, table.program, table.actions
        self.features = Features(table.names)
        self.count, self.longest = count, longest
        check_memory(table.program.game.title, count, self.bytes_of_one())
        players = self.program.players
        self.seen = numpy.zeros((count, self.features.size), numpy.float32)
        self.open = numpy.zeros((count, self.actions.count), numpy.uint8)
        self.gained = numpy.zeros((count, players), numpy.float32)
        self.asked = numpy.zeros(count, numpy.int32)
        self.ended, self.cut = numpy.zeros(count, numpy.uint8), numpy.zeros(count, numpy.uint8)
        self.aside = numpy.full(count, FAULTY, numpy.uint8)
        self.seeds, self.made = numpy.zeros(count, numpy.uint64), numpy.zeros(count, numpy.int64)
        self.choices = numpy.zeros((count, min(ROOM, longest)), numpy.int64)
        self.codes = numpy.zeros(count, numpy.int64)
        self.states: dict[int, State] = {}
        """States of the matches that Python plays."""
        self.numbered: dict[int, dict[int, int]] = {}
        """Codes of moves by action number, for matches marked `aside`."""
        self.call: dict[str, Any] | None = None
        self.reason = ""
        try:
            self.make_native(makers)
        except NoCompiler as reason:
            self.reason = str(reason)

    def bytes_of_one(self) -> int:
        return 4 * self.features.size + self.actions.count + 8 * ROOM + TOUCHED

    def make_native(self, makers: Sequence[str]) -> None:
        """Compile the native engine. Raise NoCompiler if that fails."""
        program = Program(self.program.game, self.program.players, False)
        try:
            tables = row_tables(program, self.table, self.features)
            text = "\n\n".join([c_source(program), tables, header("vector.h")])
        except NoC as reason:
            raise NoCompiler(f"{self.program.game.title} cannot be compiled to C: {reason}") from None
        library = library_of(text, FUNCTIONS, makers)
        self.call, self.maker = library.functions, library.maker
        self.work = Memory(self.call["size_of_work"]())
        self.size: int = self.call["size_of_state"]()
        try:
            self.memory = Memory(self.size * self.count)
        except (OSError, OverflowError, ValueError):
            raise too_many(self.program.game.title, self.count, self.size) from None
        self.several = sites_of_several(program)

    def fields(self) -> Fields:
        arrays = (
            self.seen, self.gained, self.open, self.asked, self.ended, self.cut, self.aside, self.seeds, self.made,
            self.choices,
        )  # fmt: skip
        by_place = self.table.results == "place"
        numbers = (self.count, self.choices.shape[1], self.longest, by_place)
        return Fields(*numbers, self.memory.at, *(array.ctypes.data for array in arrays))

    # ------------------------------------------------------------ the batch
    def begin(self, seed: int) -> None:
        """Restart all matches, with consecutive seeds from `seed` on. Raise AdapterError or RuleError."""
        self.states.clear()
        self.numbered.clear()
        self.seeds[:] = numpy.uint64(seed) + numpy.arange(self.count, dtype=numpy.uint64)
        self.gained[:] = self.ended[:] = self.cut[:] = 0
        self.made[:] = 0
        self.codes[:] = BEGINS
        self.go_on()

    def codes_of(self, numbers: Any) -> int | None:
        """Look up the codes of actions. Return the first match whose action is illegal, or None."""
        if self.call is not None:
            wrong = self.call["rows_codes"](ctypes.byref(self.fields()), numbers.ctypes.data, self.codes.ctypes.data)
            if wrong >= 0:
                return int(wrong)
        for match, known in self.numbered.items():
            code = known.get(int(numbers[match]))
            if code is None:
                return match
            self.codes[match] = code
        return None

    def go_on(self) -> None:
        """Advance each match by its move in `codes`. Raise AdapterError or RuleError."""
        if self.call is None:
            for match in range(self.count):
                self.go_on_here(match)
            return
        told = {match: self.go_on_here(match, hands_back=True) for match in list(self.states)}
        self.numbered = {match: known for match, known in self.numbered.items() if match in self.states}
        if int(self.made.max()) >= self.choices.shape[1]:
            more = numpy.zeros((self.count, self.choices.shape[1]), numpy.int64)
            self.choices = numpy.concatenate([self.choices, more], 1)
        self.call["rows_step"](self.work.at, ctypes.byref(self.fields()), self.codes.ctypes.data)
        for match, (gained, ended, cut) in told.items():
            self.gained[match], self.ended[match], self.cut[match] = gained, ended, cut
        for match in numpy.flatnonzero(self.aside).tolist():
            if match not in self.states:
                self.take_over(match)

    def random_numbers(self, seed: int) -> Any:
        """Return a random legal action for each match, uniformly distributed."""
        numbers = numpy.zeros(self.count, numpy.int64)
        if self.call is not None:
            self.call["rows_random"](ctypes.byref(self.fields()), seed, numbers.ctypes.data)
        if self.numbered:
            draw = numpy.random.default_rng(seed)
            for match, known in self.numbered.items():
                numbers[match] = list(known)[int(draw.integers(len(known)))]
        return numbers

    # ------------------------------------------------------------ single matches, in Python
    def go_on_here(self, match: int, hands_back: bool = False) -> Told:
        """Advance a match in Python and return the result.

        With `hands_back`, the native engine plays the next match."""
        code, told = int(self.codes[match]), Told([0.0] * self.program.players, False, False)
        if code != BEGINS:
            told = self.moved(match, self.states[match], code)
        self.gained[match], self.ended[match], self.cut[match] = told
        self.codes[match] = LEFT
        if code == BEGINS or told.ended or told.cut:
            self.made[match] = 0
            self.states.pop(match, None)
            if hands_back:
                self.codes[match] = BEGINS
                return told
            self.states[match] = self.started(match)
        self.show(match, self.states[match])
        return told

    def moved(self, match: int, state: State, code: int) -> Told:
        self.program.apply(state, code)
        self.made[match] += 1
        ended = state.who == ABSENT
        cut = not ended and int(self.made[match]) >= self.longest
        if ended or cut:
            self.seeds[match] += numpy.uint64(self.count)
        return Told(self.table.gains(state) if ended else [0.0] * self.program.players, ended, cut)

    def started(self, match: int) -> State:
        """Return the next match with a decision, starting from the match's seed, at that decision."""
        for _ in range(MOST_IDLE):
            state = self.program.start(int(self.seeds[match]))
            if state.who != ABSENT:
                return state
            self.seeds[match] += numpy.uint64(self.count)
        raise self.idle()

    def idle(self) -> AdapterError:
        return AdapterError(f"{self.program.game.title} has no decisions.")

    def take_over(self, match: int) -> None:
        """Finish a step that the native engine couldn't.

        Actions that share a number are numbered here. If a rule failed or memory ran out, Python replays the match and
        continues it."""
        if self.aside[match] == NOBODY:
            raise self.idle()
        if self.aside[match] == ALIKE:
            self.number(match, self.stored(match))
            return
        made = self.choices[match, : self.made[match]].tolist()
        if not made:
            self.states[match] = self.started(match)
            self.show(match, self.states[match])
            return
        self.states[match] = state = self.program.start(int(self.seeds[match]))
        for code in made[:-1]:
            self.program.apply(state, code)
        self.made[match] -= 1
        self.codes[match] = made[-1]
        self.go_on_here(match)

    def stored(self, match: int) -> State:
        """Return the state of a match in the native engine."""
        assert self.call is not None
        room = (ctypes.c_int64 * LONGEST_STORE)()
        length = self.call["native_store"](self.memory.at + match * self.size, room)
        return from_numbers(self.program, self.several, room[:length])

    def show(self, match: int, state: State) -> None:
        self.asked[match] = state.who
        self.seen[match] = self.features.at(state)
        self.number(match, state)

    def number(self, match: int, state: State) -> None:
        self.numbered[match] = self.actions.of(self.names, state, printed(self.names, state, state.legal))
        self.open[match] = 0
        self.open[match, list(self.numbered[match])] = 1


def check_memory(title: str, count: int, each: int) -> None:
    """Raise ValueError if the matches don't fit into memory."""
    if count * each > memory() // 2:
        raise too_many(title, count, each)


def too_many(title: str, count: int, each: int) -> ValueError:
    room = max(memory() // 2 // each, 1)
    return ValueError(
        f"{count:,} matches of {title} need about {count * each / 1e9:,.1f} GB. There is memory for about {room:,}."
    )


def memory() -> int:
    """Return the machine's memory in bytes; 8 GiB if unknown."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 8 << 30
