"""What came of the changes, for people and for programs."""

from __future__ import annotations

from itertools import groupby

from attrs import frozen

from cardlang import game as g
from cardlang.mutants.changes import LEFT_OUT, Change
from cardlang.mutants.judging import Judged, Verdict
from cardlang.mutants.matches import Difference

SHOWS = {
    LEFT_OUT: "what this line does",
    "number": "a case in which {old} and {new} come to different ends",
    "bound": "a case in which both sides are equal",
    "direction": "a case in which both sides differ",
    "comparison": "what follows from this comparison",
    "negation": "what follows from this condition",
    "side": "three players or more, of whom the one on the {old} differs from the one on the {new}",
    "joining": "a case in which one side holds and the other does not",
    "quantifier": "a case in which some do and others do not",
    "zone": "a case in which {old} and {new} hold different cards",
    "limit": "a case in which the number is not exactly this",
    "choice": "what may be chosen here, and whether passing is open",
    "players": "a case in which it matters whether the player counts as well",
    "chance": "what does not depend on chance here, if anything",
}
"""What an example has to show for a change of a sort to be noticed."""
ELSE = "a case in which {old} and {new} come to different ends"
LONGEST = 70
"""Characters of a line or of a value that are told."""


@frozen
class Report:
    """What came of the changes of a game. `matches`: in so many random matches a difference was looked for."""

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
        """Those that count: of those that make no difference in any match nobody knows that they are changes."""
        return [each for each in self.of(Verdict.MISSED) if self.matches == 0 or each.shown is not None]

    @property
    def unsure(self) -> list[Judged]:
        return [each for each in self.of(Verdict.MISSED) if self.matches and each.shown is None]

    # ------------------------------------------------------------ for people
    def text(self) -> str:
        """A summary, then the missed changes: rule by rule, line by line."""
        total = self.noticed + len(self.missed)
        share = f" ({percent(self.noticed, total)} %)" if total else ""
        lines = [f"{self.game.title}: examples notice {self.noticed} of {total} changes to the rules{share}."]
        lines += told_by_rule(self.missed)
        if self.unsure:
            lines += ["", f"These made no difference in {self.matches} random matches, and may make none at all:"]
            lines += told_by_rule(self.unsure)
        return "\n".join(lines)

    # ------------------------------------------------------------ for programs
    def data(self) -> dict[str, object]:
        """For programs: see `cardlang test --help`."""
        return {
            "game": self.game.title,
            "noticed": self.noticed,
            "missed": [data_of(each) for each in self.missed],
            "unsure": [data_of(each) for each in self.unsure],
            "same": len(self.of(Verdict.SAME)),
            "no_game": len(self.of(Verdict.NO_GAME)),
        }


def percent(part: int, whole: int) -> int:
    """Rounded down: 100 is all of them."""
    return 100 * part // whole


def told_by_rule(missed: list[Judged]) -> list[str]:
    """The changes under their lines, and these under the rules that they are in."""
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
    lines = [f"{told_change(change)}: an example would have to show {shows(change)}."]
    return lines if missed.shown is None else [*lines, f"  {told_difference(missed.shown)}"]


def told_change(change: Change) -> str:
    """`2 → 3`, `highest → lowest`, `up to left out`, `left out`."""
    if change.sort == LEFT_OUT:
        under = "\n" in change.old
        return "left out, with what stands under it" if under else "left out"
    return f"{change.old} → {change.new}" if change.new else f"{change.old} left out"


def shows(change: Change) -> str:
    return SHOWS.get(change.sort, ELSE).format(old=change.old, new=change.new or "nothing")


def told_difference(shown: Difference) -> str:
    """Where a random match shows it."""
    when = f"after move {shown.moves} ({shown.move})" if shown.moves else "at the start"
    what = f"{shown.what}: {clipped(shown.now)}; with the change: {clipped(shown.changed)}"
    return f"A match of {shown.players} (seed {shown.seed}) shows it {when}: {what}."


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
