"""Types: their names in messages, joins (least upper bounds) and conversions."""

from __future__ import annotations

import re
from collections import Counter

from attrs import evolve

from cardlang import game as g
from cardlang.resolve import codes
from cardlang.resolve.scope import ERROR
from cardlang.resolve.world import World
from cardlang.source import Span

CALLED = {"number": "a number", "flag": "yes or no", "player": "a player", "card": "a card", "text": "text"}


def called(type_: g.Type) -> str:
    """Return a type in words, singular: "a number", "a Suit", "a list of cards"."""
    if type_.tag == "list":
        return f"a list of {several(type_.item or ERROR)}"
    if type_.tag in ("member", "reading"):
        article = "an" if str(type_.of)[0] in "AEIOU" else "a"
        return f"{article} {type_.of}" if type_.tag == "member" else f"a result of {type_.of}"
    return CALLED.get(type_.tag, "nothing")


def several(type_: g.Type) -> str:
    """Return a type in words, plural: "Suits", "lists of cards"."""
    if type_.tag == "list":
        return f"lists of {several(type_.item or ERROR)}"
    if type_.tag == "reading":
        return f"results of {type_.of}"
    one = called(type_).partition(" ")[2] if type_.tag != "flag" else ""
    return re.sub("(s|x|z|ch|sh)$", r"\1e", one) + "s" if one else called(type_)


def bad(span: Span) -> g.Expr:
    """Return a placeholder for an expression in error. Expressions built on it cause no further errors."""
    return g.Const(ERROR, span, None)


def widens(w: World, narrow: str | None, wide: str | None) -> bool:
    """Return whether the members of one kind are the first members of the other."""
    while wide is not None and wide != narrow:
        kind = w.kinds.get(wide)
        wide = kind.includes if kind else None
    return wide is not None


def join(w: World, a: g.Type, b: g.Type) -> g.Type | None:
    """Return the least type that includes both, or None."""
    if ERROR in (a, b):
        return ERROR
    if a.tag == "nothing" or b.tag == "nothing":
        other = b if a.tag == "nothing" else a
        return other if other.tag == "list" else other.or_nothing()
    if "list" in (a.tag, b.tag):
        item = join(w, a.item or a, b.item or b)
        if item is None or ERROR in (item, a.item, b.item):
            return item
        return g.Type("list", item=item.surely(), ranked=a.ranked or b.ranked, named=a.named or b.named)
    single = join_single(w, a, b)
    return single and evolve(
        single,
        maybe=a.maybe or b.maybe,
        unlimited=a.unlimited or b.unlimited,
        named=a.named or b.named,
    )


def join_single(w: World, a: g.Type, b: g.Type) -> g.Type | None:
    if a.tag == b.tag and a.of == b.of:
        return a
    if {a.tag, b.tag} == {"number", "member"}:
        return g.NUMBER if has_worth(w, str(a.of or b.of)) else None
    if a.tag == b.tag == "member":
        if widens(w, a.of, b.of):
            return b
        if widens(w, b.of, a.of):
            return a
    return None


def has_worth(w: World, kind: str) -> bool:
    """Return whether members of a kind count as numbers."""
    return any(m.worth is not None for m in w.kinds[kind].members)


def convert(w: World, value: g.Expr, to: g.Type) -> g.Expr:
    """Convert a value to a type that its own type has been joined with."""
    type_ = value.type
    if ERROR in (type_, to) or type_ == to:
        return value
    if to.tag == "list":
        return convert_list(w, value, to)
    if to.tag == "number" and type_.tag == "member":
        return worth(value)
    if type_.tag == "nothing":
        return evolve(value, type=to.or_nothing())
    if to.tag == "member" and type_.of != to.of:
        return evolve(value, type=evolve(type_, of=to.of))
    return value


def convert_list(w: World, value: g.Expr, to: g.Type) -> g.Expr:
    value = as_list(value)
    item, wanted = value.type.item or ERROR, to.item or ERROR
    if item.tag == wanted.tag and item.of == wanted.of:
        return value
    if item.tag == "nothing":
        return evolve(value, type=to)
    var = w.var(item, value.span, "it")
    each = convert(w, var, wanted)
    return g.MapEach(evolve(value.type, item=wanted.surely()), value.span, value, var, each)


def report_copies(w: World, value: g.Expr) -> None:
    """Report a code that could mean several cards, in the place of a single card.

    A code repeated for each copy means all of them."""
    for face, named in Counter(value.faces if isinstance(value, g.NamedCards) else ()).items():
        copies = w.faces[face].copies
        if copies > named:
            message = f"there are {copies} cards `{w.faces[face].code}`, so this could mean any of them"
            w.error(codes.SEVERAL_COPIES, message, value.span, "name the place of one, as in `top of table`")


def as_list(value: g.Expr) -> g.Expr:
    """Convert a single value to a list of at most one item."""
    if value.type.tag in ("list", "error"):
        return value
    type_ = g.Type("list", item=evolve(value.type, maybe=False, named=False), named=value.type.named)
    if isinstance(value, g.NamedCards):
        return evolve(value, type=type_)
    return g.Joined(type_, value.span, (value,))


def worth(value: g.Expr) -> g.Expr:
    """Return the worth of a member, or of each member of a list."""
    return g.Worth(g.Type("number", maybe=True), value.span, value)


def worths(w: World, value: g.Expr) -> g.Expr:
    """Convert a list of members to a list of numbers."""
    item = value.type.item or ERROR
    if item.tag != "member":
        return value
    var = w.var(item, value.span, "it")
    return g.MapEach(g.list_of(g.NUMBER, value.type.ranked), value.span, value, var, worth(var))


def is_ordered(w: World, type_: g.Type) -> bool:
    """Return whether values of a type can be compared with `<`."""
    if type_.tag == "member":
        return w.kinds[str(type_.of)].ordered
    return type_.tag in ("number", "reading", "error")


def not_empty(value: g.Expr) -> bool:
    """Return whether a list certainly has an item."""
    match value:
        case g.Joined():
            return any(not_empty(i) if i.type.tag == "list" else not i.type.maybe for i in value.items)
        case g.MapEach():
            return not_empty(value.list) and not value.value.type.maybe and value.value.type.tag != "list"
        case g.NamedCards():
            return bool(value.faces)
        case g.Builtin(name=name):
            return name == "players"
        case g.Members():
            return True
    return False
