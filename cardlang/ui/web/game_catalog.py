"""Catalogue of games, with their rulebooks and card images.

All strings of the game are escaped. The page shows each drawing as an image, so any script inside is inert.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from attrs import define, evolve, field, frozen

import cardlang
from cardlang.cards import CardSymbol
from cardlang.cards.card_content import CardBack, CardSide
from cardlang.cards.card_svg import draw_card_back, draw_card_side
from cardlang.cards.suit_and_card_drawings import split_at_icons
from cardlang.diagnostics import GameError, Span
from cardlang.diagnostics.source_limits import MAX_BYTES
from cardlang.english.control_characters import remove_invisible_characters, unescape_backslashes
from cardlang.game_translation import find_translation_file, read_translation
from cardlang.model import Builtin, Face, Game
from cardlang.model.traversal import collect_all_nodes, find_reachable_steps
from cardlang.rulebook.anchors import SectionLinks, walk_sections
from cardlang.rulebook.plan.card_faces import CardDesign
from cardlang.rulebook.plan.sections import compute_version
from cardlang.rulebook.plan.text_on_cards import find_card_row
from cardlang.rulebook.render import Rulebook, build_player_aid, build_rulebook
from cardlang.rulebook.render.html import HtmlPage, get_template_environment
from cardlang.storage import GAME_SUFFIX, SPREADSHEET_SUFFIXES, read_file_start
from cardlang.ui.fullest_table_search import find_fullest_tables
from cardlang.ui.web.client_message import RequestRefused

if TYPE_CHECKING:
    from cardlang.syntax.author_text_translation import TranslationTable

PITCH_PATTERN = re.compile(
    r'^game\s+"(?:\\.|[^"\\\n])*"[^"\n#]*+(?:#[^\n]*+)?+((?:\s*"(?:\\.|[^"\\\n])*")+)', re.MULTILINE
)
STRING_PATTERN = re.compile(r'"((?:\\.|[^"\\\n])*)"')
MAX_PITCH_LENGTH = 200
"""Maximum length of a description in a list, in characters. It ends with a full sentence."""
TITLE_PATTERN = re.compile(r'^game\s+"((?:\\.|[^"\\\n])*)"', re.MULTILINE)
MAX_CACHED_VERSIONS = 64
"""Maximum number of cached editions for art and rulebooks."""


@frozen
class GameVersion:
    """Loaded version of a game.

    `version`: checksum of the source and the variant, printed in the rulebook."""

    game: Game
    version: str

    @staticmethod
    def from_game(game: Game) -> GameVersion:
        return GameVersion(game, compute_version(game))


@define
class GameCatalog:
    """Catalog of game files by name. `language`: of the texts of games that have a translation."""

    paths: Mapping[str, Path]
    language: str | None = None
    cached_games: dict[str, Game] = field(factory=dict)
    """Editions in use, latest last, by version and variant."""
    lock: Lock = field(factory=Lock)
    loaded_versions: dict[tuple[str, str | None], tuple[object, GameVersion]] = field(factory=dict)

    @staticmethod
    def from_paths(paths: Iterable[Path], language: str | None = None) -> GameCatalog:
        """Return the catalog of some files, or of all bundled games without any, in a language.

        Files with equal names are numbered."""
        files: dict[str, Path] = {}
        for path in paths:
            name, count = path.stem, 1
            while name in files and files[name] != path:
                count += 1
                name = f"{path.stem} {count}"
            files[name] = path
        return GameCatalog(files or cardlang.shipped(), language)

    def list_titles(self) -> list[dict[str, str]]:
        """Return title and description of all games, without parsing them. The bundled games come last."""
        bundled = set(cardlang.shipped().values())
        entries = [
            {
                "name": name,
                "title": self.translate(path, read_title(path)) or name,
                "line": self.translate(path, read_pitch(path)),
            }
            for name, path in self.paths.items()
        ]
        return sorted(entries, key=lambda entry: (self.paths[entry["name"]] in bundled, entry["title"].casefold()))

    def translate(self, path: Path, text: str) -> str:
        """Return a text of a game in the language of the catalog, if it is in the translation."""
        table = self.read_translation(path)
        return table.rows[text]["translation"].text or text if table and text in table.rows else text

    def read_translation(self, path: Path) -> TranslationTable | None:
        """Return the translation of a game; None if there is none, or if it cannot be read."""
        if self.language is None:
            return None
        try:
            return read_translation(find_translation_file(path, self.language))
        except (OSError, GameError):
            return None

    def load_version(self, name: str, variant: str | None = None) -> GameVersion:
        """Return the current version of a game, cached until a file changes.

        Raise `RequestRefused` with the first error if the file is invalid."""
        path = self.paths.get(name)
        if path is None:
            raise RequestRefused("This game is not on the server.")
        with self.lock:
            try:
                stamp = read_folder_stamp(path)
                known = self.loaded_versions.get((name, variant))
                if known is not None and known[0] == stamp:
                    return known[1]
                language = self.language if self.read_translation(path) else None
                edition = GameVersion.from_game(cardlang.load(path, variant=variant, language=language))
            except GameError as error:
                raise RequestRefused(describe_game_error(error)) from error
            except OSError as error:
                raise RequestRefused(
                    f"{path.name} cannot be read: {(error.strerror or str(error)).lower()}."
                ) from error
            self.loaded_versions[name, variant] = stamp, edition
            self.cache_version(edition)
            return edition

    def cache_version(self, game_version: GameVersion) -> None:
        """Cache an edition, so that its art and rulebook are available. Evict the oldest beyond the limit."""
        key = build_version_key(game_version)
        self.cached_games.pop(key, None)
        self.cached_games[key] = game_version.game
        while len(self.cached_games) > MAX_CACHED_VERSIONS:
            del self.cached_games[next(iter(self.cached_games))]

    def load_recorded_game(self, text: str, name: str, variant: str | None, libraries: Mapping[str, str]) -> Game:
        """Return the game of a record, cached across tables. For `replay_record`."""
        path = next((path for path in self.paths.values() if path.name == name), None)
        table = None if path is None else self.read_translation(path)
        return load_game_text(text, name, variant, libraries, None if table is None else table.source.text)


def load_game_text(
    text: str, name: str, variant: str | None, libraries: Mapping[str, str], translation: str | None = None
) -> Game:
    """Return a game from its files, cached. `translation`: the table of its translation."""
    return load_game_files(text, name, variant, tuple(sorted(libraries.items())), translation)


@lru_cache(maxsize=32)
def load_game_files(
    text: str, name: str, variant: str | None, libraries: tuple[tuple[str, str], ...], translation: str | None
) -> Game:
    return cardlang.loads(text, name=name, variant=variant, libraries=dict(libraries), translation=translation)


def build_version_key(game_version: GameVersion) -> str:
    """Return the identifier of an edition in URLs: letters, digits and a hyphen."""
    variants = [variant.title for variant in game_version.game.variants]
    variant_number = variants.index(game_version.game.variant) + 1 if game_version.game.variant in variants else 0
    return f"{game_version.version}-{variant_number}"


def read_title(path: Path) -> str:
    """Return the title in a game file, or an empty string if it is unreadable."""
    return unescape_backslashes(find_in_file(path, TITLE_PATTERN, 80))


def find_in_file(path: Path, pattern: re.Pattern[str], max_length: int) -> str:
    """Return the first match of a pattern in a file, cut to `max_length` characters, or an empty string."""
    try:
        match = pattern.search(read_file_start(path, MAX_BYTES).decode(errors="replace"))
    except OSError:
        return ""
    return remove_invisible_characters(match[1])[:max_length] if match else ""


def read_pitch(path: Path) -> str:
    """Return the description of a game, cut to full sentences."""
    pitch = " ".join(
        unescape_backslashes(part) for part in STRING_PATTERN.findall(find_in_file(path, PITCH_PATTERN, MAX_BYTES))
    )
    if len(pitch) <= MAX_PITCH_LENGTH:
        return pitch
    *_, end = [0, *(match.end() for match in re.finditer(r"[.!?](?= )", pitch[:MAX_PITCH_LENGTH]))]
    return pitch[:end] or f"{pitch[:MAX_PITCH_LENGTH].rpartition(' ')[0]} …"


def read_folder_stamp(path: Path) -> object:
    """Return a value that changes if the game or a game file in its folder does. Raise `OSError` if it is missing."""
    path.stat()
    return [
        (neighbour.name, neighbour.stat().st_mtime_ns, neighbour.stat().st_size)
        for neighbour in sorted(path.parent.iterdir())
        if neighbour.name.endswith((GAME_SUFFIX, *SPREADSHEET_SUFFIXES)) and neighbour.exists()
    ]


def describe_game_error(error: GameError) -> str:
    """Return a sentence about the first error of a file."""
    diagnostic = error.diagnostics[0]
    more = len(error.diagnostics) - 1
    others = f" There are {more} more." if more else ""
    return f"{Path(diagnostic.span.source.name).name}, line {diagnostic.span.line}: {diagnostic.message}{others}"


# ---------------------------------------------------------------- card images
@lru_cache(maxsize=64)
def get_card_design(game: Game) -> CardDesign:
    return CardDesign(game)


@lru_cache(maxsize=4096)
def render_card_face_svg(game: Game, number: int) -> str:
    """Return the SVG of a card's face. Raise `IndexError` for an unknown face number."""
    if number < 0:
        raise IndexError(number)
    face = game.faces[number]
    return draw_card_side(build_screen_face(get_card_design(game), face), show_title=has_lookalike(game, face))


@lru_cache(maxsize=1024)
def render_other_face_svg(game: Game, number: int) -> str:
    """Return the SVG of a card's other face. Raise `IndexError` if the card has a plain back."""
    back = get_card_design(game).build_back(game.faces[number])
    if not isinstance(back, CardSide):
        raise IndexError(number)
    return draw_card_side(back)


def build_screen_face(design: CardDesign, face: Face) -> CardSide:
    """Return the face of a card with the text of its other face. A card on a screen can't be turned over."""
    front, back = design.build_front(face), design.build_back(face)
    if not isinstance(back, CardSide) or not back.passages:
        return front
    power = back.passages[0]
    return evolve(front, passages=(evolve(power, title=f"Other side, {back.title}"),))


def has_lookalike(game: Game, face: Face) -> bool:
    """Return whether another card of the set has an identical index and symbol, so that these don't identify it."""
    return (
        bool(get_card_design(game).small_cards.find_corner_index(face))
        and count_card_looks(game)[build_lookalike_key(game, face)] > 1
    )


@lru_cache(maxsize=64)
def count_card_looks(game: Game) -> Counter[tuple[str, str, CardSymbol | None]]:
    return Counter(build_lookalike_key(game, face) for face in game.faces)


def build_lookalike_key(game: Game, face: Face) -> tuple[str, str, CardSymbol | None]:
    looks = get_card_design(game).small_cards
    return face.set, looks.find_corner_index(face), looks.symbols.get_card_symbol(face)


@lru_cache(maxsize=256)
def render_home_back_svg(game: Game, home: str) -> str:
    """Return the SVG of the back of cards that start in a zone. Raise `KeyError` if no card does."""
    design = get_card_design(game)
    face = next((face for face in game.faces if game.sets[face.set].home == home), None)
    if face is None:
        raise KeyError(home)
    back = design.build_back(face)
    return draw_card_back(back) if isinstance(back, CardBack) else draw_card_side(back)


# ---------------------------------------------------------------- rulebooks
JsonObject = dict[str, object]


@lru_cache(maxsize=32)
def get_rulebook(game: Game) -> Rulebook:
    return build_rulebook(game)


@lru_cache(maxsize=32)
def build_card_data(game: Game) -> list[JsonObject]:
    """Return the printed content of each face as JSON values.

    Fields: corner `index`, symbol as `path` and `colour`, `title`, `passages`, `icons` in the passages.
    `titled`: the card is known by its title, not by its corner. `other`: the other side, unless it is a plain back."""
    design = CardDesign(game)
    card_data: list[JsonObject] = [
        {"code": face.code, "titled": has_lookalike(game, face) or bool(find_card_row(face, game.sets[face.set]))}
        for face in game.faces
    ]
    sides = [
        build_side_json(design.build_front(face)) | build_other_side_json(design.build_back(face))
        for face in game.faces
    ]
    return [one | side for one, side in zip(card_data, sides, strict=True)]


def build_side_json(side: CardSide) -> JsonObject:
    mark = {"path": side.symbol.path, "colour": side.symbol.colour} if side.symbol else {}
    passages = [
        {"title": passage.title, "said": split_text_json(passage.text or passage.details, side.text_icons)}
        for passage in side.passages
    ]
    icons = [{"name": icon.name, "path": icon.path, "colour": icon.colour} for icon in side.text_icons]
    return {"title": side.title, "index": side.index, **mark, "foot": side.footer, "passages": passages, "icons": icons}


def split_text_json(text: str, icons: Sequence[CardSymbol]) -> list[str | int]:
    """Return the parts of a text: strings, and the numbers of its icons."""
    return [icons.index(icon) if icon else part for part, icon in split_at_icons(text, icons)]


def build_other_side_json(back: CardSide | CardBack) -> JsonObject:
    return {"other": build_side_json(back)} if isinstance(back, CardSide) else {}


@lru_cache(maxsize=32)
def render_fullest_tables(game: Game, players: int) -> bytes:
    """Return as JSON the tables that show how much room a game needs. See `find_fullest_tables`."""
    names = [f"Player {number}" for number in range(1, players + 1)]
    return b"[" + b",".join(table.json() for table in find_fullest_tables(game, names, names[0])) + b"]"


@lru_cache(maxsize=32)
def build_rulebook_json(game: Game) -> JsonObject:
    """Return the rulebook of a game as JSON values.

    `sheet`, `aid`: HTML fragments. `steps`: section anchors by step."""
    sheet = get_rulebook(game)
    return {
        "title": sheet.title,
        "pitch": sheet.pitch,
        "facts": sheet.facts,
        "sheet": render_rulebook_html(sheet),
        "aid": render_rulebook_html(build_player_aid(game)),
        "steps": find_step_anchors(game, sheet),
    }


def render_rulebook_html(sheet: Rulebook) -> str:
    """Return the HTML of a rulebook.

    Inline styles become `data-style`, which the page's script applies, because the content security policy forbids
    inline styles."""
    template = get_template_environment().get_template("piece.html")
    return template.render(sheet=sheet, page=HtmlPage(SectionLinks.build_from_sections(sheet.sections))).replace(
        ' style="', ' data-style="'
    )


def find_step_anchors(game: Game, sheet: Rulebook) -> dict[str, str]:
    """Return the anchor of the section that describes each step.

    A nested step without a section gets the section of its innermost described ancestor."""
    step_anchors: dict[str, str] = {}
    for section in walk_sections(sheet.sections):
        for kind, _, name in (rule.partition(" ") for rule in section.rules):
            if kind == "step" and name in game.steps:
                step_anchors.setdefault(name, section.anchor)
    done = {name: find_reachable_steps(game, game.steps[name].body) for name in step_anchors}
    hidden = game.steps.keys() - step_anchors.keys()
    around = {name: [outer for outer in step_anchors if name in done[outer]] for name in hidden}
    inner = {
        name: min(outers, key=lambda outer_step: len(done[outer_step])) for name, outers in around.items() if outers
    }
    return step_anchors | {name: step_anchors[outer] for name, outer in inner.items()}


def has_run_moves(game: Game) -> bool:
    """Return whether a card moves with the cards on it."""
    return any(isinstance(node, Builtin) and node.name == "above" for node in collect_all_nodes(game))


def find_step_at(game: Game, span: Span) -> str:
    """Return the step that contains a rule, or an empty string.

    It is empty for rules of cards, definitions, or reactions before all steps."""
    before = [step for step in game.steps.values() if step.origin.span.source == span.source]
    before = [step for step in before if step.origin.span.start <= span.start]
    return max(before, key=lambda step: step.origin.span.start).name if before else ""
