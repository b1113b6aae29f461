"""Mutation analysis: the mutants that a game's examples catch."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from pathlib import Path

from attrs import frozen

import cardlang
from cardlang import game as g
from cardlang.mutants.changes import Change
from cardlang.mutants.matches import Difference, difference
from cardlang.mutants.regions import example_lines
from cardlang.mutants.same import Proof
from cardlang.source import Diagnostic, GameError, Source
from interpreter.matches.examples import run_example
from interpreter.ranking.check import check_samples


class Verdict(Enum):
    """Outcome of a mutant."""

    NOTICED = "noticed"
    MISSED = "missed"
    SAME = "same"
    """Equivalent mutant: provably no change in play."""
    NO_GAME = "no game"
    """Invalid mutant: checking rejects it, so no example is needed."""


@frozen
class Judged:
    """Mutant with its outcome. `shown` is the first difference in a random match, if no example catches the mutant."""

    change: Change
    verdict: Verdict
    shown: Difference | None = None


class Judge:
    """Runner of a game's examples, and those of `extra`, on mutants.

    Libraries are searched in `folder`. If no example catches a mutant, up to `matches` random matches look for a
    difference."""

    def __init__(self, game: g.Game, folder: Path, extra: Source | None, matches: int) -> None:
        self.games: dict[str | None, g.Game] = {None: game} | {each.title: each.game for each in game.variants}
        self.proofs = {variant: Proof(each) for variant, each in self.games.items()}
        self.source = game.sources[0]
        self.folder = folder
        self.extra = extra
        self.matches = matches
        self.examples = example_lines(self.source)
        self.first: dict[str | None, int] = {}

    def judged(self, change: Change) -> Judged:
        """Return the outcome of a mutant. Mutants outside variants run the examples of all variants."""
        makes: list[g.Game] = []
        for variant in self.games if change.variant is None else [change.variant]:
            try:
                changed = self.changed(change, variant)
            except GameError as error:
                by_examples = all(self.is_of_examples(each) for each in error.diagnostics if not each.warning)
                return Judged(change, Verdict.NOTICED if by_examples else Verdict.NO_GAME)
            if self.notices(changed):
                return Judged(change, Verdict.NOTICED)
            makes.append(changed)
        if all(self.proofs[each.variant].holds_for(each) for each in makes):
            return Judged(change, Verdict.SAME)
        return Judged(change, Verdict.MISSED, difference(self.games[change.variant], makes[0], self.matches))

    def changed(self, change: Change, variant: str | None) -> g.Game:
        """Return the mutated game. Raise GameError if it is invalid."""
        extra = self.extra if variant is None else None
        return cardlang.check(Source(self.source.name, change.text), self.folder, variant, extra)

    def is_of_examples(self, finding: Diagnostic) -> bool:
        """Return whether an error is in an example, because the mutation removed a name or move that it uses."""
        if finding.span.source.name == self.source.name:
            return finding.span.line in self.examples
        return self.extra is not None and finding.span.source.name == self.extra.name

    def notices(self, changed: g.Game) -> bool:
        """Return whether an example or a sample of a rank fails. The example that failed last runs first."""
        if not changed.examples:
            return bool(check_samples(changed))
        for number in self.in_turn(changed):
            if not passes(changed, changed.examples[number]):
                self.first[changed.variant] = number
                return True
        return bool(check_samples(changed))

    def in_turn(self, changed: g.Game) -> Iterator[int]:
        first = self.first.get(changed.variant, 0)
        yield first
        yield from (number for number in range(len(changed.examples)) if number != first)


def passes(changed: g.Game, example: g.Example) -> bool:
    """Return whether an example passes. Crashes of the interpreter count as failures, so the analysis continues."""
    try:
        return run_example(changed, example).passed
    except Exception:
        return False
