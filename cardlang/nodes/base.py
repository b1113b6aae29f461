"""What all nodes share: a span; names, words and noun forms."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from cardlang.source import Span


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
    """A quoted text, without its quotes and escapes."""

    text: str


Subject = Literal["your"] | Name | None


@frozen(eq=False, repr=False)
class Called(Node):
    """Noun forms for the rule sheet."""

    singular: str
    plural: str | None
