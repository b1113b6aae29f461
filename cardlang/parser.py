"""Text to nodes. A file is cut at its top-level lines and parsed item by item."""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark, Token, Tree
from lark.indenter import Indenter

from cardlang import nodes as n
from cardlang.source import Source, Span

GRAMMAR = Path(__file__).with_name("grammar.lark")
TABLES = Path(__file__).with_name("grammar.tables")
START = ["header", "item"]


class Layout(Indenter):
    """Indentation as tokens; line ends inside brackets and after a comma do not count."""

    NL_type = "_NL"
    OPEN_PAREN_types = ["LPAR"]  # noqa: RUF012
    CLOSE_PAREN_types = ["RPAR"]  # noqa: RUF012
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        return super().process(join_after_comma(stream))


def join_after_comma(stream: Iterator[Token]) -> Iterator[Token]:
    comma = False
    for token in stream:
        if not (comma and token.type == "_NL"):
            comma = token.type == "COMMA"
            yield token


def grammar_digest() -> str:
    return hashlib.sha256(GRAMMAR.read_bytes()).hexdigest()


def build_grammar() -> Lark:
    logging.getLogger("lark").setLevel(logging.ERROR)
    return Lark(
        GRAMMAR.read_text("utf-8"),
        parser="lalr",
        start=START,
        postlex=Layout(),
        propagate_positions=True,
        maybe_placeholders=True,
    )


def save_tables(path: Path = TABLES) -> None:
    """Write the parse tables behind the digest of the grammar they were made from."""
    with path.open("wb") as file:
        file.write(grammar_digest().encode() + b"\n")
        build_grammar().save(file)


@cache
def grammar() -> Lark:
    """The parser, from the tables built with the package; from the grammar itself where they are missing or old."""
    if TABLES.exists():
        with TABLES.open("rb") as file:
            if file.readline().strip().decode() == grammar_digest():
                return Lark.load(file)
    return build_grammar()


# ---------------------------------------------------------------- tree to nodes
Children = list[Any]
Builder = Callable[[Span, Children], Any]
BUILDERS: dict[str, Builder] = {}


def builds(*rules: str) -> Callable[[Builder], Builder]:
    def register(builder: Builder) -> Builder:
        for rule in rules:
            BUILDERS[rule] = builder
        return builder

    return register


class TreeBuilder:
    """Turns the tree of one item into a node, from the leaves up and without recursion."""

    def __init__(self, source: Source, offset: int) -> None:
        self.source = source
        self.offset = offset

    def build(self, tree: Tree[Token] | Token) -> Any:
        if isinstance(tree, Token):
            return self.leaf(tree)
        done: dict[int, Any] = {}
        for subtree in tree.iter_subtrees():
            children = [done[id(c)] if isinstance(c, Tree) else self.leaf(c) for c in subtree.children]
            done[id(subtree)] = BUILDERS[subtree.data](self.span(subtree), children)
        return done[id(tree)]

    def span(self, tree: Tree[Token]) -> Span:
        meta = tree.meta
        if meta.empty:
            return Span(self.source, self.offset, self.offset)
        start, end = self.offset + meta.start_pos, self.offset + meta.end_pos
        return Span(self.source, start, self.first_line_end(start, end))

    def first_line_end(self, start: int, end: int) -> int:
        """A node with a block is shown by its first line; a bracket may run on."""
        text = self.source.text[start:end]
        newline = text.find("\n")
        while newline >= 0:
            line = text[:newline]
            if line.count("(") <= line.count(")") and not line.rstrip().endswith(","):
                return start + len(re.sub(r"\s*(#[^\"\n]*)?$", "", line))
            newline = text.find("\n", newline + 1)
        return start + len(text.rstrip())

    def leaf(self, token: Any) -> Any:
        if not isinstance(token, Token):
            return token
        start = self.offset + (token.start_pos or 0)
        span = Span(self.source, start, start + len(token))
        match token.type:
            case "NAME":
                return n.Name(span, str(token))
            case "STRING":
                return n.Words(span, re.sub(r"\\(.)", r"\1", token[1:-1]))
            case "INT" | "NUMBER":
                return n.Number(span, str(token))
            case "CARDS":
                return n.CardList(span, tuple(self.codes(span)))
            case "MAY_CHOOSE" | "MAY_MOVE" | "MAY":
                return str(token)
            case _:
                return n.Name(span, str(token))

    def codes(self, span: Span) -> Iterator[n.Name]:
        for match in re.finditer(r"[^\s\[\]]+", span.text):
            start = span.start + match.start()
            yield n.Name(Span(self.source, start, start + len(match[0])), match[0])


def number(value: n.Number | None) -> int | None:
    return None if value is None else int(value.digits)


def text_of(value: n.Words | None) -> str | None:
    return None if value is None else value.text


def some(items: Children) -> Children:
    return [item for item in items if item is not None]


# ---- the file
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
    return n.Use(span, c[0], tuple(some(c[1:])))


@builds("variant")
def _(span: Span, c: Children) -> n.Variant:
    return n.Variant(span, c[0], c[1], tuple(c[2:]))


@builds("needs")
def _(span: Span, c: Children) -> n.Needs:
    return n.Needs(span, *c)


@builds("about")
def _(span: Span, c: Children) -> n.About:
    return n.About(span, c[0].text, number(c[1]) or 0, number(c[2]))


@builds("component")
def _(span: Span, c: Children) -> n.Component:
    return n.Component(span, number(c[0]) or 0, c[1].text, c[2])


@builds("note")
def _(span: Span, c: Children) -> n.Note:
    return n.Note(span, c[0].text)


@builds("ruling")
def _(span: Span, c: Children) -> n.Ruling:
    return n.Ruling(span, c[0].text, tuple(c[1:]))


# ---- things
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
def _(span: Span, c: Children) -> n.Name:
    return c[0]  # type: ignore[no-any-return]


@builds("called")
def _(span: Span, c: Children) -> n.Called:
    return n.Called(span, c[0].text, text_of(c[1]))


@builds("names")
def _(span: Span, c: Children) -> tuple[n.Name, ...]:
    return tuple(c)


@builds("cards")
def _(span: Span, c: Children) -> n.Cards:
    name, code, home, columns, doc, *parts = c
    products = tuple(p for p in parts if isinstance(p, n.Product))
    rows = tuple(p for p in parts if isinstance(p, n.Row))
    bears = tuple(p for p in parts if not isinstance(p, n.Product | n.Row))
    return n.Cards(span, name, code, home, columns or (), doc, products, rows, bears)


@builds("product")
def _(span: Span, c: Children) -> n.Product:
    return n.Product(span, number(c[0]) or 0, c[1])


@builds("row")
def _(span: Span, c: Children) -> n.Row:
    """Values come before the row's words; the builder of `literal` marks them."""
    count, title, code, *rest = c
    values = tuple(item.value for item in rest if isinstance(item, Literal))
    bears = tuple(item for item in rest if isinstance(item, n.Define | n.Step | n.Note | n.Ruling))
    doc = next((item for item in rest if isinstance(item, n.Words)), None)
    return n.Row(span, number(count) or 0, title, code, values, doc, bears)


class Literal:
    """A value of a row: apart from the row's words, which are a text too."""

    def __init__(self, value: Any) -> None:
        self.value = value


@builds("literal")
def _(span: Span, c: Children) -> Literal:
    return Literal(c[0])


@builds("subject")
def _(span: Span, c: Children) -> n.Subject:
    return "your" if c[0].text == "your" and len(c) == 1 else c[0]


@builds("zone")
def _(span: Span, c: Children) -> n.Zone:
    subject, name, holds, called, viewer, doc = c
    return n.Zone(span, subject, name, number(holds), called, viewer.text if viewer else None, doc)


@builds("track")
def _(span: Span, c: Children) -> n.Track:
    secret, type_, subject, name, called, starts, doc = c
    return n.Track(span, secret is not None, type_, subject, name, called, starts, doc)


@builds("starts")
def _(span: Span, c: Children) -> n.Starts:
    own, again = c[0] or (False, ())
    return n.Starts(span, own, again, c[1])


@builds("when_again")
def _(span: Span, c: Children) -> tuple[bool, tuple[n.Name, ...]]:
    return c[0] is not None, tuple(c[1:])


# ---- meanings
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
    name, parameter, called, body, doc = c
    return n.Define(span, None, name, parameter, called, body, doc)


@builds("define_of_cases")
def _(span: Span, c: Children) -> n.Define:
    name, parameter, called, *cases = c
    return n.Define(span, None, name, parameter, called, n.Cases(span, tuple(cases)), None)


@builds("case")
def _(span: Span, c: Children) -> n.Case:
    return n.Case(span, c[0], c[1], c[2])


@builds("last_case")
def _(span: Span, c: Children) -> n.Case:
    return n.Case(span, c[0], None, c[1])


@builds("prefer")
def _(span: Span, c: Children) -> n.Prefer:
    return n.Prefer(span, c[0], c[1])


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


@builds("ranking")
def _(span: Span, c: Children) -> n.Ranking:
    name, size, doc, *lines = c
    least = next((line.name for line in lines if isinstance(line, Least)), None)
    ties = next((line.lines for line in lines if isinstance(line, Ties)), ())
    return n.Ranking(
        span,
        name,
        int(size.digits) if isinstance(size, n.Number) else size.text,
        tuple(line for line in lines if isinstance(line, n.Rank)),
        tuple(line for line in lines if isinstance(line, n.Wild)),
        ties,
        least,
        tuple(line for line in lines if isinstance(line, n.Ruling)),
        doc,
    )


class Least:
    def __init__(self, name: n.Name) -> None:
        self.name = name


class Ties:
    def __init__(self, lines: tuple[n.OrderLine, ...]) -> None:
        self.lines = lines


@builds("rank")
def _(span: Span, c: Children) -> n.Rank:
    title, like, doc, *alternatives = c
    return n.Rank(span, title, like, doc, tuple(alternatives))


@builds("wild")
def _(span: Span, c: Children) -> n.Wild:
    return n.Wild(span, c[0], c[1], c[2])


@builds("ties")
def _(span: Span, c: Children) -> Ties:
    return Ties(tuple(c[1:]))


@builds("least")
def _(span: Span, c: Children) -> Least:
    return Least(c[0])


@builds("alternative")
def _(span: Span, c: Children) -> n.Alternative:
    return n.Alternative(span, tuple(c[:-1]), c[-1] or ())


@builds("group")
def _(span: Span, c: Children) -> n.Group:
    count, more, set_, traits, condition = c
    return n.Group(span, number(count) or 0, more is not None, set_, traits or (), condition)


@builds("traits")
def _(span: Span, c: Children) -> tuple[n.Trait, ...]:
    return tuple(c)


@builds("trait")
def _(span: Span, c: Children) -> n.Trait:
    return n.Trait(span, c[0].text, c[1], c[2])


# ---- what happens
@builds("step")
def _(span: Span, c: Children) -> n.Step:
    your, name, params, doc, body = c
    return n.Step(span, your is not None, name, params or (), doc, body)


@builds("params")
def _(span: Span, c: Children) -> tuple[n.Param, ...]:
    return tuple(c)


@builds("param")
def _(span: Span, c: Children) -> n.Param:
    return n.Param(span, *c)


@builds("whenever")
def _(span: Span, c: Children) -> n.Whenever:
    return n.Whenever(span, *c)


@builds("enters")
def _(span: Span, c: Children) -> n.Enters:
    thing, your, zone, doc, body = c
    return n.Enters(span, thing, your is not None, zone, doc, body)


def clauses(items: Children, kind: type) -> Any:
    return tuple(part for item in items if isinstance(item, list) for part in item if isinstance(part, kind))


def statements(items: Children) -> tuple[n.Stmt, ...]:
    return tuple(as_statement(item) for item in items if isinstance(item, n.Stmt | n.Note | n.Ruling))


def as_statement(item: n.Stmt | n.Note | n.Ruling) -> n.Stmt:
    return item if isinstance(item, n.Stmt) else n.Aside(item.span, None, item)


@builds("reaction")
def _(span: Span, c: Children) -> n.Reaction:
    name, doc, to, *rest = c
    parts = [clauses(rest, kind) for kind in (n.Binder, n.When, n.Cost)]
    return n.Reaction(span, name, to, *parts, doc, statements(rest))


@builds("option")
def _(span: Span, c: Children) -> n.Option:
    name, *rest = c
    doc = next((item for item in rest if isinstance(item, n.Words)), None)
    parts = [clauses(rest, kind) for kind in (n.Binder, n.When, n.Cost)]
    return n.Option(span, name, *parts, doc, statements(rest))


@builds("to", "clause_line", "else")
def _(span: Span, c: Children) -> Any:
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


@builds("binder")
def _(span: Span, c: Children) -> n.Binder:
    return n.Binder(span, *c)


@builds("cost")
def _(span: Span, c: Children) -> n.Cost:
    return n.Cost(span, *c)


@builds("domain", "start", "expr")
def _(span: Span, c: Children) -> Any:
    return c[0]


@builds("range")
def _(span: Span, c: Children) -> n.Range:
    return n.Range(span, *c)


@builds("args")
def _(span: Span, c: Children) -> tuple[n.Expr, ...]:
    return tuple(c)


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


@builds("do")
def _(span: Span, c: Children) -> n.Do:
    return n.Do(span, c[2], c[0], c[1] or ())


@builds("finish")
def _(span: Span, c: Children) -> n.Finish:
    return n.Finish(span, c[1], c[0])


@builds("announce")
def _(span: Span, c: Children) -> n.Announce:
    name, on, sharing, doc, body, otherwise = c
    return n.Announce(span, doc, name, on, sharing or (), body, otherwise or ())


@builds("cancel")
def _(span: Span, c: Children) -> n.Cancel:
    return n.Cancel(span, c[0])


@builds("property")
def _(span: Span, c: Children) -> n.Property:
    return n.Property(span, c[1], c[0])


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


@builds("shuffle")
def _(span: Span, c: Children) -> n.Shuffle:
    return n.Shuffle(span, c[1], c[0])


@builds("reveal")
def _(span: Span, c: Children) -> n.Reveal:
    return n.Reveal(span, c[2], c[0], c[1])


@builds("set")
def _(span: Span, c: Children) -> n.Set:
    return n.Set(span, c[2], c[0], c[1])


@builds("add")
def _(span: Span, c: Children) -> n.Add:
    return n.Add(span, c[2], c[0], c[1])


@builds("subtract")
def _(span: Span, c: Children) -> n.Subtract:
    return n.Subtract(span, c[2], c[0], c[1])


@builds("remember")
def _(span: Span, c: Children) -> n.Remember:
    return n.Remember(span, c[2], c[0], c[1])


@builds("eliminate")
def _(span: Span, c: Children) -> n.Eliminate:
    return n.Eliminate(span, c[1], c[0])


@builds("each_stmt")
def _(span: Span, c: Children) -> n.Each:
    together, going, doc, body = c
    return n.Each(span, doc, together is not None, going, body)


@builds("going")
def _(span: Span, c: Children) -> n.Going:
    return n.Going(span, *c)


@builds("pick")
def _(span: Span, c: Children) -> n.Pick:
    who, may, verb, count, source, to, doc = c
    return n.Pick(span, doc, who, may is not None, infinitive(verb), count, source, to)


@builds("choose")
def _(span: Span, c: Children) -> n.Choose:
    who, may, count, name, domain, provided, doc, body = c
    optional = isinstance(may, str)
    return n.Choose(span, doc, who, optional, count, name, domain, provided, body or ())


@builds("menu")
def _(span: Span, c: Children) -> n.Menu:
    who, may, doc, *options = c
    return n.Menu(span, doc, who, isinstance(may, str), tuple(options))


@builds("offer")
def _(span: Span, c: Children) -> n.Offer:
    _, going, may, doc, *rest = c
    return n.Offer(span, doc, going, True, tuple(rest[:-1]), rest[-1] or ())


@builds("count")
def _(span: Span, c: Children) -> n.Count:
    if isinstance(c[0], n.Name):  # up to N, any number
        return n.Count(span, None, c[1] if len(c) > 1 else None)
    return n.Count(span, c[0], c[0] if c[1] is None else c[1])


# ---- examples
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


@builds("fact")
def _(span: Span, c: Children) -> n.Fact:
    return n.Fact(span, *c)


@builds("ex_do")
def _(span: Span, c: Children) -> n.ExampleDo:
    return n.ExampleDo(span, c[0], c[1] or ())


@builds("answers")
def _(span: Span, c: Children) -> n.Answers:
    return n.Answers(span, c[0], tuple(c[1:]))


@builds("expect")
def _(span: Span, c: Children) -> n.Expect:
    return n.Expect(span, c[0])


@builds("expect_may")
def _(span: Span, c: Children) -> n.ExpectMay:
    player, may, *moves, because = c
    return n.ExpectMay(span, player, may != "may", tuple(moves), because)


@builds("ex_move")
def _(span: Span, c: Children) -> n.MoveText:
    return n.MoveText(span, " ".join(c))


@builds("word")
def _(span: Span, c: Children) -> str:
    return " ".join(c[0].span.text.split())


# ---- values
@builds("or")
def _(span: Span, c: Children) -> n.Or:
    return n.Or(span, *c)


@builds("and")
def _(span: Span, c: Children) -> n.And:
    return n.And(span, *c)


@builds("not")
def _(span: Span, c: Children) -> n.Not:
    return n.Not(span, c[0])


@builds("where")
def _(span: Span, c: Children) -> n.Where:
    return n.Where(span, *c)


@builds("agg")
def _(span: Span, c: Children) -> n.Agg:
    return n.Agg(span, c[0].text, c[1], c[2])


@builds("agg_by")
def _(span: Span, c: Children) -> n.AggBy:
    return n.AggBy(span, c[0] is not None, c[1].text, c[2], c[3])


@builds("read")
def _(span: Span, c: Children) -> n.Read:
    return n.Read(span, *c)


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


@builds("ranked_list")
def _(span: Span, c: Children) -> n.Ranked:
    return n.Ranked(span, *c)


def arith(operator: str) -> Builder:
    return lambda span, c: n.Arith(span, operator, c[0], c[1])


for rule, operator in {"plus": "+", "minus": "-", "times": "*", "over": "/"}.items():
    BUILDERS[rule] = arith(operator)


@builds("negative")
def _(span: Span, c: Children) -> n.Negative:
    return n.Negative(span, c[0])


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
def _(span: Span, c: Children) -> Any:
    return c[0]


@builds("text")
def _(span: Span, c: Children) -> n.Text:
    return n.Text(span, c[0].text)


@builds("list_of")
def _(span: Span, c: Children) -> n.ListOf:
    return n.ListOf(span, tuple(c))


# ---------------------------------------------------------------- text to file
def cut_items(text: str) -> list[tuple[int, int]]:
    """The top-level items: offsets of start and end. A line at the margin starts one, unless a bracket
    is open or the line before ends with a comma."""
    items: list[list[int]] = []
    offset, depth, comma = 0, 0, False
    for line in text.splitlines(keepends=True):
        bare = strip_texts(line)
        if bare.strip():
            if not line[0].isspace() and depth <= 0 and not comma:
                items.append([offset, offset])
                depth = 0
            if not items:
                items.append([offset, offset])
            depth += bare.count("(") - bare.count(")")
            comma = bare.rstrip().endswith(",")
            items[-1][1] = offset + len(line)
        offset += len(line)
    return [(start, end) for start, end in items]


def strip_texts(line: str) -> str:
    """A line without its quoted texts and its comment."""
    return re.sub(r"#.*", "", re.sub(r'"(\\.|[^"\\])*"?', '""', line.rstrip("\r\n")))


def parse_file(source: Source) -> n.File:
    """The nodes of a whole file."""
    header: Any = None
    items: list[Any] = []
    for start, end in cut_items(source.text):
        text = source.text[start:end].rstrip() + "\n"
        is_header = not items and header is None and re.match(r"(game|library)\b", text) is not None
        tree = grammar().parse(text, start="header" if is_header else "item")
        node = TreeBuilder(source, start).build(tree)
        if is_header:
            header = node
        else:
            items.append(node)
    return n.File(Span(source, 0, len(source.text)), header, tuple(items))
