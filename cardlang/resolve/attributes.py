"""Resolution of attributes of players, cards, members of kinds, readings and lists."""

from __future__ import annotations

from attrs import evolve

from cardlang import game as g
from cardlang import nodes as n
from cardlang.resolve import codes, definitions
from cardlang.resolve.scope import ERROR
from cardlang.resolve.types import bad, called, report_copies, widens
from cardlang.resolve.world import Related, World
from cardlang.source import Span

SHOWN = 6
"""Maximum number of attributes in a message."""

READING_LISTS = {"used": g.list_of(g.CARD), "rest": g.list_of(g.CARD)}
BUILTINS: dict[str, dict[str, g.Type]] = {
    "player": {
        "left": g.PLAYER,
        "right": g.PLAYER,
        "others": g.list_of(g.PLAYER),
        "seat": g.NUMBER,
    },
    "card": {"owner": g.PLAYER.or_nothing(), "title": g.TEXT},
    "reading": {"title": g.TEXT, "wilds": g.NUMBER, "owner": g.PLAYER.or_nothing(), **READING_LISTS},
    "member": {"title": g.TEXT},
}


def attribute(w: World, of: g.Expr, name: str, span: Span) -> g.Expr | None:
    """Return the value of `of's name`, or None if its type has no such attribute. For a list, map it over the items."""
    type_ = of.type
    if type_.tag == "error":
        return bad(span)
    if type_.tag == "list":
        return of_list(w, of, name, span)
    node = w.nouns.get(name)
    if node is not None and belongs(w, w.subject(node), type_):
        return definitions.noun(w, node, of, span)
    if type_.tag == "card":
        found = of_card(w, of, name, span)
        if found is not None:
            return found
    builtin = BUILTINS.get(type_.tag, {}).get(name)
    if builtin is None:
        return None
    if type_.maybe and builtin.tag != "list":
        builtin = builtin.or_nothing()
    return g.Builtin(builtin, span, name, of)


def belongs(w: World, subject: str | None, type_: g.Type) -> bool:
    if subject is None:
        return False
    if type_.tag == "member":
        return widens(w, type_.of, subject)
    return subject == (type_.of if type_.tag == "reading" else type_.tag)


def of_card(w: World, card: g.Expr, name: str, span: Span) -> g.Expr | None:
    column = w.columns.get(name)
    if column is not None:
        type_ = column.type.or_nothing() if card.type.maybe else column.type
        return g.Attribute(type_, span, card, name)
    if name in w.bearers:
        return definitions.borne(w, name, card, span)
    return None


def of_list(w: World, of: g.Expr, name: str, span: Span) -> g.Expr | None:
    item = of.type.item or ERROR
    if name == "size" and item.tag != "list" and name not in w.columns:
        return g.Builtin(g.NUMBER, span, "size", of)
    var = w.var(item, span, "it")
    each = attribute(w, var, name, span)
    if each is None or each.type.tag == "error":
        return each
    type_ = evolve(each.type.item or each.type, maybe=False)
    return g.MapEach(g.list_of(type_, of.type.ranked), span, of, var, each)


def attribute_of(w: World, of: g.Expr, name: n.Name) -> g.Expr:
    """Return the value of `of's name`, or report an error."""
    found = attribute(w, of, name.text, name.span)
    if name.text not in (*w.columns, *w.bearers, "title"):
        report_copies(w, of)
    if found is None:
        hint, related = help_for(w, of.type, name.text)
        w.error(codes.UNKNOWN_ATTRIBUTE, f"{called(of.type)} has no `{name.text}`", name.span, hint, related)
        return bad(name.span)
    return found


def help_for(w: World, type_: g.Type, name: str) -> tuple[str, Related]:
    node = w.nouns.get(name)
    cards_have = name in w.columns or name in w.bearers
    if cards_have and not isinstance(node, n.Define):
        return f"`{name}` belongs to cards", ()
    if node is None or isinstance(node, n.Kind | n.Cards | n.Order | n.Ranking):
        of_cards = (type_.item or type_).tag == "card"
        known = attributes(w, type_)
        close = (of_cards and missing_column(w, name)) or w.near(name, known)
        return close if close[0] or not known else (f"it has {', '.join(f'`{each}`' for each in known[:SHOWN])}", ())
    subject = w.subject(node)
    related = ((node.name.span, f"`{name}` is declared here"),)
    if subject is None:
        return f"it belongs to the table. Write `{name}`", related
    whose = "some cards" if subject == "cards" else f"each {subject}"
    return f"`{name}` belongs to {whose}", related


def missing_column(w: World, name: str) -> tuple[str, Related] | None:
    """Return a hint for a kind that no card has as a column, or None."""
    kind = next((kind for kind in w.of_type(n.Kind) if kind.name.text.lower() == name != kind.name.text), None)
    if kind is None or name in w.columns:
        return None
    hint = f"no cards have a `{name}`. Write `1 of each {kind.name.text}`, or add a column: `cards … with {name}`"
    return hint, ((kind.name.span, f"`{kind.name.text}` is declared here"),)


def attributes(w: World, type_: g.Type) -> list[str]:
    """Return the names of all attributes of a type. For lists, those of the items."""
    while type_.tag == "list" and type_.item is not None:
        type_ = type_.item
    names = [name for name, node in w.nouns.items() if belongs(w, w.subject(node), type_)]
    if type_.tag == "card":
        names += [*w.columns, *w.bearers]
    return names + list(BUILTINS.get(type_.tag, {}))
