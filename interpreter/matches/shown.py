"""Values that the game shows to players, limited to each player's knowledge."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from functools import cached_property
from typing import Any

from attrs import evolve, frozen

from cardlang import game as g
from cardlang.words import plain
from interpreter.errors import RuleError
from interpreter.knowing import Looked, known_value
from interpreter.matches.names import Names
from interpreter.matches.worth import words_of
from interpreter.ranking.reader import Reading
from interpreter.state import State


@frozen
class ShownView:
    """A value that the game shows.

    - `owner`: the player or value of a kind that it belongs to.
    - `value`: an exact number, a bool for a flag, a name otherwise, or None if absent.
    - `text`: the value as people write it.
    - `cards`: codes of the cards that it is, or that count in it. For a ranked hand, these are the cards of its rank.
    - `open`: all players may know it.
    """

    name: str
    noun: str
    owner: str | None
    subject: str | None
    value: int | Fraction | bool | str | None
    text: str
    cards: tuple[str, ...]
    open: bool


@frozen
class HeldView:
    """The value of a player's own cards.

    - `noun`: its name. `text`: the value as people write it.
    - `cards`: refs of the cards that count.
    - `ranked`: it is a rank with a title.
    - `split`: it is a split into groups, and its cards are ordered group by group.
    - `rest`: codes of the cards in no group.
    - `words`: sentences about kickers, shared cards, outs, wild cards and ties, with the author's text.
    """

    noun: str
    text: str
    cards: tuple[str, ...]
    ranked: bool
    split: bool = False
    rest: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


Seen = tuple[g.Track | g.Define, int | None, Any, int]
"""Declaration, owner, value, and the seats that may know it."""


class Look:
    """Shown values of one state. They are computed once for all observers."""

    def __init__(self, names: Names, state: State, lying: State | None = None) -> None:
        """Create the values. `lying`: state with the assumed card positions, if not `state`."""
        self.names, self.state, self.lying = names, state, lying or state

    @cached_property
    def looked(self) -> Looked:
        return Looked.of(self.state)

    @cached_property
    def shown(self) -> list[tuple[ShownView, int]]:
        """Shown values, each with the set of seats that may know it, as bits."""
        names, spectator = self.names, self.names.program.players
        return [
            (shown_view(names, declared, of, value, bool(knowing >> spectator & 1)), knowing)
            for each in names.facts.shown
            for declared, of, value, knowing in self.values(*each)
        ]

    def of_cards(self, seat: int) -> tuple[tuple[str, ShownView], ...]:
        """Return values computed for single cards of a player, by ref.

        The player must be able to identify the card and know the value. False and empty values are left out.
        """
        names, found = self.names, []
        for pile, slot in enumerate(names.program.zones) if names.facts.of_cards else ():
            if slot.zone.subject != "player" or slot.of != seat:
                continue
            for card in self.state.z[pile]:
                if not names.program.visible(self.state, card, seat):
                    continue
                for declared, expr in names.facts.of_cards:
                    env = {} if declared.var is None else {declared.var.id: card}
                    with suppress(RuleError):
                        value, knowing = known_value(names.program, expr, self.looked, env)
                        if knowing >> seat & 1 and value is not None and value is not False and value != []:
                            view = shown_view(names, declared, None, value, bool(knowing >> names.program.players & 1))
                            found.append((names.refs.card(self.state, card), view))
        return tuple(found)

    @cached_property
    def held(self) -> list[tuple[Seen, g.Expr]]:
        """Values of hands, each with its expression."""
        return [(seen, each[1]) for each in self.names.facts.held for seen in self.values(*each)]

    @cached_property
    def best(self) -> str:
        """Ref of the best card of the trick, if all players know it; else empty."""
        expr = self.names.facts.best_of
        if expr is None:
            return ""
        with suppress(RuleError):
            card, knowing = known_value(self.names.program, expr, self.looked, {})
            if card is not None and knowing >> self.names.program.players & 1:
                return self.names.refs.card(self.state, card)
        return ""

    @cached_property
    def sides(self) -> tuple[str | None, ...]:
        """Public team, or other value of a kind, of each player in seat order."""
        expr = self.names.facts.side
        if not isinstance(expr, g.Call) or not isinstance(expr.of, g.Var):
            return ()
        found: list[str | None] = []
        for seat in range(self.names.program.players):
            value, knowing = known_value(self.names.program, expr, self.looked, {expr.of.id: seat})
            is_open = value is not None and knowing >> self.names.program.players & 1
            found.append(self.names.value(expr.type, value) if is_open else None)
        return tuple(found)

    def values(self, declared: g.Track | g.Define, expr: g.Expr) -> Iterator[Seen]:
        """Yield the values of a declaration for each owner, if they exist."""
        for of in self.names.program.layout.owners(declared.subject):
            env = {} if declared.var is None or of is None else {declared.var.id: of}
            with suppress(RuleError):
                yield declared, of, *known_value(self.names.program, expr, self.looked, env)

    def shown_to(self, seat: int) -> tuple[ShownView, ...]:
        """Return the shown values that a seat may know. The seat `players` of the program is a spectator."""
        return tuple(view for view, knowing in self.shown if knowing >> seat & 1)

    def held_by(self, seat: int) -> tuple[HeldView, ...]:
        """Return the values of a player's own cards that are not public. Equal texts appear once."""
        spectator = self.names.program.players
        found: dict[str, HeldView] = {}
        for (declared, of, value, knowing), expr in self.held:
            if of == seat and knowing >> seat & 1 and not knowing >> spectator & 1 and value is not None:
                held = held_view(self.names, self.lying, declared, value)
                if isinstance(value, Reading) and held.text not in found:
                    held = evolve(
                        held,
                        words=tuple(
                            words_of(self.names, self.state, self.lying, seat, value, expr, str(declared.type.of))
                        ),
                    )
                found.setdefault(held.text, held)
        return tuple(found.values())


def held_view(names: Names, state: State, declared: g.Track | g.Define, value: Any) -> HeldView:
    noun = plain(declared.noun.singular)
    if not isinstance(value, Reading):
        return HeldView(noun, names.value(declared.type, value), (), False)
    ranking = names.game.rankings[str(declared.type.of)]
    split = ranking.size == "groups"
    return HeldView(
        noun=noun,
        text=names.told(declared.type, value),
        cards=tuple(names.refs.card(state, card) for card in value.used),
        ranked=not split,
        split=split,
        rest=tuple(names.code(card) for card in value.rest) if split else (),
    )


def shown_view(names: Names, declared: g.Track | g.Define, of: int | None, value: Any, everybody: bool) -> ShownView:
    return ShownView(
        name=declared.name,
        noun=plain(declared.noun.plural if declared.noun.counted else declared.noun.singular),
        owner=names.owner(declared.subject, of),
        subject=declared.subject,
        value=exactly(names, declared.type, value),
        text=names.told(declared.type, value),
        cards=tuple(names.code(card) for card in cards_of(declared.type, value)),
        open=everybody,
    )


def exactly(names: Names, type_: g.Type, value: Any) -> int | Fraction | bool | str | None:
    if type_.tag == "flag":
        return bool(value)
    return value if type_.tag == "number" or value is None else names.value(type_, value)


def cards_of(type_: g.Type, value: Any) -> tuple[int, ...]:
    """Return the cards that a value is, or that count in it."""
    if isinstance(value, Reading):
        return value.used
    if type_.tag == "card":
        return () if value is None else (value,)
    return tuple(value) if type_.item is not None and type_.item.tag == "card" else ()
