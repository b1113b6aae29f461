"""Replay of a record up to its last standing move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from warnings import warn

from cardlang import model as g
from cardlang.diagnostics import GameError
from cardlang.diagnostics.old_syntax_replacement import replace_old_forms
from cardlang.model.game import IdentityKey
from cardlang.storage import open_regular_file
from interpreter.match.match_record import (
    FILE_FIELDS,
    LEGACY_FORMAT,
    GameLoader,
    MatchRecord,
    RecordEntry,
    Recorder,
    WarningHandler,
    apply_legacy_rules,
    has_fields,
    is_same_move_text,
    open_locked_file,
    parse_seed,
    read_locked_record,
    read_record,
    remove_escapes,
    strip_folders,
)
from interpreter.match.state_edits import parse_state_edit
from interpreter.narration.decision_text import format_moves
from interpreter.runtime.errors import RecordError, RecordingError, RuleError

if TYPE_CHECKING:
    from interpreter.match.match import Match


# ---------------------------------------------------------------- replaying
def resume_match(path: Path, max_entries: int | None, loads: GameLoader, show_warning: WarningHandler = warn) -> Match:
    """Load a match from its record, as `cardlang.resume` does.

    `loads` parses the game; `show_warning` receives a warning about an incomplete line. Raise `RecordError` for a
    faulty record, unless the fault comes after `max_entries`.
    """
    with open_regular_file(path) as file:
        record = read_record(file, path)
    if record.is_torn:
        show_warning(record.describe_torn_line())
    return replay_record(record, loads, max_entries)


def replay_record(record: MatchRecord, loads: GameLoader, max_entries: int | None = None) -> Match:
    """Return the match at the end of a record, or after the first `max_entries` steps.

    Raise `RecordError` if one of these lines is bad.
    """
    if record.fault is not None and (max_entries is None or max_entries > len(record.entries)):
        raise record.fault
    match = start_recorded_match(record.header, record.path, loads)
    for number, entry in iter_kept_choices(record.path, record.entries[:max_entries]):
        replay_entry(match, entry, record.path, number)
    return match


def start_recorded_match(entry: RecordEntry, path: Path, loads: GameLoader) -> Match:
    """Start the match that a header describes."""
    from interpreter.match.match import start

    seed = parse_seed(entry)
    if seed is None:
        raise RecordError(str(path), 1, f"Unknown random generator {entry['generator']}.")
    try:
        game = load_recorded_game(entry, loads)
        if entry["format"] <= LEGACY_FORMAT:
            game = apply_legacy_rules(IdentityKey(game))
        match = start(game, entry["players"], seed)
    except GameError as error:
        diagnostic = error.diagnostics[0]
        where = f"{strip_folders(diagnostic.span.source.name)}:{diagnostic.span.line}"
        raise RecordError(
            str(path), 1, f"The game in this record has an error: {where}: {diagnostic.message}"
        ) from error
    except (TypeError, ValueError, RuleError) as error:
        raise RecordError(str(path), 1, f"This line does not describe a valid match: {error}") from error
    title = match.game.untranslated.title
    if title != entry["game"]:
        raise RecordError(str(path), 1, f"The game in this record is {title}, not {entry['game']}.")
    return match


def load_recorded_game(entry: RecordEntry, loads: GameLoader) -> g.Game:
    """Load the game and libraries in a header. Raise `GameError` or `ValueError`."""
    if not entry["files"] or not all(has_fields(file, FILE_FIELDS) for file in entry["files"]):
        raise ValueError("it has no game files.")
    first, *libraries = entry["files"]
    texts = {Path(file["name"]).name.removesuffix(".cardgame"): remove_escapes(file["text"]) for file in libraries}
    text, name, variant = remove_escapes(first["text"]), strip_folders(first["name"]), entry["variant"]
    try:
        return loads(text, name=name, variant=variant, libraries=texts)
    except GameError:
        present = {stem: replace_old_forms(each) for stem, each in texts.items()}
        return loads(replace_old_forms(text), name=name, variant=variant, libraries=present)


def iter_kept_choices(path: Path, steps: list[RecordEntry]) -> Iterator[tuple[int, RecordEntry]]:
    """Yield the choices that were not undone, with their line numbers."""
    choices: list[tuple[int, RecordEntry]] = []
    for number, entry in enumerate(steps, 2):
        if "undo" not in entry:
            choices.append((number, entry))
        elif 0 < entry["undo"] <= len(choices):
            del choices[-entry["undo"] :]
        else:
            raise RecordError(str(path), number, "This undoes a move that was never made.")
    yield from choices


def replay_entry(match: Match, entry: RecordEntry, path: Path, number: int) -> None:
    """Make the choice in a line, or apply the change it allows."""
    if "move" not in entry:
        try:
            match.apply_edit(parse_state_edit(entry))
        except RuleError as error:
            raise RecordError(str(path), number, f"This override failed: {error.message}") from error
        return
    decision = match.decision
    move = entry["move"]
    try:
        if decision is None or decision.player != entry["player"]:
            raise RecordError(str(path), number, f"This is not {entry['player']}'s decision.")
        texts = format_moves(match.names.in_records, match.state, match.state.legal)
        recorded = entry["text"]
        if match.program.layout.copies and recorded not in texts[move : move + 1]:
            move, recorded = find_move_of_copy(texts, move, recorded)
        if not 0 <= move < len(decision.moves):
            raise RecordError(str(path), number, "There is no move with this number here.")
        if not is_same_move_text(texts[move], recorded):
            raise RecordError(str(path), number, f"{entry['text']} is not the move with number {move}.")
        match.choose(move)
    except RuleError as error:
        raise RecordError(str(path), number, f"A rule failed: {error}") from error


def find_move_of_copy(texts: Sequence[str], move: int, recorded: str) -> tuple[int, str]:
    """Return the number and text of a move that was recorded when players could distinguish more copies.

    `play [Rat] #2` is `play [Rat]` if all Rats are the same to the others now."""
    for text in (recorded, recorded.partition(" #")[0]):
        if text in texts:
            return texts.index(text), text
    return move, recorded


def resume_with_recording(path: Path, loads: GameLoader, show_warning: WarningHandler = warn) -> Match:
    """Resume a match from its record. Further choices are appended.

    `loads` and `show_warning`: as in `resume_match`. Raise `RecordError` or `RecordingError`.
    """
    try:
        file = open_locked_file(path)
    except OSError as error:
        raise RecordingError(path, error) from error
    try:
        record = read_locked_record(file, path)
        if record.is_torn:
            show_warning(record.describe_torn_line())
        match = replay_record(record, loads)
    except BaseException:
        file.close()
        raise
    match.attach_recorder(Recorder(path, file, record.last_checksum, record.size))
    return match
