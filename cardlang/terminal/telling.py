"""The one way to standard output and standard error. File names, what was typed, and records come from anywhere: what
would not be seen, or would steer the terminal, is written as an escape."""

from __future__ import annotations

import click

from cardlang.plain_text import visible, visible_lines


def tell(line: str = "", err: bool = False) -> None:
    """Prints a line, to stderr if `err`."""
    click.echo(visible(line), err=err)


def tell_lines(text: str, err: bool = False) -> None:
    """Prints a text of several lines."""
    click.echo(visible_lines(text), err=err)


def tell_prompt(question: str) -> None:
    """Prints a question whose answer is typed behind it."""
    click.echo(f"{visible(question)}: ", nl=False)


def tell_progress(line: str) -> None:
    """Prints a line to stderr that the next one takes the place of."""
    click.echo(f"\r{visible(line)}\r", nl=False, err=True)


def forget_progress() -> None:
    """Wipes out the last line of progress."""
    tell_progress(" " * 70)
