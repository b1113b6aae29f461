"""`cardlang cards`: the cards of a game, to print and cut."""

from __future__ import annotations

from pathlib import Path

import click

from cardlang.commands import options
from cardlang.commands.files import load_game, write_bytes
from cardlang.terminal.telling import tell


@click.command()
@click.argument("file")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), default=Path("cards.pdf"), show_default=True,
    help="The PDF to write.",
)  # fmt: skip
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="The paper.")
@click.option("--variant", help="The cards of this variant.")
@options.force
def command(file: str, output: Path, paper: str, variant: str | None, force: bool) -> None:
    """Print the cards of a game: nine to a page, every second page with their backs. Print on both sides, turned over
    the long edge, in actual size; cut along the marks.

    More than 30 sheets become several files, with numbers in their names."""
    from cardlang.commands.missing_letters import warn_missing
    from cardlang.printing import PER_PAGE, SHEETS, render

    game = load_game(file, variant)
    if not game.cards:
        raise click.ClickException(f"{game.title} has no cards.")
    sheets = -(-game.cards // PER_PAGE)
    sizes = f"{counted(game.cards, 'card')} on {counted(sheets, 'sheet')}"
    tell(f"Drawing {sizes} …", err=True)
    for number, part in enumerate(render(game, paper), 1):
        target = output if sheets <= SHEETS else output.with_stem(f"{output.stem}-{number}")
        write_bytes(target, part, "pdf", force)
        tell(f"{target}", err=True)
    warn_missing(game)


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
