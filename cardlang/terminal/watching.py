"""A match of bots, told as it goes."""

from __future__ import annotations

from pathlib import Path

from attrs import define

from cardlang.plain_text import visible
from cardlang.source import Span
from cardlang.terminal.telling import tell_lines
from interpreter.matches.events import Line
from interpreter.matches.match import Match

BATCH = 50
"""The log is told again after so many decisions."""
COLUMN = 60


@define
class Teller:
    """Prints what a spectator sees or, with `trace`, all that the referee sees, the rule's line beside it."""

    match: Match
    trace: bool
    told: int = 0
    waiting: int = 0

    def tell(self, to_the_end: bool = False) -> None:
        """Prints what has happened since last time, if it is time to."""
        self.waiting += 1
        if self.waiting < BATCH and not to_the_end:
            return
        self.waiting = 0
        lines = self.match.trace if self.trace else self.match.log_of(self.match.program.players)
        for line in lines[self.told :]:
            tell_lines(traced(line) if self.trace else line)
        self.told = len(lines)


def traced(line: Line) -> str:
    """A line of the log with the rule that made it beside it, or below if the line is long."""
    if line.span is None:
        return line
    beside = f"{line:{COLUMN}}" if len(line) < COLUMN else f"{line}\n{'':{COLUMN}}"
    return f"{beside} {rule_at(line.span)}"


def rule_at(span: Span) -> str:
    """The line of a rule: `tall_tales.cardgame:63: you play 1 from your playable to table`."""
    return f"{visible(Path(span.source.name).name)}:{span.line}: {span.source.line(span.line).strip()}"
