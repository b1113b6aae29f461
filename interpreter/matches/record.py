"""Format of match records: JSON lines, each with a checksum that continues the one before.

The first line contains the game (its whole source and that of its libraries), variant, players and seed. Each further
line is a choice, an undo, or a change that a host allowed. A record contains hidden cards, so it is for the referee,
never for a player. This module defines and reads the format; `interpreter.matches.recorder` writes it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol
from warnings import warn

from attrs import evolve, frozen

from cardlang import game as g
from cardlang.disk import open_file
from cardlang.source import GameError
from interpreter.chance import MASK, Unhashed, generator
from interpreter.errors import RecordError, RuleError
from interpreter.itself import KEPT, Itself
from interpreter.matches.allowing import Deed, change_of
from interpreter.matches.moves import printed
from interpreter.state import State

if TYPE_CHECKING:
    from interpreter.matches.match import Match

Entry = dict[str, Any]
"""A line without its checksum."""
Told = Callable[[str], object]
"""Function that shows a warning, in a sentence."""
Kinds = dict[str, tuple[type, ...]]
"""Types of the values of an entry, by key."""

FORMAT, LEGACY = 3, 2
"""Format of new records, and the older format, whose matches keep the rules of that time."""
HEADER: Kinds = {
    "format": (int,), "engine": (str,), "game": (str,), "variant": (str, type(None)), "files": (list,),
    "players": (list,), "generator": (str,), "seed": (int,),
}  # fmt: skip
HEADERS = {1: {key: types for key, types in HEADER.items() if key != "generator"}, LEGACY: HEADER, FORMAT: HEADER}
"""Headers by format. The other lines have one form in all formats, so a record continues in its own format."""
FILE: Kinds = {"name": (str,), "text": (str,)}
CHOICE: Kinds = {"player": (str,), "move": (int,), "text": (str,)}
UNDO: Kinds = {"undo": (int,)}
ALLOWED: tuple[Kinds, ...] = (
    {"allowed": (str,)},
    {"allowed": (str,), "card": (str,), "to": (str,)},
    {"allowed": (str,), "track": (str,), "of": (str, type(None)), "value": (str,)},
)
"""Changes that a host allowed. See `interpreter.matches.allowing`."""
MAX_LINE = 1 << 22
"""Maximum length of a line in bytes."""
NO_ASCII_WORD = re.compile(r"[^A-Za-z0-9 #]+")
NO_LINE = "This is not a line of a record."


class Loader(Protocol):
    """Function that parses a game, such as `cardlang.loads`."""

    def __call__(self, text: str, name: str, variant: str | None, libraries: Mapping[str, str]) -> g.Game: ...


# ---------------------------------------------------------------- lines
def header(match: Match) -> Entry:
    game = match.game
    return {
        "format": LEGACY if game.legacy else FORMAT,
        "engine": engine_version(),
        "game": game.title,
        "variant": game.variant,
        "files": [{"name": without_folders(source.name), "text": source.text} for source in game.sources],
        "players": list(match.players),
        "generator": generator(match.seed),
        "seed": match.seed,
    }


def without_folders(name: str) -> str:
    """Return the file name without folders, in encodable characters. A record must not contain paths of a machine."""
    return Path(name).name.encode(errors="replace").decode()


@cache
def engine_version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("cardlang")
    except PackageNotFoundError:
        return "unknown"


def choice_entry(match: Match, state: State, code: int) -> Entry:
    """Return the line for a choice made in a state."""
    index = state.legal.index(code)
    text = printed(match.names, state, state.legal)[index]
    return {"player": match.players[state.who], "move": index, "text": text}


def entry_about(match: Match, state: State, made: Deed) -> Entry:
    """Return the line for an action in a state: a choice or an allowed change."""
    return choice_entry(match, state, made) if isinstance(made, int) else made.entry()


def checksum(before: str, entry: Entry) -> str:
    """Return the checksum of an entry and everything before it."""
    text = json.dumps(entry, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return sha256(f"{before}\n{text}".encode()).hexdigest()


# ---------------------------------------------------------------- reading
@frozen
class Record:
    """Contents of a record.

    - `steps`: choices and undos, up to the first line with a `fault`.
    - `check`: checksum of the last step.
    - `size`: length of all these lines in bytes.
    - `torn`: the last line was incomplete and is left out.
    """

    path: Path
    header: Entry
    steps: list[Entry]
    check: str
    size: int
    torn: bool
    fault: RecordError | None

    def warning(self) -> str:
        """Return the warning about an incomplete line."""
        return f"{self.path}:{len(self.steps) + 2}: This last line is incomplete and was ignored."


def read(file: BinaryIO, path: Path) -> Record:
    """Read the record in an open file. Raise `RecordError` if the header is bad."""
    entries: list[Entry] = []
    check, size = "", 0
    torn, fault = False, None
    while line := file.readline(MAX_LINE):
        torn = not line.endswith(b"\n") and len(line) < MAX_LINE
        found = NO_LINE if torn else entry_of(line, check, HEADERS if not entries else None)
        if torn or isinstance(found, str):
            fault = None if torn else RecordError(str(path), len(entries) + 1, str(found))
            break
        check = found.pop("check")
        size += len(line)
        entries.append(found)
    if not entries:
        empty = "The first line of the record is incomplete." if torn else "The record is empty."
        raise fault or RecordError(str(path), 1, empty)
    return Record(path, entries[0], entries[1:], check, size, torn, fault)


def entry_of(line: bytes, before: str, headers: dict[int, Kinds] | None) -> Entry | str:
    """Return a line's entry with its checksum, or an error message.

    `headers`: allowed formats, if it is the first line.
    """
    try:
        entry = json.loads(line.decode(), object_pairs_hook=unambiguous, parse_constant=refuse)
        if not isinstance(entry, dict):
            return NO_LINE
        rest = {key: value for key, value in entry.items() if key != "check"}
        check = checksum(before, rest)
    except (ValueError, RecursionError):  # not JSON, not Unicode, oversized numbers or nested lists
        return NO_LINE
    if entry.get("check") != check:
        return "This line, or one before it, was changed."
    if headers is None:
        return entry if any(fits(rest, kinds) for kinds in (CHOICE, UNDO, *ALLOWED)) else NO_LINE
    number = rest.get("format")
    if type(number) is not int or number not in headers:
        return f"Unknown record format {number}."
    return entry if fits(rest, headers[number]) else "This is not the first line of a record."


def unambiguous(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Build a JSON object. Raise `ValueError` for a repeated key, because readers differ in the one they take."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key appears twice")
    return found


def refuse(constant: str) -> float:
    """Reject infinity and NaN, which are not JSON."""
    raise ValueError(constant)


def fits(entry: object, kinds: Kinds) -> bool:
    """Return whether an entry has exactly these keys with values of these types. A bool is not an int here."""
    return (
        isinstance(entry, dict)
        and entry.keys() == kinds.keys()
        and all(type(entry[key]) in types for key, types in kinds.items())
    )


# ---------------------------------------------------------------- replaying
def resumed(path: Path, until: int | None, loads: Loader, told: Told = warn) -> Match:
    """Load a match from its record, as `cardlang.resume` does.

    `loads` parses the game; `told` receives a warning about an incomplete line. Raise `RecordError` for a faulty
    record, unless the fault comes after `until`.
    """
    with open_file(path) as file:
        record = read(file, path)
    if record.torn:
        told(record.warning())
    return replay_record(record, loads, until)


def replay_record(record: Record, loads: Loader, until: int | None = None) -> Match:
    """Return the match at the end of a record, or after the first `until` steps.

    Raise `RecordError` if one of these lines is bad.
    """
    if record.fault is not None and (until is None or until > len(record.steps)):
        raise record.fault
    match = match_of(record.header, record.path, loads)
    for number, entry in standing(record.path, record.steps[:until]):
        play(match, entry, record.path, number)
    return match


def match_of(entry: Entry, path: Path, loads: Loader) -> Match:
    """Start the match that a header describes."""
    from interpreter.matches.match import start

    seed = seed_of(entry)
    if seed is None:
        raise RecordError(str(path), 1, f"Unknown random generator {entry['generator']}.")
    try:
        game = game_of(entry, loads)
        if entry["format"] <= LEGACY:
            game = legacy(Itself(game))
        match = start(game, entry["players"], seed)
    except GameError as error:
        found = error.diagnostics[0]
        where = f"{without_folders(found.span.source.name)}:{found.span.line}"
        raise RecordError(str(path), 1, f"The game in this record has an error: {where}: {found.message}") from error
    except (TypeError, ValueError, RuleError) as error:
        raise RecordError(str(path), 1, f"This line does not describe a valid match: {error}") from error
    if match.game.title != entry["game"]:
        raise RecordError(str(path), 1, f"The game in this record is {match.game.title}, not {entry['game']}.")
    return match


def seed_of(entry: Entry) -> int | None:
    """Return the seed of a header for the generator named there; None if the generator is unknown."""
    if entry["format"] == 1:
        return Unhashed(entry["seed"] & MASK)  # there was one generator, which took the last 64 bits of any seed
    seeds = entry["seed"], Unhashed(entry["seed"])
    return next((seed for seed in seeds if generator(seed) == entry["generator"]), None)


def game_of(entry: Entry, loads: Loader) -> g.Game:
    """Load the game and libraries in a header. Raise `GameError` or `ValueError`."""
    if not entry["files"] or not all(fits(file, FILE) for file in entry["files"]):
        raise ValueError("it has no game files.")
    first, *libraries = entry["files"]
    texts = {Path(file["name"]).stem: without_escapes(file["text"]) for file in libraries}
    name = without_folders(first["name"])
    return loads(without_escapes(first["text"]), name=name, variant=entry["variant"], libraries=texts)


def without_escapes(text: str) -> str:
    """Return the source of a game without the backslashes that older versions ignored and this one refuses."""
    return re.sub(r"""(\\["{}\\])|\\(?=[^\n])""", r"\1", text) if "\\" in text else text


@lru_cache(maxsize=KEPT)
def legacy(game: Itself) -> g.Game:
    """Return the game with the rules of old records. It is cached, so it is compiled once."""
    return evolve(game.game, legacy=True)


def standing(path: Path, steps: list[Entry]) -> Iterator[tuple[int, Entry]]:
    """Yield the choices that were not undone, with their line numbers."""
    made: list[tuple[int, Entry]] = []
    for number, entry in enumerate(steps, 2):
        if "undo" not in entry:
            made.append((number, entry))
        elif 0 < entry["undo"] <= len(made):
            del made[-entry["undo"] :]
        else:
            raise RecordError(str(path), number, "This undoes a move that was never made.")
    yield from made


def is_same_move(move: str, told: str) -> bool:
    """Return whether the text in a record means this move.

    Older records use only ASCII letters in codes made from titles.
    """
    return move == told or (not move.isascii() and NO_ASCII_WORD.sub("", move) == NO_ASCII_WORD.sub("", told))


def play(match: Match, entry: Entry, path: Path, number: int) -> None:
    """Make the choice in a line, or apply the change it allows."""
    if "allowed" in entry:
        try:
            match.allow(change_of(entry))
        except RuleError as error:
            raise RecordError(str(path), number, f"This override failed: {error.message}") from error
        return
    decision = match.decision
    move = entry["move"]
    try:
        if decision is None or decision.player != entry["player"]:
            raise RecordError(str(path), number, f"This is not {entry['player']}'s decision.")
        if not 0 <= move < len(decision.moves):
            raise RecordError(str(path), number, "There is no move with this number here.")
        if not is_same_move(decision.moves[move].text, entry["text"]):
            raise RecordError(str(path), number, f"{entry['text']} is not the move with number {move}.")
        match.choose(move)
    except RuleError as error:
        raise RecordError(str(path), number, f"A rule failed: {error}") from error
