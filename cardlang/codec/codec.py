"""Build the encoder and decoder of each type on first use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import attrs

from cardlang.codec.objects import TAG, Field, made, reader_source, writer_source
from cardlang.codec.rules import Counted, Malformed, OneOf, Refers, Shared, Sources, Spelt, misplaced, shown
from cardlang.codec.scalars import (
    REQUIRED,
    SHAPES,
    Decode,
    Encode,
    Shape,
    decoded,
    either,
    items,
    listed,
    one_of,
    optional,
)  # fmt: skip


def field_of(attribute: attrs.Attribute[object], shape: Shape) -> Field:
    """Return the codec of a field. A plain default replaces the zero of its type as the value to omit."""
    default: object = attribute.default
    plain = default is not attrs.NOTHING and not hasattr(default, "takes_self")
    return Field(attribute.name, shape.decode, shape.encode, default if plain else shape.zero)


class Codec:
    """Encoder and decoder of a type and all types in it.

    `classes`: the classes of all possible objects. If a field declares a base class, its value belongs to one of the
    subclasses without subclasses of their own.
    """

    def __init__(self, whole: object, classes: Iterable[type]) -> None:
        self.classes = {each.__name__: each for each in classes}
        self.shapes: dict[object, Shape] = {}
        self.fields: dict[type, list[Field]] = {}
        self.writers: dict[tuple[type, bool], Encode] = {}
        self.readers: dict[tuple[type, bool], Decode] = {}
        self.whole = self.shape(whole)

    def encode(self, value: object, sources: Sources) -> object:
        """Convert a value to JSON values. Sources in it are added to `sources`."""
        return value if self.whole.encode is None else self.whole.encode(value, sources)

    def decode(self, data: object, sources: Sources) -> Any:
        """Convert the result of `encode` back to the value. Raise `Malformed` if the data does not fit."""
        return self.whole.decode(data, sources)

    def made_from(self, base: type) -> list[type]:
        """Return the possible classes of a value declared as `base`: its subclasses without subclasses, or `base`."""
        below = [each for each in self.classes.values() if issubclass(each, base) and each is not base]
        return [each for each in below if self.made_from(each) == [each]] or [base]

    def fields_of(self, kind: type) -> list[Field]:
        found = self.fields.get(kind)
        if found is None:
            types = get_type_hints(kind, include_extras=True)
            assert attrs.has(kind)
            told = [each for each in attrs.fields(kind) if each.init and not each.metadata]
            found = self.fields[kind] = [field_of(each, self.shape(types[each.name])) for each in told]
        return found

    # ------------------------------------------------------------ types
    def shape(self, type_: object) -> Shape:
        found = self.shapes.get(type_)
        if found is None:
            found = self.shapes[type_] = self.shape_of(type_)
        return found

    def shape_of(self, type_: object) -> Shape:
        origin, args = get_origin(type_), get_args(type_)
        if type_ in SHAPES:
            return SHAPES[type_]
        if origin is Annotated:
            is_shared = isinstance(args[1], Shared)
            return self.shared(get_args(args[0])[0]) if is_shared else self.checked(self.shape(args[0]), args[1])
        if origin is Literal:
            return one_of(args)
        if origin in (Union, UnionType):
            return self.union(args)
        if origin is tuple and args[1:] == (...,):
            return self.sequence(args[0])
        if origin is tuple:
            return self.record(args)
        if origin is dict and args[0] is str:
            return self.mapping(args[1])
        if isinstance(type_, type) and attrs.has(type_):
            made = self.made_from(type_)
            return self.object(made[0]) if made == [type_] else self.tagged(made)
        raise TypeError(f"{type_} has no plain form")

    def checked(self, inner: Shape, rule: Counted | Refers | OneOf | Spelt) -> Shape:
        def read(data: object, sources: Sources) -> object:
            found = inner.decode(data, sources)
            rule.check(found, sources)
            return found

        return Shape(read, inner.encode, REQUIRED)

    def sequence(self, item: object) -> Shape:
        inner = self.shape(item)
        encode, decode = inner.encode, inner.decode

        def read(data: object, sources: Sources) -> object:
            return tuple(items(listed(data), decode, sources))

        if encode is None:
            return Shape(read, lambda value, sources: list(value), ())
        return Shape(read, lambda value, sources: [encode(each, sources) for each in value], ())

    def shared(self, item: object) -> Shape:
        """Return the shape of a tuple in which objects repeat, such as one body for each card face.

        JSON stores every distinct object once in `each`. `at` has an index into `each`, or null, for each position.
        """
        inner = self.sequence(item)
        numbers = self.sequence(int | None)

        def write(value: Sequence[object], sources: Sources) -> object:
            each = {id(one): one for one in value if one is not None}
            number = {key: place for place, key in enumerate(each)}
            written = inner.encode and inner.encode(tuple(each.values()), sources)
            return {"each": written, "at": [None if one is None else number[id(one)] for one in value]}

        def read(data: object, sources: Sources) -> object:
            if type(data) is not dict or set(data) != {"each", "at"}:
                raise Malformed(f"expected an object with `each` and `at`, not {shown(data)}")
            each = decoded(inner.decode, data["each"], "each", sources)
            at = decoded(numbers.decode, data["at"], "at", sources)
            if any(number is not None and not 0 <= number < len(each) for number in at):
                raise misplaced(f"a number is not below {len(each)}", "at")
            return tuple(None if number is None else each[number] for number in at)

        return Shape(read, write, ())

    def record(self, types: tuple[object, ...]) -> Shape:
        """Return the shape of a tuple of fixed length."""
        inner = [self.shape(each) for each in types]

        def write(value: Iterable[object], sources: Sources) -> list[object]:
            return [
                each if shape.encode is None else shape.encode(each, sources)
                for each, shape in zip(value, inner, strict=True)
            ]

        def read(data: object, sources: Sources) -> object:
            found = listed(data)
            if len(found) != len(inner):
                raise Malformed(f"expected a list of {len(inner)}, not of {len(found)}")
            return tuple(
                decoded(shape.decode, each, place, sources)
                for place, (each, shape) in enumerate(zip(found, inner, strict=True))
            )

        return Shape(read, write, REQUIRED)

    def mapping(self, item: object) -> Shape:
        """Return the shape of a dictionary of declarations by name.

        JSON stores it as a list, because order matters and JSON objects have none.
        """
        inner = self.sequence(item)
        assert inner.encode is not None
        write_items = inner.encode

        def write(value: Mapping[str, object], sources: Sources) -> object:
            return write_items(value.values(), sources)

        def read(data: object, sources: Sources) -> object:
            found: dict[str, object] = {}
            for place, each in enumerate(inner.decode(data, sources)):
                if each.name in found:
                    raise misplaced(f"two are called {shown(each.name)}", place)
                found[each.name] = each
            return found

        return Shape(read, write, {})

    def union(self, types: tuple[Any, ...]) -> Shape:
        some = [each for each in types if each is not NoneType]
        objects = [each for each in some if attrs.has(each)]
        inner = self.shape(some[0]) if len(some) == 1 else self.tagged(objects) if len(objects) == len(some) else None
        shape = inner if inner is not None else either([(each, self.shape(each)) for each in some])
        return optional(shape) if len(some) < len(types) else shape

    # ------------------------------------------------------------ objects
    def object(self, kind: type) -> Shape:
        """Return the shape of an object of exactly this class."""

        def write(value: object, sources: Sources) -> object:
            if type(value) is not kind:
                raise TypeError(f"{type(value).__name__} where {kind.__name__} is declared")
            return self.writer(kind, False)(value, sources)

        def read(data: object, sources: Sources) -> object:
            if type(data) is not dict:
                raise Malformed(f"expected an object, not {shown(data)}")
            return self.reader(kind, False)(data, sources)

        return Shape(read, write, REQUIRED)

    def tagged(self, kinds: list[type]) -> Shape:
        """Return the shape of an object of one of several classes, with its class name as a tag."""
        made = {each.__name__: each for kind in kinds for each in self.made_from(kind)}

        def write(value: object, sources: Sources) -> object:
            kind = type(value)
            if kind not in made.values():
                raise TypeError(f"{kind.__name__} where one of {', '.join(made)} is declared")
            return self.writer(kind, True)(value, sources)

        def read(data: object, sources: Sources) -> object:
            if type(data) is not dict:
                raise Malformed(f"expected an object, not {shown(data)}")
            name = data.get(TAG)
            if type(name) is not str or name not in made:
                raise misplaced(f"{shown(name)} is not one of {', '.join(made)}", TAG)
            return self.reader(made[name], True)(data, sources)

        return Shape(read, write, REQUIRED)

    def writer(self, kind: type, tagged: bool) -> Encode:
        if (kind, tagged) not in self.writers:
            fields = self.fields_of(kind)
            self.writers[kind, tagged] = made(kind, fields, writer_source(kind.__name__, fields, tagged))
        return self.writers[kind, tagged]

    def reader(self, kind: type, tagged: bool) -> Decode:
        if (kind, tagged) not in self.readers:
            fields = self.fields_of(kind)
            self.readers[kind, tagged] = made(kind, fields, reader_source(fields, tagged))
        return self.readers[kind, tagged]
