"""Base classes of AST nodes: spans, names, quoted texts and noun forms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from attrs import frozen

from cardlang.source import Span

if TYPE_CHECKING:
    from cardlang.nodes.expressions import Expr


@frozen(eq=False, repr=False)
class Node:
    span: Span


@frozen(eq=False, repr=False)
class Name(Node):
    text: str

    def __str__(self) -> str:
        return self.text


@frozen(eq=False, repr=False)
class Words(Node):
    """A quoted text, without its quotes and escapes.

    `pieces` is set if the text has values in braces. It holds the strings around the values, and the values, in order.
    """

    text: str
    pieces: tuple[str | Expr, ...] = ()


Subject = Literal["your"] | Name | None


@frozen(eq=False, repr=False)
class Called(Node):
    """Noun forms for the rule sheet."""

    singular: str
    plural: str | None
