"""Live log of a match between bots."""

from __future__ import annotations

from pathlib import Path

from attrs import define

from cardlang.plain_text import visible
from cardlang.source import Span
from cardlang.terminal.telling import tell_lines
from interpreter.matches.events import Line
from interpreter.matches.match import Match

BATCH = 50
"""Number of decisions between updates of the log."""
COLUMN = 60


@define
class Teller:
    """Printer of the spectator's log or, with `trace`, of the referee's log with the source line of each rule."""

    match: Match
    trace: bool
    told: int = 0
    waiting: int = 0

    def tell(self, to_the_end: bool = False) -> None:
        """Print new log lines if `BATCH` decisions have passed, or always if `to_the_end`."""
        self.waiting += 1
        if self.waiting < BATCH and not to_the_end:
            return
        self.waiting = 0
        lines = self.match.trace if self.trace else self.match.log_of(self.match.program.players)
        for line in lines[self.told :]:
            tell_lines(traced(line) if self.trace else line)
        self.told = len(lines)


def traced(line: Line) -> str:
    """Return a log line with its rule next to it, or below it if the line is long."""
    if line.span is None:
        return line
    beside = f"{line:{COLUMN}}" if len(line) < COLUMN else f"{line}\n{'':{COLUMN}}"
    return f"{beside} {rule_at(line.span)}"


def rule_at(span: Span) -> str:
    """Return the location and source of a rule: `tall_tales.cardgame:63: you play 1 from your playable to table`."""
    return f"{visible(Path(span.source.name).name)}:{span.line}: {span.source.line(span.line).strip()}"
