"""Records at the terminal: one line for each problem, no seed before the end."""

import json
import re
from pathlib import Path

import pytest

from cardlang import resume
from interpreter.runtime.rng import format_seed
from tests.cli.conftest import Run
from tests.match.conftest import go_on

PEOPLE = ["--seat", "Ann=you", "--seat", "Bob=you"]


@pytest.fixture
def duel_record(run: Run, duel: Path) -> Path:
    """Return the record of a match after one move."""
    path = duel.with_name("duel.record")
    run("play", duel, *PEOPLE, "--seed", "1", "--record", path, typed="\n1\n")
    assert len(resume(path).choices) == 1
    return path


def split_output(result: object) -> list[str]:
    return str(getattr(result, "stderr", "")).splitlines()


# ---------------------------------------------------------------- seeds
def test_seed_is_printed_only_after_the_end(run: Run, duel: Path) -> None:
    path = duel.with_name("duel.record")
    begun = run("play", duel, *PEOPLE, "--record", path, typed="\n1\n")
    seed = json.loads(path.read_text(encoding="utf-8").splitlines()[0])["seed"]
    resumed = run("play", "--resume", path, *PEOPLE, typed="\n")
    for result in (begun, resumed):
        assert "seed" not in result.output.lower() and str(seed) not in result.output
    ended = run("play", "--resume", path, "--auto")
    assert split_output(ended) == [f"Seed {format_seed(seed)}."]
    for text in (seed, format_seed(seed), format_seed(seed).lower()):
        again = run("play", duel, "--auto", "--seed", text)
        assert split_output(again) == [] and again.stdout.splitlines()[:2] == ended.stdout.splitlines()[:2]
    other = run("play", duel, "--auto")
    assert re.fullmatch(r"Seed (\w{4}-){3}\w{4}\.", split_output(other)[0]) and split_output(other) != split_output(
        ended
    )


@pytest.mark.parametrize(
    "text", ["²", "1.5", "x", "9" * 309, "9" * 5000, "7ZQ4-0M2K-BW3E", "7ZQ4-0M2K-BW3E-9HXU", "7ZQ40M2KBW3E9HXA"]
)
@pytest.mark.parametrize("command", ["play", "simulate"])
def test_invalid_seed_is_rejected(run: Run, duel: Path, command: str, text: str) -> None:
    result = run(command, duel, "--seed", text)
    assert result.exit_code == 2 and "is neither a seed code nor a number" in split_output(result)[-1]


@pytest.mark.parametrize("seed", ["-5", "18446744073709551616", "1" * 308])
def test_unusual_seeds_are_accepted(run: Run, duel: Path, seed: str) -> None:
    assert run("play", duel, "--auto", "--seed", seed).exit_code == 0


# ---------------------------------------------------------------- records
def test_open_record_cannot_be_resumed_twice(run: Run, duel_record: Path) -> None:
    before = duel_record.read_bytes()
    match = go_on(duel_record)
    result = run("play", "--resume", duel_record, "--auto")
    assert result.exit_code == 1
    assert split_output(result) == [f"Error: {duel_record} cannot be written: another process is playing this match."]
    assert duel_record.read_bytes() == before
    assert run("replay", duel_record).exit_code == 0  # looking on is no harm
    match.choose(0)
    assert len(resume(duel_record).choices) == 2


def test_record_can_be_replayed_up_to_a_damaged_line(run: Run, duel_record: Path) -> None:
    assert run("play", "--resume", duel_record, *PEOPLE, typed="\n1\n").exit_code == 0
    lines = duel_record.read_bytes().splitlines(keepends=True)
    assert len(lines) == 3
    duel_record.write_bytes(lines[0] + lines[1] + lines[2].replace(b'"move": 0', b'"move": 1'))
    for arguments in (["replay", duel_record], ["play", "--resume", duel_record, *PEOPLE]):
        (said,) = split_output(run(*arguments))
        fault, _, out = said.partition(" To see the match before it, run cardlang ")
        assert fault == f"Error: {duel_record}:3: This line, or one before it, was changed."
        looked = run(*out.split())
        assert looked.exit_code == 0 and "Ann" in looked.stdout


def test_torn_line_is_reported_and_dropped(run: Run, duel_record: Path) -> None:
    duel_record.write_bytes(duel_record.read_bytes()[:-5])
    word = f"{duel_record}:2: This last line is incomplete and was ignored."
    assert word in split_output(run("replay", duel_record))
    result = run("play", "--resume", duel_record, "--auto")
    assert result.exit_code == 0 and split_output(result)[0] == word
    assert split_output(run("replay", duel_record)) == []


def test_full_disk_stops_the_match_with_one_line(run: Run, duel_record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from interpreter.match.match_record import Recorder
    from interpreter.runtime.errors import RecordingError

    def full(self: Recorder, data: bytes) -> None:
        raise RecordingError(self.path, OSError(28, "No space left on device"))

    monkeypatch.setattr(Recorder, "append", full)
    result = run("play", "--resume", duel_record, *PEOPLE, typed="\n1\n")
    assert result.exit_code == 1
    assert split_output(result) == [
        f"Error: {duel_record} cannot be written: no space left on device. "
        f"The match stops here. Resume it with --resume {duel_record}"
    ]
    monkeypatch.undo()
    assert run("play", "--resume", duel_record, "--auto").exit_code == 0


def test_unwritable_record_is_rejected(run: Run, duel: Path) -> None:
    path = duel.parent / "no such folder" / "duel.record"
    result = run("play", duel, "--auto", "--record", path)
    assert result.exit_code == 1 and split_output(result) == [
        f"Error: {path} cannot be written: no such file or directory."
    ]
    result = run("play", duel, "--auto", "--record", duel)
    assert result.exit_code == 2 and "already exists" in split_output(result)[-1]


@pytest.mark.parametrize("where", ["missing.record", ""])
def test_non_record_is_rejected(run: Run, duel: Path, where: str) -> None:
    path = duel.parent / where
    for arguments in (["play", "--resume", path], ["replay", path]):
        result = run(*arguments)
        assert result.exit_code in (1, 2) and len(split_output(result)[-1]) < 300
    result = run("replay", duel)
    assert result.exit_code == 1 and split_output(result) == [f"Error: {duel}:1: This is not a line of a record."]
