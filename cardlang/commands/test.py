"""`cardlang test`: the examples in game files, played."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from cardlang.commands.files import games_in, load_game
from cardlang.commands.findings import amount, show_findings
from cardlang.plain_text import visible
from cardlang.source import GameError
from cardlang.terminal.telling import tell, tell_lines

if TYPE_CHECKING:
    from cardlang.game import Game, Outcome


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--with", "extra", metavar="EXTRA", help="A file of examples alone, played by the rules of FILE.")
@click.pass_context
def command(ctx: click.Context, files: tuple[str, ...], extra: str | None) -> None:
    """Play the examples of games and of their variants; a folder means all games in it.

    Exit 1 if one fails, or a file has errors."""
    passed = failed = 0
    for name in [game for each in files for game in games_in(each)]:
        for good in test_file(name, extra):
            passed += good
            failed += not good
    tell(f"{passed} passed, {failed} failed")
    ctx.exit(1 if failed else 0)


def test_file(name: str, extra: str | None) -> Iterator[bool]:
    """Plays the examples of a file, a line for each. A file with errors fails as one."""
    from interpreter.matches.names import listed

    try:
        games = list(games_of(name, extra))
    except GameError as error:
        show_findings(error.diagnostics)
        errors = [finding for finding in error.diagnostics if not finding.warning]
        files = listed(list(dict.fromkeys(finding.span.source.name for finding in errors)))
        tell(f"FAILED  {files}: {amount(len(errors), 'error')} in the file")
        yield False
        return
    for game in games:
        yield from test_game(game)


def games_of(name: str, extra: str | None) -> Iterator[Game]:
    """The game, with the extra examples, and each of its variants."""
    game = load_game(name, extra=extra)
    yield game
    for variant in game.variants:
        yield load_game(name, variant.title)


def test_game(game: Game) -> Iterator[bool]:
    from interpreter.matches.examples import run_example
    from interpreter.ranking.check import check_samples

    for finding in check_samples(game):
        show_findings([finding])
        yield False
    title = game.title if game.variant is None else f"{game.title}, {game.variant}"
    for example in game.examples:
        outcome = run_example(game, example)
        tell_lines(f"ok      {title}: {example.title}" if outcome.passed else told_failure(title, outcome))
        yield outcome.passed


def told_failure(title: str, outcome: Outcome) -> str:
    """A failed example with its place, the line there and what was found instead."""
    lines = [f"FAILED  {title}: {outcome.title}"]
    if outcome.span is not None:
        span = outcome.span
        lines.append(f"        {visible(span.source.name)}:{span.line}: {span.source.line(span.line).strip()}")
    lines.append(f"        {outcome.message}")
    return "\n".join(lines)
