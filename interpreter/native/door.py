"""A match as machine code that Python plays decision by decision, and hands that it reads one by one, through an
extension of Python that is compiled for the game: a call takes a tenth of a microsecond, where one by ctypes takes five
times as long."""

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


class Hands(Protocol):
    """Cards as the first player's hand before a match begins."""

    def strength(self, *cards: int) -> tuple[int, ...] | None:
        """How good some cards are, given by number: minus the number of their rank, then what breaks ties. Higher is
        better; None if they make no rank. Raises ValueError for cards that there are not, or twice, or too many,
        RuntimeError where the rules cannot be carried out."""


def door_of(game: Game, players: int) -> type[Door]:
    """The class of such matches of a game. Raises NoCompiler where nothing can make it: it needs a compiler of the
    system and the headers of Python."""
    door: type[Door] = extension(game, players, "door_type")
    return door


def hands_of(game: Game, players: int, noun: str, zone: str) -> type[Hands]:
    """The class of what reads hands of a game by what a player has by the name `noun`, when they lie in the player's
    zone of the name `zone`. Raises NoCompiler, also where the noun is no reading."""
    hands: type[Hands] = extension(game, players, "hands_type", noun, zone)
    return hands


def extension(game: Game, players: int, kind: str, noun: str | None = None, zone: str | None = None) -> Any:
    """A class of the extension. Raises NoCompiler."""
    include = Path(sysconfig.get_path("include"), "Python.h")
    if not include.is_file():
        raise NoCompiler("the headers of Python are not installed")
    try:
        program = Program(game, players, False)
        source = c_source(program, noun)
    except NoC as reason:
        raise NoCompiler(f"{game.title} has what is not printed to C: {reason}") from None
    names = "\n".join(f"#define {name} own_{name}" for name in RENAMED)
    text = "\n\n".join([f'#define PY_SSIZE_T_CLEAN\n#include "{include}"', names, source, header("door.h")])
    if zone is not None:
        text += f"\n#define READ_PILE {program.zone_base[zone]}\n{header('hands.h')}"
    library = library_of(text, {kind: ()}, makers=("compiler",))
    address = ctypes.cast(library.functions[kind], ctypes.c_void_p).value
    assert address is not None
    return ctypes.PYFUNCTYPE(ctypes.py_object)(address)()
