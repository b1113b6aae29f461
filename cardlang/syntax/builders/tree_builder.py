"""Bottom-up traversal of a parse tree, registry of builders, and values in texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from attrs import frozen
from lark import Token, Tree

from cardlang.diagnostics import Diagnostic, Source, Span
from cardlang.diagnostics.source_limits import MAX_NESTING, report_deep_blocks, report_deep_expression
from cardlang.english.control_characters import build_code_from_title, normalize_unicode, unescape_backslashes
from cardlang.syntax import ast as n

STRING_PIECE_PATTERN = re.compile(
    r"""\\(?P<escaped>["{}\\])|(?P<escape>\\(?:u\{[0-9A-Fa-f]+\}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|x[0-9A-Fa-f]{2}|.))
    |\{(?P<value>[^{}]*)\}|(?P<open>\{)|(?P<plain>[^\\{]+)""",
    re.VERBOSE,
)
CODE_CHARACTERS_HINT = "a code can have letters, digits and hyphens, and must start with a letter or digit"


@frozen
class InterpolationRange:
    """Range of a value in a string, without its braces."""

    start: int
    end: int


@frozen
class UnclosedBrace:
    """Brace that is never closed."""

    start: int


@frozen
class InvalidEscape:
    """Invalid escape sequence, such as `\\n` or `\\u00bd`."""

    start: int
    end: int


def split_string(text: str) -> Iterator[str | InterpolationRange | UnclosedBrace | InvalidEscape]:
    """Yield the pieces of a raw string without its quotes: unescaped text, values, and errors."""
    plain_text = ""
    for match in STRING_PIECE_PATTERN.finditer(text):
        if match["plain"] is not None or match["escaped"] is not None:
            plain_text += match["plain"] or match["escaped"]
            continue
        yield plain_text
        plain_text = ""
        if match["escape"]:
            yield InvalidEscape(*match.span())
        else:
            yield UnclosedBrace(match.start()) if match["open"] else InterpolationRange(*match.span("value"))
    yield plain_text


def report_unclosed_brace(span: Span) -> Diagnostic:
    hint = "close it with `}`, or write `\\{` for a plain brace"
    return Diagnostic("E117", "this `{` is never closed", span, hint)


def report_invalid_escape(span: Span) -> Diagnostic:
    escape = span.text
    sign = decode_escape(escape)
    if escape == "\\n":
        hint = "text in quotes stays on one line. Remove the `\\n`, or write a second text where several are allowed"
    elif sign:
        hint = f"write the character itself: `{sign}`"
    else:
        hint = f"remove it, or write `\\\\{escape[1:]}` to print a backslash"
    message = f"unknown escape `{escape}`. Put a backslash only before a quote, a brace or another backslash"
    return Diagnostic("E125", message, span, hint)


def decode_escape(escape: str) -> str:
    """Return the visible character of an escape such as `\\u00bd` in other languages, or an empty string."""
    digits = escape[2:].strip("{}")
    code = int(digits, 16) if escape[1] in "uUx" and digits else 0
    return chr(code) if 0x20 < code < 0x110000 and chr(code).isprintable() else ""


def report_invalid_code(span: Span, suggested_code: str) -> Diagnostic:
    hint = f"{CODE_CHARACTERS_HINT}, as in `({suggested_code})`" if suggested_code else CODE_CHARACTERS_HINT
    return Diagnostic("E115", f"`{span.text}` is not a valid code", span, hint)


def report_invalid_interpolation(span: Span) -> Diagnostic:
    hint = "write one value, as in `{pot}` or `{count of your hand}`. For a plain brace, write `\\{`"
    message = "the text in braces is not a value" if span.text.strip() else "these braces are empty"
    return Diagnostic("E117", message, span, hint)


# ---------------------------------------------------------------- trees
T = TypeVar("T")
BuiltChildren = list[Any]
NodeBuilder = Callable[[Span, BuiltChildren], object]
NODE_BUILDERS: dict[str, NodeBuilder] = {}
INNER_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")
ValueParser = Callable[[str], Tree[Token] | None]
"""Function that parses a string as one value. It returns None if that fails."""


def register_builder(*rules: str) -> Callable[[NodeBuilder], NodeBuilder]:
    def add_builder(builder: NodeBuilder) -> NodeBuilder:
        for rule in rules:
            NODE_BUILDERS[rule] = builder
        return builder

    return add_builder


def register_positional_builders(classes: dict[str, Callable[..., object]]) -> None:
    """Register rules whose children are the fields of their node, in order."""
    for rule, make in classes.items():
        NODE_BUILDERS[rule] = lambda span, c, make=make: make(span, *c)  # type: ignore[misc]


def register_default_builders(statements: Iterable[type[n.Stmt]]) -> None:
    """Register default builders for the remaining statements.

    The rule's name comes from the class. Its last child is the text next to the statement, and the others are the
    fields."""
    for kind in statements:
        rule = INNER_CAPITAL.sub("_", kind.__name__).lower()
        make: Callable[..., n.Stmt] = kind
        NODE_BUILDERS.setdefault(rule, lambda span, c, make=make: make(span, c[-1], *c[:-1]))  # type: ignore[misc]


class TreeBuilder:
    """Builder of the node of one item, from the leaves up and without recursion.

    `map_to_source` maps an offset in the parsed text to one in the source; `parse_value` parses values in strings.
    `depth_error` is the first expression or statement with too many levels for later stages. `text_errors` has errors
    of values in strings, which are left out."""

    def __init__(self, source: Source, map_to_source: Callable[[int], int], parse_value: ValueParser) -> None:
        self.source = source
        self.map_to_source = map_to_source
        self.parse_value = parse_value
        self.expression_depths: dict[int, int] = {}
        self.block_depths: dict[int, int] = {}
        self.depth_error: Diagnostic | None = None
        self.text_errors: list[Diagnostic] = []

    def build_node(self, tree: Tree[Token]) -> Any:
        done: dict[int, object] = {}
        for subtree in tree.iter_subtrees():
            children = [done[id(c)] if isinstance(c, Tree) else self.build_leaf(c) for c in subtree.children]
            node = done[id(subtree)] = NODE_BUILDERS[subtree.data](self.build_span(subtree), children)
            if isinstance(node, n.Expr):
                self.check_expression_depth(node, children)
            else:
                self.check_block_depth(node, children)
        return done[id(tree)]

    def check_expression_depth(self, node: n.Expr, children: BuiltChildren) -> None:
        depth = 1 + max((self.expression_depths.get(id(child), 0) for child in children), default=0)
        self.expression_depths[id(node)] = depth
        if depth > MAX_NESTING and self.depth_error is None:
            self.depth_error = report_deep_expression(node.span)

    def check_block_depth(self, node: Any, children: BuiltChildren) -> None:
        """Record the nesting depth of statements. Each `otherwise if` counts as nested in its predecessor."""
        before = 2 if isinstance(node, n.If) else len(children)
        below = (self.block_depths.get(id(child), 0) + max(0, at - before) for at, child in enumerate(children))
        depth = self.block_depths[id(node)] = max(below, default=0) + isinstance(node, n.Stmt)
        if depth > MAX_NESTING + 1 and self.depth_error is None:
            self.depth_error = report_deep_blocks(node.span)

    def build_span(self, tree: Tree[Token]) -> Span:
        meta = tree.meta
        if meta.empty:
            return Span(self.source, self.map_to_source(0), self.map_to_source(0))
        start, end = self.map_to_source(meta.start_pos), self.map_to_source(meta.end_pos)
        return Span(self.source, start, self.find_first_line_end(start, end))

    def find_first_line_end(self, start: int, end: int) -> int:
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

    def build_leaf(self, token: object) -> object:
        if not isinstance(token, Token):
            return token
        start = token.start_pos or 0
        span = Span(self.source, self.map_to_source(start), self.map_to_source(start + len(token)))
        match token.type:
            case "STRING":
                return self.build_text(token, span)
            case "INT" | "NUMBER":
                return n.Number(span, str(token))
            case "CODE":
                return self.build_code(token, span)
            case "CARDS":
                return n.CardList(span, tuple(self.build_card_codes(token)))
            case "MAY_CHOOSE" | "MAY_MOVE" | "MAY":
                return str(token)
            case _:
                return n.Name(span, str(token))

    def build_text(self, token: Token, span: Span) -> n.Words:
        """Build a string, with its interpolated values."""
        raw, start = str(token[1:-1]), (token.start_pos or 0) + 1
        plain = unescape_backslashes(raw)
        if "{" not in raw and "\\" not in raw:
            return n.Words(span, plain)
        pieces: list[str | n.Expr] = []
        for piece in split_string(raw):
            match piece:
                case str():
                    pieces.append(piece)
                case InterpolationRange():
                    pieces += self.build_interpolated_value(raw[piece.start : piece.end], start + piece.start)
                case UnclosedBrace():
                    at = self.map_to_source(start + piece.start)
                    self.text_errors.append(report_unclosed_brace(Span(self.source, at, at + 1)))
                case InvalidEscape():
                    low, high = self.map_to_source(start + piece.start), self.map_to_source(start + piece.end)
                    self.text_errors.append(report_invalid_escape(Span(self.source, low, high)))
        return n.Words(span, plain, tuple(pieces) if any(isinstance(part, n.Expr) for part in pieces) else ())

    def build_interpolated_value(self, text: str, start: int) -> list[n.Expr]:
        """Build a value in a string, at the offset `start`. Return an empty list if it is unreadable."""
        tree = self.parse_value(text)
        if tree is None:
            self.text_errors.append(
                report_invalid_interpolation(
                    Span(self.source, self.map_to_source(start), self.map_to_source(start) + len(text))
                )
            )
            return []
        inner = TreeBuilder(self.source, lambda offset: self.map_to_source(start + offset), self.parse_value)
        value: n.Expr = inner.build_node(tree)
        self.depth_error = self.depth_error or inner.depth_error
        self.text_errors += inner.text_errors
        return [value]

    def build_card_codes(self, token: Token) -> Iterator[n.Name]:
        for match in re.finditer(r"[^\s\[\]]+", token):
            start, end = ((token.start_pos or 0) + offset for offset in match.span())
            yield n.Name(
                Span(self.source, self.map_to_source(start), self.map_to_source(end)), normalize_unicode(match[0])
            )

    def build_code(self, token: Token, span: Span) -> n.Name:
        """Build a card code. Characters other than letters, digits and hyphens are an error."""
        code = normalize_unicode(str(token))
        if code != build_code_from_title(code):
            self.text_errors.append(report_invalid_code(span, build_code_from_title(code)))
        return n.Name(span, code)


def read_optional_int(value: n.Number | None) -> int | None:
    return None if value is None else int(value.digits)


def read_optional_text(value: n.Words | None) -> str | None:
    return None if value is None else value.text


def find_first_of_type(items: BuiltChildren, kind: type[T]) -> T | None:
    return next((item for item in items if isinstance(item, kind)), None)


def find_all_of_type(items: BuiltChildren, kind: type[T]) -> tuple[T, ...]:
    return tuple(item for item in items if isinstance(item, kind))
