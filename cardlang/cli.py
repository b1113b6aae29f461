"""The `cardlang` command. Each subcommand is a module of `cardlang.commands`, imported on first use."""

from __future__ import annotations

import errno
import gc
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from cardlang.commands import options
from cardlang.plain_text import visible
from cardlang.source import GameError
from cardlang.terminal.telling import tell

COMMANDS = (
    "play", "serve", "check", "test", "docs", "words", "cards", "odds", "solve", "simulate", "compare", "replay",
    "diff", "show", "explain", "new",
)  # fmt: skip


class Commands(click.Group):
    """Command group that imports subcommands on first use, and reports errors of games."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"cardlang.commands.{cmd_name}").command
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        with visible_faults():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command. Errors in a game file go to stderr, with exit code 1. Ctrl-C exits with 130."""
        try:
            with visible_faults():
                return super().invoke(ctx)
        except GameError as error:
            from cardlang.commands.findings import show_findings

            show_findings(error.diagnostics)
            ctx.exit(1)
        except KeyboardInterrupt:
            tell(err=True)
            ctx.exit(130)


@contextmanager
def visible_faults() -> Iterator[None]:
    """Escape invisible characters in error messages about the command line, which quote the user's input."""
    try:
        yield
    except click.ClickException as error:
        vars(error)["message"] = visible(error.message)
        raise


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=options.examples("new my_game", "play my_game", "docs my_game --format pdf"),
)
@click.version_option(package_name="cardlang", message="%(prog)s %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Play, check, test and print card games written in plain English.

    FILE is a .cardgame file or the name of a bundled game, such as hearts. Without COMMAND, choose a game to play or
    a match to resume. Run cardlang COMMAND --help for the options and examples of a command.
    """
    if ctx.invoked_subcommand is None:
        from cardlang.commands.home import home

        home()


FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC), errno.EFBIG)
"""Error numbers for a lack of disk space."""


def prepare_streams() -> None:
    """Replace closed standard streams by the null device, so that no file opened later takes their descriptors."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
        reconfigure = getattr(getattr(sys, name), "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def main() -> None:
    """Run the command line.

    Characters that a stream cannot encode are replaced. An internal error is reported in one line, with exit code 1."""
    gc.set_threshold(50_000, 20, 20)  # parsing creates many long-lived objects, so frequent collection wastes time
    prepare_streams()
    try:
        cli(prog_name="cardlang")
    except Exception as fault:
        if isinstance(fault, OSError) and fault.errno in FULL:
            tell(f"Error: {fault.strerror or fault}.", err=True)
            sys.exit(1)
        place = traceback.extract_tb(fault.__traceback__)[-1]
        where = f"{Path(place.filename).name}:{place.lineno}"
        tell(f"This is a fault of cardlang, not of yours: {type(fault).__name__}: {fault} ({where}).", err=True)
        sys.exit(1)
