"""Resolution of orders and rankings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from cardlang import model as g
from cardlang.semantics import error_codes
from cardlang.semantics.expression_resolver import (
    build_error_expression,
    build_ruling,
    build_text,
    convert_to_number,
    describe_type,
    is_ordered,
    resolve_condition,
    resolve_expression,
    resolve_member_name,
)
from cardlang.semantics.name_resolver import find_attribute, resolve_attribute, resolve_card_codes
from cardlang.semantics.symbol_table import ERROR_TYPE, ResolveContext, Scope
from cardlang.syntax import ast as n

MAX_PATTERN_CARDS, MAX_PATTERN_GROUPS = 20, 16
"""Maximum number of cards and groups in a pattern whose groups are repeated."""


# ---------------------------------------------------------------- orders
def build_orders(ctx: ResolveContext) -> None:
    for node in ctx.list_items(n.Order):
        type_ = ctx.find_type(node.of.text)
        if type_ is None or type_.tag not in ("card", "player", "member"):
            ctx.report_unknown_name(error_codes.UNKNOWN_KIND, "kind", node.of, ["card", "player", *ctx.kinds])
            continue
        var = ctx.create_variable(type_, node.of.span, node.of.text)
        lines = resolve_order_lines(ctx, node.lines, Scope().with_tested_value(var))
        ctx.orders[node.name.text] = g.Order(
            node.name.text, type_, var, lines, build_text(ctx, node.doc), ctx.get_origin(node)
        )


def resolve_order_lines(ctx: ResolveContext, lines: tuple[n.OrderLine, ...], scope: Scope) -> tuple[g.OrderLine, ...]:
    return tuple(resolve_order_line(ctx, line, scope) for line in lines)


def resolve_order_line(ctx: ResolveContext, line: n.OrderLine, scope: Scope) -> g.OrderLine:
    if line.how in ("those", "best", "worst"):
        return g.OrderLine(line.how, resolve_condition(ctx, line.value, scope), None, build_text(ctx, line.doc, scope))
    if is_position(ctx, line.value):
        how = "later" if line.how == "higher" else "earlier"
        return g.OrderLine(how, g.Const(g.NUMBER, line.value.span, 0), None, build_text(ctx, line.doc, scope))
    value = resolve_expression(ctx, line.value, scope)
    return g.OrderLine(line.how, check_comparable(ctx, value, line), line.layout, build_text(ctx, line.doc, scope))


def is_position(ctx: ResolveContext, value: n.Expr) -> bool:
    """Return whether a value is the `place` in the compared list, and not a declared name."""
    declared = {*ctx.nouns, *ctx.columns, *ctx.card_definition_nodes}
    return isinstance(value, n.NameRef) and value.name == "place" and "place" not in declared


def check_comparable(ctx: ResolveContext, expression: g.Expr, line: n.OrderLine) -> g.Expr:
    is_list = expression.type.tag == "list"
    item = (expression.type.item or ERROR_TYPE) if is_list else expression.type
    if item.tag == "error":
        return build_error_expression(expression.span)
    if is_list and line.layout is None:
        hint = "add `, highest first` or `, groups first`"
        ctx.report_error(error_codes.LIST_WITHOUT_LAYOUT, "this list has no way to be compared", expression.span, hint)
        return build_error_expression(expression.span)
    if not is_ordered(ctx, item):
        if item.tag == "member" and not is_list:
            return convert_to_number(ctx, expression)
        ctx.report_error(error_codes.NOT_ORDERED, f"{describe_type(item)} has no order", expression.span)
        return build_error_expression(expression.span)
    return expression


# ---------------------------------------------------------------- rankings
def build_rankings(ctx: ResolveContext) -> None:
    for node in ctx.list_items(n.Ranking):
        ctx.rankings[node.name.text] = build_ranking(ctx, node)


def build_ranking(ctx: ResolveContext, node: n.Ranking) -> g.Ranking:
    name = node.name.text
    reading = ctx.create_variable(g.Type("reading", of=name), node.name.span, name)
    ties = resolve_order_lines(ctx, node.ties, Scope().with_tested_value(reading))
    least_var, least = None, None
    if node.least is not None:
        least_var = ctx.create_variable(g.CARD, node.least.span, "card")
        least = resolve_least(ctx, node.least, least_var)
    ranks = tuple(build_rank(ctx, r, node.size) for r in node.ranks)
    wilds = tuple(build_wild(ctx, child) for child in node.wilds)
    rulings, doc, origin = (
        tuple(build_ruling(ctx, child) for child in node.rulings),
        build_text(ctx, node.doc),
        ctx.get_origin(node),
    )
    return g.Ranking(name, node.size, ranks, wilds, reading, ties, least_var, least, rulings, doc, origin)


def resolve_least(ctx: ResolveContext, node: n.Expr, card: g.Var) -> g.Expr:
    """Return what each card in the `rest` adds to the total that the best split makes lowest."""
    match node:
        case n.Agg(function="total", list=n.Attr(of=n.NameRef(name="rest"), name=name)):
            return convert_to_number(ctx, resolve_attribute(ctx, card, name))
    message = "the split into groups can only compare a total of the cards left over"
    hint = "write `lower total of rest's NAME`, with a value of each card"
    ctx.report_error(error_codes.MISPLACED, message, node.span, hint)
    return build_error_expression(node.span)


def build_rank(ctx: ResolveContext, node: n.Rank, size: int | str) -> g.Rank:
    patterns = tuple(pattern for each in node.alternatives for pattern in build_patterns(ctx, each, size))
    doc = build_text(ctx, node.doc)
    at = node.like.span if node.like is not None else node.title.span
    return g.Rank(node.title.text, resolve_sample_hand(ctx, node), patterns, doc, at, node.title.span)


def resolve_sample_hand(ctx: ResolveContext, node: n.Rank) -> tuple[int, ...]:
    """Return the sample hand of a rank, or an empty tuple if a variant has removed its cards."""
    if node.like is None or (ctx.has_variant and not has_enough_copies(ctx, node.like)):
        return ()
    return resolve_card_codes(ctx, node.like) or ()


def has_enough_copies(ctx: ResolveContext, hand: n.CardList) -> bool:
    """Return whether the deck has enough copies of all these cards."""
    counts = Counter(code.text for code in hand.codes)
    return all(
        code in ctx.faces_by_code and ctx.faces[ctx.faces_by_code[code]].copies >= count
        for code, count in counts.items()
    )


def build_patterns(ctx: ResolveContext, node: n.Alternative, size: int | str) -> Iterator[g.Pattern]:
    """Build a pattern; if its groups are repeated, one pattern for each possible number of times."""
    first = node.times or 1
    most = first if node.times is None else max(first, find_most_repeats(ctx, node, size))
    for times in range(first, most + 1):
        shared = tuple(resolve_trait(ctx, part, None) for part in node.shared)
        yield g.Pattern(tuple(build_group(ctx, part) for part in node.groups for _ in range(times)), shared)


def find_most_repeats(ctx: ResolveContext, node: n.Alternative, size: int | str) -> int:
    """Return the number of times that groups can occur: by the cards, and by the values that must differ."""
    cards = size if isinstance(size, int) else MAX_PATTERN_CARDS
    most = [cards // max(sum(group.count for group in node.groups), 1), MAX_PATTERN_GROUPS // len(node.groups)]
    one = Counter(trait.attribute.text for group in node.groups for trait in group.traits if trait.word == "one")
    for column, groups in one.items():
        values = ctx.columns[column].values if column in ctx.columns else ()
        most.append(len({value for value in values if value is not None}) // groups)
    return min(most)


def build_group(ctx: ResolveContext, node: n.Group) -> g.Group:
    cards = node.set if check_card_set_name(ctx, node.set) else None
    var = ctx.create_variable(g.CARD, node.set.span, "card")
    test = None if node.condition is None else resolve_condition(ctx, node.condition, Scope().with_tested_value(var))
    traits = tuple(resolve_trait(ctx, trait, cards) for trait in node.traits)
    return g.Group(node.count, node.or_more, node.set.text, traits, var, test)


def check_card_set_name(ctx: ResolveContext, name: n.Name) -> bool:
    if name.text in ctx.sets:
        return True
    ctx.report_unknown_name(error_codes.UNKNOWN_KIND, "set of cards", name, ctx.sets)
    return False


def resolve_trait(ctx: ResolveContext, node: n.Trait, card_set: n.Name | None) -> g.Trait:
    """Resolve a trait such as `of one suit`, for all cards together or for a set."""
    name = node.attribute
    if name.text not in ctx.columns:
        hint, related = ctx.build_similar_name_hint(name.text, ctx.columns)
        ctx.report_error(
            error_codes.UNKNOWN_ATTRIBUTE, f"no cards have a column `{name.text}`", name.span, hint, related
        )
        return g.Trait(node.word, name.text, None)
    if card_set is not None and not has_column(ctx, card_set.text, name.text):
        declared_ = ((ctx.nouns[card_set.text].name.span, f"`{card_set.text}` is declared here"),)
        ctx.report_error(
            error_codes.UNKNOWN_ATTRIBUTE, f"{card_set.text} have no `{name.text}`", name.span, "", declared_
        )
    kind = ctx.kinds.get(str(ctx.columns[name.text].type.of))
    if node.word == "consecutive" and not (kind and (kind.ordered or kind.is_numeric)):
        what = f"the values of {kind.name} have no order" if kind else f"`{name.text}` is not an ordered kind"
        ctx.report_error(
            error_codes.NOT_ORDERED, what, name.span, f"declare it as `ordered kind {kind.name}`" if kind else ""
        )
    return g.Trait(node.word, name.text, resolve_member_name(ctx, node.low, kind))


def has_column(ctx: ResolveContext, cards: str, column: str) -> bool:
    """Return whether a card of the set has a value in a column. A set without cards passes."""
    values = [ctx.columns[column].values[face.number] for face in ctx.faces if face.set == cards]
    return not values or any(value_ is not None for value_ in values)


def build_wild(ctx: ResolveContext, node: n.Wild) -> g.Wild:
    """Resolve a wild card: any card of some sets (`as any Numbers, Dragons`), or any value in one column (`as any
    Rank`)."""
    var = ctx.create_variable(g.CARD, node.span, "card")
    test = resolve_condition(ctx, node.condition, Scope().with_tested_value(var))
    names = [name.text for name in node.any]
    if len(names) == 1 and names[0] in ctx.kinds:
        column = names[0].lower()
        if find_attribute(ctx, var, column, node.span) is None:
            ctx.report_error(error_codes.UNKNOWN_ATTRIBUTE, f"no cards have a column `{column}`", node.any[0].span)
        return g.Wild(var, test, (), column, build_text(ctx, node.doc))
    for name in node.any:
        check_card_set_name(ctx, name)
    return g.Wild(var, test, tuple(names), None, build_text(ctx, node.doc))
