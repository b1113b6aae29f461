"""Traversal from parse trees to AST nodes, and the registry of builders."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from lark import Token, Tree

from cardlang import nodes as n
from cardlang.limits import MAX_NESTING, deep, deep_blocks
from cardlang.plain_text import code_of, composed, unescaped
from cardlang.reading.building.texts import (
    Escape,
    Open,
    Value,
    meaningless,
    never_closed,
    not_a_code,
    pieces,
    unreadable,
)
from cardlang.source import Diagnostic, Source, Span

T = TypeVar("T")
Children = list[Any]
Builder = Callable[[Span, Children], object]
BUILDERS: dict[str, Builder] = {}
INNER_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")
ValueReader = Callable[[str], Tree[Token] | None]
"""Function that parses a string as one value. It returns None if that fails."""


def builds(*rules: str) -> Callable[[Builder], Builder]:
    def register(builder: Builder) -> Builder:
        for rule in rules:
            BUILDERS[rule] = builder
        return builder

    return register


def builds_straight(classes: dict[str, Callable[..., object]]) -> None:
    """Register rules whose children are the fields of their node, in order."""
    for rule, make in classes.items():
        BUILDERS[rule] = lambda span, c, make=make: make(span, *c)  # type: ignore[misc]


def builds_others(statements: Iterable[type[n.Stmt]]) -> None:
    """Register default builders for the remaining statements.

    The rule's name comes from the class. Its last child is the text next to the statement, and the others are the
    fields."""
    for kind in statements:
        rule = INNER_CAPITAL.sub("_", kind.__name__).lower()
        make: Callable[..., n.Stmt] = kind
        BUILDERS.setdefault(rule, lambda span, c, make=make: make(span, c[-1], *c[:-1]))  # type: ignore[misc]


class TreeBuilder:
    """Builder of the node of one item, from the leaves up and without recursion.

    `place` maps an offset in the parsed text to one in the source; `value_in` parses values in strings. `too_deep` is
    the first expression or statement with too many levels for later stages. `unreadable` has errors of values in
    strings, which are left out."""

    def __init__(self, source: Source, place: Callable[[int], int], value_in: ValueReader) -> None:
        self.source = source
        self.place = place
        self.value_in = value_in
        self.depths: dict[int, int] = {}
        self.blocks: dict[int, int] = {}
        self.too_deep: Diagnostic | None = None
        self.unreadable: list[Diagnostic] = []

    def build(self, tree: Tree[Token]) -> Any:
        done: dict[int, object] = {}
        for subtree in tree.iter_subtrees():
            children = [done[id(c)] if isinstance(c, Tree) else self.leaf(c) for c in subtree.children]
            node = done[id(subtree)] = BUILDERS[subtree.data](self.span(subtree), children)
            if isinstance(node, n.Expr):
                self.measure(node, children)
            else:
                self.measure_block(node, children)
        return done[id(tree)]

    def measure(self, node: n.Expr, children: Children) -> None:
        depth = 1 + max((self.depths.get(id(child), 0) for child in children), default=0)
        self.depths[id(node)] = depth
        if depth > MAX_NESTING and self.too_deep is None:
            self.too_deep = deep(node.span)

    def measure_block(self, node: Any, children: Children) -> None:
        """Record the nesting depth of statements. Each `otherwise if` counts as nested in its predecessor."""
        before = 2 if isinstance(node, n.If) else len(children)
        below = (self.blocks.get(id(child), 0) + max(0, at - before) for at, child in enumerate(children))
        depth = self.blocks[id(node)] = max(below, default=0) + isinstance(node, n.Stmt)
        if depth > MAX_NESTING + 1 and self.too_deep is None:
            self.too_deep = deep_blocks(node.span)

    def span(self, tree: Tree[Token]) -> Span:
        meta = tree.meta
        if meta.empty:
            return Span(self.source, self.place(0), self.place(0))
        start, end = self.place(meta.start_pos), self.place(meta.end_pos)
        return Span(self.source, start, self.first_line_end(start, end))

    def first_line_end(self, start: int, end: int) -> int:
        """Return the end of a node's first line, without its block. Brackets and commas may continue the line."""
        text = self.source.text[start:end]
        newline = text.find("\n")
        while newline >= 0:
            line = text[:newline]
            if line.count("(") <= line.count(")") and not line.rstrip().endswith(","):
                comment = line.find("#", line.rfind('"') + 1)
                return start + len((line if comment < 0 else line[:comment]).rstrip())
            newline = text.find("\n", newline + 1)
        return start + len(text.rstrip())

    def leaf(self, token: object) -> object:
        if not isinstance(token, Token):
            return token
        start = token.start_pos or 0
        span = Span(self.source, self.place(start), self.place(start + len(token)))
        match token.type:
            case "STRING":
                return self.words(token, span)
            case "INT" | "NUMBER":
                return n.Number(span, str(token))
            case "CODE":
                return self.code(token, span)
            case "CARDS":
                return n.CardList(span, tuple(self.codes(token)))
            case "MAY_CHOOSE" | "MAY_MOVE" | "MAY":
                return str(token)
            case _:
                return n.Name(span, str(token))

    def words(self, token: Token, span: Span) -> n.Words:
        """Build a string, with its interpolated values."""
        raw, start = str(token[1:-1]), (token.start_pos or 0) + 1
        plain = unescaped(raw)
        if "{" not in raw and "\\" not in raw:
            return n.Words(span, plain)
        found: list[str | n.Expr] = []
        for piece in pieces(raw):
            match piece:
                case str():
                    found.append(piece)
                case Value():
                    found += self.value(raw[piece.start : piece.end], start + piece.start)
                case Open():
                    at = self.place(start + piece.start)
                    self.unreadable.append(never_closed(Span(self.source, at, at + 1)))
                case Escape():
                    low, high = self.place(start + piece.start), self.place(start + piece.end)
                    self.unreadable.append(meaningless(Span(self.source, low, high)))
        return n.Words(span, plain, tuple(found) if any(isinstance(each, n.Expr) for each in found) else ())

    def value(self, text: str, start: int) -> list[n.Expr]:
        """Build a value in a string, at the offset `start`. Return an empty list if it is unreadable."""
        tree = self.value_in(text)
        if tree is None:
            self.unreadable.append(unreadable(Span(self.source, self.place(start), self.place(start) + len(text))))
            return []
        inner = TreeBuilder(self.source, lambda offset: self.place(start + offset), self.value_in)
        value: n.Expr = inner.build(tree)
        self.too_deep = self.too_deep or inner.too_deep
        self.unreadable += inner.unreadable
        return [value]

    def codes(self, token: Token) -> Iterator[n.Name]:
        for match in re.finditer(r"[^\s\[\]]+", token):
            start, end = ((token.start_pos or 0) + offset for offset in match.span())
            yield n.Name(Span(self.source, self.place(start), self.place(end)), composed(match[0]))

    def code(self, token: Token, span: Span) -> n.Name:
        """Build a card code. Characters other than letters, digits and hyphens are an error."""
        code = composed(str(token))
        if code != code_of(code):
            self.unreadable.append(not_a_code(span, code_of(code)))
        return n.Name(span, code)


def number(value: n.Number | None) -> int | None:
    return None if value is None else int(value.digits)


def text_of(value: n.Words | None) -> str | None:
    return None if value is None else value.text


def first_of_type(items: Children, kind: type[T]) -> T | None:
    return next((item for item in items if isinstance(item, kind)), None)


def all_of_type(items: Children, kind: type[T]) -> tuple[T, ...]:
    return tuple(item for item in items if isinstance(item, kind))
