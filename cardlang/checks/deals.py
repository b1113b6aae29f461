"""Check for deals that need more cards than a pile can have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache

from cardlang import game as g
from cardlang.checks.known import Known
from cardlang.game.walking import bodies, eliminates, everything, walk
from cardlang.source import Diagnostic

MOST = 10_000
"""Maximum number of statements to follow in a step, including loops and other steps."""

Taking = g.Move | g.Pick


def check_deals(game: g.Game) -> Iterator[Diagnostic]:
    """Report, for each player count, consecutive deals that take more cards from a pile than it can ever hold."""
    room = cache(lambda zone: capacity(game, zone))
    opening = [Course(game, players, not eliminates_at_any_time(game)) for players in game.seats]
    later = [Course(game, players, not eliminates(game)) for players in game.seats]
    refilled = is_refilled(game)
    told: set[object] = set()
    for step in game.steps.values():
        for course in opening if step.name in ("setup", "play") else later:
            players, first = course.players, dict[str, Deal]()
            for deal in most_taken(deals(course.of_step(step.name), refilled)):
                if deal[2] > room(deal[1]):
                    first.setdefault(deal[1], deal)
            for zone, (move, _, needed) in first.items():
                if not {move.span, (step.name, zone)} & told:
                    yield too_many(move, zone, players, needed, room(zone))
                told |= {move.span, (step.name, zone)}


def eliminates_at_any_time(game: g.Game) -> bool:
    """Return whether players may be eliminated outside the normal course of steps."""
    in_course = {id(step.body) for step in game.steps.values()}
    others = tuple(body for body in bodies(game) if id(body) not in in_course)
    return eliminates(game) and any(isinstance(part, g.Eliminate | g.Do) for part in walk(others))


def most_taken(found: Iterable[Deal]) -> Iterator[Deal]:
    """Yield the deal with the highest running total for each place."""
    most: dict[object, Deal] = {}
    for deal in found:
        place = (deal[0].span, deal[1])
        if place not in most or deal[2] > most[place][2]:
            most[place] = deal
    yield from most.values()


def too_many(move: Taking, zone: str, players: int, needed: Fraction, there: int) -> Diagnostic:
    return Diagnostic(
        "E302",
        f"with {players} players, this takes {needed} cards from `{zone}`, which has only {there}",
        move.span,
        "deal fewer cards, add cards, or change the player count",
    )


def capacity(game: g.Game, zone: str) -> int:
    """Return the maximum number of cards in a zone: the cards that start there, or all if others may be moved there."""
    own = {name for name, card_set in game.sets.items() if card_set.home == zone}
    for part in everything(game):
        if isinstance(part, g.Move | g.Pick) and part.to.zone == zone:
            what = part.what if isinstance(part, g.Move) else None
            if not sets_of(what) or sets_of(what) - own:
                return game.cards
    return sum(face.copies for face in game.faces if face.set in own) or game.cards


def sets_of(what: g.Expr | None) -> set[str]:
    """Return the card sets that make up a list, or an empty set for other lists."""
    match what:
        case g.SetCards(set=name):
            return {name}
        case g.Joined(items=items) if all(sets_of(item) for item in items):
            return {name for item in items for name in sets_of(item)}
    return set()


Deal = tuple[Taking, str, Fraction]
"""Statement that takes cards, with the source zone and the number of cards."""


def is_refilled(game: g.Game) -> bool:
    """Return whether triggers may move cards."""
    triggers = [trigger.body for trigger in game.enters] + [trigger.body for trigger in game.whenevers]
    return any(isinstance(part, Taking) for trigger in triggers for part in walk(trigger))


def deals(course: Iterable[Deal | None], refilled: bool) -> Iterator[Deal]:
    """Yield the deals with the running total of cards taken. The total restarts wherever cards may return or move
    elsewhere."""
    taken: dict[str, Fraction] = {}
    for deal in course:
        if deal is None or refilled:
            taken.clear()
        if deal is not None:
            statement, zone, size = deal
            taken[zone] = taken.get(zone, Fraction(0)) + size
            taken.pop(statement.to.zone, None)
            if zone in taken:
                yield statement, zone, taken[zone]


def deal_of(known: Known, statement: Taking) -> Deal | None:
    """Return the number of cards that a statement takes and their zone, or None if they are unknown."""
    if isinstance(statement, g.Pick):
        number, source = statement.low, statement.source if statement.settled else None
    else:
        what = statement.what
        one = isinstance(what, g.Joined) and len(what.items) == 1
        what = what.items[0] if isinstance(what, g.Joined) and one else what
        if not isinstance(what, g.Agg) or what.function not in ENDS or (what.number is None and not one):
            return None
        number, source = what.number, what.list
    if not isinstance(source, g.ZoneCards) or source.of is not None:
        return None
    size = Fraction(1) if number is None else known.value(number, {})
    return statement, source.zone, size if isinstance(size, Fraction) else Fraction(0)


ENDS = ("top", "bottom", "first", "last", "random")


class Course:
    """Sequence of deals at one player count.

    None in the sequence means that unknown statements may run there; it is never repeated directly. Sequences of steps
    are memoized. `all_in` means that no player can have been eliminated so far."""

    def __init__(self, game: g.Game, players: int, all_in: bool) -> None:
        self.game = game
        self.players = players
        self.all_in = all_in
        self.known = Known(game, players if all_in else None)
        self.left = MOST
        self.steps: dict[str, list[Deal | None]] = {}

    def of_step(self, name: str) -> list[Deal | None]:
        if name not in self.steps:
            self.steps[name] = [None]
            before, self.left = self.left, MOST
            self.steps[name] = list(one_after_another(self.of(self.game.steps[name].body)))
            self.left = before
        return self.steps[name]

    def of(self, body: Iterable[g.Stmt]) -> Iterator[Deal | None]:
        for statement in body:
            self.left -= 1
            if self.left < 0:
                yield None
                return
            yield from self.after(statement)

    def after(self, statement: g.Stmt) -> Iterator[Deal | None]:
        match statement:
            case g.Move() | g.Pick():
                yield deal_of(self.known, statement)
            case g.Each(condition=None, list=items, body=body, together=False) if self.rounds(items) is not None:
                for _ in range(self.rounds(items) or 0):
                    yield from self.of(body)
            case g.If(condition=condition, then=then, otherwise=otherwise):
                holds = self.known.value(condition, {})
                known = isinstance(holds, Fraction)
                yield from self.of(then if holds else otherwise) if known else self.apart(then, otherwise)
            case g.Do(step=name):
                found = self.of_step(name)
                self.left -= len(found)
                yield from found
            case g.Eliminate():
                self.all_in, self.known = False, Known(self.game, None)
                yield None
            case g.Finish() | g.Cancel():
                yield None
            case g.AtOnce():
                return
            case _:
                yield from self.apart(*inner_bodies(statement))

    def apart(self, *bodies: Iterable[g.Stmt]) -> Iterator[Deal | None]:
        """Yield the deals of bodies that may run any number of times, separated by None. Bodies without deals yield
        nothing."""
        found = [list(self.of(body)) for body in bodies]
        for course in found if any(found) else ():
            yield None
            yield from course
            yield None

    def rounds(self, items: g.Expr) -> int | None:
        """Return the length of a list, if it is known."""
        match items:
            case g.Builtin(name="players"):
                return self.players if self.all_in else None
            case g.Builtin(name="others"):
                return self.players - 1 if self.all_in else None
            case g.Members(kind=kind):
                return len(self.game.kinds[kind].members)
        return None


def one_after_another(course: Iterable[Deal | None]) -> Iterator[Deal | None]:
    """Yield the deals with repeated None merged."""
    broken = False
    for deal in course:
        if deal is not None or not broken:
            yield deal
        broken = deal is None


def inner_bodies(statement: g.Stmt) -> list[tuple[g.Stmt, ...]]:
    """Return the bodies nested in a statement."""
    options = getattr(statement, "options", ())
    found = [getattr(statement, name, ()) for name in ("body", "otherwise")]
    return [*(option.body for option in options), *found]
