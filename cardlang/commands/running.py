"""Context managers that report the errors of a running match."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

import cardlang
from cardlang.commands.files import reason
from cardlang.commands.findings import show_findings
from cardlang.disk import a_file
from cardlang.source import Diagnostic
from cardlang.terminal.telling import tell

if TYPE_CHECKING:
    from interpreter.errors import RecordError
    from interpreter.matches.match import Match


@contextmanager
def rules_at_fault() -> Iterator[None]:
    """Report rule errors at their place and exit with 1. Report damaged or unwritable records in a line."""
    from interpreter.errors import RecordError, RecordingError, RuleError

    try:
        yield
    except RuleError as error:
        show_findings([Diagnostic("R001", error.message, error.span)])
        click.get_current_context().exit(1)
    except RecordError as error:
        raise click.ClickException(f"{error}{way_out(error)}") from error
    except RecordingError as error:
        raise click.ClickException(str(error)) from error


def way_out(error: RecordError) -> str:
    """Return a hint to replay the match up to the failing line of a record.

    Every line after the first is one step.
    """
    before = error.line - 2
    return f" To see the match before it, run cardlang replay --until {before} {error.path}" if before > 0 else ""


def resume_record(path: Path, until: int | None = None) -> Match:
    """Load the match of a record, up to choice `until`. Raise a usage error if the file cannot be read."""
    from interpreter.matches.record import resumed

    with told_if_missing(path):
        return resumed(path, until, cardlang.loads, to_stderr)


def go_on_with_record(path: Path) -> Match:
    """Load the match of a record and continue to record it. Raise a usage error if the file cannot be read."""
    from interpreter.matches.recorder import go_on

    with told_if_missing(path):
        a_file(path)
        return go_on(path, cardlang.loads, to_stderr)


@contextmanager
def told_if_missing(path: Path) -> Iterator[None]:
    """Turn an unreadable file into a usage error."""
    from interpreter.errors import RecordingError

    try:
        yield
    except RecordingError:
        raise
    except OSError as error:
        raise click.UsageError(f"{path} cannot be read: {reason(error)}") from error


def to_stderr(text: str) -> None:
    tell(text, err=True)
