"""Command `cardlang new`: a new game from a template or a copy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

import cardlang
from cardlang import storage
from cardlang.cards.theme import find_theme_file
from cardlang.cli import match_options
from cardlang.cli.file_arguments import load_game, report_os_error, require_game_file, write_bytes
from cardlang.storage import GAME_SUFFIX, RULES_SUFFIX, THEME_SUFFIX
from cardlang.ui.terminal.escaped_output import write_line

if TYPE_CHECKING:
    from cardlang.model import Game

TEMPLATE_PATH = Path(__file__).parents[1] / "template.cardgame"
"""Small complete game, with the title TITLE."""


@click.command(epilog=match_options.format_examples("new my_game", "new my_poker --from texas_holdem"))
@click.argument("name")
@click.option("--from", "origin", metavar="GAME", help="Game to copy: a file or a bundled game.")
def create_game(name: str, origin: str | None) -> None:
    """Start a game from a template or a copy.

    Writes NAME.cardgame, a small complete game with an example. With --from, copies that game and its own
    libraries, spreadsheets, rulebook and theme instead. Never replaces a file."""
    path = Path(name if name.endswith(GAME_SUFFIX) else name + GAME_SUFFIX)
    title = path.stem.replace("_", " ").replace("-", " ").strip().title().replace('"', "").replace("\\", "")
    if not any(character.isalnum() for character in title) or not title.isprintable():
        raise click.UsageError("Name the new game, as in: cardlang new my_game")
    for taken in (path, path.with_suffix(RULES_SUFFIX), path.with_suffix(THEME_SUFFIX)):
        if taken.exists():
            raise click.UsageError(f"{taken} already exists. Nothing was written.")
    if origin is None:
        files = {path: TEMPLATE_PATH.read_text("utf-8").replace("TITLE", title).encode()}
    else:
        game = load_game_to_copy(origin)
        files = collect_companions(game, path.parent) | collect_rulebook(game, path, title)
        if (theme := find_theme_file(game)).is_file():
            files[path.with_suffix(THEME_SUFFIX)] = theme.read_bytes()
        files[path] = replace_title(game, title).encode()
    write_all_files(files)
    for written in files:
        write_line(f"Wrote {written}.{' Try:' if written == path else ''}", err=True)
    for words in ("check", "test", "play"):
        quoted = f'"{path}"' if " " in str(path) else path
        write_line(f"  cardlang {words} {quoted}", err=True)


def load_game_to_copy(name: str) -> Game:
    """Load the game to copy.

    Raise a usage error that lists the bundled games if there is none, and `GameError` if it has errors.
    """
    try:
        require_game_file(name)
    except click.UsageError as error:
        names = ", ".join(sorted(cardlang.shipped()))
        raise click.UsageError(f"{error.message} Bundled games: {names}.") from None
    return load_game(name)


def collect_companions(game: Game, folder: Path) -> dict[Path, bytes]:
    """Return the libraries and spreadsheets that the game needs in another folder.

    Raise a usage error if the folder has a different file of that name.
    """
    contents = {}
    bundled = storage.find_bundled_libraries()
    beside = storage.find_game_file(game.sources[0].name).parent
    for source in game.sources[1:]:
        path, origin = folder / source.name, beside / source.name
        with report_os_error(f"{path} cannot be read"):
            content = (origin if origin.exists() else bundled[path.stem]).read_bytes()
            if not path.exists():
                if origin.exists():
                    contents[path] = content
            elif path.read_bytes() != content:
                problem = f"{path} is not the file that {game.title} uses."
                raise click.UsageError(f"{problem} Nothing was written. Choose another folder.")
    return contents


def collect_rulebook(game: Game, path: Path, title: str) -> dict[Path, bytes]:
    """Return the rulebook of a game for its copy at `path`, with the new title; empty if it has none."""
    from cardlang.rulebook.authored_rulebook.markdown_parser import find_rules_file, read_rules_file

    file = read_rules_file(find_rules_file(game), game)
    if file is None or not file.sections:
        return {}
    heading, line_end, rest = file.source.text.partition("\n")
    text = f"# {title}{line_end}{rest}" if heading.startswith("# ") else file.source.text
    return {path.with_suffix(RULES_SUFFIX): text.encode()}


def replace_title(game: Game, title: str) -> str:
    """Return the source of a game with a new title in its first line."""
    from cardlang.syntax.parser import iter_tokens

    source = game.sources[0]
    old = next(token for token in iter_tokens(source) if token.type == "STRING")
    start = old.start_pos or 0
    return f'{source.text[:start]}"{title}"{source.text[start + len(old) :]}'


def write_all_files(files: dict[Path, bytes]) -> None:
    """Write all files, or none. Raise `ClickException`."""
    written: list[Path] = []
    try:
        for path, content in files.items():
            write_bytes(path, content)
            written.append(path)
    except click.ClickException:
        for path in written:
            path.unlink(missing_ok=True)
        raise
