"""`cardlang explain`: print the meaning of an error code, or an entry of the cookbook."""

from __future__ import annotations

import re
from difflib import get_close_matches

import click

from cardlang.commands import options
from cardlang.terminal.telling import tell_lines

LIKE_A_CODE = re.compile(r"\w*\d\d\w*")
OTHERS = 3


@click.command(epilog=options.examples("explain E201", "explain W403", "explain trade cards"))
@click.argument("words", nargs=-1, required=True)
def command(words: tuple[str, ...]) -> None:
    """Explain an error code, or look up a rule in the cookbook.

    WORDS is the code in brackets in a message, as in error[E201], or what you want to do."""
    from cardlang.explanations import CODES

    said = " ".join(words)
    if said.upper() in CODES:
        tell_lines(str(CODES[said.upper()]))
    elif LIKE_A_CODE.fullmatch(said):
        close = get_close_matches(said.upper(), CODES, 1)
        meant = f" Did you mean {close[0]}?" if close else ""
        raise click.UsageError(f"Unknown code {said.upper()}.{meant}")
    else:
        tell_lines(recipe(said))


def recipe(said: str) -> str:
    """Return the entry of the cookbook that matches best, and the headings of some others."""
    from cardlang import cookbook

    found = cookbook.search(said)
    if not found:
        raise click.UsageError(f"Unknown code, and no entry in the cookbook: {said}. Try other words.")
    best, *others = found[: 1 + OTHERS]
    headings = "".join(f"\n  {other.heading}" for other in others)
    return f"{best}\n\nSee also:{headings}" if others else str(best)
