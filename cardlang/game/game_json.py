"""Convert a game to JSON and back, for programs that don't parse the language.

`docs/game.schema.json` describes the format, which follows the classes of this package; `FORMAT` is its version. Equal
games give equal bytes on every machine. The JSON contains no paths: a source has only the name of its file.
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
from attrs import evolve, frozen

from cardlang import game as g
from cardlang.codec.codec import Codec
from cardlang.codec.rules import Malformed, Sources
from cardlang.game.fitting import Unsound
from cardlang.game.sound import check_sound
from cardlang.source import Diagnostic, Source

FORMAT = 1
KEYS = ("format", "game", "variants", "sources")
CLASSES = (*(each for each in vars(g).values() if isinstance(each, type) and attrs.has(each)), Diagnostic)
FOLDERS = re.compile(r".*[/\\]", re.DOTALL)
SUFFIX = ".cardgame"
Found = TypeVar("Found")


@frozen
class Text:
    """A source: its file name, or another name for it, and its full text."""

    name: str
    text: str


@cache
def games() -> Codec:
    return Codec(g.Game, CLASSES)


@cache
def texts() -> Codec:
    return Codec(tuple[Text, ...], ())


# ---------------------------------------------------------------- writing
def to_json(game: g.Game, named: bool = True) -> bytes:
    """Return a game as JSON: see `Game.json`. `named`: include the names of the sources."""
    sources = Sources(game.sources)
    whole = {
        "format": FORMAT,
        "game": games().encode(game, sources),
        "variants": [games().encode(each.game, sources) for each in game.variants],
        "sources": [{"name": own_name(each) if named else "", "text": each.text} for each in sources.all],
    }
    return json.dumps(whole, separators=(",", ":")).encode()


def own_name(source: Source) -> str:
    """Return the file name of a source without folder and suffix, such as `tall_card`."""
    return FOLDERS.sub("", source.name).removesuffix(SUFFIX)


# ---------------------------------------------------------------- pickles
known: WeakValueDictionary[bytes, g.Game] = WeakValueDictionary()
"""Games pickled in this process, by their packed data, so that unpickling returns the same object."""


def packed(game: g.Game) -> bytes:
    """Return the compressed JSON of a game, for a pickle."""
    data = zlib.compress(game.json())
    known.setdefault(data, game)
    return data


def unpacked(data: bytes) -> g.Game:
    game = known.get(data)
    return known.setdefault(data, from_json(zlib.decompress(data))) if game is None else game


# ---------------------------------------------------------------- reading
def from_json(data: bytes | str) -> g.Game:
    """Load a game from JSON: see `cardlang.from_json`."""
    try:
        whole = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"This is not JSON: {error}.") from None
    try:
        return read(whole)
    except RecursionError:
        raise ValueError("This is not a game in JSON: it is nested too deeply.") from None
    except (Malformed, Unsound) as fault:
        raise ValueError(f"This is not a game in JSON: {fault}.") from None


def read(whole: object) -> g.Game:
    if not isinstance(whole, dict) or set(whole) != set(KEYS):
        raise Malformed(f"it must be an object with {', '.join(KEYS)}")
    if type(whole["format"]) is not int or whole["format"] != FORMAT:
        raise Malformed(f"its format is {whole['format']!r:.40}, and only {FORMAT} is known here")
    found = under("sources", lambda: texts().decode(whole["sources"], Sources()))
    sources = Sources(under("sources", lambda: [source_of(text) for text in found]))
    game = under("game", lambda: game_of(whole["game"], sources))
    return under("variants", lambda: with_variants(game, whole["variants"], sources))


def under(key: str, made: Callable[[], Found]) -> Found:
    """Call `made` for the data under a key. Prepend the key to the path of its errors."""
    try:
        return made()
    except Malformed as fault:
        fault.path.append(key)
        raise
    except Unsound as fault:
        raise Unsound(f"{key}: {fault}") from None


def source_of(text: Text) -> Source:
    if FOLDERS.match(text.name):
        raise Malformed(f"{text.name!r:.40} is a path, not a file name")
    return Source(text.name, text.text)


def game_of(data: object, sources: Sources) -> g.Game:
    sources.declared = declared(data) if isinstance(data, dict) else {}
    game: g.Game = games().decode(data, sources)
    check_sound(game)
    return game


def with_variants(game: g.Game, data: object, sources: Sources) -> g.Game:
    if not isinstance(data, list) or len(data) != len(game.variants):
        raise Malformed(f"expected a list of {len(game.variants)} games")
    made = []
    for variant, each in zip(game.variants, data, strict=True):
        found = game_of(each, sources)
        if found.variant != variant.title:
            raise Malformed(f"the game in {variant.title!r:.40} is missing")
        made.append(evolve(variant, make=partial(same, found)))
    return evolve(game, variants=tuple(made))


def same(game: g.Game) -> g.Game:
    return game


def declared(data: dict[str, object]) -> dict[str, Container[object]]:
    """Return the names that a game declares, before decoding it, by the table that references use."""
    tables = (
        "kinds", "sets", "columns", "zones", "tracks", "defines", "borne_defines", "orders", "rankings", "steps",
        "borne_steps",
    )  # fmt: skip
    found = {table: names_in(data.get(table)) for table in tables}
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


def names_in(table: object) -> frozenset[str]:
    entries = table if isinstance(table, list) else []
    names = (each.get("name") for each in entries if isinstance(each, dict))
    return frozenset(name for name in names if isinstance(name, str))
