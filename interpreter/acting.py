"""Strip the comments for readers (`Aside`) from a game's statements."""

from __future__ import annotations

from typing import Any, TypeVar

from attrs import evolve

from cardlang import game as g

Part = TypeVar("Part")
BLOCKS = ("body", "then", "otherwise", "options")
"""Fields of a statement that contain statements."""


def acting(game: g.Game) -> g.Game:
    """Return the game without `Aside` statements; the argument itself if it has none."""
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
    """Strip `Aside` statements from parts. A part that occurs several times is rebuilt only once."""
    made = {id(part): without(part) for part in parts}
    return tuple(made[id(part)] for part in parts)


def without(part: Any) -> Any:
    """Strip `Aside` statements from a part. A part without any is returned unchanged."""
    old = {name: getattr(part, name, ()) for name in BLOCKS}
    new = {name: block(body) for name, body in old.items()}
    changed = {name: body for name, body in new.items() if body is not old[name]}
    return evolve(part, **changed) if changed else part


def block(body: tuple[Part, ...]) -> tuple[Part, ...]:
    """Strip `Aside` statements from a block of statements or options. An unchanged block is returned itself."""
    kept = tuple(without(part) for part in body if not isinstance(part, g.Aside))
    return kept if len(kept) != len(body) or differ(kept, body) else body
