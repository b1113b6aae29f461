"""Command `cardlang docs`: rulebooks and player aids.

Results are cached until the game or cardlang changes.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

import interpreter
from cardlang import storage
from cardlang.cli import match_options
from cardlang.cli.file_arguments import (
    list_games_in,
    load_game,
    require_game_file,
    write_bytes,
    write_text,
)
from cardlang.diagnostics import GameError
from cardlang.diagnostics.source_limits import MAX_BYTES
from cardlang.model import Example, Game
from cardlang.storage import GAME_SUFFIX, read_file_start
from cardlang.ui.terminal.escaped_output import write_line, write_lines

if TYPE_CHECKING:
    from cardlang.rulebook.render import ExampleSelection


ExamplePlace = tuple[str, int]


def load_without_failing_examples(name: str, variant: str | None, language: str | None = None) -> Game:
    """Load a game without its failing examples and those of its variants. Print their titles, and warnings about its
    rules file.

    Raise the errors of `load_game`.
    """
    game = load_game(name, variant, language=language)
    print_rulebook_warnings(game)
    failing = find_failing_examples(game)
    if not failing:
        return game
    games = [game, *(each.game for each in game.variants)]
    examples = {get_example_place(each): each.title for one in games for each in one.examples}
    quoted_titles = ", ".join(f"“{title}”" for place, title in examples.items() if place in failing)
    write_line(
        f"The rule sheet of {name} leaves out failing examples: {quoted_titles}. See `cardlang test {name}`.", err=True
    )
    variants = tuple(each.replace(make=partial(remove_failing_examples, each.game, failing)) for each in game.variants)
    return remove_failing_examples(game, failing).replace(variants=variants)


def print_rulebook_warnings(game: Game) -> None:
    """Print the warnings about a game's rules file, a line each, up to a maximum."""
    from cardlang.cli.error_reports import print_diagnostics
    from cardlang.rulebook.authored_rulebook.rulebook_warnings import check_rules_file

    findings = check_rules_file(game)
    print_diagnostics(findings[:MAX_WARNINGS], "concise")
    more = len(findings) - MAX_WARNINGS
    if more > 0:
        write_line(f"and {more} more. See `cardlang check {game.sources[0].name}`.", err=True)


def remove_failing_examples(game: Game, failing: frozenset[ExamplePlace]) -> Game:
    """Return a game without the examples at the places in `failing`."""
    return game.replace(
        examples=tuple(example for example in game.examples if get_example_place(example) not in failing)
    )


def get_example_place(example: Example) -> ExamplePlace:
    return example.origin.span.source.name, example.origin.span.start


def find_failing_examples(game: Game) -> frozenset[ExamplePlace]:
    """Return the places of failing examples in the game and its variants."""
    texts = (text for source in game.sources for text in (source.name, source.text))
    key = ("examples", storage.list_code_files(interpreter.__path__[0]), game.variant or "", *texts)
    places = parse_cached_places(storage.read_cache_entry(*key))
    if places is None:
        from interpreter.match.example_runner import run_example

        games = [game, *((each.game for each in game.variants) if game.variant is None else ())]
        tried = [(one.untranslated, example) for one in games for example in one.examples]
        places = frozenset(get_example_place(example) for one, example in tried if not run_example(one, example).passed)
        storage.write_cache_entry([[*each] for each in sorted(places)], *key)
    return places


def parse_cached_places(known: object) -> frozenset[ExamplePlace] | None:
    """Return the places in a cached value, or None if its format is wrong."""
    if not isinstance(known, list) or not all(isinstance(entry, list) for entry in known):
        return None
    if not all([type(part) for part in entry] == [str, int] for entry in known):
        return None
    return frozenset((name, start) for name, start in known)


FORMATS = {"md": ("md",), "html": ("html",), "pdf": ("pdf",), "all": ("md", "html", "pdf")}
NAME_SUFFIXES = ("", "-aid")
"""Suffixes of a game's name in file names: none for the rulebook, `-aid` for the player aid."""
MAX_WARNINGS = 10
"""Maximum number of warnings about a rules file to print."""
POLL_SECONDS = 0.4
"""Seconds between two checks of watched files."""
USE_PATTERN = re.compile(r"^use ([\w-]+)", re.MULTILINE)
SPREADSHEET_PATTERN = re.compile(r'^ *cards .* from "([^"/\\]+)"', re.MULTILINE)


@click.command(
    epilog=match_options.format_examples(
        "docs hearts", "docs my_game --format pdf", "docs games -o rulebooks --format all"
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
@match_options.variant_option
@match_options.language_option
@click.option(
    "--examples", type=click.Choice(["few", "all", "none"]), default="few", show_default=True,
    help="Examples to print: one for each rule, all, or none.",
)  # fmt: skip
@click.option("--draft", is_flag=True, help="Write the generated rulebook as NAME.rules.md, for you to edit.")
@click.option("--pitch", is_flag=True, help="Write a page that presents the game, as NAME-pitch.pdf.")
@match_options.force_option
@click.option("--watch", is_flag=True, help="Write again whenever a file changes, until Ctrl-C.")
@click.pass_context
def write_rulebooks(
    ctx: click.Context, files: tuple[str, ...], output: Path | None, style: str, paper: str, variant: str | None,
    language: str | None, examples: ExampleSelection, draft: bool, pitch: bool, force: bool, watch: bool,
) -> None:  # fmt: skip
    """Write the rulebook and a player aid.

    Prints a single FILE as Markdown. With --output, another --format, a folder or several files, writes NAME.md and
    NAME-aid.md to the output folder or next to each game. With --draft, writes an editable rulebook instead, next to
    the game, and never replaces one. With --pitch, writes one page with the idea, facts, cards and table."""
    names = deduplicate_games([name for each in files for name in list_games_in(each)], output)
    if draft:
        for name in names:
            write_draft(name, output)
        return
    screen = not pitch and style == "md" and output is None and len(files) == 1 and not Path(files[0]).is_dir()
    if screen and not watch:
        from cardlang.rulebook.render import build_rulebook, render_rulebook

        game = load_without_failing_examples(names[0], variant, language)
        return write_lines(render_rulebook(build_rulebook(game, examples=examples), "md").decode().rstrip("\n"))

    def write_game_documents(name: str) -> None:
        if pitch:
            write_pitch(name, output, paper, variant, language, force)
        else:
            write_rulebook_files(name, output, FORMATS[style], paper, variant, language, examples, force)

    failed = write_all_rulebooks(names, write_game_documents)
    if watch:
        watch_files(names, write_game_documents)
    if failed:
        ctx.exit(1)


def write_draft(name: str, output: Path | None) -> None:
    """Write the generated rulebook of a game as a rules file. Raise `UsageError` if there is one already."""
    from cardlang.cli.commands.review import remember_rules
    from cardlang.rulebook.authored_rulebook.assembly import open_rules_file
    from cardlang.rulebook.authored_rulebook.generated_draft import build_draft
    from cardlang.rulebook.render import build_generated_rulebook

    path = (output or find_output_folder(name)) / f"{require_game_file(name).stem}{storage.RULES_SUFFIX}"
    if path.exists():
        raise click.UsageError(f"{path} already exists. Nothing was written.")
    game = load_without_failing_examples(name, None)
    write_text(path, build_draft(game, build_generated_rulebook(game)))
    reader = open_rules_file(game)
    if reader is not None:
        remember_rules(reader)
    write_line(f"Wrote {path}. Edit it, then run `cardlang docs {name}`.", err=True)


def write_pitch(
    name: str, output: Path | None, paper: str, variant: str | None, language: str | None, force: bool
) -> None:
    """Write the page that presents a game."""
    from cardlang.print_and_play.pitch_page import render_pitch

    target = (output or find_output_folder(name)) / f"{require_game_file(name).stem}-pitch.pdf"
    write_bytes(target, render_pitch(load_without_failing_examples(name, variant, language), paper), "pdf", force)
    write_line(f"{target}", err=True)


def deduplicate_games(names: Iterable[str], output: Path | None) -> list[str]:
    """Return each game once. Raise `UsageError` if the rulebooks of two games would be the same file."""
    games = {require_game_file(name).resolve(): name for name in names}
    taken: dict[tuple[Path, str], str] = {}
    for path, name in games.items():
        for ending in NAME_SUFFIXES:
            folder = (output or find_output_folder(name)).resolve()
            other = taken.setdefault((folder, f"{path.stem}{ending}".casefold()), name)
            if other != name:
                raise click.UsageError(
                    f"{other} and {name} would both be written to {(output or folder) / (path.stem + ending)}: "
                    "use different folders."
                )
    return list(games.values())


def find_output_folder(name: str) -> Path:
    """Return the folder of a game file, or the working folder for a bundled game."""
    return Path(name).parent


def write_rulebook_files(
    name: str,
    output: Path | None,
    styles: Sequence[str],
    paper: str,
    variant: str | None,
    language: str | None,
    examples: ExampleSelection,
    force: bool,
) -> None:
    """Write the rulebook and player aid of a game in each format, and print their paths.

    Raise `GameError` if the game has errors, and `ClickException` if a file cannot be written.
    """
    from cardlang.cli.missing_font_characters import warn_missing_characters
    from cardlang.rulebook.render import build_player_aid, build_rulebook, render_rulebook

    game = load_without_failing_examples(name, variant, language)
    date = read_change_date(name)
    sheet, aid = build_rulebook(game, date, examples), build_player_aid(game, date)
    path = require_game_file(name)
    for style in styles:
        for part, ending in zip((sheet, aid), NAME_SUFFIXES, strict=True):
            target = (output or find_output_folder(name)) / f"{path.stem}{ending}.{style}"
            write_bytes(target, render_rulebook(part, style, paper), style, force)
            write_line(f"{target}", err=True)
    if "pdf" in styles:
        warn_missing_characters(game, sheet, aid)


def read_change_date(name: str) -> str:
    """Return the date on which a game was last changed.

    The environment variable SOURCE_DATE_EPOCH overrides it, for byte-identical rebuilds.
    """
    stamp = os.environ.get("SOURCE_DATE_EPOCH", "")
    moment = int(stamp) if stamp.isdecimal() else require_game_file(name).stat().st_mtime
    return datetime.fromtimestamp(moment, UTC).date().isoformat()


def write_all_rulebooks(names: Iterable[str], write: Callable[[str], None]) -> bool:
    """Write the rulebooks of all games and return whether one has errors.

    Print the findings of games with errors, and continue with the next game.
    """
    from cardlang.cli.error_reports import print_diagnostics

    failed = False
    for name in names:
        try:
            write(name)
        except GameError as error:
            print_diagnostics(error.diagnostics)
            failed = True
    return failed


def watch_files(names: list[str], write: Callable[[str], None]) -> None:
    """Write the rulebook of a game again when its file or a companion next to it changes, until Ctrl-C."""
    write_line("Watching for changes. Press Ctrl-C to stop.", err=True)
    for name in poll_changed_games(names):
        try:
            write_all_rulebooks([name], write)
        except click.ClickException as error:  # a file is missing for a moment, or open elsewhere
            error.show()


def poll_changed_games(names: list[str]) -> Iterator[str]:
    """Yield the name of each game that changes, by polling."""
    seen = {name: read_file_stamps(name) for name in names}
    while True:
        time.sleep(POLL_SECONDS)
        for name in names:
            now = read_file_stamps(name)
            if now is not None and now != seen[name]:
                seen[name] = now
                yield name


def read_file_stamps(name: str) -> tuple[tuple[int, int], ...] | None:
    """Return the time and size of a game and its companions next to it, or None while the game is missing."""
    try:
        stats = [path.stat() for path in find_game_and_companions(Path(require_game_file(name)))]
    except (OSError, click.UsageError):
        return None
    return tuple((stat.st_mtime_ns, stat.st_size) for stat in stats)


def find_game_and_companions(game: Path) -> list[Path]:
    """Return a game file and the libraries and spreadsheets next to it that it uses, directly or through libraries.

    Raise `OSError` if a file cannot be read.
    """
    found = [game]
    for path in found:
        text = read_file_start(path, MAX_BYTES).decode(errors="replace")
        names = [*(name + GAME_SUFFIX for name in USE_PATTERN.findall(text)), *SPREADSHEET_PATTERN.findall(text)]
        companions = (game.with_name(name) for name in dict.fromkeys(names))
        found += [companion for companion in companions if companion not in found and companion.is_file()]
    return found
