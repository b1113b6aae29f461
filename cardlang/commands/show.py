"""`cardlang show`: print a game or library at each stage of the compiler."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import attrs
import click

from cardlang.commands import options
from cardlang.commands.files import find_source, load_game, reason
from cardlang.plain_text import visible
from cardlang.source import GameError, Source, Span
from cardlang.terminal.telling import tell, tell_lines

if TYPE_CHECKING:
    from interpreter.program import Program

WIDTH = 100
"""Maximum width of the comments above a source."""


@click.command(
    epilog=options.examples(
        "show betting",
        "show hearts --stage tree",
        "show hearts --stage program --players 4 --json",
    )
)
@click.argument("file")
@click.option(
    "--stage", type=click.Choice(["source", "tokens", "tree", "game", "program"]), default="source",
    show_default=True, help="Stage to print.",
)  # fmt: skip
@click.option("--players", type=int, metavar="N", help="Player count to compile the program for.")
@options.variant
@click.option("--json", "as_json", is_flag=True, help="Print JSON (stages game and program).")
def command(file: str, stage: str, players: int | None, variant: str | None, as_json: bool) -> None:
    """Print a game or library at any stage.

    The stages are the source text, its tokens, the syntax tree, the checked game, and the program that plays it.
    FILE can also be a bundled library, such as betting."""
    if as_json:
        tell(in_json(file, stage, variant, players))
        return
    stages: dict[str, Callable[[], str]] = {
        "source": lambda: show_source(read_source(file)),
        "tokens": lambda: show_tokens(read_source(file)),
        "tree": lambda: show_tree(read_source(file)),
        "game": lambda: show_game(file, variant),
        "program": lambda: show_program(file, variant, players),
    }
    tell_lines(stages[stage]())


def read_source(name: str) -> Source:
    """Read the source of a game or library."""
    from cardlang.limits import read_source

    path = find_source(name)
    try:
        return read_source(path, str(path))
    except OSError as error:
        raise click.ClickException(f"{path} cannot be read: {reason(error)}") from error


def show_source(source: Source) -> str:
    """Return the source of a file after comments that list its requirements and definitions.

    Raise `GameError` if the file has syntax errors.
    """
    from cardlang.reading.outline import outline
    from cardlang.reading.parser import parse_file

    file, findings = parse_file(source)
    if findings:
        raise GameError(findings)
    found, name = outline(file), visible(Path(source.name).stem)
    lines = (
        [f"# {name}: a library, which a game takes in with `use {name}`"] if found.library else [f"# {name}: a game"]
    )
    rows = {
        "uses": found.uses,
        "needs": found.needs,
        "things": found.things,
        "steps": found.steps,
        "definitions, empty steps": found.open,
        "variants": found.variants,
    }
    told = [f"{title}: {', '.join(names)}" for title, names in rows.items() if names]
    for row in told:
        lines += wrap(row, WIDTH, initial_indent="# ", subsequent_indent="#   ", break_on_hyphens=False)
    return "\n".join([*lines, "", source.text.rstrip("\n")])


def show_tokens(source: Source) -> str:
    from cardlang.reading.parser import tokens

    lines = []
    for token in tokens(source):
        line, column = source.place(token.start_pos or 0)
        lines.append(f"{line}:{column}\t{token.type}\t{str(token)!r}")
    return "\n".join(lines)


def show_tree(source: Source) -> str:
    from cardlang.reading.parser import parse_file

    file, findings = parse_file(source)
    if findings:
        raise GameError(findings)
    return outline(file)


def show_game(name: str, variant: str | None) -> str:
    game = load_game(name, variant)
    hidden = {"sources", "warnings"}
    parts = [f"{f.name}:{outline(getattr(game, f.name), 1)}" for f in attrs.fields(type(game)) if f.name not in hidden]
    return "\n".join(parts)


def in_json(name: str, stage: str, variant: str | None, players: int | None) -> str:
    """Return a stage as JSON. Raise `UsageError` for a stage without a JSON format."""
    from interpreter.program_json import as_json

    if stage == "game":
        return load_game(name, variant).json().decode()
    if stage == "program":
        return as_json(compiled(name, variant, players)).decode()
    raise click.UsageError("Only two stages are printed as JSON: --stage game and --stage program.")


def show_program(name: str, variant: str | None, players: int | None) -> str:
    from interpreter.listing import listing

    return listing(compiled(name, variant, players))


def compiled(name: str, variant: str | None, players: int | None) -> Program:
    """Compile the program of a game, by default for its smallest player count."""
    from cardlang.commands.seats import checked_count, fewest
    from interpreter.compiler import compile_game

    game = load_game(name, variant)
    return compile_game(game, fewest(game) if players is None else checked_count(game, players))


def outline(value: Any, depth: int = 0) -> str:
    """Format a value as an indented outline of classes and fields, without source spans."""
    indent = "\n" + "  " * depth
    if attrs.has(type(value)) and not isinstance(value, Span):
        shown = [f for f in attrs.fields(type(value)) if f.repr and f.name != "span"]
        fields = "".join(f"{indent}  {f.name}:{outline(getattr(value, f.name), depth + 2)}" for f in shown)
        return (indent if depth else "") + type(value).__name__ + fields
    if isinstance(value, dict) and value:
        return "".join(f"{indent}{key}:{outline(each, depth + 1)}" for key, each in value.items())
    if isinstance(value, (tuple, list)) and value:
        return "".join(f"{indent}-{outline(each, depth + 1)}" for each in value)
    return f" {value!r}"
