"""Inline library steps that are separate only so that a game can override them."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from cardlang import game as g
from cardlang.game.walking import everything
from cardlang.rulesheet.rewriting import INNER, inside, rewritten


def in_place(game: g.Game) -> g.Game:
    """Inline each library step of a player that is only a choice of cards and is called once.

    Inlined steps get no section of their own.
    """
    done = [part.step for part in everything(game) if isinstance(part, g.Do)]
    apart = {name: step for name, step in game.steps.items() if done.count(name) == 1 and is_one_choice(step)}
    if not apart:
        return game
    told = rewritten(game, lambda part: put_in(part, apart))
    return evolve(told, steps={name: step for name, step in told.steps.items() if name not in apart})


def is_one_choice(step: g.Step) -> bool:
    plain = step.you is not None and not step.params and not step.doc
    return bool(step.origin.library) and plain and len(step.body) == 1 and isinstance(step.body[0], g.Pick)


def put_in(part: Any, apart: dict[str, g.Step]) -> Any:
    """Replace the calls of these steps by their bodies."""
    if isinstance(part, tuple):
        return tuple(put_in(each, apart) for each in part)
    if isinstance(part, g.Do) and part.step in apart and not part.doc:
        step = apart[part.step]
        assert step.you is not None
        return addressed(step.body[0], step.you, part.of)
    return inside(part, lambda each: put_in(each, apart)) if isinstance(part, INNER) else part


def addressed(part: Any, you: g.Var, of: g.Expr | None) -> Any:
    """Substitute the player `of` for `you` in a part."""
    if isinstance(part, tuple):
        return tuple(addressed(each, you, of) for each in part)
    if isinstance(part, g.Var):
        return of if part.id == you.id else part
    return inside(part, lambda each: addressed(each, you, of)) if isinstance(part, INNER) else part
