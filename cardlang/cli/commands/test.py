"""Command `cardlang test`: examples of a game, and mutation tests."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardlang import loader
from cardlang.cli import match_options
from cardlang.cli.error_reports import print_diagnostics, report_rule_errors
from cardlang.cli.file_arguments import format_game_title, list_games_in, load_game, require_game_file
from cardlang.cli.parallel_jobs import Progress, map_in_order, open_local_executor, show_progress
from cardlang.diagnostics import GameError, Source
from cardlang.english.control_characters import escape_invisible_characters, render_json
from cardlang.english.morphology import format_count
from cardlang.ui.terminal.escaped_output import write_line, write_lines

if TYPE_CHECKING:
    from cardlang.analysis.mutation.mutant_runner import MutantResult, MutantRunner
    from cardlang.analysis.mutation.mutation_operators import Mutation
    from cardlang.model import Example, Game, Outcome


@click.command(epilog=match_options.format_examples("test my_game", "test games", "test my_game --mutate --against 50"))
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
@match_options.add_jobs_option("With --mutate: number of processes.")
@click.option("--json", "as_json", is_flag=True, help="With --mutate: print JSON.")
@click.pass_context
def run_tests_of_games(
    ctx: click.Context, files: tuple[str, ...], extra: str | None, mutate: bool, against: int, jobs: int, as_json: bool
) -> None:
    """Run the examples of a game.

    For a folder, tests all games in it. Exits with 1 if an example fails or a file has errors."""
    names = [game for file in files for game in list_games_in(file)]
    if mutate:
        return run_mutation_tests(names, extra, against, jobs, as_json)
    ctx.exit(0 if test_files(ctx, names, extra) else 1)


def test_files(ctx: click.Context, names: list[str], extra: str | None) -> bool:
    """Run the examples, print a line for each, and return whether all pass. Raise a usage error for options of
    `--mutate`."""
    for name in ("against", "jobs", "as_json"):
        if ctx.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT:
            raise click.UsageError(f"--{name.removeprefix('as_')} goes with --mutate.")
    results = [good for name in names for good in test_file(name, extra)]
    if not results:
        write_line("This game has no examples." if len(names) == 1 else "These games have no examples.")
    passed = sum(results)
    write_line(f"{passed} passed, {len(results) - passed} failed")
    return passed == len(results)


def test_file(name: str, extra: str | None) -> Iterator[bool]:
    """Run the examples of a file, print a line for each, and yield the results. A file with errors fails as a whole."""
    from interpreter.runtime.value_formatting import join_items

    try:
        game = load_game(name, extra=extra)
        games = [game, *loader.load_variants(game)]
    except GameError as error:
        print_diagnostics(error.diagnostics)
        errors = [finding for finding in error.diagnostics if not finding.warning]
        files = join_items(list(dict.fromkeys(finding.span.source.name for finding in errors)))
        write_line(f"FAILED  {files}: {format_count(len(errors), 'error')} in the file")
        yield False
        return
    for tested_game in games:
        yield from test_game(tested_game)


def test_game(game: Game) -> Iterator[bool]:
    from interpreter.match.example_runner import run_example
    from interpreter.program.sample_hand_check import check_ranking_samples

    for finding in check_ranking_samples(game):
        print_diagnostics([finding])
        yield False
    title = format_game_title(game, ", ")
    for example in game.examples:
        outcome = run_example(game, example)
        write_lines(f"ok      {title}: {example.title}" if outcome.passed else format_failure(title, example, outcome))
        yield outcome.passed


def format_failure(title: str, example: Example, outcome: Outcome) -> str:
    """Return a report of a failed example: its ruling, the line of source, and the actual value."""
    lines = [f"FAILED  {title}: {outcome.title}"]
    if example.ruling is not None:
        lines.append(f"        {escape_invisible_characters(f'The ruling “{example.ruling.question}” needs review.')}")
    if outcome.span is not None:
        span = outcome.span
        lines.append(
            f"        {escape_invisible_characters(span.source.name)}:{span.line}: "
            f"{span.source.get_line(span.line).strip()}"
        )
    lines.append(f"        {outcome.message}")
    return "\n".join(lines)


# ---------------------------------------------------------------- mutation tests
MUTATIONS_PER_TASK = 5
"""Number of changes tried between two progress reports."""


def run_mutation_tests(files: list[str], extra: str | None, matches: int, jobs: int, as_json: bool) -> None:
    """Try the changes of each game, and print those that no example catches.

    Raise `ClickException` if a game has no examples, or if an example fails without any change.
    """
    from cardlang.analysis.mutation.mutation_report import MutationReport

    report_list = []
    for name in files:
        game = load_game(name, extra=extra)
        check_examples_pass(game)
        with report_rule_errors():
            report = MutationReport(game, matches, list(run_mutations(game, name, extra, matches, jobs)))
        report_list.append(report.build_json())
        if not as_json:
            write_lines(report.format_text())
    if as_json:
        report_json: dict[str, object] = {"against": matches, "games": report_list}
        write_lines(render_json(report_json))


def check_examples_pass(game: Game) -> None:
    from interpreter.program.sample_hand_check import check_ranking_samples

    games = [game, *(variant.game for variant in game.variants)]
    if not any(checked_game.examples for checked_game in games):
        raise click.ClickException(f"{game.title} has no examples, so nothing can catch a change. Add an `example`.")
    for checked_game in games:
        failed = [example.title for example in checked_game.examples if not example.run().passed]
        failed += [finding.message for finding in check_ranking_samples(checked_game)]
        if failed:
            message = f"“{failed[0]}” fails even without a change. Run cardlang test and fix it first."
            raise click.ClickException(f"{game.title}: {message}")


def run_mutations(game: Game, name: str, extra: str | None, matches: int, jobs: int) -> Iterator[MutantResult]:
    """Yield the result of each change, in source order, and show the progress on a terminal."""
    from cardlang.analysis.mutation.mutation_operators import generate_mutations

    path, text = str(require_game_file(name)), game.sources[0].text
    total = sum(1 for _ in generate_mutations(game))
    pieces = (slice(first, first + MUTATIONS_PER_TASK) for first in range(0, total, MUTATIONS_PER_TASK))
    work = partial(test_mutations, path, text, extra, matches)
    with show_progress() as show, open_local_executor(jobs) as executor:
        progress = Progress(total, f"changes of {game.title}", show)
        for part in map_in_order(executor, work, pieces):
            yield from part
            progress.advance(len(part))


def test_mutations(path: str, text: str, extra: str | None, matches: int, numbers: slice) -> list[MutantResult]:
    """Try the changes with these numbers to the game file at `path`, whose content is `text`."""
    judge, mutations = get_cached_runner(path, text, extra, matches)
    return [judge.test_mutation(change) for change in mutations[numbers]]


@cache
def get_cached_runner(path: str, text: str, extra: str | None, matches: int) -> tuple[MutantRunner, list[Mutation]]:
    """Return the game's `MutantRunner` and its changes, built once in each process."""
    from cardlang.analysis.mutation.mutant_runner import MutantRunner
    from cardlang.analysis.mutation.mutation_operators import generate_mutations
    from cardlang.diagnostics.source_limits import read_source

    more = None if extra is None else read_source(require_game_file(extra), extra)
    game = loader.check_game_source(Source(path, text), Path(path).parent, None, more)
    return MutantRunner(game, Path(path).parent, more, matches), list(generate_mutations(game))
