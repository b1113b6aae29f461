"""SVG drawings of suit symbols and small cards, and their colours.

The view box is 63 by 88, the size of a card in millimetres.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from functools import cached_property

from attrs import define, evolve, field, frozen

from cardlang.cards.icons import find_icon
from cardlang.cards.svg_elements import CARD_HEIGHT, CARD_WIDTH, draw_centred_text, wrap_in_svg
from cardlang.cards.theme import NAMED_COLOURS, Theme, read_theme
from cardlang.english import morphology
from cardlang.english.control_characters import remove_invisible_characters
from cardlang.english.morphology import singularize
from cardlang.model import Face, Game, Member
from cardlang.model.suits_and_hand_sorting import SUIT_COLOURS, Suits, is_value_like

SHAPE_PATHS = (
    "M50 5A45 45 0 1 1 50 95A45 45 0 1 1 50 5Z",  # disc
    "M35 6H65V35H94V65H65V94H35V65H6V35H35Z",  # cross
    "M50 2L90 50L50 98L10 50Z",  # rhombus
    "M66 5A46 46 0 1 0 95 66A36 36 0 1 1 66 5Z",  # crescent
    "M50 7L97 91H3Z",  # triangle
    "M50 5A45 45 0 1 1 50 95A45 45 0 1 1 50 5ZM50 29A21 21 0 1 0 50 71A21 21 0 1 0 50 29Z",  # ring
    "M60 2L14 58H44L36 98L86 38H55Z",  # bolt
    "M50 3L61.8 33.8L94.7 35.5L69 56.2L77.6 88L50 70L22.4 88L31 56.2L5.3 35.5L38.2 33.8Z",  # star
    "M8 6H92L60 50L92 94H8L40 50Z",  # hourglass
    "M10 10H90V90H10ZM34 34V66H66V34Z",  # frame
    "M50 8L97 55L77 76L50 49L23 76L3 55Z",  # chevron
    "M7 14H93V42H7ZM7 58H93V86H7Z",  # bars
    "M27 8H73L97 50L73 92H27L3 50Z",  # hexagon
    "M50 2C88 26 88 74 50 98C12 74 12 26 50 2ZM50 24C42 40 42 60 50 76C58 60 58 40 50 24Z",  # leaf
)
"""Path data in a view box of 100 by 100, for the fill rule `evenodd`."""
SHAPE_CHARACTERS = "●✚◆☾▲○ϟ★⧗▣⌃≡⬢❦"
"""Characters of the shapes, in the same order, for terminals."""
SUIT_CHARACTERS = {"club": "♣", "diamond": "♦", "heart": "♥", "spade": "♠", "sun": "☀", "moon": "☾"}
"""Characters of suits with these names, in the singular."""
FRAME_PATHS = ("", "M0 0H100V100H0Z", "M50 -18A68 68 0 1 1 50 118A68 68 0 1 1 50 -18Z")
"""Frames around the shapes when they repeat: first a dark square, then a dark disc."""
SYMBOL_COLOURS = ("#176639", "#7a2a8c", "#b3261e", "#0b57a4", "#855400", "#404040", "#0c666c", "#a3155b")
"""Colours of symbols, dark enough to be legible on white."""
PLAIN_COLOUR = "#333333"
"""Colour of cards without a suit."""
COLOURS_BY_WORD = NAMED_COLOURS | {word: NAMED_COLOURS[colour] for word, colour in SUIT_COLOURS.items()}
"""Colours of members with certain words in their names: colour names and common suits."""

COLOURS_BY_THING = {
    thing: NAMED_COLOURS[colour]
    for colour, things in {
        "green": "forest wood tree leaf grass jungle swamp frog",
        "blue": "sea ocean water river lake harbour harbor ice sky rain tide",
        "red": "fire flame blood rose cherry strawberry lava",
        "yellow": "sun lemon banana honey wheat field meadow sand desert star lightning",
        "grey": "stone rock cliff mountain iron steel silver moon cloud",
        "black": "night shadow raven coal",
        "brown": "earth bear bread",
        "purple": "plum grape",
    }.items()
    for thing in things.split()
}
"""Colours of members that are named after a thing with a known colour."""
FILLS = {NAMED_COLOURS["yellow"]: "#ffd11a", NAMED_COLOURS["white"]: "#ffffff"}
"""True colours inside symbols whose own colour is their outline."""
OUTLINE_WIDTH = 12.0
"""Width of the line around a filled symbol, half of it behind the fill, in a view box of 100 by 100."""


@frozen
class CardSymbol:
    """A symbol: path data (view box of 100 by 100, `evenodd`) and its colour.

    `name`: the noun that it represents. `author`: who drew the icon; empty for a shape. `character`: its character in
    terminals, if it has one. `fill`: the colour inside its outline; empty if it is all of one colour.
    """

    path: str
    colour: str
    name: str
    author: str = ""
    character: str = ""
    fill: str = ""

    def draw(self, transform: str = "", stroke: float = 0) -> str:
        """Return the symbol as an SVG path. `stroke`: width of a line that makes it bolder."""
        transform += " translate(6 6) scale(.88)" * bool(self.fill)
        width = OUTLINE_WIDTH + stroke if self.fill else stroke
        line = (
            f'stroke="{self.colour}" stroke-width="{width:.2g}" stroke-linejoin="round" paint-order="stroke" '
            if width
            else ""
        )
        placed = f'transform="{transform.strip()}" ' if transform else ""
        return f'<path {placed}{line}fill="{self.fill or self.colour}" fill-rule="evenodd" d="{self.path}"/>'

    def paint(self, colour: str) -> CardSymbol:
        """Return the symbol all in one colour."""
        return evolve(self, colour=colour, fill="")


def get_shape_path(number: int) -> str:
    """Return the path data of the symbol with this number. They repeat after three rounds of the shapes."""
    lap, shape_index = divmod(number, len(SHAPE_PATHS))
    return FRAME_PATHS[lap % len(FRAME_PATHS)] + SHAPE_PATHS[shape_index]


SHAPES_BY_NAME = {
    "heart": "M50 94C22 70 4 52 4 31A23 23 0 0 1 50 24A23 23 0 0 1 96 31C96 52 78 70 50 94Z",
    "diamond": "M50 3L86 50L50 97L14 50Z",
    "club": "M50 4A21 21 0 0 1 67 37A21 21 0 1 1 56 66L62 95H38L44 66A21 21 0 1 1 33 37A21 21 0 0 1 50 4Z",
    "spade": "M50 3C72 26 95 42 95 62A20 20 0 0 1 57 71L63 96H37L43 71A20 20 0 0 1 5 62C5 42 28 26 50 3Z",
}
"""Shapes of the suits of a standard pack, in the singular."""


def find_named_colour(noun: str) -> str:
    """Return the colour for a word of a name; empty if no word has one."""
    spoken = noun.lower().replace("-", " ").split()
    return next(
        (COLOURS_BY_WORD[word.removesuffix("s")] for word in spoken if word.removesuffix("s") in COLOURS_BY_WORD), ""
    )


def remove_colour_words(noun: str) -> str:
    return " ".join(word for word in re.split(r"[\s-]+", noun) if word.lower() not in NAMED_COLOURS)


def list_noun_forms(game: Game, name: str) -> list[str]:
    """Return the forms of a name in texts: with its nouns, if it is a number or definition."""
    named = game.tracks.get(name) or game.defines.get(name)
    return morphology.list_word_forms(name, *((named.noun.singular, named.noun.plural) if named else ()))


@define(slots=False)
class SymbolSet:
    """Symbols of a game: of its suit-like kinds, all different. Their words are those of the untranslated game."""

    game: Game
    suits: Suits = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.suits = Suits(self.game)

    @cached_property
    def theme(self) -> Theme:
        return read_theme(self.game)

    @cached_property
    def symbols(self) -> dict[tuple[str, int], CardSymbol]:
        """Symbol of each member of a suit-like kind, by kind and index."""
        found: dict[tuple[str, int], CardSymbol] = {}
        used: list[str] = []
        taken: list[str] = []
        for name, offset in self.suits.suit_offsets.items():
            members, shown = self.game.untranslated.kinds[name].members, self.game.kinds[name].members
            is_standard = len({member.name.lower().removesuffix("s") for member in members} & SHAPES_BY_NAME.keys()) > 1
            has_things = any(remove_colour_words(member.name) for member in members)
            colours = self.choose_colours(members, offset, taken)
            taken += colours
            for index, member in enumerate(members):
                place, themed = offset + index, self.theme.get_icon_words(member.name)
                suit = member.name.lower().removesuffix("s")
                shape = SHAPES_BY_NAME.get(suit) if is_standard else None
                plain = remove_colour_words(member.name)
                words = themed or ("" if shape else singularize(plain) or (member.name if has_things else ""))
                icon = find_icon(words, used=() if themed else used) or find_icon(plain * bool(words), used=used)
                used += [icon.path] if icon else []
                found[name, index] = CardSymbol(
                    icon.path if icon else shape or get_shape_path(place),
                    colours[index],
                    shown[index].noun.singular,
                    icon.author if icon else "",
                    SUIT_CHARACTERS.get(suit, SHAPE_CHARACTERS[place % len(SHAPE_CHARACTERS)]),
                    self.theme.get_fill(member.name) or FILLS.get(colours[index], ""),
                )
        return found

    def choose_colours(self, members: Sequence[Member], offset: int, taken: Sequence[str]) -> list[str]:
        """Return the colours of the members of a kind: of the theme or their name, or else one that no other has.

        `taken`: colours of other kinds, which are the last choice."""
        chosen = [self.theme.get_colour(member.name) or find_named_colour(member.noun.singular) for member in members]
        for index, member in enumerate(members):
            thing = COLOURS_BY_THING.get(singularize(member.noun.singular.lower()), "")
            chosen[index] = chosen[index] or thing * (thing not in chosen)
        for index, colour in enumerate(chosen):
            first = (offset + index) % len(SYMBOL_COLOURS)
            ordered = (*SYMBOL_COLOURS[first:], *SYMBOL_COLOURS[:first])
            free = [each for each in ordered if each not in chosen] or ordered
            chosen[index] = colour or next((each for each in free if each not in taken), free[0])
        return chosen

    def get_member_symbol(self, kind: str, index: int) -> CardSymbol | None:
        """Return the symbol of a member; None if its kind has no symbols."""
        return self.symbols.get((kind, index))

    def get_value_icon(self, kind: str, index: int) -> CardSymbol | None:
        """Return the symbol of a value of a kind, or its icon if its kind has no symbols."""
        name, noun = self.game.untranslated.kinds[kind].members[index].name, self.game.kinds[kind].members[index].noun
        icon = self.get_member_symbol(kind, index) or self.build_icon(name, self.theme.get_colour(name) or PLAIN_COLOUR)
        return icon and evolve(icon, name=noun.singular)

    def find_text_icons(self, set_name: str) -> tuple[CardSymbol, ...]:
        """Return the icons of the words in braces in the texts of a card set."""
        icons = map(self.find_word_icon, self.game.sets[set_name].icons)
        return tuple(icon for icon in icons if icon)

    def find_word_icon(self, word: str) -> CardSymbol | None:
        """Return the icon of a value of a kind, a number, a definition, a column or a kind, which a word names."""
        spoken = word.lower().replace("-", " ")
        members = [(kind.name, *each) for kind in self.game.kinds.values() for each in enumerate(kind.members)]
        for kind, index, member in members:
            if member.name == word:
                return self.get_value_icon(kind, index)
        for name in (*self.game.tracks, *self.game.defines, *self.game.columns, *self.game.kinds):
            if spoken in map(str.lower, list_noun_forms(self.game, name)):
                icon = self.find_noun_icon(list_noun_forms(self.game.untranslated, name))
                return icon and evolve(icon, name=morphology.replace_hyphens(word))
        for kind, index, member in members:
            if spoken in map(str.lower, morphology.list_word_forms(member.noun.singular, member.noun.plural)):
                icon = self.get_value_icon(kind, index)
                return icon and evolve(icon, name=morphology.replace_hyphens(word))
        return None

    def find_noun_icon(self, forms: Sequence[str]) -> CardSymbol | None:
        """Return the icon that the theme gives one of the forms of a noun, or else the first that fits one of them."""
        themed = [form for form in forms if self.theme.get_icon_words(form)]
        colour = next(filter(None, map(self.theme.get_colour, forms)), PLAIN_COLOUR)
        return next(filter(None, (self.build_icon(form, colour) for form in themed or forms)), None)

    def build_icon(self, words: str, colour: str, name: str = "", used: Sequence[str] = ()) -> CardSymbol | None:
        """Return the icon of some words in a colour: that of the theme for `name`, or one of that name.

        `used`: paths of icons to avoid, if the theme gives none and another one fits."""
        themed = self.theme.get_icon_words(name or words)
        icon = find_icon(themed) if themed else find_icon(words, True, used) or find_icon(words, True)
        return None if icon is None else CardSymbol(icon.path, colour, name or words, icon.author)

    def count_symbols(self, kind: str) -> int:
        """Return the number of members of a kind with a symbol."""
        return len(self.game.kinds[kind].members) if kind in self.suits.suit_offsets else 0

    def get_card_symbol(self, face: Face) -> CardSymbol | None:
        """Return the symbol on a card; None if it has no suit."""
        suit = self.suits.suits_by_face[face.number]
        return None if suit is None else self.get_member_symbol(suit[0].name, suit[1])

    def get_ink_colour(self, face: Face) -> str:
        """Return the colour of the print on a card: a colour named in its title, or that of its suit."""
        mark, title = self.get_card_symbol(face), self.game.untranslated.faces[face.number].title
        return find_named_colour(title) or (mark.colour if mark is not None else PLAIN_COLOUR)


def split_at_icons(text: str, icons: Sequence[CardSymbol]) -> Iterator[tuple[str, CardSymbol | None]]:
    """Split a text into parts: names of icons, or their plurals, as whole words in any case, and the rest."""
    by_name = {form: icon for icon in icons for form in (morphology.pluralize(icon.name.lower()), icon.name.lower())}
    names = "|".join(map(re.escape, sorted(by_name, key=len, reverse=True)))
    for part in re.split(rf"(?<!\w)({names})(?!\w)", text, flags=re.IGNORECASE) if names else [text]:
        if part:
            yield part, by_name.get(part.lower())


# ---------------------------------------------------------------- small cards
BLANK_CARD_SVG = (
    f'<rect x="1" y="1" width="{CARD_WIDTH - 2}" height="{CARD_HEIGHT - 2}" rx="6" fill="#fff" '
    f'stroke="#222" stroke-width="2"/>'
)
MAX_TITLE_LINES = 4


@frozen
class SmallCard:
    """Content of a small card. `index`: the string in its corner; empty if the card shows its title."""

    title: str
    index: str
    symbol: CardSymbol | None

    @property
    def svg_body(self) -> str:
        """Content of the SVG, without the root element."""
        if not self.index:
            return BLANK_CARD_SVG + draw_titled_card(self.title, self.symbol)
        if self.symbol is None:
            return BLANK_CARD_SVG + draw_centred_text(self.index, CARD_WIDTH / 2, 58, 40, PLAIN_COLOUR)
        return (
            BLANK_CARD_SVG
            + draw_centred_text(self.index, CARD_WIDTH / 2, 38, 34, self.symbol.colour)
            + draw_symbol(self.symbol, 17, 46, 29)
        )

    def render_svg(self, width: float, unit: str = "mm") -> str:
        """Return the whole SVG, of a width in `px` or `mm`."""
        height = width * CARD_HEIGHT / CARD_WIDTH
        size = f'viewBox="0 0 {CARD_WIDTH} {CARD_HEIGHT}" width="{width:g}{unit}" height="{height:g}{unit}"'
        return wrap_in_svg(size, self.svg_body)


@define
class SmallCardSet:
    """Looks of the cards of a game."""

    game: Game
    symbols: SymbolSet = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.symbols = SymbolSet(self.game)

    def build_small_card(self, face: Face) -> SmallCard:
        return SmallCard(face.title, self.find_corner_index(face), self.symbols.get_card_symbol(face))

    def find_corner_index(self, face: Face) -> str:
        """Return the member of an ordered kind that the card has in addition to its suit.

        Return its name if that has fewer than three characters, otherwise its code; the empty string if there is none.
        """
        members = (self.find_rank_member(name, face) for name in self.game.columns)
        return next((member.name if len(member.name) < 3 else member.code for member in members if member), "")

    def find_rank_member(self, column: str, face: Face) -> Member | None:
        """Return the member of an ordered kind that a card has in a column, if any. Its suit is no such member."""
        face_column = self.game.columns[column]
        kind = self.game.kinds.get(face_column.type.of or "")
        member_index = face_column.get_member_index(face.number)
        suit = self.symbols.suits.suits_by_face[face.number]
        if kind is None or member_index is None or not is_value_like(kind) or (suit is not None and kind is suit[0]):
            return None
        return kind.members[member_index]


def draw_small_card(game: Game, face: Face, width: float, unit: str = "mm") -> str:
    """Return the SVG of one small card, of a width in `px` or `mm`. To draw many cards, create `SmallCardSet` once."""
    return SmallCardSet(game).build_small_card(face).render_svg(width, unit)


def draw_titled_card(title: str, symbol: CardSymbol | None) -> str:
    """Draw a card without an index: its symbol above its title."""
    lines = textwrap.wrap(remove_invisible_characters(title), 9, max_lines=MAX_TITLE_LINES, placeholder=" …") or [""]
    size = min(14.0, 58 / (0.56 * max(map(len, lines))))
    top = (62 if symbol else CARD_HEIGHT / 2 + 4) - (len(lines) - 1) * size / 2
    colour = symbol.colour if symbol else PLAIN_COLOUR
    texts = [
        draw_centred_text(text, CARD_WIDTH / 2, top + line_index * size, size, colour)
        for line_index, text in enumerate(lines)
    ]
    return (draw_symbol(symbol, 18, 8, 27) if symbol else "") + "".join(texts)


def draw_symbol(symbol: CardSymbol, x: float, y: float, size: float) -> str:
    """Draw a symbol as part of a larger drawing."""
    return symbol.draw(f"translate({x} {y}) scale({size / 100})")
