"""Eliminate dead code that only serves the log or screens.

Log messages and questions are no rules; neither is code that serves nothing else.
"""

from __future__ import annotations

from collections import Counter

from attrs import evolve

from cardlang import game as g
from cardlang.game.walking import everything
from cardlang.rulesheet.rewriting import INNER, inside, mentioned, needed, rewritten, without

ALONE = 1
"""Number of mentions of a variable that only its own statement uses."""


def untold(game: g.Game) -> g.Game:
    """Return a game without its questions, log messages, and log-only steps.

    Tracks, definitions and variables that nothing else needs are removed in addition.
    """
    steps = telling_steps(game)
    done = rewritten(game, lambda part: silent(part, steps))
    done = evolve(done, steps={name: step for name, step in done.steps.items() if name not in steps})
    before, after = variables_in(game), variables_in(done)
    variables = frozenset(var for var, count in after.items() if count == ALONE < before[var])
    done = rewritten(done, lambda part: silent(part, set(), variables))
    noted = unneeded(game, done) & game.tracks.keys()
    noted -= {name for name in noted if game.tracks[name].subject == "card"}
    done = rewritten(done, lambda part: silent(part, set(), tracks=frozenset(noted)))
    while idle := unneeded(game, done) & {*done.tracks, *done.defines}:  # removing names can make others idle
        done = without(done, idle)
    return without(done, for_screens(done))


def unneeded(game: g.Game, done: g.Game) -> set[str]:
    """Return the names needed by the rules of a game, but no longer by the remaining rules."""
    return mentioned(game, ()) - mentioned(done, ()) - {"winners"}


def for_screens(game: g.Game) -> set[str]:
    """Return the definitions that only displays need, with those that only these need."""
    shown = {show.define for show in game.shows if show.define is not None}
    return closed(game, shown) - closed(game, mentioned(evolve(game, defines={}), ()) | {"winners"})


def closed(game: g.Game, names: set[str]) -> set[str]:
    """Return the transitive closure of the definitions of these names."""
    todo, found = [*names], set[str]()
    while todo:
        name = todo.pop()
        if name in game.defines and name not in found:
            found.add(name)
            todo += needed(game.defines[name])
    return found


def telling_steps(game: g.Game) -> set[str]:
    """Return the names of the steps that only write log messages, by fixed-point iteration."""
    found: set[str] = set()
    while True:
        more = {name for name, step in game.steps.items() if step.body and is_told(step.body, found)}
        if more == found:
            return found
        found = more


def is_told(part: object, steps: set[str]) -> bool:
    """Return whether statements only write log messages. `steps`: the known log-only steps."""
    match part:
        case tuple():
            return all(is_told(each, steps) for each in part)
        case g.Do(step=name, doc=""):
            return name in steps
        case g.Each(body=body, doc=""):
            return is_told(body, steps)
        case g.If(then=then, otherwise=otherwise, doc=""):
            return is_told((*then, *otherwise), steps)
    return isinstance(part, g.Tell)


def variables_in(game: g.Game) -> Counter[int]:
    """Count the mentions of each variable."""
    return Counter(part.id for part in everything(game) if isinstance(part, g.Var))


def silent(
    value: object, steps: set[str], variables: frozenset[int] = frozenset(), tracks: frozenset[str] = frozenset()
) -> object:
    """Remove log-only statements, and assignments to these variables and tracks, from a part."""
    if isinstance(value, tuple):
        kept = (part for part in value if not is_idle(part, steps, variables, tracks))
        return tuple(silent(part, steps, variables, tracks) for part in kept)
    if not isinstance(value, INNER) or isinstance(value, g.Expr):
        return value
    if isinstance(value, g.Pick | g.Choose | g.Menu | g.Offer) and value.doc.endswith("?"):
        value = evolve(value, doc="")
    if isinstance(value, g.Option) and value.called:
        value = evolve(value, called=(), called_with=())
    return inside(value, lambda part: silent(part, steps, variables, tracks))


def is_idle(part: object, steps: set[str], variables: frozenset[int], tracks: frozenset[str]) -> bool:
    if isinstance(part, g.Remember):
        return part.var.id in variables
    if isinstance(part, g.SetTrack):
        return part.track in tracks
    return isinstance(part, g.Stmt) and is_told(part, steps)
