"""Command `cardlang serve`: the web server."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

import cardlang
from cardlang import storage
from cardlang.cli import match_options
from cardlang.cli.file_arguments import list_games_here, list_games_in, report_os_error, require_game_file
from cardlang.ui.terminal.escaped_output import write_line

if TYPE_CHECKING:
    from cardlang.ui.web.database import Store
    from cardlang.ui.web.database_lock import DatabaseLock


STATE_FOLDER = ("XDG_STATE_HOME", ".local", "state")
OTHER_FILE_HINT = "Name another file with --data."
SECOND_SERVER_HINT = "Stop that server, or give this one its own file and port: --data FILE --port NUMBER."
RESTORE_HINT = "Restore a backup. To start again, move it away or name another file with --data."


@click.command(epilog=match_options.format_examples("serve", "serve my_game --host 0.0.0.0", "serve --records matches"))
@click.argument("files", nargs=-1, metavar="[FILE|FOLDER]...")
@click.option(
    "--port",
    default=8000,
    show_default=True,
    type=click.IntRange(0, 65535),
    metavar="N",
    help="Port to listen on; 0 picks a free one.",
)
@click.option("--host", metavar="ADDRESS", default="127.0.0.1", show_default=True, help="Network address to listen on.")
@click.option("--url", metavar="URL", help="Public address, if the server runs behind a proxy.")
@click.option("--data", type=click.Path(path_type=Path, dir_okay=False), help="File to store tables and matches in.")
@click.option("--seed", type=match_options.parse_seed, metavar="N",
              help="Random seed of the first match; each later match adds 1.")  # fmt: skip
@click.option(
    "--records", metavar="FOLDER", type=click.Path(path_type=Path), help="Folder to export all records to; then exit."
)
@match_options.language_option
def serve_tables(
    files: tuple[str, ...], port: int, host: str, url: str | None, data: Path | None, seed: int | None,
    records: Path | None, language: str | None,
) -> None:  # fmt: skip
    """Let people play in their browsers.

    Prints a link for you; from there you start games and invite friends. Only this machine can connect unless
    you add --host. Without FILE, you can choose from the games in this folder and all bundled games."""
    from cardlang.ui.web.game_catalog import GameCatalog
    from cardlang.ui.web.server import run_server

    named = [require_game_file(name) for file in files for name in list_games_in(file)]
    shelf = GameCatalog.from_paths(
        named or [*(path.absolute() for path in list_games_here()), *cardlang.shipped().values()], language
    )
    path = data or find_default_data_file()
    if records is not None:
        with closing(open_store(path)) as store:
            write_records(store, records)
        return
    problem = report_os_error(f"{host}:{port} cannot be used")
    with closing(lock_data_file(path)) as lock, closing(open_store(path)) as store, problem:
        run_server(shelf, store, host, port, url, write_line, lock.write_owner, seed)


def write_records(store: Store, folder: Path) -> None:
    """Write a record of each match, for `cardlang replay` and `play --resume`.

    Records contain all hidden cards. Raise `ClickException` if a file cannot be written.
    """
    with report_os_error(f"{folder} cannot be written"):
        folder.mkdir(parents=True, exist_ok=True)
        for number in store.list_matches():
            path, record = folder / f"match-{number}.jsonl", b"".join(line.line for line in store.read_lines(number))
            storage.replace_file(path, record, storage.PRIVATE_FILE_MODE)
            write_line(f"{path}", err=True)


def find_default_data_file() -> Path:
    """Return the default data file, in the state folder of the user.

    Environment variables count only if they are absolute paths. Raise `ClickException` if the user has no home folder.
    """
    variable, *below = ("LOCALAPPDATA", "AppData", "Local") if sys.platform == "win32" else STATE_FOLDER
    named = os.environ.get(variable, "")
    try:
        base = Path(named) if os.path.isabs(named) else Path.home().joinpath(*below)
    except RuntimeError as error:
        raise click.ClickException("You have no home folder. Name a data file with --data.") from error
    return base / "cardlang" / "tables.db"


def lock_data_file(path: Path) -> DatabaseLock:
    """Reserve a file for this server. Raise a ClickException if another server uses it."""
    from cardlang.ui.web.database_lock import DatabaseLock, FileInUseError

    with report_os_error(f"{path} cannot be used", OTHER_FILE_HINT):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            return DatabaseLock(path)
        except FileInUseError as error:
            raise click.ClickException(f"{path} cannot be used: {error}. {SECOND_SERVER_HINT}") from error


def open_store(path: Path) -> Store:
    """Open the data file. Raise `ClickException` if it cannot be opened, has another format, or is damaged."""
    import sqlite3

    from cardlang.ui.web.database import Store

    try:
        with report_os_error(f"{path} cannot be used", OTHER_FILE_HINT):
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            if path.exists():
                storage.require_regular_file(path)
            store = Store(path)
            store.check_integrity()
            return store
    except sqlite3.OperationalError as error:
        raise click.ClickException(f"{path} cannot be used: {error}. {OTHER_FILE_HINT}") from error
    except (sqlite3.Error, ValueError) as error:
        raise click.ClickException(f"{path} is damaged, or is not a cardlang file: {error}. {RESTORE_HINT}") from error
