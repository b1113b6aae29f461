"""JSON form of a game, with sources and variants.

`docs/game.schema.json` describes the format, which follows the classes of this package; `FORMAT_VERSION` is its
version. Equal games give equal bytes on every machine. The JSON contains no paths: a source has only the name of its
file.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable, Container
from functools import cache, partial
from typing import TypeVar
from weakref import WeakValueDictionary

import attrs
from attrs import frozen

from cardlang import model as g
from cardlang.diagnostics import Diagnostic, Source
from cardlang.model.codec import Codec
from cardlang.model.field_constraints import MalformedDataError, SourceTable
from cardlang.model.loaded_game_validation import InvalidGameError, validate_game

FORMAT_VERSION = 2
TOP_LEVEL_KEYS = ("format", "game", "variants", "sources")
MODEL_CLASSES = (*(each for each in vars(g).values() if isinstance(each, type) and attrs.has(each)), Diagnostic)
FOLDER_PREFIX = re.compile(r".*[/\\]", re.DOTALL)
GAME_FILE_SUFFIX = ".cardgame"
Found = TypeVar("Found")


@frozen
class Text:
    """A source: its file name, or another name for it, and its full text."""

    name: str
    text: str


@cache
def get_game_codec() -> Codec:
    return Codec(g.Game, MODEL_CLASSES)


@cache
def get_source_codec() -> Codec:
    return Codec(tuple[Text, ...], ())


# ---------------------------------------------------------------- writing
def to_json(game: g.Game, with_source_names: bool = True) -> bytes:
    """Return a game as JSON: see `Game.json`. `with_source_names`: include the names of the sources."""
    sources = SourceTable(game.sources)
    whole = {
        "format": FORMAT_VERSION,
        "game": get_game_codec().encode(game, sources),
        "variants": [get_game_codec().encode(each.game, sources) for each in game.variants],
        "sources": [
            {"name": get_source_name(each) if with_source_names else "", "text": each.text} for each in sources.sources
        ],
    }
    return json.dumps(whole, separators=(",", ":")).encode()


def get_source_name(source: Source) -> str:
    """Return the file name of a source without folder and suffix, such as `tall_card`."""
    return FOLDER_PREFIX.sub("", source.name).removesuffix(GAME_FILE_SUFFIX)


# ---------------------------------------------------------------- pickles
pickled_games: WeakValueDictionary[bytes, g.Game] = WeakValueDictionary()
"""Games pickled in this process, by their packed data, so that unpickling returns the same object."""


def compress_game(game: g.Game) -> bytes:
    """Return the compressed JSON of a game, for a pickle."""
    data = zlib.compress(game.json())
    pickled_games.setdefault(data, game)
    return data


def decompress_game(data: bytes) -> g.Game:
    game = pickled_games.get(data)
    return pickled_games.setdefault(data, from_json(zlib.decompress(data))) if game is None else game


# ---------------------------------------------------------------- reading
def from_json(data: bytes | str) -> g.Game:
    """Load a game from JSON: see `cardlang.from_json`."""
    try:
        whole = json.loads(data)
        if isinstance(whole, dict) and whole.get("format") == 1 and whole["format"] is not True:
            whole = {**json.loads(data, object_hook=translate_old_node), "format": FORMAT_VERSION}
    except (ValueError, RecursionError) as error:
        raise ValueError(f"This is not JSON: {error}.") from None
    try:
        return decode_document(whole)
    except RecursionError:
        raise ValueError("This is not a game in JSON: it is nested too deeply.") from None
    except (MalformedDataError, InvalidGameError) as fault:
        raise ValueError(f"This is not a game in JSON: {fault}.") from None


def translate_old_node(node: dict[str, object]) -> dict[str, object]:
    """Return a node of format 1 in the present format."""
    match node:
        case {"is": "Agg", "function": "subsets", "type": type_, "span": span, "list": items}:
            one = {"is": "Const", "type": {"tag": "number"}, "span": span, "value": 1}
            return {"is": "Selections", "type": type_, "span": span, "list": items, "low": one}
        case {"is": "Builtin", "name": "size", "type": type_, "span": span, "of": items}:
            return {"is": "Agg", "type": type_, "span": span, "function": "count", "list": items}
    return node


def decode_document(document: object) -> g.Game:
    if not isinstance(document, dict) or set(document) != set(TOP_LEVEL_KEYS):
        raise MalformedDataError(f"it must be an object with {', '.join(TOP_LEVEL_KEYS)}")
    if type(document["format"]) is not int or document["format"] != FORMAT_VERSION:
        raise MalformedDataError(
            f"its format is {document['format']!r:.40}, and only 1 to {FORMAT_VERSION} are known here"
        )
    found = decode_under_key("sources", lambda: get_source_codec().decode(document["sources"], SourceTable()))
    sources = SourceTable(decode_under_key("sources", lambda: [build_source(text) for text in found]))
    game = decode_under_key("game", lambda: decode_game(document["game"], sources))
    return decode_under_key("variants", lambda: add_variants(game, document["variants"], sources))


def decode_under_key(key: str, decode: Callable[[], Found]) -> Found:
    """Call `decode` for the data under a key. Prepend the key to the path of its errors."""
    try:
        return decode()
    except MalformedDataError as fault:
        fault.path.append(key)
        raise
    except InvalidGameError as fault:
        raise InvalidGameError(f"{key}: {fault}") from None


def build_source(text: Text) -> Source:
    if FOLDER_PREFIX.match(text.name):
        raise MalformedDataError(f"{text.name!r:.40} is a path, not a file name")
    return Source(text.name, text.text)


def decode_game(data: object, sources: SourceTable) -> g.Game:
    sources.declared_names = collect_declared_names(data) if isinstance(data, dict) else {}
    game: g.Game = get_game_codec().decode(data, sources)
    validate_game(game)
    return game


def add_variants(game: g.Game, data: object, sources: SourceTable) -> g.Game:
    if not isinstance(data, list) or len(data) != len(game.variants):
        raise MalformedDataError(f"expected a list of {len(game.variants)} games")
    made = []
    for variant, each in zip(game.variants, data, strict=True):
        found = decode_game(each, sources)
        if found.variant != variant.title:
            raise MalformedDataError(f"the game in {variant.title!r:.40} is missing")
        made.append(variant.replace(make=partial(return_game, found)))
    return game.replace(variants=tuple(made))


def return_game(game: g.Game) -> g.Game:
    return game


def collect_declared_names(data: dict[str, object]) -> dict[str, Container[object]]:
    """Return the names that a game declares, before decoding it, by the table that references use."""
    tables = (
        "kinds", "sets", "columns", "zones", "tracks", "defines", "borne_defines", "orders", "rankings", "steps",
        "borne_steps",
    )  # fmt: skip
    found = {table: collect_names(data.get(table)) for table in tables}
    types = found["kinds"] | found["rankings"]
    faces = data.get("faces")
    return {
        **found,
        "faces": range(len(faces) if isinstance(faces, list) else 0),
        "types": types,
        "subjects": types | {"player", "card", "cards"},
        "finished": found["steps"] | found["borne_steps"] | {"game"},
        "restarts": found["steps"] | {"move"},
    }


def collect_names(table: object) -> frozenset[str]:
    entries = table if isinstance(table, list) else []
    names = (each.get("name") for each in entries if isinstance(each, dict))
    return frozenset(name for name in names if isinstance(name, str))
