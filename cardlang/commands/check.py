"""`cardlang check`: report the errors and warnings of game files."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

import cardlang
from cardlang import kept
from cardlang.commands import options
from cardlang.commands.files import SUFFIX, find_game, games_in, load_game
from cardlang.commands.findings import amount, show_findings
from cardlang.kept import digest
from cardlang.limits import read_source
from cardlang.source import Diagnostic, GameError
from cardlang.terminal.telling import tell
from cardlang.told import ENDING, findings

if TYPE_CHECKING:
    from cardlang.commands.trial import Trials
    from cardlang.game import CardSet, Example, Expr, Game, Kind, Ranking, Ruling, Var
    from cardlang.report import Format


@click.command(
    epilog=options.examples(
        "check my_game",
        "check games --format concise",
        "check my_game --play",
    )
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--format", "style", type=click.Choice(["full", "concise", "json"]), default="full", show_default=True,
    help="Output format.",
)  # fmt: skip
@click.option(
    "--play", "playing", is_flag=True,
    help="Also play random matches and note anything odd.",
)  # fmt: skip
@click.pass_context
def command(ctx: click.Context, files: tuple[str, ...], style: Format, playing: bool) -> None:
    """Find errors and suspicious rules.

    For a folder, checks all games in it. Exits with 1 if there are errors; warnings and notes exit with 0."""
    findings: list[Diagnostic] = []
    games = [game for name in files for game in games_in(name)]
    played: list[Trials] = []
    for name in games:
        found = check_file(name)
        if playing and all(finding.warning for finding in found):
            played.append(try_file(name))
            found += played[-1].findings()
        findings += found
    notes = sum(finding.code.startswith("N") for finding in findings)
    beside = {"notes": notes, "play": [trials.data() for trials in played]} if playing else {}
    show_findings(findings, style, err=False, beside=beside)
    for trials in played:
        tell(trials.summary(), err=True)
    if not findings:
        tell(f"no errors in {amount(len(games), 'file')}", err=True)
    ctx.exit(1 if any(not finding.warning for finding in findings) else 0)


def check_file(name: str) -> list[Diagnostic]:
    """Return the findings in a game and its variants, each once.

    A game without findings is cached until it or one of its libraries changes.
    """
    path = find_game(name)
    if is_faultless(path):
        return words_to_read(name)
    found: dict[Diagnostic, None] = {}
    try:
        game = load_game(name)
        games = [game, *(cardlang.load(path, variant.title) for variant in game.variants)]
        found.update(dict.fromkeys(finding for each in games for finding in found_in(each)))
        if not found:
            keep_faultless(games)
        found.update(dict.fromkeys(findings(game)))
    except GameError as error:
        found.update(dict.fromkeys(error.diagnostics))
    return list(found)


def words_to_read(name: str) -> list[Diagnostic]:
    """Return the findings on the custom wording of a game that has no other findings."""
    return findings(load_game(name)) if find_game(name).with_suffix(ENDING).exists() else []


def try_file(name: str) -> Trials:
    """Run the playtests of a game without errors and of its variants."""
    from cardlang.commands.trial import try_all

    game = load_game(name)
    return try_all([game, *(cardlang.load(find_game(name), variant.title) for variant in game.variants)])


def found_in(game: Game) -> Iterator[Diagnostic]:
    yield from game.warnings
    yield from samples(game)
    for example in game.examples:
        if example.ruling is not None:
            yield from read_again(example, example.ruling)


def read_again(example: Example, ruling: Ruling) -> Iterator[Diagnostic]:
    """Yield a warning if the example of a ruling fails."""
    outcome = example.run()
    if outcome.passed:
        return
    message = f"the ruling “{ruling.question}” needs review, because its example “{example.title}” fails"
    found = ((outcome.span or example.origin.span, outcome.message),)
    hint = "change the answer and the example, or change the rules"
    yield Diagnostic("W417", message, ruling.span, hint, found, warning=True)


def samples(game: Game) -> list[Diagnostic]:
    """Return the findings on sample hands of ranks.

    A variant's samples are checked only if the variant changes cards or ranks.
    """
    if not any(rank.like for ranking in game.rankings.values() for rank in ranking.ranks):
        return []
    made_of: tuple[Kind | CardSet | Ranking, ...] = (*game.kinds.values(), *game.sets.values(), *game.rankings.values())
    if game.variant is not None and not any(each.origin.varied for each in made_of):
        return []
    from cardlang.checks.known import Known
    from interpreter.ranking.check import check_samples

    known = Known(game, None)

    def holds(condition: Expr, var: Var, face: int) -> bool:
        value = known.value(condition, {var.id: Fraction(face)})
        if not isinstance(value, Fraction):
            raise LookupError("this depends on more than the card")
        return bool(value)

    try:
        return check_samples(game, holds)
    except LookupError:
        return check_samples(game)


def is_faultless(path: Path) -> bool:
    """Return whether a cached check of this source and these libraries had no findings."""
    try:
        libraries = kept.find("faultless", players(), read_source(path).text)
        if not isinstance(libraries, dict):
            return False
        there = cardlang.Libraries(path.parent, {})
        sources = {name: there.source(name) for name in libraries}
    except (OSError, GameError):
        return False  # the error is reported when the game is read
    return all(source is not None and libraries[name] == digest(source.text) for name, source in sources.items())


def keep_faultless(games: list[Game]) -> None:
    used = [source for game in games for source in game.sources[1:]]
    kept.keep(
        {source.name.removesuffix(SUFFIX): digest(source.text) for source in used},
        "faultless",
        players(),
        games[0].sources[0].text,
    )


@cache
def players() -> str:
    """Return a digest of the installed interpreter, or an empty string if there is none.

    It is part of the cache key, because the interpreter plays the examples of rulings and checks sample hands.
    """
    found = find_spec("interpreter")
    return kept.code_of(str(Path(found.origin).parent)) if found and found.origin else ""
