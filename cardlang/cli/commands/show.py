"""Command `cardlang show`: a game at each stage of compilation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import attrs
import click

from cardlang.cli import match_options
from cardlang.cli.file_arguments import find_source_file, load_game, report_os_error
from cardlang.diagnostics import GameError, Source, Span
from cardlang.english.control_characters import escape_invisible_characters
from cardlang.ui.terminal.escaped_output import write_line, write_lines

if TYPE_CHECKING:
    from interpreter.program.program import Program


COMMENT_WIDTH = 100
"""Maximum width of the comments above a source."""


@click.command(
    epilog=match_options.format_examples(
        "show betting", "show hearts --stage tree", "show hearts --stage program --players 4 --json"
    )
)
@click.argument("file")
@click.option(
    "--stage", type=click.Choice(["source", "tokens", "tree", "game", "program"]), default="source",
    show_default=True, help="Stage to print.",
)  # fmt: skip
@click.option("--players", type=int, metavar="N", help="Player count to compile the program for.")
@match_options.variant_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON (stages game and program).")
def print_compilation_stage(file: str, stage: str, players: int | None, variant: str | None, as_json: bool) -> None:
    """Print a game or library at any stage.

    The stages are the source text, its tokens, the syntax tree, the checked game, and the program that plays it.
    FILE can also be a bundled library, such as betting."""
    if as_json:
        write_line(build_stage_json(file, stage, variant, players))
        return
    stages: dict[str, Callable[[], str]] = {
        "source": lambda: format_source(read_named_source(file)),
        "tokens": lambda: format_tokens(read_named_source(file)),
        "tree": lambda: format_tree(read_named_source(file)),
        "game": lambda: format_game(file, variant),
        "program": lambda: format_program(file, variant, players),
    }
    write_lines(stages[stage]())


def read_named_source(name: str) -> Source:
    """Read the source of a game or library."""
    from cardlang.diagnostics.source_limits import read_source

    path = find_source_file(name)
    with report_os_error(f"{path} cannot be read"):
        return read_source(path, str(path))


def format_source(source: Source) -> str:
    """Return the source of a file after comments that list its requirements and definitions.

    Raise `GameError` if the file has syntax errors.
    """
    from cardlang.syntax.ast.traversal import summarise_file
    from cardlang.syntax.parser import parse_file

    file, findings = parse_file(source)
    if findings:
        raise GameError(findings)
    summary, name = summarise_file(file), escape_invisible_characters(Path(source.name).stem)
    lines = (
        [f"# {name}: a library, which a game takes in with `use {name}`"]
        if summary.is_library
        else [f"# {name}: a game"]
    )
    rows = {
        "uses": summary.uses,
        "needs": summary.needs,
        "things": summary.components,
        "steps": summary.steps,
        "definitions, empty steps": summary.overridable,
        "variants": summary.variants,
    }
    summary_rows = [f"{title}: {', '.join(names)}" for title, names in rows.items() if names]
    for row in summary_rows:
        lines += wrap(row, COMMENT_WIDTH, initial_indent="# ", subsequent_indent="#   ", break_on_hyphens=False)
    return "\n".join([*lines, "", source.text.rstrip("\n")])


def format_tokens(source: Source) -> str:
    from cardlang.syntax.parser import iter_tokens

    lines = []
    for token in iter_tokens(source):
        line, column = source.find_line_and_column(token.start_pos or 0)
        lines.append(f"{line}:{column}\t{token.type}\t{str(token)!r}")
    return "\n".join(lines)


def format_tree(source: Source) -> str:
    from cardlang.syntax.parser import parse_file

    file, findings = parse_file(source)
    if findings:
        raise GameError(findings)
    return format_outline(file)


def format_game(name: str, variant: str | None) -> str:
    game = load_game(name, variant)
    hidden = {"sources", "warnings"}
    parts = [
        f"{f.name}:{format_outline(getattr(game, f.name), 1)}" for f in attrs.fields(type(game)) if f.name not in hidden
    ]
    return "\n".join(parts)


def build_stage_json(name: str, stage: str, variant: str | None, players: int | None) -> str:
    """Return a stage as JSON. Raise `UsageError` for a stage without a JSON format."""
    from interpreter.program.program_export import program_to_json

    if stage == "game":
        return load_game(name, variant).json().decode()
    if stage == "program":
        return program_to_json(compile_program(name, variant, players)).decode()
    raise click.UsageError("Only two stages are printed as JSON: --stage game and --stage program.")


def format_program(name: str, variant: str | None, players: int | None) -> str:
    from interpreter.program.program_export import format_program_listing

    return format_program_listing(compile_program(name, variant, players))


def compile_program(name: str, variant: str | None, players: int | None) -> Program:
    """Compile the program of a game, by default for its smallest player count."""
    from cardlang.cli.match_options import check_player_count
    from interpreter.program.program import compile_game

    game = load_game(name, variant)
    smallest = min((count for count in game.seats if count > 1), default=1)
    return compile_game(game, smallest if players is None else check_player_count(game, players))


def format_outline(value: Any, depth: int = 0) -> str:
    """Format a value as an indented outline of classes and fields, without source spans."""
    indent = "\n" + "  " * depth
    if attrs.has(type(value)) and not isinstance(value, Span):
        shown = [f for f in attrs.fields(type(value)) if f.repr and f.name != "span"]
        fields = "".join(f"{indent}  {f.name}:{format_outline(getattr(value, f.name), depth + 2)}" for f in shown)
        return (indent if depth else "") + type(value).__name__ + fields
    if isinstance(value, dict) and value:
        return "".join(f"{indent}{key}:{format_outline(part, depth + 1)}" for key, part in value.items())
    if isinstance(value, (tuple, list)) and value:
        return "".join(f"{indent}-{format_outline(part, depth + 1)}" for part in value)
    return f" {value!r}"
