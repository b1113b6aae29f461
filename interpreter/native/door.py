"""Build a Python extension module for a game: one native match at a time, and hand reading.

A call takes a tenth of a microsecond. Through ctypes, it takes five times as long."""

from __future__ import annotations

import ctypes
import sysconfig
from pathlib import Path
from typing import Any, Protocol

from cardlang.game import Game
from interpreter.native.compilers import NoCompiler, library_of
from interpreter.native.program import c_source, header
from interpreter.native.world import NoC
from interpreter.program import Program

RENAMED = ("clone",)
"""Names that the Python headers define, too"""


class Door(Protocol):
    """Native match of one game, one at a time. `who`: the current player's seat; -1 without a match."""

    who: int

    def start(self, seed: int) -> None:
        """Start a match with this seed, below 2**64, and play to its first decision.

        Raise `OverflowError` for another seed, and `RuntimeError` if the rules fail."""

    def legal(self) -> list[int]:
        """Return the codes of the legal moves."""

    def choose(self, place: int) -> None:
        """Make a move, given by its index among the legal moves.

        Raise `ValueError` if there is no such move. Raise `RuntimeError` if the rules fail; then the match is over."""

    def results(self) -> list[int]:
        """Return the winners as a bit mask, unscaled scores by seat, and ranks by seat.

        Raise `ValueError` before a match has begun, and `RuntimeError` if the rules give no result."""


class Hands(Protocol):
    """Reader of hands: cards as the first player's hand before a match begins."""

    def strength(self, *cards: int) -> tuple[int, ...] | None:
        """Return the strength of cards, given by number: minus the number of their rank, then the tie breakers.

        Higher is better; None if they form no rank. Raise `ValueError` for unknown, repeated or too many cards, and
        `RuntimeError` if the rules fail."""


def door_of(game: Game, players: int) -> type[Door]:
    """Return the class of native matches of a game.

    Raise `NoCompiler` if it cannot be built. It needs a system compiler and the Python headers."""
    door: type[Door] = extension(game, players, "door_type")
    return door


def hands_of(game: Game, players: int, noun: str, zone: str) -> type[Hands]:
    """Return the class that reads hands of a game.

    noun: the name of the player's value that reads the hand.
    zone: the player's zone that holds the cards.
    Raise `NoCompiler` if it cannot be built, or if the noun is no reading."""
    hands: type[Hands] = extension(game, players, "hands_type", noun, zone)
    return hands


def extension(game: Game, players: int, kind: str, noun: str | None = None, zone: str | None = None) -> Any:
    """Build and load a class of the extension module. Raise `NoCompiler` if that fails."""
    include = Path(sysconfig.get_path("include"), "Python.h")
    if not include.is_file():
        raise NoCompiler("the headers of Python are not installed")
    try:
        program = Program(game, players, False)
        source = c_source(program, noun)
    except NoC as reason:
        raise NoCompiler(f"{game.title} cannot be compiled to C: {reason}") from None
    names = "\n".join(f"#define {name} own_{name}" for name in RENAMED)
    text = "\n\n".join([f'#define PY_SSIZE_T_CLEAN\n#include "{include}"', names, source, header("door.h")])
    if zone is not None:
        text += f"\n#define READ_PILE {program.zone_base[zone]}\n{header('hands.h')}"
    library = library_of(text, {kind: ()}, makers=("compiler",))
    address = ctypes.cast(library.functions[kind], ctypes.c_void_p).value
    assert address is not None
    return ctypes.PYFUNCTYPE(ctypes.py_object)(address)()
