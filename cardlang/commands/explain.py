"""`cardlang explain`: what an error code means, with an example and how to mend it."""

from __future__ import annotations

from difflib import get_close_matches

import click

from cardlang.terminal.telling import tell_lines


@click.command()
@click.argument("code")
def command(code: str) -> None:
    """Explain the CODE of an error or a warning."""
    from cardlang.explanations import CODES

    code = code.upper()
    page = CODES.get(code)
    if page is None:
        close = get_close_matches(code, CODES, 1)
        meant = f" Did you mean {close[0]}?" if close else ""
        raise click.UsageError(f"There is no error code {code}.{meant}")
    tell_lines(str(page))
