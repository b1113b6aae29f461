"""Entry point of the command line: lazily loaded commands, and handling of failures."""

from __future__ import annotations

import atexit
import errno
import gc
import os
import sys
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from cardlang.english.control_characters import escape_invisible_characters
from cardlang.ui.terminal.escaped_output import write_line

COMMANDS = {
    "play": "Play a game in the terminal.",
    "serve": "Let people play in their browsers.",
    "check": "Find errors and suspicious rules.",
    "test": "Run the examples of a game.",
    "docs": "Write the rulebook and a player aid.",
    "review": "Compare a rulebook with changed rules.",
    "cards": "Write the cards as pages to print and cut, or as pictures.",
    "icons": "List the icons that themes can use.",
    "texts": "Write the game's text to a table for translation.",
    "odds": "Calculate the exact odds of hands.",
    "solve": "Solve a small two-player game.",
    "simulate": "Let bots play many matches.",
    "compare": "Compare how two games or variants play.",
    "replay": "Step through a recorded match.",
    "diff": "List what has changed between two games.",
    "show": "Print a game or library at any stage.",
    "explain": "Explain an error code, or look up a rule in the cookbook.",
    "new": "Start a game from a template or a copy.",
}
"""Commands with the first sentence of their help, so that the list of commands imports none of them."""


class LazyCommandGroup(click.Group):
    """Command group that imports subcommands on first use, and reports errors of games."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"cardlang.cli.commands.{cmd_name}")
        return next(value for value in vars(module).values() if isinstance(value, click.Command))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        from difflib import get_close_matches

        if args[0] not in COMMANDS and (close := get_close_matches(args[0], COMMANDS, 1)):
            ctx.fail(f"No such command '{args[0]}'. Did you mean {close[0]}?")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        with escape_click_errors():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command. Errors in a game file go to stderr, with exit code 1. Ctrl-C exits with 130."""
        try:
            with escape_click_errors():
                return super().invoke(ctx)
        except KeyboardInterrupt:
            write_line(err=True)
            ctx.exit(130)
        except Exception as error:
            from cardlang.diagnostics import GameError

            if not isinstance(error, GameError):
                raise
            from cardlang.cli.error_reports import print_diagnostics

            print_diagnostics(error.diagnostics)
            ctx.exit(1)


@contextmanager
def escape_click_errors() -> Iterator[None]:
    """Escape invisible characters in error messages about the command line, which quote the user's input."""
    try:
        yield
    except click.ClickException as error:
        vars(error)["message"] = escape_invisible_characters(error.message)
        raise


@click.group(
    cls=LazyCommandGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="\b\nExamples:\n  cardlang new my_game\n  cardlang play my_game\n  cardlang docs my_game --format pdf",
)
@click.version_option(package_name="cardlang", message="%(prog)s %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Play, check, test and print card games written in plain English.

    FILE is a .cardgame file or the name of a bundled game, such as hearts. Without COMMAND, choose a game to play or
    a match to resume. Run cardlang COMMAND --help for the options and examples of a command.
    """
    if ctx.invoked_subcommand is None:
        from cardlang.cli.start_menu import run_start_menu

        run_start_menu()


DISK_FULL_ERRORS = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC), errno.EFBIG)
"""Error numbers for a lack of disk space."""


def replace_closed_streams() -> None:
    """Replace closed standard streams by the null device, so that no file opened later takes their descriptors."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
        reconfigure = getattr(getattr(sys, name), "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def main() -> None:
    """Run the command line.

    Characters that a stream cannot encode are replaced. An internal error is reported briefly, with exit code 1."""
    gc.set_threshold(200_000, 20, 20)  # parsing creates many long-lived objects, so frequent collection wastes time
    atexit.register(gc.freeze)  # and so does a last collection of all objects
    replace_closed_streams()
    try:
        cli(prog_name="cardlang")
    except Exception as fault:
        if isinstance(fault, OSError) and fault.errno in DISK_FULL_ERRORS:
            write_line(f"Error: {fault.strerror or fault}.", err=True)
            sys.exit(1)
        report_internal_error(fault)
        sys.exit(1)


def report_internal_error(fault: Exception) -> None:
    """Print an internal error in one line, its notes, and the file with its traceback."""
    frame = traceback.extract_tb(fault.__traceback__)[-1]
    where = f"{Path(frame.filename).name}:{frame.lineno}"
    write_line(f"This is a bug in cardlang, not your mistake: {type(fault).__name__}: {fault} ({where}).", err=True)
    for note in getattr(fault, "__notes__", ()):
        write_line(note, err=True)
    with (
        suppress(OSError),
        tempfile.NamedTemporaryFile("w", encoding="utf-8", prefix="cardlang-", suffix=".txt", delete=False) as report,
    ):
        report.write("".join(traceback.format_exception(fault)))
        write_line(f"Details for a bug report: {report.name}", err=True)
