"""Check for uneven deals: abstract execution of the setup that tracks the number of cards in each pile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from attrs import define, field

from cardlang import game as g
from cardlang.checks.known import Given, Known
from cardlang.game.walking import everything, walk
from cardlang.source import Diagnostic

Owner = int | None
Where = tuple[str, Owner]


class Lost(Exception):
    """Signal that the positions of the cards are no longer known."""


@define
class Pile:
    """Pile with a known size. `faces` counts the cards by face, or is None if they are unknown."""

    size: int = 0
    faces: Counter[int] | None = field(factory=Counter)

    def add(self, other: Pile) -> None:
        self.size += other.size
        self.faces = None if self.faces is None or other.faces is None else self.faces + other.faces

    def take_all(self) -> Pile:
        taken = Pile(self.size, self.faces)
        self.size, self.faces = 0, Counter()
        return taken

    def take_some(self, number: int) -> Pile:
        """Take a number of unknown cards."""
        if number >= self.size:
            return self.take_all()
        self.size -= number
        self.faces = None
        return Pile(number, None)

    def take_faces(self, faces: set[int]) -> Pile:
        """Take all cards of these faces."""
        if self.faces is None:
            raise Lost
        taken = Counter({face: number for face, number in self.faces.items() if face in faces})
        self.size -= taken.total()
        self.faces = self.faces - taken
        return Pile(taken.total(), taken)


def check_even(game: g.Game) -> Iterator[Diagnostic]:
    """Report deals to all players that are uneven at some player count.

    An `expect` on the dealt zone directly after the deal silences the report."""
    if not any(isinstance(part, g.Move) and part.to.each for part in everything(game)):
        return
    found: dict[g.Move, dict[int, int]] = {}
    for players in game.seats:
        for move, number in Table(game, players).uneven():
            found.setdefault(move, {})[players] = number
    for move, numbers in found.items():
        players, number = next(iter(numbers.items()))
        more, each = number % players, number // players
        others = f" (and also for {listed(list(numbers)[1:])})" if len(numbers) > 1 else ""
        yield Diagnostic(
            "W414",
            f"for {players} players, this deal of {number} card{'s' * (number > 1)} is uneven: "
            f"{more} {'player gets' if more == 1 else 'players get'} {each + 1}, the others {each or 'none'}{others}",
            move.span,
            how_to_deal(move),
            warning=True,
        )


def how_to_deal(move: g.Move) -> str:
    match move.what:
        case g.Agg(number=g.Const(value=number), list=pile) if number is not None:
            each = f"deal top {number} of {pile.span.text} to your {move.to.zone}"
            return f"for {number} cards each, write `each player`, and indented below it `{each}`"
    return "deal a number that divides evenly, or leave cards out. If it is intended, add an `expect …` line below it"


def listed(numbers: list[int]) -> str:
    *most, last = map(str, numbers)
    return f"{', '.join(most)} or {last}" if most else last


class Table:
    """Abstract state of the cards during setup at one player count. `given` maps variables to values."""

    def __init__(self, game: g.Game, players: int) -> None:
        self.game = game
        self.players = players
        self.known = Known(game, players)
        self.piles: dict[Where, Pile] = {}
        for face in game.faces:
            self.pile((game.sets[face.set].home, None)).add(Pile(face.copies, Counter({face.number: face.copies})))
        self.watched = {trigger.zone for trigger in game.enters}

    def pile(self, where: Where) -> Pile:
        return self.piles.setdefault(where, Pile())

    def uneven(self) -> Iterator[tuple[g.Move, int]]:
        """Yield the uneven deals to all players, with the number of cards."""
        try:
            for name in ("setup", "play"):
                if name in self.game.steps:
                    yield from self.body(self.game.steps[name].body, {})
        except Lost:
            return

    def body(self, body: tuple[g.Stmt, ...], given: Given) -> Iterator[tuple[g.Move, int]]:
        for place, statement in enumerate(body):
            following = next((each for each in body[place + 1 :] if not isinstance(each, g.Aside)), None)
            for move, number in self.statement(statement, given):
                if not (move is statement and promised(following, move.to.zone)):
                    yield move, number

    def statement(self, statement: g.Stmt, given: Given) -> Iterator[tuple[g.Move, int]]:
        match statement:
            case g.Move():
                yield from self.move(statement, given)
            case g.If(condition=condition, then=then, otherwise=otherwise):
                holds = self.known.value(condition, given)
                if not isinstance(holds, Fraction):
                    raise Lost
                yield from self.body(then if holds else otherwise, given)
            case g.Each(list=items, var=var, condition=None, together=False, body=body):
                for item in self.items(items):
                    yield from self.body(body, {**given, var.id: Fraction(item)})
            case g.Do(step=name, of=of, args=()):
                step = self.game.steps[name]
                own = {} if of is None or step.you is None else {step.you.id: self.known.value(of, given)}
                yield from self.body(step.body, own)
            case g.Repeat(body=body):
                yield from self.body(body, given)
                raise Lost  # only the first iteration is known
            case g.Finish() | g.Eliminate() | g.Cancel():
                raise Lost
            case g.AtOnce():
                return
            case _:
                raise Lost

    def items(self, items: g.Expr) -> range:
        match items:
            case g.Builtin(name="players"):
                return range(self.players)
            case g.Members(kind=kind):
                return range(len(self.game.kinds[kind].members))
        raise Lost

    # ------------------------------------------------------------ moves
    def move(self, move: g.Move, given: Given) -> Iterator[tuple[g.Move, int]]:
        taken = self.taken(move.what, given)
        if move.to.zone in self.watched:
            raise Lost
        if not move.to.each:
            self.pile((move.to.zone, self.owner(move.to.of, given))).add(taken)
            return
        if taken.size % self.players:
            yield move, taken.size
        for seat in range(self.players):
            self.pile((move.to.zone, seat)).add(Pile(taken.size // self.players, None))

    def owner(self, of: g.Expr | None, given: Given) -> Owner:
        if of is None:
            return None
        found = self.known.value(of, given)
        if not isinstance(found, Fraction):
            raise Lost
        return int(found)

    def taken(self, what: g.Expr, given: Given) -> Pile:
        match what:
            case g.ZoneCards(zone=zone, of=of):
                return self.pile((zone, self.owner(of, given))).take_all()
            case g.Joined(items=items):
                taken = Pile()
                for item in items:
                    taken.add(self.taken(item, given))
                return taken
            case g.Agg(
                function="top" | "bottom" | "first" | "last" | "random", number=number, list=g.ZoneCards() as zone
            ):
                return self.pile((zone.zone, self.owner(zone.of, given))).take_some(self.number(number, given))
            case g.Filter(list=g.ZoneCards() as zone, var=var, condition=condition):
                pile = self.pile((zone.zone, self.owner(zone.of, given)))
                return pile.take_faces(self.fitting(pile, var, condition, given))
            case g.MapEach(list=g.Builtin(name="players"), var=var, value=g.ZoneCards(zone=zone, of=of)) if of == var:
                return self.of_all([(zone, seat) for seat in range(self.players)])
            case g.SetCards() if len({face.set for face in self.game.faces}) == 1:
                return self.of_all(list(self.piles))
        raise Lost

    def of_all(self, places: list[Where]) -> Pile:
        taken = Pile()
        for where in places:
            taken.add(self.pile(where).take_all())
        return taken

    def number(self, number: g.Expr | None, given: Given) -> int:
        found = Fraction(1) if number is None else self.known.value(number, given)
        if not isinstance(found, Fraction):
            raise Lost
        return max(0, int(found))

    def fitting(self, pile: Pile, var: g.Var, condition: g.Expr, given: Given) -> set[int]:
        fits: set[int] = set()
        for face in pile.faces or ():
            holds = self.known.value(condition, {**given, var.id: Fraction(face)})
            if not isinstance(holds, Fraction):
                raise Lost
            if holds:
                fits.add(face)
        return fits


def promised(statement: g.Stmt | None, zone: str) -> bool:
    """Return whether a statement is an `expect` about a zone."""
    found = walk(statement.condition) if isinstance(statement, g.Property) else ()
    return any(isinstance(part, g.ZoneCards) and part.zone == zone for part in found)
