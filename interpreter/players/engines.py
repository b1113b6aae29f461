"""Background builds of native engines for the playouts of bots, cached by game and player count."""

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
"""Provider of the engine for a program. It returns None if Python has to play."""


@define
class Making:
    """Build of an engine in a thread. `reason`: why the build failed."""

    thread: Thread | None = None
    engine: Engine | None = None
    reason: str | None = None


_made: dict[Key, Making] = {}
_lock = Lock()
_own = local()


def making_of(program: Program) -> Making:
    """Return the build for a program, and start it if necessary."""
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
    """Return the engine if its build is complete; else start the build in the background and return None."""
    return own(making_of(program))


def waited_for(program: Program) -> Engine | None:
    """Return the engine after its build is complete; None if it fails."""
    making = making_of(program)
    if making.thread is not None:
        making.thread.join()
    return own(making)


def reason(program: Program) -> str | None:
    """Return why there is no engine, or None if that is not known yet."""
    return making_of(program).reason


def own(making: Making) -> Engine | None:
    """Return the engine with separate memory for this thread; None if there is no engine."""
    if making.engine is None:
        return None
    kept: WeakKeyDictionary[Engine, Engine] = _own.__dict__.setdefault("engines", WeakKeyDictionary())
    if making.engine not in kept:
        kept[making.engine] = making.engine.another()
    return kept[making.engine]


@atexit.register
def leave() -> None:
    """Stop running compilers at exit and wait briefly for their threads."""
    end_running()
    for making in _made.values():
        if making.thread is not None:
            making.thread.join(1)
