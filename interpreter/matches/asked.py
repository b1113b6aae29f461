"""A decision as data: what is asked, of whom, and each move with what is bound in it, as the one who is asked knows
it."""

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
    """What is bound in a move: a card, a player, a member, a number. `ref`: see `interpreter.matches.refs`; `number`:
    of a number, it; `place`: of a card in a grid that cannot be told, where it lies."""

    tag: str
    ref: str
    text: str
    number: int | None = None
    place: str = ""


@frozen
class MoveView:
    """A move. `text`: its printed form; `label`: for people, with what it costs; `words`: the author's about the
    option; `name`: of the option, or the verb, or empty; `option`: its number among those of the rule, None if there
    are none; `declines`: it is `pass` or `done`."""

    text: str
    label: str
    words: str
    name: str
    option: int | None
    bound: tuple[BoundView, ...]
    declines: bool = False


@frozen
class AskedView:
    """What the player is asked. `kind`: as in `interpreter.state.Site`; `verb`: of what is done with cards, or empty;
    `noun`: what is chosen, one of it; `source`, `goal`: where cards come from and go to, in words; `words`: the
    author's; `span`: the place of the rule; `moves`: in their order; `closed`: options that are not open, with why,
    and as they are called.
    `answers`: the player whose announcement is answered, or empty; `options`: the names of all options of the rule,
    open or not, in their order."""

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
    """Of the decision that a match stands at, for the one who is asked."""
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
    """What is bound in a move, as its label says it: a card that cannot be told by its place in a grid, or its number
    in its pile."""
    if bound.place:
        return bound.place
    return f"card {bound.text[1:]}" if bound.text.startswith("#") else bound.text.strip("[]")


def bound_view(names: Names, refs: Refs, state: State, type: g.Type, value: int) -> BoundView:
    ref = refs.value(state, type, value)
    if type.tag == "card" and not names.program.visible(state, value, state.who):
        return BoundView("card", ref, f"#{ref.rpartition('#')[2]}", place=place_of(names, state, value))
    return BoundView(type.tag, ref, names.value(type, value), value if type.tag == "number" else None)


def labels_of(match: Match) -> list[str]:
    """The moves as people say them, with the cards in brackets, as texts have them."""
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
    """`move [Kd]` as `pass [Kd]`, where that is what becomes of the card."""
    return f"{verb} {text.partition(' ')[2]}" if verb and text.endswith("]") else text
