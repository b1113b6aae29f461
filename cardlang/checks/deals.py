"""Deals that need more cards than there are."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any

from cardlang import game as g
from cardlang.source import Diagnostic
from cardlang.walk import everything


def check_deals(game: g.Game) -> Iterator[Diagnostic]:
    """For each number of players: a run of deals from one pile takes more cards than can ever be in it."""
    room = cache(lambda zone: capacity(game, zone))
    for step in game.steps.values():
        told: set[object] = set()
        for players in game.seats:
            for move, zone, needed in deals(game, step.body, players):
                there = room(zone)
                if needed > there and move.span not in told:
                    told.add(move.span)
                    yield too_many(move, zone, players, needed, there)


def too_many(move: g.Move, zone: str, players: int, needed: Fraction, there: int) -> Diagnostic:
    return Diagnostic(
        "E302",
        f"with {players} players, {needed} cards are taken from `{zone}` here, and there are only {there}",
        move.span,
        "deal fewer cards, use more of them, or change for how many players the game is",
    )


def capacity(game: g.Game, zone: str) -> int:
    """How many cards can be in a zone: those that start in it, unless others may be put there."""
    own = {name for name, card_set in game.sets.items() if card_set.home == zone}
    for part in everything(game):
        if isinstance(part, g.Move | g.Pick) and part.to.zone == zone:
            what = part.what if isinstance(part, g.Move) else None
            if not sets_of(what) or sets_of(what) - own:
                return game.cards
    return sum(face.copies for face in game.faces if face.set in own) or game.cards


def sets_of(what: g.Expr | None) -> set[str]:
    """The card sets that make up a list; none where it is anything else."""
    match what:
        case g.SetCards(set=name):
            return {name}
        case g.Joined(items=items) if all(sets_of(item) for item in items):
            return {name for item in items for name in sets_of(item)}
    return set()


Deal = tuple[g.Move, str, Fraction]


def deals(game: g.Game, body: Iterable[g.Stmt], players: int) -> Iterator[Deal]:
    """The deals of known size that follow each other in a body, with the cards taken up to then. Where cards may come
    back or go elsewhere, a new count begins."""
    taken: dict[str, Fraction] = {}
    for statement, times in straight(game, body, players, 1):
        match statement:
            case g.Move(what=g.Agg(number=g.Expr() as number, list=g.ZoneCards(zone=zone, of=None))):
                size = constant(game, number, players)
                taken[zone] = taken.get(zone, Fraction(0)) + (size or 0) * times
                yield statement, zone, taken[zone]
            case None | g.Move() | g.Pick():
                taken.clear()


def straight(game: g.Game, body: Iterable[g.Stmt], players: int, times: int) -> Iterator[tuple[g.Stmt | None, int]]:
    """What is surely done, and how often: for everybody, once for each player. None stands for what is not sure."""
    for statement in body:
        match statement:
            case g.Each(list=g.Builtin(name="players"), condition=None, body=inner):
                yield from straight(game, inner, players, times * players)
            case g.If(condition=condition, then=then, otherwise=otherwise):
                holds = constant(game, condition, players)
                if holds is None:
                    yield None, times
                else:
                    yield from straight(game, then if holds else otherwise, players, times)
            case g.Move() | g.Shuffle() | g.SetTrack() | g.Remember() | g.Reveal() | g.Property():
                yield statement, times
            case _:
                yield None, times


# ---------------------------------------------------------------- values that depend on the number of players only
ARITHMETIC = {"+": operator.add, "-": operator.sub, "*": operator.mul}
COMPARISON = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}


DEEPEST = 60


def constant(game: g.Game, value: g.Expr, players: int, depth: int = DEEPEST) -> Fraction | None:
    """The number that a value is whenever there are so many players; None if it depends on more, or is nested deeper
    than `depth`. A flag is 0 or 1."""
    if depth == 0:
        return None
    match value:
        case g.Const(value=int() | Fraction() as known):
            return Fraction(known)
        case g.Agg(function="count", list=g.Builtin(name="players")):
            return Fraction(players)
        case g.Call(define=name, of=None):
            return defined(game, name, players, depth - 1)
        case g.Cases(cases=cases):
            return first_case(game, cases, players, depth - 1)
        case g.Arith(operator=sign, left=left, right=right) if sign in ARITHMETIC:
            return both(game, ARITHMETIC[sign], (left, right), players, depth - 1)
        case g.Compare(operator=sign, left=left, right=right):
            return both(game, COMPARISON[sign], (left, right), players, depth - 1)
        case g.Whole(value=inner):
            found = constant(game, inner, players, depth - 1)
            return None if found is None else Fraction(found.__floor__())
    return None


@lru_cache(maxsize=256)
def defined(game: g.Game, name: str, players: int, depth: int) -> Fraction | None:
    """The constant of a definition: worked out once, however often others need it."""
    return constant(game, game.defines[name].value, players, depth)


def both(
    game: g.Game, work: Callable[..., Any], sides: tuple[g.Expr, g.Expr], players: int, depth: int
) -> Fraction | None:
    left, right = (constant(game, side, players, depth) for side in sides)
    return None if left is None or right is None else Fraction(work(left, right))


def first_case(
    game: g.Game, cases: tuple[tuple[g.Expr, g.Expr | None], ...], players: int, depth: int
) -> Fraction | None:
    for value, condition in cases:
        holds = Fraction(1) if condition is None else constant(game, condition, players, depth)
        if holds is None or holds:
            return None if holds is None else constant(game, value, players, depth)
    return None
