"""Hands evaluated in Python and in C from the same cards."""

import ctypes
import random
from collections.abc import Sequence
from typing import Any

from attrs import frozen

from interpreter.codegen.c.c_program import generate_c_source
from interpreter.native.compilers import ParameterKinds, compile_library
from interpreter.native.engine import NO_FAULT, NativeEngine
from interpreter.program.program import Program
from interpreter.runtime.state import State
from tests.native.following import QUICK

HAND_READING_FUNCTIONS: dict[str, ParameterKinds] = {
    "native_set_pile": ("p", "p", "i", "p", "i"), "native_set_track": ("p", "i", "i"),
    "native_blank": ("p", "p", "u"), "native_read_hands": ("p", "p", "i", "p", "i", "i", "p"),
}  # fmt: skip
"""Functions of a program that can read hands separately."""
NOUN = "strength"
END = (1 << 63) - 1
Row = tuple[int, ...]


@frozen
class Table:
    """What lies on the table: `shown` in the zone `zone`, and the first player has the track `holder`, if given."""

    zone: str
    shown: str
    holder: str | None
    must_hold: str | None = None
    """Hands that do not hold a card with this code are dealt anew."""


class Hands:
    """Some random hands of the first player. `plain` reads them by the lowered Python, `compiled` by the C. `orders`:
    in how many orders each lies in the hand; `bits`: of how many readings there is a memory, see `headers/types.h`."""

    def __init__(
        self, program: Program, table: Table, size: int, count: int, noun: str = NOUN, makers: Sequence[str] = QUICK,
        orders: int = 1, bits: int | None = None,
    ) -> None:  # fmt: skip
        self.program, self.size, self.count, self.orders = program, size, count, orders
        self.text = generate_c_source(program, noun)
        if bits is not None:
            self.text = self.text.replace(
                f"#define READ_BITS {self.constant('READ_BITS')}", f"#define READ_BITS {bits}"
            )
        self.engine = NativeEngine(program, compile_library(self.text, HAND_READING_FUNCTIONS, makers))
        self.pile = program.zone_base["hand"]
        self.hands = self.dealt(table)
        self.state = self.laid_out(table)
        self.read = program.values[id(program.find_player_expression(noun))][1]
        self.width = 4 + self.constant("HAND") + self.constant("STRENGTH")
        self.cards = (ctypes.c_int64 * (size * count))(*(card for hand in self.hands for card in hand))
        self.rows = (ctypes.c_int64 * (self.width * count))()

    def constant(self, name: str) -> int:
        return int(self.text.partition(f"#define {name} ")[2].split()[0])

    def dealt(self, table: Table) -> list[list[int]]:
        faces, draw = self.program.game.faces, random.Random(2)
        home = self.program.zone_base["deck"]
        deck = [card for card, pile in enumerate(self.program.layout.home) if pile == home]
        hands: list[list[int]] = []
        while len(hands) < self.count:
            hand = draw.sample(deck, self.size)
            codes = [faces[self.program.face[card]].code for card in hand]
            if table.must_hold is None or table.must_hold in codes:
                hands += [hand, *(draw.sample(hand, self.size) for _ in range(self.orders - 1))]
        return hands[: self.count]

    def laid_out(self, table: Table) -> State:
        program, engine = self.program, self.engine
        state = program.create_blank_state(1)
        call, at, work = engine.c_functions, engine.state.address, engine.work_memory.address
        assert call["native_blank"](work, at, 1) == NO_FAULT
        shown = next(face.first for face in program.game.faces if face.code == table.shown)
        pile = program.zone_base[table.zone]
        state.z[pile] = [shown]
        call["native_set_pile"](work, at, pile, (ctypes.c_int64 * 1)(shown), 1)
        if table.holder is not None:
            slot = program.track_base[table.holder]
            state.t[slot] = 0
            call["native_set_track"](at, slot, 0)
        return state

    def plain(self) -> list[Any]:
        state, readings = self.state, []
        for hand in self.hands:
            state.z[self.pile] = hand
            for card in hand:
                state.owner[card] = 0
            readings.append(self.read(state, 0))
        return readings

    def compiled(self) -> None:
        engine = self.engine
        given = (
            engine.work_memory.address,
            engine.state.address,
            self.pile,
            self.cards,
            self.size,
            self.count,
            self.rows,
        )
        assert engine.c_functions["native_read_hands"](*given) == NO_FAULT

    def compiled_rows(self) -> list[Row]:
        """Return rank, wild cards, used cards and strength, in the form of `build_row`."""
        rows, most = [], self.constant("HAND")
        for at in range(0, self.count * self.width, self.width):
            row = self.rows[at : at + self.width]
            strength = row[4 + most :][: row[3 + most]]
            rows.append((row[0], row[1], *row[3 : 3 + row[2]], *strength) if row[0] >= 0 else ())
        return rows


def build_row(reading: Any, first: int = 1) -> Row:
    """Return a row of the C engine with end marks of 64 bits.

    `first`: where the strength within the rank begins; a split into groups has no rank."""
    if reading is None:
        return ()
    strength = (max(-END - 1, min(END, number)) for number in reading.strength[first:])
    return (reading.rank, reading.wilds, *reading.used, *strength)
