"""What the game says that players want to see, as far as one of them may."""

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
    """A value that players want to see. `owner`: the player or the member of a kind whose it is; `value`: a number
    exactly, a flag as a bool, else a name, None if absent; `text`: how people write it; `cards`: the codes of the cards
    that it is, or that count in it: of a hand that is read, those that make its rank. `open`: everybody may know it."""

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
    """What a player's own cards are worth. `noun`: what that is called; `text`: how people write it; `cards`: refs of
    those that count; `ranked`: it is a rank, by its title; `split`: it is a split into groups, whose cards are those of
    one group after another; `rest`: the codes of those that are left over by it; `words`: what decides next, whether
    everybody has it, what the next card may make of it, what its wild cards count as, and which cards lift it or drag
    it down, with the author's words."""

    noun: str
    text: str
    cards: tuple[str, ...]
    ranked: bool
    split: bool = False
    rest: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


Seen = tuple[g.Track | g.Define, int | None, Any, int]
"""What is declared, whose it is, its value, and the seats that may know it."""


class Look:
    """What is worth a look in one state: worked out once for all who look."""

    def __init__(self, names: Names, state: State, lying: State | None = None) -> None:
        """`lying`: where cards are meant to lie, if not as in the state."""
        self.names, self.state, self.lying = names, state, lying or state

    @cached_property
    def looked(self) -> Looked:
        return Looked.of(self.state)

    @cached_property
    def shown(self) -> list[tuple[ShownView, int]]:
        """What players want to see, each with the seats that may know it, as bits."""
        names, spectator = self.names, self.names.program.players
        return [
            (shown_view(names, declared, of, value, bool(knowing >> spectator & 1)), knowing)
            for each in names.facts.shown
            for declared, of, value, knowing in self.values(*each)
        ]

    def of_cards(self, seat: int) -> tuple[tuple[str, ShownView], ...]:
        """What is worked out of each of a player's own cards, as far as they know the card and may know it, by its
        ref. What does not hold, or is nothing, is left out."""
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
        """Each with the expression for it."""
        return [(seen, each[1]) for each in self.names.facts.held for seen in self.values(*each)]

    @cached_property
    def best(self) -> str:
        """The ref of the best card of the trick, as everybody sees it; empty if there is none."""
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
        """By seat, to which team or other member of a kind the player belongs, as everybody knows it."""
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
        """By owner, as far as there is a value."""
        for of in self.names.program.layout.owners(declared.subject):
            env = {} if declared.var is None or of is None else {declared.var.id: of}
            with suppress(RuleError):
                yield declared, of, *known_value(self.names.program, expr, self.looked, env)

    def shown_to(self, seat: int) -> tuple[ShownView, ...]:
        """What players want to see, as far as a seat may know it (`players` of the program: a spectator)."""
        return tuple(view for view, knowing in self.shown if knowing >> seat & 1)

    def held_by(self, seat: int) -> tuple[HeldView, ...]:
        """What a player's own cards are worth, as far as not everybody knows it; the same number is told once."""
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
    """The cards that a value is, or that count in it."""
    if isinstance(value, Reading):
        return value.used
    if type_.tag == "card":
        return () if value is None else (value,)
    return tuple(value) if type_.item is not None and type_.item.tag == "card" else ()
