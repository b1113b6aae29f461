"""Reader of XML files from others: without entities, and within a limit on elements."""

from __future__ import annotations

from collections.abc import Callable
from xml.parsers import expat

MAX_ELEMENTS = 300_000

HandleElement = Callable[[str, str, dict[str, str], str], None]
"""Handler of an element when it ends: the parent's name, its own name, its attributes and its text."""


def parse_elements(data: bytes, handle: HandleElement) -> None:
    """Call `handle` for each element. Names come without their namespace, except those of attributes.

    The text of an element that has others is only the part after them. Raise `ValueError` if the file is refused,
    `ExpatError` if it isn't XML."""
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    stack: list[tuple[str, dict[str, str]]] = [("", {})]
    texts: list[str] = []
    count = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if count > MAX_ELEMENTS:
            raise ValueError(f"has more than {MAX_ELEMENTS:,} XML elements")
        stack.append((name.rpartition(" ")[2], attributes))
        texts.clear()

    def end(_: str) -> None:
        name, attributes = stack.pop()
        handle(stack[-1][0], name, attributes, "".join(texts))
        texts.clear()

    def refuse(target: str, *_: object) -> None:
        if target != "xpacket":  # around metadata of drawing programs
            raise ValueError("has a document type or style sheet, which may load other files")

    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, texts.append
    parser.StartDoctypeDeclHandler = parser.ProcessingInstructionHandler = refuse
    parser.Parse(data, True)
