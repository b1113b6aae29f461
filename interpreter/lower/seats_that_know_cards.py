"""Lowering of card identity: variables for the seats that can identify hidden cards.

For every name of hidden cards that are moved, the program has a variable with a set of seats: a bit mask. These seats
know which cards the name denotes, because they chose the cards or know how they were found. When cards become
indistinguishable, the set is narrowed to the players who know the cards by sight.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from attrs import frozen

from cardlang import model as g
from cardlang.model.types import is_card_type
from interpreter import ir
from interpreter.lower.card_hiding_analysis import can_hide_cards
from interpreter.lower.lowering_context import Lowering
from interpreter.lower.seats_that_know_values import (
    ANY_CARDS,
    CANDIDATES_NOTE,
    NO_SEATS,
    SEATS_NOTE,
    build_candidates_variable,
    build_knowers_variable,
    build_seat_mask,
    can_evaluate_here,
    find_knowers,
    find_possible_cards,
    intersect_knowers,
    intersect_seats,
    make_note_key,
    unite_seats,
    wrap_as_list,
)
from interpreter.lower.values_and_definitions import lower_list


# ---------------------------------------------------------------- names
def is_tracked_name(ctx: Lowering, var: g.Var) -> bool:
    return var.id in ctx.card_names.carried and is_card_type(var.type)


def record_knowledge(ctx: Lowering, var: g.Var, seats: ir.Expr, candidates: ir.Expr) -> None:
    """Record the cards of a name.

    seats: the seats that can identify them.
    candidates: see `find_possible_cards`.
    """
    keys = make_note_key(var, SEATS_NOTE), make_note_key(var, CANDIDATES_NOTE)
    known, held = (ctx.env.get(key) for key in keys)
    if (
        not isinstance(known, ir.Local)
        or not isinstance(held, ir.Local)
        or known not in (n for _, n in ctx.known_names)
    ):
        known, held = ctx.create_local(ir.NUMBER), ctx.create_local(ir.CARDS)
        ctx.known_names.append((wrap_as_list(ctx.env[var.id]), known))
    ctx.emit(ir.Assign(known, seats))
    ctx.emit(ir.Assign(held, candidates, copied=not ctx.is_independent_list(candidates)))
    ctx.env.update(zip(keys, (known, held), strict=True))


def record_bound_cards(ctx: Lowering, var: g.Var, value: g.Expr) -> None:
    """Record that a name gets the cards of an expression."""
    if is_tracked_name(ctx, var):
        record_knowledge(ctx, var, find_knowers(ctx, value), find_possible_cards(ctx, value))


def record_list_knowledge(ctx: Lowering, stmt: g.Each) -> None:
    """Record the seats that know the list of a loop over cards. The list is fixed from here on."""
    if is_tracked_name(ctx, stmt.var):
        key = make_note_key(stmt.var, SEATS_NOTE), make_note_key(stmt.var, CANDIDATES_NOTE)
        known, held = ctx.create_local(ir.NUMBER), ctx.create_local(ir.CARDS)
        for local, value in ((known, find_knowers(ctx, stmt.list)), (held, find_possible_cards(ctx, stmt.list))):
            ctx.emit(ir.Assign(local, value, copied=local is held and not ctx.is_independent_list(value)))
        if can_evaluate_here(ctx, stmt.list):  # otherwise no player knows the list
            cards = ctx.create_local(ir.CARDS)
            ctx.emit(ir.Assign(cards, lower_list(ctx, stmt.list), copied=True))
            ctx.known_names.append((cards, known))
        ctx.env.update(zip(key, (known, held), strict=True))


@contextmanager
def record_item_knowledge(ctx: Lowering, stmt: g.Each) -> Iterator[None]:
    """Record, within a loop over cards, that the seats that know the list know its item."""
    if not is_tracked_name(ctx, stmt.var):
        yield
        return
    env, key = ctx.env, make_note_key(stmt.var, SEATS_NOTE)
    seats = env[key]
    env[key] = own = ctx.emit_assignment(seats)
    ctx.known_names.append((wrap_as_list(env[stmt.var.id]), own))
    ctx.loop_variables.append(stmt.var)
    yield
    ctx.loop_variables.pop()
    env[key] = seats


def record_choice_knowledge(ctx: Lowering, var: g.Var, domain: g.Domain, player: ir.Expr) -> None:
    """Record cards that a player has chosen. Other players know them only if they see the zone."""
    if is_tracked_name(ctx, var) and domain.list is not None:
        watchers = ir.Op(ir.NUMBER, "watchers", (wrap_as_list(ctx.env[var.id]),))
        record_knowledge(
            ctx, var, unite_seats(build_seat_mask(player), watchers), find_possible_cards(ctx, domain.list)
        )


@contextmanager
def record_announced_cards(ctx: Lowering, stmt: g.Announce, link: Sequence[ir.Local]) -> Iterator[None]:
    """Record, during an announcement, the seats that know the cards its reactions read.

    link: the variables of these values, in the order of `Layout.announced`."""
    outer = ctx.known_names
    with ctx.set_temporarily(env=dict(ctx.env), known_names=[]):
        for (name, _), local in zip(ctx.layout.announced, link, strict=True):
            if name in stmt.values and local.kind in (ir.CARD, ir.CARDS):
                var = ctx.common_knowledge.announced_variables[name]
                ctx.env[var.id] = local
                record_bound_cards(ctx, var, stmt.values[name])
        with ctx.set_temporarily(known_names=outer):
            narrow_before_statement(ctx, stmt)
        yield


def record_shown_cards(ctx: Lowering, cards: g.Expr, player: ir.Expr | None) -> None:
    """Add the players who are shown the cards of a name to its knowers."""
    if isinstance(cards, g.Joined) and len(cards.items) == 1:
        cards = cards.items[0]
    var = ctx.common_knowledge.find_variable(cards)
    seats = ctx.env.get(make_note_key(var, SEATS_NOTE)) if var is not None else None
    if isinstance(seats, ir.Local):
        ctx.emit(ir.Assign(seats, unite_seats(seats, ctx.all_seats if player is None else build_seat_mask(player))))


def record_logged_cards(ctx: Lowering, values: Sequence[g.Expr]) -> None:
    """Add the players who are informed which cards a name denotes to its knowers."""
    if not all(isinstance(value, g.Var) or ctx.card_names.is_public(value) for value in values):
        return
    told = [value for value in values if isinstance(value, g.Var) and not ctx.card_names.is_public(value)]
    notes = [ctx.env.get(make_note_key(var, SEATS_NOTE)) for var in told]
    known = [each for each in notes if isinstance(each, ir.Local)]
    if told and len(known) == len(told):
        lists = tuple(ir.Spread(ir.CARDS, wrap_as_list(ctx.env[var.id])) for var in told)
        seers = evaluate_now(ctx, ir.Op(ir.NUMBER, "knowers_of", (ir.Items(ir.CARDS, lists),)))
        for each in known:
            ctx.emit(ir.Assign(each, unite_seats(each, seers)))


# ---------------------------------------------------------------- passed on to steps
def list_note_parameters(ctx: Lowering, params: Sequence[g.Var]) -> tuple[g.Var, ...]:
    """Return the parameters for notes that a step has in addition to its declared ones."""
    return tuple(
        note
        for param in params
        if is_tracked_name(ctx, param)
        for note in (build_knowers_variable(param), build_candidates_variable(param))
    )


def build_note_arguments(ctx: Lowering, params: Sequence[g.Var], args: Sequence[g.Expr]) -> tuple[ir.Expr, ...]:
    """Return the arguments for the note parameters of a step. They are evaluated before the step starts."""
    found: list[ir.Expr] = []
    for param, arg in zip(params, args, strict=True):
        if is_tracked_name(ctx, param):
            found += (evaluate_now(ctx, find_knowers(ctx, arg)), evaluate_now(ctx, find_possible_cards(ctx, arg)))
    return tuple(found)


def evaluate_now(ctx: Lowering, value: ir.Expr) -> ir.Expr:
    if isinstance(value, ir.Const):
        return value
    return ctx.emit_assignment(value, value.kind.tag == "list" and not ctx.is_independent_list(value))


def bind_note_parameters(ctx: Lowering, params: Sequence[g.Var]) -> None:
    """Record the passed notes about a step's parameters as its own."""
    env = ctx.env
    for param in params:
        if make_note_key(param, CANDIDATES_NOTE) in env:
            record_knowledge(
                ctx, param, env[make_note_key(param, SEATS_NOTE)], env[make_note_key(param, CANDIDATES_NOTE)]
            )


@contextmanager
def limit_knowledge_by_condition(ctx: Lowering, condition: g.Expr | None) -> Iterator[None]:
    """Make the knowledge of loop items depend on a condition.

    Players who do not know whether it holds cannot tell for which of several cards the code runs."""
    env, knowers = ctx.env, find_knowers(ctx, condition) if ctx.loop_variables else ctx.all_seats
    saved = {key: env[key] for var in ctx.loop_variables if (key := make_note_key(var, SEATS_NOTE)) in env}
    if knowers != ctx.all_seats:
        for key, seats in saved.items():
            env[key] = local = ctx.create_local(ir.NUMBER)
            ctx.emit(ir.Assign(local, intersect_knowers(ctx, seats, knowers)))
            ctx.known_names += [(cards, local) for cards, known in ctx.known_names if known == seats]
    yield
    env.update(saved)


# ---------------------------------------------------------------- moved cards
@frozen
class Followers:
    """Seats that can follow a move, and a public superset of the moved cards."""

    seats: ir.Expr
    candidates: ir.Expr = ANY_CARDS


def shows_arrivals(ctx: Lowering, target: g.Place) -> bool:
    """Return True if all players can tell by its face which card comes to a zone. Copies have the same face."""
    return ctx.card_names.is_public_zone(target) and not ctx.layout.copies


def find_move_followers(ctx: Lowering, target: g.Place, cards: g.Expr) -> Followers:
    seats = ctx.all_seats if shows_arrivals(ctx, target) else find_knowers(ctx, cards)
    return Followers(seats) if seats == ctx.all_seats else Followers(seats, find_possible_cards(ctx, cards))


def find_draw_followers(ctx: Lowering, target: g.Place, position: str, source: g.Expr) -> Followers:
    """Return the followers of a draw from an end of a list or at random."""
    if position == "random" and not shows_arrivals(ctx, target):
        return Followers(NO_SEATS, find_possible_cards(ctx, source))
    return find_move_followers(ctx, target, source)


def find_pick_followers(ctx: Lowering, target: g.Place, player: ir.Expr, cards: g.Expr) -> Followers:
    """Return the followers of a player's pick, which no other player can follow."""
    if shows_arrivals(ctx, target):
        return Followers(ctx.all_seats)
    return Followers(build_seat_mask(player), find_possible_cards(ctx, cards))


def narrow_before_move(ctx: Lowering, followers: Followers, cards: ir.Expr) -> Followers:
    """Narrow the knowledge of names before a move that some players cannot follow."""
    if followers.seats == ctx.all_seats or not ctx.known_names:
        return followers
    followers = Followers(evaluate_now(ctx, followers.seats), evaluate_now(ctx, followers.candidates))
    with ctx.emit_if(ir.Compare(ir.FLAG, "!=", intersect_seats(followers.seats, ctx.all_seats), ctx.all_seats)):
        ctx.narrow_knowledge(cards)
    return followers


def narrow_before_statement(ctx: Lowering, stmt: g.Stmt) -> None:
    """Narrow the knowledge of names before code that may make cards indistinguishable."""
    if ctx.known_names and can_hide_cards(ctx.card_names, stmt, ctx.hiding_names):
        ctx.narrow_knowledge(None)


def narrow_before_named_code(ctx: Lowering, name: str) -> None:
    """Narrow the knowledge of names before a step, reaction or trigger, if `hiding_names` contains its name."""
    if ctx.known_names and name in ctx.hiding_names:
        ctx.narrow_knowledge(None)
