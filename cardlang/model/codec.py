"""Codec between frozen classes and plain data, derived from field types.

This needs few calls for each object, so that deeply nested games do not overflow the stack.

An object becomes a dictionary of its fields. A field with its zero value (null, false, an empty string or list) is
omitted. If several classes are possible, the key `is` names the class. A span is `[source, start, end]`, with the
source as a number. Decoding is strict: data that does not fit the types raises `MalformedDataError` with its path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NoReturn, Union, get_args, get_origin, get_type_hints

import attrs

from cardlang.diagnostics import Source, Span
from cardlang.model.field_constraints import (
    DeclaredName,
    MalformedDataError,
    MatchesPattern,
    OneOf,
    PositiveNumber,
    SharedItems,
    SourceTable,
    build_error_at,
    describe_data,
)

NUMBER_BOUND = 2**63
"""Bound of numbers: their absolute values are smaller."""

EncodeFunction = Callable[[Any, SourceTable], object]
DecodeFunction = Callable[[object, SourceTable], Any]


@attrs.frozen
class TypeCodec:
    """Encoder and decoder of a type.

    `encode` is None if values are already JSON values. `omitted_value` is the value that a field omits;
    `NO_OMITTED_VALUE` if there is none.
    """

    decode: DecodeFunction
    encode: EncodeFunction | None
    omitted_value: object


NO_OMITTED_VALUE = object()
"""Zero of a type without a zero value."""


# ---------------------------------------------------------------- reading
def decode_at(decode: DecodeFunction, data: object, key: str | int, sources: SourceTable) -> Any:
    try:
        return decode(data, sources)
    except MalformedDataError as fault:
        fault.path.append(key)
        raise


def decode_items(data: list[object], decode: DecodeFunction, sources: SourceTable) -> list[object]:
    return [decode_at(decode, each, place, sources) for place, each in enumerate(data)]


def require_list(data: object) -> list[object]:
    if type(data) is not list:
        raise MalformedDataError(f"expected a list, not {describe_data(data)}")
    return data


# ---------------------------------------------------------------- plain values
def build_scalar_decoder(class_: type, description: str) -> DecodeFunction:
    def decode_scalar(data: object, sources: SourceTable) -> object:
        if type(data) is not class_:
            raise MalformedDataError(f"expected {description}, not {describe_data(data)}")
        return data

    return decode_scalar


def decode_number(data: object, sources: SourceTable) -> int:
    if type(data) is not int or not -NUMBER_BOUND < data < NUMBER_BOUND:
        raise MalformedDataError(f"expected a whole number, not {describe_data(data)}")
    return data


def decode_fraction(data: object, sources: SourceTable) -> Fraction:
    parts = data.get("fraction") if type(data) is dict and len(data) == 1 else None
    if type(parts) is not list or len(parts) != 2:
        raise MalformedDataError(f'expected a fraction, such as {{"fraction": [75, 2]}}, not {describe_data(data)}')
    top, bottom = (decode_number(each, sources) for each in parts)
    if bottom < 2 or Fraction(top, bottom).denominator != bottom:
        raise MalformedDataError("a fraction must be in lowest terms, with a denominator from 2 up")
    return Fraction(top, bottom)


def decode_span(data: object, sources: SourceTable) -> Span:
    if type(data) is not list or len(data) != 3 or type(data[1]) is not int or type(data[2]) is not int:
        raise MalformedDataError(f"expected a place, such as [0, 12, 20], not {describe_data(data)}")
    source = sources.get_source(data[0])
    if not 0 <= data[1] <= data[2] <= len(source.text):
        raise MalformedDataError(f"there is no place from {data[1]} to {data[2]} in {source.name}")
    return Span(source, data[1], data[2])


SCALAR_CODECS: dict[object, TypeCodec] = {
    str: TypeCodec(build_scalar_decoder(str, "a text"), None, ""),
    bool: TypeCodec(build_scalar_decoder(bool, "true or false"), None, False),
    int: TypeCodec(decode_number, None, NO_OMITTED_VALUE),
    Fraction: TypeCodec(
        decode_fraction, lambda value, sources: {"fraction": [value.numerator, value.denominator]}, NO_OMITTED_VALUE
    ),
    Span: TypeCodec(
        decode_span,
        lambda value, sources: [sources.get_source_number(value.source), value.start, value.end],
        NO_OMITTED_VALUE,
    ),
    Source: TypeCodec(
        lambda data, sources: sources.get_source(data),
        lambda value, sources: sources.get_source_number(value),
        NO_OMITTED_VALUE,
    ),
}
"""Shapes of scalar types."""


def build_enum_codec(words: tuple[str, ...]) -> TypeCodec:
    def decode_word(data: object, sources: SourceTable) -> object:
        if type(data) is not str or data not in words:
            raise MalformedDataError(f"{describe_data(data)} is not one of {', '.join(words)}")
        return data

    return TypeCodec(decode_word, None, NO_OMITTED_VALUE)


def build_optional_codec(inner: TypeCodec) -> TypeCodec:
    """Return a shape that allows None in addition."""
    encode, decode = inner.encode, inner.decode

    def decode_optional(data: object, sources: SourceTable) -> object:
        return None if data is None else decode(data, sources)

    if encode is None:
        return TypeCodec(decode_optional, None, None)
    return TypeCodec(decode_optional, lambda value, sources: None if value is None else encode(value, sources), None)


def build_scalar_union_codec(codecs: list[tuple[object, TypeCodec]]) -> TypeCodec:
    """Return the shape of a union of scalar types, distinguished by their JSON types."""
    by_type = {str if get_args(kind) else kind: shape for kind, shape in codecs}
    in_json = {dict if kind is Fraction else kind: shape for kind, shape in by_type.items()}

    def encode_scalar(value: object, sources: SourceTable) -> object:
        encode = by_type[type(value)].encode
        return value if encode is None else encode(value, sources)

    def decode_scalar_union(data: object, sources: SourceTable) -> object:
        shape = in_json.get(type(data))
        if shape is None:
            raise MalformedDataError(f"{describe_data(data)} is not allowed here")
        return shape.decode(data, sources)

    return TypeCodec(decode_scalar_union, encode_scalar, NO_OMITTED_VALUE)


# ---------------------------------------------------------------- objects
CLASS_NAME_KEY = "is"
"""Key of the class name in an object."""


@attrs.frozen
class FieldCodec:
    name: str
    decode: DecodeFunction
    encode: EncodeFunction | None
    omitted_value: object

    @property
    def is_required(self) -> bool:
        return self.omitted_value is NO_OMITTED_VALUE


def compile_function(class_: type, fields: list[FieldCodec], source: str) -> Any:
    """Compile generated source and return the function that it defines."""
    namespace: dict[str, object] = {"kind": class_, "Malformed": MalformedDataError, "refused": raise_field_error}
    for field in fields:
        namespace |= {f"zero_{field.name}": field.omitted_value, f"read_{field.name}": field.decode}
        namespace[f"write_{field.name}"] = field.encode
    exec(source, namespace)
    return namespace["made"]


def build_encoder_source(class_name: str, fields: list[FieldCodec], tagged: bool) -> str:
    lines = [
        "def made(value, sources):",
        f"    found = {{{CLASS_NAME_KEY!r}: {class_name!r}}}" if tagged else "    found = {}",
    ]
    for field in fields:
        lines.append(f"    each = value.{field.name}")
        written = "each" if field.encode is None else f"write_{field.name}(each, sources)"
        indent = "    "
        if field.omitted_value is not NO_OMITTED_VALUE:
            lines.append(
                "    if each is not None:" if field.omitted_value is None else f"    if each != zero_{field.name}:"
            )
            indent = "        "
        lines.append(f"{indent}found[{field.name!r}] = {written}")
    return "\n".join([*lines, "    return found"])


def build_decoder_source(fields: list[FieldCodec], tagged: bool) -> str:
    lines = ["def made(data, sources):", f"    left = len(data) - {int(tagged)}", "    try:"]
    for field in fields:
        name = field.name
        missing = (
            f"at_{name} = zero_{name}"
            if field.omitted_value is not NO_OMITTED_VALUE
            else f"at = ''; refused(kind, {name!r}, data)"
        )
        lines += [
            f"        if {name!r} in data:",
            f"            at = {name!r}; left -= 1; at_{name} = read_{name}(data[at], sources)",
            "        else:",
            f"            {missing}",
        ]
    arguments = ", ".join(f"{field.name}=at_{field.name}" for field in fields)
    lines += ["        at = ''", "        if left: refused(kind, '', data)", f"        return kind({arguments})"]
    lines += ["    except Malformed as fault:", "        if at: fault.path.append(at)", "        raise"]
    return "\n".join(lines)


def raise_field_error(class_: type[attrs.AttrsInstance], missing_field: str, data: dict[str, object]) -> NoReturn:
    """Raise `MalformedDataError` for a missing or unknown field of an object."""
    if missing_field:
        raise MalformedDataError(f"{class_.__name__} needs `{missing_field}`")
    known = {each.name for each in attrs.fields(class_) if each.init}
    unknown = (key for key in data if key not in known and key != CLASS_NAME_KEY)
    raise build_error_at(f"{class_.__name__} has no such field", next(unknown, CLASS_NAME_KEY))


# ---------------------------------------------------------------- the codec
def build_field_codec(attribute: attrs.Attribute[object], type_codec: TypeCodec) -> FieldCodec:
    """Return the codec of a field. A plain default replaces the zero of its type as the value to omit."""
    default: object = attribute.default
    plain = default is not attrs.NOTHING and not hasattr(default, "takes_self")
    return FieldCodec(
        attribute.name, type_codec.decode, type_codec.encode, default if plain else type_codec.omitted_value
    )


class Codec:
    """Encoder and decoder of a type and all types in it.

    `classes`: the classes of all possible objects. If a field declares a base class, its value belongs to one of the
    subclasses without subclasses of their own.
    """

    def __init__(self, root_type: object, classes: Iterable[type]) -> None:
        self.classes = {each.__name__: each for each in classes}
        self.type_codecs: dict[object, TypeCodec] = {}
        self.field_codecs: dict[type, list[FieldCodec]] = {}
        self.encoders: dict[tuple[type, bool], EncodeFunction] = {}
        self.decoders: dict[tuple[type, bool], DecodeFunction] = {}
        self.root_codec = self.get_type_codec(root_type)

    def encode(self, value: object, sources: SourceTable) -> object:
        """Convert a value to JSON values. Sources in it are added to `sources`."""
        return value if self.root_codec.encode is None else self.root_codec.encode(value, sources)

    def decode(self, data: object, sources: SourceTable) -> Any:
        """Convert the result of `encode` back to the value. Raise `MalformedDataError` if the data does not fit."""
        return self.root_codec.decode(data, sources)

    def list_concrete_classes(self, base: type) -> list[type]:
        """Return the possible classes of a value declared as `base`: its subclasses without subclasses, or `base`."""
        below = [each for each in self.classes.values() if issubclass(each, base) and each is not base]
        return [each for each in below if self.list_concrete_classes(each) == [each]] or [base]

    def list_field_codecs(self, class_: type) -> list[FieldCodec]:
        found = self.field_codecs.get(class_)
        if found is None:
            types = get_type_hints(class_, include_extras=True)
            assert attrs.has(class_)
            told = [each for each in attrs.fields(class_) if each.init and not each.metadata]
            found = self.field_codecs[class_] = [
                build_field_codec(each, self.get_type_codec(types[each.name])) for each in told
            ]
        return found

    # ------------------------------------------------------------ types
    def get_type_codec(self, type_: object) -> TypeCodec:
        found = self.type_codecs.get(type_)
        if found is None:
            found = self.type_codecs[type_] = self.build_type_codec(type_)
        return found

    def build_type_codec(self, type_: object) -> TypeCodec:
        origin, args = get_origin(type_), get_args(type_)
        if type_ in SCALAR_CODECS:
            return SCALAR_CODECS[type_]
        if origin is Annotated:
            is_shared = isinstance(args[1], SharedItems)
            if is_shared:
                return self.build_shared_tuple_codec(get_args(args[0])[0])
            return self.build_checked_codec(self.get_type_codec(args[0]), args[1])
        if origin is Literal:
            return build_enum_codec(args)
        if origin in (Union, UnionType):
            return self.build_union_codec(args)
        if origin is tuple and args[1:] == (...,):
            return self.build_tuple_codec(args[0])
        if origin is tuple:
            return self.build_fixed_tuple_codec(args)
        if origin is dict and args[0] is str:
            return self.build_mapping_codec(args[1])
        if isinstance(type_, type) and attrs.has(type_):
            made = self.list_concrete_classes(type_)
            return self.build_class_codec(made[0]) if made == [type_] else self.build_tagged_union_codec(made)
        raise TypeError(f"{type_} has no plain form")

    def build_checked_codec(
        self, inner: TypeCodec, constraint: PositiveNumber | DeclaredName | OneOf | MatchesPattern
    ) -> TypeCodec:
        def decode_checked(data: object, sources: SourceTable) -> object:
            found = inner.decode(data, sources)
            constraint.check_field_value(found, sources)
            return found

        return TypeCodec(decode_checked, inner.encode, NO_OMITTED_VALUE)

    def build_tuple_codec(self, item_type: object) -> TypeCodec:
        inner = self.get_type_codec(item_type)
        encode, decode = inner.encode, inner.decode

        def decode_tuple(data: object, sources: SourceTable) -> object:
            return tuple(decode_items(require_list(data), decode, sources))

        if encode is None:
            return TypeCodec(decode_tuple, lambda value, sources: list(value), ())
        return TypeCodec(decode_tuple, lambda value, sources: [encode(each, sources) for each in value], ())

    def build_shared_tuple_codec(self, item_type: object) -> TypeCodec:
        """Return the shape of a tuple in which objects repeat, such as one body for each card face.

        JSON stores every distinct object once in `each`. `at` has an index into `each`, or null, for each position.
        """
        inner = self.build_tuple_codec(item_type)
        numbers = self.build_tuple_codec(int | None)

        def encode_shared(value: Sequence[object], sources: SourceTable) -> object:
            each = {id(one): one for one in value if one is not None}
            number = {key: place for place, key in enumerate(each)}
            written = inner.encode and inner.encode(tuple(each.values()), sources)
            return {"each": written, "at": [None if one is None else number[id(one)] for one in value]}

        def decode_shared(data: object, sources: SourceTable) -> object:
            if type(data) is not dict or set(data) != {"each", "at"}:
                raise MalformedDataError(f"expected an object with `each` and `at`, not {describe_data(data)}")
            each = decode_at(inner.decode, data["each"], "each", sources)
            at = decode_at(numbers.decode, data["at"], "at", sources)
            if any(number is not None and not 0 <= number < len(each) for number in at):
                raise build_error_at(f"a number is not below {len(each)}", "at")
            return tuple(None if number is None else each[number] for number in at)

        return TypeCodec(decode_shared, encode_shared, ())

    def build_fixed_tuple_codec(self, types: tuple[object, ...]) -> TypeCodec:
        """Return the shape of a tuple of fixed length."""
        inner = [self.get_type_codec(each) for each in types]

        def encode_fixed_tuple(value: Iterable[object], sources: SourceTable) -> list[object]:
            return [
                each if shape.encode is None else shape.encode(each, sources)
                for each, shape in zip(value, inner, strict=True)
            ]

        def decode_fixed_tuple(data: object, sources: SourceTable) -> object:
            found = require_list(data)
            if len(found) != len(inner):
                raise MalformedDataError(f"expected a list of {len(inner)}, not of {len(found)}")
            return tuple(
                decode_at(shape.decode, each, place, sources)
                for place, (each, shape) in enumerate(zip(found, inner, strict=True))
            )

        return TypeCodec(decode_fixed_tuple, encode_fixed_tuple, NO_OMITTED_VALUE)

    def build_mapping_codec(self, item_type: object) -> TypeCodec:
        """Return the shape of a dictionary of declarations by name.

        JSON stores it as a list, because order matters and JSON objects have none.
        """
        inner = self.build_tuple_codec(item_type)
        assert inner.encode is not None
        write_items = inner.encode

        def encode_mapping(value: Mapping[str, object], sources: SourceTable) -> object:
            return write_items(value.values(), sources)

        def decode_mapping(data: object, sources: SourceTable) -> object:
            found: dict[str, object] = {}
            for place, each in enumerate(inner.decode(data, sources)):
                if each.name in found:
                    raise build_error_at(f"two are called {describe_data(each.name)}", place)
                found[each.name] = each
            return found

        return TypeCodec(decode_mapping, encode_mapping, {})

    def build_union_codec(self, types: tuple[Any, ...]) -> TypeCodec:
        some = [each for each in types if each is not NoneType]
        objects = [each for each in some if attrs.has(each)]
        inner = (
            self.get_type_codec(some[0])
            if len(some) == 1
            else self.build_tagged_union_codec(objects)
            if len(objects) == len(some)
            else None
        )
        shape = (
            inner
            if inner is not None
            else build_scalar_union_codec([(each, self.get_type_codec(each)) for each in some])
        )
        return build_optional_codec(shape) if len(some) < len(types) else shape

    # ------------------------------------------------------------ objects
    def build_class_codec(self, class_: type) -> TypeCodec:
        """Return the shape of an object of exactly this class."""

        def encode_object(value: object, sources: SourceTable) -> object:
            if type(value) is not class_:
                raise TypeError(f"{type(value).__name__} where {class_.__name__} is declared")
            return self.get_encoder(class_, False)(value, sources)

        def decode_object(data: object, sources: SourceTable) -> object:
            if type(data) is not dict:
                raise MalformedDataError(f"expected an object, not {describe_data(data)}")
            return self.get_decoder(class_, False)(data, sources)

        return TypeCodec(decode_object, encode_object, NO_OMITTED_VALUE)

    def build_tagged_union_codec(self, classes: list[type]) -> TypeCodec:
        """Return the shape of an object of one of several classes, with its class name as a tag."""
        made = {each.__name__: each for kind in classes for each in self.list_concrete_classes(kind)}

        def encode_tagged(value: object, sources: SourceTable) -> object:
            kind = type(value)
            if kind not in made.values():
                raise TypeError(f"{kind.__name__} where one of {', '.join(made)} is declared")
            return self.get_encoder(kind, True)(value, sources)

        def decode_tagged(data: object, sources: SourceTable) -> object:
            if type(data) is not dict:
                raise MalformedDataError(f"expected an object, not {describe_data(data)}")
            name = data.get(CLASS_NAME_KEY)
            if type(name) is not str or name not in made:
                raise build_error_at(f"{describe_data(name)} is not one of {', '.join(made)}", CLASS_NAME_KEY)
            return self.get_decoder(made[name], True)(data, sources)

        return TypeCodec(decode_tagged, encode_tagged, NO_OMITTED_VALUE)

    def get_encoder(self, class_: type, tagged: bool) -> EncodeFunction:
        if (class_, tagged) not in self.encoders:
            fields = self.list_field_codecs(class_)
            self.encoders[class_, tagged] = compile_function(
                class_, fields, build_encoder_source(class_.__name__, fields, tagged)
            )
        return self.encoders[class_, tagged]

    def get_decoder(self, class_: type, tagged: bool) -> DecodeFunction:
        if (class_, tagged) not in self.decoders:
            fields = self.list_field_codecs(class_)
            self.decoders[class_, tagged] = compile_function(class_, fields, build_decoder_source(fields, tagged))
        return self.decoders[class_, tagged]
