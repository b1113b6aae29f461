"""JSON schemas of a game, a table and a report, generated from their classes: `docs/game.schema.json`,
`docs/table.schema.json`, `docs/report.schema.json`.

`python -m tests.docs` writes them."""

import json
from fractions import Fraction
from inspect import cleandoc
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import attrs

from cardlang.analysis.balance.report_statistics import Balance, Comparison
from cardlang.diagnostics import Source, Span
from cardlang.model import Game
from cardlang.model.codec import Codec
from cardlang.model.field_constraints import DeclaredName, MatchesPattern, OneOf, PositiveNumber, SharedItems
from cardlang.model.game_json import FORMAT_VERSION, TOP_LEVEL_KEYS, get_game_codec
from interpreter.view.table_model import Table, get_table_codec

PATH = Path(__file__).parents[2] / "docs" / "game.schema.json"
TABLE_PATH = PATH.with_name("table.schema.json")
REPORT_PATH = PATH.with_name("report.schema.json")
WIDTH = 120
PLAIN: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    Source: {"type": "integer", "minimum": 0, "description": "The number of a source in `sources`."},
    Span: {"$ref": "#/$defs/Place in a text"},
    Fraction: {"$ref": "#/$defs/Fraction"},
}
DEFINED = {
    "Place in a text": {
        "description": "Number of a source, start and end (exclusive), in Unicode characters from 0. Each line ends"
        " with \\n.",
        "type": "array",
        "prefixItems": [{"type": "integer", "minimum": 0}] * 3,
        "minItems": 3,
        "maxItems": 3,
    },
    "Fraction": {
        "description": "A fraction: numerator and denominator, in lowest terms.",
        "type": "object",
        "properties": {"fraction": {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}},
        "required": ["fraction"],
        "additionalProperties": False,
    },
}


class Writer:
    """Gathers the definitions of classes as they are met."""

    def __init__(self, codec: Codec) -> None:
        self.codec = codec
        self.defined: dict[str, dict[str, Any]] = dict(DEFINED)

    def of(self, type_: Any) -> dict[str, Any]:
        origin, args = get_origin(type_), get_args(type_)
        if type_ in PLAIN:
            return PLAIN[type_]
        if type_ is NoneType:
            return {"type": "null"}
        if origin is Annotated:
            return self.annotated(args[0], args[1])
        if origin in (Union, UnionType):
            return {"anyOf": [self.of(each) if not attrs.has(each) else self.among(each, args) for each in args]}
        if origin is tuple and args[1:] == (...,):
            return {"type": "array", "items": self.of(args[0])}
        if origin is tuple:
            items = [self.of(each) for each in args]
            return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
        if origin is dict:
            return {"type": "array", "items": self.of(args[1])}
        if get_args(type_):
            return {"enum": list(args)}
        made = self.codec.list_concrete_classes(type_)
        return self.refer(type_, False) if made == [type_] else self.base(type_, made)

    def base(self, kind: type, made: list[type]) -> dict[str, Any]:
        """Return the schema of a base class: one of its subclasses."""
        if kind.__name__ not in self.defined:
            self.defined[kind.__name__] = {}
            self.defined[kind.__name__] = self.any_of(made)
        return {"$ref": f"#/$defs/{kind.__name__}"}

    def among(self, kind: Any, types: tuple[Any, ...]) -> dict[str, Any]:
        """Return the schema of a class in a union. The name distinguishes it from others."""
        alone = len([each for each in types if each is not NoneType]) == 1
        return self.of(kind) if alone else self.any_of(self.codec.list_concrete_classes(kind))

    def any_of(self, kinds: list[type]) -> dict[str, Any]:
        return {"anyOf": [self.refer(each, True) for each in kinds]}

    def annotated(self, type_: Any, rule: object) -> dict[str, Any]:
        match rule:
            case OneOf():
                return {"enum": list(rule.words)}
            case PositiveNumber():
                return {"type": "integer", "minimum": 1, "maximum": rule.maximum}
            case MatchesPattern():
                return {"type": "string", "pattern": f"^{rule.pattern}$"}
            case DeclaredName():
                return {**self.of(type_), "description": f"One of `{rule.table}`."}
            case SharedItems():
                number = {"anyOf": [{"type": "integer"}, {"type": "null"}]}
                item = next(each for each in get_args(get_args(type_)[0]) if each is not NoneType)
                properties = {
                    "each": {"type": "array", "items": self.of(item)},
                    "at": {"type": "array", "items": number, "description": "For each face, an index into `each`."},
                }
                return {"type": "object", "properties": properties, "required": ["each", "at"],
                        "additionalProperties": False}  # fmt: skip
        raise TypeError(rule)

    def refer(self, kind: Any, tagged: bool) -> dict[str, Any]:
        name = kind.__name__ if tagged or kind is Game else f"{kind.__name__} alone"
        if name not in self.defined:
            self.defined[name] = {}
            self.defined[name] = self.described(kind, tagged)
        return {"$ref": f"#/$defs/{name}"}

    def described(self, kind: Any, tagged: bool) -> dict[str, Any]:
        types = get_type_hints(kind, include_extras=True)
        fields = self.codec.list_field_codecs(kind)
        properties = {"is": {"const": kind.__name__}} if tagged else {}
        properties |= {field.name: self.of(types[field.name]) for field in fields}
        required = ["is"] * tagged + [field.name for field in fields if field.is_required]
        found = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
        doc = kind.__doc__
        return {"description": cleandoc(doc), **found} if doc and not doc.startswith("Method generated") else found


def schema() -> str:
    """Return the JSON schema of a game."""
    writer = Writer(get_game_codec())
    game = writer.refer(Game, False)
    text = {"type": "string"}
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A game of cards",
        "description": "Output of `cardlang show FILE --stage game --json`. A missing field is null, false, an empty"
        " string, an empty list, or the default of its class. If several classes are possible, `is` names the class.",
        "type": "object",
        "properties": {
            "format": {"const": FORMAT_VERSION},
            "game": game,
            "variants": {"type": "array", "items": game, "description": "The game in each variant, in file order."},
            "sources": {
                "type": "array",
                "items": {
                    "type": "object", "properties": {"name": text, "text": text}, "additionalProperties": False,
                },
            },
        },
        "required": list(TOP_LEVEL_KEYS),
        "additionalProperties": False,
        "$defs": dict(sorted(writer.defined.items())),
    }  # fmt: skip
    return format_json(whole, "\n") + "\n"


def table_schema() -> str:
    """Return the JSON schema of a table."""
    writer = Writer(get_table_codec())
    table = writer.refer(Table, False)
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A table",
        "description": "Output of `match.table(player).json()`: a match as one player sees it, for any screen. An"
        " optional field is missing if it is null, false, an empty string or an empty list.",
        **table,
        "$defs": dict(sorted(writer.defined.items())),
    }
    return format_json(whole, "\n") + "\n"


class PlainWriter:
    """Gathers the definitions of plain classes, whose fields all stand there."""

    def __init__(self) -> None:
        self.defined: dict[str, dict[str, Any]] = {}

    def of(self, type_: Any) -> dict[str, Any]:
        origin, args = get_origin(type_), get_args(type_)
        if attrs.has(type_):
            return self.refer(type_)
        if origin is tuple and args[1:] == (...,):
            return {"type": "array", "items": self.of(args[0])}
        if origin is tuple:
            items = [self.of(each) for each in args]
            return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
        if origin in (Union, UnionType):
            return {"anyOf": [self.of(each) for each in args]}
        if args:
            return {"enum": list(args)}
        return {"type": "null"} if type_ is NoneType else {"type": "number"} if type_ is float else PLAIN[type_]

    def refer(self, kind: Any) -> dict[str, Any]:
        if kind.__name__ not in self.defined:
            self.defined[kind.__name__] = {}
            self.defined[kind.__name__] = self.described(kind)
        return {"$ref": f"#/$defs/{kind.__name__}"}

    def described(self, kind: Any) -> dict[str, Any]:
        properties = {name: self.of(type_) for name, type_ in get_type_hints(kind).items()}
        found = {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }
        doc = kind.__doc__
        return {"description": cleandoc(doc), **found} if doc and not doc.startswith("Method generated") else found


def report_schema() -> str:
    """Return the JSON schema of a report."""
    writer = PlainWriter()
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Balance of a game, or comparison of two",
        "description": "Output of `cardlang simulate --report PAGE --json` (class Balance) and of `cardlang compare"
        " --json` (class Comparison).",
        "anyOf": [writer.of(Balance), writer.of(Comparison)],
        "$defs": dict(sorted(writer.defined.items())),
    }
    return format_json(whole, "\n") + "\n"


def format_json(value: Any, line: str) -> str:
    """Format JSON with short values on one line, so that changes are small. `line`: its beginning."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(line) + len(flat) <= WIDTH or not isinstance(value, dict | list):
        return flat
    inner = line + " "
    if isinstance(value, list):
        return f"[{inner}{f',{inner}'.join(format_json(each, inner) for each in value)}{line}]"
    items = (f"{json.dumps(key)}: {format_json(each, inner)}" for key, each in value.items())
    return f"{{{inner}{f',{inner}'.join(items)}{line}}}"
