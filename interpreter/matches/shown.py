"""What the game says that players want to see, as far as one of them may."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from attrs import frozen

from cardlang import game as g
from interpreter.errors import RuleError
from interpreter.knowing import Looked, known_value
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


def shown_to(names: Names, state: State, seat: int) -> Iterator[ShownView]:
    """What players want to see, as far as a seat may know it (`players` of the program: a spectator)."""
    program, values = names.program, names.facts.shown
    if not values:
        return
    looked = Looked.of(state)
    for declared, expr in values:
        for of in program.layout.owners(declared.subject):
            env = {} if declared.var is None or of is None else {declared.var.id: of}
            try:
                value, knowing = known_value(program, expr, looked, env)
            except RuleError:
                continue
            if knowing >> seat & 1:
                yield shown_view(names, declared, of, value)


def shown_view(names: Names, declared: g.Track | g.Define, of: int | None, value: Any) -> ShownView:
    counted = declared.noun.counted and value != 1
    return ShownView(
        name=declared.name,
        noun=plain(declared.noun.plural if counted else declared.noun.singular),
        owner=names.owner(declared.subject, of),
        subject=declared.subject,
        value=exactly(names, declared.type, value),
        text=written(names, declared.type, value),
        cards=tuple(names.code(card) for card in cards_of(declared.type, value)),
    )


def written(names: Names, type_: g.Type, value: Any) -> str:
    if isinstance(value, Reading) and not value.title:
        return " ".join(map(names.cards, value.groups)) or "nothing"
    return "nothing" if value == [] else names.value(type_, value)


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
