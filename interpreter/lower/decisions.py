"""Lowering of decisions: actor, legal move codes, answer.

Each decision has a function that lists the codes, and a `Wait` for the chosen code. Conditions on hidden information
count as true, so neither a decision nor its absence reveals anything.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from cardlang import model as g
from cardlang.model.traversal import find_free_variables, walk
from cardlang.model.types import is_card_type
from interpreter import ir
from interpreter.ir.simplifier import rewrite_bottom_up, simplify_part
from interpreter.ir.traversal import find_assigned_variables, find_free_ir_variables
from interpreter.lower.control_flow import build_not_eliminated_test, lower_loop_body, prepare_loop
from interpreter.lower.lowering_context import Lowering, lower_body, lower_expression, lowers_statement
from interpreter.lower.move_statements import (
    Destination,
    copy_cards,
    emit_card_count,
    emit_move_with_triggers,
    emit_to_pile,
    emit_trigger_checks,
    lower_fixed_pick,
    remove_duplicates,
    take_cards,
)
from interpreter.lower.option_codes import (
    OptionRunner,
    find_radices,
    lower_chosen_option,
    lower_domain,
    lower_option_listing,
    lower_set_condition,
    run_option,
)
from interpreter.lower.public_eligibility_conditions import build_choice_test, build_positive_test
from interpreter.lower.seats_that_know_cards import (
    find_pick_followers,
    is_tracked_name,
    record_choice_knowledge,
    record_knowledge,
)
from interpreter.lower.seats_that_know_values import ANY_CARDS
from interpreter.lower.values_and_definitions import (
    LINK_BASE,
    LINK_DEPTH,
    build_disjunction,
    build_minus,
    build_plus,
    lower_list,
    lower_present_value,
    lower_single_use_list,
)
from interpreter.runtime.state import DecisionPoint

DecisionStatement = g.Pick | g.Choose | g.Menu


@frozen
class PendingDecision:
    """Decision in progress: its site, the current player, and the local that holds the move (a code or picks)."""

    site: int
    player: ir.Expr
    choice: ir.Local


MoveLowering = Callable[[PendingDecision], None]
MoveRunner = Callable[[Lowering, DecisionStatement, PendingDecision], None]


# ---------------------------------------------------------------- sites
def add_site(ctx: Lowering, kind: str, stmt: g.Stmt | None, options: tuple[g.Option, ...]) -> int:
    radices = tuple(find_radices(ctx, option) for option in options)
    site = DecisionPoint(len(ctx.sites), kind, stmt, options, radices)
    ctx.sites.append(site)
    parts = options if stmt is None else (stmt, *options)
    needed = {LINK_DEPTH, LINK_BASE}.union(*map(find_free_variables, parts))
    """The variables that explanations of a decision may read."""
    known = {var: value for var, value in ctx.env.items() if var in needed}
    ctx.site_scopes.append(known)
    ctx.frame_variables |= find_free_ir_variables(known.values())
    return site.number


def emit_decision(
    ctx: Lowering, site: int, player: ir.Expr, listing: tuple[ir.Local, ir.Body], skip_body: ir.Body,
    lower_answer: MoveLowering, max_picks: ir.Local | None = None, kind: ir.Kind = ir.NUMBER,
) -> None:  # fmt: skip
    """Wait for a move of `player`, then continue with `lower_answer`. If no move is legal, run `skip_body`.

    listing: the player parameter and the body of the function that lists the legal moves.
    max_picks, kind: for a choice of several items, their maximum number, and the type of the picks."""
    asked, body = listing
    lister = ctx.make_identifier("L", str(site))
    ctx.functions[lister] = ir.Function(lister, (asked,), body, ir.NUMBERS, site=site)
    ctx.frame_variables |= find_free_ir_variables(body) - {asked.number} - find_assigned_variables(body)
    codes, answer, told = ctx.create_local(ir.NUMBERS), ctx.create_local(kind), ctx.reported_place
    ctx.emit(ir.Assign(codes, ir.Calling(ir.NUMBERS, lister, (player,))))
    if told is not None and ctx.records_coverage:
        ctx.emit(ir.Do("moves_open", (ir.build_number(told), ir.Count(ir.NUMBER, codes))))
    with ctx.emit_if(codes, skip_body):
        ctx.emit(ir.Wait(site, player, codes, answer, max_picks, told))
        lower_answer(PendingDecision(site, ir.Op(ir.SEAT, "asked", ()), answer))


def build_skip_body(ctx: Lowering, may_pass: bool) -> ir.Body:
    """Return the statements for a skipped decision. If passing is allowed, skipping counts as a pass."""
    passing = ctx.pass_flag if may_pass else None
    if passing is None:
        return ()
    if passing.flag is not None:
        return (ir.Assign(passing.flag, ir.ONE),)
    there = ir.Compare(ir.FLAG, ">=", passing.depth, ir.ZERO)
    return (ir.If(there, (ir.SetLink(passing.depth, passing.base, 0, ir.ONE),)),)


# ---------------------------------------------------------------- one decision
@lowers_statement(g.Pick)
def lower_pick(ctx: Lowering, stmt: g.Pick) -> None:
    if stmt.position is None or not ctx.refills.can_refill(stmt.source, stmt.to.zone):
        emit_card_count(ctx, stmt.span, stmt.low, stmt.source)
    if stmt.is_automatic:
        lower_fixed_pick(ctx, stmt)
    else:
        lower_single_decision(ctx, stmt)


@lowers_statement(g.Choose, g.Menu)
def lower_single_decision(ctx: Lowering, stmt: DecisionStatement) -> None:
    """Lower a decision of one player whose move is carried out immediately."""
    if isinstance(stmt, g.Choose):  # without a choice, later statements find an absent value
        var = ctx.bind_local(stmt.var)
        ctx.emit(ir.Assign(var, ir.build_absent(var.kind)))
        if is_tracked_name(ctx, stmt.var):
            record_knowledge(ctx, stmt.var, ctx.all_seats, ANY_CARDS)

    ctx.reported_place = ctx.number_rule_span(stmt.span)
    skip_body = build_skip_body(ctx, stmt.may)
    if isinstance(stmt, g.Menu):
        stmt = stmt.replace(options=drop_impossible_options(ctx, stmt.options))
    if not stmt.otherwise:
        emit_choice(ctx, stmt, skip_body, lambda decision: run_unless_passed(ctx, stmt, decision))
        return
    label = f"choice {len(ctx.sites)}"

    def run_and_leave(ctx: Lowering, stmt: DecisionStatement, decision: PendingDecision) -> None:
        run_chosen_move(ctx, stmt, decision)
        ctx.emit(ir.Leave(label))

    with ctx.collect_emitted() as scope:
        emit_choice(ctx, stmt, skip_body, lambda decision: run_unless_passed(ctx, stmt, decision, run_and_leave))
        lower_body(ctx, stmt.otherwise)
    ctx.emit(ir.Scope(label, tuple(scope)))


def drop_impossible_options(ctx: Lowering, options: tuple[g.Option, ...]) -> tuple[g.Option, ...]:
    """Return the options without those that constants forbid, such as a switch of another variant."""
    possible = tuple(option for option in options if not any(is_never_true(ctx, when) for when, _ in option.when))
    return possible or options


def is_never_true(ctx: Lowering, condition: g.Expr) -> bool:
    """Return whether a condition on constants is false."""
    if not {*map(type, walk(condition))} <= {g.Const, g.Call, g.Compare, g.Not, g.And, g.Or}:
        return False
    lowered = rewrite_bottom_up(lower_expression(ctx, condition), simplify_part)
    return isinstance(lowered, ir.Const) and not lowered.value


def run_unless_passed(
    ctx: Lowering, stmt: DecisionStatement, decision: PendingDecision, run: MoveRunner | None = None
) -> None:
    """Carry out a choice by `run`, by default `run_chosen_move`, unless the player passed."""
    run = run or run_chosen_move
    if not stmt.may:
        run(ctx, stmt, decision)
        return
    taken = decision.choice if is_multi_choice(stmt) else ir.Compare(ir.FLAG, "!=", decision.choice, ir.ZERO)
    with ctx.emit_if(taken, build_skip_body(ctx, stmt.may)):
        run(ctx, stmt, decision)


def emit_choice(ctx: Lowering, stmt: DecisionStatement, skip_body: ir.Body, lower_answer: MoveLowering) -> None:
    """List the legal moves and wait for one. Eliminated players are skipped."""
    who = ctx.store_in_local(lower_present_value(ctx, stmt.who))
    if not ctx.layout.eliminates:
        emit_player_choice(ctx, stmt, who, skip_body, lower_answer)
        return
    with ctx.emit_if(build_not_eliminated_test(ctx, who), skip_body):
        emit_player_choice(ctx, stmt, who, skip_body, lower_answer)


def emit_player_choice(
    ctx: Lowering, stmt: DecisionStatement, player: ir.Expr, skip_body: ir.Body, lower_answer: MoveLowering
) -> None:
    asked = ctx.create_local(ir.SEAT)
    if isinstance(stmt, g.Menu):
        site = add_site(ctx, "menu", stmt, stmt.options)
        listing = lower_option_listing(ctx, stmt.options, asked, stmt.may)
    elif is_multi_choice(stmt):
        emit_multi_choice(ctx, stmt, player, skip_body, lower_answer)
        return
    else:
        by_number = isinstance(stmt, g.Pick) and stmt.position is not None
        kind = "number" if by_number else "pick" if isinstance(stmt, g.Pick) else "choose"
        site = add_site(ctx, kind, stmt, ())
        listing = list_single_moves(ctx, stmt, asked)
    emit_decision(ctx, site, player, (asked, listing), skip_body, lower_answer)


def list_single_moves(ctx: Lowering, stmt: g.Pick | g.Choose, player: ir.Expr) -> ir.Body:
    if isinstance(stmt, g.Pick) and stmt.position is not None:
        return list_number_moves(ctx, stmt)
    if isinstance(stmt, g.Pick):
        items = remove_duplicates(ctx, lower_single_use_list(ctx, stmt.source), stmt.source)
        if ctx.layout.copies and is_card_type(stmt.source.type):  # identical cards are one move
            items = ir.Op(items.kind, "distinct", (items, player))
        value = ctx.create_local(ir.CARD)
    else:
        value = ctx.create_local(ctx.lower_type(stmt.var.type))
        items = lower_domain(ctx, stmt.domain, stmt.var.type, player)
    clauses: tuple[ir.Clause, ...] = (ir.For(value, items),)
    if isinstance(stmt, g.Choose) and stmt.provided is not None:
        with ctx.bind_temporarily(stmt.var, value):
            clauses = (*clauses, ir.Test(lower_expression(ctx, stmt.provided)))
    return add_pass_move(ctx, stmt, ir.Loop(ir.NUMBERS, "list", clauses, build_plus(value, ir.ONE)))


def add_pass_move(ctx: Lowering, stmt: g.Pick | g.Choose, codes: ir.Expr) -> ir.Body:
    """Add the pass to the legal moves of an optional decision.

    If no other move is legal, the pass is offered only if the other players cannot know that."""
    if not stmt.may:
        return (ir.Return(codes),)
    legal = ctx.create_local(ir.NUMBERS)
    passed = ir.Items(ir.NUMBERS, (ir.Spread(ir.NUMBERS, legal), ir.ZERO))
    possible = build_choice_test(ctx, stmt)
    if possible == ir.TRUE:
        return (ir.Assign(legal, codes), ir.Return(passed))
    there = legal if possible == ir.FALSE else ir.Logic(ir.FLAG, "or", (legal, possible))
    return (ir.Assign(legal, codes), ir.If(there, (ir.Return(passed),)), ir.Return(legal))


def list_number_moves(ctx: Lowering, stmt: g.Pick) -> ir.Body:
    with ctx.collect_emitted() as body:
        there = ctx.store_in_local(count_available_cards(ctx, stmt))
        low, high = clip_choice_bounds(ctx, stmt, there)
        bounds = (build_plus(low, ir.ONE), build_plus(high, ir.build_number(2)))
        numbers = ir.Op(ir.NUMBERS, "copied", (ir.Op(ir.NUMBERS, "range", bounds),))
        legal = ir.Either(ir.NUMBERS, build_positive_test(high), numbers, ir.Items(ir.NUMBERS, ()))
        ctx.body.extend(add_pass_move(ctx, stmt, legal))
    return tuple(body)


def count_available_cards(ctx: Lowering, stmt: g.Pick) -> ir.Expr:
    """Return the maximum number of cards of a draw: the pile itself, plus cards from refill triggers."""
    there = ir.Count(ir.NUMBER, lower_list(ctx, stmt.source))
    if not ctx.refills.can_refill(stmt.source, stmt.to.zone):
        return there
    brought = ctx.refills.find_refill_sources(stmt.source, stmt.to.zone)
    most: ir.Expr = there if brought is not None else ir.build_number(ctx.layout.cards)
    for cards in brought or ():
        most = ir.Arith(ir.NUMBER, "+", most, ir.Count(ir.NUMBER, lower_list(ctx, cards)))
    return ir.Either(ir.NUMBER, build_positive_test(there), most, ir.ZERO)


def clip_choice_bounds(ctx: Lowering, stmt: g.Pick | g.Choose, available: ir.Expr) -> tuple[ir.Expr, ir.Expr]:
    """Return the lower and upper bound of a choice, limited to the number of items available."""
    high = available
    if stmt.high is not None:
        high = ctx.store_in_local(ir.Op(ir.NUMBER, "least_of", (lower_expression(ctx, stmt.high), available)))
    low = lower_expression(ctx, stmt.low) if stmt.low is not None else ir.ZERO
    low = ir.Op(ir.NUMBER, "least_of", (ir.Op(ir.NUMBER, "most_of", (low, ir.ZERO)), high))
    return ctx.store_in_local(low), ctx.store_in_local(high)


# ---------------------------------------------------------------- several
def is_multi_choice(stmt: DecisionStatement) -> bool:
    if isinstance(stmt, g.Pick):
        one = isinstance(stmt.low, g.Const) and stmt.low.value == 1 and stmt.low == stmt.high
        return stmt.position is None and not one
    return isinstance(stmt, g.Choose) and stmt.several


def emit_multi_choice(
    ctx: Lowering, stmt: g.Pick | g.Choose, player: ir.Expr, skip_body: ir.Body, lower_answer: MoveLowering
) -> None:
    """Lower a choice of several items. The candidates and bounds are stored while the picks are made one by one."""
    site = add_site(ctx, "pick" if isinstance(stmt, g.Pick) else "several", stmt, ())
    source, tests = lower_candidates(ctx, stmt, player)
    item = source.kind.item or ir.NUMBER
    candidates = ctx.create_local(source.kind)
    operation = ("in_order", (source, player)) if item.tag == "card" else ("ascending", (source,))
    ctx.emit(ir.Assign(candidates, ir.Op(source.kind, *operation)))
    low, high = clip_choice_bounds(ctx, stmt, ir.Count(ir.NUMBER, candidates))
    low, most = (bound if isinstance(bound, ir.Local) else ctx.emit_assignment(bound) for bound in (low, high))
    ctx.emit(ir.Effect("begin_picks", (), None))

    def emit_picks() -> None:
        asked = ctx.create_local(ir.SEAT)
        flags = (ir.Const(ir.FLAG, int(stmt.may)), ir.Const(ir.FLAG, int(ctx.layout.copies)))
        more = ir.Op(ir.NUMBERS, "more_picks", (candidates, low, most, asked, *flags, *tests))
        listing = (asked, (ir.Return(more),))
        emit_decision(ctx, site, player, listing, skip_body, lower_answer, most, source.kind)

    possible = build_choice_test(ctx, stmt) if stmt.may else ir.FALSE
    if possible != ir.FALSE:
        with ctx.emit_if(ir.Not(ir.FLAG, build_positive_test(most))):
            ctx.emit(ir.Assign(candidates, ir.Items(source.kind, ())))
    if possible == ir.TRUE:
        emit_picks()
        return
    with ctx.emit_if(build_disjunction([build_positive_test(most), possible]), skip_body):
        emit_picks()


def lower_candidates(ctx: Lowering, stmt: g.Pick | g.Choose, player: ir.Expr) -> tuple[ir.Expr, tuple[ir.TestOf, ...]]:
    """Return the candidates of a choice, and the test of the whole choice, if any."""
    if isinstance(stmt, g.Pick):
        return remove_duplicates(ctx, lower_list(ctx, stmt.source), stmt.source), ()
    item = stmt.var.type.item or stmt.var.type
    source = lower_domain(ctx, stmt.domain, item, player, keep_copies=True)
    if stmt.provided is None:
        return source, ()
    test = lower_set_condition(ctx, stmt, source.kind.item or ir.NUMBER)
    low = lower_expression(ctx, stmt.low) if stmt.low is not None else ir.ZERO
    high = lower_expression(ctx, stmt.high) if stmt.high is not None else ir.Const(ir.NOTHING, None)
    return ir.Op(source.kind, "fulfilling", (source, low, high, test)), (test,)


# ---------------------------------------------------------------- effect of the move
def run_chosen_move(
    ctx: Lowering, stmt: DecisionStatement, decision: PendingDecision, run_option: OptionRunner = run_option
) -> None:
    if isinstance(stmt, g.Pick):
        run_chosen_pick(ctx, stmt, decision)
    elif isinstance(stmt, g.Choose):
        var = find_choice_variable(ctx, stmt)
        value = decision.choice if stmt.several else build_minus(decision.choice, ir.ONE)
        ctx.emit(ir.Assign(var, value))
        record_choice_knowledge(ctx, stmt.var, stmt.domain, decision.player)
        lower_body(ctx, stmt.body)
    else:
        lower_chosen_option(ctx, stmt.options, decision.choice, decision.player, run_option)


def find_choice_variable(ctx: Lowering, stmt: g.Choose) -> ir.Local:
    known = ctx.env.get(stmt.var.id)
    return known if isinstance(known, ir.Local) else ctx.bind_local(stmt.var)


def run_chosen_pick(ctx: Lowering, stmt: g.Pick, decision: PendingDecision) -> None:
    value, to = build_minus(decision.choice, ir.ONE), Destination(stmt.to, stmt.verb, stmt.span)
    public = ctx.card_names.is_public_zone(stmt.to)
    if stmt.position is not None:
        take_cards(ctx, stmt, stmt.position, ctx.store_in_local(value))
    elif not is_multi_choice(stmt) and public and not ctx.layout.marks and stmt.to.zone not in ctx.entered_zones:
        emit_to_pile(ctx, "put", to, value, ir.Const(ir.TEXT, stmt.verb))
        emit_trigger_checks(ctx)
    else:
        cards = copy_cards(ctx, decision.choice) if is_multi_choice(stmt) else ir.Items(ir.CARDS, (value,))
        emit_move_with_triggers(ctx, cards, to, find_pick_followers(ctx, stmt.to, decision.player, stmt.source))


# ---------------------------------------------------------------- offers
@lowers_statement(g.Offer)
def lower_offer(ctx: Lowering, stmt: g.Offer) -> None:
    """Offer options to each player in turn. The first player to take one ends the offer."""
    label = f"offer {len(ctx.sites)}"
    place = ctx.number_rule_span(stmt.span)
    each = g.Each(stmt.span, stmt.list, stmt.var, stmt.start, stmt.condition, False, ())

    def lower_answer(decision: PendingDecision) -> None:
        with ctx.emit_if(ir.Compare(ir.FLAG, "!=", decision.choice, ir.ZERO)):
            lower_chosen_option(ctx, stmt.options, decision.choice, decision.player, run_option)
            ctx.emit(ir.Leave(label))

    def emit_offer() -> None:
        asked = ctx.create_local(ir.SEAT)
        site = add_site(ctx, "offer", stmt, stmt.options)
        listing = lower_option_listing(ctx, stmt.options, asked, may_pass=True)
        ctx.reported_place = place
        emit_decision(ctx, site, var, (asked, listing), (), lower_answer)

    with ctx.collect_emitted() as scope:
        var, items = prepare_loop(ctx, each, True)
        ctx.emit(ir.ForEach(var, items, lower_loop_body(ctx, each, var, emit_offer)))
        ctx.body.extend(build_skip_body(ctx, True))
        lower_body(ctx, stmt.otherwise)
    ctx.emit(ir.Scope(label, tuple(scope)))
