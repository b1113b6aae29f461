"""The games that can be chosen, each taken up from its file as it is when a match begins, and what pages show of
them: rule sheet, player aid, drawn cards."""

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
LINE = re.compile(r'^game\s+"(?:\\.|[^"\\\n])*"[^\n]*((?:\n\s*"(?:\\.|[^"\\\n])*")+)', re.MULTILINE)
PART = re.compile(r'"((?:\\.|[^"\\\n])*)"')
MOST_SAID = 200
"""So many characters are said of a game in a list, up to the end of a sentence."""
TITLE = re.compile(r'^game\s+"((?:\\.|[^"\\\n])*)"', re.MULTILINE)
MOST_EDITIONS = 64
"""So many versions of games are kept ready at a time; others are made again when they are asked for."""


@frozen
class Edition:
    """A game as it was in its file at one time. `version`: the checksum of its text that its sheet bears, and its
    variant: a name for it in addresses."""

    game: Game
    version: str

    @staticmethod
    def of(game: Game) -> Edition:
        return Edition(game, version(game))


@define
class Shelf:
    """The files of games, by the names under which they are chosen."""

    paths: Mapping[str, Path]
    editions: dict[str, Game] = field(factory=dict)
    """Those that matches are played by, the latest last: by version and variant."""
    lock: Lock = field(factory=Lock)
    ready: dict[tuple[str, str | None], tuple[object, Edition]] = field(factory=dict)

    @staticmethod
    def of(given: Iterable[Path]) -> Shelf:
        """Of these files; none: all games that come with cardlang. Files of one name are told apart by a number."""
        files: dict[str, Path] = {}
        for path in given:
            name, count = path.stem, 1
            while name in files and files[name] != path:
                count += 1
                name = f"{path.stem} {count}"
            files[name] = path
        return Shelf(files or cardlang.shipped())

    def titles(self) -> list[dict[str, str]]:
        """What there is to choose from, by title and with its first sentence, without looking closer."""
        found = [
            {"name": name, "title": title_in(path) or name, "line": pitch_in(path)} for name, path in self.paths.items()
        ]
        return sorted(found, key=lambda each: each["title"].casefold())

    def load(self, name: str, variant: str | None = None) -> Edition:
        """The game as it is in its file now. Raises Refused, with the first mistake if the file has any."""
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
        """Keeps an edition at hand, so that pages can be shown what it draws."""
        key = key_of(edition)
        self.editions.pop(key, None)
        self.editions[key] = edition.game
        while len(self.editions) > MOST_EDITIONS:
            del self.editions[next(iter(self.editions))]

    def again(self, text: str, name: str, variant: str | None, libraries: Mapping[str, str]) -> Game:
        """The game of a record, for `Record.match`: one made for all tables that play it."""
        return known_text(text, name, variant, tuple(sorted(libraries.items())))


@lru_cache(maxsize=32)
def known_text(text: str, name: str, variant: str | None, libraries: tuple[tuple[str, str], ...]) -> Game:
    return cardlang.loads(text, name=name, variant=variant, libraries=dict(libraries))


def key_of(edition: Edition) -> str:
    """The name of an edition in addresses: letters and figures alone."""
    variants = [each.title for each in edition.game.variants]
    place = variants.index(edition.game.variant) + 1 if edition.game.variant in variants else 0
    return f"{edition.version}-{place}"


def title_in(path: Path) -> str:
    """The title that a file gives its game; empty if it cannot be read."""
    return unescaped(found_in(path, TITLE, 80))


def found_in(path: Path, pattern: re.Pattern[str], most: int) -> str:
    """What a pattern finds in a file, at most so many characters; empty if nothing."""
    try:
        found = pattern.search(read_start(path, MAX_BYTES).decode(errors="replace"))
    except OSError:
        return ""
    return harmless(found[1])[:most] if found else ""


def pitch_in(path: Path) -> str:
    """What a game says of itself, in whole sentences as far as they are short."""
    whole = " ".join(unescaped(part) for part in PART.findall(found_in(path, LINE, MAX_BYTES)))
    if len(whole) <= MOST_SAID:
        return whole
    *_, end = [0, *(found.end() for found in re.finditer(r"[.!?](?= )", whole[:MOST_SAID]))]
    return whole[:end] or f"{whole[:MOST_SAID].rpartition(' ')[0]} …"


def stamp_of(path: Path) -> object:
    """Changes when a game or anything that lies beside it does. Raises OSError."""
    path.stat()
    beside = sorted(path.parent.glob(f"*{SUFFIX}"))
    return [(each.name, each.stat().st_mtime_ns, each.stat().st_size) for each in beside if each.exists()]


def told(error: GameError) -> str:
    """The first mistake of a file, in a sentence."""
    found = error.diagnostics[0]
    more = len(error.diagnostics) - 1
    others = f" There are {more} more." if more else ""
    return f"{Path(found.span.source.name).name}, line {found.span.line}: {found.message}{others}"
