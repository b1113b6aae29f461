"""Resolution of orders and rankings."""

from __future__ import annotations

from collections import Counter

from cardlang import game as g
from cardlang import nodes as n
from cardlang.resolve import codes
from cardlang.resolve.attributes import attribute, attribute_of
from cardlang.resolve.expressions import as_number, condition, value
from cardlang.resolve.names import faces
from cardlang.resolve.scope import ERROR, Scope
from cardlang.resolve.texts import ruling, words
from cardlang.resolve.types import bad, called, is_ordered
from cardlang.resolve.world import World


# ---------------------------------------------------------------- orders
def build_orders(w: World) -> None:
    for node in w.of_type(n.Order):
        type_ = w.thing_type(node.of.text)
        if type_ is None or type_.tag not in ("card", "player", "member"):
            w.unknown(codes.UNKNOWN_KIND, "kind", node.of, ["card", "player", *w.kinds])
            continue
        var = w.var(type_, node.of.span, node.of.text)
        lines = order_lines(w, node.lines, Scope().testing(var))
        w.orders[node.name.text] = g.Order(node.name.text, type_, var, lines, words(w, node.doc), w.origin(node))


def order_lines(w: World, lines: tuple[n.OrderLine, ...], scope: Scope) -> tuple[g.OrderLine, ...]:
    return tuple(order_line(w, line, scope) for line in lines)


def order_line(w: World, line: n.OrderLine, scope: Scope) -> g.OrderLine:
    if line.how in ("those", "best", "worst"):
        return g.OrderLine(line.how, condition(w, line.value, scope), None, words(w, line.doc, scope))
    if line.how in ("later", "earlier"):
        return g.OrderLine(line.how, g.Const(g.NUMBER, line.value.span, 0), None, words(w, line.doc, scope))
    found = value(w, line.value, scope)
    return g.OrderLine(line.how, comparable(w, found, line), line.layout, words(w, line.doc, scope))


def comparable(w: World, found: g.Expr, line: n.OrderLine) -> g.Expr:
    is_list = found.type.tag == "list"
    item = (found.type.item or ERROR) if is_list else found.type
    if item.tag == "error":
        return bad(found.span)
    if is_list and line.layout is None:
        hint = "add `from the highest down` or `larger groups first`"
        w.error(codes.NO_LAYOUT, "this list has no way to be compared", found.span, hint)
        return bad(found.span)
    if not is_ordered(w, item):
        if item.tag == "member" and not is_list:
            return as_number(w, found)
        w.error(codes.NOT_ORDERED, f"{called(item)} has no order", found.span)
        return bad(found.span)
    return found


# ---------------------------------------------------------------- rankings
def build_rankings(w: World) -> None:
    for node in w.of_type(n.Ranking):
        w.rankings[node.name.text] = build_ranking(w, node)


def build_ranking(w: World, node: n.Ranking) -> g.Ranking:
    name = node.name.text
    reading = w.var(g.Type("reading", of=name), node.name.span, name)
    ties = order_lines(w, node.ties, Scope().testing(reading))
    least_var, least = None, None
    if node.least is not None:
        least_var = w.var(g.CARD, node.least.span, "card")
        least = as_number(w, attribute_of(w, least_var, node.least))
    ranks = tuple(rank(w, r) for r in node.ranks)
    wilds = tuple(wild(w, each) for each in node.wilds)
    rulings, doc, origin = tuple(ruling(w, each) for each in node.rulings), words(w, node.doc), w.origin(node)
    return g.Ranking(name, node.size, ranks, wilds, reading, ties, least_var, least, rulings, doc, origin)


def rank(w: World, node: n.Rank) -> g.Rank:
    patterns, doc = tuple(pattern(w, a) for a in node.alternatives), words(w, node.doc)
    at = node.like.span if node.like is not None else node.title.span
    return g.Rank(node.title.text, sample(w, node), patterns, doc, at, node.title.span)


def sample(w: World, node: n.Rank) -> tuple[int, ...]:
    """Return the sample hand of a rank, or an empty tuple if a variant has removed its cards."""
    if node.like is None or (w.varied and not can_be_dealt(w, node.like)):
        return ()
    return faces(w, node.like) or ()


def can_be_dealt(w: World, hand: n.CardList) -> bool:
    """Return whether the deck has enough copies of all these cards."""
    counts = Counter(code.text for code in hand.codes)
    return all(code in w.codes and w.faces[w.codes[code]].copies >= count for code, count in counts.items())


def pattern(w: World, node: n.Alternative) -> g.Pattern:
    shared = tuple(trait(w, each, None) for each in node.shared)
    return g.Pattern(tuple(group(w, each) for each in node.groups), shared)


def group(w: World, node: n.Group) -> g.Group:
    cards = node.set if known_set(w, node.set) else None
    var = w.var(g.CARD, node.set.span, "card")
    test = None if node.condition is None else condition(w, node.condition, Scope().testing(var))
    found = tuple(trait(w, each, cards) for each in node.traits)
    return g.Group(node.count, node.or_more, node.set.text, found, var, test)


def known_set(w: World, name: n.Name) -> bool:
    if name.text in w.sets:
        return True
    w.unknown(codes.UNKNOWN_KIND, "set of cards", name, w.sets)
    return False


def trait(w: World, node: n.Trait, cards: n.Name | None) -> g.Trait:
    """Resolve a trait such as `of one suit`, for all cards together or for a set."""
    name = node.attribute
    if name.text not in w.columns:
        hint, related = w.near(name.text, w.columns)
        w.error(codes.UNKNOWN_ATTRIBUTE, f"no cards have a column `{name.text}`", name.span, hint, related)
        return g.Trait(node.word, name.text, None)
    if cards is not None and not has_column(w, cards.text, name.text):
        declared_ = ((w.nouns[cards.text].name.span, f"`{cards.text}` is declared here"),)
        w.error(codes.UNKNOWN_ATTRIBUTE, f"{cards.text} have no `{name.text}`", name.span, "", declared_)
    kind = w.kinds.get(str(w.columns[name.text].type.of))
    if node.word == "consecutive" and not (kind and (kind.ordered or kind.numeric)):
        what = f"the values of {kind.name} have no order" if kind else f"`{name.text}` is not an ordered kind"
        w.error(codes.NOT_ORDERED, what, name.span, f"declare it as `ordered kind {kind.name}`" if kind else "")
    return g.Trait(node.word, name.text, low_member(w, node.low, kind))


def has_column(w: World, cards: str, column: str) -> bool:
    """Return whether a card of the set has a value in a column. A set without cards passes."""
    values = [w.columns[column].values[face.number] for face in w.faces if face.set == cards]
    return not values or any(value_ is not None for value_ in values)


def low_member(w: World, name: n.Name | None, kind: g.Kind | None) -> int | None:
    if name is None:
        return None
    places = {member.name: place for place, member in enumerate(kind.members)} if kind else {}
    if name.text not in places:
        w.unknown(codes.UNKNOWN_NAME, kind.name if kind else "member", name, places)
    return places.get(name.text)


def wild(w: World, node: n.Wild) -> g.Wild:
    """Resolve a wild card: any card of some sets (`as any Numbers, Dragons`), or any value in one column (`as any
    Rank`)."""
    var = w.var(g.CARD, node.span, "card")
    test = condition(w, node.condition, Scope().testing(var))
    names = [name.text for name in node.any]
    if len(names) == 1 and names[0] in w.kinds:
        column = names[0].lower()
        if attribute(w, var, column, node.span) is None:
            w.error(codes.UNKNOWN_ATTRIBUTE, f"no cards have a column `{column}`", node.any[0].span)
        return g.Wild(var, test, (), column, words(w, node.doc))
    for name in node.any:
        known_set(w, name)
    return g.Wild(var, test, tuple(names), None, words(w, node.doc))
