"""Command `cardlang cards`: cards to print, as pictures, or for games on screens; mats, score pads and boxes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardlang.cli import match_options
from cardlang.cli.error_reports import print_diagnostics
from cardlang.cli.file_arguments import is_replaceable, load_game, write_bytes
from cardlang.english.morphology import format_count, join_phrases
from cardlang.ui.terminal.escaped_output import write_line

if TYPE_CHECKING:
    from cardlang.print_and_play import CardPrinter
    from cardlang.print_and_play.sheet_layout import SheetLayout

IMAGE_DPI = 300
MAX_LISTED = 3
"""Maximum number of earlier pictures to name."""
FORMATS = {
    "pdf": "cards.pdf",
    "png": "cards",
    "tabletop": "tabletop",
    "playingcards": "room.pcio",
    "csv": "cards.csv",
    "mat": "mat.pdf",
    "score-pad": "score-pad.pdf",
    "box": "box.pdf",
}
"""Formats and their default output: a file or a folder."""


@click.command(
    epilog=match_options.format_examples(
        "cards my_game",
        "cards tail_story -o tail_story.pdf --paper letter",
        "cards my_game --format tabletop",
    )
)
@click.argument("file")
@click.option(
    "-o", "--output", metavar="PATH", type=click.Path(path_type=Path),
    help="File to write, or folder for pictures. By default named after the format.",
)  # fmt: skip
@click.option(
    "--format", "style", type=click.Choice([*FORMATS]), default="pdf", show_default=True, help="Output format."
)
@click.option("--paper", type=click.Choice(["a4", "letter", "a3"]), default="a4", show_default=True, help="Paper size.")
@click.option(
    "--layout", "arrangement", type=click.Choice(["sheet", "landscape", "gutterfold", "single"]), default="sheet",
    show_default=True, help="Arrangement on the paper.",
)  # fmt: skip
@click.option(
    "--bleed", type=click.FloatRange(0, 10), default=0, metavar="MM", help="Width of the bleed around each card."
)
@click.option("--fronts-only", is_flag=True, help="Print no backs.")
@click.option("--black-and-white", is_flag=True, help="Print in shades of grey.")
@click.option("--since", "older", metavar="FILE", help="Leave out cards that look the same in this earlier version.")
@click.option("--csv", "style", flag_value="csv", help="Short for --format csv.")
@click.option("--url", default="", help="Web address of the uploaded images, for Tabletop Simulator.")
@click.option(
    "--dpi", type=click.IntRange(36, 1200), help="Resolution of pictures. By default 300; 150 for games on screens."
)
@match_options.variant_option
@match_options.language_option
@match_options.force_option
def export_cards(
    file: str, output: Path | None, style: str, paper: str, arrangement: str, bleed: float, fronts_only: bool,
    black_and_white: bool, older: str | None, dpi: int | None, url: str, variant: str | None, language: str | None,
    force: bool,
) -> None:  # fmt: skip
    """Write the cards as pages to print and cut, or as pictures.

    Each page has nine cards and is followed by their backs. Print double-sided at actual size, flipped on the long
    edge, and cut along the marks. With more than 270 cards, you get several numbered files. Other formats are PNG,
    decks for Tabletop Simulator and Playingcards.io, a table, player mats, score pads and a box for the cards."""
    from cardlang.cli.missing_font_characters import warn_missing_characters
    from cardlang.print_and_play import CardPrinter
    from cardlang.print_and_play.card_csv_export import build_csv
    from cardlang.print_and_play.printed_card_warnings import find_printing_problems
    from cardlang.print_and_play.sheet_layout import build_layout

    game = load_game(file, variant, language=language)
    if not game.cards:
        raise click.ClickException(f"{game.title} has no cards.")
    printer = CardPrinter(game, black_and_white, load_game(older, variant, language=language) if older else None)
    if printer.lacks_earlier_pictures:
        write_line(
            f"There is no folder {printer.theme.art} next to {older}: changed pictures are not noticed.", err=True
        )
    if not printer.cards:
        return write_line(f"All cards of {game.title} look the same in {older}. Nothing was written.", err=True)
    output = output or Path(FORMATS[style])
    try:
        if style in ("csv", "mat", "score-pad", "box"):
            data = build_csv(game) if style == "csv" else render_page(printer, style, paper)
            write_bytes(output, data, "csv" if style == "csv" else "pdf", force)
            return write_line(f"{output}", err=True)
        if style == "pdf":
            layout = build_layout(arrangement, paper, printer.card_size, bleed, not fronts_only)
            write_sheets(printer, layout, output, force)
        else:
            write_pictures(printer, style, output, dpi, bleed, url, force)
    except ValueError as error:
        raise click.ClickException(str(error)) from error
    print_diagnostics([*find_printing_problems(printer)], "full", err=True)
    warn_missing_characters(game)


def write_pictures(
    printer: CardPrinter, style: str, output: Path, dpi: int | None, bleed: float, url: str, force: bool
) -> None:
    """Write the cards as PNG files, as decks for Tabletop Simulator, or as a room for Playingcards.io."""
    from cardlang.print_and_play.playingcards_io import ROOM_DPI, render_room
    from cardlang.print_and_play.tabletop_simulator import SHEET_DPI, render_files

    if style == "png":
        images = ((f"{name}.png", data) for name, data in printer.render_images(dpi or IMAGE_DPI, bleed))
        return write_files(images, output, force)
    if style == "playingcards":
        write_bytes(output, render_room(printer, dpi or ROOM_DPI), "pcio", force)
        return write_line(f"{output}", err=True)
    write_files(render_files(printer, url or output.resolve().as_uri(), dpi or SHEET_DPI), output, force)


def render_page(printer: CardPrinter, style: str, paper: str) -> bytes:
    """Return a mat, a score pad or a box as PDF. Raise ValueError if the game has none, or it doesn't fit."""
    from cardlang.print_and_play import table_aids

    if style == "mat":
        size, page = table_aids.render_mat(printer, paper)
        write_line(size, err=True)
        return page
    render = table_aids.render_score_pad if style == "score-pad" else table_aids.render_box
    return render(printer, paper)


def write_sheets(printer: CardPrinter, layout: SheetLayout, output: Path, force: bool) -> None:
    """Write the sheets of cards as one PDF, or several numbered ones."""
    count = sum(card.copies for card in printer.cards)
    sheets = -(-count // layout.cards_per_page)
    sides = "printed on both sides" if layout.pages_per_sheet == 2 else "printed on one side"
    paper_used = f"{format_count(sheets, 'sheet')}, {sides} ({format_count(sheets * layout.pages_per_sheet, 'page')})"
    write_line(f"Drawing {format_count(count, 'card')} on {paper_used} …", err=True)
    for number, part in enumerate(printer.render_pdfs(layout), 1):
        target = output if count <= layout.cards_per_file else output.with_stem(f"{output.stem}-{number}")
        write_bytes(target, part, "pdf", force)
        write_line(f"{target}", err=True)


def write_files(files: Iterable[tuple[str, bytes]], folder: Path, force: bool) -> None:
    """Write files into a folder, as they are made. Name the pictures of an earlier export that stay there."""
    names = set()
    for name, data in files:
        write_bytes(folder / name, data, name.rpartition(".")[2], force)
        names.add(name)
    write_line(f"{format_count(len(names), 'file')} in {folder}", err=True)
    others = (path for path in sorted(folder.glob("*.png")) if path.name not in names)
    old = [path.name for path in others if is_replaceable(path, "png")]
    if old:
        listed = join_phrases(
            [*old[:MAX_LISTED], *([f"{len(old) - MAX_LISTED} more"] if len(old) > MAX_LISTED else [])]
        )
        write_line(f"Also in {folder}, from an earlier export: {listed}", err=True)
