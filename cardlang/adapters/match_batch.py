"""Batch of parallel matches, in native code or Python.

The native engine (`interpreter/codegen/c/headers/vector_batch.h`) plays them if it is available. Otherwise Python plays
all matches. Python also plays single matches that the native engine can't continue, marked in `match_engines`. The
results are identical.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from typing import Any, NamedTuple

from cardlang import model as g
from cardlang.adapters import AdapterError, import_optional
from cardlang.adapters.game_encoding import ActionSpace, ObservationEncoder
from interpreter.codegen.c.c_context import UnsupportedInC, find_multi_choice_sites, format_c_numbers
from interpreter.codegen.c.c_program import generate_c_source, read_c_header
from interpreter.gametree.tree_node import TreeContext
from interpreter.narration.decision_text import format_moves
from interpreter.native.compilers import COMPILER_TYPES, NativeCompileError, compile_library
from interpreter.native.engine import NativeMemory, deserialize_state
from interpreter.program.program import Program
from interpreter.runtime.state import ABSENT, DecisionPoint, State, TrackSlot

EVERY_SEAT, NO_SEAT = -1, -2
FROM_ONE_SCALE, FLAG_SCALE = 0, -1
"""Codes in place of the scale of a number."""


def render_batch_tables(program: Program, table: TreeContext[ActionSpace], features: ObservationEncoder) -> str:
    """Return the tables as C source.

    `program` is the same game's program that C was generated for. Raise `UnsupportedInC` for unsupported constructs."""
    seen = [(number, slot) for number, slot in enumerate(program.tracks) if slot.track.subject != "card"]
    expr = program.find_player_expression("score")
    scale = program.layout.scales.get_scale(expr) if expr is not None else 1
    numbers = {
        "LOOK_FACES": features.face_count,
        "LOOK_SIZE": features.size,
        "LOOK_TRACKS": len(seen),
        "EVERY_SEAT": EVERY_SEAT,
        "ACTIONS": table.numbering.count,
        "SCORE_SCALE": scale,
    }
    rows = {
        "LOOK_SLOT": [number for number, _ in seen],
        "LOOK_OWNER": [find_observing_seat(slot) for _, slot in seen],
        "LOOK_SCALE": [find_track_scale(slot) for _, slot in seen],
        "SCORE_START": [int(start * scale) for start in table.start_scores],
        "SITE_OF": [program.lowering.splitter.sites_by_block.get(block, 0) for block in range(len(program.blocks))],
        **build_action_number_arrays(program, table.numbering),
    }
    lines = [f"#define {name} ({number})" for name, number in numbers.items()]
    return "\n".join(
        lines + [f"static const i64 {name}[] = {{{format_c_numbers(row or [0])}}};" for name, row in rows.items()]
    )


def find_observing_seat(slot: TrackSlot) -> int:
    if not slot.track.secret:
        return EVERY_SEAT
    return slot.of if slot.track.subject == "player" and slot.of is not None else NO_SEAT


def find_track_scale(slot: TrackSlot) -> int:
    match slot.track.type.tag:
        case "number":
            return slot.scale
        case "flag":
            return FLAG_SCALE
        case "player" | "member":
            return FROM_ONE_SCALE
    raise UnsupportedInC(f"a {slot.track.type.tag} that is kept")


def build_action_number_arrays(program: Program, actions: ActionSpace) -> dict[str, list[int]]:
    """Return the tables of decisions, groups of moves and bindings.

    A decision has its number of options, two flags (picks one at a time; can be passed) and its first group. A group
    has the number of its first move and its first binding. A binding has its radix in codes, a flag for cards, and its
    number of values."""
    sites: dict[str, list[int]] = {
        name: [] for name in ("SITE_OPTIONS", "SITE_PICKS", "SITE_MAY", "SITE_GROUPS", "GROUP_BASE", "GROUP_PARTS")
    }
    parts: dict[str, list[int]] = {name: [] for name in ("PART_RADIX", "PART_CARD", "PART_SIZE")}
    for site in program.sites:
        sites["SITE_OPTIONS"].append(len(site.options))
        sites["SITE_PICKS"].append(site.kind in ("pick", "several"))
        sites["SITE_MAY"].append(bool(getattr(site.statement, "may", False)))
        sites["SITE_GROUPS"].append(len(sites["GROUP_BASE"]))
        for group, radices in find_groups_with_radices(actions, site):
            sites["GROUP_BASE"].append(actions.group_offsets[group])
            sites["GROUP_PARTS"].append(len(parts["PART_SIZE"]))
            parts["PART_RADIX"] += radices
            parts["PART_CARD"] += [type_.tag == "card" for type_ in group[2]]
            parts["PART_SIZE"] += actions.group_sizes[group]
    sites["GROUP_PARTS"].append(len(parts["PART_SIZE"]))
    return {name: list(map(int, row)) for name, row in (sites | parts).items()}


def find_groups_with_radices(
    actions: ActionSpace, site: DecisionPoint
) -> list[tuple[tuple[str, str, tuple[g.Type, ...]], tuple[int, ...]]]:
    """Return the groups of a decision's moves, with the radices of their bindings in codes."""
    groups = [group for group, _ in actions.iter_groups_with_value_counts(site)]
    return list(zip(groups, site.radices if site.options else [(0,)], strict=True))


# ---------------------------------------------------------------- the batch of matches
numpy: Any = import_optional("numpy", "ai")
PLAYED_NATIVELY, PLAYED_IN_PYTHON, NUMBERED_IN_PYTHON, WITHOUT_DECISIONS = range(4)
"""Engine of a match: native; Python; native with actions numbered in Python. The last value marks a game without
decisions."""
ALREADY_ADVANCED, MATCH_START = -1, -2
"""Special values of a code: the match was advanced already; the match starts."""
MAX_IDLE_MATCHES = 1000
"""Maximum number of consecutive matches without a decision."""
INITIAL_MOVE_CAPACITY = 64
"""Initial capacity of the list of moves of each match."""
TOUCHED_STATE_BYTES = 48 * 1024
"""Estimate of the bytes of a native state that are ever touched."""
MAX_STORED_NUMBERS = 1 << 16
NATIVE_FUNCTIONS = {"rows_step": ("p", "p", "p"), "rows_codes": ("p", "p", "p"), "rows_random": ("p", "u", "p")}


STRUCT_ARRAYS = {
    "seen": "observations", "gained": "rewards", "open": "action_masks", "asked": "current_seats",
    "ended": "terminations", "cut": "truncations", "aside": "match_engines", "seeds": "seeds", "made": "move_counts",
    "choices": "choices",
}  # fmt: skip
"""Arrays in the C struct, in its order, with the attributes of `MatchBatch` that hold them."""


class BatchStruct(ctypes.Structure):
    """Mirror of the C struct `MatchBatch` in `vector_batch.h`."""

    _fields_ = (
        *((name, ctypes.c_int64) for name in ("count", "room", "longest", "by_place")),
        *((name, ctypes.c_void_p) for name in ("states", *STRUCT_ARRAYS)),
    )


class MoveResult(NamedTuple):
    """Result of a move: rewards by seat, and flags for a finished and a truncated match."""

    rewards: list[float]
    is_terminated: bool
    is_truncated: bool


class MatchBatch:
    """Batch of `count` matches, as arrays by match.

    `observations` has the current player's observation, `action_masks` the action mask, and `current_seats` the current
    seat. `rewards` has the rewards of the last move by seat. `terminations` and `truncations` mark matches that the
    last move finished or truncated."""

    def __init__(
        self, table: TreeContext[ActionSpace], count: int, move_limit: int, compilers: Sequence[str] = COMPILER_TYPES
    ) -> None:
        self.table, self.names, self.program, self.actions = table, table.names, table.program, table.numbering
        self.observation_encoder = ObservationEncoder(table.names)
        self.count, self.move_limit = count, move_limit
        check_memory_for_matches(table.program.game.title, count, self.estimate_match_bytes())
        players = self.program.players
        self.observations = numpy.zeros((count, self.observation_encoder.size), numpy.float32)
        self.action_masks = numpy.zeros((count, self.actions.count), numpy.uint8)
        self.rewards = numpy.zeros((count, players), numpy.float32)
        self.current_seats = numpy.zeros(count, numpy.int32)
        self.terminations, self.truncations = numpy.zeros(count, numpy.uint8), numpy.zeros(count, numpy.uint8)
        self.match_engines = numpy.full(count, PLAYED_IN_PYTHON, numpy.uint8)
        self.seeds, self.move_counts = numpy.zeros(count, numpy.uint64), numpy.zeros(count, numpy.int64)
        self.choices = numpy.zeros((count, min(INITIAL_MOVE_CAPACITY, move_limit)), numpy.int64)
        self.codes = numpy.zeros(count, numpy.int64)
        self.states: dict[int, State] = {}
        """States of the matches that Python plays."""
        self.codes_by_action: dict[int, dict[int, int]] = {}
        """Codes of moves by action number, for matches marked NUMBERED_IN_PYTHON in `match_engines`."""
        self.native_functions: dict[str, Any] | None = None
        self.python_reason = ""
        try:
            self.compile_native_engine(compilers)
        except NativeCompileError as reason:
            self.python_reason = str(reason)

    def estimate_match_bytes(self) -> int:
        return 4 * self.observation_encoder.size + self.actions.count + 8 * INITIAL_MOVE_CAPACITY + TOUCHED_STATE_BYTES

    def compile_native_engine(self, compilers: Sequence[str]) -> None:
        """Compile the native engine. Raise `NativeCompileError` if that fails."""
        program = Program(self.program.game, self.program.players, False)
        try:
            tables = render_batch_tables(program, self.table, self.observation_encoder)
            text = "\n\n".join([generate_c_source(program), tables, read_c_header("vector_batch.h")])
        except UnsupportedInC as reason:
            raise NativeCompileError(f"{self.program.game.title} cannot be compiled to C: {reason}") from None
        library = compile_library(text, NATIVE_FUNCTIONS, compilers)
        self.native_functions, self.compiler = library.functions, library.compiler_name
        self.work_memory = NativeMemory(self.native_functions["size_of_work"]())
        self.state_bytes: int = self.native_functions["size_of_state"]()
        try:
            self.memory = NativeMemory(self.state_bytes * self.count)
        except (OSError, OverflowError, ValueError):
            raise build_memory_error(self.program.game.title, self.count, self.state_bytes) from None
        self.multi_pick_sites = find_multi_choice_sites(program)

    def build_struct(self) -> BatchStruct:
        numbers = (self.count, self.choices.shape[1], self.move_limit, self.table.result_kind == "place")
        arrays = (getattr(self, name).ctypes.data for name in STRUCT_ARRAYS.values())
        return BatchStruct(*numbers, self.memory.address, *arrays)

    # ------------------------------------------------------------ the batch
    def restart_matches(self, seed: int) -> None:
        """Restart all matches, with consecutive seeds from `seed` on. Raise AdapterError or RuleError."""
        self.states.clear()
        self.codes_by_action.clear()
        self.seeds[:] = numpy.uint64(seed) + numpy.arange(self.count, dtype=numpy.uint64)
        self.rewards[:] = self.terminations[:] = self.truncations[:] = 0
        self.move_counts[:] = 0
        self.codes[:] = MATCH_START
        self.advance_matches()

    def find_action_codes(self, actions: Any) -> int | None:
        """Look up the codes of actions. Return the first match whose action is illegal, or None."""
        if self.native_functions is not None:
            wrong = self.native_functions["rows_codes"](
                ctypes.byref(self.build_struct()), actions.ctypes.data, self.codes.ctypes.data
            )
            if wrong >= 0:
                return int(wrong)
        for match, known in self.codes_by_action.items():
            code = known.get(int(actions[match]))
            if code is None:
                return match
            self.codes[match] = code
        return None

    def advance_matches(self) -> None:
        """Advance each match by its move in `codes`. Raise AdapterError or RuleError."""
        if self.native_functions is None:
            for match in range(self.count):
                self.advance_match_in_python(match)
            return
        results = {match: self.advance_match_in_python(match, return_to_native=True) for match in list(self.states)}
        self.codes_by_action = {match: known for match, known in self.codes_by_action.items() if match in self.states}
        if int(self.move_counts.max()) >= self.choices.shape[1]:
            more = numpy.zeros((self.count, self.choices.shape[1]), numpy.int64)
            self.choices = numpy.concatenate([self.choices, more], 1)
        self.native_functions["rows_step"](
            self.work_memory.address, ctypes.byref(self.build_struct()), self.codes.ctypes.data
        )
        for match, (gained, ended, cut) in results.items():
            self.rewards[match], self.terminations[match], self.truncations[match] = gained, ended, cut
        for match in numpy.flatnonzero(self.match_engines).tolist():
            if match not in self.states:
                self.continue_match_in_python(match)

    def choose_random_actions(self, seed: int) -> Any:
        """Return a random legal action for each match, uniformly distributed."""
        numbers = numpy.zeros(self.count, numpy.int64)
        if self.native_functions is not None:
            self.native_functions["rows_random"](ctypes.byref(self.build_struct()), seed, numbers.ctypes.data)
        if self.codes_by_action:
            draw = numpy.random.default_rng(seed)
            for match, known in self.codes_by_action.items():
                numbers[match] = list(known)[int(draw.integers(len(known)))]
        return numbers

    # ------------------------------------------------------------ single matches, in Python
    def advance_match_in_python(self, match: int, return_to_native: bool = False) -> MoveResult:
        """Advance a match in Python. Return its `MoveResult`.

        With `return_to_native`, the native engine plays the next match."""
        code, result = int(self.codes[match]), MoveResult([0.0] * self.program.players, False, False)
        if code != MATCH_START:
            result = self.apply_move(match, self.states[match], code)
        self.rewards[match], self.terminations[match], self.truncations[match] = result
        self.codes[match] = ALREADY_ADVANCED
        if code == MATCH_START or result.is_terminated or result.is_truncated:
            self.move_counts[match] = 0
            self.states.pop(match, None)
            if return_to_native:
                self.codes[match] = MATCH_START
                return result
            self.states[match] = self.start_match(match)
        self.update_observation(match, self.states[match])
        return result

    def apply_move(self, match: int, state: State, code: int) -> MoveResult:
        self.program.apply(state, code)
        self.move_counts[match] += 1
        ended = state.who == ABSENT
        cut = not ended and int(self.move_counts[match]) >= self.move_limit
        if ended or cut:
            self.seeds[match] += numpy.uint64(self.count)
        return MoveResult(self.table.compute_gains(state) if ended else [0.0] * self.program.players, ended, cut)

    def start_match(self, match: int) -> State:
        """Return the next match with a decision, starting from the match's seed, at that decision."""
        for _ in range(MAX_IDLE_MATCHES):
            state = self.program.start(int(self.seeds[match]))
            if state.who != ABSENT:
                return state
            self.seeds[match] += numpy.uint64(self.count)
        raise AdapterError(f"{self.program.game.title} has no decisions.")

    def continue_match_in_python(self, match: int) -> None:
        """Finish a step that the native engine couldn't.

        Actions that share a number are numbered here. If a rule failed or memory ran out, Python replays the match and
        continues it."""
        if self.match_engines[match] == WITHOUT_DECISIONS:
            raise AdapterError(f"{self.program.game.title} has no decisions.")
        if self.match_engines[match] == NUMBERED_IN_PYTHON:
            self.update_legal_actions(match, self.read_native_state(match))
            return
        played_codes = self.choices[match, : self.move_counts[match]].tolist()
        if not played_codes:
            self.states[match] = self.start_match(match)
            self.update_observation(match, self.states[match])
            return
        self.states[match] = state = self.program.start(int(self.seeds[match]))
        for code in played_codes[:-1]:
            self.program.apply(state, code)
        self.move_counts[match] -= 1
        self.codes[match] = played_codes[-1]
        self.advance_match_in_python(match)

    def read_native_state(self, match: int) -> State:
        """Return the state of a match in the native engine."""
        assert self.native_functions is not None
        room = (ctypes.c_int64 * MAX_STORED_NUMBERS)()
        length = self.native_functions["native_store"](self.memory.address + match * self.state_bytes, room)
        return deserialize_state(self.program, self.multi_pick_sites, room[:length])

    def update_observation(self, match: int, state: State) -> None:
        self.current_seats[match] = state.who
        self.observations[match] = self.observation_encoder.encode_state(state)
        self.update_legal_actions(match, state)

    def update_legal_actions(self, match: int, state: State) -> None:
        self.codes_by_action[match] = self.actions.map_actions_to_codes(
            self.names, state, format_moves(self.names, state, state.legal)
        )
        self.action_masks[match] = 0
        self.action_masks[match, list(self.codes_by_action[match])] = 1


def check_memory_for_matches(title: str, count: int, match_bytes: int) -> None:
    """Raise ValueError if the matches don't fit into memory."""
    if count * match_bytes > find_machine_memory() // 2:
        raise build_memory_error(title, count, match_bytes)


def build_memory_error(title: str, count: int, match_bytes: int) -> ValueError:
    room = max(find_machine_memory() // 2 // match_bytes, 1)
    return ValueError(
        f"{count:,} matches of {title} need about {count * match_bytes / 1e9:,.1f} GB. There is memory for about "
        f"{room:,}."
    )


def find_machine_memory() -> int:
    """Return the machine's memory in bytes; 8 GiB if unknown."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 8 << 30
