"""Resolution of conditions: comparisons, `is`, `has`, `and`, `or`, `not`."""

from __future__ import annotations

from attrs import evolve

from cardlang import game as g
from cardlang import nodes as n
from cardlang.resolve import codes
from cardlang.resolve.attributes import attributes
from cardlang.resolve.expressions import cards, condition, handles, listed, member_called, value
from cardlang.resolve.names import is_ambiguous
from cardlang.resolve.scope import ERROR, Scope
from cardlang.resolve.types import as_list, bad, called, convert, is_ordered, join, worth
from cardlang.resolve.world import World
from cardlang.source import Span


@handles(n.And)
def _(w: World, node: n.And, scope: Scope, want: g.Type | None) -> g.Expr:
    return g.And(g.FLAG, node.span, condition(w, node.left, scope), condition(w, node.right, scope))


@handles(n.Or)
def _(w: World, node: n.Or, scope: Scope, want: g.Type | None) -> g.Expr:
    return g.Or(g.FLAG, node.span, condition(w, node.left, scope), condition(w, node.right, scope))


@handles(n.Not)
def _(w: World, node: n.Not, scope: Scope, want: g.Type | None) -> g.Expr:
    return g.Not(g.FLAG, node.span, condition(w, node.value, scope))


def negate(test: g.Expr, negated: bool) -> g.Expr:
    return g.Not(g.FLAG, test.span, test) if negated and test.type != ERROR else test


# ---------------------------------------------------------------- comparisons
@handles(n.Compare)
def _(w: World, node: n.Compare, scope: Scope, want: g.Type | None) -> g.Expr:
    left, right = both_sides(w, node, scope)
    if "error" in (left.type.tag, right.type.tag):
        return bad(node.span)
    if node.operator in ("in", "not in"):
        return negate(is_in(w, node.span, left, right), node.operator == "not in")
    return compare(w, node.operator, node.span, left, right)


def both_sides(w: World, node: n.Compare, scope: Scope) -> tuple[g.Expr, g.Expr]:
    if is_ambiguous(w, node.left):
        right = value(w, node.right, scope)
        return value(w, node.left, scope, right.type), right
    left = value(w, node.left, scope)
    return left, value(w, node.right, scope, left.type)


def compare(w: World, operator: str, span: Span, left: g.Expr, right: g.Expr) -> g.Expr:
    """Build a comparison, with both sides converted to a common type."""
    if "nothing" in (left.type.tag, right.type.tag):
        return with_nothing(w, operator, span, left, right)
    left, right = literal_member(w, left, right), literal_member(w, right, left)
    if operator not in ("=", "!="):
        left, right = by_worth(w, left), by_worth(w, right)
    type_ = join(w, left.type, right.type)
    if type_ is None:
        return different(w, span, left, right)
    left, right = convert(w, left, type_), convert(w, right, type_)
    if operator not in ("=", "!=") and not is_ordered(w, type_):
        return not_ordered(w, span, type_)
    return g.Compare(g.FLAG, span, operator, left, right)


def with_nothing(w: World, operator: str, span: Span, left: g.Expr, right: g.Expr) -> g.Expr:
    if operator not in ("=", "!="):
        return not_ordered(w, span, g.NOTHING)
    value_ = left if right.type.tag == "nothing" else right
    if value_.type.tag == "list":
        w.error(codes.NOT_A_SINGLE, "a list is never `nothing`", span, "write `… is empty`")
        return bad(span)
    return negate(g.IsAbsent(g.FLAG, span, value_), operator == "!=")


def literal_member(w: World, value_: g.Expr, other: g.Expr) -> g.Expr:
    """Convert a number next to a member of a kind to the member of that name."""
    type_ = other.type.item or other.type
    if isinstance(value_, g.Const) and value_.type.tag == "number" and type_.tag == "member":
        place = member_called(w, str(type_.of), str(value_.value))
        if place is not None:
            return g.Const(type_.surely(), value_.span, place)
    return value_


def by_worth(w: World, value_: g.Expr) -> g.Expr:
    """Convert a member of an unordered numeric kind to its number."""
    if value_.type.tag == "member" and w.kinds[str(value_.type.of)].numeric:
        return value_ if is_ordered(w, value_.type) else worth(value_)
    return value_


def different(w: World, span: Span, left: g.Expr, right: g.Expr) -> g.Expr:
    message = f"{called(left.type)} cannot be compared with {called(right.type)}"
    w.error(codes.DIFFERENT_TYPES, message, span, hint_for(w, left.type, right.type))
    return bad(span)


def hint_for(w: World, left: g.Type, right: g.Type) -> str:
    tags = {left.tag, right.tag}
    kinds = [str(type_.of) for type_ in (left, right) if type_.tag == "member"]
    if len(kinds) == 1:
        members = [member.name for member in w.kinds[kinds[0]].members]
        shown = ", ".join(members[:5]) + (", …" if len(members) > 5 else "")
        return f"the values of {kinds[0]} are {shown}"
    if "flag" in tags:
        return "compare it with `yes` or `no`, or remove the comparison"
    return "write `title` for its name in quotes" if "text" in tags else "compare values of one kind"


def not_ordered(w: World, span: Span, type_: g.Type) -> g.Expr:
    if type_.tag == "member":
        kind = w.nouns[str(type_.of)]
        related = ((kind.name.span, f"`{type_.of}` is declared here"),)
        hint = f"declare it as `ordered kind {type_.of}`, from lowest to highest"
        w.error(codes.NOT_ORDERED, f"the values of {type_.of} have no order", span, hint, related)
    else:
        w.error(codes.NOT_ORDERED, f"{called(type_)} has no order", span, "use `=` or `!=`")
    return bad(span)


def is_in(w: World, span: Span, left: g.Expr, right: g.Expr) -> g.Expr:
    right = as_list(right)
    left = literal_member(w, left, right)
    item = right.type.item or ERROR
    if item.tag in ("error", "nothing"):
        return bad(span) if item.tag == "error" else g.IsIn(g.FLAG, span, left, right)
    type_ = join(w, left.type, item)
    if type_ is None or left.type.tag == "list":
        return different(w, span, left, right)
    wide = convert(w, right, evolve(right.type, item=type_.surely()))
    return g.IsIn(g.FLAG, span, convert(w, left, type_), wide)


# ---------------------------------------------------------------- is
@handles(n.IsEmpty)
def _(w: World, node: n.IsEmpty, scope: Scope, want: g.Type | None) -> g.Expr:
    found = value(w, node.value, scope)
    if found.type.tag == "error":
        return bad(node.span)
    if found.type.tag not in ("list", "card"):
        hint = "write `… = nothing`" if found.type.maybe else ""
        message = f"only a list can be empty, but this is {called(found.type)}"
        w.error(codes.NOT_A_LIST, message, node.value.span, hint)
        return bad(node.span)
    return negate(g.IsEmpty(g.FLAG, node.span, found), node.negated)


@handles(n.IsA)
def _(w: World, node: n.IsA, scope: Scope, want: g.Type | None) -> g.Expr:
    return negate(is_a(w, node, scope), node.negated)


def is_a(w: World, node: n.IsA, scope: Scope) -> g.Expr:
    named = w.nouns.get(node.name.text)
    if isinstance(named, n.Ranking):
        return g.IsReading(g.FLAG, node.span, cards(w, node.value, scope), node.name.text)
    found = value(w, node.value, scope)
    if found.type.tag == "error":
        return bad(node.span)
    if isinstance(named, n.Cards):
        return is_set(w, node, found)
    if node.name.text in w.members:
        member = value(w, n.NameRef(node.name.span, node.name.text), Scope(), found.type)
        return compare(w, "=", node.span, found, member)
    known = [*w.sets, *w.members, *(r.name.text for r in w.of_type(n.Ranking))]
    hint = "write `=` to compare"
    if node.name.text in attributes(w, found.type):
        hint = f"write `{node.name.text}` alone"
    w.unknown(codes.UNKNOWN_NAME, "set of cards, ranking or value", node.name, known, hint)
    return bad(node.span)


def is_set(w: World, node: n.IsA, found: g.Expr) -> g.Expr:
    if found.type.tag != "card":
        hint = "test each card: `any card in … has it is …`" if found.type.tag == "list" else ""
        message = f"only a card can be one of {node.name.text}, but this is {called(found.type)}"
        w.error(codes.WRONG_TYPE, message, node.value.span, hint)
        return bad(node.span)
    return g.IsSet(g.FLAG, node.span, found, node.name.text)


# ---------------------------------------------------------------- has
@handles(n.Quantified)
def _(w: World, node: n.Quantified, scope: Scope, want: g.Type | None) -> g.Expr:
    items = among(w, node.word, node.among, scope)
    if items.type.tag == "error":
        return bad(node.span)
    var = w.var(items.type.item or ERROR, node.word.span, node.word.text)
    test = condition(w, node.condition, scope.testing(var))
    return g.Quantified(g.FLAG, node.span, node.quantifier, items, var, test)  # type: ignore[arg-type]


def among(w: World, word: n.Name, list_: n.Expr | None, scope: Scope) -> g.Expr:
    """Resolve the items of `each WORD` or `any WORD in …`."""
    type_ = w.thing_type(word.text)
    if type_ is None or type_.tag in ("number", "flag", "list", "reading"):
        hint = "write `player`, `card` or a kind"
        w.unknown(codes.UNKNOWN_KIND, "kind", word, ["player", "card", *w.kinds], hint)
        return bad(word.span)
    if list_ is not None:
        return matching(w, listed(w, list_, scope, g.list_of(type_)), type_)
    if type_.tag == "member":
        return g.Members(g.list_of(type_), word.span, word.text)
    if type_.tag == "player":
        return g.Builtin(g.list_of(g.PLAYER), word.span, "players", None)
    w.error(codes.WRONG_ARGUMENTS, "write which cards: `card in …`", word.span)
    return bad(word.span)


def matching(w: World, items: g.Expr, type_: g.Type) -> g.Expr:
    item = items.type.item
    if item is None or item.tag == "error":
        return bad(items.span)
    if item.tag == "list" or join(w, item, type_) is None or (item.tag != type_.tag):
        message = f"expected {called(g.list_of(type_))}, but this is {called(items.type)}"
        w.error(codes.WRONG_TYPE, message, items.span)
        return bad(items.span)
    return items
