"""Outcome of each mutant, and the report of a mutation test."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from itertools import groupby
from pathlib import Path

from attrs import frozen

from cardlang import loader
from cardlang import model as g
from cardlang.analysis.mutation.mutant_equivalence import EquivalenceProof, MatchDifference, find_match_difference
from cardlang.analysis.mutation.mutation_operators import DELETED, Mutation, find_example_lines
from cardlang.diagnostics import Diagnostic, GameError, Source
from cardlang.diagnostics.render import build_position_record
from interpreter.match.example_runner import run_example
from interpreter.program.ranking_samples import check_ranking_samples


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


# ---------------------------------------------------------------- report
EXAMPLE_HINTS = {
    DELETED: "what this line does",
    "number": "a case where {old} and {new} give different results",
    "bound": "a case where both sides are equal",
    "direction": "a case where both sides differ",
    "comparison": "the effect of this comparison",
    "negation": "the effect of this condition",
    "side": "three or more players, where those on the {old} and on the {new} differ",
    "joining": "a case where only one side is true",
    "quantifier": "a case where it is true for some and false for others",
    "zone": "a case where {old} and {new} hold different cards",
    "limit": "a case where the number is not exactly this",
    "choice": "the legal moves here, and whether passing is one",
    "players": "a case where it matters whether the player counts too",
    "chance": "a result here that does not depend on chance, if there is one",
}
"""Description of an example that catches a mutant, by mutation operator."""
DEFAULT_HINT = "a case where {old} and {new} give different results"
MAX_TEXT_LENGTH = 70
"""Maximum length of a printed line or value, in characters."""


@frozen
class MutationReport:
    """Results of all mutants of a game. `matches` is the number of random matches per uncaught mutant."""

    game: g.Game
    matches: int
    results: list[MutantResult]

    def filter_results(self, outcome: MutantOutcome) -> list[MutantResult]:
        return [result for result in self.results if result.outcome is outcome]

    @property
    def caught_count(self) -> int:
        return len(self.filter_results(MutantOutcome.NOTICED))

    @property
    def missed_results(self) -> list[MutantResult]:
        """Uncaught mutants that count. Those without a difference in any random match may be equivalent and are left
        out."""
        return [result for result in self.filter_results(MutantOutcome.MISSED) if not self.is_unsure(result)]

    @property
    def unsure_results(self) -> list[MutantResult]:
        return list(filter(self.is_unsure, self.filter_results(MutantOutcome.MISSED)))

    def is_unsure(self, result: MutantResult) -> bool:
        return self.matches > 0 and result.difference is None

    # ------------------------------------------------------------ text
    def format_text(self) -> str:
        """Return a summary and the uncaught mutants, grouped by rule and line."""
        total = self.caught_count + len(self.missed_results)
        share = f" ({100 * self.caught_count // total} %)" if total else ""  # rounded down, so that 100 means all
        lines = [f"{self.game.title}: the examples catch {self.caught_count} of {total} rule changes{share}."]
        lines += format_by_rule(self.missed_results)
        if self.unsure_results:
            lines += ["", f"These made no difference in {self.matches} random matches and may never make one:"]
            lines += format_by_rule(self.unsure_results)
        return "\n".join(lines)

    # ------------------------------------------------------------ JSON
    def build_json(self) -> dict[str, object]:
        """Return the report as plain data. `cardlang test --help` describes the format."""
        return {
            "game": self.game.title,
            "noticed": self.caught_count,
            "missed": [build_mutant_json(result) for result in self.missed_results],
            "unsure": [build_mutant_json(result) for result in self.unsure_results],
            "same": len(self.filter_results(MutantOutcome.SAME)),
            "no_game": len(self.filter_results(MutantOutcome.NO_GAME)),
        }


def format_by_rule(missed: list[MutantResult]) -> list[str]:
    """Return the lines on uncaught mutants, grouped by source line within each rule."""
    lines = []
    for rule, of_rule in groupby(missed, key=lambda result: result.mutation.rule):
        source = rule.source
        lines += ["", f"{source.name}:{rule.line}: {clip_text(source.get_line(rule.line).strip())}"]
        for number, of_line in groupby(of_rule, key=lambda result: result.mutation.span.line):
            if number > rule.line:
                lines.append(f"  {number}: {clip_text(source.get_line(number).strip())}")
            margin = "    " if number > rule.line else "  "
            lines += [margin + line for result in of_line for line in format_missed_mutant(result)]
    return lines


def format_missed_mutant(missed: MutantResult) -> list[str]:
    change = missed.mutation
    lines = [f"{format_mutation(change)}: add an example that shows {format_example_hint(change)}."]
    return lines if missed.difference is None else [*lines, f"  {format_match_difference(missed.difference)}"]


def format_mutation(mutation: Mutation) -> str:
    """Describe a mutation, such as `2 → 3`, `highest → lowest`, `up to deleted` or `deleted`."""
    if mutation.operator == DELETED:
        under = "\n" in mutation.original
        return "deleted, with the lines nested under it" if under else "deleted"
    return f"{mutation.original} → {mutation.replacement}" if mutation.replacement else f"{mutation.original} deleted"


def format_example_hint(mutation: Mutation) -> str:
    return EXAMPLE_HINTS.get(mutation.operator, DEFAULT_HINT).format(
        old=mutation.original, new=mutation.replacement or "nothing"
    )


def format_match_difference(difference: MatchDifference) -> str:
    """Describe the difference found in a random match."""
    when = f"after move {difference.move_count} ({difference.last_move})" if difference.move_count else "at the start"
    what = (
        f"{difference.quantity}: {clip_text(difference.original_value)}; with the change: "
        f"{clip_text(difference.mutant_value)}"
    )
    return f"Seen in a match of {difference.players} (seed {difference.seed}) {when}: {what}."


def clip_text(text: str) -> str:
    return text if len(text) <= MAX_TEXT_LENGTH else f"{text[: MAX_TEXT_LENGTH - 1]}…"


def build_mutant_json(missed: MutantResult) -> dict[str, object]:
    change, shown = missed.mutation, missed.difference
    return {
        **build_position_record(change.span),
        "rule": change.rule.line,
        "variant": change.variant,
        "sort": change.operator,
        "old": change.original,
        "new": change.replacement.strip(),
        "show": format_example_hint(change),
        "match": shown and {
            "seed": shown.seed,
            "players": shown.players,
            "moves": shown.move_count,
            "move": shown.last_move,
            "what": shown.quantity,
            "now": shown.original_value,
            "changed": shown.mutant_value,
        },
    }  # fmt: skip
