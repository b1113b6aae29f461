"""Flat game state, its slots and its decision sites.

Layout: every track has a run of slots in `t`, every zone a run of piles in `z`: one for the table, or one for each
seat, card or member of its kind. `Program.tracks` and `Program.zones` describe them. Fractions are stored as
integers, multiplied by the track's `scale`. Absent values are `ABSENT`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Protocol

from attrs import frozen

from cardlang import model as g

ABSENT = -1
"""No card, player or member."""
NO_NUMBER = -(1 << 62)
"""Absent number."""
UNLIMITED = 1 << 62
"""Number without limit."""
DONE = 0
"""Code of `pass` and of `done`; every other move has a higher code."""


class ChanceSource(Protocol):
    """Random state with its own outcomes, which are not drawn from a seed."""

    def below(self, state: State, count: int) -> int: ...

    def shuffle(self, state: State, items: list[int]) -> None: ...


class State:
    """State of a match as flat data. `Program.clone` copies it.

    - t: tracks
    - z: piles, each a list of card numbers from the bottom up
    - loc: for each card, the number of its pile (ABSENT: out of play, in examples only)
    - owner: for each card, the seat whose zone it was last in, or ABSENT
    - known: for each card, a bit mask of the seats that know it in its current place (bit `players`: spectators), in
      addition to those who see its zone
    - order: all seats in the order of play
    - out: bit mask of the eliminated seats
    - alive: the seats of `order` that are not eliminated
    - rng: the random state
    - frames: the call stack, each frame a list [block, locals …] (lists among the locals are replaced, never
      changed)
    - picks: the items picked so far in a choice of several
    - who: the current player's seat; ABSENT when the match is over
    - legal: codes of the legal moves, recomputed on demand
    - fuel: steps left until the next decision
    - events: the events, if there are listeners
    - checking: whether `expect` in steps is checked"""

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
    rng: int | ChanceSource
    frames: list[list[Any]]
    picks: list[int]
    who: int
    legal: list[int]
    fuel: int
    events: list[tuple[Any, ...]] | None
    checking: bool


@frozen
class ZoneSlot:
    """Pile. `of`: None (the table's), a seat, or the index of a member; `second`: the index of the second owner."""

    zone: g.Zone
    of: int | None
    second: int | None


@frozen
class TrackSlot:
    """Slot of `t`. `of`: None, a seat, a member's index or a card's number; `second`: of its second owner."""

    track: g.Track
    of: int | None
    scale: int
    second: int | None


@frozen
class DecisionPoint:
    """Decision point in the game.

    `kind`:
    - `pick`: cards are chosen one by one. Code: 1 + card, DONE when enough. `statement` is a Pick.
    - `number`: the number of cards from the top (or at random). Code: 1 + number. `statement` is a Pick; DONE:
      passed.
    - `choose`: a value. Code: 1 + value; `statement` is a Choose. DONE: passed.
    - `several`: values one by one, like `pick`. `statement` is a Choose.
    - `menu`, `offer`, `react`: options with bindings, see `options` and `Program.decode_move`. DONE: passed."""

    number: int
    kind: str
    statement: g.Stmt | None
    options: tuple[g.Option, ...]
    radices: tuple[tuple[int, ...], ...]
    """For each option, the radix of each binder (0: the last one, without bound). A code is 1 + option +
    len(options) * (value1 + radix1 * (value2 + radix2 * …))."""

    @property
    def asks_number(self) -> bool:
        """Return whether only a number is chosen. Code: 1 + number."""
        asked = getattr(self.statement, "var", None)
        return not self.options and (self.kind == "number" or (asked is not None and asked.type.tag == "number"))

    @property
    def asks_several(self) -> bool:
        """Return whether more than one card or value may be chosen, one by one."""
        high = getattr(self.statement, "high", None)
        return self.kind in ("pick", "several") and not (isinstance(high, g.Const) and high.value == 1)

    @property
    def picks_freely(self) -> bool:
        """Return whether the player also chooses the number of cards to pick, within bounds."""
        pick = self.statement
        return self.kind == "pick" and isinstance(pick, g.Pick) and (pick.low is None or pick.low != pick.high)


def get_choice_type(site: DecisionPoint) -> g.Type:
    """Return the type of value chosen at a decision without options."""
    if site.kind == "pick":
        return g.CARD
    if site.kind == "number":
        return g.NUMBER
    assert isinstance(site.statement, g.Choose)
    return site.statement.var.type.item or site.statement.var.type


def get_initial_value(type_: g.Type) -> int:
    return 0 if type_.tag in ("number", "flag") else ABSENT


def to_displayed_value(value: Any, type_: g.Type, scale: int) -> Any:
    """Convert an internal value to its displayed form."""
    if type_.tag == "list":
        return [to_displayed_value(item, type_.item or g.NOTHING, scale) for item in value]
    if type_.tag == "number":
        if value == NO_NUMBER:
            return None
        if value >= UNLIMITED:
            return g.UNLIMITED
        exact = Fraction(value, scale)
        return int(exact) if exact.denominator == 1 else exact
    if type_.tag == "flag":
        return bool(value)
    if type_.tag == "text":
        return value or None
    return None if type_.tag in ("player", "card", "member") and value == -1 else value
