"""`cardlang serve`: play in browsers, with friends."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

import cardlang
from cardlang import disk
from cardlang.commands import options
from cardlang.commands.files import find_game, games_here, games_in, reason
from cardlang.terminal.telling import tell

if TYPE_CHECKING:
    from cardlang.web.server_lock import ServerLock
    from cardlang.web.store import Store

STATE = ("XDG_STATE_HOME", ".local", "state")
OTHER = "Name another file with --data."
ANEW = "Restore a backup. To start again, move it away or name another file with --data."


@click.command(epilog=options.examples("serve", "serve my_game --host 0.0.0.0", "serve --records matches"))
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
@click.option(
    "--records", metavar="FOLDER", type=click.Path(path_type=Path), help="Folder to export all records to; then exit."
)
def command(
    files: tuple[str, ...], port: int, host: str, url: str | None, data: Path | None, records: Path | None
) -> None:
    """Let people play in their browsers.

    Prints a link for you; from there you start games and invite friends. Only this machine can connect unless
    you add --host. Without FILE, you can choose from the games in this folder and all bundled games."""
    from cardlang.web.serving import serve
    from cardlang.web.shelf import Shelf

    named = [find_game(name) for each in files for name in games_in(each)]
    shelf = Shelf.of(named or [*(path.absolute() for path in games_here()), *cardlang.shipped().values()])
    path = data or usual_place()
    if records is not None:
        with closing(open_store(path)) as store:
            write_records(store, records)
        return
    with closing(lock_file(path)) as lock, closing(open_store(path)) as store:
        try:
            serve(shelf, store, host, port, url, tell, lock.name)
        except OSError as error:
            raise click.ClickException(f"{host}:{port} cannot be used: {reason(error)}") from error


def write_records(store: Store, folder: Path) -> None:
    """Write a record of each match, for `cardlang replay` and `play --resume`.

    Records contain all hidden cards. Raise `ClickException` if a file cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for number in store.matches():
            path = folder / f"match-{number}.jsonl"
            disk.replace(path, b"".join(line.line for line in store.lines(number)), disk.PRIVATE)
            tell(f"{path}", err=True)
    except OSError as error:
        raise click.ClickException(f"{folder} cannot be written: {reason(error)}") from error


def usual_place() -> Path:
    """Return the default data file, in the state folder of the user.

    Environment variables count only if they are absolute paths. Raise `ClickException` if the user has no home folder.
    """
    variable, *below = ("LOCALAPPDATA", "AppData", "Local") if sys.platform == "win32" else STATE
    named = os.environ.get(variable, "")
    try:
        base = Path(named) if os.path.isabs(named) else Path.home().joinpath(*below)
    except RuntimeError as error:
        raise click.ClickException("You have no home folder. Name a data file with --data.") from error
    return base / "cardlang" / "tables.db"


def lock_file(path: Path) -> ServerLock:
    """Reserve a file for this server. Raise a ClickException if another server uses it."""
    from cardlang.web.server_lock import ServerLock

    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        return ServerLock(path)
    except OSError as error:
        raise click.ClickException(f"{path} cannot be used: {reason(error)} {OTHER}") from error


def open_store(path: Path) -> Store:
    """Open the data file. Raise `ClickException` if it cannot be opened, has another format, or is damaged."""
    import sqlite3

    from cardlang.web.store import Store

    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if path.exists():
            disk.a_file(path)
        store = Store(path)
        store.examine()
        return store
    except OSError as error:
        raise click.ClickException(f"{path} cannot be used: {reason(error)} {OTHER}") from error
    except sqlite3.OperationalError as error:
        raise click.ClickException(f"{path} cannot be used: {error}. {OTHER}") from error
    except (sqlite3.Error, ValueError) as error:
        raise click.ClickException(f"{path} is damaged, or is not a cardlang file: {error}. {ANEW}") from error
