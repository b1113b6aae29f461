"""Game catalog: games to choose, loaded from their current files when a match starts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from threading import Lock

from attrs import define, field, frozen

import cardlang
from cardlang.disk import read_start
from cardlang.game import Game
from cardlang.limits import MAX_BYTES
from cardlang.plain_text import harmless, unescaped
from cardlang.rulesheet.sections import version
from cardlang.source import GameError
from cardlang.web.message import Refused

SUFFIX = ".cardgame"
LINE = re.compile(r'^game\s+"(?:\\.|[^"\\\n])*"[^"\n#]*+(?:#[^\n]*+)?+((?:\s*"(?:\\.|[^"\\\n])*")+)', re.MULTILINE)
PART = re.compile(r'"((?:\\.|[^"\\\n])*)"')
MOST_SAID = 200
"""Maximum length of a description in a list, in characters. It ends with a full sentence."""
TITLE = re.compile(r'^game\s+"((?:\\.|[^"\\\n])*)"', re.MULTILINE)
MOST_EDITIONS = 64
"""Maximum number of cached editions for art and rulebooks."""


@frozen
class Edition:
    """Loaded version of a game.

    `version`: checksum of the source and the variant, printed in the rulebook."""

    game: Game
    version: str

    @staticmethod
    def of(game: Game) -> Edition:
        return Edition(game, version(game))


@define
class Shelf:
    """Catalog of game files by name."""

    paths: Mapping[str, Path]
    editions: dict[str, Game] = field(factory=dict)
    """Editions in use, latest last, by version and variant."""
    lock: Lock = field(factory=Lock)
    ready: dict[tuple[str, str | None], tuple[object, Edition]] = field(factory=dict)

    @staticmethod
    def of(given: Iterable[Path]) -> Shelf:
        """Return the catalog of some files, or of all bundled games without any.

        Files with equal names are numbered."""
        files: dict[str, Path] = {}
        for path in given:
            name, count = path.stem, 1
            while name in files and files[name] != path:
                count += 1
                name = f"{path.stem} {count}"
            files[name] = path
        return Shelf(files or cardlang.shipped())

    def titles(self) -> list[dict[str, str]]:
        """Return title and description of all games, without parsing them. The bundled games come last."""
        bundled = set(cardlang.shipped().values())
        found = [
            {"name": name, "title": title_in(path) or name, "line": pitch_in(path)} for name, path in self.paths.items()
        ]
        return sorted(found, key=lambda each: (self.paths[each["name"]] in bundled, each["title"].casefold()))

    def load(self, name: str, variant: str | None = None) -> Edition:
        """Return the current version of a game, cached until a file changes.

        Raise `Refused` with the first error if the file is invalid."""
        path = self.paths.get(name)
        if path is None:
            raise Refused("This game is not on the server.")
        with self.lock:
            try:
                stamp = stamp_of(path)
                known = self.ready.get((name, variant))
                if known is not None and known[0] == stamp:
                    return known[1]
                edition = Edition.of(cardlang.load(path, variant=variant))
            except GameError as error:
                raise Refused(told(error)) from error
            except OSError as error:
                raise Refused(f"{path.name} cannot be read: {(error.strerror or str(error)).lower()}.") from error
            self.ready[name, variant] = stamp, edition
            self.keep(edition)
            return edition

    def keep(self, edition: Edition) -> None:
        """Cache an edition, so that its art and rulebook are available. Evict the oldest beyond the limit."""
        key = key_of(edition)
        self.editions.pop(key, None)
        self.editions[key] = edition.game
        while len(self.editions) > MOST_EDITIONS:
            del self.editions[next(iter(self.editions))]

    def again(self, text: str, name: str, variant: str | None, libraries: Mapping[str, str]) -> Game:
        """Return the game of a record, cached across tables. For `Record.match`."""
        return known_text(text, name, variant, tuple(sorted(libraries.items())))


@lru_cache(maxsize=32)
def known_text(text: str, name: str, variant: str | None, libraries: tuple[tuple[str, str], ...]) -> Game:
    return cardlang.loads(text, name=name, variant=variant, libraries=dict(libraries))


def key_of(edition: Edition) -> str:
    """Return the identifier of an edition in URLs: letters, digits and a hyphen."""
    variants = [each.title for each in edition.game.variants]
    place = variants.index(edition.game.variant) + 1 if edition.game.variant in variants else 0
    return f"{edition.version}-{place}"


def title_in(path: Path) -> str:
    """Return the title in a game file, or an empty string if it is unreadable."""
    return unescaped(found_in(path, TITLE, 80))


def found_in(path: Path, pattern: re.Pattern[str], most: int) -> str:
    """Return the first match of a pattern in a file, cut to `most` characters, or an empty string."""
    try:
        found = pattern.search(read_start(path, MAX_BYTES).decode(errors="replace"))
    except OSError:
        return ""
    return harmless(found[1])[:most] if found else ""


def pitch_in(path: Path) -> str:
    """Return the description of a game, cut to full sentences."""
    whole = " ".join(unescaped(part) for part in PART.findall(found_in(path, LINE, MAX_BYTES)))
    if len(whole) <= MOST_SAID:
        return whole
    *_, end = [0, *(found.end() for found in re.finditer(r"[.!?](?= )", whole[:MOST_SAID]))]
    return whole[:end] or f"{whole[:MOST_SAID].rpartition(' ')[0]} …"


def stamp_of(path: Path) -> object:
    """Return a value that changes if the game or a game file in its folder does. Raise `OSError` if it is missing."""
    path.stat()
    beside = sorted(path.parent.glob(f"*{SUFFIX}"))
    return [(each.name, each.stat().st_mtime_ns, each.stat().st_size) for each in beside if each.exists()]


def told(error: GameError) -> str:
    """Return a sentence about the first error of a file."""
    found = error.diagnostics[0]
    more = len(error.diagnostics) - 1
    others = f" There are {more} more." if more else ""
    return f"{Path(found.span.source.name).name}, line {found.span.line}: {found.message}{others}"
