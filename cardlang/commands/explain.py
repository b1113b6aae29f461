"""`cardlang explain`: print the meaning of an error code, with an example and a fix."""

from __future__ import annotations

from difflib import get_close_matches

import click

from cardlang.commands import options
from cardlang.terminal.telling import tell_lines


@click.command(epilog=options.examples("explain E201", "explain W403"))
@click.argument("code")
def command(code: str) -> None:
    """Explain an error code.

    CODE is in brackets in a message, as in error[E201]."""
    from cardlang.explanations import CODES

    code = code.upper()
    page = CODES.get(code)
    if page is None:
        close = get_close_matches(code, CODES, 1)
        meant = f" Did you mean {close[0]}?" if close else ""
        raise click.UsageError(f"Unknown code {code}.{meant}")
    tell_lines(str(page))
