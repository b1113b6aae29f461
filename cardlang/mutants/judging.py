"""Which changes the examples of a game notice."""

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
    """What came of a change."""

    NOTICED = "noticed"
    MISSED = "missed"
    SAME = "same"
    """It can be proved that it changes nothing."""
    NO_GAME = "no game"
    """What it makes cannot be played: the check finds it, and no example is needed."""


@frozen
class Judged:
    """`shown`: the first difference that a random match shows, of a change that no example notices."""

    change: Change
    verdict: Verdict
    shown: Difference | None = None


class Judge:
    """Plays the examples of a game, and those in `extra`, by changed rules. `folder`: where its libraries are looked
    for; `matches`: in how many random matches a difference is looked for that no example shows."""

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
        """What comes of a change. Those outside variants are tried on the examples of the variants too."""
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
        """The game with a change. Raises GameError if it is none."""
        extra = self.extra if variant is None else None
        return cardlang.check(Source(self.source.name, change.text), self.folder, variant, extra)

    def is_of_examples(self, finding: Diagnostic) -> bool:
        """Whether it is an example that a change has made wrong: it speaks of what is not there any more."""
        if finding.span.source.name == self.source.name:
            return finding.span.line in self.examples
        return self.extra is not None and finding.span.source.name == self.extra.name

    def notices(self, changed: g.Game) -> bool:
        """Whether an example fails, or a sample of a rank: the one that did so last is tried first."""
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
    """Whether an example passes. Where rules that nobody wrote lead to a fault of the interpreter, it does not: the
    fault is no reason to try no other change."""
    try:
        return run_example(changed, example).passed
    except Exception:
        return False
