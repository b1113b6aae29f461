"""Command `cardlang texts`: the author's texts, for translators."""

from __future__ import annotations

import click

from cardlang import loader
from cardlang.cli import match_options
from cardlang.cli.error_reports import print_diagnostics
from cardlang.cli.file_arguments import format_os_error, require_game_file, write_bytes
from cardlang.english.morphology import format_count
from cardlang.game_translation import check_translation, find_translation_file, read_translation
from cardlang.ui.terminal.escaped_output import write_line, write_lines


@click.command(epilog=match_options.format_examples("texts my_game", "texts my_game --language de"))
@click.argument("file")
@click.option(
    "--language", type=match_options.check_language, metavar="CODE",
    help="Write or update NAME.CODE.csv, such as my_game.de.csv.",
)  # fmt: skip
def export_texts(file: str, language: str | None) -> None:
    """Write the game's text to a table for translation.

    Prints a row for each string, as CSV. With --language, writes the table next to the game. If it exists, keeps its
    translations, adds new texts, and lists what is missing."""
    from cardlang.syntax.author_text_translation import format_translation_table

    game = require_game_file(file)
    texts, _ = loader.collect_file_texts(game)
    if language is None:
        return write_lines(format_translation_table(texts, None).decode("utf-8-sig").replace("\r\n", "\n").rstrip())
    path = find_translation_file(game, language)
    try:
        table = read_translation(path) if path.exists() else None
    except OSError as error:
        raise click.ClickException(f"{path} cannot be read: {format_os_error(error)}") from error
    write_bytes(path, format_translation_table(texts, table), "csv", force=True)
    write_line(f"{path}: {format_count(len({text.text for text in texts}), 'text')}", err=True)
    findings = check_translation(texts, read_translation(path), "fill in the column `translation`")
    print_diagnostics(findings)
