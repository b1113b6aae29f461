"""Effects of statements: the cards they move, the tracks they change, the variables they bind, the steps they run.

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
    - `end`: where they come to lie, as in `Move`; `between`: on or under a card of the pile.
    """

    cards: g.Expr
    to: g.Place
    verb: g.MoveVerb = "move"
    end: g.PileEnd | Literal["between"] = "top"
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


BindingKind = Literal["value", "item", "choice", "argument", "bearer"]


@frozen(eq=False)
class Binding:
    """Variable that a statement binds, and the source of its value.

    - `kind`: the variable is the value itself, an item of a list in a loop, a player's choice, an argument of a step,
      or the card that a step of cards runs on.
    - `source`: the value, or the list that it comes from; None for a choice of a number.
    - `scope`: fields of the statement in which the variable is in scope; `lasts`: also in the statements after it.
    """

    var: g.Var
    kind: BindingKind
    source: g.Expr | None
    scope: tuple[str, ...] = ()
    lasts: bool = False


@frozen(eq=False)
class Effects:
    """Direct effects of one statement.

    - `shuffled`: zones whose order becomes random; `hidden`: cards that players forget.
    - `revealed`: lists of cards that all players, or one, see.
    - `track_changes`: changes of tracks, as assignments.
    - `bindings`: variables that it binds. `find_bindings` adds the parameters of steps.
    - `asks`: it is a choice; `may_pass`: a player may decline it.
    - `waits`: a match waits there for players. No match waits for a choice with a fixed result.
    - `steps`, `card_steps`: names of the steps that it runs, and of steps of cards.
    - `arguments`: values of the parameters of `steps`; `bearer`: the card that `card_steps` run on.
    - `ends`: it ends a step or an announcement; `finished`: the name of the step.
    - `eliminates`: a player leaves the game; `changes_seats`: neighbours change.
    """

    transfers: tuple[CardTransfer, ...] = ()
    shuffled: tuple[g.Place, ...] = ()
    hidden: tuple[g.Place, ...] = ()
    revealed: tuple[g.Expr, ...] = ()
    track_changes: tuple[g.SetTrack, ...] = ()
    bindings: tuple[Binding, ...] = ()
    asks: bool = False
    may_pass: bool = False
    waits: bool = False
    options: tuple[g.Option, ...] = ()
    steps: tuple[g.StepName, ...] = ()
    card_steps: tuple[g.BorneStepName, ...] = ()
    arguments: tuple[g.Expr, ...] = ()
    bearer: g.Expr | None = None
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


def find_insert_effects(insert: g.Insert) -> Effects:
    transfers = (CardTransfer(insert.what, place, insert.verb, "between") for place in insert.places)
    return Effects(transfers=tuple(transfers))


def find_pick_effects(pick: g.Pick) -> Effects:
    transfer = CardTransfer(pick.source, pick.to, pick.verb, is_whole=False, position=pick.position)
    return Effects(transfers=(transfer,), asks=True, may_pass=pick.may, waits=not pick.is_automatic)


def find_choose_effects(choose: g.Choose) -> Effects:
    binding = Binding(choose.var, "choice", choose.domain.list, ("provided", "body"), lasts=True)
    return Effects(bindings=(binding,), asks=True, may_pass=choose.may, waits=True)


def find_offer_effects(offer: g.Offer) -> Effects:
    binding = Binding(offer.var, "item", offer.list, ("condition", "options"))
    return Effects(bindings=(binding,), asks=True, may_pass=True, waits=True, options=offer.options)


EFFECTS: dict[type[g.Stmt], Callable[[Any], Effects]] = {
    g.Note: get_no_effects,
    g.Ruling: get_no_effects,
    g.Move: find_move_effects,
    g.Insert: find_insert_effects,
    g.Shuffle: lambda stmt: Effects(shuffled=(stmt.zone,)),
    g.ShufflePlayers: lambda _: Effects(changes_seats=True),
    g.Hide: lambda stmt: Effects(hidden=(stmt.cards,)),
    g.Reveal: lambda stmt: Effects(revealed=(stmt.cards,)),
    g.SetTrack: lambda stmt: Effects(track_changes=(stmt,)),
    g.Remember: lambda stmt: Effects(bindings=(Binding(stmt.var, "value", stmt.value, lasts=True),)),
    g.Each: lambda stmt: Effects(bindings=(Binding(stmt.var, "item", stmt.list, ("condition", "body")),)),
    g.Repeat: get_no_effects,
    g.If: get_no_effects,
    g.Do: lambda stmt: Effects(steps=(stmt.step,), arguments=stmt.args),
    g.DoBorne: lambda stmt: Effects(card_steps=(stmt.step,), bearer=stmt.card),
    g.Finish: lambda stmt: Effects(ends=True, finished=stmt.step),
    g.Eliminate: lambda _: Effects(eliminates=True, changes_seats=True),
    g.Pick: find_pick_effects,
    g.Choose: find_choose_effects,
    g.Menu: lambda stmt: Effects(asks=True, may_pass=stmt.may, waits=True, options=stmt.options),
    g.Offer: find_offer_effects,
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


def find_bindings(game: g.Game, part: object) -> list[Binding]:
    """Return the variables that a statement or an option binds, including the parameters of the steps that it runs."""
    if isinstance(part, g.Option):
        return [Binding(var, "choice", domain.list) for var, domain in part.binders]
    effects = find_effects(part)
    bindings = [*effects.bindings]
    for name in effects.steps:
        pairs = zip(game.steps[name].params, effects.arguments, strict=True)
        bindings += [Binding(var, "argument", value) for var, value in pairs]
    for name in effects.card_steps:
        bearers = [body.card for body in game.borne_steps[name].bodies if body]
        bindings += [Binding(card, "bearer", effects.bearer) for card in bearers]
    return bindings
