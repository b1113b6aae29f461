"""Resolution of expressions: dispatch, type checks and conversions, values in texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.model.traversal import walk
from cardlang.semantics import error_codes
from cardlang.semantics.icon_words import spell_icon_word
from cardlang.semantics.symbol_table import ERROR_TYPE, ResolveContext, Scope, is_included_kind
from cardlang.syntax import ast as n

MAX_SHOWN_MEMBERS = 10
"""Maximum number of members of a kind in a message."""
TYPE_PHRASES = {"number": "a number", "flag": "yes or no", "player": "a player", "card": "a card", "text": "text"}


def describe_type(type_: g.Type) -> str:
    """Return a type in words, singular: "a number", "a Suit", "a list of cards"."""
    if type_.tag == "list":
        return f"a list of {describe_type_plural(type_.item or ERROR_TYPE)}"
    if type_.tag in ("member", "reading"):
        article = "an" if str(type_.of)[0] in "AEIOU" else "a"
        return f"{article} {type_.of}" if type_.tag == "member" else f"a result of {type_.of}"
    return TYPE_PHRASES.get(type_.tag, "nothing")


def describe_type_plural(type_: g.Type) -> str:
    """Return a type in words, plural: "Suits", "lists of cards"."""
    if type_.tag == "list":
        return f"lists of {describe_type_plural(type_.item or ERROR_TYPE)}"
    if type_.tag == "reading":
        return f"results of {type_.of}"
    one = describe_type(type_).partition(" ")[2] if type_.tag != "flag" else ""
    return re.sub("(s|x|z|ch|sh)$", r"\1e", one) + "s" if one else describe_type(type_)


def build_error_expression(span: Span) -> g.Expr:
    """Return a placeholder for an expression in error. Expressions built on it cause no further errors."""
    return g.Const(ERROR_TYPE, span, None)


def join_types(ctx: ResolveContext, a: g.Type, b: g.Type) -> g.Type | None:
    """Return the least type that includes both, or None."""
    if ERROR_TYPE in (a, b):
        return ERROR_TYPE
    if a.tag == "nothing" or b.tag == "nothing":
        other = b if a.tag == "nothing" else a
        return other if other.tag == "list" else other.as_optional()
    if "list" in (a.tag, b.tag):
        item = join_types(ctx, a.item or a, b.item or b)
        if item is None or ERROR_TYPE in (item, a.item, b.item):
            return item
        return g.Type("list", item=item.as_required(), ranked=a.ranked or b.ranked, named=a.named or b.named)
    single = join_item_types(ctx, a, b)
    return single and single.replace(
        maybe=a.maybe or b.maybe,
        unlimited=a.unlimited or b.unlimited,
        named=a.named or b.named,
    )


def join_item_types(ctx: ResolveContext, a: g.Type, b: g.Type) -> g.Type | None:
    if a.tag == b.tag and a.of == b.of:
        return a
    if {a.tag, b.tag} == {"number", "member"}:
        return g.NUMBER if has_worth(ctx, str(a.of or b.of)) else None
    if a.tag == b.tag == "member":
        if is_included_kind(ctx, a.of, b.of):
            return b
        if is_included_kind(ctx, b.of, a.of):
            return a
    return None


def has_worth(ctx: ResolveContext, kind: str) -> bool:
    """Return whether members of a kind count as numbers."""
    return any(m.worth is not None for m in ctx.kinds[kind].members)


def convert_expression(ctx: ResolveContext, value: g.Expr, target_type: g.Type) -> g.Expr:
    """Convert a value to a type that its own type has been joined with."""
    type_ = value.type
    if ERROR_TYPE in (type_, target_type) or type_ == target_type:
        return value
    if target_type.tag == "list":
        return convert_list(ctx, value, target_type)
    if target_type.tag == "number" and type_.tag == "member":
        return build_worth(value)
    if type_.tag == "nothing":
        return value.replace(type=target_type.as_optional())
    if target_type.tag == "member" and type_.of != target_type.of:
        return value.replace(type=type_.replace(of=target_type.of))
    return value


def convert_list(ctx: ResolveContext, value: g.Expr, target_type: g.Type) -> g.Expr:
    value = wrap_in_list(value)
    item, item_type = value.type.item or ERROR_TYPE, target_type.item or ERROR_TYPE
    if item.tag == item_type.tag and item.of == item_type.of:
        return value
    if item.tag == "nothing":
        return value.replace(type=target_type)
    var = ctx.create_variable(item, value.span, "it")
    converted = convert_expression(ctx, var, item_type)
    return g.MapEach(value.type.replace(item=item_type.as_required()), value.span, value, var, converted)


def report_ambiguous_copies(ctx: ResolveContext, value: g.Expr) -> None:
    """Report a code that could mean several cards, in the place of a single card.

    A code repeated for each copy means all of them."""
    for face, named in Counter(value.faces if isinstance(value, g.NamedCards) else ()).items():
        copies = ctx.faces[face].copies
        if copies > named:
            message = f"there are {copies} cards `{ctx.faces[face].code}`, so this could mean any of them"
            ctx.report_error(
                error_codes.AMBIGUOUS_COPY, message, value.span, "name the place of one, as in `top of table`"
            )


def wrap_in_list(value: g.Expr) -> g.Expr:
    """Convert a single value to a list of at most one item."""
    if value.type.tag in ("list", "error"):
        return value
    type_ = g.Type("list", item=value.type.replace(maybe=False, named=False), named=value.type.named)
    if isinstance(value, g.NamedCards):
        return value.replace(type=type_)
    return g.Joined(type_, value.span, (value,))


def build_worth(value: g.Expr) -> g.Expr:
    """Return the worth of a member, or of each member of a list."""
    return g.Worth(g.Type("number", maybe=True), value.span, value)


def convert_to_worths(ctx: ResolveContext, value: g.Expr) -> g.Expr:
    """Convert a list of members to a list of numbers."""
    item = value.type.item or ERROR_TYPE
    if item.tag != "member":
        return value
    var = ctx.create_variable(item, value.span, "it")
    return g.MapEach(g.build_list_type(g.NUMBER, value.type.ranked), value.span, value, var, build_worth(var))


def is_ordered(ctx: ResolveContext, type_: g.Type) -> bool:
    """Return whether values of a type can be compared with `<`."""
    if type_.tag == "member":
        return ctx.kinds[str(type_.of)].ordered
    return type_.tag in ("number", "reading", "error")


def is_never_empty(value: g.Expr) -> bool:
    """Return whether a list certainly has an item."""
    match value:
        case g.Joined():
            return any(is_never_empty(i) if i.type.tag == "list" else not i.type.maybe for i in value.items)
        case g.MapEach():
            return is_never_empty(value.list) and not value.value.type.maybe and value.value.type.tag != "list"
        case g.NamedCards():
            return bool(value.faces)
        case g.Builtin(name=name):
            return name == "players"
        case g.Members():
            return True
    return False


# ---------------------------------------------------------------- expressions
ExpressionResolver = Callable[[ResolveContext, Any, Scope, g.Type | None], g.Expr]
EXPRESSION_RESOLVERS: dict[type, ExpressionResolver] = {}


def resolves_expression(*nodes: type) -> Callable[[ExpressionResolver], ExpressionResolver]:
    def register_resolver(resolver: ExpressionResolver) -> ExpressionResolver:
        for node in nodes:
            EXPRESSION_RESOLVERS[node] = resolver
        return resolver

    return register_resolver


def resolve_expression(ctx: ResolveContext, node: n.Expr, scope: Scope, expected_type: g.Type | None = None) -> g.Expr:
    """Resolve an expression. `expected_type` is the expected type, which selects among members of an equal name."""
    return EXPRESSION_RESOLVERS[type(node)](ctx, node, scope, expected_type)


def resolve_condition(ctx: ResolveContext, node: n.Expr, scope: Scope) -> g.Expr:
    """Resolve an expression that must be a flag."""
    condition = resolve_expression(ctx, node, scope, g.FLAG)
    if condition.type.tag in ("flag", "error"):
        return condition
    return report_not_a_flag(ctx, condition, node.span)


def report_not_a_flag(ctx: ResolveContext, value: g.Expr, span: Span, hint: str = "") -> g.Expr:
    message = f"expected yes or no, but this is {describe_type(value.type)}"
    ctx.report_error(error_codes.NOT_A_FLAG, message, span, hint or build_flag_hint(value))
    return build_error_expression(span)


def build_flag_hint(value: g.Expr) -> str:
    if value.type.tag == "list":
        return "write `… is not empty`"
    if isinstance(value, g.Const):
        return f"compare something with it: `… = {value.span.text}`"
    return "compare it, as in `… > 0`" if value.type.tag == "number" else "compare it with another value: `… = …`"


def resolve_number(ctx: ResolveContext, node: n.Expr, scope: Scope) -> g.Expr:
    """Resolve an expression that must be a number. A member of a kind is converted to its worth."""
    return convert_to_number(ctx, resolve_expression(ctx, node, scope, g.NUMBER))


def convert_to_number(ctx: ResolveContext, expression: g.Expr) -> g.Expr:
    if expression.type.tag in ("number", "error"):
        return expression
    if expression.type.tag == "member" and has_worth(ctx, str(expression.type.of)):
        return build_worth(expression)
    hint = "write `count of …` or `total of …` to get a number from a list" if expression.type.tag == "list" else ""
    if expression.type.tag == "member":
        hint = f"give each {expression.type.of} a worth in its kind, as in `Jack worth 10`"
    if expression.type.tag == "player":
        hint = "use one of the player's numbers, such as `leader's score`"
    message = f"expected a number, but this is {describe_type(expression.type)}"
    ctx.report_error(error_codes.NOT_A_NUMBER, message, expression.span, hint)
    return build_error_expression(expression.span)


def resolve_list(ctx: ResolveContext, node: n.Expr, scope: Scope, expected_type: g.Type | None = None) -> g.Expr:
    """Resolve an expression that must be a list. A single value becomes a list of one."""
    value = resolve_expression(ctx, node, scope, expected_type)
    if value.type.tag in ("number", "flag", "text"):
        message = f"expected a list, but this is {describe_type(value.type)}"
        ctx.report_error(error_codes.NOT_A_LIST, message, node.span, "write a list, such as `your hand` or `players`")
        return build_error_expression(node.span)
    return wrap_in_list(value)


def resolve_cards(ctx: ResolveContext, node: n.Expr, scope: Scope) -> g.Expr:
    """Resolve an expression that must be a list of cards."""
    value = resolve_expression(ctx, node, scope, g.build_list_type(g.CARD))
    item = value.type.item or value.type
    if item.tag not in ("card", "error"):
        hint = f"write which cards: `top {node.span.text} of deck`" if value.type.tag == "number" else ""
        if item.tag == "member" and value.type is item:
            hint = f"name the cards, as in `hand's {node.span.text}`, or write `{node.span.text}` alone"
        ctx.report_error(
            error_codes.NOT_A_LIST, f"expected cards, but this is {describe_type(value.type)}", node.span, hint
        )
        return build_error_expression(node.span)
    return wrap_in_list(value)


def resolve_as_type(ctx: ResolveContext, node: n.Expr, scope: Scope, type_: g.Type) -> g.Expr:
    """Resolve an expression that must have a type."""
    return convert_or_report(ctx, resolve_expression(ctx, node, scope, type_), type_)


def resolve_player(ctx: ResolveContext, node: n.Expr, scope: Scope) -> g.Expr:
    return resolve_as_type(ctx, node, scope, g.PLAYER)


def convert_or_report(ctx: ResolveContext, expression: g.Expr, type_: g.Type) -> g.Expr:
    """Convert a value to a type, or report an error."""
    if ERROR_TYPE in (expression.type, type_) or ERROR_TYPE in (expression.type.item, type_.item):
        return expression
    if type_.tag == "member" and isinstance(expression, g.Const) and expression.type.tag == "number":
        named = find_member_index(ctx, str(type_.of), str(expression.value))
        if named is not None:
            return g.Const(g.build_member_type(str(type_.of)), expression.span, named)
    joined = join_types(ctx, expression.type, type_)
    if joined is None or not accepts_type(ctx, type_, joined, expression.type):
        return report_wrong_type(ctx, expression, type_)
    return convert_expression(ctx, expression, joined)


def accepts_type(ctx: ResolveContext, type_: g.Type, joined_type: g.Type, given_type: g.Type) -> bool:
    if given_type.tag == "nothing":
        return type_.tag not in ("number", "flag", "text")
    if type_.tag == "list":
        return joined_type.item is not None and type_.item is not None and joined_type.item.tag == type_.item.tag
    return joined_type.tag == type_.tag and (joined_type.of is None or is_included_kind(ctx, joined_type.of, type_.of))


EXPECTED_TYPE_HINTS = {
    "player": "write a player, such as `you` or `leader`",
    "card": "write a card, such as `top of deck`",
    "list": "write a list, such as `your hand` or `players`",
    "text": "write text in quotes",
}
"""Hints by expected type."""


def report_wrong_type(ctx: ResolveContext, expression: g.Expr, type_: g.Type) -> g.Expr:
    hint = EXPECTED_TYPE_HINTS.get(type_.tag, "")
    if expression.type.tag == "list" and type_.tag != "list":
        hint = "write which one: `first of …` or `top of …`"
    message = f"expected {describe_type(type_)}, but this is {describe_type(expression.type)}"
    ctx.report_error(error_codes.WRONG_TYPE, message, expression.span, hint)
    return build_error_expression(expression.span)


def describe_members(kind: g.Kind) -> str:
    """Return the names of the members of a kind, shortened: `Clubs, Hearts`, `1 to 9`."""
    names = [member.name for member in kind.members]
    if kind.is_numeric and len(names) > 2 and names == [str(int(names[0]) + place) for place in range(len(names))]:
        return f"{names[0]} to {names[-1]}"
    return ", ".join(names[:MAX_SHOWN_MEMBERS]) + (", …" if len(names) > MAX_SHOWN_MEMBERS else "")


def find_member_index(ctx: ResolveContext, kind: str, name: str) -> int | None:
    """Return the place of the member with a name, or None."""
    return next((i for i, m in enumerate(ctx.kinds[kind].members) if m.name == name), None)


def resolve_member_name(ctx: ResolveContext, name: n.Name | None, kind: g.Kind | None) -> int | None:
    """Return the place of the member that a name denotes, if any. Report an unknown one."""
    if name is None:
        return None
    member_indices = {member.name: member_index for member_index, member in enumerate(kind.members)} if kind else {}
    if name.text not in member_indices:
        ctx.report_unknown_name(error_codes.UNKNOWN_NAME, kind.name if kind else "member", name, member_indices)
    return member_indices.get(name.text)


def list_named_members(ctx: ResolveContext, node: n.EachOf, kind: g.Kind) -> list[int]:
    """Return the places of the members that a product names. A range goes on after the last member with the first."""
    member_indices = list(range(len(kind.members)))
    first, last = (resolve_member_name(ctx, name, kind) for name in (node.first, node.last))
    if first is None or last is None:
        return member_indices
    return member_indices[first : last + 1] if first <= last else member_indices[first:] + member_indices[: last + 1]


def unify_types(
    ctx: ResolveContext, expressions: list[g.Expr], code: str, description: str
) -> tuple[list[g.Expr], g.Type]:
    """Convert all values to a common type, or report an error."""
    type_ = expressions[0].type
    for expr in expressions[1:]:
        joined = join_types(ctx, type_, expr.type)
        if joined is None:
            both = f"{describe_type(type_)} and {describe_type(expr.type)}"
            message = f"{description} must have the same type, but these are {both}"
            ctx.report_error(code, message, expr.span, "write the same kind of value in all of them")
            return expressions, ERROR_TYPE
        type_ = joined
    return [convert_expression(ctx, expr, type_) for expr in expressions], type_


# ---------------------------------------------------------------- texts
GLOBAL_SCOPE = Scope()
"""Scope without an owner."""


def build_text(ctx: ResolveContext, doc: n.Words | None, scope: Scope = GLOBAL_SCOPE) -> str:
    """Return a text of the author. Its values are resolved later, in `scope`."""
    if doc is None:
        return ""
    if doc.span.text and not doc.text.strip():  # An unreadable line leaves an empty text that nobody wrote.
        hint = "write a text between the quotation marks, or delete them"
        ctx.report_error(error_codes.MISSING_NAME, "this text is empty", doc.span, hint)
    if not doc.pieces:
        return doc.text
    text = g.InterpolatedText(doc.text)
    ctx.pending_texts.append((text, doc, scope, ctx.collector.is_muted))
    return text


def resolve_text_values(ctx: ResolveContext) -> tuple[g.Expr, ...]:
    """Resolve the values in all texts. This comes last, since a text may mention later declarations."""
    for text, doc, scope, muted in ctx.pending_texts:
        with ctx.collector.mute(muted):
            text.pieces = tuple(
                piece
                if isinstance(piece, str)
                else spell_icon_word(ctx, piece, doc) or resolve_expression(ctx, piece, scope)
                for piece in doc.pieces
            )
    return tuple(piece for text, *_ in ctx.pending_texts for piece in text.pieces if not isinstance(piece, str))


def resolve_message(ctx: ResolveContext, message: n.Words, scope: Scope) -> tuple[tuple[str, ...], tuple[g.Expr, ...]]:
    """Resolve a log text: the strings before, between and after its values, and the values."""
    pieces = message.pieces or (message.text,)
    values = tuple(resolve_expression(ctx, piece, scope) for piece in pieces if isinstance(piece, n.Expr))
    for part in walk(values):
        if isinstance(part, g.Agg) and part.function == "random":
            hint = "draw it first, with `remember random of … as drawn`, and write `{drawn}`"
            ctx.report_error(error_codes.MISPLACED, "text in quotes cannot contain `random`", part.span, hint)
    return tuple(piece for piece in pieces if isinstance(piece, str)), values


def build_note(ctx: ResolveContext, node: n.Note, scope: Scope = GLOBAL_SCOPE) -> g.Note:
    return g.Note(node.span, build_text(ctx, node.words, scope))


def build_ruling(
    ctx: ResolveContext, node: n.Ruling, scope: Scope = GLOBAL_SCOPE, origin: g.Origin = g.NO_ORIGIN
) -> g.Ruling:
    answer = tuple(build_text(ctx, sentence.words, scope) for sentence in node.answer)
    ruling = g.Ruling(node.span, build_text(ctx, node.question, scope), answer, origin)
    ctx.ruling_examples |= dict.fromkeys(node.examples, ruling)
    return ruling
