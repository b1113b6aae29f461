"""Records: content, damage, and earlier formats."""

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cardlang
from cardlang import resume
from interpreter.match.match import Match
from interpreter.match.match_record import compute_checksum
from interpreter.match.record_resume import find_move_of_copy, resume_match
from interpreter.runtime.errors import RecordError, RecordingError
from tests.match.conftest import PATHS, go_on, load, play_decisions

ROOT = Path(__file__).parents[2]
EARLIER = Path(__file__).with_name("records")
ENDS = [
    # file, choices that stand, over, scores, winners: as version 0.1.0 replayed them
    ("tall_card-short-game", 18, True, [198, 2], ["Mal"]),
    ("goofspiel", 39, True, [31, 22, 25], ["Ann"]),
    ("court", 38, True, [None] * 4, ["Bob"]),
    ("kuhn_poker", 2, True, [4, 0], ["Ann"]),
    ("cribbage", 60, False, [48, 40], []),
]
UNHASHED = [
    # of format 2, with seeds that were not hashed; as the version replayed them that wrote them
    ("schnapsen", 60, False, [6, 3], []),
    ("cheat", 40, False, [None] * 3, []),
]
posix = pytest.mark.skipif(os.name == "nt", reason="modes and signals differ")
Entry = dict[str, Any]


def read_entries(path: Path) -> list[Entry]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


# ---------------------------------------------------------------- of earlier versions
@pytest.mark.parametrize(("name", "choices", "over", "scores", "winners"), ENDS)
def test_record_of_format_1_replays(
    name: str, choices: int, over: bool, scores: list[int | None], winners: list[str], tmp_path: Path
) -> None:
    path = EARLIER / f"{name}.record"
    assert read_entries(path)[0]["format"] == 1
    match = resume(path)
    assert (len(match.choices), match.over, match.scores, match.winners) == (choices, over, scores, winners)
    match.save(tmp_path / "again")
    header = read_entries(tmp_path / "again")[0]
    assert (header["format"], header["generator"]) == (2, "splitmix64")
    assert resume(tmp_path / "again") == match


def test_record_of_format_2_replays_with_old_rules(tmp_path: Path) -> None:
    """Players choose the same card together, a target is moved, and players who passed are not asked again."""
    path = EARLIER / "grab_and_answer.record"
    match = resume(path)
    assert (len(match.choices), match.scores, match.winners) == (44, [3, 3, 3], ["Ann", "Bob", "Cat"])
    assert "Cat takes [7] from Ann's hand." in match.log
    for until in (44, 10):
        part = resume(path, until=until)
        part.save(tmp_path / "again")
        assert read_entries(tmp_path / "again")[0]["format"] == 2
        assert resume(tmp_path / "again") == part
    fresh = part.game.start(part.players, part.seed)
    assert fresh.game.legacy
    assert not cardlang.loads(part.game.sources[0].text).legacy


@pytest.mark.parametrize(("name", "choices", "over", "scores", "winners"), UNHASHED)
def test_record_with_an_unhashed_seed_replays(
    name: str, choices: int, over: bool, scores: list[int | None], winners: list[str], tmp_path: Path
) -> None:
    path, again = tmp_path / "match.record", tmp_path / "again"
    path.write_bytes((EARLIER / f"{name}.record").read_bytes())
    header = read_entries(path)[0]
    assert (header["format"], header["generator"]) == (2, "splitmix64")
    match = go_on(path)
    assert (len(match.choices), match.over, match.scores, match.winners) == (choices, over, scores, winners)
    match.rewind_to(choices // 2)
    assert match == resume(path, until=choices // 2) != match.game.start(list(match.players), match.seed % 2**64)
    for copy in (match.clone(), pickle.loads(pickle.dumps(match))):
        copy.save(again)
        assert read_entries(again)[0] == header | {key: read_entries(again)[0][key] for key in ("engine", "check")}
        assert resume(again) == match


def test_mismatched_seed_and_generator_are_rejected(tmp_path: Path) -> None:
    path = tmp_path / "match.record"
    pairs = (2**64, "splitmix64"), (2**64, "splitmix64-hashed"), (1, "blake2b"), (1, "splitmix"), (1, "")
    for seed, generator in pairs:
        path, lines = simple(tmp_path)
        path.write_bytes(write_entries([lines[0] | {"seed": seed, "generator": generator}]))
        assert_refused(path, 1)


def test_record_of_format_1_continues_in_format_1(tmp_path: Path) -> None:
    path = tmp_path / "match.record"
    before = (EARLIER / "cribbage.record").read_bytes()
    path.write_bytes(before)
    match = go_on(path)
    for _ in range(5):
        match.choose(0)
    assert path.read_bytes().startswith(before)
    assert len(read_entries(path)) == len(before.splitlines()) + 5
    assert resume(path) == match


# ---------------------------------------------------------------- the header
def test_header_has_generator_but_no_folder(tmp_path: Path) -> None:
    game = cardlang.load(PATHS["kuhn_poker"].absolute())
    short = "splitmix64-hashed"
    for seed, generator in ((2**64 - 1, short), (-1, short), (2**64, "blake2b"), (None, "blake2b")):
        match = game.start(2, seed)
        match.save(tmp_path / "match.record")
        header = read_entries(tmp_path / "match.record")[0]
        assert (header["format"], header["generator"]) == (3, generator)
        assert [file["name"] for file in header["files"]] == ["kuhn_poker.cardgame", "betting.cardgame"]
        assert resume(tmp_path / "match.record") == match


@posix
def test_undecodable_file_name_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "g\udcff.cardgame"
    path.write_bytes(PATHS["kuhn_poker"].read_bytes())
    match = cardlang.load(path).start(2, 1)
    match.save(tmp_path / "match.record")
    assert resume(tmp_path / "match.record") == match


# ---------------------------------------------------------------- kills and full disks
PLAY = """
import sys
from pathlib import Path
from cardlang import loads
from interpreter.match.record_resume import resume_with_recording
match = resume_with_recording(Path(sys.argv[1]), loads, lambda _: None)
for number in range(200):
    match.choose(number % 2 % len(match.decision.moves))
    print(len(match.choices), flush=True)
"""
FULL = """
import resource, sys
from pathlib import Path
from cardlang import loads
from interpreter.runtime.errors import RecordingError
from interpreter.match.record_resume import resume_with_recording
match = resume_with_recording(Path(sys.argv[1]), loads)
size = match._recorder.size
resource.setrlimit(resource.RLIMIT_FSIZE, (size + 1000, size + 1000))
try:
    while True:
        match.choose(0)
except RecordingError as error:
    print(len(match.choices), error)
"""


def child(code: str, path: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", code, str(path)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


def test_kill_loses_no_choice(tmp_path: Path) -> None:
    path = tmp_path / "match.record"
    load("hearts").start(4, 3).save(path)
    made = 0
    for kept in (1, 2, 7):
        process = child(PLAY, path)
        assert process.stdout is not None
        for _ in range(kept):
            made = int(process.stdout.readline())
        process.kill()
        process.communicate(timeout=60)
        found = len(resume_match(path, None, cardlang.loads, lambda _: None).choices)
        assert found >= made
        made = found


@posix
def test_full_disk_leaves_the_match_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "match.record"
    load("hearts").start(4, 3).save(path)
    made, said = child(FULL, path).communicate(timeout=60)[0].split(maxsplit=1)
    assert said.strip() == f"{path} cannot be written: file too large."
    match = go_on(path)
    assert len(match.choices) == int(made) > 3
    match.choose(0)
    assert len(resume(path).choices) == int(made) + 1


@pytest.mark.parametrize("write", [Match.save, Match.record])
def test_failed_save_keeps_the_old_file(
    write: Callable[[Match, Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "match.record"
    load("hearts").start(4, 3).save(path)
    before = path.read_bytes()

    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(RecordingError, match="no space left on device"):
        write(load("hearts").start(4, 4), path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["match.record"]


@pytest.mark.parametrize("lost", [1, 2, 40])
def test_torn_last_line_is_dropped_and_rewritten(lost: int, tmp_path: Path) -> None:
    path = tmp_path / "match.record"
    match = play_decisions("hearts", 4, 1, 10)
    match.save(path)
    path.write_bytes(path.read_bytes()[:-lost])
    with pytest.warns(UserWarning, match=r"match\.record:11: This last line is incomplete and was ignored\."):
        again = resume(path)
    assert again.choices == match.choices[:-1]
    said: list[str] = []
    again = go_on(path, said.append)
    assert len(said) == 1
    again.choose(again.state.legal.index(match.choices[-1]))
    assert resume(path) == match


def test_torn_first_line_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "match.record"
    load("hearts").start(4, 3).save(path)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(RecordError, match="first line of the record is incomplete"):
        resume(path)


# ---------------------------------------------------------------- one process, one owner
@pytest.mark.slow
def test_record_has_one_writer_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "match.record"
    match = load("hearts").start(4, 3)
    match.record(path)
    match.choose(0)
    before = path.read_bytes()
    other = load("hearts").start(4, 4)
    for write in (lambda: go_on(path), lambda: other.save(path), lambda: other.record(path)):
        with pytest.raises(RecordingError, match="another process is playing this match"):
            write()
    assert path.read_bytes() == before
    assert resume(path) == match
    match.save(path)  # it stands there already
    match.record(path)
    match.choose(0)
    assert resume(path) == match


def test_resumed_match_can_record_to_the_same_file(tmp_path: Path) -> None:
    path = tmp_path / "match.record"
    play_decisions("hearts", 4, 1, 5).save(path)
    match = resume(path)
    match.record(path)
    match.choose(0)
    assert len(resume(path).choices) == 6


@posix
def test_record_is_private_to_its_owner(tmp_path: Path) -> None:
    match = load("hearts").start(4, 3)
    match.save(tmp_path / "saved")
    match.record(tmp_path / "recorded")
    (tmp_path / "open").write_bytes(b"")
    match.clone().record(tmp_path / "open")
    assert [path.stat().st_mode & 0o777 for path in tmp_path.iterdir()] == [0o600] * 3


def test_closed_match_releases_its_record(tmp_path: Path) -> None:
    path = tmp_path / "match.record"
    match = load("hearts").start(4, 3)
    match.record(path)
    match.choose(0)
    match.close()
    match.choose(0)  # which nobody records
    other = go_on(path)
    assert len(other.choices) == 1 and other.decision is not None
    other.choose(0)
    del other
    assert go_on(path) == match


# ---------------------------------------------------------------- what is no record
def write_entries(lines: list[Entry]) -> bytes:
    """Return lines with valid checksums."""
    check, told = "", []
    for entry in lines:
        check = compute_checksum(check, entry)
        told.append(json.dumps({**entry, "check": check}) + "\n")
    return "".join(told).encode()


HEADERS: list[Entry] = [
    {"format": None}, {"format": True}, {"format": 4}, {"format": 10**400}, {"engine": 1}, {"game": None},
    {"game": "Whist"}, {"variant": "None"}, {"variant": 1}, {"variant": ["Long"]}, {"files": {}}, {"files": []},
    {"files": [1]}, {"files": [{"name": "x"}]}, {"files": [{"name": "x", "text": 1}]}, {"players": 2},
    {"files": [{"name": "x\x1b[2J", "text": "x\x1b[2J"}]}, {"files": [{"name": "x", "text": 'game "Hearts'}]},
    {"players": "AB"}, {"players": [1, 2]}, {"players": ["Ann"]}, {"players": ["Ann", "Ann"]}, {"players": ["\n", "B"]},
    {"players": {"Ann": 1, "Bob": 2}}, {"seed": None}, {"seed": "1"}, {"seed": 1.0}, {"seed": True},
    {"seed": 10**400}, {"generator": "blake2b"}, {"generator": None}, {"generator": "\x1b[2J" * 500}, {"more": 1},
]  # fmt: skip
STEPS: list[Entry] = [
    {}, {"undo": 1}, {"undo": 0}, {"undo": -1}, {"undo": 10**400}, {"undo": 1.0}, {"undo": None}, {"undo": True},
    {"player": "Eve"}, {"player": 1}, {"move": -1}, {"move": 10**30}, {"move": True}, {"move": 0.0}, {"move": "0"},
    {"text": 1}, {"text": "x\x1b[2J" * 100_000}, {"more": 1},
]  # fmt: skip


def assert_refused(path: Path, line: int) -> None:
    """Assert that the record is rejected with this line, in one printable line."""
    with pytest.raises(RecordError) as fault:
        resume(path)
    assert fault.value.line == line
    assert str(fault.value).isprintable() and len(fault.value.message) < 400


def simple(tmp_path: Path) -> tuple[Path, list[Entry]]:
    path = tmp_path / "match.record"
    play_decisions("kuhn_poker", 2, 1, 1).save(path)
    return path, [{key: value for key, value in entry.items() if key != "check"} for entry in read_entries(path)]


@pytest.mark.parametrize("changed", HEADERS, ids=lambda each: str(each)[:40])
def test_invalid_header_is_rejected(changed: Entry, tmp_path: Path) -> None:
    path, lines = simple(tmp_path)
    path.write_bytes(write_entries([lines[0] | changed, *lines[1:]]))
    assert_refused(path, 1)


@pytest.mark.parametrize("missing", ["format", "engine", "game", "variant", "files", "players", "generator", "seed"])
def test_incomplete_header_is_rejected(missing: str, tmp_path: Path) -> None:
    path, lines = simple(tmp_path)
    del lines[0][missing]
    path.write_bytes(write_entries(lines))
    assert_refused(path, 1)


@pytest.mark.parametrize("changed", STEPS, ids=lambda each: str(each)[:40])
def test_line_without_a_choice_is_rejected(changed: Entry, tmp_path: Path) -> None:
    path, lines = simple(tmp_path)
    step = changed if not changed or "undo" in changed else lines[1] | changed
    path.write_bytes(write_entries([lines[0], step]))
    assert_refused(path, 2)


RAW = [
    b'{"player": "Ann", "move": Infinity, "text": "x", "check": ""}', b'{"move": NaN}', b'{"a": 1, "a": 2}', b"\xff",
    b'{"text": "\\ud800", "check": ""}', b"[" * 100_000, b'{"a":' * 100_000, b"9" * 5000, b"1", b'"x"', b"null", b"",
    b"\x00" * 50, b"\xef\xbb\xbf{}", b"x" * (1 << 23),
]  # fmt: skip


@pytest.mark.parametrize("raw", RAW, ids=lambda each: str(each[:30]))
@pytest.mark.parametrize("line", [1, 2])
def test_malformed_line_is_rejected(raw: bytes, line: int, tmp_path: Path) -> None:
    path, lines = simple(tmp_path)
    path.write_bytes(write_entries(lines[: line - 1]) + raw + b"\n")
    assert_refused(path, line)


def test_many_undos_resume_quickly(tmp_path: Path) -> None:
    path, lines = simple(tmp_path)
    path.write_bytes(write_entries([lines[0], *[lines[1], {"undo": 1}] * 20_000, lines[1]]))
    assert len(resume(path).choices) == 1


def test_infinite_seed_is_rejected(tmp_path: Path) -> None:
    path, lines = simple(tmp_path)
    lines[0]["seed"] = float("inf")
    path.write_bytes(write_entries(lines))
    assert_refused(path, 1)


def test_moves_of_copies_are_found_by_their_text() -> None:
    """Older records distinguish more copies, so that the numbers of later moves are higher."""
    texts = ["event [Sofa]", "event [Nest]", "redraw"]
    assert find_move_of_copy(texts, 2, "event [Nest]") == (1, "event [Nest]")
    assert find_move_of_copy(texts, 1, "event [Sofa] #2") == (0, "event [Sofa]")
    assert find_move_of_copy(texts, 1, "event [Tuna]") == (1, "event [Tuna]")
