"""Results that play waits for: what is looked at, and since when."""

from __future__ import annotations

from math import inf

from attrs import define, evolve

from cardlang.terminal.session import Session, is_same
from interpreter.table.model import Moment, Table

STOPPING = ("trick", "showdown", "scores", "end")
"""Kinds of results that play waits for."""
READ = STOPPING[1:]
"""Those that have a page of their own, with all that led to them."""


@define
class Rest:
    """Whether a result is being looked at, and play waits (`on`). `drawn`: the time at which it was drawn, by the clock
    of the keys; `looked`: the results that were looked at. `held`: the table that is looked at, as the next one has no
    room for what happened; None for the present one, of which the story alone is read if `told`. `lines`: so many
    lines of what happened are read then. `hurried`: whoever looks has no more part in the match, and wants to see its
    end."""

    on: bool = False
    drawn: float = inf
    looked: tuple[Moment, ...] = ()
    held: Table | None = None
    told: bool = False
    lines: int = 0
    hurried: bool = False

    def begin(self, session: Session) -> None:
        """What came of it before is no news."""
        self.looked = results_of(session)

    def is_fresh(self, session: Session) -> bool:
        """Whether a result has come that was not looked at."""
        return not all(any(is_same(each, old) for old in self.looked) for each in results_of(session))

    def stop(self, session: Session) -> bool:
        """Whether a result has come that is to be looked at before play goes on; after the end it goes on no more."""
        waits = len(session.people) == 1 and not self.hurried and not session.match.over
        self.on = waits and self.is_fresh(session)
        self.looked = results_of(session)
        self.drawn = inf
        return self.on

    def hold(self, table: Table | None, lines: int) -> None:
        """Play waits until so many lines are read: on a table that was, or, without one, on a page of their own."""
        self.on, self.drawn = True, inf
        self.held, self.told, self.lines = table, table is None, lines

    @property
    def waits_for_reader(self) -> bool:
        """Whether play waits until something is read that is no result."""
        return self.held is not None or self.told

    def read(self, session: Session) -> None:
        """The lines that play waited for are read."""
        session.told += self.lines
        self.held, self.told, self.lines = None, False, 0

    def is_early(self, time: float) -> bool:
        """Whether a key was pressed before what it would close was seen."""
        return self.on and time < self.drawn


def results_of(session: Session) -> tuple[Moment, ...]:
    return tuple(each for each in session.table().moments if each.kind in STOPPING)


def has_page(table: Table) -> bool:
    """Whether one of its results has a page of its own."""
    return any(each.kind in READ for each in table.moments)


def unasked(table: Table) -> Table:
    """A table while its last trick is looked at: it lies there still, if nobody has led to the next, and need not be
    told card by card."""
    places = tuple(evolve(place, asked=False) for place in table.places)
    table, last = evolve(table, ask=None, waiting=None, places=places), next(reversed(table.moments), None)
    empty = [pile for pile in table.middle.piles if pile.form == "trick" and not pile.cards]
    if last is None or last.kind != "trick" or len(empty) != 1:
        return table
    piles = tuple(evolve(pile, cards=last.hands[0].cards) if pile is empty[0] else pile for pile in table.middle.piles)
    moments = tuple(evolve(each, lines=()) if each is last else each for each in table.moments)
    middle, heading = evolve(table.middle, piles=piles), table.heading[:-1]  # the next trick has a number already
    return evolve(table, heading=heading, middle=middle, moments=moments)
