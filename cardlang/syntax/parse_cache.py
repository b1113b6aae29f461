"""Cache of parsed items, and serialisation of syntax nodes.

A node is a list: the number of its class, its start, its length and its fields. The decoder checks values against the
types declared in the classes, so no other data becomes a node.
"""

from __future__ import annotations

from functools import cache
from types import NoneType
from typing import Any, Literal, get_args, get_origin

import attrs
from attrs import define, field

from cardlang import storage
from cardlang.diagnostics import Source, Span
from cardlang.storage import JsonValue, compute_text_digest
from cardlang.syntax import ast as n

NODE_TYPES_BY_RULE = {"header": "Game | Library", "item": "Item"}
"""Node types by the grammar rules for pieces of a file."""


@define
class ParsedItemCache:
    """Pieces of a source with their rules and ranges.

    `cached_pieces` has the cached pieces by rule and digest. `error_free_pieces` has the pieces without errors, in
    order, in the format of the cache. `has_new_pieces` means that some of them were not cached. `is_too_deep` means
    that one is nested too deeply to be cached."""

    source: Source
    cached_pieces: dict[tuple[str, str], JsonValue] = field(factory=dict)
    error_free_pieces: list[JsonValue] = field(factory=list)
    has_new_pieces: bool = False
    is_too_deep: bool = False

    def find_node(self, rule: str, start: int, end: int) -> object:
        """Return the node of a piece if the piece is cached, or None."""
        plain = self.cached_pieces.get((rule, compute_text_digest(self.source.text[start:end])))
        return None if plain is None else decode_cached_node(plain, rule, self.source, start, end)

    def add_piece(self, rule: str, start: int, end: int, node: n.Node) -> None:
        """Add a piece without errors."""

        key = rule, compute_text_digest(self.source.text[start:end])
        try:
            if key not in self.cached_pieces:
                self.cached_pieces[key] = encode_node(node, start)
                self.has_new_pieces = True
            self.error_free_pieces.append([rule, start, end, key[1], self.cached_pieces[key]])
        except RecursionError:
            self.is_too_deep = True

    def save(self, is_complete: bool) -> None:
        """Write the pieces to the cache. `is_complete` means that they make up the complete text."""
        if is_complete or self.has_new_pieces:
            text = compute_text_digest(self.source.text) if is_complete and not self.is_too_deep else ""
            storage.write_cache_entry(
                {"text": text, "pieces": self.error_free_pieces}, *build_parse_cache_key(self.source)
            )


def build_parse_cache_key(source: Source) -> tuple[str, ...]:
    """Return the cache key. Files with an equal name and first line count as versions of one file."""
    return "items", source.name, source.text.partition("\n")[0]


def read_parse_cache(source: Source) -> n.File | ParsedItemCache:
    """Return the AST of a text that is fully cached, or else the cached pieces."""
    match storage.read_cache_entry(*build_parse_cache_key(source)):
        case {"text": str(text), "pieces": [*pieces]} if all(map(is_cached_piece, pieces)):
            file = build_cached_file(pieces, source) if text == compute_text_digest(source.text) else None
            return file or ParsedItemCache(source, {(rule, of): plain for rule, _, _, of, plain in pieces})  # type: ignore
    return ParsedItemCache(source)


def is_cached_piece(entry: JsonValue) -> bool:
    """Return whether an entry has the format of `ParsedItemCache.add_piece`.

    The node itself is checked on first use."""
    return (
        isinstance(entry, list)
        and [type(each) for each in entry] == [str, int, int, str, list]
        and entry[0] in NODE_TYPES_BY_RULE
    )


def build_cached_file(entries: list[Any], source: Source) -> n.File | None:
    """Return the AST of a text from its pieces, or None if a piece is invalid."""
    nodes = [decode_cached_node(plain, rule, source, start, end) for rule, start, end, _, plain in entries]
    if None in nodes:
        return None
    headers = [node for (rule, *_), node in zip(entries, nodes, strict=True) if rule == "header"]
    items = tuple(node for (rule, *_), node in zip(entries, nodes, strict=True) if rule == "item")
    return n.File(Span(source, 0, len(source.text)), headers[0] if headers else None, items)


def decode_cached_node(plain: JsonValue, rule: str, source: Source, start: int, end: int) -> Any:

    try:
        return (
            decode_node(plain, NODE_TYPES_BY_RULE[rule], source, start, end)
            if 0 <= start <= end <= len(source.text)
            else None
        )
    except (ValueError, RecursionError):
        return None


# ---------------------------------------------------------------- serialised nodes
NODE_CLASSES = [each for each in vars(n).values() if isinstance(each, type) and issubclass(each, n.Node)]
NODE_CLASS_NUMBERS = {kind: number for number, kind in enumerate(NODE_CLASSES)}


def encode_node(value: Any, start: int) -> Any:
    """Convert a node or the value of a field to JSON values.

    Offsets count from `start`. Raise `RecursionError` if the nodes are nested too deeply.
    """
    kind: Any = type(value)
    if kind is tuple:
        return [encode_node(each, start) for each in value]
    number = NODE_CLASS_NUMBERS.get(kind)
    if number is None:
        return value
    span: Span = value.span
    return [
        number,
        span.start - start,
        span.end - span.start,
        *(encode_node(getattr(value, f), start) for f in list_encoded_fields(kind)),
    ]


def decode_node(value: object, annotation: str, source: Source, start: int, end: int) -> object:
    """Rebuild the value that `encode_node` converted, in the source from `start` to `end`.

    `annotation` is its type as written in the node classes, such as `Item`. Raise `ValueError` for any other data, and
    `RecursionError` if it is nested too deeply.
    """
    return NodeDecoder(source, start, end - start).decode_value(value, build_annotation_schema(annotation))


@cache
def list_encoded_fields(kind: type[attrs.AttrsInstance]) -> tuple[str, ...]:
    """Return the field names of a node class, without the span."""
    return tuple(each.name for each in find_encoded_attributes(kind))


def find_encoded_attributes(kind: type[attrs.AttrsInstance]) -> list[Any]:
    return [each for each in attrs.fields(kind) if each.name != "span"]


@attrs.frozen
class FieldSchema:
    """Schema of a type: the values that it allows.

    `scalars` are allowed by class, `literals` by value, nodes by their class `class_numbers`. If the type is a tuple,
    `item_schema` is the schema of its items.
    """

    scalars: frozenset[type]
    literals: frozenset[str]
    class_numbers: frozenset[int]
    item_schema: FieldSchema | None


@cache
def build_annotation_schema(annotation: str) -> FieldSchema:
    """Return the schema of a type annotation, as written in the node classes."""
    return build_type_schema(eval(annotation, {**vars(n), "Literal": Literal}))


def build_type_schema(kind: Any) -> FieldSchema:
    scalars, words, numbers, each = set[type](), set[str](), set[int](), None
    todo = [kind]
    while todo:
        kind = todo.pop()
        if get_origin(kind) is tuple:
            each = build_type_schema(get_args(kind)[0])
        elif get_origin(kind) is Literal:
            words.update(get_args(kind))
        elif get_args(kind):
            todo += get_args(kind)
        elif kind in NODE_CLASS_NUMBERS:
            numbers.update(number for number, other in enumerate(NODE_CLASSES) if issubclass(other, kind))
        else:
            scalars.add(NoneType if kind is None else kind)
    return FieldSchema(frozenset(scalars), frozenset(words), frozenset(numbers), each)


@cache
def build_field_schemas(number: int) -> tuple[FieldSchema, ...]:
    """Return the schemas of the fields of a node class, by its number."""
    return tuple(build_annotation_schema(each.type) for each in find_encoded_attributes(NODE_CLASSES[number]))


@attrs.frozen
class NodeDecoder:
    """Decoder for part of a source, with the start and the length of that part."""

    source: Source
    start: int
    size: int

    def decode_value(self, value: Any, schema: FieldSchema) -> Any:
        kind = type(value)
        if kind is list:
            if schema.item_schema is None:
                return self.decode_fields(value, schema.class_numbers)
            each = schema.item_schema
            return tuple([self.decode_value(item, each) for item in value])
        if kind in schema.scalars or (kind is str and value in schema.literals):
            return value
        raise ValueError(value)

    def decode_fields(self, value: list[object], class_numbers: frozenset[int]) -> n.Node:
        number, start, size, *rest = value
        if not (type(number) is type(start) is type(size) is int and number in class_numbers):
            raise ValueError(value)
        if start < 0 or size < 0 or start + size > self.size:
            raise ValueError(value)
        start += self.start
        found = [self.decode_value(each, form) for each, form in zip(rest, build_field_schemas(number), strict=True)]
        node: n.Node = NODE_CLASSES[number](Span(self.source, start, start + size), *found)
        return node
