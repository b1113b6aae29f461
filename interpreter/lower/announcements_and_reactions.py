"""Lowering of announcements and their reaction windows."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from functools import partial

from attrs import frozen

from cardlang import model as g
from cardlang.model.traversal import walk
from cardlang.model.types import is_card_type
from interpreter import ir
from interpreter.lower.control_flow import build_not_eliminated_test
from interpreter.lower.decisions import PendingDecision, add_site, emit_decision
from interpreter.lower.lowering_context import Lowering, lower_body, lower_expression, lower_nested, lowers_statement
from interpreter.lower.option_codes import (
    decode_bindings,
    decode_option_number,
    emit_costs,
    lower_option_listing,
    select_body,
)
from interpreter.lower.public_eligibility_conditions import build_reaction_test
from interpreter.lower.routines import queue_routine
from interpreter.lower.seats_that_know_cards import (
    bind_note_parameters,
    build_note_arguments,
    list_note_parameters,
    narrow_before_named_code,
    record_announced_cards,
    record_choice_knowledge,
)
from interpreter.lower.simultaneous_choices import build_lapse_event
from interpreter.lower.values_and_definitions import (
    LINK_ANSWERED,
    LINK_BASE,
    LINK_CANCELLED,
    LINK_DEPTH,
    LINK_SHARED,
    LINK_TARGET,
    build_conjunction,
    build_disjunction,
    build_plus,
    lower_list,
    lower_number,
    lower_present_value,
)
from interpreter.runtime.state_layout import get_announced_key

NO_VALUE = ir.build_number(-1)


LinkVariables = tuple[ir.Local, ...]
"""Variables of an announcement link: actor, target, cancelled, answered, then the shared values."""


@frozen
class AnnouncementTarget:
    """Target of an announcement about cards or players, which reactions can move or eliminate.

    presence_test: a test for whether any of the cards are still in the piles where they were announced, or any of the
    players in the match.
    remaining: the cards that are still there, or the players who are still in the match."""

    presence_test: ir.Expr
    remaining: ir.Expr


@lowers_statement(g.Announce)
def lower_announce(ctx: Lowering, stmt: g.Announce) -> None:
    """Lower an announcement: link, reaction window, body.

    The link is stored in this frame. All other players may react. If the announcement is cancelled, `otherwise`
    runs instead of the body."""
    reactions = [reaction for reaction in ctx.game.reactions if stmt.name in reaction.to]
    link = create_link(ctx, stmt, reactions)
    event = (ir.Const(ir.TEXT, stmt.name), link[0])
    ctx.emit(ir.Event("announced", ctx.number_rule_span(stmt.span), event))
    mark_answered(ctx)
    aim = lower_target(ctx, stmt, link) if reactions and not ctx.game.legacy else None
    with record_announced_cards(ctx, stmt, link[LINK_SHARED:]):
        if reactions:
            lower_reaction_window(ctx, stmt, reactions, link, aim)
    if aim is not None:
        cancel_if_gone(ctx, stmt, link, aim)
    with ctx.emit_if(
        ir.Not(ir.FLAG, link[LINK_CANCELLED]),
        lower_nested(ctx, stmt.otherwise, lambda: lower_body(ctx, stmt.otherwise)),
    ):
        lower_announcement_body(ctx, stmt, aim)


def lower_target(ctx: Lowering, stmt: g.Announce, link: LinkVariables) -> AnnouncementTarget | None:
    """Record where the target of an announcement is: in which piles, or in the match. Return None for other targets."""
    if stmt.target is None:
        return None
    target, type_ = link[LINK_TARGET], stmt.target.type
    if is_card_type(type_):
        find_place = build_pile_of
    elif ctx.layout.eliminates and (type_.item or type_).tag == "player":
        find_place = partial(build_not_eliminated_test, ctx)
    else:
        return None
    if type_.item is None:
        place = find_place(target)
        return AnnouncementTarget(ir.Compare(ir.FLAG, "=", place, ctx.store_in_local(place)), target)
    item = ctx.create_local(ir.CARD if is_card_type(type_) else ir.SEAT)
    place, domain = find_place(item), ir.For(item, target)
    present = place
    if is_card_type(type_):
        present = ir.IsIn(ir.FLAG, place, ctx.store_in_local(ir.Loop(ir.NUMBERS, "list", (domain,), place)))
    left = ir.Loop(target.kind, "list", (domain, ir.Test(present)), item)
    gone = build_conjunction([target, ir.Not(ir.FLAG, left)])
    return AnnouncementTarget(ir.Not(ir.FLAG, gone), left)


def cancel_if_gone(ctx: Lowering, stmt: g.Announce, link: LinkVariables, target: AnnouncementTarget) -> None:
    """Cancel an announcement if a reaction has moved or eliminated its target."""
    tests = [ir.Not(ir.FLAG, link[LINK_CANCELLED]), ir.Not(ir.FLAG, target.presence_test)]
    with ctx.emit_if(build_conjunction(tests)):
        ctx.emit(ir.Assign(link[LINK_CANCELLED], ir.ONE))
        ctx.emit(build_lapse_event(stmt.name, link[0], ctx.number_rule_span(stmt.span)))


def lower_announcement_body(ctx: Lowering, stmt: g.Announce, target: AnnouncementTarget | None) -> None:
    """Lower the body of an announcement. If its target is a variable, bind it to what is left of it."""
    if target is None or not isinstance(stmt.target, g.Var):
        lower_body(ctx, stmt.body)
        return
    with ctx.bind_temporarily(stmt.target, ctx.store_in_local(target.remaining)):
        lower_body(ctx, stmt.body)


def create_link(ctx: Lowering, stmt: g.Announce, reactions: Iterable[g.Reaction]) -> tuple[ir.Local, ...]:
    target = lower_expression(ctx, stmt.target) if stmt.target is not None else NO_VALUE
    values = [lower_present_value(ctx, stmt.actor), target, ir.ZERO, ir.ZERO]
    read = find_announced_reads(reactions)
    values += [lower_announced_value(ctx, stmt.values.get(key[0]), read.get(key)) for key in ctx.layout.announced]
    link = tuple(ctx.create_local(value.kind) for value in values)
    ctx.links.append(link)
    ctx.frame_variables |= {local.number for local in link}
    for local, value in zip(link, values, strict=True):
        ctx.emit(ir.Assign(local, value))
    return link


def find_announced_reads(reactions: Iterable[g.Reaction]) -> dict[tuple[str | None, str], g.Target]:
    """Return the values of announcements that reactions read, by their keys in `Layout.announced`."""
    parts = (part for reaction in reactions for part in walk(reaction.option))
    return {get_announced_key(part): part for part in parts if isinstance(part, g.Target)}


def lower_announced_value(ctx: Lowering, value: g.Expr | None, read: g.Target | None) -> ir.Expr:
    """Lower a value of an announcement, converted to the type that its reactions read."""
    if read is None:
        return NO_VALUE
    if value is None:
        return ir.build_absent(ctx.find_value_kind(read))
    if read.type.tag == "list":
        return lower_list(ctx, value)
    if read.type.tag == "number":
        number = g.Worth(g.NUMBER, value.span, value) if value.type.tag == "member" else value
        return lower_number(ctx, number, ctx.layout.scales.get_scale(read))
    return lower_expression(ctx, value)


def mark_answered(ctx: Lowering) -> None:
    """Mark the enclosing announcement as answered by another announcement. Only old record formats need it."""
    env = ctx.env
    if ctx.game.legacy and LINK_DEPTH in env:
        ctx.emit(ir.SetLink(env[LINK_DEPTH], env[LINK_BASE], LINK_ANSWERED, ir.ONE))


def lower_reaction_window(
    ctx: Lowering, stmt: g.Announce, reactions: list[g.Reaction], link: LinkVariables, target: AnnouncementTarget | None
) -> None:
    """Lower the reaction window of an announcement.

    Players other than the actor act in turn. The window closes when all have passed in a row, the announcement
    is cancelled or its target is gone. Players who cannot react, judging by public knowledge, are skipped."""
    create_local = ctx.create_local
    who, place, end = create_local(ir.SEAT), create_local(ir.NUMBER), create_local(ir.NUMBER)
    options = tuple(reaction.option for reaction in reactions)

    def handle_reaction(decision: PendingDecision) -> None:
        with ctx.emit_if(ir.Compare(ir.FLAG, "!=", decision.choice, ir.ZERO)):
            run_chosen_reaction(ctx, reactions, link, decision)
            if not ctx.game.legacy:
                ctx.emit(ir.Assign(end, ir.Arith(ir.NUMBER, "+", place, count)))

    def emit_reaction_decision() -> None:
        asked = create_local(ir.SEAT)
        with bind_reaction_variables(ctx, reactions, link, asked):
            legal = lower_option_listing(ctx, options, asked, may_pass=True)
        with bind_reaction_variables(ctx, reactions, link, who):
            site = add_site(ctx, "react", stmt, options)
        ctx.reported_place = ctx.number_rule_span(stmt.span)
        emit_decision(ctx, site, who, (asked, legal), (), handle_reaction)

    everyone = ctx.store_in_local(ir.Op(ir.SEATS, "others_of", (link[0],)))
    count = ir.Count(ir.NUMBER, everyone)
    ctx.emit(ir.Assign(place, ir.ZERO))
    ctx.emit(ir.Assign(end, count))
    with ctx.collect_emitted() as body:
        ctx.emit(ir.Effect("few_asked", (place,), ctx.number_rule_span(stmt.span)))
        turn = ir.Arith(ir.NUMBER, "%", place, count)
        ctx.emit(ir.Assign(who, ir.Op(ir.SEAT, "item_at", (everyone, turn))))
        ctx.emit(ir.Assign(place, build_plus(place, ir.ONE)))
        with bind_reaction_variables(ctx, reactions, link, who):
            may = build_disjunction([build_reaction_test(ctx, reaction) for reaction in reactions])
        with ctx.emit_if(build_conjunction([build_not_eliminated_test(ctx, who), may])):
            emit_reaction_decision()
    left = ir.Compare(ir.FLAG, "<", place, end)
    going = [left, build_open_test(ctx, link), *([target.presence_test] if target is not None else [])]
    ctx.emit(ir.While(build_conjunction(going), tuple(body)))


def build_open_test(ctx: Lowering, link: LinkVariables) -> ir.Expr:
    """Return the test that an announcement still accepts reactions. In old record formats, an announced reaction
    closes it."""
    closed: ir.Expr = link[LINK_CANCELLED]
    if ctx.game.legacy:
        closed = ir.Logic(ir.FLAG, "or", (closed, link[LINK_ANSWERED]))
    return ir.Not(ir.FLAG, closed)


def bind_reaction_variables(
    ctx: Lowering, reactions: list[g.Reaction], link: LinkVariables, player: ir.Expr
) -> AbstractContextManager[None]:
    """Bind the variables of reactions while `player` decides."""
    address = {LINK_DEPTH: ir.Op(ir.NUMBER, "depth", ()), LINK_BASE: ir.SlotOf(ir.NUMBER, link[0])}
    return ctx.set_temporarily(env=ctx.env | {reaction.you.id: player for reaction in reactions} | address)


def run_chosen_reaction(
    ctx: Lowering, reactions: list[g.Reaction], link: LinkVariables, decision: PendingDecision
) -> None:
    """Run the chosen reaction in its own frame. Its costs are paid first."""
    option, rest = decode_option_number(ctx, len(reactions), decision.choice)
    depth, base = ir.Op(ir.NUMBER, "depth", ()), ir.SlotOf(ir.NUMBER, link[0])
    bodies = []
    for reaction in reactions:
        routine, read = add_reaction_routine(ctx, reaction), list_announced_names(ctx, reaction)
        with ctx.collect_emitted() as body:
            notes = build_note_arguments(ctx, read, read)
            narrow_before_named_code(ctx, routine)
            args = (decision.player, depth, base, *decode_bindings(ctx, reaction.option, rest), *notes)
            ctx.emit(ir.Run(routine, args, ctx.number_rule_span(reaction.option.span)))
        bodies.append(tuple(body))
    ctx.body.extend(select_body(option, bodies))


def list_announced_names(ctx: Lowering, reaction: g.Reaction) -> list[g.Var]:
    """Return the variables for the announced values that a reaction reads."""
    names = dict.fromkeys(name for name, _ in find_announced_reads([reaction]))
    return [ctx.common_knowledge.announced_variables[name] for name in names]


def add_reaction_routine(ctx: Lowering, reaction: g.Reaction) -> str:
    name = f"reaction {reaction.name}"
    depth = g.Var(g.NUMBER, reaction.option.span, LINK_DEPTH, "depth")
    base = g.Var(g.NUMBER, reaction.option.span, LINK_BASE, "base")
    binders = tuple(var for var, _ in reaction.option.binders)
    params = (reaction.you, depth, base, *binders, *list_note_parameters(ctx, list_announced_names(ctx, reaction)))
    queue_routine(ctx, name, params, lambda: lower_reaction_body(ctx, reaction))
    return name


def lower_reaction_body(ctx: Lowering, reaction: g.Reaction) -> None:
    ctx.current_step = reaction.name
    for target in find_announced_reads([reaction]).values():
        ctx.env[ctx.common_knowledge.announced_variables[target.name].id] = lower_expression(ctx, target)
    bind_note_parameters(ctx, list_announced_names(ctx, reaction))
    for var, domain in reaction.option.binders:
        record_choice_knowledge(ctx, var, domain, ctx.env[reaction.you.id])
    emit_costs(ctx, reaction.option, ctx.env[reaction.you.id])
    ctx.emit_reached(reaction.option.span)
    lower_body(ctx, reaction.option.body)


def build_pile_of(card: ir.Expr) -> ir.Expr:
    """Return the number of the pile that holds a card; absent for no card."""
    return ir.Op(ir.NUMBER, "pile_of", (card,))
