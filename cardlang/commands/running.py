"""What can go wrong while a match runs, told in a line or as a finding."""

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
    """Shows a rule that cannot be carried out at its place, a record that does not hold together, and one that cannot
    be written; exit 1."""
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
    """How what stands before a line at fault can be looked at: the lines after the first are its steps."""
    before = error.line - 2
    return f" To see the match before it, run cardlang replay --until {before} {error.path}" if before > 0 else ""


def resume_record(path: Path, until: int | None = None) -> Match:
    """The match of a record, or its beginning. Raises a usage error if there is no such file."""
    from interpreter.matches.record import resumed

    with told_if_missing(path):
        return resumed(path, until, cardlang.loads, to_stderr)


def go_on_with_record(path: Path) -> Match:
    """The match of a record, which is recorded there from now on. Raises a usage error if there is no such file."""
    from interpreter.matches.recorder import go_on

    with told_if_missing(path):
        a_file(path)
        return go_on(path, cardlang.loads, to_stderr)


@contextmanager
def told_if_missing(path: Path) -> Iterator[None]:
    """A file that cannot be read is a usage error."""
    from interpreter.errors import RecordingError

    try:
        yield
    except RecordingError:
        raise
    except OSError as error:
        raise click.UsageError(f"{path} cannot be read: {reason(error)}") from error


def to_stderr(text: str) -> None:
    tell(text, err=True)
