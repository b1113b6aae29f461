"""A match as machine code that Python plays decision by decision, through an extension of Python that is compiled for
the game: a call takes a tenth of a microsecond, where one by ctypes takes five times as long."""

from __future__ import annotations

import ctypes
import sysconfig
from pathlib import Path
from typing import Protocol

from cardlang.game import Game
from interpreter.native.compilers import NoCompiler, library_of
from interpreter.native.program import c_source, header
from interpreter.native.world import NoC
from interpreter.program import Program

RENAMED = ("clone",)
"""Names that the headers of Python have as well."""


class Door(Protocol):
    """One match at a time, of one game. `who`: the seat that is asked; -1: no match is going on."""

    who: int

    def start(self, seed: int) -> None:
        """Plays the match with this seed, below 2**64, to its first decision. Raises OverflowError for another seed,
        RuntimeError where the rules cannot be carried out."""

    def legal(self) -> list[int]:
        """The codes of the moves that are open."""

    def choose(self, place: int) -> None:
        """Makes a move, given by its place among those that are open. Raises ValueError if there is none, RuntimeError
        where the rules cannot be carried out: then the match is over."""

    def results(self) -> list[int]:
        """Who has won, as a bit set; scores by seat, as they are kept; places by seat. Raises ValueError before a match
        has begun, RuntimeError where the rules tell no results."""


def door_of(game: Game, players: int) -> type[Door]:
    """The class of such matches of a game. Raises NoCompiler where nothing can make it: it needs a compiler of the
    system and the headers of Python."""
    include = Path(sysconfig.get_path("include"), "Python.h")
    if not include.is_file():
        raise NoCompiler("the headers of Python are not installed")
    try:
        program = c_source(Program(game, players, False))
    except NoC as reason:
        raise NoCompiler(f"{game.title} has what is not printed to C: {reason}") from None
    names = "\n".join(f"#define {name} own_{name}" for name in RENAMED)
    text = "\n\n".join([f'#define PY_SSIZE_T_CLEAN\n#include "{include}"', names, program, header("door.h")])
    library = library_of(text, {"door_type": ()}, makers=("compiler",))
    address = ctypes.cast(library.functions["door_type"], ctypes.c_void_p).value
    assert address is not None
    made: type[Door] = ctypes.PYFUNCTYPE(ctypes.py_object)(address)()
    return made
