"""What can go wrong while a match runs, told in a line or as a finding."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardlang.commands.files import reason
from cardlang.commands.findings import show_findings
from cardlang.source import Diagnostic

if TYPE_CHECKING:
    from interpreter.matches.match import Match


@contextmanager
def rules_at_fault() -> Iterator[None]:
    """Shows a rule that cannot be carried out at its place, and a record that does not hold together; exit
    1."""
    from interpreter.errors import RecordError, RuleError

    try:
        yield
    except RuleError as error:
        show_findings([Diagnostic("R001", error.message, error.span)])
        click.get_current_context().exit(1)
    except RecordError as error:
        raise click.ClickException(str(error)) from error


def resume_record(path: Path, until: int | None = None) -> Match:
    """The match of a record, or its beginning. Raises a usage error if there is no such file."""
    from cardlang import resume

    try:
        return resume(path, until)
    except OSError as error:
        raise click.UsageError(f"{path} cannot be read: {reason(error)}") from error
