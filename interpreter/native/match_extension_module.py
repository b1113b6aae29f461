"""CPython extension for single matches and hand evaluation.

A call takes a tenth of a microsecond. Through ctypes, it takes five times as long.
"""

from __future__ import annotations

import ctypes
import sysconfig
from pathlib import Path
from typing import Any, Protocol

from cardlang.model import Game
from interpreter.codegen.c.c_context import UnsupportedInC
from interpreter.codegen.c.c_program import generate_c_source, read_c_header
from interpreter.native.compilers import NativeCompileError, compile_library
from interpreter.program.program import Program

RENAMED_SYMBOLS = ("clone",)
"""Names that the Python headers define, too"""


class NativeMatch(Protocol):
    """Native match of one game, one at a time. `who`: the current player's seat; -1 without a match."""

    who: int

    def start(self, seed: int) -> None:
        """Start a match with this seed, below 2**64, and play to its first decision.

        Raise `OverflowError` for another seed, and `RuntimeError` if the rules fail."""

    def legal(self) -> list[int]:
        """Return the codes of the legal moves."""

    def choose(self, index: int) -> None:
        """Make a move, given by its index among the legal moves.

        Raise `ValueError` if there is no such move. Raise `RuntimeError` if the rules fail; then the match is over."""

    def results(self) -> list[int]:
        """Return the winners as a bit mask, unscaled scores by seat, and ranks by seat.

        Raise `ValueError` before a match has begun, and `RuntimeError` if the rules give no result."""


class NativeHandReader(Protocol):
    """Reader of hands: cards as the first player's hand before a match begins."""

    def strength(self, *cards: int) -> tuple[int, ...] | None:
        """Return the strength of cards, given by number: minus the number of their rank, then the tie breakers.

        Higher is better; None if they form no rank. Raise `ValueError` for unknown, repeated or too many cards, and
        `RuntimeError` if the rules fail."""


def build_native_match_class(game: Game, players: int) -> type[NativeMatch]:
    """Return the class of native matches of a game.

    Raise `NativeCompileError` if it cannot be built. It needs a system compiler and the Python headers."""
    door: type[NativeMatch] = build_extension_class(game, players, "door_type")
    return door


def build_hand_reader_class(game: Game, players: int, value_name: str, zone: str) -> type[NativeHandReader]:
    """Return the class that reads hands of a game.

    value_name: the name of the player's value that reads the hand.
    zone: the player's zone that holds the cards.
    Raise `NativeCompileError` if it cannot be built, or if the value is no reading."""
    hands: type[NativeHandReader] = build_extension_class(game, players, "hands_type", value_name, zone)
    return hands


def build_extension_class(
    game: Game, players: int, kind: str, value_name: str | None = None, zone: str | None = None
) -> Any:
    """Build and load a class of the extension module. Raise `NativeCompileError` if that fails."""
    include = Path(sysconfig.get_path("include"), "Python.h")
    if not include.is_file():
        raise NativeCompileError("the headers of Python are not installed")
    try:
        program = Program(game, players, False)
        source = generate_c_source(program, value_name)
    except UnsupportedInC as reason:
        raise NativeCompileError(f"{game.title} cannot be compiled to C: {reason}") from None
    names = "\n".join(f"#define {name} own_{name}" for name in RENAMED_SYMBOLS)
    text = "\n\n".join(
        [f'#define PY_SSIZE_T_CLEAN\n#include "{include}"', names, source, read_c_header("extension_match.h")]
    )
    if zone is not None:
        text += f"\n#define READ_PILE {program.zone_base[zone]}\n{read_c_header('extension_hands.h')}"
    library = compile_library(text, {kind: ()}, compiler_types=("compiler",))
    address = ctypes.cast(library.functions[kind], ctypes.c_void_p).value
    assert address is not None
    return ctypes.PYFUNCTYPE(ctypes.py_object)(address)()
