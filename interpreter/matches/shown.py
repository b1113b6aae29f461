"""What the game says that players want to see, as far as one of them may."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any

from attrs import frozen

from cardlang import game as g
from interpreter.errors import RuleError
from interpreter.knowing import known_value
from interpreter.matches.names import Names, plain
from interpreter.ranking.reader import Reading
from interpreter.state import State


@frozen
class ShownView:
    """A value that players want to see. `owner`: the player or the member of a kind whose it is; `value`: a number
    exactly, a flag as a bool, else a name, None if absent; `text`: how people write it; `cards`: the codes of the cards
    that it is, or that count in it: of a hand that is read, those that make its rank."""

    name: str
    noun: str
    owner: str | None
    subject: str | None
    value: int | Fraction | bool | str | None
    text: str
    cards: tuple[str, ...]


@lru_cache(64)
def shown_of(names: Names) -> Shown:
    """Made once for the words of a match, which its clones share."""
    return Shown(names)


class Shown:
    """Of one game: the values that are shown, with what they are worked out from, once for each owner."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.values = [(show, *self.of(show)) for show in names.game.shows if show.zone is None]

    def of(self, show: g.Show) -> tuple[g.Track | g.Define, g.Expr, g.Var | None]:
        """What is shown, the expression for it, and the variable in that for its owner."""
        game = self.names.game
        declared: g.Track | g.Define = game.tracks[show.track] if show.track else game.defines[str(show.define)]
        var = None if declared.var is None else declared.var
        span = declared.origin.name
        if isinstance(declared, g.Track):
            return declared, g.TrackValue(declared.type, span, declared.name, var), var
        return declared, g.Call(declared.type, span, declared.name, var), var

    def to(self, state: State, seat: int) -> Iterator[ShownView]:
        """What a seat may know of it (`players` of the program: a spectator)."""
        program = self.names.program
        for _, declared, expr, var in self.values:
            for of in program.layout.owners(declared.subject):
                env = {} if var is None or of is None else {var.id: of}
                try:
                    value, knowing = known_value(program, expr, state, env)
                except RuleError:
                    continue
                if knowing >> seat & 1:
                    yield self.view(declared, of, value)

    def view(self, declared: g.Track | g.Define, of: int | None, value: Any) -> ShownView:
        names, type_ = self.names, declared.type
        counted = declared.noun.counted and value != 1
        return ShownView(
            name=declared.name,
            noun=plain(declared.noun.plural if counted else declared.noun.singular),
            owner=names.owner(declared.subject, of),
            subject=declared.subject,
            value=exactly(names, type_, value),
            text=self.text(type_, value),
            cards=tuple(names.code(card) for card in cards_of(type_, value)),
        )

    def text(self, type_: g.Type, value: Any) -> str:
        if isinstance(value, Reading) and not value.title:
            return " ".join(map(self.names.cards, value.groups)) or "nothing"
        return "nothing" if value == [] else self.names.value(type_, value)


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
