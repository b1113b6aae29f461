"""Record file of a match: line format, reader and recorder.

The first line contains the game (its whole source and that of its libraries), variant, players and seed. Each further
line is a choice, an undo, or a change that a host allowed. A record contains hidden cards, so it is for the referee,
never for a player.

Every line is written immediately and never changed. If the process is killed or the disk is full, at most the current
choice is lost. Two processes never write to one record.
"""

from __future__ import annotations

import gc
import json
import os
import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from hashlib import sha256
from io import FileIO
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from attrs import frozen

from cardlang import model as g
from cardlang import storage
from cardlang.model.game import GAME_CACHE_SIZE, IdentityKey
from interpreter.match.event_log import SampledOrigin
from interpreter.match.match_interface import MatchInterface
from interpreter.match.state_edits import ChoiceOrEdit, replay_choice
from interpreter.narration.decision_text import format_moves
from interpreter.runtime.errors import RecordError, RecordingError
from interpreter.runtime.rng import WORD_MASK, UnhashedSeed, get_generator_name
from interpreter.runtime.state import State

RecordEntry = dict[str, Any]
"""A line without its checksum."""
WarningHandler = Callable[[str], object]
"""Function that shows a warning, in a sentence."""
FieldTypes = dict[str, tuple[type, ...]]
"""Types of the values of an entry, by key."""
RECORD_FORMAT, LEGACY_FORMAT = 3, 2
"""Format of new records, and the older format, whose matches keep the rules of that time."""
HEADER_FIELDS: FieldTypes = {
    "format": (int,), "engine": (str,), "game": (str,), "variant": (str, type(None)), "files": (list,),
    "players": (list,), "generator": (str,), "seed": (int,),
}  # fmt: skip
HEADERS_BY_FORMAT = {
    1: {key: types for key, types in HEADER_FIELDS.items() if key != "generator"},
    LEGACY_FORMAT: HEADER_FIELDS,
    RECORD_FORMAT: HEADER_FIELDS,
}
"""Headers by format. The other lines have one form in all formats, so a record continues in its own format."""
FILE_FIELDS: FieldTypes = {"name": (str,), "text": (str,)}
CHOICE_FIELDS: FieldTypes = {"player": (str,), "move": (int,), "text": (str,)}
UNDO_FIELDS: FieldTypes = {"undo": (int,)}
EDIT_FIELDS: tuple[FieldTypes, ...] = (
    {"allowed": (str,)},
    {"allowed": (str,), "card": (str,), "to": (str,)},
    {"allowed": (str,), "track": (str,), "of": (str, type(None)), "value": (str,)},
    {"gave-up": (str,)},
)
"""Changes outside the rules. See `interpreter.match.state_edits`."""
MAX_LINE_BYTES = 1 << 22
"""Maximum length of a line in bytes."""
NON_ASCII_WORD = re.compile(r"[^A-Za-z0-9 #]+")
INVALID_LINE = "This is not a line of a record."


class GameLoader(Protocol):
    """Function that parses a game, such as `cardlang.loads`."""

    def __call__(self, text: str, name: str, variant: str | None, libraries: Mapping[str, str]) -> g.Game: ...


# ---------------------------------------------------------------- lines
def build_header(match: MatchInterface) -> RecordEntry:
    game = match.game
    return {
        "format": LEGACY_FORMAT if game.legacy else RECORD_FORMAT,
        "engine": get_engine_version(),
        "game": game.untranslated.title,
        "variant": game.variant,
        "files": [{"name": strip_folders(source.name), "text": source.text} for source in game.sources],
        "players": list(match.players),
        "generator": get_generator_name(match.seed),
        "seed": match.seed,
    }


def strip_folders(name: str) -> str:
    """Return the file name without folders, in encodable characters. A record must not contain paths of a machine."""
    return Path(name).name.encode(errors="replace").decode()


@cache
def get_engine_version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("cardlang")
    except PackageNotFoundError:
        return "unknown"


def build_choice_entry(match: MatchInterface, state: State, code: int) -> RecordEntry:
    """Return the line for a choice made in a state."""
    index = state.legal.index(code)
    text = format_moves(match.names.in_records, state, state.legal)[index]
    return {"player": match.players[state.who], "move": index, "text": text}


def build_entry(match: MatchInterface, state: State, choice: ChoiceOrEdit) -> RecordEntry:
    """Return the line for an action in a state: a choice or an allowed change."""
    return build_choice_entry(match, state, choice) if isinstance(choice, int) else choice.build_record_entry()


def compute_checksum(previous: str, entry: RecordEntry) -> str:
    """Return the checksum of an entry and everything before it."""
    text = json.dumps(entry, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return sha256(f"{previous}\n{text}".encode()).hexdigest()


# ---------------------------------------------------------------- reading
@frozen
class MatchRecord:
    """Contents of a record.

    - `entries`: choices and undos, up to the first line with a `fault`.
    - `last_checksum`: checksum of the last step.
    - `size`: length of all these lines in bytes.
    - `is_torn`: the last line was incomplete and is left out.
    """

    path: Path
    header: RecordEntry
    entries: list[RecordEntry]
    last_checksum: str
    size: int
    is_torn: bool
    fault: RecordError | None

    def describe_torn_line(self) -> str:
        """Return the warning about an incomplete line."""
        return f"{self.path}:{len(self.entries) + 2}: This last line is incomplete and was ignored."


def read_record(file: BinaryIO, path: Path) -> MatchRecord:
    """Read the record in an open file. Raise `RecordError` if the header is bad."""
    entries: list[RecordEntry] = []
    check, size = "", 0
    torn, fault = False, None
    while line := file.readline(MAX_LINE_BYTES):
        torn = not line.endswith(b"\n") and len(line) < MAX_LINE_BYTES
        parsed = INVALID_LINE if torn else parse_entry(line, check, HEADERS_BY_FORMAT if not entries else None)
        if torn or isinstance(parsed, str):
            fault = None if torn else RecordError(str(path), len(entries) + 1, str(parsed))
            break
        check = parsed.pop("check")
        size += len(line)
        entries.append(parsed)
    if not entries:
        empty = "The first line of the record is incomplete." if torn else "The record is empty."
        raise fault or RecordError(str(path), 1, empty)
    return MatchRecord(path, entries[0], entries[1:], check, size, torn, fault)


def parse_entry(line: bytes, previous_checksum: str, headers: dict[int, FieldTypes] | None) -> RecordEntry | str:
    """Return a line's entry with its checksum, or an error message.

    `headers`: allowed formats, if it is the first line.
    """
    try:
        entry = json.loads(line.decode(), object_pairs_hook=build_unambiguous_object, parse_constant=reject_constant)
        if not isinstance(entry, dict):
            return INVALID_LINE
        rest = {key: value for key, value in entry.items() if key != "check"}
        check = compute_checksum(previous_checksum, rest)
    except (ValueError, RecursionError):  # not JSON, not Unicode, oversized numbers or nested lists
        return INVALID_LINE
    if entry.get("check") != check:
        return "This line, or one before it, was changed."
    if headers is None:
        if any(has_fields(rest, kinds) for kinds in (CHOICE_FIELDS, UNDO_FIELDS, *EDIT_FIELDS)):
            return entry
        return INVALID_LINE
    number = rest.get("format")
    if type(number) is not int or number not in headers:
        return f"Unknown record format {number}."
    return entry if has_fields(rest, headers[number]) else "This is not the first line of a record."


def build_unambiguous_object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Build a JSON object. Raise `ValueError` for a repeated key, because readers differ in the one they take."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a key appears twice")
    return fields


def reject_constant(constant: str) -> float:
    """Reject infinity and NaN, which are not JSON."""
    raise ValueError(constant)


def has_fields(entry: object, field_types: FieldTypes) -> bool:
    """Return whether an entry has exactly these keys with values of these types. A bool is not an int here."""
    return (
        isinstance(entry, dict)
        and entry.keys() == field_types.keys()
        and all(type(entry[key]) in types for key, types in field_types.items())
    )


def parse_seed(entry: RecordEntry) -> int | None:
    """Return the seed of a header for the generator named there; None if the generator is unknown."""
    if entry["format"] == 1:
        return UnhashedSeed(
            entry["seed"] & WORD_MASK
        )  # there was one generator, which took the last 64 bits of any seed
    seeds = entry["seed"], UnhashedSeed(entry["seed"])
    return next((seed for seed in seeds if get_generator_name(seed) == entry["generator"]), None)


def remove_escapes(text: str) -> str:
    """Return the source of a game without the backslashes that older versions ignored and this one refuses."""
    return re.sub(r"""(\\["{}\\])|\\(?=[^\n])""", r"\1", text) if "\\" in text else text


@lru_cache(maxsize=GAME_CACHE_SIZE)
def apply_legacy_rules(game: IdentityKey) -> g.Game:
    """Return the game with the rules of old records. It is cached, so it is compiled once."""
    return game.game.replace(legacy=True)


def is_same_move_text(move: str, recorded: str) -> bool:
    """Return whether the text in a record means this move.

    Older records use only ASCII letters in codes made from titles.
    """
    return move == recorded or (not move.isascii() and NON_ASCII_WORD.sub("", move) == NON_ASCII_WORD.sub("", recorded))


CREATE_FLAGS = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


class RecordSink(Protocol):
    """Interface of recorders. `Recorder` writes to a file."""

    def write(self, entry: RecordEntry) -> None: ...
    def record_undo(self, count: int) -> None: ...
    def is_at(self, path: Path) -> bool: ...
    def close(self) -> None: ...


class Recorder:
    """Writer that appends to a record that this process has locked.

    `last_checksum`: checksum of the last line. `size`: number of bytes so far.
    """

    def __init__(self, path: Path, file: FileIO, last_checksum: str, size: int) -> None:
        self.path, self.file, self.last_checksum, self.size = path, file, last_checksum, size

    def write(self, entry: RecordEntry) -> None:
        """Append a line. Raise `RecordingError` if it fails; then the record is unchanged."""
        line, check = encode_entry(entry, self.last_checksum)
        self.append(line)
        self.last_checksum = check

    def record_undo(self, count: int) -> None:
        """Record that `count` choices were undone."""
        self.write({"undo": count})

    def append(self, data: bytes) -> None:
        """Append bytes after the last complete line. An incomplete line is cut off first."""
        try:
            self.file.seek(self.size)
            self.file.truncate()
            rest = memoryview(data)
            while rest:
                rest = rest[self.file.write(rest) :]
        except OSError as error:
            self.truncate_torn_line()
            raise RecordingError(self.path, error) from error
        self.size += len(data)

    def truncate_torn_line(self) -> None:
        """Remove an incomplete line if possible. Otherwise readers ignore it."""
        try:
            self.file.truncate(self.size)
        except OSError:
            return

    def is_at(self, path: Path) -> bool:
        """Return whether this record is at a path."""
        try:
            return os.path.samestat(path.stat(), os.fstat(self.file.fileno()))
        except OSError:
            return False

    def close(self) -> None:
        self.file.close()


def encode_entry(entry: RecordEntry, previous_checksum: str) -> tuple[bytes, str]:
    """Return a line and its checksum."""
    check = compute_checksum(previous_checksum, entry)
    return f"{json.dumps({**entry, 'check': check}, ensure_ascii=False)}\n".encode(), check


def encode_record(match: MatchInterface) -> tuple[bytes, str]:
    """Return the record of a match so far and the checksum of its last line."""
    if isinstance(match.origin, SampledOrigin):
        raise ValueError("A sampled match cannot be recorded.")
    line, check = encode_entry(build_header(match), "")
    lines = [line]
    state = match.origin.build_first_state()
    for choice in match.choices:
        line, check = encode_entry(build_entry(match, state, choice), check)
        lines.append(line)
        replay_choice(match.names, state, choice)
    return b"".join(lines), check


def save_record(match: MatchInterface, path: Path) -> None:
    """Write a complete record. Raise `RecordingError` if it fails; then an existing file is unchanged."""
    data, _ = encode_record(match)
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)  # a pipe or a device; a folder raises an error
        else:
            replace_record(path, data)
    except OSError as error:
        raise RecordingError(path, error) from error


def begin_record(match: MatchInterface, path: Path) -> Recorder:
    """Write the record of a match so far and return a recorder to continue it.

    Raise `RecordingError` if it fails; then an existing file is unchanged.
    """
    data, check = encode_record(match)
    try:
        file = create_locked_file(path)
        if file is None:
            replace_record(path, data)
            return Recorder(path, open_locked_file(path), check, len(data))
    except OSError as error:
        raise RecordingError(path, error) from error
    recorder = Recorder(path, file, "", 0)
    try:
        recorder.append(data)
    except RecordingError:
        recorder.close()
        path.unlink(missing_ok=True)
        raise
    recorder.last_checksum = check
    return recorder


def read_locked_record(file: FileIO, path: Path) -> MatchRecord:
    with open(file.fileno(), "rb", closefd=False) as buffered:
        return read_record(buffered, path)


# ---------------------------------------------------------------- one process for each record
def create_locked_file(path: Path) -> FileIO | None:
    """Create and lock a file that only its owner can read; return None if the file exists."""
    try:
        file = FileIO(os.open(path, CREATE_FLAGS, storage.PRIVATE_FILE_MODE), "r+")
    except FileExistsError:
        return None
    lock_record(file)
    return file


def lock_record(file: FileIO) -> None:
    """Lock a file with `disk.lock_file`. Garbage-collect unused matches of this process first if they hold the lock."""
    try:
        storage.lock_file(file)
    except BlockingIOError:
        gc.collect()
        storage.lock_file(file)


def open_locked_file(path: Path) -> FileIO:
    """Open and lock a file for this process. Raise `OSError`, or `BlockingIOError` if another process has it."""
    if not path.is_file() and path.exists():
        raise OSError("it is not a file")
    file = FileIO(path, "r+")
    try:
        lock_record(file)
        if not os.path.samestat(path.stat(), os.fstat(file.fileno())):
            raise BlockingIOError  # another process has just put a record of its own here
    except BaseException:
        file.close()
        raise
    return file


def replace_record(path: Path, data: bytes) -> None:
    """Replace a record that no process is writing, or create it."""
    if not path.exists():
        storage.replace_file(path, data, storage.PRIVATE_FILE_MODE)
        return
    with open_locked_file(path) as before:
        if os.name == "nt":
            before.close()  # Windows does not replace open files
        storage.replace_file(path, data, storage.PRIVATE_FILE_MODE)
