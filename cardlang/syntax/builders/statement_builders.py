"""Builders of AST nodes for steps, statements and examples."""

from __future__ import annotations

from typing import TypeVar

from cardlang.diagnostics import Span
from cardlang.syntax import ast as n
from cardlang.syntax.builders.tree_builder import (
    NODE_BUILDERS,
    BuiltChildren,
    NodeBuilder,
    find_all_of_type,
    find_first_of_type,
    register_builder,
    register_default_builders,
    register_positional_builders,
)

T = TypeVar("T")
register_positional_builders(
    {
        "binder": n.Binder,
        "cost": n.Cost,
        "range": n.Range,
        "going": n.Going,
        "expect": n.Expect,
    }
)


# ---------------------------------------------------------------- steps and their parts
@register_builder("step")
def _(span: Span, c: BuiltChildren) -> n.Step:
    your, name, params, doc, body = c
    return n.Step(span, your is not None, name, params or (), doc, body)


@register_builder("enters")
def _(span: Span, c: BuiltChildren) -> n.Enters:
    variable, your, zone, doc, body = c
    return n.Enters(span, variable, your is not None, zone, doc, body)


def find_clauses(items: BuiltChildren, kind: type[T]) -> tuple[T, ...]:
    return tuple(part for item in items if isinstance(item, list) for part in item if isinstance(part, kind))


def build_statements(items: BuiltChildren) -> tuple[n.Stmt, ...]:
    return tuple(wrap_as_statement(item) for item in items if isinstance(item, n.Stmt | n.Note | n.Ruling))


def wrap_as_statement(item: n.Stmt | n.Note | n.Ruling) -> n.Stmt:
    return item if isinstance(item, n.Stmt) else n.Aside(item.span, None, item)


@register_builder("reaction")
def _(span: Span, c: BuiltChildren) -> n.Reaction:
    name, called, doc, to, *rest = c
    binders, when, costs = find_clauses(rest, n.Binder), find_clauses(rest, n.When), find_clauses(rest, n.Cost)
    return n.Reaction(span, name, called, to, binders, when, costs, doc, build_statements(rest))


@register_builder("option")
def _(span: Span, c: BuiltChildren) -> n.Option:
    name, called, *rest = c
    binders, when, costs = find_clauses(rest, n.Binder), find_clauses(rest, n.When), find_clauses(rest, n.Cost)
    return n.Option(span, name, called, binders, when, costs, find_first_of_type(rest, n.Words), build_statements(rest))


@register_builder("clause_line")
def _(span: Span, c: BuiltChildren) -> list[n.Clause]:
    clauses, doc = c
    return [clause.replace(doc=doc) for clause in clauses]


@register_builder("else", "domain", "wording")
def _(span: Span, c: BuiltChildren) -> object:
    return c[-1]


@register_builder("block")
def _(span: Span, c: BuiltChildren) -> tuple[n.Stmt, ...]:
    return build_statements(c)


@register_builder("binders", "costs")
def _(span: Span, c: BuiltChildren) -> list[n.Clause]:
    return list(c)


@register_builder("when")
def _(span: Span, c: BuiltChildren) -> list[n.Clause]:
    return [n.When(c[0].span, c[0])]


# ---------------------------------------------------------------- control flow
@register_builder("repeat")
def _(span: Span, c: BuiltChildren) -> n.Repeat:
    until, *_, most, doc, body = c
    until_pass = isinstance(until, n.Name)
    return n.Repeat(span, doc, None if until_pass else until, until_pass, most, body)


@register_builder("if")
def _(span: Span, c: BuiltChildren) -> n.If:
    condition, doc, then, *rest = c
    otherwise: tuple[n.Stmt, ...] = rest[-1] or ()
    for elif_ in reversed(rest[:-1]):
        otherwise = (n.If(elif_.span, elif_.doc, elif_.condition, elif_.then, otherwise),)
    return n.If(span, doc, condition, then, otherwise)


@register_builder("elif")
def _(span: Span, c: BuiltChildren) -> n.If:
    return n.If(span, c[1], c[0], c[2], ())


@register_builder("each_stmt")
def _(span: Span, c: BuiltChildren) -> n.Each:
    together, going, doc, body = c
    return n.Each(span, doc, together is not None, going, body)


@register_builder("tell")
def _(span: Span, c: BuiltChildren) -> n.Tell:
    return n.Tell(span, None, c[0])


@register_builder("do")
def _(span: Span, c: BuiltChildren) -> n.Do:
    return n.Do(span, c[2], c[0], c[1] or ())


@register_builder("announce")
def _(span: Span, c: BuiltChildren) -> n.Announce:
    name, on, sharing, doc, body, otherwise = c
    return n.Announce(span, doc, name, on, sharing or (), body, otherwise or ())


# ---------------------------------------------------------------- moves and choices
def remove_verb_ending(verb: n.Name) -> str:
    return verb.text if verb.text == "pass" else verb.text.removesuffix("s")


@register_builder("move")
def _(span: Span, c: BuiltChildren) -> n.Move:
    verb, what, to, ends, doc = c
    sorted_ = None if ends is None else "lowest" if "lowest" in ends.text else "highest"
    return n.Move(span, doc, remove_verb_ending(verb), what, to, "to", sorted_)


def build_move_beside_card(preposition: str) -> NodeBuilder:
    return lambda span, c: n.Move(span, c[3], remove_verb_ending(c[0]), c[1], c[2], preposition, None)


for side in ("on", "under"):
    NODE_BUILDERS[f"move_{side}"] = build_move_beside_card(side)


@register_builder("pick")
def _(span: Span, c: BuiltChildren) -> n.Pick:
    who, may, verb, count, source, to, doc, otherwise = c
    return n.Pick(span, doc, who, may is not None, remove_verb_ending(verb), count, source, to, otherwise or ())


@register_builder("choose")
def _(span: Span, c: BuiltChildren) -> n.Choose:
    who, may, count, name, domain, provided, doc, body, otherwise = c
    optional = isinstance(may, str)
    return n.Choose(span, doc, who, optional, count, name, domain, provided, body or (), otherwise or ())


@register_builder("menu")
def _(span: Span, c: BuiltChildren) -> n.Menu:
    who, may, doc, *options, otherwise = c
    return n.Menu(span, doc, who, isinstance(may, str), tuple(options), otherwise or ())


@register_builder("offer")
def _(span: Span, c: BuiltChildren) -> n.Offer:
    going, _, doc, *rest = c
    return n.Offer(span, doc, going, True, tuple(rest[:-1]), rest[-1] or ())


@register_builder("below_zero")
def _(span: Span, c: BuiltChildren) -> n.Number:
    return n.Number(span, f"-{c[0].digits}")


@register_builder("count")
def _(span: Span, c: BuiltChildren) -> n.Count:
    match c:
        case [n.Name(), high]:  # up to N
            return n.Count(span, None, high)
        case [low, n.Name()]:  # N or more
            return n.Count(span, low, None)
    return n.Count(span, c[0], c[0] if c[1] is None else c[1])


# ---------------------------------------------------------------- examples
@register_builder("example")
def _(span: Span, c: BuiltChildren) -> n.Example:
    title, players, *lines = c
    return n.Example(span, title, players or (), tuple(lines))


@register_builder("given")
def _(span: Span, c: BuiltChildren) -> n.Given:
    return n.Given(span, tuple(c))


@register_builder("given_row")
def _(span: Span, c: BuiltChildren) -> n.GivenRow:
    return n.GivenRow(span, None if isinstance(c[0], n.Fact) else c[0], find_all_of_type(c, n.Fact))


@register_builder("fact")
def _(span: Span, c: BuiltChildren) -> n.Fact:
    return n.Fact(span, c[0], c[1], c[-1])


@register_builder("ex_do")
def _(span: Span, c: BuiltChildren) -> n.ExampleDo:
    return n.ExampleDo(span, c[0], c[1] or ())


@register_builder("answers")
def _(span: Span, c: BuiltChildren) -> n.Answers:
    return n.Answers(span, c[0], tuple(c[1:]))


@register_builder("expect_may")
def _(span: Span, c: BuiltChildren) -> n.ExpectMay:
    player, may, *moves, because = c
    return n.ExpectMay(span, player, may != "may", tuple(moves), because)


@register_builder("ex_move")
def _(span: Span, c: BuiltChildren) -> n.MoveText:
    return n.MoveText(span, " ".join(map(get_word, c)))


def get_word(part: n.CardList | n.Number | n.Name) -> str:
    match part:
        case n.CardList(codes=codes):
            return f"[{' '.join(code.text for code in codes)}]"
        case n.Number(digits=digits):
            return digits
    return part.text


register_default_builders(n.STATEMENTS)
