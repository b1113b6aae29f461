"""The record of a match: JSON lines, each with a checksum that continues the one before.

The first line tells the game (its whole text, and that of its libraries), variant, players and seed; then
comes a line for each choice or undo. Every line is written and flushed at once, so that a kill loses at most
the choice in flight. A record tells everything: it is the referee's, never a player's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from cardlang import game as g
from interpreter.errors import MoveError, RecordError, RuleError
from interpreter.matches.moves import printed
from interpreter.matches.origin import Snapshot
from interpreter.state import State

if TYPE_CHECKING:
    from interpreter.matches.match import Match

FORMAT = 1
MAX_LINE = 1 << 22
"""No line of a record is longer than this."""


class Loader(Protocol):
    """What makes a game of its text: `cardlang.loads`."""

    def __call__(self, text: str, name: str, variant: str | None, libraries: Mapping[str, str]) -> g.Game: ...


class Recorder:
    """Writes the record of a match: what happened so far, then each choice as it is made."""

    def __init__(self, match: Match, path: Path) -> None:
        if isinstance(match.origin, Snapshot):
            raise ValueError("A sampled match is nobody's real match and has no record.")
        self.file = path.open("w", encoding="utf-8", newline="\n")
        self.before = ""
        self.write(header(match))
        state = match.origin.state()
        for code in match.choices:
            self.write(choice_entry(match, state, code))
            match.program.apply(state, code)

    def write(self, entry: dict[str, Any]) -> None:
        self.before = checksum(self.before, entry)
        line = json.dumps({**entry, "check": self.before}, ensure_ascii=False)
        self.file.write(line + "\n")
        self.file.flush()

    def undo(self, count: int) -> None:
        """So many choices are taken back."""
        self.write({"undo": count})

    def close(self) -> None:
        self.file.close()


def header(match: Match) -> dict[str, Any]:
    game = match.game
    return {
        "format": FORMAT,
        "engine": engine_version(),
        "game": game.title,
        "variant": game.variant,
        "files": [{"name": source.name, "text": source.text} for source in game.sources],
        "players": list(match.players),
        "seed": match.seed,
    }


def engine_version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("cardlang")
    except PackageNotFoundError:
        return "unknown"


def choice_entry(match: Match, state: State, code: int) -> dict[str, Any]:
    """The line about a choice that is made in a state."""
    index = state.legal.index(code)
    text = printed(match.names, state, state.legal)[index]
    return {"player": match.players[state.who], "move": index, "text": text}


def checksum(before: str, entry: dict[str, Any]) -> str:
    """Of an entry and of everything before it."""
    text = json.dumps(entry, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return sha256(f"{before}\n{text}".encode()).hexdigest()


def read(path: Path) -> tuple[list[dict[str, Any]], RecordError | None]:
    """The entries of a record up to the first line at fault, and that fault. Raises RecordError if even the
    header does not hold, OSError if there is no such file."""
    entries: list[dict[str, Any]] = []
    before = ""
    fault: RecordError | None = None
    with path.open(encoding="utf-8", errors="replace", newline="\n") as file:
        number = 0
        while line := file.readline(MAX_LINE):
            number += 1
            entry = entry_of(line, before)
            if isinstance(entry, str):
                fault = RecordError(str(path), number, entry)
                break
            before = entry.pop("check")
            entries.append(entry)
    if not entries:
        raise fault or RecordError(str(path), 1, "The record is empty.")
    return entries, fault


def entry_of(line: str, before: str) -> dict[str, Any] | str:
    """A line's entry, or what is wrong with it."""
    if not line.endswith("\n"):
        return "The record was cut short here."
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return "This is not a line of a record."
    if not isinstance(entry, dict) or not isinstance(entry.get("check"), str):
        return "This is not a line of a record."
    rest = {key: value for key, value in entry.items() if key != "check"}
    if checksum(before, rest) != entry["check"]:
        return "This line, or one before it, was altered."
    return entry


def resumed(path: Path, until: int | None, loads: Loader) -> Match:
    """See `cardlang.resume`; `loads` makes a game of its text. A faulty record is refused, unless `until` asks only for
    what is before."""
    entries, fault = read(path)
    if fault is not None and (until is None or until > len(entries) - 1):
        raise fault
    match = match_of(entries[0], path, loads)
    for number, entry in enumerate(entries[1:], 2):
        if until is not None and number - 2 >= until:
            break
        play(match, entry, path, number)
    return match


def match_of(entry: dict[str, Any], path: Path, loads: Loader) -> Match:
    """The match that a header begins."""
    from interpreter.matches.match import start

    if entry.get("format") != FORMAT:
        raise RecordError(str(path), 1, f"This record has a format that is not known here ({entry.get('format')}).")
    try:
        return start(game_of(entry, loads), list(entry["players"]), int(entry["seed"]))
    except (KeyError, TypeError, ValueError) as error:
        raise RecordError(str(path), 1, f"The header does not make a match: {error}") from error


def game_of(entry: dict[str, Any], loads: Loader) -> g.Game:
    """The game whose text stands in a header; its libraries are taken from there, too."""
    first, *libraries = entry["files"]
    texts = {Path(file["name"]).stem: file["text"] for file in libraries}
    return loads(first["text"], name=first["name"], variant=entry["variant"], libraries=texts)


def play(match: Match, entry: dict[str, Any], path: Path, number: int) -> None:
    """Makes the choice, or takes back the choices, that a line tells of."""
    if "undo" in entry:
        kept = len(match.choices) - int(entry["undo"])
        if kept < 0:
            raise RecordError(str(path), number, "More is taken back here than was chosen.")
        match.rewind(kept)
        return
    decision = match.decision
    try:
        if decision is None or decision.player != entry["player"]:
            raise RecordError(str(path), number, f"{entry['player']} is not asked here.")
        if decision.moves[entry["move"]].text != entry["text"]:
            raise RecordError(str(path), number, f"{entry['text']} is not the move with this number here.")
        match.choose(entry["move"])
    except (KeyError, TypeError, IndexError, MoveError) as error:
        raise RecordError(str(path), number, "There is no such move here.") from error
    except RuleError as error:
        raise RecordError(str(path), number, f"The rules cannot carry this out: {error}") from error
