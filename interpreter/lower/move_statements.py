"""Lowering of statements that move, shuffle and reveal cards."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve, frozen

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.model.statement_effects import find_effects
from cardlang.model.traversal import has_matching_node, has_random_draw
from interpreter import ir
from interpreter.lower.lowering_context import Lowering, lower_body, lower_expression, lower_statement, lowers_statement
from interpreter.lower.refillable_piles import PileDraw
from interpreter.lower.routines import add_function, queue_routine
from interpreter.lower.seats_that_know_cards import (
    Followers,
    find_draw_followers,
    find_move_followers,
    is_tracked_name,
    narrow_before_move,
    narrow_before_named_code,
    record_shown_cards,
)
from interpreter.lower.seats_that_know_values import (
    NO_SEATS,
    SEATS_NOTE,
    build_knowers_variable,
    find_knowers,
    find_place_knowers,
    find_possible_cards,
    make_note_key,
    wrap_as_list,
)
from interpreter.lower.values_and_definitions import (
    build_plus,
    build_slot_index,
    lower_list,
    lower_pile,
    lower_present_value,
)
from interpreter.lower.work_bounds_and_unique_lists import has_no_duplicate_cards

OWNERS_VARIABLE, CARD_VARIABLE = -3, -6
"""Numbers of the variables for the owners of the target zones, and for a card that others are put on or under."""
DRAWN_CARDS_PER_STEP = 64
"""Number of already drawn cards that add one step to each further round."""


@frozen
class Destination:
    """Place that cards go to by a rule. `end`, `verb`: as in `g.Move`."""

    place: g.Place
    verb: str
    span: Span
    end: str = "top"


def emit_trigger_checks(ctx: Lowering) -> None:
    """Emit the evaluation of all `whenever` conditions, which follows every change."""
    if not ctx.game.whenevers:
        return
    name = ctx.make_identifier("whenever", "")
    if name not in ctx.functions:
        ctx.functions[name] = None  # their effects are changes that may trigger them again
        with ctx.start_separate_scope(), ctx.set_temporarily(known_names=[]), ctx.collect_emitted() as body:
            for index, trigger in enumerate(ctx.game.whenevers):
                emit_whenever(ctx, index, trigger)
        ctx.functions[name] = ir.Function(name, (), tuple(body))
    narrow_before_named_code(ctx, "whenever")
    ctx.emit(ir.Do(name, ()))


def emit_whenever(ctx: Lowering, index: int, trigger: g.Whenever) -> None:
    slot = len(ctx.layout.tracks) + index
    function = add_function(ctx, "whenever", str(index), (), trigger.body)
    was = ir.Track(ir.FLAG, slot, None)
    began = ir.If(ir.Not(ir.FLAG, was), (ir.Store(slot, None, ir.ONE), ir.Do(function, ())))
    ctx.emit(ir.If(lower_expression(ctx, trigger.condition), (began,), (ir.Store(slot, None, ir.ZERO),)))


# ---------------------------------------------------------------- moving
@lowers_statement(g.Move)
def lower_move(ctx: Lowering, stmt: g.Move) -> None:
    to = Destination(stmt.to, stmt.verb, stmt.span, stmt.end)
    draws = ctx.refills.find_refillable_draws(stmt.what, stmt.to.zone)
    if draws:
        emit_refilled_draws(
            ctx, [(draw, ctx.store_in_local(lower_expression(ctx, number))) for draw, number in draws], to
        )
        return
    what = stmt.what.items[0] if isinstance(stmt.what, g.Joined) and len(stmt.what.items) == 1 else stmt.what
    number, cards_there = (what.number, what.list) if isinstance(what, g.Agg) and what.number else (None, what)
    emit_card_count(ctx, stmt.span, number, cards_there)
    followers = find_move_followers(ctx, stmt.to, stmt.what)
    cards = remove_duplicates(ctx, lower_list(ctx, stmt.what), stmt.what)
    if isinstance(cards, ir.Pile):  # it will change
        cards = ir.Op(cards.kind, "copied", (cards,))
    emit_move_with_triggers(ctx, cards, to, followers)


@lowers_statement(g.Insert)
def lower_insert(ctx: Lowering, stmt: g.Insert) -> None:
    """Lower a move on or under a card: to the top of its pile, then to its place there.

    A card that is put on or under itself stays where it is."""
    rule, item = ctx.number_rule_span(stmt.span), ctx.create_local(ir.CARD)
    card = ctx.store_in_local(lower_present_value(ctx, stmt.card))
    there = ir.Op(ir.NUMBER, "pile_of", (card,))
    pile = ctx.store_in_local(ir.Op(ir.NUMBER, "present", (there, ir.build_number(-1), ir.ZERO), rule))
    seats = ctx.store_in_local(find_place_knowers(ctx, stmt.card))
    emit_card_count(ctx, stmt.span, None, stmt.what)
    followers = Followers(find_knowers(ctx, stmt.what), find_possible_cards(ctx, stmt.what))
    others = (ir.For(item, lower_list(ctx, stmt.what)), ir.Test(ir.Compare(ir.FLAG, "!=", item, card)))
    loop = ir.Loop(ir.CARDS, "list", others, item)
    cards = copy_cards(ctx, remove_duplicates(ctx, loop, stmt.what))
    followers = narrow_before_move(ctx, followers, cards)
    narrow_before_move(ctx, Followers(seats), wrap_as_list(card))
    tail = (followers.seats, followers.candidates, ir.Const(ir.TEXT, stmt.verb))
    ctx.emit(ir.Effect("move", (cards, pile, ir.Const(ir.TEXT, "top"), *tail), rule))
    ctx.emit(ir.Effect("insert", (cards, card, ir.build_number(int(stmt.side == "on")), seats), rule))
    ctx.env[CARD_VARIABLE] = card
    for place in stmt.places:
        emit_arrival(ctx, cards, place, pile, rule)
    emit_trigger_checks(ctx)


def emit_arrival(ctx: Lowering, cards: ir.Expr, place: g.Place, pile: ir.Expr, rule: int) -> None:
    """Run the consequences of cards that have come to a pile, if it is one of this zone."""
    zone, base = ctx.game.zones[place.zone], ctx.layout.zone_base[place.zone]
    if place.of is not None and not place.each:
        named = g.Var(g.CARD, place.of.span, CARD_VARIABLE, "card")
        place = place.replace(of=g.Builtin(place.of.type, place.of.span, "owner", named))
    with ctx.collect_emitted() as body:
        if zone.single:
            ctx.emit(ir.Effect("one_card", (pile,), rule))
        emit_zone_triggers(ctx, cards, place, "")
    if body:
        last = base + len(ctx.layout.list_owners(zone)) - 1
        bounds = (">=", base), ("<=", last)
        inside = tuple(ir.Compare(ir.FLAG, sign, pile, ir.build_number(number)) for sign, number in bounds)
        ctx.emit(ir.If(ir.Logic(ir.FLAG, "and", inside), tuple(body)))


def emit_card_count(ctx: Lowering, span: Span, wanted_count: g.Expr | None, cards: g.Expr) -> None:
    """Record in a coverage program the number of cards wanted (0: all) and available.

    For random expressions, record only that the place was reached. A second evaluation would give another value."""
    if not ctx.records_coverage:
        return
    if has_random_draw(wanted_count) or has_random_draw(cards):
        ctx.emit_reached(span)
        return
    number = ir.ZERO if wanted_count is None else lower_expression(ctx, wanted_count)
    there = ir.Count(ir.NUMBER, lower_list(ctx, cards))
    ctx.emit(ir.Do("cards_there", (ir.build_number(ctx.number_rule_span(span)), number, there)))


def emit_move_with_triggers(ctx: Lowering, cards: ir.Expr, to: Destination, followers: Followers) -> None:
    """Move cards, then run the consequences: triggers and knowledge updates."""
    triggers = [trigger for trigger in ctx.game.enters if trigger.zone == to.place.zone]
    if triggers or (ctx.known_names and followers.seats != ctx.all_seats):
        cards = copy_cards(ctx, cards)
    if any(trigger.you is not None for trigger in triggers):
        to = fix_owners(ctx, to)
    emit_move(ctx, cards, to, narrow_before_move(ctx, followers, cards))
    emit_zone_triggers(ctx, cards, to.place, to.end)
    emit_trigger_checks(ctx)


def fix_owners(ctx: Lowering, to: Destination) -> Destination:
    """Return a destination whose owners are evaluated once, before any card is moved."""
    place = to.place
    if place.of is None:
        return to
    ctx.env[OWNERS_VARIABLE] = (
        copy_cards(ctx, lower_list(ctx, place.of))
        if place.each
        else ctx.store_in_local(lower_present_value(ctx, place.of))
    )
    owners = g.Var(place.of.type.replace(maybe=False), place.of.span, OWNERS_VARIABLE, "owner")
    return evolve(to, place=place.replace(of=owners))


def copy_cards(ctx: Lowering, cards: ir.Expr) -> ir.Local:
    if isinstance(cards, ir.Local) and ctx.is_independent_list(cards):
        return cards
    local = ctx.create_local(ir.CARDS)
    ctx.emit(ir.Assign(local, cards, copied=not ctx.is_independent_list(cards)))
    ctx.unmodified_lists.add(local.number)
    return local


def remove_duplicates(ctx: Lowering, code: ir.Expr, cards: g.Expr) -> ir.Expr:
    """Remove duplicate cards from a list. `cards` is its source expression."""
    return code if has_no_duplicate_cards(ctx.game, cards) else ir.Op(code.kind, "distinct_values", (code,))


# ---------------------------------------------------------------- draws from piles that may be refilled
def emit_refilled_draws(ctx: Lowering, draws: Sequence[tuple[PileDraw, ir.Expr]], to: Destination) -> None:
    """Move cards from piles that triggers may refill. Entry triggers run when all cards have arrived."""
    to = fix_owners(ctx, to)
    drawn = ctx.emit_assignment(ir.Items(ir.CARDS, ()))
    for draw, number in draws:
        draw_with_refills(ctx, draw, number, drawn, to)
    emit_zone_triggers(ctx, drawn, to.place, "")  # triggers may have run since the first card arrived
    emit_trigger_checks(ctx)


def draw_with_refills(ctx: Lowering, draw: PileDraw, number: ir.Expr, drawn: ir.Local, to: Destination) -> None:
    """Move the available cards. While there are too few, run triggers and move the rest if cards were added."""
    rule, piece, left = ctx.number_rule_span(to.span), ctx.create_local(drawn.kind), ctx.create_local(ir.NUMBER)
    ctx.emit(ir.Assign(left, number))
    drawn_count, piece_count = ir.Count(ir.NUMBER, drawn), ir.Count(ir.NUMBER, piece)

    def emit_draw() -> None:
        cards = remove_duplicates(ctx, lower_taken_cards(ctx, draw.position, draw.source, left), draw.source)
        ctx.emit(ir.Assign(piece, cards))
        followers = narrow_before_move(ctx, find_draw_followers(ctx, to.place, draw.position, draw.source), piece)
        emit_move(ctx, piece, to, followers, drawn_count)
        ctx.emit(ir.Assign(left, ir.Arith(ir.NUMBER, "-", left, piece_count)))
        both = (ir.Spread(drawn.kind, drawn), ir.Spread(piece.kind, piece))
        ctx.emit(ir.Assign(drawn, ir.Items(drawn.kind, both)))

    emit_draw()
    more = ctx.emit_assignment(ir.TRUE)
    with ctx.collect_emitted() as again:
        many = ir.Arith(ir.NUMBER, "//", drawn_count, ir.build_number(DRAWN_CARDS_PER_STEP))
        ctx.emit(ir.Fuel(ir.Arith(ir.NUMBER, "+", ir.ONE, many), rule))
        emit_trigger_checks(ctx)
        emit_draw()
        ctx.emit(ir.Assign(more, ir.Compare(ir.FLAG, ">", piece_count, ir.ZERO)))
    ctx.emit(ir.While(ir.Logic(ir.FLAG, "and", (ir.Compare(ir.FLAG, ">", left, ir.ZERO), more)), tuple(again)))
    if ctx.records_coverage:
        moved = ir.Arith(ir.NUMBER, "-", number, left)
        ctx.emit(ir.Do("cards_there", (ir.build_number(rule), number, moved)))


# ---------------------------------------------------------------- piles
def emit_move(
    ctx: Lowering, cards: ir.Expr, to: Destination, followers: Followers, dealt_count: ir.Expr = ir.ZERO
) -> None:
    """Move cards to a place. `dealt_count`: the number of cards of a deal given out before these."""
    tail = (followers.seats, followers.candidates, ir.Const(ir.TEXT, to.verb))
    if not to.place.each:
        emit_to_pile(ctx, "move", to, cards, ir.Const(ir.TEXT, to.end), *tail)
        return
    rule = ctx.number_rule_span(to.span)
    piles = build_pile_numbers(ctx, to.place)
    if dealt_count != ir.ZERO:
        piles = rotate_pile_numbers(ctx, piles, dealt_count)
    single = ctx.game.zones[to.place.zone].single
    if single:
        piles = ctx.store_in_local(piles)
    ctx.emit(ir.Effect("deal", (cards, piles, *tail), rule))
    if single:
        pile = ctx.create_local(ir.NUMBER)
        ctx.emit(ir.ForEach(pile, piles, (ir.Effect("one_card", (pile,), rule),)))


def emit_to_pile(ctx: Lowering, operation: str, to: Destination, cards: ir.Expr, *args: ir.Expr) -> None:
    """Emit an effect that brings cards to one pile: `move`, or `put`, the fast path for public zones.

    Check a zone that `holds 1` afterwards. Its number is evaluated before the cards move."""
    rule, single = ctx.number_rule_span(to.span), ctx.game.zones[to.place.zone].single
    pile = build_pile_number(ctx, to.place)
    if single:
        pile = ctx.store_in_local(pile)
    ctx.emit(ir.Effect(operation, (cards, pile, *args), rule))
    if single:
        ctx.emit(ir.Effect("one_card", (pile,), rule))


def build_pile_numbers(ctx: Lowering, place: g.Place) -> ir.Expr:
    """Return the numbers of several players' piles."""
    base = ctx.layout.zone_base[place.zone]
    if place.of is None:
        raise AssertionError("players")
    if isinstance(place.of, g.Builtin) and ctx.layout.fixed_seats and place.second is None:
        return ir.Const(ir.NUMBERS, tuple(base + seat for seat in range(ctx.layout.players)))
    local = ctx.create_local(ir.SEAT)
    number = ir.Arith(ir.NUMBER, "+", ir.build_number(base), build_pile_index(ctx, place, local))
    return ir.Loop(ir.NUMBERS, "list", (ir.For(local, lower_list(ctx, place.of)),), number)


def rotate_pile_numbers(ctx: Lowering, piles: ir.Expr, dealt_count: ir.Expr) -> ir.Expr:
    """Return the numbers of piles, starting with the next one after `dealt_count` cards."""
    piles = ctx.store_in_local(piles)
    count = ir.Count(ir.NUMBER, piles)
    turn = ctx.create_local(ir.NUMBER)
    turns = ir.Op(piles.kind, "range", (dealt_count, ir.Arith(ir.NUMBER, "+", dealt_count, count)))
    pile = ir.Op(ir.NUMBER, "item_at", (piles, ir.Arith(ir.NUMBER, "%", turn, count)))
    return ir.Loop(piles.kind, "list", (ir.For(turn, turns),), pile)


def build_pile_number(ctx: Lowering, place: g.Place) -> ir.Expr:
    base = ir.build_number(ctx.layout.zone_base[place.zone])
    if place.of is None:
        return base
    return build_plus(base, build_pile_index(ctx, place, lower_present_value(ctx, place.of)))


def build_pile_index(ctx: Lowering, place: g.Place, owner: ir.Expr) -> ir.Expr:
    """Return the index of an owner's pile among those of its zone."""
    if place.second is None:
        return owner
    return build_slot_index(ctx, ctx.game.zones[place.zone], owner, lower_present_value(ctx, place.second))


# ---------------------------------------------------------------- cards that enter
def emit_zone_triggers(ctx: Lowering, cards: ir.Expr, place: g.Place, end: str) -> None:
    """Run the triggers of a zone for each card that entered it.

    A trigger that sets off others has its own function or frame. If cards go to an end of a pile, all players
    can tell which ones have just arrived."""
    seats = ctx.all_seats if end in ("top", "under") else NO_SEATS
    for trigger in ctx.game.enters:
        if trigger.zone != place.zone:
            continue
        if trigger.you is None or place.of is None:
            run_entry_trigger(ctx, trigger, cards, None, seats)
        elif place.each:
            run_dealt_card_triggers(ctx, trigger, cards, lower_list(ctx, place.of))
        else:
            run_entry_trigger(ctx, trigger, cards, lower_expression(ctx, place.of), seats)
        seats = NO_SEATS


def run_dealt_card_triggers(ctx: Lowering, trigger: g.Enters, cards: ir.Expr, owners: ir.Expr) -> None:
    """Run a trigger for dealt cards, player by player, for each player's own cards."""
    turn, owner, place = ctx.create_local(ir.NUMBER), ctx.create_local(ir.SEAT), ctx.create_local(ir.NUMBER)
    own = ir.Op(cards.kind, "range", (turn, ir.Count(ir.NUMBER, cards), ir.Count(ir.NUMBER, owners)))
    card = ir.Op(ir.CARD, "item_at", (cards, place))
    ctx.emit(ir.Assign(turn, ir.ZERO))
    with ctx.collect_emitted() as body:
        mine = copy_cards(ctx, ir.Loop(cards.kind, "list", (ir.For(place, own),), card))
        ctx.emit(ir.Assign(turn, build_plus(turn, ir.ONE)))
        run_entry_trigger(ctx, trigger, mine, owner, NO_SEATS)
    ctx.emit(ir.ForEach(owner, owners, tuple(body)))


def run_entry_trigger(ctx: Lowering, trigger: g.Enters, cards: ir.Expr, owner: ir.Expr | None, seats: ir.Expr) -> None:
    """Run a trigger for cards that have come to one zone. `owner`: its owner; `seats`: the seats that can
    identify them."""

    def can_trigger_entry(part: g.Stmt) -> bool:
        """Check whether a statement may set off the trigger of a zone, directly or in the code it runs."""
        effects = find_effects(part)
        moved = any(transfer.to.zone in ctx.entered_zones for transfer in effects.transfers)
        return moved or bool(effects.steps or effects.card_steps)

    items = g.Var(g.build_list_type(g.CARD), trigger.span, -100 - trigger.card.id, "entered")
    each = g.Each(trigger.span, items, trigger.card, None, None, False, trigger.body)
    owned = [(trigger.you, owner)] if trigger.you is not None and owner is not None else []
    if not has_matching_node(trigger.body, can_trigger_entry):
        ctx.env.update({items.id: cards, make_note_key(items, SEATS_NOTE): seats})
        for you, value in owned:
            ctx.emit(ir.Assign(ctx.bind_local(you), value))
        with ctx.forget_inner_names():
            lower_statement(ctx, each)
        return
    notes = [(build_knowers_variable(items), seats)] if is_tracked_name(ctx, trigger.card) else []
    params, args = zip((items, cards), *notes, *owned, strict=True)
    narrow_before_named_code(ctx, f"enters {trigger.zone}")
    number = str(ctx.game.enters.index(trigger))
    if ctx.suspension.can_wait_for_player(each):
        queue_routine(ctx, f"enters {number}", params, lambda: lower_body(ctx, (each,)))
        ctx.emit(ir.Run(f"enters {number}", args, ctx.number_rule_span(trigger.span)))
    else:
        ctx.emit(ir.Do(add_function(ctx, "enters", number, params, (each,)), args))


# ---------------------------------------------------------------- picking without a choice
def lower_fixed_pick(ctx: Lowering, stmt: g.Pick) -> None:
    """Lower a pick without a decision: a fixed number from the top or at random."""
    if stmt.low is None or stmt.position is None:
        raise AssertionError("a choice")
    if ctx.can_be_absent(stmt.who):
        ctx.emit(ir.Assign(ctx.create_local(ir.SEAT), lower_present_value(ctx, stmt.who)))
    take_cards(ctx, stmt, stmt.position, ctx.store_in_local(lower_expression(ctx, stmt.low)))


def take_cards(ctx: Lowering, stmt: g.Pick, position: str, number: ir.Expr) -> None:
    """Move `number` cards of a pick in which only the number is chosen."""
    to = Destination(stmt.to, stmt.verb, stmt.span)
    if ctx.refills.can_refill(stmt.source, stmt.to.zone):
        emit_refilled_draws(ctx, [(PileDraw(position, stmt.source), number)], to)
        return
    cards = copy_cards(ctx, lower_taken_cards(ctx, position, stmt.source, number))
    emit_move_with_triggers(ctx, cards, to, find_draw_followers(ctx, stmt.to, position, stmt.source))


def lower_taken_cards(ctx: Lowering, position: str, source: g.Expr, number: ir.Expr) -> ir.Expr:
    items = lower_list(ctx, source)
    return ir.Op(items.kind, f"some_{position}", (items, number))


# ---------------------------------------------------------------- shuffling and showing
@lowers_statement(g.Shuffle)
def lower_shuffle(ctx: Lowering, stmt: g.Shuffle) -> None:
    zone, place = stmt.zone, ctx.number_rule_span(stmt.span)
    ctx.narrow_knowledge(None if zone.each else lower_pile(ctx, zone.zone, zone.of, zone.second))
    if zone.each:
        pile = ctx.create_local(ir.NUMBER)
        ctx.emit(ir.ForEach(pile, build_pile_numbers(ctx, zone), (ir.Effect("shuffle", (pile,), place),)))
    else:
        ctx.emit(ir.Effect("shuffle", (build_pile_number(ctx, zone),), place))
    emit_trigger_checks(ctx)


@lowers_statement(g.Hide)
def lower_hide(ctx: Lowering, stmt: g.Hide) -> None:
    cards = ctx.store_in_local(lower_list(ctx, stmt.cards))
    ctx.narrow_knowledge(cards)
    ctx.emit(ir.Effect("hide", (cards,), ctx.number_rule_span(stmt.span)))
    emit_trigger_checks(ctx)


@lowers_statement(g.ShufflePlayers)
def lower_shuffle_players(ctx: Lowering, stmt: g.ShufflePlayers) -> None:
    ctx.emit(ir.Effect("shuffle_players", (), ctx.number_rule_span(stmt.span)))


@lowers_statement(g.Reveal)
def lower_reveal(ctx: Lowering, stmt: g.Reveal) -> None:
    to = lower_present_value(ctx, stmt.to) if stmt.to is not None else ir.Const(ir.SEAT, -1)
    ctx.emit(ir.Effect("reveal", (lower_list(ctx, stmt.cards), to), ctx.number_rule_span(stmt.span)))
    record_shown_cards(ctx, stmt.cards, to if stmt.to is not None else None)
