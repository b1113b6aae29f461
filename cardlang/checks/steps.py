"""Check of steps and card procedures that never run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cardlang import game as g
from cardlang.game.walking import everything, steps_done
from cardlang.source import Diagnostic, Source

BY_THEMSELVES = ("setup", "play")


def own_source(game: g.Game) -> Source:
    """Return the source of the game itself. Unused declarations of libraries are allowed."""
    return game.sources[0]


def triggered(game: g.Game) -> Iterable[object]:
    """Yield the bodies that run without `do`: triggers and reactions."""
    yield from (trigger.body for trigger in game.enters)
    yield from (trigger.body for trigger in game.whenevers)
    yield from (reaction.option.body for reaction in game.reactions)


def check_steps(game: g.Game) -> Iterator[Diagnostic]:
    roots = [game.steps[name].body for name in BY_THEMSELVES if name in game.steps]
    run = set(BY_THEMSELVES)
    for body in (*roots, *triggered(game)):
        run |= steps_done(game, body)
    for step in game.steps.values():
        name = step.origin.name
        if step.name not in run and name.source is own_source(game):
            whose = "your " if step.you else ""
            yield Diagnostic(
                "W401",
                f"the step `{step.name}` never runs",
                name,
                f"write `do {whose}{step.name}` where it belongs. Only `setup` and `play` run automatically",
                warning=True,
            )


def check_borne(game: g.Game) -> Iterator[Diagnostic]:
    """Report procedures and definitions of cards that no rule uses."""
    parts = list(everything(game))
    done = {part.step for part in parts if isinstance(part, g.DoBorne)}
    asked = {part.define for part in parts if isinstance(part, g.BorneCall)}
    never = [
        ("step", name, step.bodies, f"write `do that card's {name}` where it should run")
        for name, step in game.borne_steps.items()
        if name not in done
    ] + [
        ("definition", name, define.bodies, f"use it, as in `that card's {name}`")
        for name, define in game.borne_defines.items()
        if name not in asked
    ]
    for sort, name, bodies_, hint in never:
        body = next(body for body in bodies_ if body)
        span = body.card.span if isinstance(body, g.BorneStepBody) else body.var.span
        if span.source is own_source(game):
            message = f"cards have the {sort} `{name}`, but no rule {'runs' if sort == 'step' else 'uses'} it"
            yield Diagnostic("W401" if sort == "step" else "W403", message, span, hint, warning=True)
