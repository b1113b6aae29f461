"""Incremental parsing: a cache of the items of a game file, so that only changed items are parsed again."""

from __future__ import annotations

from typing import Any

from attrs import define, field

from cardlang import kept
from cardlang import nodes as n
from cardlang.kept import Plain, digest
from cardlang.source import Source, Span

TYPES = {"header": "Game | Library", "item": "Item"}
"""Node types by the grammar rules for pieces of a file."""


@define
class KeptItems:
    """Pieces of a source with their rules and ranges.

    `known` has the cached pieces by rule and digest. `read` has the pieces without errors, in order, in the format of
    the cache. `new` means that some of them were not cached. `too_deep` means that one is nested too deeply to be
    cached."""

    source: Source
    known: dict[tuple[str, str], Plain] = field(factory=dict)
    read: list[Plain] = field(factory=list)
    new: bool = False
    too_deep: bool = False

    def node(self, rule: str, start: int, end: int) -> object:
        """Return the node of a piece if the piece is cached, or None."""
        plain = self.known.get((rule, digest(self.source.text[start:end])))
        return None if plain is None else node_of(plain, rule, self.source, start, end)

    def add(self, rule: str, start: int, end: int, node: n.Node) -> None:
        """Add a piece without errors."""
        from cardlang.nodes.plain import to_plain

        key = rule, digest(self.source.text[start:end])
        try:
            if key not in self.known:
                self.known[key] = to_plain(node, start)
                self.new = True
            self.read.append([rule, start, end, key[1], self.known[key]])
        except RecursionError:
            self.too_deep = True

    def keep(self, whole: bool) -> None:
        """Write the pieces to the cache. `whole` means that they make up the complete text."""
        if whole or self.new:
            text = digest(self.source.text) if whole and not self.too_deep else ""
            kept.keep({"text": text, "pieces": self.read}, *key(self.source))


def key(source: Source) -> tuple[str, ...]:
    """Return the cache key. Files with an equal name and first line count as versions of one file."""
    return "items", source.name, source.text.partition("\n")[0]


def find(source: Source) -> n.File | KeptItems:
    """Return the AST of a text that is fully cached, or else the cached pieces."""
    match kept.find(*key(source)):
        case {"text": str(text), "pieces": [*pieces]} if all(map(is_piece, pieces)):
            file = file_of(pieces, source) if text == digest(source.text) else None
            return file or KeptItems(source, {(rule, of): plain for rule, _, _, of, plain in pieces})  # type: ignore
    return KeptItems(source)


def is_piece(entry: Plain) -> bool:
    """Return whether an entry has the format of `KeptItems.add`. The node itself is checked on first use."""
    return (
        isinstance(entry, list) and [type(each) for each in entry] == [str, int, int, str, list] and entry[0] in TYPES
    )


def file_of(entries: list[Any], source: Source) -> n.File | None:
    """Return the AST of a text from its pieces, or None if a piece is invalid."""
    nodes = [node_of(plain, rule, source, start, end) for rule, start, end, _, plain in entries]
    if None in nodes:
        return None
    headers = [node for (rule, *_), node in zip(entries, nodes, strict=True) if rule == "header"]
    items = tuple(node for (rule, *_), node in zip(entries, nodes, strict=True) if rule == "item")
    return n.File(Span(source, 0, len(source.text)), headers[0] if headers else None, items)


def node_of(plain: Plain, rule: str, source: Source, start: int, end: int) -> Any:
    from cardlang.nodes.plain import from_plain

    try:
        return from_plain(plain, TYPES[rule], source, start, end) if 0 <= start <= end <= len(source.text) else None
    except (ValueError, RecursionError):
        return None
