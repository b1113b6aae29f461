"""Resolution of choices: cards to move, values to name, options, offers."""

from __future__ import annotations

from attrs import evolve

from cardlang import game as g
from cardlang import nodes as n
from cardlang.resolve import codes
from cardlang.resolve.expressions import cards, condition, listed, number, player
from cardlang.resolve.folds import ONE
from cardlang.resolve.scope import ERROR, Scope
from cardlang.resolve.statements import Known, block, does, going, place
from cardlang.resolve.texts import told, words
from cardlang.resolve.types import bad, several
from cardlang.resolve.world import World

INSTEAD = {
    "text": "choose cards or values instead. For your own words, declare a kind, such as `kind Word: Red, Blue`",
    "reading": "choose the cards of the hand, or the player who holds them",
}
"""Hints for types of values that cannot be chosen."""


def chooser(w: World, node: n.Expr, scope: Scope) -> tuple[list[g.Stmt], g.Expr, Scope]:
    """Return statements to run before a choice, the player who chooses, and the scope of the choice.

    A player other than `you` is stored in a variable first, because the choice may change it (`dealer`)."""
    who = player(w, node, scope)
    if isinstance(who, g.Var) or who.type == ERROR:
        return [], who, scope.addressing(who)
    var = w.var(who.type, node.span, "")
    return [g.Remember(node.span, var, who)], var, scope.addressing(var)


@does(n.Pick)
def _(w: World, node: n.Pick, scope: Scope) -> Known:
    before, who, inside = chooser(w, node.who, scope)
    low = None if node.count.low is None else number(w, node.count.low, inside)
    high = None if node.count.high is None else number(w, node.count.high, inside)
    position, from_ = None, node.source
    if isinstance(from_, n.Agg) and from_.function in ONE and from_.number is None:
        position, from_ = from_.function, from_.list
    source, to = cards(w, from_, inside), place(w, node.to, inside)
    if to is None:
        return [], scope
    pick = g.Pick(node.span, who, node.may, node.verb, low, high, source, position, to)
    return [*before, pick], scope


@does(n.Choose)
def _(w: World, node: n.Choose, scope: Scope) -> Known:
    before, who, inside = chooser(w, node.who, scope)
    low = high = None
    if node.count is not None:
        low = None if node.count.low is None else number(w, node.count.low, inside)
        high = None if node.count.high is None else number(w, node.count.high, inside)
    found, type_ = domain(w, node.domain, inside)
    var = w.var(g.list_of(type_) if node.count else type_, node.name.span, node.name.text)
    within = inside.knowing(node.name.text, var)
    provided = None if node.provided is None else condition(w, node.provided, within)
    body = block(w, node.body, within)
    several = node.count is not None
    choose = g.Choose(node.span, who, node.may, several, low, high, var, found, provided, body)
    return [*before, choose], scope.knowing(node.name.text, after(var))


def after(var: g.Var) -> g.Var:
    """Return the variable of a choice as later statements see it. It may be absent: the player passed, or had no
    choice."""
    return var if var.type.tag in ("list", "error") else evolve(var, type=var.type.or_nothing())


def domain(w: World, node: n.Expr | n.Range, scope: Scope) -> tuple[g.Domain, g.Type]:
    """Return the domain of a choice, and the type of one value."""
    if isinstance(node, n.Range):
        return g.Domain(None, number(w, node.low, scope), number(w, node.high, scope)), g.NUMBER
    found = listed(w, node, scope)
    item = found.type.item or ERROR
    if item.tag == "list":
        w.error(codes.NOT_A_SINGLE, "a choice cannot be from a list of lists", node.span)
        return g.Domain(bad(node.span)), ERROR
    if item.tag in ("text", "reading"):
        w.error(codes.WRONG_TYPE, f"a choice cannot be from {several(item)}", node.span, INSTEAD[item.tag])
        return g.Domain(bad(node.span)), ERROR
    return g.Domain(found), item.surely()


# ---------------------------------------------------------------- options
@does(n.Menu)
def _(w: World, node: n.Menu, scope: Scope) -> Known:
    before, who, inside = chooser(w, node.who, scope)
    return [*before, g.Menu(node.span, who, node.may, options(w, node.options, inside))], scope


@does(n.Offer)
def _(w: World, node: n.Offer, scope: Scope) -> Known:
    items, var, start, test = going(w, node.going, scope)
    if items.type.item not in (g.PLAYER, None):
        w.error(codes.WRONG_TYPE, "only players can choose", node.going.word.span, "write `each player …`")
    offered = options(w, node.options, scope.about("player", var))
    otherwise = block(w, node.otherwise, scope)
    return [g.Offer(node.span, items, var, start, test, offered, otherwise)], scope


def options(w: World, nodes: tuple[n.Option, ...], scope: Scope) -> tuple[g.Option, ...]:
    first: dict[str, n.Option] = {}
    for node in nodes:
        other = first.setdefault(node.name.text, node)
        if other is not node:
            related = ((other.name.span, "the first one"),)
            w.error(
                codes.DECLARED_TWICE,
                f"two options are called `{node.name.text}`",
                node.name.span,
                "rename one of them",
                related,
            )
    return tuple(option(w, node, scope) for node in nodes)


def option(w: World, node: n.Option | n.Reaction, scope: Scope) -> g.Option:
    """Resolve an option or a reaction of the player in scope."""
    binders = []
    for binder in node.binders:
        found, type_ = domain(w, binder.domain, scope)
        var = w.var(type_, binder.name.span, binder.name.text)
        binders.append((var, evolve(found, doc=words(w, binder.doc, scope))))
        scope = scope.knowing(binder.name.text, var)
    when = tuple((condition(w, each.condition, scope), words(w, each.doc, scope)) for each in node.when)
    costs = tuple(cost(w, each, scope) for each in node.costs)
    said, values = told(w, node.called, scope) if node.called is not None else ((), ())
    body, doc = block(w, node.body, scope), words(w, node.doc, scope)
    return g.Option(node.name.text, tuple(binders), when, costs, body, doc, node.span, said, values)


def cost(w: World, node: n.Cost, scope: Scope) -> tuple[g.Expr, str, str]:
    """Resolve a cost such as `costs 1 swaps`. It must be a number of each player."""
    tracks = [t for t in w.of_type(n.Track) if w.subject(t) == "player" and t.type.text == "number"]
    paid = [track.name.text for track in tracks]
    if node.track.text not in paid:
        hint = f"a cost is paid from a number of each player. Declare `number your {node.track.text}`"
        w.unknown(codes.NOT_A_TRACK, "number of each player", node.track, paid, hint)
    return number(w, node.amount, scope), node.track.text, words(w, node.doc, scope)
