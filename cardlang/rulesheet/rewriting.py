"""Rewrite the rules of a game part by part, and collect the names that they need."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from attrs import evolve

from cardlang import game as g
from cardlang.game.walking import fields_of
from cardlang.rulesheet.parts import names_in

INNER = (
    g.Expr, g.Stmt, g.Place, g.Domain, g.Option, g.OrderLine, g.Group, g.Pattern, g.Rank, g.Wild, g.BorneBody,
    g.BorneStepBody, g.Row, g.CardSet, g.Track, g.Define, g.Order, g.Ranking, g.Step, g.Reaction, g.Enters, g.Whenever,
    g.Example, g.Given, g.GivenTrack, g.GivenZone, g.Doing, g.Expecting,
)  # fmt: skip
"""Classes whose fields can contain rules."""
T = TypeVar("T")
B = TypeVar("B", g.BorneDefine, g.BorneStep)


# ---------------------------------------------------------------- declarations of a game
def rewritten(game: g.Game, change: Any) -> g.Game:
    """Apply a change to all rules of a game. Rules shared by several card faces remain shared."""

    def each(things: Mapping[str, T]) -> dict[str, T]:
        return {name: change(thing) for name, thing in things.items()}

    sets = each(game.sets)
    bodies: dict[int, Any] = {
        id(old): new
        for before, after in zip(game.sets.values(), sets.values(), strict=True)
        for old, new in zip(borne_by(before), borne_by(after), strict=True)
    }

    def by_face(things: Mapping[str, B]) -> dict[str, B]:
        faces = {name: tuple(bodies.get(id(body), body) for body in one.bodies) for name, one in things.items()}
        return {name: evolve(one, bodies=faces[name]) for name, one in things.items()}

    return evolve(
        game,
        sets=sets,
        borne_defines=by_face(game.borne_defines),
        borne_steps=by_face(game.borne_steps),
        tracks=each(game.tracks),
        defines=each(game.defines),
        orders=each(game.orders),
        rankings=each(game.rankings),
        steps=each(game.steps),
        reactions=tuple(map(change, game.reactions)),
        enters=tuple(map(change, game.enters)),
        whenevers=tuple(map(change, game.whenevers)),
        examples=tuple(map(change, game.examples)),
    )


def borne_by(cards: g.CardSet) -> list[g.Borne]:
    """Return the rules on the cards of a set: those of the set, then those of its rows."""
    return [*cards.bears, *(part for row in cards.rows for part in row.bears)]


def things(game: g.Game) -> list[Any]:
    """Return all declarations of a game that contain rules."""
    named = (game.sets, game.tracks, game.defines, game.orders, game.rankings, game.steps)
    listed = (game.reactions, game.enters, game.whenevers, game.examples)
    return [*(thing for each in named for thing in each.values()), *(thing for each in listed for thing in each)]


def without(game: g.Game, names: set[str]) -> g.Game:
    """Return a game without the tracks and definitions of these names."""
    tracks = {name: track for name, track in game.tracks.items() if name not in names}
    defines = {name: define for name, define in game.defines.items() if name not in names}
    return evolve(game, tracks=tracks, defines=defines)


def inside(part: Any, change: Any) -> Any:
    """Apply a change to the fields of a part. Return the same part if nothing changes."""
    old = {name: getattr(part, name) for name in fields_of(type(part))}
    new = {name: change(value) for name, value in old.items()}
    changed = {name: value for name, value in new.items() if not same(value, old[name])}
    return evolve(part, **changed) if changed else part


def same(new: object, old: object) -> bool:
    if isinstance(new, tuple) and isinstance(old, tuple):
        return len(new) == len(old) and all(map(same, new, old))
    return new is old


def mentioned(game: g.Game, varied: Iterable[g.Game]) -> set[str]:
    """Return the names that the rules of a game and its variants read. A write to a track is no use of it."""
    found = {"score"}
    changes = [thing for each in varied for thing in things(each) if thing.origin.varied]
    for thing in (*things(game), *changes):
        found |= needed(thing) - ({thing.name} if isinstance(thing, g.Track | g.Define) else set())
    return found


def needed(value: object) -> set[str]:
    """Return the names in a part, without targets of assignments."""
    if isinstance(value, g.SetTrack):
        return {*names_in((value.of, value.value))} - {value.track}
    if isinstance(value, g.Expr):
        return {*names_in(value)}
    found = {value.track} if isinstance(value, g.GivenTrack) else set[str]()
    if isinstance(value, g.Option):
        found |= {track for _, track, _ in value.costs}
    parts = value if isinstance(value, tuple) else [getattr(value, name) for name in fields_of(type(value))]
    for part in parts:
        if isinstance(part, (tuple, *INNER)):
            found |= needed(part)
    return found
