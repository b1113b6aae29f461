"""Command `cardlang cards`: printable cards as PDF."""

from __future__ import annotations

from pathlib import Path

import click

from cardlang.cli import match_options
from cardlang.cli.file_arguments import load_game, write_bytes
from cardlang.english.morphology import format_count
from cardlang.ui.terminal.escaped_output import write_line


@click.command(
    epilog=match_options.format_examples("cards my_game", "cards tail_story -o tail_story.pdf --paper letter")
)
@click.argument("file")
@click.option(
    "-o", "--output", metavar="FILE", type=click.Path(path_type=Path), default=Path("cards.pdf"), show_default=True,
    help="PDF file to write.",
)  # fmt: skip
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="Paper size.")
@match_options.variant_option
@match_options.force_option
def command(file: str, output: Path, paper: str, variant: str | None, force: bool) -> None:
    """Write the cards as a PDF to print and cut.

    Each page has nine cards and is followed by their backs. Print double-sided at actual size, flipped on the long
    edge, and cut along the marks. More than 30 sheets become several numbered files."""
    from cardlang.cli.missing_font_characters import warn_missing_characters
    from cardlang.print_and_play import MAX_SHEETS_PER_FILE, PAPER_SIZES, SheetLayout, render_card_pdfs

    game = load_game(file, variant)
    if not game.cards:
        raise click.ClickException(f"{game.title} has no cards.")
    layout = SheetLayout(3, 3, PAPER_SIZES[paper])
    sheets = -(-game.cards // layout.cards_per_page)
    paper_used = f"{format_count(sheets, 'sheet')}, printed on both sides ({2 * sheets} pages)"
    write_line(f"Drawing {format_count(game.cards, 'card')} on {paper_used} …", err=True)
    for number, part in enumerate(render_card_pdfs(game, layout), 1):
        target = output if sheets <= MAX_SHEETS_PER_FILE else output.with_stem(f"{output.stem}-{number}")
        write_bytes(target, part, "pdf", force)
        write_line(f"{target}", err=True)
    warn_missing_characters(game)
