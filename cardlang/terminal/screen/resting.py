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
    of the keys; `looked`: the results that were looked at."""

    on: bool = False
    drawn: float = inf
    looked: tuple[Moment, ...] = ()

    def begin(self, table: Table) -> None:
        """Tricks that ended before are no news."""
        self.looked = tuple(each for each in table.moments if each.kind == "trick")

    def stop(self, session: Session) -> bool:
        """Whether a result has come that is to be looked at before play goes on."""
        results = tuple(each for each in session.table().moments if each.kind in STOPPING)
        fresh = not all(any(is_same(each, old) for old in self.looked) for each in results)
        self.looked = results
        self.on = fresh and len(session.people) == 1
        self.drawn = inf
        return self.on

    def is_early(self, time: float) -> bool:
        """Whether a key was pressed before what it would close was seen."""
        return self.on and time < self.drawn


def has_page(table: Table) -> bool:
    """Whether one of its results has a page of its own."""
    return any(each.kind in READ for each in table.moments)


def unasked(table: Table) -> Table:
    """A table while its last trick is looked at."""
    return evolve(table, ask=None, waiting=None)
