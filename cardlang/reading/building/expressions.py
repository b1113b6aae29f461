"""AST nodes of expressions, in the order of their precedence."""

from __future__ import annotations

from cardlang import nodes as n
from cardlang.reading.building.tree import BUILDERS, Builder, Children, builds, builds_straight
from cardlang.source import Span

builds_straight(
    {
        "or": n.Or,
        "and": n.And,
        "not": n.Not,
        "where": n.Where,
        "read": n.Read,
        "ranked_list": n.Ranked,
        "negative": n.Negative,
    }
)


@builds("agg")
def _(span: Span, c: Children) -> n.Agg:
    return n.Agg(span, c[0].text, c[1], c[2])


@builds("agg_by")
def _(span: Span, c: Children) -> n.AggBy:
    return n.AggBy(span, c[0].text if c[0] is not None else "first", c[1].text, c[2], c[3])


@builds("read_open")
def _(span: Span, c: Children) -> n.Read:
    return n.Read(span, c[0], c[1], None)


@builds("compare")
def _(span: Span, c: Children) -> n.Compare:
    return n.Compare(span, c[1].text, c[0], c[2])


@builds("is_a")
def _(span: Span, c: Children) -> n.IsA:
    return n.IsA(span, c[0], False, c[1])


@builds("is_not_a")
def _(span: Span, c: Children) -> n.IsA:
    return n.IsA(span, c[0], True, c[1])


@builds("is_empty")
def _(span: Span, c: Children) -> n.IsEmpty:
    return n.IsEmpty(span, c[0], False)


@builds("is_not_empty")
def _(span: Span, c: Children) -> n.IsEmpty:
    return n.IsEmpty(span, c[0], True)


@builds("quantified")
def _(span: Span, c: Children) -> n.Quantified:
    return n.Quantified(span, c[0].text, c[1], c[2], c[3])


def arith(operator: str) -> Builder:
    return lambda span, c: n.Arith(span, operator, c[0], c[1])


for rule, operator in {"plus": "+", "minus": "-", "times": "*", "over": "/"}.items():
    BUILDERS[rule] = arith(operator)


@builds("attr")
def _(span: Span, c: Children) -> n.Attr:
    return n.Attr(span, c[0], c[-1])


@builds("name")
def _(span: Span, c: Children) -> n.NameRef:
    return n.NameRef(span, c[0].text)


@builds("yours")
def _(span: Span, c: Children) -> n.Yours:
    return n.Yours(span, c[-1])


@builds("its")
def _(span: Span, c: Children) -> n.Its:
    return n.Its(span, c[0])


@builds("that")
def _(span: Span, c: Children) -> n.That:
    return n.That(span, c[0])


@builds("number", "card_list")
def _(span: Span, c: Children) -> object:
    return c[0]


@builds("text")
def _(span: Span, c: Children) -> n.Text:
    return n.Text(span, c[0].text)


@builds("list_of")
def _(span: Span, c: Children) -> n.ListOf:
    return n.ListOf(span, tuple(c))
