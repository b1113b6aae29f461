"""A decision as data: what is asked, of whom, and each move with what is bound in it, as the one who is asked knows
it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import field, frozen

from cardlang import game as g
from cardlang.source import Span
from interpreter.matches.moves import Moves, asked_type, pass_or_done
from interpreter.matches.names import Names
from interpreter.matches.prompts import question
from interpreter.matches.refs import Refs
from interpreter.state import DONE, Site, State

if TYPE_CHECKING:
    from interpreter.matches.match import Decision


@frozen
class BoundView:
    """What is bound in a move: a card, a player, a member, a number. `ref`: see `interpreter.matches.refs`; `number`:
    of a number, it."""

    tag: str
    ref: str
    text: str
    number: int | None = None


@frozen
class MoveView:
    """A move. `text`: its printed form; `name`: of the option, or the verb, or empty; `option`: its number among those
    of the rule, None if there are none; `declines`: it is `pass` or `done`."""

    text: str
    name: str
    option: int | None
    bound: tuple[BoundView, ...]
    declines: bool = False


@frozen
class AskedView:
    """What the player is asked. `kind`: as in `interpreter.state.Site`; `question`: in a sentence; `words`: the
    author's; `span`: the place of the rule; `moves`: in their order."""

    kind: str
    question: str
    words: str
    span: Span = field(eq=False)
    moves: tuple[MoveView, ...]


def asked_view(names: Names, refs: Refs, decision: Decision) -> AskedView:
    """Of the decision that a match stands at, for the one who is asked."""
    state = decision.moves.state()
    site = names.program.site(state)
    statement = site.statement
    return AskedView(
        kind=site.kind,
        question=question(names, state, site),
        words=statement.doc if statement is not None else "",
        span=statement.span if statement is not None else site.options[0].span,
        moves=move_views(names, refs, state, site, decision.moves),
    )


def move_views(names: Names, refs: Refs, state: State, site: Site, moves: Moves) -> tuple[MoveView, ...]:
    found = []
    for move in moves:
        if move.code == DONE:
            found.append(MoveView(move.text, pass_or_done(site, state), None, (), True))
            continue
        option, values = names.program.decode(site, move.code)
        if option is None:
            types, name = [asked_type(site)], getattr(site.statement, "verb", "")
        else:
            types, name = [var.type for var, _ in site.options[option].binders], site.options[option].name
        both = zip(types, values, strict=True)
        bound = tuple(bound_view(names, refs, state, type, value) for type, value in both)
        found.append(MoveView(move.text, name, option, bound))
    return tuple(found)


def bound_view(names: Names, refs: Refs, state: State, type: g.Type, value: int) -> BoundView:
    ref = refs.value(state, type, value)
    if type.tag == "card" and not names.program.visible(state, value, state.who):
        return BoundView("card", ref, f"#{ref.rpartition('#')[2]}")
    return BoundView(type.tag, ref, names.value(type, value), value if type.tag == "number" else None)
