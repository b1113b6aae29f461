"""Lowering of value knowledge: seats that can compute a value, because they know all of its parts.

For cards, these are the seats that know which cards they are. A set of seats is a bit mask: one bit for each seat.
"""

from __future__ import annotations

from collections.abc import Sequence

from cardlang import model as g
from cardlang.model.expression_queries import pair_owner_variables
from cardlang.model.traversal import (
    find_free_variables,
    find_reachable_definitions,
    has_matching_node,
    is_random_draw,
    list_children,
)
from cardlang.model.types import is_card_type
from interpreter import ir
from interpreter.lower.card_hiding_analysis import POSITION_FUNCTIONS, is_followable_by_position
from interpreter.lower.lowering_context import Lowering, lower_expression
from interpreter.lower.values_and_definitions import lower_list
from interpreter.runtime.card_moves import KNOWN_BY_NAME

NO_SEATS = ir.ZERO
ANY_CARDS = ir.Const(ir.CARDS, ())
"""Any card is possible: there is no public knowledge about a name."""
SEATS_NOTE, CANDIDATES_NOTE = range(2)
"""Types of notes that the program stores about a name."""
NOTE_KEY_LIMIT = -(1 << 20)
"""Upper limit of the variable numbers for notes about names. All other variables have larger numbers."""
ITEM_SELECTORS = (*POSITION_FUNCTIONS, "random", "reverse", "distinct")


def wrap_as_list(cards: ir.Expr) -> ir.Expr:
    return cards if cards.kind.tag == "list" else ir.Items(ir.CARDS, (cards,))


def build_seat_mask(seat: ir.Expr) -> ir.Expr:
    if isinstance(seat, ir.Const) and isinstance(seat.value, int):
        return ir.build_number(1 << seat.value)
    return ir.Op(ir.NUMBER, "only_seat", (seat,))


# ---------------------------------------------------------------- seats that know
def find_knowers(ctx: Lowering, value: g.Expr | None) -> ir.Expr:
    """Return the seats that can compute a value from their knowledge.

    For cards, these are the seats that can identify them by position or by name."""
    match value:
        case g.Var() if is_card_type(value.type) and value.id not in ctx.face_knowers:
            return find_name_knowers(ctx, value)
        case g.Target() if is_card_type(value.type):
            return find_name_knowers(ctx, ctx.common_knowledge.announced_variables[value.name])
        case g.Joined(items=(item,)):
            return find_knowers(ctx, item)
        case None | g.SetCards() | g.NamedCards():
            return ctx.all_seats
    if is_public(ctx, value):
        return ctx.all_seats
    match value:
        case g.Var():
            return ctx.all_seats if value.id in ctx.face_knowers else NO_SEATS
        case g.TrackValue() if ctx.game.tracks[value.track].secret:
            return find_secret_knowers(ctx, value)
        case g.Agg(function="random") | g.Target():
            return NO_SEATS
        case g.Builtin(name="above" | "below", of=g.Expr() as card):
            return find_place_knowers(ctx, card)
        case g.Call():
            return find_definition_knowers(ctx, value)
        case g.Filter() | g.MapEach() | g.Quantified() | g.Sorted() | g.AggBy():
            return find_loop_knowers(ctx, value)
    seats = find_common_knowers(ctx, list_children(value))
    return (
        intersect_knowers(ctx, seats, find_face_knowers(ctx, *list_children(value)))
        if is_face_dependent(ctx, value)
        else seats
    )


def find_place_knowers(ctx: Lowering, card: g.Expr) -> ir.Expr:
    """Return the seats that know where a card is in its pile."""
    seats = find_knowers(ctx, card)
    if seats == NO_SEATS or (seats == ctx.all_seats and is_followable_by_position(card)):
        return seats
    if not can_evaluate_here(ctx, card):
        return NO_SEATS
    named = ir.build_number(ctx.layout.everyone | KNOWN_BY_NAME) if seats == ctx.all_seats else seats
    return ir.Op(ir.NUMBER, "place_knowers", (named, wrap_as_list(lower_expression(ctx, card))))


def find_name_knowers(ctx: Lowering, var: g.Var) -> ir.Expr:
    seats = ctx.env.get(make_note_key(var, SEATS_NOTE))
    return seats or (
        NO_SEATS if var.id in ctx.card_names.hidden else ir.build_number(ctx.layout.everyone | KNOWN_BY_NAME)
    )


def is_public(ctx: Lowering, value: g.Expr) -> bool:
    """Check whether all players know a value. An item of a list can be public while its face is not."""
    used = ctx.common_knowledge.find_variables(value)
    return ctx.card_names.is_public(value) and not used & ctx.face_knowers.keys()


def find_secret_knowers(ctx: Lowering, value: g.TrackValue) -> ir.Expr:
    """Return the seats that know a secret: only its owner, if it knows which of its secrets it is."""
    if value.of is None or ctx.game.tracks[value.track].subject != "player" or not can_evaluate_here(ctx, value.of):
        return NO_SEATS
    if ctx.can_be_absent(value.of):
        return NO_SEATS
    owners = intersect_seats(find_knowers(ctx, value.of), find_knowers(ctx, value.second))
    return intersect_knowers(ctx, build_seat_mask(lower_expression(ctx, value.of)), owners)


def find_common_knowers(ctx: Lowering, values: Sequence[object]) -> ir.Expr:
    cards: ir.Expr | None = None
    seats: ir.Expr = ctx.all_seats
    for each in values:
        if not isinstance(each, g.Expr):
            return NO_SEATS
        if is_card_type(each.type):
            cards = find_knowers(ctx, each) if cards is None else intersect_seats(cards, find_knowers(ctx, each))
        else:
            seats = intersect_knowers(ctx, find_knowers(ctx, each), seats)
    return seats if cards is None else intersect_knowers(ctx, cards, seats)


def intersect_knowers(ctx: Lowering, cards: ir.Expr, seats: ir.Expr) -> ir.Expr:
    """Intersect the seats that know some cards, by name or position, with other seats."""
    return cards if seats == ctx.all_seats else intersect_seats(cards, seats)


def find_loop_knowers(ctx: Lowering, value: g.Filter | g.MapEach | g.Quantified | g.Sorted | g.AggBy) -> ir.Expr:
    """Return the seats that know a value computed for each item of a list."""
    order = value.order if isinstance(value, g.Sorted | g.AggBy) else None
    faces, seats = find_face_knowers(ctx, value.list), find_knowers(ctx, value.list)
    if order is not None:
        public = all(map(ctx.card_names.common.is_public, ctx.game.orders[order].lines))
        return intersect_knowers(ctx, seats, faces) if public else NO_SEATS
    if value.var is not None:
        ctx.face_knowers[value.var.id] = faces
    rest = [part for part in list_children(value) if part not in (value.list, value.var)]
    return intersect_knowers(ctx, seats, find_common_knowers(ctx, rest))


def find_definition_knowers(ctx: Lowering, call: g.Call) -> ir.Expr:
    """Return the seats that know a definition's value: they know its owners, and the value for these owners."""
    define, bound = ctx.game.defines[call.define], []
    for var, value in pair_owner_variables(define, call):
        if is_card_type(var.type):
            ctx.face_knowers[var.id] = find_face_knowers(ctx, value)
        elif ctx.can_be_absent(value) or not can_evaluate_here(ctx, value):
            return NO_SEATS
        else:
            bound.append((var, lower_expression(ctx, value)))
    with ctx.bind_all_temporarily(bound):
        seats = find_knowers(ctx, define.value)
    for var, value in pair_owner_variables(define, call):
        knowers = find_knowers(ctx, value)
        seats = intersect_seats(knowers, seats) if is_card_type(var.type) else intersect_knowers(ctx, seats, knowers)
    return seats


def is_face_dependent(ctx: Lowering, value: g.Expr) -> bool:
    """Check whether a value depends on the faces of cards, not only on which cards they are."""
    match value:
        case g.Agg():
            return value.function == "distinct"
        case (
            g.Selections()
            | g.ZoneCards()
            | g.Joined()
            | g.IsEmpty()
            | g.IsAbsent()
            | g.TrackValue()
            | g.FirstPossible()
            | g.Cases()
        ):
            return False
        case g.BorneCall() if not ctx.card_names.common.is_part_public(value):
            return True
    return any(isinstance(part, g.Expr) and is_card_type(part.type) for part in list_children(value))


def find_face_knowers(ctx: Lowering, *values: object) -> ir.Expr:
    """Return the seats that know the faces of these cards, provided they know which cards these are."""
    seats: ir.Expr = ctx.all_seats
    for value in values:
        if isinstance(value, g.Expr) and is_card_type(value.type.item or value.type):
            seats = intersect_knowers(ctx, find_list_face_knowers(ctx, value), seats)
    return seats


def find_list_face_knowers(ctx: Lowering, cards: g.Expr) -> ir.Expr:
    match cards:
        case g.NamedCards() | g.SetCards():
            return ctx.all_seats
        case g.Var() if cards.id in ctx.face_knowers:
            return ctx.face_knowers[cards.id]
        case g.Filter() | g.Sorted() | g.AggBy() | g.Selections():
            return find_list_face_knowers(ctx, cards.list)
        case g.Joined():
            return find_face_knowers(ctx, *cards.items)
        case _ if not is_card_type(cards.type):  # a list of lists
            return ctx.all_seats if is_public(ctx, cards) else NO_SEATS
    if is_public(ctx, cards):
        return ctx.all_seats
    return ir.Op(ir.NUMBER, "knowers_of", (lower_list(ctx, cards),)) if can_evaluate_here(ctx, cards) else NO_SEATS


def can_evaluate_here(ctx: Lowering, value: g.Expr) -> bool:
    """Check whether a value can be evaluated here: it uses no item of a list, and each evaluation gives the same
    value."""
    defines = [ctx.game.defines[name].value for name in find_reachable_definitions(ctx.game, value)]
    unsure = has_matching_node((value, *defines), lambda part: is_random_draw(part) or isinstance(part, g.BorneCall))
    return find_free_variables(value) <= ctx.env.keys() and not unsure


# ---------------------------------------------------------------- possible cards
def find_possible_cards(ctx: Lowering, cards: g.Expr) -> ir.Expr:
    """Return a public superset of these cards; empty if they may be any in their piles."""
    match cards:
        case g.Var():
            return find_cards_that_variable_may_hold(ctx, cards)
        case g.Target():
            return find_cards_that_variable_may_hold(ctx, ctx.common_knowledge.announced_variables[cards.name])
        case g.Agg(function=function) if function in POSITION_FUNCTIONS and find_knowers(ctx, cards) == ctx.all_seats:
            return lower_list(ctx, cards) if can_evaluate_here(ctx, cards) else ANY_CARDS
        case g.Agg(function=function) if function in ITEM_SELECTORS:
            return find_possible_cards(ctx, cards.list)
        case g.Filter() | g.Sorted() | g.AggBy():
            return find_possible_cards(ctx, cards.list)
        case g.Joined(items=(item,)):
            return find_possible_cards(ctx, item)
        case g.Joined() if is_followable_by_position(cards) and find_knowers(ctx, cards) == ctx.all_seats:
            return lower_list(ctx, cards) if can_evaluate_here(ctx, cards) else ANY_CARDS
        case g.Call(of=None):
            return find_possible_cards(ctx, ctx.game.defines[cards.define].value)
    return ANY_CARDS


def find_cards_that_variable_may_hold(ctx: Lowering, var: g.Var) -> ir.Expr:
    if var.id not in ctx.env:
        return ANY_CARDS
    cards = wrap_as_list(ctx.env[var.id])
    seats, among = (ctx.env.get(make_note_key(var, which)) for which in (SEATS_NOTE, CANDIDATES_NOTE))
    if seats is None or among is None:
        return cards if seats == ctx.all_seats or var.id not in ctx.card_names.hidden else ANY_CARDS
    return ir.Op(ir.CARDS, "candidates", (seats, cards, among))


def intersect_seats(seats: ir.Expr, others: ir.Expr) -> ir.Expr:
    """Return the seats that are in both sets."""
    if NO_SEATS in (seats, others):
        return NO_SEATS
    if isinstance(seats, ir.Const) and isinstance(others, ir.Const):
        return ir.build_number(int(seats.value or 0) & int(others.value or 0))  # type: ignore[arg-type]
    return ir.Op(ir.NUMBER, "in_both", (seats, others)) if seats != others else seats


def unite_seats(seats: ir.Expr, others: ir.Expr) -> ir.Expr:
    """Return the seats that are in one set or the other."""
    return ir.Op(ir.NUMBER, "in_either", (seats, others))


def make_note_key(var: g.Var, which: int) -> int:
    """Return the number of the variable for a note about a name."""
    return NOTE_KEY_LIMIT - 2 * var.id - which


def build_knowers_variable(var: g.Var) -> g.Var:
    return g.Var(g.NUMBER, var.span, make_note_key(var, SEATS_NOTE), var.name)


def build_candidates_variable(var: g.Var) -> g.Var:
    return g.Var(g.build_list_type(g.CARD), var.span, make_note_key(var, CANDIDATES_NOTE), var.name)
