"""`cardlang words`: list custom wording of rules, and accept it after the rules change."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from difflib import get_close_matches
from pathlib import Path

import click

from cardlang.commands import options
from cardlang.commands.files import games_in, load_game
from cardlang.commands.findings import show_findings
from cardlang.game import Game
from cardlang.terminal.telling import tell, tell_lines, tell_prompt
from cardlang.told import ENDING, Said, entries, files, findings, outdated, renewed

YES, STOP = ("y", "yes"), ("q", "quit")


@click.command(
    epilog=options.examples(
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
    names = list(games_in(file))
    if rules:
        refuse_unknown(names, rules)
    for name in names:
        game = load_game(name)
        path = next(files(game))
        if renew and path.is_file():
            accept(game, path, rules)
        found = findings(game)
        tell_lines(
            "\n".join(said.rule for said in entries(path)[0]) or f"no custom wording in {Path(path).stem}{ENDING}"
        )
        show_findings(found)
        if found:
            ctx.exit(1)


def refuse_unknown(names: Sequence[str], rules: Sequence[str]) -> None:
    """Raise `UsageError` for a rule without custom wording."""
    known = [said.rule for name in names for said in entries(next(files(load_game(name))))[0]]
    for rule in rules:
        if rule not in known:
            near = get_close_matches(rule, known, 1)
            raise click.UsageError(
                f"There is no custom wording for “{rule}”." + (f" Did you mean “{near[0]}”?" if near else "")
            )


def accept(game: Game, path: Path, rules: Collection[str]) -> None:
    """Update the digests of reviewed wording: for the named rules, else for those that the user confirms."""
    old = outdated(game, path)
    read = [said.rule for said in old if said.rule in rules] if rules else confirmed(old, path)
    if read:
        path.write_text(renewed(game, path, read), encoding="utf-8")
        tell(f"{path}: {', '.join(read)}", err=True)


def can_ask() -> bool:
    """Return whether the input is a terminal."""
    return sys.stdin.isatty()


def confirmed(old: Sequence[Said], path: Path) -> list[str]:
    """Ask the user about each outdated wording, and return the accepted rules.

    Raise `UsageError` if the input is not a terminal.
    """
    if old and not can_ask():
        listed = "\n".join(f'  "{said.rule}"' for said in old)
        told = f"{path} has custom wording for rules that changed. Name the rules whose wording is still right:"
        raise click.UsageError(f"{told}\n{listed}")
    read: list[str] = []
    for number, said in enumerate(old, 1):
        tell(f"{number} of {len(old)}: {said.rule}")
        tell_lines("\n".join(f"  {line}" for line in (*said.instead, said.act, *said.labels, *said.turned) if line))
        tell_prompt("Does this wording match the rule? y, n or q to stop")
        answer = sys.stdin.readline().strip().lower()
        if answer in STOP:
            break
        if answer in YES:
            read.append(said.rule)
    return read
