"""Command `cardlang explain`: meanings of error codes, and cookbook entries."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING

import click

from cardlang.cli import match_options
from cardlang.ui.terminal.escaped_output import write_lines

if TYPE_CHECKING:
    from cardlang.diagnostics.explain_pages import CodeExplanation

CODE_PATTERN = re.compile(r"\w*\d\d\w*")
MAX_OTHER_RECIPES = 3


@click.command(epilog=match_options.format_examples("explain E201", "explain W403", "explain trade cards"))
@click.argument("words", nargs=-1, required=True)
def print_explanations(words: tuple[str, ...]) -> None:
    """Explain an error code, or look up a rule in the cookbook.

    WORDS is the code in brackets in a message, as in error[E201], or what you want to do."""
    query = " ".join(words)
    explanations = collect_explanations()
    if query.upper() in explanations:
        write_lines(str(explanations[query.upper()]))
    elif CODE_PATTERN.fullmatch(query):
        close = get_close_matches(query.upper(), explanations, 1)
        meant = f" Did you mean {close[0]}?" if close else ""
        raise click.UsageError(f"Unknown code {query.upper()}.{meant}")
    else:
        write_lines(find_recipe(query))


def collect_explanations() -> dict[str, CodeExplanation]:
    """Return the pages of all codes, in the order of their numbers."""
    from cardlang.diagnostics.explain_pages import parse_explanation, read_explanations
    from cardlang.lint import playtest, static

    registered = [*static.RULES.list_pages(), *playtest.MATCH_RULES.list_pages(), *playtest.RULES.list_pages()]
    pages = [*read_explanations(), *(parse_explanation(*each) for each in registered)]
    return {page.code: page for page in sorted(pages, key=lambda page: page.code[1:])}


def find_recipe(query: str) -> str:
    """Return the entry of the cookbook that matches best, and the headings of some others."""
    from cardlang.diagnostics import cookbook_search

    entries = cookbook_search.search_cookbook(query)
    if not entries:
        raise click.UsageError(f"Unknown code, and no entry in the cookbook: {query}. Try other words.")
    best, *others = entries[: 1 + MAX_OTHER_RECIPES]
    headings = "".join(f"\n  {other.heading}" for other in others)
    return f"{best}\n\nSee also:{headings}" if others else str(best)
