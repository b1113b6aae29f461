"""Command `cardlang words`: rules with custom wording, and wording to review."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from difflib import get_close_matches
from pathlib import Path

import click

from cardlang.cli import match_options
from cardlang.cli.error_reports import print_diagnostics
from cardlang.cli.file_arguments import list_games_in, load_game
from cardlang.model import Game
from cardlang.rulebook.custom_wording import (
    CustomWording,
    check_wording_file,
    find_outdated_wording,
    find_wording_files,
    read_wording_file,
    update_digests,
)
from cardlang.storage import WORDING_SUFFIX
from cardlang.ui.terminal.escaped_output import write_line, write_lines, write_prompt

YES_ANSWERS, STOP_ANSWERS = ("y", "yes"), ("q", "quit")


@click.command(
    epilog=match_options.format_examples(
        "words my_game",
        "words my_game --renew",
        'words my_game "step betting" --renew',
    )
)
@click.argument("file")
@click.argument("rules", nargs=-1, metavar="[RULE]...")
@click.option("--renew", is_flag=True, help="Accept the wording of changed rules; without RULE, ask about each.")
@click.pass_context
def command(ctx: click.Context, file: str, rules: tuple[str, ...], renew: bool) -> None:
    """List the rules with custom wording.

    Custom wording is in the file NAME.words next to a game. When a rule changes, its wording is not printed until
    you accept it with --renew. RULE is a name from that file, such as "step betting". Exits with 1 if wording is out
    of date."""
    if rules and not renew:
        raise click.UsageError("To accept the wording of a rule, add --renew.")
    names = list(list_games_in(file))
    if rules:
        check_known_rules(names, rules)
    for name in names:
        game = load_game(name)
        path = next(find_wording_files(game))
        if renew and path.is_file():
            accept_wording(game, path, rules)
        diagnostics = check_wording_file(game)
        write_lines(
            "\n".join(wording.rule for wording in read_wording_file(path)[0])
            or f"no custom wording in {Path(path).stem}{WORDING_SUFFIX}"
        )
        print_diagnostics(diagnostics)
        if diagnostics:
            ctx.exit(1)


def check_known_rules(names: Sequence[str], rules: Sequence[str]) -> None:
    """Raise `UsageError` for a rule without custom wording."""
    known = [
        wording.rule for name in names for wording in read_wording_file(next(find_wording_files(load_game(name))))[0]
    ]
    for rule in rules:
        if rule not in known:
            near = get_close_matches(rule, known, 1)
            raise click.UsageError(
                f"There is no custom wording for “{rule}”." + (f" Did you mean “{near[0]}”?" if near else "")
            )


def accept_wording(game: Game, path: Path, rules: Collection[str]) -> None:
    """Update the digests of reviewed wording: for the named rules, else for those that the user confirms."""
    old = find_outdated_wording(game, path)
    read = [wording.rule for wording in old if wording.rule in rules] if rules else ask_to_confirm(old, path)
    if read:
        path.write_text(update_digests(game, path, read), encoding="utf-8")
        write_line(f"{path}: {', '.join(read)}", err=True)


def is_input_terminal() -> bool:
    """Return whether the input is a terminal. Tests replace this function."""
    return sys.stdin.isatty()


def ask_to_confirm(old: Sequence[CustomWording], path: Path) -> list[str]:
    """Ask the user about each outdated wording, and return the accepted rules.

    Raise `UsageError` if the input is not a terminal.
    """
    if old and not is_input_terminal():
        listed = "\n".join(f'  "{wording.rule}"' for wording in old)
        message = f"{path} has custom wording for rules that changed. Name the rules whose wording is still right:"
        raise click.UsageError(f"{message}\n{listed}")
    read: list[str] = []
    for number, wording in enumerate(old, 1):
        write_line(f"{number} of {len(old)}: {wording.rule}")
        write_lines(
            "\n".join(f"  {line}" for line in (*wording.instead, wording.act, *wording.labels, *wording.turned) if line)
        )
        write_prompt("Does this wording match the rule? y, n or q to stop")
        answer = sys.stdin.readline().strip().lower()
        if answer in STOP_ANSWERS:
            break
        if answer in YES_ANSWERS:
            read.append(wording.rule)
    return read
