"""Themes: `NAME.theme.toml` next to `NAME.cardgame` sets the size, letters, icons, colours and pictures of cards."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cached_property, lru_cache
from pathlib import Path

from attrs import define, evolve, field, frozen

from cardlang.cards.card_places import LAYOUTS, PART_PLACES, CardPlaces, PartPlace, parse_place
from cardlang.cards.icons import find_icon, map_icons_to_authors
from cardlang.diagnostics import Diagnostic, GameError, Source, Span
from cardlang.diagnostics.source_limits import read_source
from cardlang.english.morphology import list_word_forms
from cardlang.model import NUMBER, Game
from cardlang.storage import GAME_SUFFIX, THEME_SUFFIX, find_game_file

CARD_SIZES = {"poker": (63, 88), "bridge": (57, 88), "mini": (44, 63), "tarot": (70, 120), "square": (70, 70)}
"""Width and height of cards in millimetres."""
DEFAULT_FONT = "Libertinus Serif"
THEME_CODE = "W460"
MIN_CONTRAST = 3.0
"""Minimum contrast of a colour with white, as WCAG requires for large letters."""
NAMED_COLOURS = {
    "black": "#222222",
    "red": "#b3261e",
    "green": "#176639",
    "blue": "#0b57a4",
    "yellow": "#7d6600",
    "white": "#3f4a55",
    "grey": "#5c6670",
    "purple": "#7a2a8c",
    "violet": "#7a2a8c",
    "orange": "#a34700",
    "pink": "#a3155b",
    "brown": "#855400",
}
"""Colours of these names, dark enough to be legible on white."""
THEME_COLOURS = NAMED_COLOURS | {
    "gray": NAMED_COLOURS["grey"],
    "silver": NAMED_COLOURS["grey"],
    "gold": NAMED_COLOURS["yellow"],
    "navy": "#000080",
    "teal": "#007a7a",
    "cyan": "#00707a",
    "aqua": "#00707a",
    "lime": "#3a7000",
    "olive": "#6b6b00",
    "maroon": "#800000",
    "crimson": "#b0122f",
    "magenta": "#a8009c",
    "fuchsia": "#a8009c",
    "indigo": "#4b0082",
}
"""Colours that a theme can name: the basic ones of CSS, in legible shades, and a few more."""
BARE_NAME = re.compile(r"[A-Za-z0-9_.-]+")
"""Names that TOML accepts without quotes."""
BARE_VALUE = re.compile(r"""[\s\[]*(#\w+|[^\s"'\[\]{},#\\]+(?: +[^\s"'\[\]{},#\\]+)*)""")
"""Value or first item of a list without straight quotes."""


@frozen
class Theme:
    """Look of the cards of a game.

    - `size`: one of `CARD_SIZES`. `layout`: one of `LAYOUTS`, for cards with text. `font`: a font family.
    - `places`: places in addition to those of the layout, by normalized name of a card set; empty for all sets.
    - `large_type`: larger letters. `cost`: the column of the first number, if it is not found by its name.
    - `hidden`: columns that are not printed. `art`: the folder of pictures, next to the theme.
    - `partial_art`: the pictures are for some cards only. `art_span`, `places_span`: where they are in the theme.
    - `icons`: icons by normalized name. `colours`: colours, `#rrggbb`, by normalized name. `fills`: colours inside
      the outlines of symbols. `backs`: titles of backs, by normalized name of a card set or zone.
    """

    size: str = "poker"
    layout: str = "band"
    font: str = DEFAULT_FONT
    large_type: bool = False
    cost: str = ""
    hidden: tuple[str, ...] = ()
    art: str = ""
    partial_art: bool = False
    icons: Mapping[str, str] = field(factory=dict, hash=False)
    colours: Mapping[str, str] = field(factory=dict, hash=False)
    fills: Mapping[str, str] = field(factory=dict, hash=False)
    backs: Mapping[str, str] = field(factory=dict, hash=False)
    places: Mapping[str, Mapping[str, PartPlace]] = field(factory=dict, hash=False)
    folder: Path | None = None
    art_span: Span | None = field(default=None, eq=False)
    places_span: Span | None = field(default=None, eq=False)
    findings: tuple[Diagnostic, ...] = field(default=(), eq=False)

    def get_icon_words(self, name: str) -> str:
        """Return the icon that the theme gives a member, card, set or column; empty if it gives none."""
        return self.icons.get(normalize_name(name), "")

    def get_colour(self, name: str) -> str:
        return self.colours.get(normalize_name(name), "")

    def get_fill(self, name: str) -> str:
        return self.fills.get(normalize_name(name), "")

    def get_back(self, name: str) -> str:
        """Return the title of the back that the theme gives a card set or zone; empty if it gives none."""
        return self.backs.get(normalize_name(name), "")

    def get_places(self, set_name: str) -> CardPlaces:
        """Return the places of the parts of the cards in a set."""
        own = {**self.places.get("", {}), **self.places.get(normalize_name(set_name), {})}
        return evolve(LAYOUTS[self.layout], **own)


def normalize_name(name: str) -> str:
    """Return a name without capitals, apostrophes and punctuation: `ships cook` for `Ship's Cook`."""
    return " ".join(re.findall(r"\w+", re.sub("['’]", "", name.lower())))


def list_themed_names(game: Game) -> dict[str, str]:
    """Return what a theme can name, by normalized name: kinds, members, cards, sets, columns, zones and numbers."""
    members = [text for kind in game.kinds.values() for m in kind.members for text in (m.name, m.noun.singular)]
    cards = [text for face in game.faces for text in (face.title, face.code)]
    declared = [(each.name, each.noun) for each in game.tracks.values()]
    declared += [(each.name, each.noun) for each in game.defines.values()]
    numbers = [form for name, noun in declared for form in list_word_forms(name, noun.singular, noun.plural)]
    names = [*game.kinds, *numbers, *game.zones, *game.columns, *cards]
    return {normalize_name(name): name for name in [*names, *game.sets, *members]}


# ---------------------------------------------------------------- files
def find_theme_file(game: Game) -> Path:
    """Return the path of the theme next to a game."""
    return find_game_file(game.sources[0].name).with_suffix(THEME_SUFFIX)


def read_theme(game: Game) -> Theme:
    """Return the theme of a game, or the default theme if it has none. Faulty parts cause warnings."""
    path = find_theme_file(game)
    try:
        source = read_source(path)
    except GameError as error:
        first = error.diagnostics[0]
        return Theme(findings=(Diagnostic(THEME_CODE, first.message, first.span, first.hint, warning=True),))
    except OSError as error:
        if not path.exists():
            return Theme(findings=tuple(find_misnamed_themes(path)))
        reason = f"this theme cannot be read: {error.strerror or error}"
        return Theme(findings=(Diagnostic(THEME_CODE, reason, Source(str(path), "").full_span, warning=True),))
    return parse_theme(source, game, path.parent)


def find_misnamed_themes(path: Path) -> Iterator[Diagnostic]:
    """Yield a warning if the folder has a theme of no game with almost the name of the missing one at `path`."""
    try:
        names = {file.name.removesuffix(THEME_SUFFIX) for file in path.parent.glob(f"*{THEME_SUFFIX}")}
        names -= {file.stem for file in path.parent.glob(f"*{GAME_SUFFIX}")}
    except OSError:
        return
    for name in get_close_matches(path.name.removesuffix(THEME_SUFFIX), names, 1, 0.75):
        span = Source(str(path.with_name(name + THEME_SUFFIX)), "").full_span
        yield Diagnostic(THEME_CODE, "no game uses this theme", span, f"rename it to {path.name}", warning=True)


@lru_cache(maxsize=64)
def parse_theme(source: Source, game: Game, folder: Path | None = None) -> Theme:
    """Parse a theme. Nothing in it is an error: faulty parts cause warnings and have no effect."""
    reader = ThemeReader(source, game)
    values = reader.read_values()
    return Theme(**values, folder=folder, findings=tuple(reader.findings))  # type: ignore[arg-type]


@define(slots=False)
class ThemeReader:
    """Reader of one theme."""

    source: Source
    game: Game
    findings: list[Diagnostic] = field(factory=list)

    def read_values(self) -> dict[str, object]:
        """Return the valid settings of the theme."""
        try:
            table = tomllib.loads(self.source.text)
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            self.report_invalid_toml(str(error))
            return {}
        tables: dict[str, Callable[[str, str], str]] = {
            "icons": self.read_icon,
            "colours": self.read_ink,
            "fills": self.read_colour,
            "backs": self.read_back,
        }
        values: dict[str, object] = {}
        for key, value in table.items():
            if key == "places" and isinstance(value, dict):
                values[key] = self.read_places(value, str(values.get("layout")), str(values.get("size")))
            elif key in tables and isinstance(value, dict):
                values[key] = dict(self.read_entries(key, value, tables[key]))
            elif key == "places" or key in tables:
                self.report(f"`{key}` is a table", f"write `[{key}]`, and below it a line for each name", key)
            elif key in self.settings:
                values[key.replace("-", "_")] = self.settings[key](key, value)
            else:
                self.report_unknown(key, key, [*self.settings, *tables, "places"], "a setting of themes")
        values |= {f"{key}_span": self.find_key(key) for key in ("art", "places") if key in values}
        return {key: value for key, value in values.items() if value is not None}

    @cached_property
    def settings(self) -> dict[str, Callable[[str, object], object]]:
        """Readers of the settings above the tables."""
        return {
            "size": lambda key, value: self.read_choice(key, value, CARD_SIZES),
            "layout": lambda key, value: self.read_choice(key, value, LAYOUTS),
            "font": lambda key, value: self.read_type(key, value, str, '"a font family"'),
            "large-type": lambda key, value: self.read_type(key, value, bool, "true or false"),
            "cost": lambda key, value: self.read_choice(
                key, value, [name for name, column in self.game.columns.items() if column.type.tag == NUMBER.tag]
            ),
            "hidden": self.read_columns,
            "art": lambda key, value: self.read_type(key, value, str, '"a folder"'),
            "partial-art": lambda key, value: self.read_type(key, value, bool, "true or false"),
        }

    def report_invalid_toml(self, error: str) -> None:
        """Report why the theme is not TOML: a part without quotes if it has one, or else what the parser says."""
        place = re.search(r" \(at line (\d+), column (\d+)\)", error)
        first = self.source.line_starts[int(place[1]) - 1] if place else 0
        span = self.find_part_without_quotes(first) if place and error.startswith(("Expected", "Invalid")) else None
        if span:
            part = self.source.text[span.start : span.end]
            if part.lower() in ("true", "false"):
                return self.report(f"`{part}` has a capital letter", f"write {part.lower()}", span=span)
            plain = part.strip("“”„")
            return self.report(f"`{part}` needs straight quotes", f'write "{plain}"', span=span)
        start = first + int(place[2]) - 1 if place else 0
        message = error[: place.start()] if place else error
        return self.report(f"this theme is not valid TOML: {message}", "", span=Span(self.source, start, start + 1))

    def find_part_without_quotes(self, first: int) -> Span | None:
        """Return the span of the name or value that needs quotes, in the line at an offset; None if there is none."""
        line = self.source.text[first:].partition("\n")[0]
        name, equals, value = line.partition("=")
        if not equals or name.lstrip()[:1] in ("[", "{"):
            return None
        start = first + len(name) - len(name.lstrip())
        if name.strip()[:1] not in ("'", '"', "") and not BARE_NAME.fullmatch(name.strip()):
            return Span(self.source, start, start + len(name.strip()))
        found = BARE_VALUE.match(value)
        start = first + len(name) + len(equals)
        return Span(self.source, start + found.start(1), start + found.end(1)) if found else None

    def read_entries(
        self, section: str, entries: Mapping[str, object], read: Callable[[str, str], str]
    ) -> Iterator[tuple[str, str]]:
        """Yield the valid entries of a table, by normalized name."""
        names = list_themed_names(self.game)
        for key, value in entries.items():
            path = f"{section}.{key}"
            if normalize_name(key) not in names and key in self.settings:
                cure = f"move the line above the first table, such as `[{section}]`"
                self.report(f"`{key}` is a setting of the theme, not a name in {self.game.title}", cure, path)
            elif normalize_name(key) not in names:
                self.report_unknown(key, path, names.values(), f"a name in {self.game.title}")
            elif self.read_type(path, value, str, "a text in quotes") is not None and (found := read(path, str(value))):
                yield normalize_name(key), found

    def read_icon(self, key: str, value: str) -> str:
        if find_icon(value) is None:
            close = get_close_matches(value.lower(), map_icons_to_authors(), 3, 0.5)
            cure = f"did you mean {' or '.join(close)}?" if close else "list the icons with `cardlang icons`"
            self.report(f"there is no icon “{value}”", cure, key)
            return ""
        return value

    def read_colour(self, key: str, value: str) -> str:
        colour = THEME_COLOURS.get(value.lower(), value.lower())
        if not re.fullmatch(r"#[0-9a-f]{6}", colour):
            close = get_close_matches(value.lower(), THEME_COLOURS, 1, 0.6)
            cure = (
                f"did you mean {close[0]}?"
                if close
                else f"write #0b57a4, or one of these: {join_options([*THEME_COLOURS])}"
            )
            self.report(f"“{value}” is not a colour", cure, key)
            return ""
        return colour

    def read_ink(self, key: str, value: str) -> str:
        colour = self.read_colour(key, value)
        if colour and compute_contrast(colour) < MIN_CONTRAST:
            cure = "choose a darker colour, and write this one below `[fills]`"
            self.report(f"the colour {value} is too pale to read on white", cure, key)
        return colour

    def read_back(self, key: str, value: str) -> str:
        sets = {normalize_name(name) for cards in self.game.sets.values() for name in (cards.name, cards.home)}
        if normalize_name(key.removeprefix("backs.")) in sets:
            return value
        self.report(f"“{key.removeprefix('backs.')}” is not a card set or the zone of one", "name a card set", key)
        return ""

    def read_places(self, table: Mapping[str, object], layout: str, size: str) -> dict[str, dict[str, PartPlace]]:
        """Return the valid places for all cards, and those for card sets, by normalized name."""
        sets = {normalize_name(name): name for name in self.game.sets}
        card = CARD_SIZES.get(size, CARD_SIZES["poker"])
        groups: dict[str, tuple[str, Mapping[str, object]]] = {
            "": ("places", {key: value for key, value in table.items() if not isinstance(value, dict)})
        }
        for key, value in table.items():
            if isinstance(value, dict) and normalize_name(key) in sets:
                groups[normalize_name(key)] = f"places.{key}", value
            elif isinstance(value, dict):
                self.report_unknown(key, f"places.{key}", sets.values(), f"a card set in {self.game.title}")
        places: dict[str, dict[str, PartPlace]] = {}
        for group, (path, entries) in groups.items():
            own = dict(self.read_parts(path, entries, card))
            together = evolve(LAYOUTS.get(layout, CardPlaces()), **{**places.get("", {}), **own})
            conflicts = [*together.find_conflicts(card)]
            for part, reason, cure in conflicts:
                self.report(reason, cure, f"{path}.{part if part in own else next(iter(own), '')}")
            places[group] = {} if conflicts else own
        return places

    def read_parts(
        self, path: str, entries: Mapping[str, object], card: tuple[float, float]
    ) -> Iterator[tuple[str, PartPlace]]:
        """Yield the valid places of a table. `card`: the size of cards in millimetres."""
        for part, value in entries.items():
            key = f"{path}.{part}"
            if part not in PART_PLACES:
                self.report_unknown(part, key, PART_PLACES, "a part of cards")
            elif self.read_type(key, value, str, '"top left" or another place') is not None:
                try:
                    yield part, parse_place(part, str(value), card)
                except ValueError as error:
                    reason, cure = error.args
                    self.report(reason, cure, key)

    def read_choice(self, key: str, value: object, choices: Iterable[str]) -> str | None:
        """Return a value if it is one of the choices; otherwise report it."""
        options = list(choices)
        if isinstance(value, str) and value in options:
            return value
        self.report(
            f"`{key}` has no value “{value}”", f"choose {join_options(options)}" if options else "remove it", key
        )
        return None

    def read_columns(self, key: str, value: object) -> tuple[str, ...]:
        """Return the columns in a list; report other names."""
        names = value if isinstance(value, list) else [value]
        return tuple(str(name) for name in names if self.read_choice(key, name, self.game.columns) is not None)

    def read_type(self, key: str, value: object, kind: type, expected: str) -> object:
        if isinstance(value, kind):
            return value
        self.report(f"`{key}` has the wrong kind of value", f"write {expected}", key)
        return None

    def report_unknown(self, key: str, path: str, known: Iterable[str], expected: str) -> None:
        close = get_close_matches(key, [*known], 1, 0.6)
        column = next((column.name for column in self.game.columns.values() if key in column.values), "")
        cure = f"declare the values of the column `{column}` as a kind: `kind {column.title()}: {key}, …`"
        cure = f"did you mean {close[0]}?" if close else cure if column else "remove the line"
        self.report(f"“{key}” is not {expected}", cure, path)

    def report(self, message: str, hint: str, key: str = "", span: Span | None = None) -> None:
        self.findings.append(Diagnostic(THEME_CODE, message, span or self.find_key(key), hint, warning=True))

    def find_key(self, path: str) -> Span:
        """Return the span of a key, such as `size` or `icons.Gun`."""
        section, _, key = path.rpartition(".")
        text, start = self.source.text, 0
        if section and (header := re.search(rf"^\s*\[\s*{section}\s*\]", text, re.MULTILINE)):
            start = header.end()
        found = re.compile(rf"^\s*\[?\s*[\"']?({re.escape(key)})[\"']?\s*[\]=.]", re.MULTILINE).search(text, start)
        return Span(self.source, *found.span(1)) if found else Span(self.source, 0, 0)


def join_options(options: list[str]) -> str:
    return ", ".join(options[:-1]) + f" or {options[-1]}" if len(options) > 1 else "".join(options) or "none"


def compute_contrast(colour: str) -> float:
    """Return the contrast of a colour with white, as WCAG 2.2 defines it."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 1.05 / (0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05)
