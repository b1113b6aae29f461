"""Effects of statements: the cards they move, the tracks they change, the players they ask, the steps they run.

Analyses read this table instead of listing statement classes, so that a new statement needs one entry here. The table
has only direct effects: `traversal` finds the statements in bodies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal

from attrs import frozen

from cardlang import model as g


@frozen(eq=False)
class CardTransfer:
    """Cards that leave their zones for `to`.

    - `cards`: the list they are taken from.
    - `is_whole`: all of the list goes; otherwise a number of its cards.
    - `position`: where in the list that number is taken; None if a player chooses the cards.
    - `end`: where they come to lie, as in `Move`.
    """

    cards: g.Expr
    to: g.Place
    verb: g.MoveVerb = "move"
    end: g.PileEnd = "top"
    is_whole: bool = True
    position: g.PickPosition | None = None

    @property
    def gathers_sets(self) -> bool:
        """True if whole sets of cards are gathered from everywhere."""
        items = self.cards.items if isinstance(self.cards, g.Joined) else (self.cards,)
        return self.is_whole and all(isinstance(item, g.SetCards) for item in items)

    @property
    def is_chosen(self) -> bool:
        """True if a player chooses the cards."""
        return not self.is_whole and self.position is None


@frozen(eq=False)
class Effects:
    """Direct effects of one statement.

    - `shuffled`: zones whose order becomes random.
    - `revealed`: lists of cards that all players, or one, see.
    - `track_changes`: changes of tracks, as assignments.
    - `asks`: it is a choice; `may_pass`: a player may decline it.
    - `waits`: a match waits there for players. No match waits for a choice with a fixed result.
    - `steps`, `card_steps`: names of the steps that it runs, and of steps of cards.
    - `ends`: it ends a step or an announcement; `finished`: the name of the step.
    - `eliminates`: a player leaves the game; `changes_seats`: neighbours change.
    """

    transfers: tuple[CardTransfer, ...] = ()
    shuffled: tuple[g.Place, ...] = ()
    revealed: tuple[g.Expr, ...] = ()
    track_changes: tuple[g.SetTrack, ...] = ()
    asks: bool = False
    may_pass: bool = False
    waits: bool = False
    options: tuple[g.Option, ...] = ()
    steps: tuple[g.StepName, ...] = ()
    card_steps: tuple[g.BorneStepName, ...] = ()
    ends: bool = False
    finished: g.FinishedName | Literal[""] = ""
    eliminates: bool = False
    changes_seats: bool = False

    @property
    def runs_code(self) -> bool:
        """True if it may run other code directly: steps, or triggers of zones that cards enter."""
        return bool(self.steps or self.card_steps or self.transfers)


NO_EFFECTS = Effects()


def get_no_effects(_: g.Stmt) -> Effects:
    return NO_EFFECTS


def find_move_effects(move: g.Move) -> Effects:
    return Effects(transfers=(CardTransfer(move.what, move.to, move.verb, move.end),))


def find_pick_effects(pick: g.Pick) -> Effects:
    transfer = CardTransfer(pick.source, pick.to, pick.verb, is_whole=False, position=pick.position)
    return Effects(transfers=(transfer,), asks=True, may_pass=pick.may, waits=not pick.is_automatic)


EFFECTS: dict[type[g.Stmt], Callable[[Any], Effects]] = {
    g.Note: get_no_effects,
    g.Ruling: get_no_effects,
    g.Move: find_move_effects,
    g.Shuffle: lambda stmt: Effects(shuffled=(stmt.zone,)),
    g.ShufflePlayers: lambda _: Effects(changes_seats=True),
    g.Reveal: lambda stmt: Effects(revealed=(stmt.cards,)),
    g.SetTrack: lambda stmt: Effects(track_changes=(stmt,)),
    g.Remember: get_no_effects,
    g.Each: get_no_effects,
    g.Repeat: get_no_effects,
    g.If: get_no_effects,
    g.Do: lambda stmt: Effects(steps=(stmt.step,)),
    g.DoBorne: lambda stmt: Effects(card_steps=(stmt.step,)),
    g.Finish: lambda stmt: Effects(ends=True, finished=stmt.step),
    g.Eliminate: lambda _: Effects(eliminates=True, changes_seats=True),
    g.Pick: find_pick_effects,
    g.Choose: lambda stmt: Effects(asks=True, may_pass=stmt.may, waits=True),
    g.Menu: lambda stmt: Effects(asks=True, may_pass=stmt.may, waits=True, options=stmt.options),
    g.Offer: lambda stmt: Effects(asks=True, may_pass=True, waits=True, options=stmt.options),
    g.Announce: lambda _: Effects(waits=True),
    g.Cancel: lambda _: Effects(ends=True),
    g.Tell: get_no_effects,
    g.Property: get_no_effects,
}
"""For each statement class, the function that returns the effects of a statement."""


def find_effects(part: object) -> Effects:
    """Return the effects of a statement. Other parts of a game have none."""
    return EFFECTS[type(part)](part) if isinstance(part, g.Stmt) else NO_EFFECTS


def iter_effects(parts: Iterable[object]) -> Iterator[tuple[g.Stmt, Effects]]:
    """Yield the statements among some parts, with their effects."""
    return ((part, find_effects(part)) for part in parts if isinstance(part, g.Stmt))


def iter_transfers(parts: Iterable[object]) -> Iterator[CardTransfer]:
    """Yield the transfers of cards of the statements among some parts."""
    return (transfer for part in parts for transfer in find_effects(part).transfers)


def iter_track_changes(parts: Iterable[object]) -> Iterator[g.SetTrack]:
    """Yield the changes of tracks of the statements among some parts. Costs of options are not among them."""
    return (change for part in parts for change in find_effects(part).track_changes)


def find_shuffled_zones(parts: Iterable[object]) -> set[g.ZoneName]:
    return {place.zone for part in parts for place in find_effects(part).shuffled}
