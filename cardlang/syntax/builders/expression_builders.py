"""Builders of AST nodes for expressions."""

from __future__ import annotations

from collections.abc import Callable

from cardlang.diagnostics import Span
from cardlang.syntax import ast as n
from cardlang.syntax.builders.tree_builder import (
    NODE_BUILDERS,
    BuiltChildren,
    NodeBuilder,
    register_builder,
    register_positional_builders,
)

register_positional_builders(
    {
        "or": n.Or,
        "and": n.And,
        "not": n.Not,
        "for": n.For,
        "where": n.Where,
        "read": n.Read,
        "ranked_list": n.Ranked,
        "negative": n.Negative,
        "its": n.Its,
        "that": n.That,
    }
)


@register_builder("agg")
def _(span: Span, c: BuiltChildren) -> n.Agg:
    return n.Agg(span, c[0].text, c[1], c[2])


@register_builder("agg_by")
def _(span: Span, c: BuiltChildren) -> n.AggBy:
    return n.AggBy(span, c[0].text if c[0] is not None else "first", c[1].text, c[2], c[3])


@register_builder("read_open")
def _(span: Span, c: BuiltChildren) -> n.Read:
    return n.Read(span, c[0], c[1], None)


@register_builder("compare")
def _(span: Span, c: BuiltChildren) -> n.Compare:
    return n.Compare(span, c[1].text, c[0], c[2])


@register_builder("way")
def _(span: Span, c: BuiltChildren) -> n.Way:
    return n.Way(span, None, None, *c)


@register_builder("ways")
def _(span: Span, c: BuiltChildren) -> n.Way:
    count, word, source, name = c
    return n.Way(span, count, word, name, source)


@register_builder("every")
def _(span: Span, c: BuiltChildren) -> n.Every:
    return n.Every(span, None, (c[0],), c[1])


@register_builder("for_every")
def _(span: Span, c: BuiltChildren) -> n.Every:
    value, *ways, condition = c
    return n.Every(span, value, tuple(ways), condition)


@register_builder("quantified")
def _(span: Span, c: BuiltChildren) -> n.Quantified:
    return n.Quantified(span, c[0].text, c[1], c[2], c[3])


def build_arithmetic(operator: str) -> NodeBuilder:
    return lambda span, c: n.Arith(span, operator, c[0], c[1])


def build_negatable(make: Callable[..., n.Expr], negated: bool) -> NodeBuilder:
    return lambda span, c: make(span, c[0], negated, *c[1:])


for negated, infix in ((False, ""), (True, "not_")):
    NODE_BUILDERS[f"is_{infix}a"] = build_negatable(n.IsA, negated)
    NODE_BUILDERS[f"is_{infix}empty"] = build_negatable(n.IsEmpty, negated)


for rule, operator in {"plus": "+", "minus": "-", "times": "*", "over": "/"}.items():
    NODE_BUILDERS[rule] = build_arithmetic(operator)


@register_builder("attr")
def _(span: Span, c: BuiltChildren) -> n.Attr:
    return n.Attr(span, c[0], c[-1])


@register_builder("name")
def _(span: Span, c: BuiltChildren) -> n.NameRef:
    return n.NameRef(span, c[0].text)


@register_builder("yours")
def _(span: Span, c: BuiltChildren) -> n.Yours:
    return n.Yours(span, c[-1])


@register_builder("number", "card_list")
def _(span: Span, c: BuiltChildren) -> object:
    return c[0]


@register_builder("text")
def _(span: Span, c: BuiltChildren) -> n.Text:
    return n.Text(span, c[0].text)


@register_builder("list_of")
def _(span: Span, c: BuiltChildren) -> n.ListOf:
    return n.ListOf(span, tuple(c))
