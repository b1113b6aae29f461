"""Command `cardlang icons`: the names of icons for themes."""

from __future__ import annotations

import click

from cardlang.cli import match_options
from cardlang.ui.terminal.escaped_output import write_lines


@click.command(epilog=match_options.format_examples("icons", "icons fish", "icons ship anchor"))
@click.argument("words", nargs=-1)
def list_icons(words: tuple[str, ...]) -> None:
    """List the icons that themes can use.

    With WORDS, lists the icons with these words in their names, or with a similar meaning, best first."""
    from cardlang.cards.icons import find_icon_names, map_icons_to_authors

    found = [name for word in words for name in find_icon_names(word)] if words else sorted(map_icons_to_authors())
    if not found:
        raise click.UsageError(f"No icon fits {' '.join(words)}. Try other words, or run `cardlang icons` to list all.")
    write_lines("\n".join(dict.fromkeys(found)))
