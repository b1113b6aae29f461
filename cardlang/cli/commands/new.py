"""Command `cardlang new`: a new game from a template or a copy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

import cardlang
from cardlang import loader
from cardlang.cli import match_options
from cardlang.cli.file_arguments import GAME_SUFFIX, format_os_error, load_game, require_game_file, write_text
from cardlang.ui.terminal.escaped_output import write_line

if TYPE_CHECKING:
    from cardlang.model import Game


@click.command(epilog=match_options.format_examples("new my_game", "new my_poker --from texas_holdem"))
@click.argument("name")
@click.option("--from", "origin", metavar="GAME", help="Game to copy: a file or a bundled game.")
def command(name: str, origin: str | None) -> None:
    """Start a game from a template or a copy.

    Writes NAME.cardgame, a small complete game with an example. With --from, copies that game and its own
    libraries instead. Never replaces a file."""
    path = Path(name if name.endswith(GAME_SUFFIX) else name + GAME_SUFFIX)
    title = path.stem.replace("_", " ").replace("-", " ").strip().title().replace('"', "").replace("\\", "")
    if not any(character.isalnum() for character in title) or not title.isprintable():
        raise click.UsageError("Name the new game, as in: cardlang new my_game")
    if path.exists():
        raise click.UsageError(f"{path} already exists. Nothing was written.")
    if origin is None:
        files = {path: TEMPLATE.replace("TITLE", title)}
    else:
        game = load_game_to_copy(origin)
        files = {**collect_libraries(game, path.parent), path: replace_title(game, title)}
    write_all_files(files)
    for written in files:
        write_line(f"Wrote {written}.{' Try:' if written == path else ''}", err=True)
    for words in ("check", "test", "play"):
        write_line(f"  cardlang {words} {quote_path(path)}", err=True)


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


def collect_libraries(game: Game, folder: Path) -> dict[Path, str]:
    """Return the libraries that the game needs in another folder.

    Raise a usage error if the folder has a different library of that name.
    """
    from cardlang.diagnostics.source_limits import read_source

    library_texts = {}
    shipped = loader.LibraryFinder(None, {})
    for library in game.sources[1:]:
        path = folder / library.name
        if not path.exists():
            shipped_library = shipped.read_library(path.stem)
            if shipped_library is None or shipped_library.text != library.text:
                library_texts[path] = library.text
            continue
        try:
            same = read_source(path).text == library.text
        except OSError as error:
            raise click.ClickException(f"{path} cannot be read: {format_os_error(error)}") from error
        if not same:
            message = f"{path} is not the library that {game.title} uses. Nothing was written. Choose another folder."
            raise click.UsageError(message)
    return library_texts


def replace_title(game: Game, title: str) -> str:
    """Return the source of a game with a new title in its first line."""
    from cardlang.syntax.parser import iter_tokens

    source = game.sources[0]
    old = next(token for token in iter_tokens(source) if token.type == "STRING")
    start = old.start_pos or 0
    return f'{source.text[:start]}"{title}"{source.text[start + len(old) :]}'


def write_all_files(files: dict[Path, str]) -> None:
    """Write all files, or none. Raise `ClickException`."""
    written: list[Path] = []
    try:
        for path, text in files.items():
            write_text(path, text)
            written.append(path)
    except click.ClickException:
        for path in written:
            path.unlink(missing_ok=True)
        raise


def quote_path(path: Path) -> str:
    """Quote a path for a shell if it has spaces."""
    return f'"{path}"' if " " in str(path) else str(path)


TEMPLATE = """game "TITLE" for 2 to 4 players
"Each player plays a card. The highest card takes the trick. Most tricks win."

# The cards. Codes in brackets make the names of cards: 7S is the 7 of Suns.
kind Suit: Suns (S), Moons (M)
ordered kind Value: 1 to 9

cards Pack in deck
  1 of each Value, Suit

# The places for cards, and who sees them. Without "seen by", every player does.
zone deck seen by nobody
zone table
zone discards called "discard pile"
zone your hand seen by owner

number your score called "trick" plural "tricks"
player leader starts at random of players

define lead-suit as first of table's suit
define your playable called "playable cards" as first possible of
  hand where suit = lead-suit "Follow suit if you can."
  hand "Otherwise play any card."

order strength of card
  those where suit = lead-suit
  higher value

step setup
  shuffle deck
  each player
    deal top 4 of deck to your hand

step play
  repeat until leader's hand is empty
    do trick

step trick
  each player from leader
    you play 1 from your playable to table
  set leader to (highest of table by strength)'s owner
  add 1 to leader's score
  remove table to discards

# An example is a test: `cardlang test` plays it. The rulebook prints one for each rule.
example "The highest card of the suit led takes the trick" with Ann, Bob
  given
    leader Ann
    Ann: hand [5S]
    Bob: hand [8S 9M]
  do trick
  expect Bob may play [8S]
  expect Bob may not play [9M] because "Follow suit if you can."
  Bob: play [8S]
  expect leader = Bob and Bob's score = 1
"""
