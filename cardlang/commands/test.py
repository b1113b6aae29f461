"""`cardlang test`: run the examples in game files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from cardlang.commands import options
from cardlang.commands.files import games_in, load_game
from cardlang.commands.findings import amount, show_findings
from cardlang.plain_text import visible
from cardlang.source import GameError
from cardlang.terminal.telling import tell, tell_lines

if TYPE_CHECKING:
    from cardlang.game import Example, Game, Outcome


@click.command(
    epilog=options.examples(
        "test my_game",
        "test games",
        "test my_game --mutate --against 50",
    )
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--with", "extra", metavar="EXTRA", help="File of further examples to run on FILE.")
@click.option("--mutate", is_flag=True, help="List small changes to the rules that no example notices.")
@click.option(
    "--against",
    type=click.IntRange(0),
    default=20,
    show_default=True,
    metavar="N",
    help="With --mutate: random matches to try each change in.",
)
@options.jobs("With --mutate: number of processes.")
@click.option("--json", "as_json", is_flag=True, help="With --mutate: print JSON.")
@click.pass_context
def command(
    ctx: click.Context, files: tuple[str, ...], extra: str | None, mutate: bool, against: int, jobs: int, as_json: bool
) -> None:
    """Run the examples of a game.

    For a folder, tests all games in it. Exits with 1 if an example fails or a file has errors."""
    names = [game for each in files for game in games_in(each)]
    if mutate:
        from cardlang.commands.mutate import mutate as mutate_files

        return mutate_files(names, extra, against, jobs, as_json)
    ctx.exit(0 if test_files(ctx, names, extra) else 1)


def test_files(ctx: click.Context, names: list[str], extra: str | None) -> bool:
    """Run the examples, print a line for each, and return whether all pass. Raise a usage error for options of
    `--mutate`."""
    for name in ("against", "jobs", "as_json"):
        if ctx.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT:
            raise click.UsageError(f"--{name.removeprefix('as_')} goes with --mutate.")
    results = [good for name in names for good in test_file(name, extra)]
    if not results:
        tell("This game has no examples." if len(names) == 1 else "These games have no examples.")
    passed = sum(results)
    tell(f"{passed} passed, {len(results) - passed} failed")
    return passed == len(results)


def test_file(name: str, extra: str | None) -> Iterator[bool]:
    """Run the examples of a file, print a line for each, and yield the results. A file with errors fails as a whole."""
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
    """Yield the game, with the extra examples, and each of its variants."""
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
        tell_lines(f"ok      {title}: {example.title}" if outcome.passed else told_failure(title, example, outcome))
        yield outcome.passed


def told_failure(title: str, example: Example, outcome: Outcome) -> str:
    """Return a report of a failed example: its ruling, the line of source, and the actual value."""
    lines = [f"FAILED  {title}: {outcome.title}"]
    if example.ruling is not None:
        lines.append(f"        {visible(f'The ruling “{example.ruling.question}” needs review.')}")
    if outcome.span is not None:
        span = outcome.span
        lines.append(f"        {visible(span.source.name)}:{span.line}: {span.source.line(span.line).strip()}")
    lines.append(f"        {outcome.message}")
    return "\n".join(lines)
