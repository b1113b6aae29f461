"""Lowering of value knowledge: seats that can compute a value, because they know all of its parts.

For cards, these are the seats that know which cards they are. A set of seats is a bit mask: one bit for each seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from cardlang import model as g
from cardlang.model.traversal import (
    find_free_variables,
    find_reachable_definitions,
    has_matching_node,
    is_random_draw,
    list_children,
)
from cardlang.model.types import is_card_type
from interpreter import ir
from interpreter.knowledge.common_knowledge import CommonKnowledge
from interpreter.knowledge.hidden_card_variables import HiddenCardVariables, find_variables
from interpreter.lower.statement_base import StatementLowererBase
from interpreter.runtime.card_moves import KNOWN_BY_NAME
from interpreter.runtime.layout import Layout

CARDS = ir.build_list_kind(ir.CARD)
NO_SEATS = ir.Const(ir.NUMBER, 0)
ANY_CARDS = ir.Const(CARDS, ())
"""Any card is possible: there is no public knowledge about a name."""
SEATS_NOTE, CANDIDATES_NOTE = range(2)
"""Types of notes that the program stores about a name."""
NOTE_KEY_LIMIT = -(1 << 20)
"""Upper limit of the variable numbers for notes about names. All other variables have larger numbers."""
POSITION_FUNCTIONS = ("top", "bottom", "first", "last")
ITEM_SELECTORS = (*POSITION_FUNCTIONS, "random", "reverse", "distinct")


class KnowledgeLowerer(StatementLowererBase):
    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self.all_seats = ir.Const(ir.NUMBER, layout.everyone)
        self.all_seats_by_name = ir.Const(ir.NUMBER, layout.everyone | KNOWN_BY_NAME)
        self.face_knowers: dict[int, ir.Expr] = {}
        """For each variable within an expression, the seats that know the cards it iterates over."""

    @cached_property
    def card_names(self) -> HiddenCardVariables:
        return HiddenCardVariables(CommonKnowledge(self.game))

    def wrap_as_list(self, cards: ir.Expr) -> ir.Expr:
        return cards if cards.kind.tag == "list" else ir.Items(CARDS, (cards,))

    def build_seat_mask(self, seat: ir.Expr) -> ir.Expr:
        if isinstance(seat, ir.Const) and isinstance(seat.value, int):
            return ir.Const(ir.NUMBER, 1 << seat.value)
        return ir.Op(ir.NUMBER, "only_seat", (seat,))

    # ------------------------------------------------------------ seats that know
    def find_knowers(self, value: g.Expr | None) -> ir.Expr:
        """Return the seats that can compute a value from their knowledge.

        For cards, these are the seats that can identify them by position or by name."""
        match value:
            case g.Var() if is_card_type(value.type) and value.id not in self.face_knowers:
                return self.find_name_knowers(value)
            case None | g.SetCards() | g.NamedCards():
                return self.all_seats
        if self.is_public(value):
            return self.all_seats
        match value:
            case g.Var():
                return self.all_seats if value.id in self.face_knowers else NO_SEATS
            case g.TrackValue() if self.game.tracks[value.track].secret:
                return self.find_secret_knowers(value)
            case g.Agg(function="random") | g.Target():
                return NO_SEATS
            case g.Call():
                return self.find_definition_knowers(value)
            case g.Filter() | g.MapEach() | g.Quantified() | g.Sorted() | g.AggBy():
                return self.find_loop_knowers(value)
        seats = self.find_common_knowers(list_children(value))
        return (
            self.intersect_knowers(seats, self.find_face_knowers(*list_children(value)))
            if self.is_face_dependent(value)
            else seats
        )

    def find_name_knowers(self, var: g.Var) -> ir.Expr:
        seats = self.expression_lowerer.env.get(make_note_key(var, SEATS_NOTE))
        return seats or (NO_SEATS if var.id in self.card_names.hidden else self.all_seats_by_name)

    def is_public(self, value: g.Expr) -> bool:
        """Check whether all players know a value. An item of a list can be public while its face is not."""
        return self.card_names.is_public(value) and not find_variables(value) & self.face_knowers.keys()

    def find_secret_knowers(self, value: g.TrackValue) -> ir.Expr:
        """Return the seats that know a secret: only its owner."""
        if (
            value.of is None
            or self.game.tracks[value.track].subject != "player"
            or not self.can_evaluate_here(value.of)
        ):
            return NO_SEATS
        if self.expression_lowerer.can_be_absent(value.of):
            return NO_SEATS
        return self.intersect_knowers(
            self.build_seat_mask(self.expression_lowerer.lower_expression(value.of)), self.find_knowers(value.of)
        )

    def find_common_knowers(self, values: Sequence[object]) -> ir.Expr:
        cards: ir.Expr | None = None
        seats: ir.Expr = self.all_seats
        for each in values:
            if not isinstance(each, g.Expr):
                return NO_SEATS
            if is_card_type(each.type):
                cards = self.find_knowers(each) if cards is None else intersect_seats(cards, self.find_knowers(each))
            else:
                seats = self.intersect_knowers(self.find_knowers(each), seats)
        return seats if cards is None else self.intersect_knowers(cards, seats)

    def intersect_knowers(self, cards: ir.Expr, seats: ir.Expr) -> ir.Expr:
        """Intersect the seats that know some cards, by name or position, with other seats."""
        return cards if seats == self.all_seats else intersect_seats(cards, seats)

    def find_loop_knowers(self, value: g.Filter | g.MapEach | g.Quantified | g.Sorted | g.AggBy) -> ir.Expr:
        """Return the seats that know a value computed for each item of a list."""
        order = value.order if isinstance(value, g.Sorted | g.AggBy) else None
        faces, seats = self.find_face_knowers(value.list), self.find_knowers(value.list)
        if order is not None:
            public = all(map(self.card_names.common.is_public, self.game.orders[order].lines))
            return self.intersect_knowers(seats, faces) if public else NO_SEATS
        if value.var is not None:
            self.face_knowers[value.var.id] = faces
        rest = [part for part in list_children(value) if part not in (value.list, value.var)]
        return self.intersect_knowers(seats, self.find_common_knowers(rest))

    def find_definition_knowers(self, call: g.Call) -> ir.Expr:
        define = self.game.defines[call.define]
        if call.of is None or define.var is None:
            return self.find_knowers(define.value)
        if is_card_type(define.var.type):
            self.face_knowers[define.var.id] = self.find_face_knowers(call.of)
        elif self.expression_lowerer.can_be_absent(call.of) or not self.can_evaluate_here(call.of):
            return NO_SEATS
        else:
            with self.expression_lowerer.bind_temporarily(
                define.var, self.expression_lowerer.lower_expression(call.of)
            ):
                return self.intersect_knowers(self.find_knowers(define.value), self.find_knowers(call.of))
        return intersect_seats(self.find_knowers(call.of), self.find_knowers(define.value))

    def is_face_dependent(self, value: g.Expr) -> bool:
        """Check whether a value depends on the faces of cards, not only on which cards they are."""
        match value:
            case g.Agg():
                return value.function == "distinct"
            case (
                g.ZoneCards() | g.Joined() | g.IsEmpty() | g.IsAbsent() | g.TrackValue() | g.FirstPossible() | g.Cases()
            ):
                return False
            case g.BorneCall() if not self.card_names.common.is_part_public(value):
                return True
        return any(isinstance(part, g.Expr) and is_card_type(part.type) for part in list_children(value))

    def find_face_knowers(self, *values: object) -> ir.Expr:
        """Return the seats that know the faces of these cards, provided they know which cards these are."""
        seats: ir.Expr = self.all_seats
        for value in values:
            if isinstance(value, g.Expr) and is_card_type(value.type):
                seats = self.intersect_knowers(self.find_list_face_knowers(value), seats)
        return seats

    def find_list_face_knowers(self, cards: g.Expr) -> ir.Expr:
        match cards:
            case g.NamedCards() | g.SetCards():
                return self.all_seats
            case g.Var() if cards.id in self.face_knowers:
                return self.face_knowers[cards.id]
            case g.Filter() | g.Sorted() | g.AggBy():
                return self.find_list_face_knowers(cards.list)
            case g.Joined():
                return self.find_face_knowers(*cards.items)
        if self.is_public(cards):
            return self.all_seats
        return (
            ir.Op(ir.NUMBER, "knowers_of", (self.expression_lowerer.lower_list(cards),))
            if self.can_evaluate_here(cards)
            else NO_SEATS
        )

    def can_evaluate_here(self, value: g.Expr) -> bool:
        """Check whether a value can be evaluated here: it uses no item of a list, and each evaluation gives the same
        value."""
        defines = [self.game.defines[name].value for name in find_reachable_definitions(self.game, value)]
        unsure = has_matching_node(
            (value, *defines), lambda part: is_random_draw(part) or isinstance(part, g.BorneCall)
        )
        return find_free_variables(value) <= self.expression_lowerer.env.keys() and not unsure

    # ------------------------------------------------------------ possible cards
    def find_possible_cards(self, cards: g.Expr) -> ir.Expr:
        """Return a public superset of these cards; empty if they may be any in their piles."""
        match cards:
            case g.Var():
                return self.find_possible_named_cards(cards)
            case g.Agg(function=function) if (
                function in POSITION_FUNCTIONS and self.find_knowers(cards) == self.all_seats
            ):
                return self.expression_lowerer.lower_list(cards) if self.can_evaluate_here(cards) else ANY_CARDS
            case g.Agg(function=function) if function in ITEM_SELECTORS:
                return self.find_possible_cards(cards.list)
            case g.Filter() | g.Sorted() | g.AggBy():
                return self.find_possible_cards(cards.list)
            case g.Joined(items=(item,)):
                return self.find_possible_cards(item)
            case g.Joined() if is_followable_by_position(cards) and self.find_knowers(cards) == self.all_seats:
                return self.expression_lowerer.lower_list(cards) if self.can_evaluate_here(cards) else ANY_CARDS
            case g.Call(of=None):
                return self.find_possible_cards(self.game.defines[cards.define].value)
        return ANY_CARDS

    def find_possible_named_cards(self, var: g.Var) -> ir.Expr:
        if var.id not in self.expression_lowerer.env:
            return ANY_CARDS
        cards = self.wrap_as_list(self.expression_lowerer.env[var.id])
        seats, among = (
            self.expression_lowerer.env.get(make_note_key(var, which)) for which in (SEATS_NOTE, CANDIDATES_NOTE)
        )
        if seats is None or among is None:
            return cards if seats == self.all_seats or var.id not in self.card_names.hidden else ANY_CARDS
        return ir.Op(CARDS, "candidates", (seats, cards, among))


def is_followable_by_position(what: g.Expr) -> bool:
    """Check whether all players can follow which cards these are: whole zones, or a number from an end."""
    if isinstance(what, g.Joined):
        return all(is_followable_by_position(item) for item in what.items)
    if isinstance(what, g.Agg):
        return what.function in POSITION_FUNCTIONS and is_followable_by_position(what.list)
    if isinstance(what, g.MapEach):
        return is_followable_by_position(what.value)
    return isinstance(what, g.ZoneCards | g.SetCards)


def intersect_seats(seats: ir.Expr, others: ir.Expr) -> ir.Expr:
    """Return the seats that are in both sets."""
    if NO_SEATS in (seats, others):
        return NO_SEATS
    if isinstance(seats, ir.Const) and isinstance(others, ir.Const):
        return ir.Const(ir.NUMBER, int(seats.value or 0) & int(others.value or 0))  # type: ignore[arg-type]
    return ir.Op(ir.NUMBER, "in_both", (seats, others)) if seats != others else seats


def unite_seats(seats: ir.Expr, others: ir.Expr) -> ir.Expr:
    """Return the seats that are in one set or the other."""
    return ir.Op(ir.NUMBER, "in_either", (seats, others))


def make_note_key(var: g.Var, which: int) -> int:
    """Return the number of the variable for a note about a name."""
    return NOTE_KEY_LIMIT - 2 * var.id - which


def build_seats_variable(var: g.Var) -> g.Var:
    return g.Var(g.NUMBER, var.span, make_note_key(var, SEATS_NOTE), var.name)


def build_candidates_variable(var: g.Var) -> g.Var:
    return g.Var(g.build_list_type(g.CARD), var.span, make_note_key(var, CANDIDATES_NOTE), var.name)
