"""Where bots get machine code of a game's rules from, to play their trial games by, if something makes it."""

from __future__ import annotations

import atexit
from collections.abc import Callable
from threading import Lock, Thread, local
from weakref import WeakKeyDictionary

from attrs import define

from interpreter.itself import KEPT, Itself
from interpreter.native.compilers import NoCompiler, end_running
from interpreter.native.engine import Engine, engine_of
from interpreter.program import Program

Key = tuple[Itself, int]
Engines = Callable[[Program], Engine | None]
"""Gives the engine of a program, or None where Python has to do."""


@define
class Making:
    """An engine that is being made in a thread. `reason`: why there is none."""

    thread: Thread | None = None
    engine: Engine | None = None
    reason: str | None = None


_made: dict[Key, Making] = {}
_lock = Lock()
_own = local()


def making_of(program: Program) -> Making:
    """Begins to make an engine, unless somebody has."""
    key = Itself(program.game), program.players
    with _lock:
        making = _made.get(key)
        if making is None:
            for oldest in tuple(_made)[: len(_made) + 1 - KEPT]:
                del _made[oldest]
            making = _made[key] = Making()
            making.thread = Thread(target=make, args=(making, program), daemon=True)
            making.thread.start()
    return making


def make(making: Making, program: Program) -> None:
    try:
        making.engine = engine_of(program.game, program.players, trying=True)
    except NoCompiler as reason:
        making.reason = str(reason)


def if_ready(program: Program) -> Engine | None:
    """The engine, if it has been made; else it will be, in the background."""
    return own(making_of(program))


def waited_for(program: Program) -> Engine | None:
    """The engine, as soon as it has been made; None if nothing makes it."""
    making = making_of(program)
    if making.thread is not None:
        making.thread.join()
    return own(making)


def reason(program: Program) -> str | None:
    """Why there is no engine, once it is known."""
    return making_of(program).reason


def own(making: Making) -> Engine | None:
    """The engine with memory of this thread's own."""
    if making.engine is None:
        return None
    kept: WeakKeyDictionary[Engine, Engine] = _own.__dict__.setdefault("engines", WeakKeyDictionary())
    if making.engine not in kept:
        kept[making.engine] = making.engine.another()
    return kept[making.engine]


@atexit.register
def leave() -> None:
    """Nothing is left behind by a compiler that is still at work when the process ends."""
    end_running()
    for making in _made.values():
        if making.thread is not None:
            making.thread.join(1)
