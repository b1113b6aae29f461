"""Find the seats that can work out a value, because they know all of its parts.

For cards, this means the seats that know which cards they are. A set of seats is a bit mask: one bit for each seat."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from cardlang import game as g
from cardlang.game.walking import any_part, children, free_vars, is_random, reachable_defines
from interpreter import lowered as lo
from interpreter.card_names import CardNames, names_in
from interpreter.layout import Layout, about_cards
from interpreter.lowering.building import Building
from interpreter.moving import NAMED
from interpreter.public_knowledge import Common

CARDS = lo.list_of(lo.CARD)
NO_SEATS = lo.Const(lo.NUMBER, 0)
ANY = lo.Const(CARDS, ())
"""Any card is possible: there is no public knowledge about a name."""
SEATS, AMONG = range(2)
"""Types of notes that the program stores about a name."""
FIRST_NOTE = -(1 << 20)
"""Upper limit of the variable numbers for notes about names. All other variables have larger numbers."""
POSITIONS = ("top", "bottom", "first", "last")
SELECTING = (*POSITIONS, "random", "reverse", "distinct")


class Knowers(Building):
    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self.everybody = lo.Const(lo.NUMBER, layout.everyone)
        self.by_name = lo.Const(lo.NUMBER, layout.everyone | NAMED)
        self.faces_of: dict[int, lo.Expr] = {}
        """For each variable within an expression, the seats that know the cards it iterates over."""

    @cached_property
    def names(self) -> CardNames:
        return CardNames(Common(self.game))

    def as_list(self, cards: lo.Expr) -> lo.Expr:
        return cards if cards.kind.tag == "list" else lo.Items(CARDS, (cards,))

    def only(self, seat: lo.Expr) -> lo.Expr:
        if isinstance(seat, lo.Const) and isinstance(seat.value, int):
            return lo.Const(lo.NUMBER, 1 << seat.value)
        return lo.Op(lo.NUMBER, "only_seat", (seat,))

    # ------------------------------------------------------------ seats that know
    def knowers(self, value: g.Expr | None) -> lo.Expr:
        """Return the seats that can work out a value from their knowledge.

        For cards, these are the seats that can identify them by position or by name."""
        match value:
            case g.Var() if about_cards(value.type) and value.id not in self.faces_of:
                return self.of_name(value)
            case None | g.SetCards() | g.NamedCards():
                return self.everybody
        if self.is_public(value):
            return self.everybody
        match value:
            case g.Var():
                return self.everybody if value.id in self.faces_of else NO_SEATS
            case g.TrackValue() if self.game.tracks[value.track].secret:
                return self.of_secret(value)
            case g.Agg(function="random") | g.Target():
                return NO_SEATS
            case g.Call():
                return self.of_definition(value)
            case g.Filter() | g.MapEach() | g.Quantified() | g.Sorted() | g.AggBy():
                return self.of_each(value)
        seats = self.of_all(children(value))
        return self.limited(seats, self.of_faces(*children(value))) if self.looks_at_cards(value) else seats

    def of_name(self, var: g.Var) -> lo.Expr:
        seats = self.code.env.get(key_of(var, SEATS))
        return seats or (NO_SEATS if var.id in self.names.hidden else self.by_name)

    def is_public(self, value: g.Expr) -> bool:
        """Check whether all players know a value. An item of a list can be public while its face is not."""
        return self.names.is_public(value) and not names_in(value) & self.faces_of.keys()

    def of_secret(self, value: g.TrackValue) -> lo.Expr:
        """Return the seats that know a secret: only its owner."""
        if value.of is None or self.game.tracks[value.track].subject != "player" or not self.can_ask(value.of):
            return NO_SEATS
        if self.code.maybe(value.of):
            return NO_SEATS
        return self.limited(self.only(self.code.expr(value.of)), self.knowers(value.of))

    def of_all(self, values: Sequence[object]) -> lo.Expr:
        cards: lo.Expr | None = None
        seats: lo.Expr = self.everybody
        for each in values:
            if not isinstance(each, g.Expr):
                return NO_SEATS
            if about_cards(each.type):
                cards = self.knowers(each) if cards is None else both(cards, self.knowers(each))
            else:
                seats = self.limited(self.knowers(each), seats)
        return seats if cards is None else self.limited(cards, seats)

    def limited(self, cards: lo.Expr, seats: lo.Expr) -> lo.Expr:
        """Intersect the seats that know some cards, by name or position, with other seats."""
        return cards if seats == self.everybody else both(cards, seats)

    def of_each(self, value: g.Filter | g.MapEach | g.Quantified | g.Sorted | g.AggBy) -> lo.Expr:
        """Return the seats that know a value computed for each item of a list."""
        order = value.order if isinstance(value, g.Sorted | g.AggBy) else None
        faces, seats = self.of_faces(value.list), self.knowers(value.list)
        if order is not None:
            public = all(map(self.names.common.is_public, self.game.orders[order].lines))
            return self.limited(seats, faces) if public else NO_SEATS
        if value.var is not None:
            self.faces_of[value.var.id] = faces
        rest = [part for part in children(value) if part not in (value.list, value.var)]
        return self.limited(seats, self.of_all(rest))

    def of_definition(self, call: g.Call) -> lo.Expr:
        define = self.game.defines[call.define]
        if call.of is None or define.var is None:
            return self.knowers(define.value)
        if about_cards(define.var.type):
            self.faces_of[define.var.id] = self.of_faces(call.of)
        elif self.code.maybe(call.of) or not self.can_ask(call.of):
            return NO_SEATS
        else:
            with self.code.bound(define.var, self.code.expr(call.of)):
                return self.limited(self.knowers(define.value), self.knowers(call.of))
        return both(self.knowers(call.of), self.knowers(define.value))

    def looks_at_cards(self, value: g.Expr) -> bool:
        """Check whether a value depends on the faces of cards, not only on which cards they are."""
        match value:
            case g.Agg():
                return value.function == "distinct"
            case (
                g.ZoneCards() | g.Joined() | g.IsEmpty() | g.IsAbsent() | g.TrackValue() | g.FirstPossible() | g.Cases()
            ):
                return False
            case g.BorneCall() if not self.names.common.part_is_public(value):
                return True
        return any(isinstance(part, g.Expr) and about_cards(part.type) for part in children(value))

    def of_faces(self, *values: object) -> lo.Expr:
        """Return the seats that know the faces of these cards, provided they know which cards these are."""
        seats: lo.Expr = self.everybody
        for value in values:
            if isinstance(value, g.Expr) and about_cards(value.type):
                seats = self.limited(self.of_face(value), seats)
        return seats

    def of_face(self, cards: g.Expr) -> lo.Expr:
        match cards:
            case g.NamedCards() | g.SetCards():
                return self.everybody
            case g.Var() if cards.id in self.faces_of:
                return self.faces_of[cards.id]
            case g.Filter() | g.Sorted() | g.AggBy():
                return self.of_face(cards.list)
            case g.Joined():
                return self.of_faces(*cards.items)
        if self.is_public(cards):
            return self.everybody
        return lo.Op(lo.NUMBER, "knowers_of", (self.code.items(cards),)) if self.can_ask(cards) else NO_SEATS

    def can_ask(self, value: g.Expr) -> bool:
        """Check whether a value can be evaluated here: it uses no item of a list, and each evaluation gives the same
        value."""
        defines = [self.game.defines[name].value for name in reachable_defines(self.game, value)]
        unsure = any_part((value, *defines), lambda part: is_random(part) or isinstance(part, g.BorneCall))
        return free_vars(value) <= self.code.env.keys() and not unsure

    # ------------------------------------------------------------ possible cards
    def possible_cards(self, cards: g.Expr) -> lo.Expr:
        """Return a public superset of these cards; empty if they may be any in their piles."""
        match cards:
            case g.Var():
                return self.possible_cards_of_name(cards)
            case g.Agg(function=function) if function in POSITIONS and self.knowers(cards) == self.everybody:
                return self.code.items(cards) if self.can_ask(cards) else ANY
            case g.Agg(function=function) if function in SELECTING:
                return self.possible_cards(cards.list)
            case g.Filter() | g.Sorted() | g.AggBy():
                return self.possible_cards(cards.list)
            case g.Joined(items=(item,)):
                return self.possible_cards(item)
            case g.Joined() if is_positional(cards) and self.knowers(cards) == self.everybody:
                return self.code.items(cards) if self.can_ask(cards) else ANY
            case g.Call(of=None):
                return self.possible_cards(self.game.defines[cards.define].value)
        return ANY

    def possible_cards_of_name(self, var: g.Var) -> lo.Expr:
        if var.id not in self.code.env:
            return ANY
        cards = self.as_list(self.code.env[var.id])
        seats, among = (self.code.env.get(key_of(var, which)) for which in (SEATS, AMONG))
        if seats is None or among is None:
            return cards if seats == self.everybody or var.id not in self.names.hidden else ANY
        return lo.Op(CARDS, "candidates", (seats, cards, among))


def is_positional(what: g.Expr) -> bool:
    """Check whether all players can follow which cards these are: whole zones, or a number from an end."""
    if isinstance(what, g.Joined):
        return all(is_positional(item) for item in what.items)
    if isinstance(what, g.Agg):
        return what.function in POSITIONS and is_positional(what.list)
    if isinstance(what, g.MapEach):
        return is_positional(what.value)
    return isinstance(what, g.ZoneCards | g.SetCards)


def both(seats: lo.Expr, others: lo.Expr) -> lo.Expr:
    """Return the seats that are in both sets."""
    if NO_SEATS in (seats, others):
        return NO_SEATS
    if isinstance(seats, lo.Const) and isinstance(others, lo.Const):
        return lo.Const(lo.NUMBER, int(seats.value or 0) & int(others.value or 0))  # type: ignore[arg-type]
    return lo.Op(lo.NUMBER, "in_both", (seats, others)) if seats != others else seats


def either(seats: lo.Expr, others: lo.Expr) -> lo.Expr:
    """Return the seats that are in one set or the other."""
    return lo.Op(lo.NUMBER, "in_either", (seats, others))


def key_of(var: g.Var, which: int) -> int:
    """Return the number of the variable for a note about a name."""
    return FIRST_NOTE - 2 * var.id - which


def seats_of(var: g.Var) -> g.Var:
    return g.Var(g.NUMBER, var.span, key_of(var, SEATS), var.name)


def among_of(var: g.Var) -> g.Var:
    return g.Var(g.list_of(g.CARD), var.span, key_of(var, AMONG), var.name)
