"""Command `cardlang check`: errors and warnings of game files."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardlang import loader, storage
from cardlang.cli import match_options
from cardlang.cli.error_reports import print_diagnostics
from cardlang.cli.file_arguments import list_games_in, load_game, report_os_error, require_game_file
from cardlang.diagnostics import Diagnostic, GameError
from cardlang.diagnostics.old_syntax_replacement import replace_old_forms
from cardlang.diagnostics.source_limits import MAX_BYTES, read_source
from cardlang.english.morphology import format_count
from cardlang.game_files import LibraryFinder
from cardlang.game_translation import find_translations
from cardlang.storage import GAME_SUFFIX, RULES_SUFFIX, THEME_SUFFIX, compute_text_digest
from cardlang.ui.terminal.escaped_output import write_line

if TYPE_CHECKING:
    from cardlang.diagnostics.render import ReportFormat
    from cardlang.lint.playtest.playtest_report import PlaytestReport
    from cardlang.model import CardSet, Example, Expr, Game, Kind, Ranking, Ruling, Var

MAX_LISTED_CARDS = 200
"""Maximum number of cards in a list."""


@click.command(
    epilog=match_options.format_examples("check my_game", "check games --format concise", "check my_game --play")
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--format", "style", type=click.Choice(["full", "concise", "json"]), default="full", show_default=True,
    help="Output format.",
)  # fmt: skip
@click.option(
    "--fix", "fixing", is_flag=True,
    help="First replace old forms of the language in the files.",
)  # fmt: skip
@click.option(
    "--play", "playing", is_flag=True,
    help="Also play random matches and note anything odd.",
)  # fmt: skip
@click.pass_context
def check_games(ctx: click.Context, files: tuple[str, ...], style: ReportFormat, fixing: bool, playing: bool) -> None:
    """Find errors and suspicious rules.

    For a folder, checks all games in it. Exits with 1 if there are errors; warnings and notes exit with 0."""
    findings: list[Diagnostic] = []
    games = [game for name in files for game in list_games_in(name)]
    played: list[PlaytestReport] = []
    for name in games:
        if fixing:
            replace_old_forms_in_file(require_game_file(name))
        diagnostics = check_file(name)
        if playing and all(finding.warning for finding in diagnostics):
            played.append(playtest_file(name))
            diagnostics += played[-1].collect_diagnostics()
        findings += diagnostics
    notes = sum(finding.code.startswith("N") for finding in findings)
    extra_fields = {"notes": notes, "play": [trials.build_json() for trials in played]} if playing else {}
    print_diagnostics(findings, style, err=False, extra_fields=extra_fields)
    for trials in played:
        write_line(trials.format_summary(), err=True)
    if not findings:
        write_line(f"no errors in {format_count(len(games), 'file')}", err=True)
    ctx.exit(1 if any(not finding.warning for finding in findings) else 0)


def replace_old_forms_in_file(path: Path) -> None:
    """Rewrite a file whose old forms have present ones."""
    text = read_source(path).text
    new = replace_old_forms(text)
    if new != text:
        with report_os_error(f"{path} cannot be written"):
            storage.replace_file(path.resolve(), new.encode())  # keep a link a link
        write_line(f"replaced old forms in {path}", err=True)


def check_file(name: str) -> list[Diagnostic]:
    """Return the findings in a game and its variants, each once.

    A game without findings is cached until it or one of its libraries changes.
    """
    path = require_game_file(name)
    if has_cached_clean_check(path):
        return []
    from cardlang.cards.theme import read_theme
    from cardlang.rulebook.authored_rulebook.rulebook_warnings import check_rules_file
    from cardlang.rulebook.plan.card_faces import CardDesign

    diagnostics: dict[Diagnostic, None] = {}
    try:
        game = load_game(name)
        games = [game, *loader.load_variants(game)]
        diagnostics.update(
            dict.fromkeys(finding for checked_game in games for finding in collect_diagnostics(checked_game))
        )
        theme = read_theme(game)
        pictures = CardDesign(game).find_picture_problems(MAX_LISTED_CARDS) if theme.art else []
        beside = [*check_rules_file(game), *theme.findings, *pictures, *loader.check_translations(path)]
        diagnostics.update(dict.fromkeys(beside))
        if not diagnostics and not theme.art:  # pictures can change
            cache_clean_check(path, games)
    except GameError as error:
        diagnostics.update(dict.fromkeys(error.diagnostics))
    return list(diagnostics)


def playtest_file(name: str) -> PlaytestReport:
    """Run the playtests of a game without errors and of its variants."""
    from cardlang.lint.playtest.playtest_runner import run_game_and_variant_playtests

    game = load_game(name)
    return run_game_and_variant_playtests([game, *loader.load_variants(game)])


def collect_diagnostics(game: Game) -> Iterator[Diagnostic]:
    yield from game.warnings
    yield from check_rank_samples(game)
    for example in game.examples:
        if example.ruling is not None:
            yield from check_ruling(example, example.ruling)


def check_ruling(example: Example, ruling: Ruling) -> Iterator[Diagnostic]:
    """Yield a warning if the example of a ruling fails."""
    outcome = example.run()
    if outcome.passed:
        return
    message = f"the ruling “{ruling.question}” needs review, because its example “{example.title}” fails"
    related = ((outcome.span or example.origin.span, outcome.message),)
    hint = "change the answer and the example, or change the rules"
    yield Diagnostic("W417", message, ruling.span, hint, related, warning=True)


def check_rank_samples(game: Game) -> list[Diagnostic]:
    """Return the findings on sample hands of ranks.

    A variant's samples are checked only if the variant changes cards or ranks.
    """
    if not any(rank.like for ranking in game.rankings.values() for rank in ranking.ranks):
        return []
    made_of: tuple[Kind | CardSet | Ranking, ...] = (*game.kinds.values(), *game.sets.values(), *game.rankings.values())
    if game.variant is not None and not any(declaration.origin.varied for declaration in made_of):
        return []
    from cardlang.lint.static.constant_values import ConstantEvaluator
    from interpreter.program.sample_hand_check import check_ranking_samples

    known = ConstantEvaluator(game, None)

    def is_condition_met(condition: Expr, var: Var, face: int) -> bool:
        value = known.evaluate(condition, {var.id: Fraction(face)})
        if not isinstance(value, Fraction):
            raise LookupError("this depends on more than the card")
        return bool(value)

    try:
        return check_ranking_samples(game, is_condition_met)
    except LookupError:
        return check_ranking_samples(game)


def has_cached_clean_check(path: Path) -> bool:
    """Return whether a cached check of this source and these libraries had no findings."""
    try:
        libraries = storage.read_cache_entry(*build_clean_check_key(path))
        if not isinstance(libraries, dict):
            return False
        library_finder = LibraryFinder(path.parent, {})
        sources = {name: library_finder.read_companion(name) for name in libraries}
    except (OSError, ValueError, GameError):
        return False  # the error is reported when the game is read
    return all(
        source is not None and libraries[name] == compute_text_digest(source.text) for name, source in sources.items()
    )


def cache_clean_check(path: Path, games: list[Game]) -> None:
    used = [source for game in games for source in game.sources[1:]]
    digests: storage.JsonValue = {
        source.name.removesuffix(GAME_SUFFIX): compute_text_digest(source.text) for source in used
    }
    storage.write_cache_entry(digests, *build_clean_check_key(path))


def build_clean_check_key(path: Path) -> tuple[str, ...]:
    """Return the cache key of a check: the interpreter, which plays examples, and the texts of the game's files."""
    companions = [path.with_suffix(suffix) for suffix in (RULES_SUFFIX, THEME_SUFFIX)]
    companions += find_translations(path).values()
    texts = [storage.read_file_start(each, MAX_BYTES + 1).hex() if each.exists() else "" for each in companions]
    (folder,) = find_spec("interpreter").submodule_search_locations  # type: ignore[union-attr, misc]
    return "faultless", storage.list_code_files(folder), read_source(path).text, *texts
