"""AST nodes of play: steps, statements, choices, reactions, examples."""

from __future__ import annotations

from typing import TypeVar

from attrs import evolve

from cardlang import nodes as n
from cardlang.reading.building.tree import Children, builds, builds_others, builds_straight, first_of_type
from cardlang.source import Span

T = TypeVar("T")

builds_straight(
    {
        "binder": n.Binder,
        "cost": n.Cost,
        "range": n.Range,
        "going": n.Going,
        "fact": n.Fact,
        "expect": n.Expect,
    }
)


# ---------------------------------------------------------------- steps and their parts
@builds("step")
def _(span: Span, c: Children) -> n.Step:
    your, name, params, doc, body = c
    return n.Step(span, your is not None, name, params or (), doc, body)


@builds("enters")
def _(span: Span, c: Children) -> n.Enters:
    thing, your, zone, doc, body = c
    return n.Enters(span, thing, your is not None, zone, doc, body)


def clauses(items: Children, kind: type[T]) -> tuple[T, ...]:
    return tuple(part for item in items if isinstance(item, list) for part in item if isinstance(part, kind))


def statements(items: Children) -> tuple[n.Stmt, ...]:
    return tuple(as_statement(item) for item in items if isinstance(item, n.Stmt | n.Note | n.Ruling))


def as_statement(item: n.Stmt | n.Note | n.Ruling) -> n.Stmt:
    return item if isinstance(item, n.Stmt) else n.Aside(item.span, None, item)


@builds("reaction")
def _(span: Span, c: Children) -> n.Reaction:
    name, called, doc, to, *rest = c
    binders, when, costs = clauses(rest, n.Binder), clauses(rest, n.When), clauses(rest, n.Cost)
    return n.Reaction(span, name, called, to, binders, when, costs, doc, statements(rest))


@builds("option")
def _(span: Span, c: Children) -> n.Option:
    name, called, *rest = c
    binders, when, costs = clauses(rest, n.Binder), clauses(rest, n.When), clauses(rest, n.Cost)
    return n.Option(span, name, called, binders, when, costs, first_of_type(rest, n.Words), statements(rest))


@builds("clause_line")
def _(span: Span, c: Children) -> list[n.Clause]:
    said, doc = c
    return [evolve(clause, doc=doc) for clause in said]


@builds("to", "else", "domain", "wording")
def _(span: Span, c: Children) -> object:
    return c[-1]


@builds("block")
def _(span: Span, c: Children) -> tuple[n.Stmt, ...]:
    return statements(c)


@builds("binders", "costs")
def _(span: Span, c: Children) -> list[n.Clause]:
    return list(c)


@builds("when")
def _(span: Span, c: Children) -> list[n.Clause]:
    return [n.When(c[0].span, c[0])]


@builds("args")
def _(span: Span, c: Children) -> tuple[n.Expr, ...]:
    return tuple(c)


# ---------------------------------------------------------------- control flow
@builds("repeat")
def _(span: Span, c: Children) -> n.Repeat:
    until, doc, body = c
    return n.Repeat(span, doc, until, False, body)


@builds("repeat_until_pass")
def _(span: Span, c: Children) -> n.Repeat:
    _, doc, body = c
    return n.Repeat(span, doc, None, True, body)


@builds("if")
def _(span: Span, c: Children) -> n.If:
    condition, doc, then, *rest = c
    otherwise: tuple[n.Stmt, ...] = rest[-1] or ()
    for elif_ in reversed(rest[:-1]):
        otherwise = (n.If(elif_.span, elif_.doc, elif_.condition, elif_.then, otherwise),)
    return n.If(span, doc, condition, then, otherwise)


@builds("elif")
def _(span: Span, c: Children) -> n.If:
    return n.If(span, c[1], c[0], c[2], ())


@builds("each_stmt")
def _(span: Span, c: Children) -> n.Each:
    together, going, doc, body = c
    return n.Each(span, doc, together is not None, going, body)


@builds("tell")
def _(span: Span, c: Children) -> n.Tell:
    return n.Tell(span, None, c[0])


@builds("do")
def _(span: Span, c: Children) -> n.Do:
    return n.Do(span, c[2], c[0], c[1] or ())


@builds("announce")
def _(span: Span, c: Children) -> n.Announce:
    name, on, sharing, doc, body, otherwise = c
    return n.Announce(span, doc, name, on, sharing or (), body, otherwise or ())


# ---------------------------------------------------------------- moves and choices
def infinitive(verb: n.Name) -> str:
    return verb.text if verb.text == "pass" else verb.text.removesuffix("s")


@builds("move")
def _(span: Span, c: Children) -> n.Move:
    verb, what, to, ends, doc = c
    sorted_ = None if ends is None else "lowest" if "lowest" in ends.text else "highest"
    return n.Move(span, doc, infinitive(verb), what, to, False, sorted_)


@builds("move_under")
def _(span: Span, c: Children) -> n.Move:
    verb, what, to, doc = c
    return n.Move(span, doc, infinitive(verb), what, to, True, None)


@builds("pick")
def _(span: Span, c: Children) -> n.Pick:
    who, may, verb, count, source, to, doc = c
    return n.Pick(span, doc, who, may is not None, infinitive(verb), count, source, to)


@builds("choose")
def _(span: Span, c: Children) -> n.Choose:
    who, may, count, name, domain, provided, doc, body = c
    return n.Choose(span, doc, who, isinstance(may, str), count, name, domain, provided, body or ())


@builds("menu")
def _(span: Span, c: Children) -> n.Menu:
    who, may, doc, *options = c
    return n.Menu(span, doc, who, isinstance(may, str), tuple(options))


@builds("offer")
def _(span: Span, c: Children) -> n.Offer:
    going, _, doc, *rest = c
    return n.Offer(span, doc, going, True, tuple(rest[:-1]), rest[-1] or ())


@builds("count")
def _(span: Span, c: Children) -> n.Count:
    if isinstance(c[0], n.Name):  # up to N, any number
        return n.Count(span, None, c[1] if len(c) > 1 else None)
    return n.Count(span, c[0], c[0] if c[1] is None else c[1])


# ---------------------------------------------------------------- examples
@builds("example")
def _(span: Span, c: Children) -> n.Example:
    title, players, *lines = c
    return n.Example(span, title, players or (), tuple(lines))


@builds("given")
def _(span: Span, c: Children) -> n.Given:
    return n.Given(span, tuple(c))


@builds("given_row")
def _(span: Span, c: Children) -> n.GivenRow:
    return n.GivenRow(span, c[0], tuple(c[1:]))


@builds("ex_do")
def _(span: Span, c: Children) -> n.ExampleDo:
    return n.ExampleDo(span, c[0], c[1] or ())


@builds("answers")
def _(span: Span, c: Children) -> n.Answers:
    return n.Answers(span, c[0], tuple(c[1:]))


@builds("expect_may")
def _(span: Span, c: Children) -> n.ExpectMay:
    player, may, *moves, because = c
    return n.ExpectMay(span, player, may != "may", tuple(moves), because)


@builds("ex_move")
def _(span: Span, c: Children) -> n.MoveText:
    return n.MoveText(span, " ".join(c))


@builds("word")
def _(span: Span, c: Children) -> str:
    match c[0]:
        case n.CardList(codes=codes):
            return f"[{' '.join(code.text for code in codes)}]"
        case n.Number(digits=digits):
            return digits
        case _:
            return str(c[0].text)


builds_others(n.STATEMENTS)
