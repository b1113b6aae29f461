"""Where somebody would have to be asked, and nobody can be: in triggers, and while what was chosen together is done."""

from __future__ import annotations

from collections.abc import Iterator

from cardlang import game as g
from cardlang.game.walking import Part, bodies, bodies_done, walk
from cardlang.source import Diagnostic

ASKING = (g.Pick, g.Choose, g.Menu, g.Offer, g.Announce)


def check_triggers(game: g.Game) -> Iterator[Diagnostic]:
    """A condition can come to hold in the middle of a statement, where no match can wait for an answer."""
    for trigger in game.whenevers:
        if any(asks(part) for part in parts_done(game, trigger.body)):
            yield Diagnostic(
                "E304",
                "a `whenever` with a condition cannot contain a choice",
                trigger.span,
                "put the choice in a step, below an `if …`, after the line that makes the condition true",
            )


def check_together(game: g.Game) -> Iterator[Diagnostic]:
    """What is asked while choices made together are carried out would be heard by those who are still to be asked."""
    every = (part for body in bodies(game) for part in walk(body))
    for each in every:
        if not isinstance(each, g.Each) or not each.together:
            continue
        for part in parts_done(game, each.body):
            if isinstance(part, ASKING) and asks(part) and not any(part is own for own in each.body):
                yield Diagnostic(
                    "E305",
                    "a second choice inside a joint choice",
                    part.span,
                    "make it part of the same move (`option … with … from …`), or ask in a separate `each player`",
                    ((each.span, "the joint choice"),),
                )


def parts_done(game: g.Game, body: object) -> Iterator[Part]:
    """All statements and expressions of a body, of the steps that it runs and of the triggers of the zones that it
    moves cards to."""
    entered: set[str] = set()
    todo = [body]
    while todo:
        for part in (part for each in bodies_done(game, todo.pop()) for part in walk(each)):
            yield part
            if isinstance(part, g.Move | g.Pick) and part.to.zone not in entered:
                entered.add(part.to.zone)
                todo += [trigger.body for trigger in game.enters if trigger.zone == part.to.zone]


def asks(part: object) -> bool:
    """A number of cards that is fixed is no question."""
    return isinstance(part, ASKING) and not (isinstance(part, g.Pick) and part.settled)
