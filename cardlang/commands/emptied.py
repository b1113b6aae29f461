"""Detection of the statement that emptied a zone, for notes on a rule error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardlang import game as g
from cardlang.checks.loops import through
from cardlang.game.walking import everything
from cardlang.source import Span

if TYPE_CHECKING:
    from interpreter.program import Program
    from interpreter.state import State


class Emptied:
    """Tracker of emptied zones of the table.

    `last` maps each zone to the statement that took its last cards. `before` holds the previous statement that moved
    cards, the state, and the zones that had cards then.
    """

    def __init__(self, game: g.Game, program: Program) -> None:
        self.game, self.program = game, program
        self.moving = {part.span for part in everything(game) if isinstance(part, g.Move | g.Pick)}
        self.begin()

    def begin(self) -> None:
        """Reset the tracker for a new match."""
        self.last: dict[str, Span] = {}
        self.before: tuple[Span, State, tuple[str, ...]] | None = None

    def at(self, span: Span, state: State) -> None:
        """Record which zones have cards before a statement that moves cards."""
        if span in self.moving:
            self.look()
            base = self.program.zone_base
            zones = [zone.name for zone in self.game.zones.values() if zone.subject is None]
            self.before = (span, state, tuple(name for name in zones if state.z[base[name]]))

    def look(self) -> None:
        """Record which zones the previous statement emptied."""
        if self.before is not None:
            span, state, names = self.before
            self.last |= {name: span for name in names if not state.z[self.program.zone_base[name]]}

    def related(self, span: Span) -> tuple[tuple[Span, str], ...]:
        """Return the statements that emptied the zones read by the value at `span`, each with a message."""
        self.look()
        values = (part for part in everything(self.game) if isinstance(part, g.Expr) and part.span == span)
        names = dict.fromkeys(
            part.zone for value in values for part in through(self.game, value) if isinstance(part, g.ZoneCards)
        )
        return tuple((self.last[name], f"this took the last cards of `{name}`") for name in names if name in self.last)
