"""Control flow: statements in the order of their first possible execution."""

from __future__ import annotations

from collections.abc import Iterator

from cardlang import game as g

Body = tuple[g.Stmt, ...]


def course(game: g.Game) -> Iterator[g.Stmt]:
    """Yield every reachable statement once, in the estimated order of its first execution.

    Of several branches, the first one written comes first. Bodies of `whenever` come last."""
    done: set[object] = set()
    roots = [game.steps[name].body for name in ("setup", "play") if name in game.steps]
    waiting = [iter(body) for body in reversed([*roots, *(trigger.body for trigger in game.whenevers)])]
    while waiting:
        statement = next(waiting[-1], None)
        if statement is None:
            waiting.pop()
            continue
        yield statement
        waiting += [iter(body) for body in reversed(list(within(game, statement, done)))]


def within(game: g.Game, statement: g.Stmt, done: set[object]) -> Iterator[Body]:
    """Yield the bodies that a statement runs. Bodies of steps and triggers come only the first time."""
    for key, body in elsewhere(game, statement):
        if key not in done:
            done.add(key)
            yield body
    yield from (option.body for option in getattr(statement, "options", ()))
    for name in ("then", "body", "otherwise"):
        yield getattr(statement, name, ())


def elsewhere(game: g.Game, statement: g.Stmt) -> Iterator[tuple[object, Body]]:
    """Yield the bodies outside a statement that it runs: steps, card procedures, zone triggers and reactions."""
    match statement:
        case g.Do(step=name):
            yield ("step", name), game.steps[name].body
        case g.DoBorne(step=name):
            yield from ((id(borne), borne.body) for borne in game.borne_steps[name].bodies if borne)
        case g.Move(to=to) | g.Pick(to=to):
            yield from ((id(each), each.body) for each in game.enters if each.zone == to.zone)
        case g.Announce(name=name):
            answers = [reaction.option for reaction in game.reactions if name in reaction.to]
            yield from ((id(option), option.body) for option in answers)
