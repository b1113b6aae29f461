"""`cardlang test --mutate`: mutation testing of examples."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import click
from attrs import frozen

import cardlang
from cardlang.commands.files import find_game, load_game
from cardlang.commands.pool import worked
from cardlang.commands.running import rules_at_fault
from cardlang.plain_text import json_text
from cardlang.source import Source
from cardlang.terminal.telling import forget_progress, tell_lines, tell_progress

if TYPE_CHECKING:
    from cardlang.game import Game
    from cardlang.mutants.changes import Change
    from cardlang.mutants.judging import Judge, Judged

CHUNK = 5
"""Number of changes tried between two progress reports."""


@frozen
class Order:
    """Changes to try, from number `first` up to `stop`, as plain values that can be sent to other processes.

    `path` and `text` are of the game file.
    """

    path: str
    text: str
    extra: str | None
    matches: int
    first: int
    stop: int


def mutate(files: list[str], extra: str | None, matches: int, jobs: int, as_json: bool) -> None:
    """Try the changes of each game, and print those that no example catches.

    Raise `ClickException` if a game has no examples, or if an example fails without any change.
    """
    from cardlang.mutants.telling import Report

    found = []
    for name in files:
        game = load_game(name, extra=extra)
        check_examples(game)
        with rules_at_fault():
            report = Report(game, matches, list(tried(game, name, extra, matches, jobs)))
        found.append(report.data())
        if not as_json:
            tell_lines(report.text())
    if as_json:
        told: dict[str, object] = {"against": matches, "games": found}
        tell_lines(json_text(told))


def check_examples(game: Game) -> None:
    from interpreter.ranking.check import check_samples

    games = [game, *(variant.game for variant in game.variants)]
    if not any(each.examples for each in games):
        raise click.ClickException(f"{game.title} has no examples, so nothing can catch a change. Add an `example`.")
    for each in games:
        failed = [example.title for example in each.examples if not example.run().passed]
        failed += [finding.message for finding in check_samples(each)]
        if failed:
            message = f"“{failed[0]}” fails even without a change. Run cardlang test and fix it first."
            raise click.ClickException(f"{game.title}: {message}")


def tried(game: Game, name: str, extra: str | None, matches: int, jobs: int) -> Iterator[Judged]:
    """Yield the result of each change, in source order, and show the progress on a terminal."""
    from cardlang.mutants.changes import changes

    path, text = str(find_game(name)), game.sources[0].text
    total = sum(1 for _ in changes(game))
    orders = (Order(path, text, extra, matches, at, min(at + CHUNK, total)) for at in range(0, total, CHUNK))
    done = 0
    for part in worked(tried_here, orders, jobs):
        yield from part
        done += len(part)
        if sys.stderr.isatty():
            tell_progress(f"{game.title}: {done:,} of {total:,} changes")
    if sys.stderr.isatty():
        forget_progress()


def tried_here(order: Order) -> list[Judged]:
    judge, found = kept_judge(order.path, order.text, order.extra, order.matches)
    return [judge.judged(change) for change in found[order.first : order.stop]]


@cache
def kept_judge(path: str, text: str, extra: str | None, matches: int) -> tuple[Judge, list[Change]]:
    """Return the game's judge and its changes, built once in each process."""
    from cardlang.limits import read_source
    from cardlang.mutants.changes import changes
    from cardlang.mutants.judging import Judge

    more = None if extra is None else read_source(find_game(extra), extra)
    game = cardlang.check(Source(path, text), Path(path).parent, None, more)
    return Judge(game, Path(path).parent, more, matches), list(changes(game))
