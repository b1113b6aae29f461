"""What can go wrong while a match runs, told in a line or as a finding."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from cardlang.commands.findings import show_findings
from cardlang.source import Diagnostic


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
