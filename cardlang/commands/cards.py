"""`cardlang cards`: write the cards of a game as a PDF to print and cut."""

from __future__ import annotations

from pathlib import Path

import click

from cardlang.commands import options
from cardlang.commands.files import load_game, write_bytes
from cardlang.terminal.telling import tell


@click.command(epilog=options.examples("cards my_game", "cards tail_story -o tail_story.pdf --paper letter"))
@click.argument("file")
@click.option(
    "-o", "--output", metavar="FILE", type=click.Path(path_type=Path), default=Path("cards.pdf"), show_default=True,
    help="PDF file to write.",
)  # fmt: skip
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="Paper size.")
@options.variant
@options.force
def command(file: str, output: Path, paper: str, variant: str | None, force: bool) -> None:
    """Write the cards as a PDF to print and cut.

    Each page has nine cards and is followed by their backs. Print double-sided at actual size, flipped on the long
    edge, and cut along the marks. More than 30 sheets become several numbered files."""
    from cardlang.commands.missing_letters import warn_missing
    from cardlang.printing import PER_PAGE, SHEETS, render

    game = load_game(file, variant)
    if not game.cards:
        raise click.ClickException(f"{game.title} has no cards.")
    sheets = -(-game.cards // PER_PAGE)
    paper_used = f"{counted(sheets, 'sheet')}, printed on both sides ({2 * sheets} pages)"
    tell(f"Drawing {counted(game.cards, 'card')} on {paper_used} …", err=True)
    for number, part in enumerate(render(game, paper), 1):
        target = output if sheets <= SHEETS else output.with_stem(f"{output.stem}-{number}")
        write_bytes(target, part, "pdf", force)
        tell(f"{target}", err=True)
    warn_missing(game)


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
