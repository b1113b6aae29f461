"""Escaped output to standard output and standard error.

File names, input and records are untrusted, so invisible characters and terminal control codes are escaped.
"""

from __future__ import annotations

from collections.abc import Sequence

import click

from cardlang.english.control_characters import escape_invisible_characters, escape_invisible_in_lines


def write_line(line: str = "", err: bool = False) -> None:
    """Print a line, to stderr if `err`."""
    click.echo(escape_invisible_characters(line), err=err)


def write_lines(text: str, err: bool = False) -> None:
    """Print a string of several lines, to stderr if `err`."""
    click.echo(escape_invisible_in_lines(text), err=err)


def format_rows(rows: Sequence[Sequence[str]], alignment: str) -> list[str]:
    """Return the rows of a table as indented lines. `alignment` has `<` or `>` for each column."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "".join(f"  {cell:{side}{width}}" for cell, side, width in zip(row, alignment, widths, strict=True)).rstrip()
        for row in rows
    ]


def write_prompt(question: str) -> None:
    """Print a prompt and leave the cursor after it."""
    click.echo(f"{escape_invisible_characters(question)}: ", nl=False)


def write_progress(line: str) -> None:
    """Print a line to stderr that the next one overwrites."""
    click.echo(f"\r{escape_invisible_characters(line)}\r", nl=False, err=True)


def clear_progress() -> None:
    """Clear the last progress line."""
    write_progress(" " * 70)
