"""Result pause: play waits until the viewer has read a result."""

from __future__ import annotations

from math import inf

from attrs import define, evolve

from cardlang.terminal.session import Session, is_same
from interpreter.table.model import Moment, Table

STOPPING = ("trick", "showdown", "scores", "end")
"""Kinds of results that pause play."""
READ = STOPPING[1:]
"""Kinds of results with a page of their own, including the events that led to them."""


@define
class Rest:
    """State of the result pause.

    `on`: play waits. `drawn`: time of the drawing, by the clock of key events. `looked`: results already read.
    `hurried`: the viewer is out of the match and skips to its end.

    `held`: an earlier table to read first, because the next one has no room for the events. None means the current
    table. `told`: only the events are shown. `lines`: number of event lines that the viewer reads."""

    on: bool = False
    drawn: float = inf
    looked: tuple[Moment, ...] = ()
    held: Table | None = None
    told: bool = False
    lines: int = 0
    hurried: bool = False

    def begin(self, session: Session) -> None:
        """Mark all current results as read."""
        self.looked = results_of(session)

    def is_fresh(self, session: Session) -> bool:
        """Return whether there is an unread result."""
        return not all(any(is_same(each, old) for old in self.looked) for each in results_of(session))

    def stop(self, session: Session) -> bool:
        """Pause play if there is an unread result, and return whether it pauses. No pause after the end of the
        match."""
        waits = len(session.people) == 1 and not self.hurried and not session.match.over
        self.on = waits and self.is_fresh(session)
        self.looked = results_of(session)
        self.drawn = inf
        return self.on

    def hold(self, table: Table | None, lines: int) -> None:
        """Pause until some event lines are read: on an earlier table or, without one, on their own page."""
        self.on, self.drawn = True, inf
        self.held, self.told, self.lines = table, table is None, lines

    @property
    def waits_for_reader(self) -> bool:
        """Return whether play waits for the reading of events, not of a result."""
        return self.held is not None or self.told

    def read(self, session: Session) -> None:
        """End the pause for events."""
        session.told += self.lines
        self.held, self.told, self.lines = None, False, 0

    def is_early(self, time: float) -> bool:
        """Return whether a key was pressed before the screen that it would close was visible."""
        return self.on and time < self.drawn


def results_of(session: Session) -> tuple[Moment, ...]:
    return tuple(each for each in session.table().moments if each.kind in STOPPING)


def has_page(table: Table) -> bool:
    """Return whether one of the table's results has a page of its own."""
    return any(each.kind in READ for each in table.moments)


def unasked(table: Table) -> Table:
    """Return a table without a decision, for reading the last trick.

    If the next trick has no cards yet, the last one stays on the table, without its event lines."""
    places = tuple(evolve(place, asked=False) for place in table.places)
    table, last = evolve(table, ask=None, waiting=None, places=places), next(reversed(table.moments), None)
    empty = [pile for pile in table.middle.piles if pile.form == "trick" and not pile.cards]
    if last is None or last.kind != "trick" or len(empty) != 1:
        return table
    piles = tuple(evolve(pile, cards=last.hands[0].cards) if pile is empty[0] else pile for pile in table.middle.piles)
    moments = tuple(evolve(each, lines=()) if each is last else each for each in table.moments)
    middle, heading = evolve(table.middle, piles=piles), table.heading[:-1]  # drop the number of the next trick
    return evolve(table, heading=heading, middle=middle, moments=moments)
