"""Resolution of choices, options and offers."""

from __future__ import annotations

from cardlang import model as g
from cardlang.semantics import error_codes
from cardlang.semantics.aggregate_resolver import SINGLE_ITEM_FUNCTIONS
from cardlang.semantics.expression_resolver import (
    build_error_expression,
    build_text,
    describe_type_plural,
    resolve_cards,
    resolve_condition,
    resolve_list,
    resolve_message,
    resolve_number,
    resolve_player,
)
from cardlang.semantics.statement_resolver import (
    ResolvedStatements,
    report_named_chooser,
    resolve_block,
    resolve_destination,
    resolve_loop_header,
    resolves_statement,
)
from cardlang.semantics.symbol_table import ERROR_TYPE, ResolveContext, Scope
from cardlang.syntax import ast as n

UNCHOOSABLE_TYPE_HINTS = {
    "text": "choose cards or values instead. For your own words, declare a kind, such as `kind Word: Red, Blue`",
    "reading": "choose the cards of the hand, or the player who holds them",
}
"""Hints for types of values that cannot be chosen."""


def resolve_chooser(ctx: ResolveContext, node: n.Expr, scope: Scope) -> tuple[list[g.Stmt], g.Expr, Scope]:
    """Return statements to run before a choice, the player who chooses, and the scope of the choice.

    A player other than `you` is stored in a variable first, because the choice may change it (`dealer`)."""
    who = resolve_player(ctx, node, scope)
    if isinstance(who, g.Var) or who.type == ERROR_TYPE:
        return [], who, scope.with_addressed_player(who)
    var = ctx.create_variable(who.type, node.span, "")
    return [g.Remember(node.span, var, who)], var, scope.with_addressed_player(var)


@resolves_statement(n.Pick)
def _(ctx: ResolveContext, node: n.Pick, scope: Scope) -> ResolvedStatements:
    before, who, inside = resolve_chooser(ctx, node.who, scope)
    low = None if node.count.low is None else resolve_number(ctx, node.count.low, inside)
    high = None if node.count.high is None else resolve_number(ctx, node.count.high, inside)
    position, from_ = None, node.source
    if isinstance(from_, n.Agg) and from_.function in SINGLE_ITEM_FUNCTIONS and from_.number is None:
        position, from_ = from_.function, from_.list
    source, to = resolve_cards(ctx, from_, inside), resolve_destination(ctx, node.to, inside)
    if to is None:
        return [], scope
    pick = g.Pick(node.span, who, node.may, node.verb, low, high, source, position, to)
    if node.otherwise and pick.is_automatic:
        hint = "write `if … is empty` before it, or let the player choose with `may`"
        ctx.report_error(error_codes.MISPLACED, "`otherwise` needs a choice, and this is none", node.span, hint)
    return [*before, pick.replace(otherwise=resolve_block(ctx, node.otherwise, scope))], scope


@resolves_statement(n.Choose)
def _(ctx: ResolveContext, node: n.Choose, scope: Scope) -> ResolvedStatements:
    before, who, inside = resolve_chooser(ctx, node.who, scope)
    low = high = None
    if node.count is not None:
        low = None if node.count.low is None else resolve_number(ctx, node.count.low, inside)
        high = None if node.count.high is None else resolve_number(ctx, node.count.high, inside)
    domain, type_ = resolve_domain(ctx, node.domain, inside)
    var = ctx.create_variable(g.build_list_type(type_) if node.count else type_, node.name.span, node.name.text)
    within = inside.with_local(node.name.text, var)
    provided = None if node.provided is None else resolve_condition(ctx, node.provided, within)
    body = resolve_block(ctx, node.body, within)
    several = node.count is not None
    otherwise = resolve_block(ctx, node.otherwise, scope)
    choose = g.Choose(node.span, who, node.may, several, low, high, var, domain, provided, body, otherwise)
    return [*before, choose], scope.with_local(node.name.text, widen_choice_variable(var))


def widen_choice_variable(var: g.Var) -> g.Var:
    """Return the variable of a choice as later statements see it. It may be absent: the player passed, or had no
    choice."""
    return var if var.type.tag in ("list", "error") else var.replace(type=var.type.as_optional())


def resolve_domain(ctx: ResolveContext, node: n.Expr | n.Range, scope: Scope) -> tuple[g.Domain, g.Type]:
    """Return the domain of a choice, and the type of one value."""
    if isinstance(node, n.Range):
        return g.Domain(None, resolve_number(ctx, node.low, scope), resolve_number(ctx, node.high, scope)), g.NUMBER
    value_list = resolve_list(ctx, node, scope)
    item = value_list.type.item or ERROR_TYPE
    if item.tag == "list":
        ctx.report_error(error_codes.NOT_A_SINGLE_VALUE, "a choice cannot be from a list of lists", node.span)
        return g.Domain(build_error_expression(node.span)), ERROR_TYPE
    if item.tag in ("text", "reading"):
        ctx.report_error(
            error_codes.WRONG_TYPE,
            f"a choice cannot be from {describe_type_plural(item)}",
            node.span,
            UNCHOOSABLE_TYPE_HINTS[item.tag],
        )
        return g.Domain(build_error_expression(node.span)), ERROR_TYPE
    return g.Domain(value_list), item.as_required()


# ---------------------------------------------------------------- options
@resolves_statement(n.Menu)
def _(ctx: ResolveContext, node: n.Menu, scope: Scope) -> ResolvedStatements:
    before, who, inside = resolve_chooser(ctx, node.who, scope)
    options, otherwise = resolve_options(ctx, node.options, inside), resolve_block(ctx, node.otherwise, scope)
    return [*before, g.Menu(node.span, who, node.may, options, otherwise)], scope


@resolves_statement(n.Offer)
def _(ctx: ResolveContext, node: n.Offer, scope: Scope) -> ResolvedStatements:
    items, var, start, test = resolve_loop_header(ctx, node.going, scope)
    if node.going.alias:
        report_named_chooser(ctx, node.going.alias)
    if items.type.item not in (g.PLAYER, None):
        ctx.report_error(
            error_codes.WRONG_TYPE, "only players can choose", node.going.word.span, "write `each player …`"
        )
    offered = resolve_options(ctx, node.options, scope.with_subject("player", var))
    otherwise = resolve_block(ctx, node.otherwise, scope)
    return [g.Offer(node.span, items, var, start, test, offered, otherwise)], scope


def resolve_options(ctx: ResolveContext, nodes: tuple[n.Option, ...], scope: Scope) -> tuple[g.Option, ...]:
    first: dict[str, n.Option] = {}
    for node in nodes:
        other = first.setdefault(node.name.text, node)
        if other is not node:
            related = ((other.name.span, "the first one"),)
            ctx.report_error(
                error_codes.DECLARED_TWICE,
                f"two options are called `{node.name.text}`",
                node.name.span,
                "rename one of them",
                related,
            )
    return tuple(resolve_option(ctx, node, scope) for node in nodes)


def resolve_option(ctx: ResolveContext, node: n.Option | n.Reaction, scope: Scope) -> g.Option:
    """Resolve an option or a reaction of the player in scope."""
    binders = []
    for binder in node.binders:
        resolved_domain, type_ = resolve_domain(ctx, binder.domain, scope)
        var = ctx.create_variable(type_, binder.name.span, binder.name.text)
        binders.append((var, resolved_domain.replace(doc=build_text(ctx, binder.doc, scope))))
        scope = scope.with_local(binder.name.text, var)
    when = tuple(
        (resolve_condition(ctx, part.condition, scope), build_text(ctx, part.doc, scope)) for part in node.when
    )
    costs = tuple(resolve_cost(ctx, part, scope) for part in node.costs)
    message, values = resolve_message(ctx, node.called, scope) if node.called is not None else ((), ())
    body, doc = resolve_block(ctx, node.body, scope), build_text(ctx, node.doc, scope)
    return g.Option(node.name.text, tuple(binders), when, costs, body, doc, node.span, message, values)


def resolve_cost(ctx: ResolveContext, node: n.Cost, scope: Scope) -> tuple[g.Expr, str, str]:
    """Resolve a cost such as `costs 1 swaps`. It must be a number of each player."""
    tracks = [t for t in ctx.list_items(n.Track) if ctx.get_subject(t) == "player" and t.type.text == "number"]
    paid = [track.name.text for track in tracks if track.second is None]
    if node.track.text not in paid:
        hint = f"a cost is paid from a number of each player. Declare `number your {node.track.text}`"
        if any(track.name.text == node.track.text for track in tracks):
            hint = "a cost cannot name one of several numbers. Write a `when`, and subtract below the option"
        ctx.report_unknown_name(error_codes.NOT_A_TRACK, "number of each player", node.track, paid, hint)
    return resolve_number(ctx, node.amount, scope), node.track.text, build_text(ctx, node.doc, scope)
