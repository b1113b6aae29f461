"""Findings about game files, written for people or for programs."""

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
    """Writes findings (`style`: full, concise or json) to stderr, or to stdout if not `err`. `beside`: what the
    JSON says beside them."""
    from cardlang.report import render

    stream = sys.stderr if err else sys.stdout
    text = render(list(findings), style, stream.isatty(), beside)
    if text:
        click.echo(text.rstrip("\n"), err=err)


def amount(number: int, noun: str) -> str:
    """`1 error`, `2 errors`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
