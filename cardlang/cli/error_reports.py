"""Output of diagnostics, and of errors in a running match."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

import cardlang
from cardlang import storage
from cardlang.cli.file_arguments import format_os_error
from cardlang.diagnostics import Diagnostic
from cardlang.game_translation import find_translation_file, read_translation
from cardlang.storage import require_regular_file
from cardlang.ui.terminal.escaped_output import write_line

if TYPE_CHECKING:
    from cardlang.diagnostics.render import ReportFormat
    from cardlang.model import Game
    from interpreter.match.match import Match


def print_diagnostics(
    findings: Iterable[Diagnostic],
    style: ReportFormat = "full",
    err: bool = True,
    extra_fields: Mapping[str, object] | None = None,
) -> None:
    """Write findings to stderr, or to stdout if not `err`.

    `style` is full, concise or json. `extra_fields` holds further fields of the JSON output.
    """
    from cardlang.diagnostics.render import render_diagnostics

    stream = sys.stderr if err else sys.stdout
    text = render_diagnostics(list(findings), style, stream.isatty(), extra_fields)
    if text:
        click.echo(text.rstrip("\n"), err=err)


# ---------------------------------------------------------------- errors in a match
@contextmanager
def report_rule_errors() -> Iterator[None]:
    """Report rule errors at their place and exit with 1. Report damaged or unwritable records in a line."""
    from interpreter.runtime.errors import RecordError, RecordingError, RuleError

    try:
        yield
    except RuleError as error:
        print_diagnostics([Diagnostic("R001", error.message, error.span)])
        click.get_current_context().exit(1)
    except RecordError as error:
        before = error.line - 2  # every line after the first is one step
        hint = f" To see the match before it, run cardlang replay --until {before} {error.path}" if before > 0 else ""
        raise click.ClickException(f"{error}{hint}") from error
    except RecordingError as error:
        raise click.ClickException(str(error)) from error


def load_recorded_game(
    text: str, name: str, variant: str | None, libraries: Mapping[str, str], language: str | None
) -> Game:
    """Load the game of a record, in a language if its translation is in the working folder or next to the game."""
    path = None if language is None else find_translation_file(storage.find_game_file(name), language)
    table = None if path is None else read_translation(path).source.text
    return cardlang.loads(text, name, variant, libraries, table)


def load_recorded_match(path: Path, until: int | None = None, language: str | None = None) -> Match:
    """Load the match of a record, up to choice `until`. Raise a usage error if the file cannot be read."""
    from interpreter.match.record_resume import resume_match

    with report_unreadable_file(path):
        return resume_match(path, until, partial(load_recorded_game, language=language), print_to_stderr)


def resume_recording(path: Path, language: str | None = None) -> Match:
    """Load the match of a record and continue to record it. Raise a usage error if the file cannot be read."""
    from interpreter.match.record_resume import resume_with_recording

    with report_unreadable_file(path):
        require_regular_file(path)
        return resume_with_recording(path, partial(load_recorded_game, language=language), print_to_stderr)


@contextmanager
def report_unreadable_file(path: Path) -> Iterator[None]:
    """Turn an unreadable file into a usage error."""
    from interpreter.runtime.errors import RecordingError

    try:
        yield
    except RecordingError:
        raise
    except OSError as error:
        raise click.UsageError(f"{path} cannot be read: {format_os_error(error)}") from error


def print_to_stderr(text: str) -> None:
    write_line(text, err=True)
