"""A game without the words that stand among its statements: all that can be carried out of it."""

from __future__ import annotations

from typing import Any, TypeVar

from attrs import evolve

from cardlang import game as g

Part = TypeVar("Part")
BLOCKS = ("body", "then", "otherwise", "options")
"""The fields of a statement that hold others."""


def acting(game: g.Game) -> g.Game:
    """The game without asides; the same game if it has none."""
    steps = {name: without(step) for name, step in game.steps.items()}
    borne = {name: evolve(step, bodies=once(step.bodies)) for name, step in game.borne_steps.items()}
    reactions = tuple(evolve(each, option=without(each.option)) for each in game.reactions)
    enters, whenevers = once(game.enters), once(game.whenevers)
    changed = (
        any(steps[name] is not step for name, step in game.steps.items())
        or any(differ(borne[name].bodies, step.bodies) for name, step in game.borne_steps.items())
        or any(new.option is not old.option for new, old in zip(reactions, game.reactions, strict=True))
        or differ(enters, game.enters)
        or differ(whenevers, game.whenevers)
    )
    if not changed:
        return game
    return evolve(game, steps=steps, borne_steps=borne, reactions=reactions, enters=enters, whenevers=whenevers)


def differ(new: tuple[object, ...], old: tuple[object, ...]) -> bool:
    return any(one is not other for one, other in zip(new, old, strict=True))


def once(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Parts without asides in them; one that stands there several times is made anew once."""
    made = {id(part): without(part) for part in parts}
    return tuple(made[id(part)] for part in parts)


def without(part: Any) -> Any:
    """A part without asides in it; the same part if there are none."""
    old = {name: getattr(part, name, ()) for name in BLOCKS}
    new = {name: block(body) for name, body in old.items()}
    changed = {name: body for name, body in new.items() if body is not old[name]}
    return evolve(part, **changed) if changed else part


def block(body: tuple[Part, ...]) -> tuple[Part, ...]:
    """The statements or options of a block; the same block if nothing in it changes."""
    kept = tuple(without(part) for part in body if not isinstance(part, g.Aside))
    return kept if len(kept) != len(body) or differ(kept, body) else body
