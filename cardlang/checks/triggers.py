"""Checks of decisions at impossible moments: in triggers, and during simultaneous choices."""

from __future__ import annotations

from collections.abc import Iterator

from cardlang import game as g
from cardlang.game.walking import Part, bodies, bodies_done, walk
from cardlang.source import Diagnostic

ASKING = (g.Pick, g.Choose, g.Menu, g.Offer, g.Announce)


def check_triggers(game: g.Game) -> Iterator[Diagnostic]:
    """Report choices in a `whenever` with a condition. It can run in the middle of a statement, where a match cannot
    wait."""
    for trigger in game.whenevers:
        if any(asks(part) for part in parts_done(game, trigger.body)):
            yield Diagnostic(
                "E304",
                "a `whenever` with a condition cannot contain a choice",
                trigger.span,
                "put the choice in a step, below an `if …`, after the line that makes the condition true",
            )


def check_together(game: g.Game) -> Iterator[Diagnostic]:
    """Report choices while simultaneous choices are carried out. Later players would learn from them before they
    choose."""
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
    """Yield all statements and expressions of a body, of its steps, and of triggers of the zones it moves cards to."""
    entered: set[str] = set()
    todo = [body]
    while todo:
        for part in (part for each in bodies_done(game, todo.pop()) for part in walk(each)):
            yield part
            if isinstance(part, g.Move | g.Pick) and part.to.zone not in entered:
                entered.add(part.to.zone)
                todo += [trigger.body for trigger in game.enters if trigger.zone == part.to.zone]


def asks(part: object) -> bool:
    """Return whether a statement asks a player. A settled number of cards is no question."""
    return isinstance(part, ASKING) and not (isinstance(part, g.Pick) and part.settled)
