"""The items of a game file as they were read before: after a change to one of them only that one is read again."""

from __future__ import annotations

from typing import Any

from attrs import define, field

from cardlang import kept
from cardlang import nodes as n
from cardlang.kept import Plain, digest
from cardlang.source import Source, Span

TYPES = {"header": "Game | Library", "item": "Item"}
"""What the rules of the grammar for the pieces of a file give."""


@define
class KeptItems:
    """The pieces of a text, each with its rule, begin and end; `known`: what was kept of pieces, by rule and digest;
    `read`: the pieces that could be read without a finding, in order, as they will be kept; `new`: whether any among
    them was not known, `too_deep`: whether one had to be left out."""

    source: Source
    known: dict[tuple[str, str], Plain] = field(factory=dict)
    read: list[Plain] = field(factory=list)
    new: bool = False
    too_deep: bool = False

    def node(self, rule: str, start: int, end: int) -> object:
        """The node of a piece of the text, if this very piece was read before; else None."""
        plain = self.known.get((rule, digest(self.source.text[start:end])))
        return None if plain is None else node_of(plain, rule, self.source, start, end)

    def add(self, rule: str, start: int, end: int, node: n.Node) -> None:
        """Notes a piece that was read without a finding."""
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
        """Keeps the pieces for later runs. `whole`: there is nothing else in the text."""
        if whole or self.new:
            text = digest(self.source.text) if whole and not self.too_deep else ""
            kept.keep({"text": text, "pieces": self.read}, *key(self.source))


def key(source: Source) -> tuple[str, ...]:
    """Files of one name and with the same first line are taken for one that was changed."""
    return "items", source.name, source.text.partition("\n")[0]


def find(source: Source) -> n.File | KeptItems:
    """The nodes of a text that was read before without mistakes; of any other text, what is known of its pieces."""
    match kept.find(*key(source)):
        case {"text": str(text), "pieces": [*pieces]} if all(map(is_piece, pieces)):
            file = file_of(pieces, source) if text == digest(source.text) else None
            return file or KeptItems(source, {(rule, of): plain for rule, _, _, of, plain in pieces})  # type: ignore
    return KeptItems(source)


def is_piece(entry: Plain) -> bool:
    """Whether an entry has the form that `KeptItems.add` gives it; the node itself is looked at when it is needed."""
    return (
        isinstance(entry, list) and [type(each) for each in entry] == [str, int, int, str, list] and entry[0] in TYPES
    )


def file_of(entries: list[Any], source: Source) -> n.File | None:
    """All nodes of a text from its pieces; None if any of them is not what it should be."""
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
