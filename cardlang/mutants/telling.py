"""Report on mutants, as text and as JSON."""

from __future__ import annotations

from itertools import groupby

from attrs import frozen

from cardlang import game as g
from cardlang.mutants.changes import LEFT_OUT, Change
from cardlang.mutants.judging import Judged, Verdict
from cardlang.mutants.matches import Difference

SHOWS = {
    LEFT_OUT: "what this line does",
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
ELSE = "a case where {old} and {new} give different results"
LONGEST = 70
"""Maximum length of a printed line or value, in characters."""


@frozen
class Report:
    """Results of all mutants of a game. `matches` is the number of random matches per uncaught mutant."""

    game: g.Game
    matches: int
    judged: list[Judged]

    def of(self, verdict: Verdict) -> list[Judged]:
        return [each for each in self.judged if each.verdict is verdict]

    @property
    def noticed(self) -> int:
        return len(self.of(Verdict.NOTICED))

    @property
    def missed(self) -> list[Judged]:
        """Uncaught mutants that count. Those without a difference in any random match may be equivalent and are left
        out."""
        return [each for each in self.of(Verdict.MISSED) if self.matches == 0 or each.shown is not None]

    @property
    def unsure(self) -> list[Judged]:
        return [each for each in self.of(Verdict.MISSED) if self.matches and each.shown is None]

    # ------------------------------------------------------------ text
    def text(self) -> str:
        """Return a summary and the uncaught mutants, grouped by rule and line."""
        total = self.noticed + len(self.missed)
        share = f" ({percent(self.noticed, total)} %)" if total else ""
        lines = [f"{self.game.title}: the examples catch {self.noticed} of {total} rule changes{share}."]
        lines += told_by_rule(self.missed)
        if self.unsure:
            lines += ["", f"These made no difference in {self.matches} random matches and may never make one:"]
            lines += told_by_rule(self.unsure)
        return "\n".join(lines)

    # ------------------------------------------------------------ JSON
    def data(self) -> dict[str, object]:
        """Return the report as plain data. `cardlang test --help` describes the format."""
        return {
            "game": self.game.title,
            "noticed": self.noticed,
            "missed": [data_of(each) for each in self.missed],
            "unsure": [data_of(each) for each in self.unsure],
            "same": len(self.of(Verdict.SAME)),
            "no_game": len(self.of(Verdict.NO_GAME)),
        }


def percent(part: int, whole: int) -> int:
    """Return a percentage, rounded down, so that 100 means all."""
    return 100 * part // whole


def told_by_rule(missed: list[Judged]) -> list[str]:
    """Return the lines on uncaught mutants, grouped by source line within each rule."""
    lines = []
    for rule, of_rule in groupby(missed, key=lambda each: each.change.rule):
        source = rule.source
        lines += ["", f"{source.name}:{rule.line}: {clipped(source.line(rule.line).strip())}"]
        for number, of_line in groupby(of_rule, key=lambda each: each.change.place.line):
            if number > rule.line:
                lines.append(f"  {number}: {clipped(source.line(number).strip())}")
            margin = "    " if number > rule.line else "  "
            lines += [margin + line for each in of_line for line in told(each)]
    return lines


def told(missed: Judged) -> list[str]:
    change = missed.change
    lines = [f"{told_change(change)}: add an example that shows {shows(change)}."]
    return lines if missed.shown is None else [*lines, f"  {told_difference(missed.shown)}"]


def told_change(change: Change) -> str:
    """Describe a mutation, such as `2 → 3`, `highest → lowest`, `up to deleted` or `deleted`."""
    if change.sort == LEFT_OUT:
        under = "\n" in change.old
        return "deleted, with the lines nested under it" if under else "deleted"
    return f"{change.old} → {change.new}" if change.new else f"{change.old} deleted"


def shows(change: Change) -> str:
    return SHOWS.get(change.sort, ELSE).format(old=change.old, new=change.new or "nothing")


def told_difference(shown: Difference) -> str:
    """Describe the difference found in a random match."""
    when = f"after move {shown.moves} ({shown.move})" if shown.moves else "at the start"
    what = f"{shown.what}: {clipped(shown.now)}; with the change: {clipped(shown.changed)}"
    return f"Seen in a match of {shown.players} (seed {shown.seed}) {when}: {what}."


def clipped(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def data_of(missed: Judged) -> dict[str, object]:
    change, shown = missed.change, missed.shown
    start, end = change.place.source.place(change.place.start), change.place.source.place(change.place.end)
    return {
        "file": change.place.source.name,
        "line": start[0],
        "column": start[1],
        "end_line": end[0],
        "end_column": end[1],
        "rule": change.rule.line,
        "variant": change.variant,
        "sort": change.sort,
        "old": change.old,
        "new": change.new.strip(),
        "show": shows(change),
        "match": shown and {
            "seed": shown.seed,
            "players": shown.players,
            "moves": shown.moves,
            "move": shown.move,
            "what": shown.what,
            "now": shown.now,
            "changed": shown.changed,
        },
    }  # fmt: skip
