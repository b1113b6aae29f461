"""Convert a decision to data, as the current player knows it: the question, and each move with its bound values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import field, frozen

from cardlang import game as g
from cardlang.source import Span
from cardlang.words import capital, plain
from interpreter.matches.cells import place_of
from interpreter.matches.moves import Move, asked_type, noun_of, pass_or_done
from interpreter.matches.names import Names
from interpreter.matches.purpose import Purpose
from interpreter.matches.refs import Refs
from interpreter.state import DONE, State

if TYPE_CHECKING:
    from interpreter.matches.match import Decision, Match


@frozen
class BoundView:
    """A value bound in a move: a card, a player, a value of a kind, or a number.

    - `ref`: see `interpreter.matches.refs`.
    - `number`: the number, if it is one.
    - `place`: cell of an unknown card in a grid.
    """

    tag: str
    ref: str
    text: str
    number: int | None = None
    place: str = ""


@frozen
class MoveView:
    """A move of a decision.

    - `text`: its printed form.
    - `label`: its name for people, with the cost.
    - `words`: the author's description of the option.
    - `name`: name of the option, or the verb, or empty.
    - `option`: index of the option in the rule; None if there are none.
    - `declines`: it is `pass` or `done`.
    """

    text: str
    label: str
    words: str
    name: str
    option: int | None
    bound: tuple[BoundView, ...]
    declines: bool = False


@frozen
class AskedView:
    """A decision.

    - `kind`: as in `interpreter.state.Site`.
    - `verb`: the action on cards, or empty.
    - `noun`: noun for one chosen value.
    - `source`, `goal`: source and target of the cards, in words.
    - `words`: the author's text.
    - `span`: position of the rule.
    - `moves`: legal moves in their order.
    - `closed`: unavailable options, each with the reason and its label.
    - `answers`: player whose announcement this responds to, or empty.
    - `options`: names of all options of the rule in order, legal or not.
    """

    kind: str
    verb: str
    noun: str
    source: str
    goal: str
    words: str
    span: Span = field(eq=False)
    moves: tuple[MoveView, ...]
    closed: tuple[tuple[str, str, str], ...]
    answers: str = ""
    options: tuple[str, ...] = ()


def asked_view(names: Names, refs: Refs, decision: Decision) -> AskedView:
    """Return the current decision for its player."""
    state = decision.moves.state()
    site = names.program.site(state)
    statement, purpose = site.statement, Purpose(names, state, site)
    return AskedView(
        kind=site.kind,
        verb=purpose.verb(),
        noun=noun_of(site),
        source=purpose.source(),
        goal=purpose.goal(),
        words=purpose.words(),
        span=statement.span if statement is not None else site.options[0].span,
        moves=tuple(move_view(names, purpose, move) for move in decision.moves),
        closed=tuple(purpose.closed()),
        answers=purpose.actor(),
        options=tuple(option.name for option in site.options),
    )


def move_view(names: Names, purpose: Purpose, move: Move) -> MoveView:
    site = purpose.site
    if move.code == DONE:
        return MoveView(move.text, move.text.capitalize(), "", pass_or_done(site, purpose.state), None, (), True)
    number, values = names.program.decode(site, move.code)
    option = None if number is None else site.options[number]
    types = [asked_type(site)] if option is None else [var.type for var, _ in option.binders]
    name = getattr(site.statement, "verb", "") if option is None else option.name
    both = zip(types, values, strict=True)
    bound = tuple(bound_view(names, names.refs, purpose.state, type, value) for type, value in both)
    told = purpose.said(option, values) if option is not None else ""
    verb = "choose" if not name and any(each.tag == "card" for each in bound) else plain(name)
    label = told or " ".join([verb, *(said(each) for each in bound)]).strip()
    price = purpose.price(option, values) if option is not None else ""
    label = f"{label} {'for ' if ' ' in price else ''}{price}".strip()
    return MoveView(move.text, capital(label), "" if option is None else option.doc, name, number, bound)


def said(bound: BoundView) -> str:
    """Return a bound value for the label of a move.

    An unknown card is given by its cell in a grid, or its number in its pile.
    """
    if bound.place:
        return bound.place
    return f"card {bound.text[1:]}" if bound.text.startswith("#") else bound.text.strip("[]")


def bound_view(names: Names, refs: Refs, state: State, type: g.Type, value: int) -> BoundView:
    ref = refs.value(state, type, value)
    if type.tag == "card" and not names.program.visible(state, value, state.who):
        return BoundView("card", ref, f"#{ref.rpartition('#')[2]}", place=place_of(names, state, value))
    return BoundView(type.tag, ref, names.value(type, value), value if type.tag == "number" else None)


def labels_of(match: Match) -> list[str]:
    """Return the labels of the moves, with cards in brackets as in their printed forms."""
    assert match.decision is not None
    asked = asked_view(match.names, match.names.refs, match.decision)
    plain = [move.text.replace("[", "").replace("]", "").lower() == move.label.lower() for move in asked.moves]
    called = [
        with_verb(move.text, asked.verb) if same else move.label for move, same in zip(asked.moves, plain, strict=True)
    ]
    if asked.verb and not match.state.picks:
        called = [
            f"{asked.verb} no cards" if move.text == "done" else label
            for move, label in zip(asked.moves, called, strict=True)
        ]
    return list(map(capital, called))


def with_verb(text: str, verb: str) -> str:
    """Replace the verb of a move of cards by the verb for their final target: `pass [Kd]` for `move [Kd]`."""
    return f"{verb} {text.partition(' ')[2]}" if verb and text.endswith("]") else text
