"""Output of findings about game files, for people or programs."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import click

from cardlang.source import Diagnostic

if TYPE_CHECKING:
    from cardlang.report import Format


def show_findings(
    findings: Iterable[Diagnostic], style: Format = "full", err: bool = True, beside: Mapping[str, object] | None = None
) -> None:
    """Write findings to stderr, or to stdout if not `err`.

    `style` is full, concise or json. `beside` holds further fields of the JSON output.
    """
    from cardlang.report import render

    stream = sys.stderr if err else sys.stdout
    text = render(list(findings), style, stream.isatty(), beside)
    if text:
        click.echo(text.rstrip("\n"), err=err)


def amount(number: int, noun: str) -> str:
    """Return a count with its noun: `1 error`, `2 errors`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
