"""Which rule took the last cards away that another one looks for."""

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
    """Zones of the table. `last`: by zone, the statement that took its last cards; `before`: the statement that play
    came to last, and the zones in which cards lay then."""

    def __init__(self, game: g.Game, program: Program) -> None:
        self.game, self.program = game, program
        self.moving = {part.span for part in everything(game) if isinstance(part, g.Move | g.Pick)}
        self.begin()

    def begin(self) -> None:
        """A match begins."""
        self.last: dict[str, Span] = {}
        self.before: tuple[Span, State, tuple[str, ...]] | None = None

    def at(self, span: Span, state: State) -> None:
        """Play comes to a statement."""
        if span in self.moving:
            self.look()
            base = self.program.zone_base
            zones = [zone.name for zone in self.game.zones.values() if zone.subject is None]
            self.before = (span, state, tuple(name for name in zones if state.z[base[name]]))

    def look(self) -> None:
        """What became of the zones since the last statement."""
        if self.before is not None:
            span, state, names = self.before
            self.last |= {name: span for name in names if not state.z[self.program.zone_base[name]]}

    def related(self, span: Span) -> tuple[tuple[Span, str], ...]:
        """What took the last cards from the zones of the table that a value at this place looks at."""
        self.look()
        values = (part for part in everything(self.game) if isinstance(part, g.Expr) and part.span == span)
        names = dict.fromkeys(
            part.zone for value in values for part in through(self.game, value) if isinstance(part, g.ZoneCards)
        )
        return tuple((self.last[name], f"this took the last cards of `{name}`") for name in names if name in self.last)
