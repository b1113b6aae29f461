"""Commands as processes: start, closed pipes, interrupts, other encodings."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "cardlang"]
ROOT = Path(__file__).resolve().parents[2]


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), **more}


def run(*arguments: str, folder: Path, typed: str = "", **more: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *arguments],
        cwd=folder,
        env=environment(**more),
        input=typed.encode(),
        capture_output=True,
        timeout=60,
    )


def test_bundled_games_are_found_from_any_folder(tmp_path: Path) -> None:
    result = run("play", "kuhn_poker", "--auto", "--seed", "1", folder=tmp_path)
    assert result.returncode == 0 and b"wins with" in result.stdout


def test_check_imports_neither_interpreter_nor_rich(duel: Path) -> None:
    code = (
        "import sys; from cardlang.cli.main import cli; cli(sys.argv[1:], standalone_mode=False); print(*sys.modules)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code, "check", str(duel)],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
    )
    loaded = {name.split(".")[0] for name in result.stdout.split()}
    assert "cardlang" in loaded and not loaded & {"interpreter", "rich", "jinja2"}


def test_closed_pipe_exits_quietly(duel: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "play", str(duel), "--auto", "--seed", "1", "--trace"],
        env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    said = process.stderr.read()
    process.wait(60)
    assert b"Traceback" not in said and b"fault" not in said


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_interrupt_exits_quietly(duel: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "play", str(duel), "--seed", "1"], env=environment(PYTHONUNBUFFERED="1"),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None and process.stderr is not None
    for line in process.stdout:
        if b"2: Play" in line:
            break
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    said = process.stderr.read()
    assert process.wait(60) == 130 and b"Traceback" not in said


def test_unencodable_output_is_replaced(duel: Path) -> None:
    result = run("play", str(duel), "--variant", "Lonk", folder=duel.parent, PYTHONIOENCODING="latin-1")
    assert result.returncode == 2 and b"Did you mean ?Long??" in result.stderr


def test_undecodable_input_is_accepted(duel: Path) -> None:
    typed = subprocess.run(
        [*COMMAND, "play", str(duel), "--plain", "--seed", "1"], input=b"x\xff\xfe\n1\n", capture_output=True,
        env=environment(PYTHONIOENCODING="utf-8:strict"), timeout=60,
    )  # fmt: skip
    assert typed.returncode == 0 and b"fault" not in typed.stderr


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="a shell closes them")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("auto", ["--auto", "--plain"])
def test_closed_streams_are_not_an_error(duel: Path, closed: str, auto: str) -> None:
    command = " ".join([*COMMAND, "play", str(duel), auto, "--seed", "1", closed])
    result = subprocess.run(["sh", "-c", command], input=b"", capture_output=True, env=environment(), timeout=60)
    assert result.returncode == 0 and b"fault" not in result.stdout + result.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is full")
def test_full_disk_is_one_line(duel: Path) -> None:
    command = " ".join([*COMMAND, "play", str(duel), "--auto", "--seed", "1", ">/dev/full"])
    result = subprocess.run(["sh", "-c", command], capture_output=True, env=environment(), timeout=60)
    assert result.returncode == 1 and result.stderr == b"Error: No space left on device.\n"
