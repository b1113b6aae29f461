"""AST nodes of items: declarations of kinds, cards, zones and tracks, and definitions."""

from __future__ import annotations

from attrs import frozen

from cardlang import nodes as n
from cardlang.reading.building.tree import (
    Children,
    all_of_type,
    builds,
    builds_straight,
    first_of_type,
    number,
    text_of,
)
from cardlang.source import Span

builds_straight(
    {
        "needs": n.Needs,
        "case": n.Case,
        "prefer": n.Prefer,
        "wild": n.Wild,
        "param": n.Param,
        "whenever": n.Whenever,
        "show": n.Show,
    }
)


@builds("cells")
def _(span: Span, c: Children) -> tuple[n.Name, n.Name]:
    return c[0], c[1]


# ---------------------------------------------------------------- file
@builds("game")
def _(span: Span, c: Children) -> n.Game:
    return n.Game(span, c[0].text, c[1], c[2])


@builds("library")
def _(span: Span, c: Children) -> n.Library:
    return n.Library(span, c[0].text, c[1])


@builds("seats_range")
def _(span: Span, c: Children) -> tuple[int, ...]:
    low, high = number(c[0]) or 0, number(c[1])
    return tuple(range(low, min(high if high is not None else low, low + 1000) + 1))


@builds("seats_list")
def _(span: Span, c: Children) -> tuple[int, ...]:
    return tuple(int(child.digits) for child in c)


@builds("use")
def _(span: Span, c: Children) -> n.Use:
    return n.Use(span, c[0], tuple(item for item in c[1:] if item is not None))


@builds("variant")
def _(span: Span, c: Children) -> n.Variant:
    return n.Variant(span, c[0], c[1], tuple(c[2:]))


@builds("about")
def _(span: Span, c: Children) -> n.About:
    return n.About(span, c[0].text, number(c[1]) or 0, number(c[2]))


@builds("component")
def _(span: Span, c: Children) -> n.Component:
    return n.Component(span, number(c[0]) or 0, c[1].text, c[2])


@builds("note")
def _(span: Span, c: Children) -> n.Note:
    return n.Note(span, c[0])


@builds("ruling")
def _(span: Span, c: Children) -> n.Ruling:
    return n.Ruling(span, c[0], all_of_type(c, n.Note), all_of_type(c, n.Example))


# ---------------------------------------------------------------- components
@builds("kind")
def _(span: Span, c: Children) -> n.Kind:
    return n.Kind(span, c[1], c[0] is not None, tuple(c[2:-1]), c[-1])


@builds("member")
def _(span: Span, c: Children) -> n.Member:
    return n.Member(span, c[0].text, None, c[1], number(c[2]), c[3])


@builds("numbers")
def _(span: Span, c: Children) -> n.Member:
    return n.Member(span, int(c[0].digits), number(c[1]), None, None, None)


@builds("code")
def _(span: Span, c: Children) -> object:
    return c[0]


@builds("called")
def _(span: Span, c: Children) -> n.Called:
    return n.Called(span, c[0].text, text_of(c[1]))


@builds("names", "params", "traits")
def _(span: Span, c: Children) -> tuple[object, ...]:
    return tuple(c)


def borne(items: Children) -> tuple[n.Define | n.Step | n.Note | n.Ruling, ...]:
    """Return the definitions and procedures of cards."""
    return tuple(item for item in items if isinstance(item, n.Define | n.Step | n.Note | n.Ruling))


@builds("cards")
def _(span: Span, c: Children) -> n.Cards:
    name, code, home, columns, doc, *parts = c
    products, rows = all_of_type(parts, n.Product), all_of_type(parts, n.Row)
    bears = borne(parts)
    return n.Cards(span, name, code, home, columns or (), doc, products, rows, bears)


@builds("product")
def _(span: Span, c: Children) -> n.Product:
    return n.Product(span, number(c[0]) or 0, c[1])


@frozen
class Literal:
    """Value in a row. The wrapper separates it from the row's own text."""

    value: n.Name | n.Number | n.Words


@builds("literal")
def _(span: Span, c: Children) -> Literal:
    return Literal(c[0])


@builds("row")
def _(span: Span, c: Children) -> n.Row:
    count, title, code, *rest = c
    values = tuple(item.value for item in all_of_type(rest, Literal))
    bears = borne(rest)
    return n.Row(span, number(count) or 0, title, code, values, first_of_type(rest, n.Words), bears)


@builds("subject")
def _(span: Span, c: Children) -> n.Subject:
    return "your" if c[0].text == "your" and len(c) == 1 else c[0]


@builds("zone")
def _(span: Span, c: Children) -> n.Zone:
    subject, name, holds, called, viewer, doc = c
    return n.Zone(span, subject, name, number(holds), called, viewer.text if viewer else None, doc)


@builds("track")
def _(span: Span, c: Children) -> n.Track:
    return n.Track(span, c[0] is not None, *c[1:])


@builds("starts")
def _(span: Span, c: Children) -> n.Starts:
    own, again = c[0] or (False, ())
    return n.Starts(span, own, again, c[1])


@builds("when_again")
def _(span: Span, c: Children) -> tuple[bool, tuple[n.Name, ...]]:
    return c[0] is not None, tuple(c[1:])


# ---------------------------------------------------------------- definitions
@builds("define")
def _(span: Span, c: Children) -> n.Define:
    subject, name, called, body, doc = c
    return n.Define(span, subject, name, None, called, body, doc)


@builds("define_cases")
def _(span: Span, c: Children) -> n.Define:
    subject, name, called, *cases = c
    return n.Define(span, subject, name, None, called, n.Cases(span, tuple(cases)), None)


@builds("define_first")
def _(span: Span, c: Children) -> n.Define:
    subject, name, called, _, *prefers = c
    return n.Define(span, subject, name, None, called, n.FirstPossible(span, tuple(prefers)), None)


@builds("define_of")
def _(span: Span, c: Children) -> n.Define:
    return n.Define(span, None, *c)


@builds("define_of_cases")
def _(span: Span, c: Children) -> n.Define:
    name, parameter, called, *cases = c
    return n.Define(span, None, name, parameter, called, n.Cases(span, tuple(cases)), None)


@builds("last_case")
def _(span: Span, c: Children) -> n.Case:
    return n.Case(span, c[0], None, c[1])


@builds("order")
def _(span: Span, c: Children) -> n.Order:
    name, of, doc, *lines = c
    return n.Order(span, name, of, tuple(lines), doc)


@builds("those")
def _(span: Span, c: Children) -> n.OrderLine:
    return n.OrderLine(span, "those", c[0], None, c[1])


@builds("best")
def _(span: Span, c: Children) -> n.OrderLine:
    return n.OrderLine(span, "best", c[0], None, c[1])


@builds("worst")
def _(span: Span, c: Children) -> n.OrderLine:
    return n.OrderLine(span, "worst", c[0], None, c[1])


@builds("key")
def _(span: Span, c: Children) -> n.OrderLine:
    layout = None if c[2] is None else "groups" if c[2].text.startswith("larger") else "flat"
    return n.OrderLine(span, c[0].text, c[1], layout, c[3])


# ---------------------------------------------------------------- rankings
@frozen
class Least:
    name: n.Name


@frozen
class Ties:
    lines: tuple[n.OrderLine, ...]


@builds("least")
def _(span: Span, c: Children) -> Least:
    return Least(c[0])


@builds("ties")
def _(span: Span, c: Children) -> Ties:
    return Ties(tuple(c[1:]))


@builds("ranking")
def _(span: Span, c: Children) -> n.Ranking:
    name, size, doc, *lines = c
    least, ties = first_of_type(lines, Least), first_of_type(lines, Ties)
    return n.Ranking(
        span,
        name,
        int(size.digits) if isinstance(size, n.Number) else size.text,
        all_of_type(lines, n.Rank),
        all_of_type(lines, n.Wild),
        ties.lines if ties else (),
        least.name if least else None,
        all_of_type(lines, n.Ruling),
        doc,
    )


@builds("rank")
def _(span: Span, c: Children) -> n.Rank:
    title, like, doc, *alternatives = c
    return n.Rank(span, title, like, doc, tuple(alternatives))


@builds("alternative")
def _(span: Span, c: Children) -> n.Alternative:
    return n.Alternative(span, tuple(c[:-1]), c[-1] or ())


@builds("group")
def _(span: Span, c: Children) -> n.Group:
    count, more, set_, traits, condition = c
    return n.Group(span, number(count) or 0, more is not None, set_, traits or (), condition)


@builds("trait")
def _(span: Span, c: Children) -> n.Trait:
    return n.Trait(span, c[0].text, c[1], c[2])
