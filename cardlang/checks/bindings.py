"""Checks of names bound by choices and `remember`: shadowing and unused values."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from cardlang import game as g
from cardlang.checks.steps import own_source
from cardlang.game.walking import bodies, everything, walk
from cardlang.source import Diagnostic, Span

NEAR = 0.85
"""Similarity from which two names count as the same intention."""
Declared = g.Kind | g.CardSet | g.Zone | g.Track | g.Define


def check_hiding(game: g.Game) -> Iterator[Diagnostic]:
    """Report choices and `remember` that shadow a declaration.

    After them, the name means the new value, and the declared value stays unchanged."""
    table: dict[str, Declared] = {**game.kinds, **game.sets, **of_table(game)}
    for var, _ in bound(game):
        declared = table.get(var.name)
        if declared is not None:
            what = sort_of(declared)
            hint = "rename the choice"
            if isinstance(declared, g.Track):
                hint += f", then store its value with `set {var.name} to …`"
            yield Diagnostic(
                "W406",
                f"this new name `{var.name}` hides the {what} `{var.name}`, which does not change",
                var.span,
                hint,
                ((declared.origin.name, f"the {what}"),),
                warning=True,
            )


def of_table(game: g.Game) -> dict[str, Declared]:
    nouns: list[g.Zone | g.Track | g.Define] = [*game.zones.values(), *game.tracks.values(), *game.defines.values()]
    return {each.name: each for each in nouns if each.subject is None}


def sort_of(declared: Declared) -> str:
    match declared:
        case g.Track(type=type_):
            return type_.of or type_.tag
        case g.CardSet():
            return "set of cards"
        case g.Define():
            return "definition"
    return type(declared).__name__.lower()


def check_unused(game: g.Game) -> Iterator[Diagnostic]:
    """Report values that are chosen or remembered but never used, unless another check reports their name."""
    told = {*game.kinds, *game.sets, *of_table(game), *self_compared(game)}
    for var, verb in never_asked_for(game):
        if var.name not in told:
            yield unused(game, var, verb)


def never_asked_for(game: g.Game) -> Iterator[tuple[g.Var, str]]:
    places: dict[int, set[Span]] = {}
    for part in (part for body in bodies(game) for part in walk(body)):
        if isinstance(part, g.Var):
            places.setdefault(part.id, set()).add(part.span)
    yield from ((var, verb) for var, verb in bound(game) if places[var.id] <= {var.span})


def self_compared(game: g.Game) -> Iterator[str]:
    """Yield the columns that are compared with themselves."""
    for part in everything(game):
        if isinstance(part, g.Compare) and part.left == part.right and isinstance(part.left, g.Attribute):
            yield part.left.attribute


def meant(game: g.Game, var: g.Var) -> g.Track | None:
    """Return the track with a value's name, or with a very similar one."""
    near = [
        track.name for track in game.tracks.values() if (track.type.tag, track.type.of) == (var.type.tag, var.type.of)
    ]
    found = get_close_matches(var.name, near, 1, NEAR)
    return game.tracks.get(var.name) or (game.tracks[found[0]] if found else None)


def whose(track: g.Track) -> str:
    return {"player": "your ", None: ""}.get(track.subject, f"that {track.subject}'s ")


def unused(game: g.Game, var: g.Var, verb: str) -> Diagnostic:
    track = meant(game, var)
    hint = "use it in the lines below" if verb == "chosen" else "use it, or delete the line"
    related: tuple[tuple[Span, str], ...] = ()
    if track is not None:
        hint = f"to store it, write `set {whose(track)}{track.name} to {var.name}`"
        related = ((track.origin.name, f"the {sort_of(track)} `{track.name}` does not change"),)
    return Diagnostic("W407", f"`{var.name}` is {verb} here but never used", var.span, hint, related, warning=True)


def bound(game: g.Game) -> Iterator[tuple[g.Var, str]]:
    """Yield the names that choices, options, reactions and `remember` in the game's own file bind, with the verb for
    each."""
    for part in (part for body in bodies(game) for part in walk(body)):
        found: list[tuple[g.Var, str]] = []
        match part:
            case g.Choose(var=var):
                found = [(var, "chosen")]
            case g.Remember(var=var) if var.name:
                found = [(var, "remembered")]
            case g.Option(binders=binders):
                found = [(var, "chosen") for var, _ in binders]
        yield from ((var, verb) for var, verb in found if var.span.source is own_source(game))
