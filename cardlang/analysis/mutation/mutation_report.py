"""Report of a mutation test."""

from __future__ import annotations

from itertools import groupby

from attrs import frozen

from cardlang import model as g
from cardlang.analysis.mutation.mutant_equivalence import MatchDifference
from cardlang.analysis.mutation.mutant_runner import MutantOutcome, MutantResult
from cardlang.analysis.mutation.mutation_operators import DELETED, Mutation
from cardlang.diagnostics.render import build_position_record

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
        under = "\n" in mutation.original_text
        return "deleted, with the lines nested under it" if under else "deleted"
    return (
        f"{mutation.original_text} → {mutation.replacement}"
        if mutation.replacement
        else f"{mutation.original_text} deleted"
    )


def format_example_hint(mutation: Mutation) -> str:
    return EXAMPLE_HINTS.get(mutation.operator, DEFAULT_HINT).format(
        old=mutation.original_text, new=mutation.replacement or "nothing"
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
        "old": change.original_text,
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
