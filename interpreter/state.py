"""Where a match stands: flat lists of integers, nothing else.

Layout. Every track has a run of slots in `t`, every zone a run of piles in `z`: one for the table, or one for each
seat, card or member of its kind. `Program.tracks` and `Program.zones` tell which is which.
Fractions are kept as integers, multiplied by the track's `scale`. Absent values are `ABSENT`.
"""

from __future__ import annotations

from typing import Any, Protocol

from attrs import frozen

from cardlang import game as g

ABSENT = -1
"""No card, player or member."""
NO_NUMBER = -(1 << 62)
"""An absent number."""
UNLIMITED = 1 << 62
"""A number without limit."""
DONE = 0
"""The code of `pass` and of `done`; every other move has a code above it."""


class Chance(Protocol):
    """A random state that decides for itself, where outcomes are given and not drawn from a seed."""

    def below(self, state: State, count: int) -> int: ...

    def shuffle(self, state: State, items: list[int]) -> None: ...


class State:
    """A match as data. `clone` copies it, `as_data` and `from_data` go to and from plain lists.

    t: tracks; z: piles, each a list of card numbers from the bottom up; loc: for each card the number of its pile
    (ABSENT: out of play, in examples only); owner: for each card the seat whose zone it was last in, or ABSENT;
    known: for each card a bit set of the seats that know which card it is where it lies (bit `players` is the
    spectator's), beside those who see it because of its zone; order: all seats in the order of play; out: bit set of
    the seats eliminated; alive: the seats of `order` that are not; rng: the random state; frames: the stack of
    what is going on, each a list [block, locals …] (lists among the locals are never changed, only replaced);
    picks: what has been picked so far in a choice of several cards; who: the seat that is asked, ABSENT when the
    match is over; legal: codes of the moves open to it, made anew on demand; fuel: steps left until the next
    decision; events: what happened, when somebody listens; checking: whether what steps `expect` is looked at.
    """

    __slots__ = (
        "alive", "checking", "events", "frames", "fuel", "known", "legal", "loc", "order", "out", "owner", "picks",
        "rng", "t", "who", "z",
    )  # fmt: skip

    t: list[int]
    z: list[list[int]]
    loc: list[int]
    owner: list[int]
    known: list[int]
    order: list[int]
    alive: list[int]
    out: int
    rng: int | Chance
    frames: list[list[Any]]
    picks: list[int]
    who: int
    legal: list[int]
    fuel: int
    events: list[tuple[Any, ...]] | None
    checking: bool


@frozen
class ZoneSlot:
    """A pile. `of`: None (the table's), a seat, or the place of a member; `viewer`: as in `cardlang.game.Zone`."""

    zone: g.Zone
    of: int | None


@frozen
class TrackSlot:
    """A slot of `t`. `of`: None, a seat, a member's place or a card's number."""

    track: g.Track
    of: int | None
    scale: int


@frozen
class Site:
    """A place in the game where somebody decides.

    `kind`:
    - `pick`: cards are chosen one by one. Code: 1 + card, DONE when enough. `statement` is a Pick.
    - `number`: how many cards from the top (or at random). Code: 1 + number. `statement` is a Pick; DONE: passed.
    - `choose`: a value. Code: 1 + value; `statement` is a Choose. DONE: passed.
    - `several`: values one by one, like `pick`. `statement` is a Choose.
    - `menu`, `offer`, `react`: options with bindings, see `options` and `Program.decode`. DONE: passed.
    """

    number: int
    kind: str
    statement: g.Stmt | None
    options: tuple[g.Option, ...]
    radices: tuple[tuple[int, ...], ...]
    """For each option the radix of each binder (0: the last one, without bound). A code is
    1 + option + len(options) * (value1 + radix1 * (value2 + radix2 * …))."""

    @property
    def asks_number(self) -> bool:
        """Whether nothing but a number is chosen. Code: 1 + number."""
        asked = getattr(self.statement, "var", None)
        return not self.options and (self.kind == "number" or (asked is not None and asked.type.tag == "number"))

    @property
    def asks_several(self) -> bool:
        """Whether more than one card or value may be chosen, one by one."""
        high = getattr(self.statement, "high", None)
        return self.kind in ("pick", "several") and not (isinstance(high, g.Const) and high.value == 1)

    @property
    def picks_freely(self) -> bool:
        """Whether who picks cards says how many as well, within bounds."""
        pick = self.statement
        return self.kind == "pick" and isinstance(pick, g.Pick) and (pick.low is None or pick.low != pick.high)
