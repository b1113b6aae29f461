"""`cardlang docs`: write rulebooks and player aids."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardlang.commands import options
from cardlang.commands.files import SUFFIX, find_game, games_in, write_bytes
from cardlang.commands.holding import with_holding_examples
from cardlang.disk import read_start
from cardlang.limits import MAX_BYTES
from cardlang.source import GameError
from cardlang.terminal.telling import tell, tell_lines

if TYPE_CHECKING:
    from cardlang.rulesheet import Shown

FORMATS = {"md": ("md",), "html": ("html",), "pdf": ("pdf",), "all": ("md", "html", "pdf")}
ENDINGS = ("", "-aid")
"""Suffixes of a game's name in file names: none for the rulebook, `-aid` for the player aid."""
PAUSE = 0.4
"""Seconds between two checks of watched files."""
USE = re.compile(r"^use ([\w-]+)", re.MULTILINE)


@click.command(
    epilog=options.examples(
        "docs hearts",
        "docs my_game --format pdf",
        "docs games -o rulebooks --format all",
    )
)
@click.argument("files", nargs=-1, required=True, metavar="FILE|FOLDER...")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FOLDER", help="Folder to write to.")
@click.option(
    "--format", "style", type=click.Choice(list(FORMATS)), default="md", show_default=True, help="Output format."
)
@click.option(
    "--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="Paper size of HTML and PDF."
)
@options.variant
@click.option(
    "--examples", type=click.Choice(["few", "all", "none"]), default="few", show_default=True,
    help="Examples to print: one for each rule, all, or none.",
)  # fmt: skip
@options.force
@click.option("--watch", is_flag=True, help="Write again whenever a file changes, until Ctrl-C.")
@click.pass_context
def command(
    ctx: click.Context,
    files: tuple[str, ...],
    output: Path | None,
    style: str,
    paper: str,
    variant: str | None,
    examples: Shown,
    force: bool,
    watch: bool,
) -> None:
    """Write the rulebook and a player aid.

    Prints a single FILE as Markdown. With --output, another --format, a folder or several files, writes NAME.md and
    NAME-aid.md to the output folder or next to each game."""
    names = apart([name for each in files for name in games_in(each)], output)
    screen = style == "md" and output is None and len(files) == 1 and not Path(files[0]).is_dir()
    if screen and not watch:
        from cardlang.rulesheet import build, rendered

        tell_lines(
            rendered(build(with_holding_examples(names[0], variant), examples=examples), "md").decode().rstrip("\n")
        )
        return

    def write(name: str) -> None:
        write_sheets(name, output, FORMATS[style], paper, variant, examples, force)

    failed = attempt(names, write)
    if watch:
        watch_files(names, write)
    if failed:
        ctx.exit(1)


def apart(names: Iterable[str], output: Path | None) -> list[str]:
    """Return each game once. Raise `UsageError` if the rulebooks of two games would be the same file."""
    games = {find_game(name).resolve(): name for name in names}
    taken: dict[tuple[Path, str], str] = {}
    for path, name in games.items():
        for ending in ENDINGS:
            folder = (output or beside(name)).resolve()
            other = taken.setdefault((folder, f"{path.stem}{ending}".casefold()), name)
            if other != name:
                raise click.UsageError(
                    f"{other} and {name} would both be written to {(output or folder) / (path.stem + ending)}: "
                    "use different folders."
                )
    return list(games.values())


def beside(name: str) -> Path:
    """Return the folder of a game file, or the working folder for a bundled game."""
    return Path(name).parent


def write_sheets(
    name: str,
    output: Path | None,
    styles: Sequence[str],
    paper: str,
    variant: str | None,
    examples: Shown,
    force: bool,
) -> None:
    """Write the rulebook and player aid of a game in each format, and print their paths.

    Raise `GameError` if the game has errors, and `ClickException` if a file cannot be written.
    """
    from cardlang.commands.missing_letters import warn_missing
    from cardlang.rulesheet import aid, build, rendered

    game = with_holding_examples(name, variant)
    sheet = build(game, changed(name), examples)
    path = find_game(name)
    for style in styles:
        for part, ending in zip((sheet, aid(sheet)), ENDINGS, strict=True):
            target = (output or beside(name)) / f"{path.stem}{ending}.{style}"
            write_bytes(target, rendered(part, style, paper), style, force)
            tell(f"{target}", err=True)
    if "pdf" in styles:
        warn_missing(game, sheet, aid(sheet))


def changed(name: str) -> str:
    """Return the date on which a game was last changed.

    The environment variable SOURCE_DATE_EPOCH overrides it, for byte-identical rebuilds.
    """
    stamp = os.environ.get("SOURCE_DATE_EPOCH", "")
    moment = int(stamp) if stamp.isdecimal() else find_game(name).stat().st_mtime
    return datetime.fromtimestamp(moment, UTC).date().isoformat()


def attempt(names: Iterable[str], write: Callable[[str], None]) -> bool:
    """Write the rulebooks of all games and return whether one has errors.

    Print the findings of games with errors, and continue with the next game.
    """
    from cardlang.commands.findings import show_findings

    failed = False
    for name in names:
        try:
            write(name)
        except GameError as error:
            show_findings(error.diagnostics)
            failed = True
    return failed


def watch_files(names: list[str], write: Callable[[str], None]) -> None:
    """Write the rulebook of a game again when its file or a library next to it changes, until Ctrl-C."""
    tell("Watching for changes. Press Ctrl-C to stop.", err=True)
    for name in changes(names):
        try:
            attempt([name], write)
        except click.ClickException as error:  # a file is missing for a moment, or open elsewhere
            error.show()


def changes(names: list[str]) -> Iterator[str]:
    """Yield the name of each game that changes, by polling."""
    seen = {name: stamp(name) for name in names}
    while True:
        time.sleep(PAUSE)
        for name in names:
            now = stamp(name)
            if now is not None and now != seen[name]:
                seen[name] = now
                yield name


def stamp(name: str) -> tuple[tuple[int, int], ...] | None:
    """Return the time and size of a game and of its libraries next to it, or None while the game is missing."""
    try:
        found = [path.stat() for path in with_libraries(Path(find_game(name)))]
    except (OSError, click.UsageError):
        return None
    return tuple((each.st_mtime_ns, each.st_size) for each in found)


def with_libraries(game: Path) -> list[Path]:
    """Return a game file and the libraries next to it that it uses, directly or through other libraries.

    Raise `OSError` if a file cannot be read.
    """
    found = [game]
    for path in found:
        text = read_start(path, MAX_BYTES).decode(errors="replace")
        beside = (game.with_name(name + SUFFIX) for name in USE.findall(text))
        found += [library for library in dict.fromkeys(beside) if library not in found and library.is_file()]
    return found
