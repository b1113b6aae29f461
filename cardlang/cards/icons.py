"""Library of icons, found by word: `Gun`, `Crossed Swords`, `White Dragon`.

Most pictures are those of https://game-icons.net. `icons_license.txt` has their authors and licence, `icon_words.txt`
words that find an icon of another name.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from zipfile import ZipFile

from attrs import frozen

from cardlang.english.morphology import singularize

FOLDER = Path(__file__).parent
OWN_AUTHOR = "cardlang"
"""Author of the icons that need no credits."""
FULL_INK = 0.35
"""Share of the view box that most icons fill."""
PATH_COMMAND = re.compile(r"([a-zA-Z])([^a-zA-Z]*)")
PARAMETER_COUNTS = {"m": 2, "l": 2, "h": 1, "v": 1, "c": 6, "s": 4, "q": 4, "t": 2, "a": 7, "z": 1}
"""Number of parameters of each path command."""


@frozen
class Icon:
    """A picture of the library. `path`: path data in a view box of 100 by 100 for the fill rule `evenodd`."""

    name: str
    author: str
    path: str


@cache
def open_archive() -> ZipFile:
    return ZipFile(FOLDER / "icons.zip")


@cache
def map_icons_to_authors() -> dict[str, str]:
    """Return the author of each icon by its name. Icons of the same name: the author with most icons."""
    entries = [entry.split("/") for entry in open_archive().namelist()]
    counts: dict[str, int] = defaultdict(int)
    for author, _ in entries:
        counts[author] += 1
    return {name: author for author, name in sorted(entries, key=lambda entry: counts[entry[0]])}


@cache
def load_synonyms() -> dict[str, list[str]]:
    """Return the icons of each word in `icon_words.txt`; `none` for words without a picture."""
    found: dict[str, list[str]] = defaultdict(list)
    for line in (FOLDER / "icon_words.txt").read_text("utf-8").splitlines():
        name, _, words = line.partition(": ")
        for word in words.split() if line[0] != "#" else ():
            found[word].append(name)
    return found


@cache
def list_icons_by_part() -> dict[str, list[str]]:
    """Return the icons that have a word in their name, those that end with it first, then the shortest."""
    found: dict[str, list[str]] = defaultdict(list)
    for name in map_icons_to_authors():
        for part in set(name.split("-")):
            found[part].append(name)
    return {
        part: sorted(names, key=lambda name: (name.count("-"), not name.endswith(part), len(name), name))
        for part, names in found.items()
    }


@cache
def get_icon(name: str) -> Icon | None:
    """Return the icon of a name, such as `wood-axe`; None if there is none."""
    author = map_icons_to_authors().get(name)
    return None if author is None else Icon(name, author, open_archive().read(f"{author}/{name}").decode())


def trace_path(path: str) -> Iterator[list[tuple[float, float]]]:
    """Yield the corners of each part of the path of an icon. Curves count as polygons."""
    x = y = 0.0
    corners: list[tuple[float, float]] = []
    for command, text in PATH_COMMAND.findall(path):
        size, numbers = PARAMETER_COUNTS[command.lower()], [float(number) for number in text.split()]
        if command in "mM" and corners:
            yield corners
            corners = []
        for first in range(0, len(numbers), size):
            left, top = (x, y) if command.islower() else (0.0, 0.0)
            points = numbers[first : first + size]
            new_x = x if command in "vV" else left + points[-1 if command in "hH" else -2]
            new_y = y if command in "hH" else top + points[-1]
            if command in "cC":  # the middle of the curve
                middle_x = (x + 3 * (2 * left + points[0] + points[2]) + new_x) / 8
                corners.append((middle_x, (y + 3 * (2 * top + points[1] + points[3]) + new_y) / 8))
            x, y = new_x, new_y
            corners.append((x, y))
        if command in "zZ" and corners:
            x, y = corners[0]
    yield corners


@cache
def measure_ink(path: str) -> float:
    """Return about how much of the view box the path of an icon fills, from 0 to 1."""
    from PIL import Image, ImageChops, ImageDraw

    ink = Image.new("1", (100, 100))
    for corners in trace_path(path):
        part = Image.new("1", ink.size)
        if len(corners) > 2:
            ImageDraw.Draw(part).polygon(corners, fill=1)
        ink = ImageChops.logical_xor(ink, part)
    return ink.histogram()[-1] / 10_000


def compute_ink_scale(path: str) -> float:
    """Return the scale of an icon, 1 to 1.2, at which thin ones have about as much ink as others."""
    return min(1.2, max(1.0, math.sqrt(FULL_INK / max(measure_ink(path), 0.01))))


def find_icon_names(title: str, exact: bool = False) -> Iterator[str]:
    """Yield the names of icons that fit a title, best first: for the whole title, then for each word from the last.

    `exact`: leave out icons that only have a word of the title in their name.
    """
    words = [word for word in re.findall(r"[^\W\d_]+", title.lower()) if load_synonyms().get(word) != ["none"]]
    for word in ["-".join(words), *reversed(words)]:
        for form in dict.fromkeys((word, singularize(word))):
            yield from load_synonyms().get(form, ())
            if form in map_icons_to_authors():
                yield form
    if not exact:
        for word in reversed(words):
            yield from list_icons_by_part().get(singularize(word), ())


def find_icon(title: str, exact: bool = False, used: Sequence[str] = ()) -> Icon | None:
    """Return the icon that fits a title best and whose path is not in `used`; None if there is none."""
    icons = map(get_icon, find_icon_names(title, exact))
    return next((icon for icon in icons if icon and icon.path not in used), None)
