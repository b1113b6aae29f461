"""`cardlang check`: the errors and warnings of game files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

import cardlang
from cardlang.commands.files import find_game, games_in, load_game
from cardlang.commands.findings import amount, show_findings
from cardlang.source import Diagnostic, GameError
from cardlang.terminal.telling import tell

if TYPE_CHECKING:
    from cardlang.report import Format


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--format", "style", type=click.Choice(["full", "concise", "json"]), default="full", show_default=True,
    help="How findings are written.",
)  # fmt: skip
@click.pass_context
def command(ctx: click.Context, files: tuple[str, ...], style: Format) -> None:
    """Look for errors in game files, or in all games of a folder.

    Exit 1 if there are any; warnings are shown and exit 0."""
    findings: list[Diagnostic] = []
    games = [game for name in files for game in games_in(name)]
    for name in games:
        findings += check_file(name)
    show_findings(findings, style, err=False)
    if not findings:
        tell(f"no errors in {amount(len(games), 'file')}", err=True)
    ctx.exit(1 if any(not finding.warning for finding in findings) else 0)


def check_file(name: str) -> list[Diagnostic]:
    """Everything found in a game and in its variants, each finding once."""
    found: dict[Diagnostic, None] = {}
    try:
        game = load_game(name)
        found.update(dict.fromkeys(game.warnings))
        for variant in game.variants:
            found.update(dict.fromkeys(cardlang.load(find_game(name), variant.title).warnings))
    except GameError as error:
        found.update(dict.fromkeys(error.diagnostics))
    return list(found)
