"""Execution order of statements, and the lint rule for steps that never run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cardlang import model as g
from cardlang.diagnostics import Diagnostic, Source
from cardlang.model.effects import find_effects
from cardlang.model.traversal import collect_all_nodes, find_reachable_steps

ENTRY_STEPS = ("setup", "play")


def get_own_source(game: g.Game) -> Source:
    """Return the source of the game itself. Unused declarations of libraries are allowed."""
    return game.sources[0]


def iter_triggered_bodies(game: g.Game) -> Iterable[object]:
    """Yield the bodies that run without `do`: triggers and reactions."""
    yield from (trigger.body for trigger in game.enters)
    yield from (trigger.body for trigger in game.whenevers)
    yield from (reaction.option.body for reaction in game.reactions)


def check_unused_steps(game: g.Game) -> Iterator[Diagnostic]:
    roots = [game.steps[name].body for name in ENTRY_STEPS if name in game.steps]
    run = set(ENTRY_STEPS)
    for body in (*roots, *iter_triggered_bodies(game)):
        run |= find_reachable_steps(game, body)
    for step in game.steps.values():
        name = step.origin.name
        if step.name not in run and name.source is get_own_source(game):
            whose = "your " if step.you else ""
            yield Diagnostic(
                "W401",
                f"the step `{step.name}` never runs",
                name,
                f"write `do {whose}{step.name}` where it belongs. Only `setup` and `play` run automatically",
                warning=True,
            )


def check_unused_card_rules(game: g.Game) -> Iterator[Diagnostic]:
    """Report procedures and definitions of cards that no rule uses."""
    parts = list(collect_all_nodes(game))
    done = {name for part in parts for name in find_effects(part).card_steps}
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
        if span.source is get_own_source(game):
            message = f"cards have the {sort} `{name}`, but no rule {'runs' if sort == 'step' else 'uses'} it"
            yield Diagnostic("W401" if sort == "step" else "W403", message, span, hint, warning=True)


# ---------------------------------------------------------------- execution order
StatementBlock = tuple[g.Stmt, ...]


def iter_execution_order(game: g.Game) -> Iterator[g.Stmt]:
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
        waiting += [iter(body) for body in reversed(list(iter_run_bodies(game, statement, done)))]


def iter_run_bodies(game: g.Game, statement: g.Stmt, visited: set[object]) -> Iterator[StatementBlock]:
    """Yield the bodies that a statement runs. Bodies of steps and triggers come only the first time."""
    for key, body in iter_called_bodies(game, statement):
        if key not in visited:
            visited.add(key)
            yield body
    yield from (option.body for option in getattr(statement, "options", ()))
    for name in ("then", "body", "otherwise"):
        yield getattr(statement, name, ())


def iter_called_bodies(game: g.Game, statement: g.Stmt) -> Iterator[tuple[object, StatementBlock]]:
    """Yield the bodies outside a statement that it runs: steps, card procedures, zone triggers and reactions."""
    effects = find_effects(statement)
    yield from ((("step", name), game.steps[name].body) for name in effects.steps)
    for name in effects.card_steps:
        yield from ((id(borne), borne.body) for borne in game.borne_steps[name].bodies if borne)
    entered = {transfer.to.zone for transfer in effects.transfers}
    yield from ((id(each), each.body) for each in game.enters if each.zone in entered)
    if isinstance(statement, g.Announce):
        answers = [reaction.option for reaction in game.reactions if statement.name in reaction.to]
        yield from ((id(option), option.body) for option in answers)
