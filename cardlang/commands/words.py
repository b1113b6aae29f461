"""`cardlang words`: the words that stand for rules, and whether they were read since these changed."""

from __future__ import annotations

from pathlib import Path

import click

from cardlang.commands.files import games_in, load_game
from cardlang.commands.findings import show_findings
from cardlang.terminal.telling import tell, tell_lines
from cardlang.told import ENDING, entries, files, findings, renewed


@click.command()
@click.argument("file")
@click.option("--renew", is_flag=True, help="Say that all the words were read: they mean what the rules mean now.")
@click.pass_context
def command(ctx: click.Context, file: str, renew: bool) -> None:
    """Show which rules of a game stand on its sheet in the words of NAME.words, the file beside it.

    Words that were not read since their rule changed are not printed. Exit 1 if there are any."""
    for name in games_in(file):
        game = load_game(name)
        path = next(files(game))
        if renew and path.is_file():
            path.write_text(renewed(game, path), encoding="utf-8")
            tell(f"{path}", err=True)
        found = findings(game)
        tell_lines("\n".join(said.rule for said in entries(path)[0]) or f"no words in {Path(path).stem}{ENDING}")
        show_findings(found)
        if found:
            ctx.exit(1)
