"""Console output. All writes to standard output and standard error go through this module.

File names, input and records are untrusted, so invisible characters and terminal control codes are escaped."""

from __future__ import annotations

import click

from cardlang.plain_text import visible, visible_lines


def tell(line: str = "", err: bool = False) -> None:
    """Print a line, to stderr if `err`."""
    click.echo(visible(line), err=err)


def tell_lines(text: str, err: bool = False) -> None:
    """Print a string of several lines, to stderr if `err`."""
    click.echo(visible_lines(text), err=err)


def tell_prompt(question: str) -> None:
    """Print a prompt and leave the cursor after it."""
    click.echo(f"{visible(question)}: ", nl=False)


def tell_progress(line: str) -> None:
    """Print a line to stderr that the next one overwrites."""
    click.echo(f"\r{visible(line)}\r", nl=False, err=True)


def forget_progress() -> None:
    """Clear the last progress line."""
    tell_progress(" " * 70)
