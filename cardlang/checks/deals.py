"""Deals that need more cards than there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from cardlang import game as g
from cardlang.source import Diagnostic


def check_deals(game: g.Game) -> Iterator[Diagnostic]:
    """For each number of players: a run of deals from one pile takes more cards than can ever be in it."""
    for step in game.steps.values():
        told: set[object] = set()
        for players in game.seats:
            for move, zone, needed in deals(game, step.body, players, 1):
                there = capacity(game, zone)
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
    """How many cards can be in a zone: those that start in it if nothing ever puts others there."""
    homes = {name for name, card_set in game.sets.items() if card_set.home == zone}
    own = sum(face.copies for face in game.faces if face.set in homes)
    return own if own and all(set_ in homes for set_ in game.sets) else game.cards


def deals(
    game: g.Game, body: Iterable[g.Stmt], players: int, times: int
) -> Iterator[tuple[g.Move, str, Fraction]]:
    """The deals of known size that follow each other in a body, with the cards taken up to then. Cards that come back
    begin a new count; what happens only sometimes is not counted."""
    taken: dict[str, Fraction] = {}
    for statement, factor in straight(body, players, times):
        match statement:
            case g.Move(what=g.Agg(number=number, list=g.ZoneCards(zone=zone, of=None)), to=to) if number:
                size = constant(game, number, players)
                if size is None:
                    taken.pop(to.zone, None)
                    continue
                taken[zone] = taken.get(zone, Fraction(0)) + size * factor
                yield statement, zone, taken[zone]
            case g.Move() | g.Pick():
                taken.clear()


def straight(body: Iterable[g.Stmt], players: int, times: int) -> Iterator[tuple[g.Stmt, int]]:
    """Statements that are surely done, and how often: for everybody, once for each player."""
    for statement in body:
        match statement:
            case g.Each(list=g.Builtin(name="players"), start=None, condition=None, body=inner):
                yield from straight(inner, players, times * players)
            case g.Each() | g.Repeat() | g.If() | g.Do() | g.DoBorne() | g.Choose() | g.Menu() | g.Offer():
                yield g.Pick.__new__(g.Pick), times
            case _:
                yield statement, times
