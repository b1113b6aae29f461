"""Pictures that designers supply for cards: files in a folder, named by card, card set, member or zone."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterable
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from xml.parsers.expat import ExpatError

from attrs import define, field, frozen

from cardlang.cards.safe_xml_reader import parse_elements
from cardlang.cards.theme import Theme, normalize_name
from cardlang.diagnostics import Diagnostic, Source
from cardlang.english import morphology
from cardlang.storage import read_file_start

ART_CODE = "W461"
SUFFIXES = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG", ".svg": "SVG"}
OTHER_SUFFIXES = {".webp", ".gif", ".bmp", ".tif", ".tiff", ".avif", ".heic", ".psd"}
"""Suffixes of pictures that cannot be printed."""
UNUSED_HINT = "name it after a card, its code, its suit, its card set, or the zone where it starts"
MAX_PICTURE_BYTES = 40 * 1024 * 1024
MAX_PIXELS = 25_000_000
"""Maximum number of pixels: a PNG file needs eight bytes of memory for each."""
MAX_SOURCE_SIDE = 30_000
TOO_LARGE = f"has more than {MAX_PIXELS // 1_000_000} megapixels, or a side of more than {MAX_SOURCE_SIDE:,} pixels"
MAX_SIDE = 1500
"""Longest side of a printed picture in pixels: more than 300 dots per inch on the largest card."""
ACTIVE_ELEMENTS = {"script", "foreignObject", "iframe", "handler", "listener"}
"""Elements of SVG files that can run code."""
LINK_ATTRIBUTE = re.compile(r"(?:.*[ :])?(?:href|src)")
LOCAL_LINK = re.compile(r"#|data:image/(?:png|jpeg);")
OUTER_URL = re.compile(r"url\(\s*['\"]?(?!\s*['\"]?#)")
OUTER_STYLE = re.compile(r"@import|image-set\(|image\(|src\(|\\", re.IGNORECASE)
"""Parts of styles that can load other files, or escapes that can hide them."""


@frozen
class CardPicture:
    """A checked picture. `data`: a PNG, JPEG or SVG file without scripts and links. `media_type`: its MIME type."""

    name: str
    media_type: str
    data: bytes = field(repr=False)

    @property
    def url(self) -> str:
        """Data URL of the picture."""
        return f"data:{self.media_type};base64,{base64.b64encode(self.data).decode()}"


@define(slots=False)
class CardArt:
    """Pictures of a theme. Faulty ones cause warnings and are left out."""

    theme: Theme
    findings: list[Diagnostic] = field(factory=list)
    used: set[Path] = field(factory=set)
    wanted: set[str] = field(factory=set)
    """Normalized names for which cards have looked."""

    @cached_property
    def paths(self) -> list[Path]:
        """Pictures of all formats in the folder."""
        if not self.theme.art or self.theme.folder is None:
            return []
        folder = self.theme.folder / self.theme.art
        try:
            if not folder.resolve(strict=True).is_relative_to(self.theme.folder.resolve()):
                self.report(folder, "this folder is outside the folder of the game", "move it next to the game")
                return []
            return [
                path for path in sorted(folder.iterdir()) if path.suffix.lower() in OTHER_SUFFIXES | SUFFIXES.keys()
            ]
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            self.report(folder, f"this folder of pictures cannot be read: {reason}", "create it, or remove `art`")
            return []

    @cached_property
    def files(self) -> dict[str, Path]:
        """Pictures that can be printed, by normalized name."""
        return {normalize_stem(path): path for path in self.paths if path.suffix.lower() in SUFFIXES}

    @cached_property
    def pictures(self) -> dict[Path, CardPicture | None]:
        return {}

    def find_picture(self, names: Iterable[str]) -> CardPicture | None:
        """Return the first picture with one of these names; None if there is none, or if it is refused."""
        normalized = [normalize_name(name) for name in names]
        self.wanted.update(normalized)
        path = next((self.files[name] for name in normalized if name in self.files), None)
        if path is None:
            return None
        self.used.add(path)
        if path not in self.pictures:
            self.pictures[path] = self.load_picture(path)
        return self.pictures[path]

    def report_unused(self) -> None:
        """Report the pictures that no card uses, once all cards have looked for theirs."""
        for path in self.paths:
            if path not in self.used:
                self.report(path, f"no card shows the picture {path.name}", self.find_cure(path))

    def find_cure(self, path: Path) -> str:
        """Return what to do with a picture that no card uses."""
        name = normalize_stem(path)
        if path.suffix.lower() in OTHER_SUFFIXES:
            return "save it as PNG, JPEG or SVG"
        if self.files[name] != path:
            return f"remove it or {self.files[name].name}, which has the same name"
        if name in self.wanted:
            return "its cards have other pictures"
        close = get_close_matches(name, self.wanted, 1, 0.6)
        return f"rename it to {close[0].replace(' ', '_')}{path.suffix}" if close else UNUSED_HINT

    def find_problems(self, missing: list[str], max_listed: int) -> list[Diagnostic]:
        """Return the warnings about pictures, once all cards have looked for theirs.

        `missing`: titles of the cards without one. `max_listed`: maximum number of them to name."""
        self.report_unused()
        if not self.files or not missing or self.theme.partial_art or self.theme.art_span is None:
            return self.findings
        left = len(missing) - max_listed
        listed = morphology.join_phrases(
            [*(f"“{title}”" for title in missing[:max_listed]), *([f"{left} more"] if left > 0 else [])]
        )
        message = f"no picture for {morphology.format_count(len(missing), 'card')}: {listed}"
        hint = "add pictures with their names, or write `partial-art = true`"
        hint += ". `cardlang check` lists all cards" if left > 0 else ""
        return [Diagnostic(ART_CODE, message, self.theme.art_span, hint, warning=True), *self.findings]

    def load_picture(self, path: Path) -> CardPicture | None:
        """Return a checked picture, at most as large as print needs; None if it is refused."""
        kind = SUFFIXES[path.suffix.lower()]
        try:
            if path.is_symlink():
                raise ValueError("is a link to another place")
            data = read_file_start(path, MAX_PICTURE_BYTES + 1)
            if len(data) > MAX_PICTURE_BYTES:
                raise ValueError(f"has more than {MAX_PICTURE_BYTES >> 20} MB")
            if kind == "SVG":
                return CardPicture(path.stem, "image/svg+xml", check_svg(data))
            return CardPicture(path.stem, f"image/{kind.lower()}", shrink_picture(data, kind))
        except ValueError as error:
            self.report(path, f"this picture {error}", "replace it; until then the card shows its icon")
        except OSError as error:
            self.report(path, f"this picture cannot be read: {(error.strerror or str(error)).lower()}", "")
        return None

    def report(self, path: Path, message: str, hint: str) -> None:
        self.findings.append(Diagnostic(ART_CODE, message, Source(str(path), "").full_span, hint, warning=True))


def normalize_stem(path: Path) -> str:
    return normalize_name(path.stem.replace("_", " "))


def check_svg(data: bytes) -> bytes:
    """Return an SVG file. Raise ValueError if it is none, or has scripts or links to other files."""
    root = ""

    def check(parent: str, name: str, attributes: dict[str, str], text: str) -> None:
        nonlocal root
        root = name
        active = [key for key in attributes if key.lower().startswith("on")]
        if active or name in ACTIVE_ELEMENTS or LINK_ATTRIBUTE.fullmatch(attributes.get("attributeName", "")):
            raise ValueError("has a script or an active part")
        links = [value for key, value in attributes.items() if LINK_ATTRIBUTE.fullmatch(key)]
        style = text if name == "style" else attributes.get("style", "")
        values = " ".join([text, *attributes.values()])
        outside = parent == "style" or OUTER_STYLE.search(style) or OUTER_URL.search(values)
        if outside or not all(LOCAL_LINK.match(link) for link in links):
            raise ValueError("links to another file")

    try:
        parse_elements(data, check)
    except ExpatError as error:
        raise ValueError("is not a valid SVG file") from error
    if root != "svg" or b"http://www.w3.org/2000/svg" not in data:
        raise ValueError("is not an SVG file")
    return data


def shrink_picture(data: bytes, kind: str) -> bytes:
    """Return a PNG or JPEG file of at most `MAX_SIDE` pixels a side. Raise ValueError if it is no such file."""
    from PIL import Image, ImageOps

    try:
        with Image.open(io.BytesIO(data), formats=[kind]) as picture:
            if picture.width * picture.height > MAX_PIXELS or max(picture.size) > MAX_SOURCE_SIDE:
                raise ValueError(TOO_LARGE)
            picture.draft("RGB", (2 * MAX_SIDE, 2 * MAX_SIDE))
            picture.thumbnail((MAX_SIDE, MAX_SIDE))
            upright = ImageOps.exif_transpose(picture)
            target = io.BytesIO()
            upright.convert("RGBA" if kind == "PNG" else "RGB").save(target, kind, quality=90)
            return target.getvalue()
    except Image.DecompressionBombError as error:
        raise ValueError(TOO_LARGE) from error
    except (OSError, SyntaxError) as error:
        raise ValueError(f"is not a {kind} file that can be read") from error
