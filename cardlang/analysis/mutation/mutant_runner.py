"""Runner of a game's examples on mutants, and the outcome of each mutant."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from pathlib import Path

from attrs import frozen

from cardlang import loader
from cardlang import model as g
from cardlang.analysis.mutation.mutant_equivalence import EquivalenceProof, MatchDifference, find_match_difference
from cardlang.analysis.mutation.mutation_operators import Mutation, find_example_lines
from cardlang.diagnostics import Diagnostic, GameError, Source
from interpreter.match.example_runner import run_example
from interpreter.program.sample_hand_check import check_ranking_samples


class MutantOutcome(Enum):
    """Outcome of a mutant."""

    NOTICED = "noticed"
    MISSED = "missed"
    SAME = "same"
    """Equivalent mutant: provably no change in play."""
    NO_GAME = "no game"
    """Invalid mutant: checking rejects it, so no example is needed."""


@frozen
class MutantResult:
    """Mutant with its outcome.

    `difference` is the first difference in a random match, if no example catches the mutant."""

    mutation: Mutation
    outcome: MutantOutcome
    difference: MatchDifference | None = None


class MutantRunner:
    """Runner of a game's examples, and those of `extra`, on mutants.

    Libraries are searched in `folder`. If no example catches a mutant, up to `matches` random matches look for a
    difference."""

    def __init__(self, game: g.Game, folder: Path, extra: Source | None, matches: int) -> None:
        self.games: dict[str | None, g.Game] = {None: game} | {each.title: each.game for each in game.variants}
        self.proofs = {variant: EquivalenceProof(each) for variant, each in self.games.items()}
        self.source = game.sources[0]
        self.folder = folder
        self.extra = extra
        self.matches = matches
        self.example_lines = find_example_lines(self.source)
        self.first_example: dict[str | None, int] = {}

    def test_mutation(self, mutation: Mutation) -> MutantResult:
        """Return the outcome of a mutant. Mutants outside variants run the examples of all variants."""
        makes: list[g.Game] = []
        for variant in self.games if mutation.variant is None else [mutation.variant]:
            try:
                changed = self.build_mutant(mutation, variant)
            except GameError as error:
                by_examples = all(
                    self.is_example_error(diagnostic) for diagnostic in error.diagnostics if not diagnostic.warning
                )
                return MutantResult(mutation, MutantOutcome.NOTICED if by_examples else MutantOutcome.NO_GAME)
            if self.is_caught(changed):
                return MutantResult(mutation, MutantOutcome.NOTICED)
            makes.append(changed)
        if all(self.proofs[changed_game.variant].is_equivalent_to(changed_game) for changed_game in makes):
            return MutantResult(mutation, MutantOutcome.SAME)
        return MutantResult(
            mutation, MutantOutcome.MISSED, find_match_difference(self.games[mutation.variant], makes[0], self.matches)
        )

    def build_mutant(self, mutation: Mutation, variant: str | None) -> g.Game:
        """Return the mutated game. Raise GameError if it is invalid."""
        extra = self.extra if variant is None else None
        return loader.check_game_source(Source(self.source.name, mutation.source_text), self.folder, variant, extra)

    def is_example_error(self, finding: Diagnostic) -> bool:
        """Return whether an error is in an example, because the mutation removed a name or move that it uses."""
        if finding.span.source.name == self.source.name:
            return finding.span.line in self.example_lines
        return self.extra is not None and finding.span.source.name == self.extra.name

    def is_caught(self, mutant: g.Game) -> bool:
        """Return whether an example or a sample of a rank fails. The example that failed last runs first."""
        if not mutant.examples:
            return bool(check_ranking_samples(mutant))
        for number in self.order_examples(mutant):
            if not passes_example(mutant, mutant.examples[number]):
                self.first_example[mutant.variant] = number
                return True
        return bool(check_ranking_samples(mutant))

    def order_examples(self, mutant: g.Game) -> Iterator[int]:
        first = self.first_example.get(mutant.variant, 0)
        yield first
        yield from (number for number in range(len(mutant.examples)) if number != first)


def passes_example(mutant: g.Game, example: g.Example) -> bool:
    """Return whether an example passes. Crashes of the interpreter count as failures, so the analysis continues."""
    try:
        return run_example(mutant, example).passed
    except Exception:
        return False
