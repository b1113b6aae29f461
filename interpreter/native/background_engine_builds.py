"""Background loader of native engines for bots."""

from __future__ import annotations

import atexit
from collections.abc import Callable
from threading import Lock, Thread, local
from weakref import WeakKeyDictionary

from attrs import define

from cardlang.model.game import GAME_CACHE_SIZE, IdentityKey
from interpreter.native.compilers import NativeCompileError, kill_running_compilers
from interpreter.native.engine import NativeEngine, build_engine
from interpreter.program.program import Program

EngineKey = tuple[IdentityKey, int]
EngineProvider = Callable[[Program], NativeEngine | None]
"""Provider of the engine for a program. It returns None if Python has to play."""


@define
class EngineBuild:
    """Build of an engine in a thread. `failure_reason`: why the build failed."""

    thread: Thread | None = None
    engine: NativeEngine | None = None
    failure_reason: str | None = None


_builds: dict[EngineKey, EngineBuild] = {}
_lock = Lock()
_thread_engines = local()


def get_build(program: Program) -> EngineBuild:
    """Return the build for a program, and start it if necessary."""
    key = IdentityKey(program.game), program.players
    with _lock:
        making = _builds.get(key)
        if making is None:
            for oldest in tuple(_builds)[: len(_builds) + 1 - GAME_CACHE_SIZE]:
                del _builds[oldest]
            making = _builds[key] = EngineBuild()
            making.thread = Thread(target=run_build, args=(making, program), daemon=True)
            making.thread.start()
    return making


def run_build(build: EngineBuild, program: Program) -> None:
    try:
        build.engine = build_engine(program.game, program.players, with_search=True)
    except NativeCompileError as reason:
        build.failure_reason = str(reason)


def get_engine_if_ready(program: Program) -> NativeEngine | None:
    """Return the engine if its build is complete; else start the build in the background and return None."""
    return get_thread_engine(get_build(program))


def wait_for_engine(program: Program, seconds: float | None = None) -> NativeEngine | None:
    """Return the engine after its build is complete; None if it fails or takes longer than `seconds`."""
    making = get_build(program)
    if making.thread is not None:
        making.thread.join(seconds)
    return get_thread_engine(making)


def get_failure_reason(program: Program) -> str | None:
    """Return why there is no engine, or None if that is not known yet."""
    return get_build(program).failure_reason


def get_thread_engine(build: EngineBuild) -> NativeEngine | None:
    """Return the engine with separate memory for this thread; None if there is no engine."""
    if build.engine is None:
        return None
    engines: WeakKeyDictionary[NativeEngine, NativeEngine] = _thread_engines.__dict__.setdefault(
        "engines", WeakKeyDictionary()
    )
    if build.engine not in engines:
        engines[build.engine] = build.engine.create_for_thread()
    return engines[build.engine]


@atexit.register
def stop_builds() -> None:
    """Stop running compilers at exit and wait briefly for their threads."""
    kill_running_compilers()
    for making in _builds.values():
        if making.thread is not None:
            making.thread.join(1)
