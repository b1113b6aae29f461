"""Content of each printed card: symbols, texts and effects."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from statistics import median
from zlib import crc32

from attrs import define, evolve, frozen

from cardlang import model as g
from cardlang.cards import CardSymbol, SmallCardSet, SymbolSet, get_shape_path
from cardlang.cards.card_centre import MAX_PIPS
from cardlang.cards.card_content import CardBack, CardBadge, CardPassage, CardSide
from cardlang.cards.designer_pictures import CardArt, CardPicture
from cardlang.cards.icons import get_icon, load_synonyms
from cardlang.cards.suit_and_card_drawings import PLAIN_COLOUR, SYMBOL_COLOURS, find_named_colour, split_at_icons
from cardlang.cards.theme import Theme
from cardlang.diagnostics import Diagnostic
from cardlang.english import morphology
from cardlang.model import NUMBER, TEXT, Column, Face, Game
from cardlang.model.card_rules import list_card_rules
from cardlang.model.cards_that_can_meet import find_mixed_homes
from cardlang.model.traversal import walk
from cardlang.rulebook.plan.card_worths import CardWorths, format_digits
from cardlang.rulebook.plan.text_on_cards import build_card_passages, build_doc_passage, count_letters, find_card_row
from cardlang.rulebook.realise.game_lexicon import build_lexicon
from cardlang.rulebook.realise.phrases import PhraseScope

MAX_BACK_SYMBOLS = 6
"""Maximum number of different symbols in the pattern of a back."""
BACK_COLOURS = ("#a3155b", "#0c666c", "#0b57a4", "#855400", "#176639", "#7a2a8c", "#1f3a68", "#9a3412")
"""Colours of backs. Neighbours are far apart: they are the backs of one game."""
MAX_LENGTH_RATIO = 1.75
"""Maximum length of the text that decides the size of all texts of a card set, relative to their median."""
COST_WORDS = frozenset(("cost", "costs", "price", "mana", "toll", "fee"))
"""Words in the name of a column with the cost of cards."""
UPSIDE_DOWN_DIGITS = str.maketrans("01689", "01986")
"""Digits and their appearance upside down."""


def find_title_words(face: Face) -> str:
    """Return the words of a title that find an icon: all, or those that don't name the card set."""
    words = face.title.split()
    whole = "-".join(words).lower()
    if get_icon(whole) is None and whole not in load_synonyms():
        own = {morphology.singularize(word) for word in face.set.lower().split("-")}
        words = [word for word in words if morphology.singularize(word.lower()) not in own]
    return " ".join(words)


@frozen
class PrintedCard:
    """Both sides of `copies` equal cards. `home_title`: title of the zone where they start."""

    front: CardSide
    back: CardSide | CardBack
    copies: int
    home_title: str = ""


def build_printed_cards(game: Game) -> tuple[PrintedCard, ...]:
    """Return the cards of a game, in the order of their declarations."""
    return CardDesign(game).build_cards()


@define(slots=False)
class CardDesign:
    """Card design of a game."""

    game: Game

    @cached_property
    def small_cards(self) -> SmallCardSet:
        return SmallCardSet(self.game.untranslated)

    @cached_property
    def text_symbols(self) -> SymbolSet:
        """Symbols with the names that texts use."""
        found = SymbolSet(self.game)
        found.theme = self.theme
        return found

    @property
    def theme(self) -> Theme:
        return self.small_cards.symbols.theme

    @cached_property
    def art(self) -> CardArt:
        """Pictures of the theme."""
        return CardArt(self.theme)

    @cached_property
    def worths(self) -> CardWorths:
        return CardWorths(self.game, self.small_cards)

    @cached_property
    def scope(self) -> PhraseScope:
        return PhraseScope(build_lexicon(self.game))

    @cached_property
    def corner_indices(self) -> set[str]:
        return {self.small_cards.find_corner_index(face) for face in self.game.faces}

    @cached_property
    def suit_symbol_count(self) -> int:
        """Number of symbols that the suits of the game use."""
        return sum(self.small_cards.symbols.count_symbols(kind) for kind in self.game.kinds)

    def build_cards(self) -> tuple[PrintedCard, ...]:
        return tuple(
            PrintedCard(self.build_front(face), self.build_back(face), face.copies, self.get_home_title(face.set))
            for face in self.game.faces
        )

    def get_home_title(self, set_name: str) -> str:
        return morphology.format_heading(self.game.zones[self.game.sets[set_name].home].noun.singular)

    def find_picture_problems(self, max_listed: int = 3) -> list[Diagnostic]:
        """Return the warnings about pictures: refused and unused ones, and cards without one.

        `max_listed`: maximum number of cards to name."""
        missing = [card.front.title for card in self.build_cards() if card.front.art is None]
        return self.art.find_problems(missing, max_listed)

    def build_front(self, face: Face) -> CardSide:
        """Return the main face of a card. If it has another face, that one shows the rules."""
        other, row = self.get_other_title(face), find_card_row(face, self.game.sets[face.set])
        side = (CardPassage("", f"Other side: {other}."), *build_doc_passage(row.doc if row else ""))
        return self.build_side(face, face.title, side if other else self.passages[face.number])

    def build_back(self, face: Face) -> CardSide | CardBack:
        """Return the other face of a card, or the back of its home zone."""
        other = self.get_other_title(face)
        if other:
            return self.build_side(face, other, self.passages[face.number], is_second_face=True)
        return self.backs[face.set]

    @cached_property
    def backs(self) -> dict[str, CardBack]:
        """Back of each card set: that of the theme, or one for all zones whose cards get mixed out of sight.

        Its title is left out if it tells nothing: it is the only one, or `Deck` next to `Tall deck`."""
        mixed = find_mixed_homes(self.game)
        groups: dict[object, list[str]] = {}
        for name, cards in self.game.sets.items():
            themed = self.theme.get_back(name) or self.theme.get_back(cards.home)
            groups.setdefault(themed or mixed[cards.home], []).append(name)
        titles = [
            key if isinstance(key, str) else ", ".join(dict.fromkeys(map(self.get_home_title, names)))
            for key, names in groups.items()
        ]
        shown = {face.set for face in self.game.faces if not self.get_other_title(face)}
        others = [title for title, names in zip(titles, groups.values(), strict=True) if shown.intersection(names)]
        backs: dict[str, CardBack] = {}
        for number, (title, names) in enumerate(zip(titles, groups.values(), strict=True)):
            is_told = any(not other.lower().endswith(title.lower()) for other in others)
            backs |= dict.fromkeys(names, self.build_shared_back(number, title if is_told else "", names))
        return backs

    def build_shared_back(self, number: int, title: str, set_names: list[str]) -> CardBack:
        """Return the back of the cards of some sets. `number`: of this back in the game.

        A suit that the game is named after is the first symbol, and gives the first back its colour."""
        faces = [face for face in self.game.faces if face.set in set_names]
        marks = [self.small_cards.symbols.get_card_symbol(face) or self.symbols_by_set[face.set] for face in faces]
        word = morphology.singularize(self.game.untranslated.title.lower())
        named = [mark for mark in marks if morphology.singularize(mark.name.lower()) == word]
        colours = (*[mark.colour for mark in named[:1]], *self.back_colours)
        homes = [self.game.sets[name].home for name in set_names]
        return CardBack(
            self.game.title,
            title,
            tuple({mark.path: mark for mark in (*named, *marks)}.values())[:MAX_BACK_SYMBOLS],
            colours[number % len(BACK_COLOURS)],
            number % 2 == 1,
            self.art.find_picture([title, *set_names, *homes, "back"]),
        )

    @cached_property
    def back_colours(self) -> tuple[str, ...]:
        """Colours of the backs, in an order that depends on the title: the decks of most games look different."""
        first = crc32(self.game.untranslated.title.encode()) % len(BACK_COLOURS)
        return BACK_COLOURS[first:] + BACK_COLOURS[:first]

    def get_own_face(self, face: Face) -> Face:
        """Return a card with the title that its author gave it: icons, themes and pictures name it so."""
        return self.game.untranslated.faces[face.number]

    def build_side(
        self, face: Face, title: str, passages: tuple[CardPassage, ...], is_second_face: bool = False
    ) -> CardSide:
        index = self.small_cards.find_corner_index(face)
        mark, picture = self.small_cards.symbols.get_card_symbol(face), self.get_picture(face)
        badges, icons = self.build_badges(face), self.text_symbols.find_text_icons(face.set)
        longest = self.longest_passages.get(face.set, ()) if passages else ()
        texts = [text for passage in (*passages, *longest) for text in (passage.text, passage.details)]
        has_text = bool(passages) or (self.has_row(face) and face.set in self.described_sets)
        pips = 0 if has_text else self.count_pips(face, picture, mark)
        worth = self.worths.find_worth(face)
        back = self.backs[face.set]
        edge = back.colour if back.is_pale and not has_text else ""
        return CardSide(
            title,
            index,
            self.is_ambiguous_index(index),
            mark or (None if index else self.symbols_by_set[face.set]),
            picture,
            self.build_footer(face, pips, "" if has_text else self.worths.format(worth)),
            passages,
            has_text,
            is_second_face,
            bool(edge) or self.worths.is_rare(worth),
            pips,
            badges.pop(self.cost_column, None),
            tuple(badges.values()),
            self.find_art(face, is_second_face, mark),
            tuple(dict.fromkeys(icon for text in texts for _, icon in split_at_icons(text, icons) if icon)),
            longest,
            self.theme.get_places(face.set),
            edge,
        )

    def find_art(self, face: Face, is_second_face: bool, mark: CardSymbol | None) -> CardPicture | None:
        title = self.get_other_title(face, self.game.untranslated) if is_second_face else self.get_own_face(face).title
        return self.art.find_picture([title, face.code, *([mark.name] if mark else []), face.set])

    @cached_property
    def described_sets(self) -> set[str]:
        """Card sets with texts or numbers on cards that have a row."""
        rows = [face for face in self.game.faces if self.has_row(face)]
        return {face.set for face in rows if self.passages[face.number] or self.build_badges(face)}

    def count_pips(self, face: Face, picture: CardSymbol, mark: CardSymbol | None) -> int:
        """Return the number of symbols in the middle of a card: its rank, if that is no more than `MAX_PIPS`."""
        ranks = (self.small_cards.find_rank_member(name, self.get_own_face(face)) for name in self.game.columns)
        rank = next((member.name for member in ranks if member), "")
        count = 1 if rank == "Ace" else int(rank) if rank.isdecimal() else 0
        is_pip_card = mark and picture.path == mark.path and count <= MAX_PIPS and face.set not in self.later_sets
        return count if is_pip_card else 0

    @cached_property
    def later_sets(self) -> set[str]:
        """Card sets with the index and symbol of a card in an earlier set. Their faces look different."""
        first_sets: dict[object, str] = {}
        looks = [(face.set, self.small_cards.build_small_card(face)) for face in self.game.untranslated.faces]
        return {
            name
            for name, look in looks
            if look.index and first_sets.setdefault((look.index, look.symbol), name) != name
        }

    def build_badges(self, face: Face) -> dict[str, CardBadge]:
        """Return the numbers of a card by their columns."""
        return {
            column.name: CardBadge(
                morphology.format_heading(column.name),
                "∞" if value == g.UNLIMITED else format_digits(value),
                self.number_icons[column.name],
                column.name == self.cost_column,
            )
            for column, value in self.find_column_values(face)
            if column.name in self.number_icons and (face.set, column.name) in self.numbered
        }

    @cached_property
    def number_icons(self) -> dict[str, CardSymbol | None]:
        """Icons of the columns of numbers, by name."""
        names = [column.name for column in self.game.columns.values() if column.type.tag == NUMBER.tag]
        return {name: self.small_cards.symbols.build_icon(name, PLAIN_COLOUR) for name in names}

    @cached_property
    def numbered(self) -> set[tuple[str, str]]:
        """Sets and their columns with numbers to print: costs, and numbers that are not 0 on all cards of the set."""
        return {
            (face.set, column.name)
            for face in self.game.faces
            for column in self.game.columns.values()
            if column.values[face.number] or column.name == self.cost_column
        }

    @cached_property
    def cost_column(self) -> str:
        """Column with the costs of cards; empty if there is none."""
        costs = (name for name in self.game.columns if not COST_WORDS.isdisjoint(name.split("-")))
        return self.theme.cost or next(costs, "")

    @cached_property
    def symbols_by_set(self) -> dict[str, CardSymbol]:
        """Symbol of each card set, all different."""
        found: dict[str, CardSymbol] = {}
        taken = {symbol.colour for symbol in self.small_cards.symbols.symbols.values()}
        free = [colour for colour in SYMBOL_COLOURS if colour not in taken] or SYMBOL_COLOURS
        for index, name in enumerate(self.game.sets):
            colour, title = self.theme.get_colour(name), morphology.format_heading(name)
            colour = colour or free[index % len(free)]
            used = [icon.path for icon in (*self.number_icons.values(), *found.values()) if icon]
            symbol = self.small_cards.symbols.build_icon(name, colour, title, used)
            shape = CardSymbol(get_shape_path(self.suit_symbol_count + index), colour, title)
            found[name] = symbol if symbol and symbol.path not in {mark.path for mark in found.values()} else shape
        return found

    def has_row(self, face: Face) -> bool:
        """Return whether the card has a row in the game, not only a product such as `1 of each Value, Suit`."""
        return find_card_row(face, self.game.sets[face.set]) is not None

    def get_picture(self, face: Face) -> CardSymbol:
        """Return the large symbol of a card in the colour of its suit: that of its title, of its set, or its suit.

        Cards without a row show their suit, or their rank if that is not a number."""
        face = self.get_own_face(face)
        mark, default = self.small_cards.symbols.get_card_symbol(face), self.symbols_by_set[face.set]
        own_colour = self.theme.get_colour(face.title) or self.theme.get_colour(face.set)
        if not mark and self.small_cards.find_corner_index(face):
            own_colour = own_colour or find_named_colour(face.title)
        colour, fill = (own_colour, "") if own_colour else ((mark or default).colour, (mark or default).fill)
        if (face.set, face.title) in self.title_icons:
            icons = (mark if mark and mark.author else None), default if default.author else mark
            found = self.title_icons[face.set, face.title] or next(filter(None, icons), default)
            return evolve(found, colour=colour, fill=fill)
        ranks = (self.small_cards.find_rank_member(name, face) for name in self.game.columns)
        rank = next((member.noun.singular for member in ranks if member), "")
        return (self.small_cards.symbols.build_icon(rank, colour) if rank else None) or mark or default

    @cached_property
    def title_icons(self) -> dict[tuple[str, str], CardSymbol | None]:
        """Icon of the title of each card with a row or in the theme, by set and title.

        The cards of a set have different icons, if enough fit, and others than suits and numbers."""
        found: dict[tuple[str, str], CardSymbol | None] = {}
        faces, theme = self.game.untranslated.faces, self.theme
        themed = {face: theme.get_icon_words(face.title) or theme.get_icon_words(face.code) for face in faces}
        for face in sorted(faces, key=lambda face: not themed[face]):
            if (face.set, face.title) not in found and (themed[face] or self.has_row(face)):
                mine = [icon for (name, _), icon in found.items() if name == face.set]
                icons = (*self.small_cards.symbols.symbols.values(), *self.number_icons.values(), *mine)
                used = [] if themed[face] else [icon.path for icon in icons if icon]
                words = themed[face] or find_title_words(face)
                found[face.set, face.title] = self.small_cards.symbols.build_icon(words, PLAIN_COLOUR, face.title, used)
        return found

    def is_ambiguous_index(self, index: str) -> bool:
        """Return whether the index upside down is another index of the game."""
        turned = index[::-1].translate(UPSIDE_DOWN_DIGITS)
        return index.isdecimal() and not set(index) - set("01689") and turned != index and turned in self.corner_indices

    def build_passages(self, face: Face) -> tuple[CardPassage, ...]:
        """Return the texts of a card: of its columns, then of its rules."""
        column_passages = (
            CardPassage(morphology.format_heading(column.name), value) for column, value in self.find_text_values(face)
        )
        ranks = (self.small_cards.find_rank_member(name, self.get_own_face(face)) for name in self.game.columns)
        names = {rank.noun.singular.lower() for rank in ranks if rank}
        has_suit = self.small_cards.symbols.get_card_symbol(face) is not None
        is_playing_card = (not self.has_row(face) and (has_suit or bool(names))) or face.title.lower() in names
        return (*column_passages, *build_card_passages(self.game, face, self.scope, with_set=not is_playing_card))

    @cached_property
    def passages(self) -> list[tuple[CardPassage, ...]]:
        """Texts of all cards, by their number."""
        return [self.build_passages(face) for face in self.game.faces]

    @cached_property
    def longest_passages(self) -> dict[str, tuple[CardPassage, ...]]:
        """Longest text of each card set, without texts that are far longer than most."""
        found: dict[str, tuple[CardPassage, ...]] = {}
        for name in self.game.sets:
            texts = [self.passages[face.number] for face in self.game.faces if face.set == name]
            lengths = {text: sum(map(count_letters, text)) for text in texts if text}
            if lengths:
                limit = MAX_LENGTH_RATIO * median(lengths.values())
                found[name] = max((text for text in lengths if lengths[text] <= limit), key=lengths.__getitem__)
        return found

    def find_text_values(self, face: Face) -> Iterator[tuple[Column, str]]:
        for column, value in self.find_column_values(face):
            if isinstance(value, str) and column.type.tag == TEXT.tag and not column.other_face_name:
                yield column, value

    def get_other_title(self, face: Face, game: Game | None = None) -> str:
        """Return the title of the other face of a card, as in `game`; empty if it has none."""
        columns = (game or self.game).columns.values()
        titles = (column.values[face.number] for column in columns if column.other_face_name)
        return next((value for value in titles if isinstance(value, str)), "")

    def find_column_values(self, face: Face) -> Iterator[tuple[Column, object]]:
        """Yield the columns that a card shows, with their values."""
        for column in self.game.columns.values():
            value = column.values[face.number]
            if value is not None and column.name not in self.theme.hidden:
                yield column, value

    def build_footer(self, face: Face, pips: int, worth: str) -> str:
        """Return the footer of a card: its type, or the suit that its pips show, then its worth."""
        mark, index = self.small_cards.symbols.get_card_symbol(face), self.small_cards.find_corner_index(face)
        has_suit = mark and mark.author and (pips or index.isdecimal())
        kind = self.describe_type(face) if self.has_row(face) or not index else mark.name if mark and has_suit else ""
        return " · ".join(filter(None, [kind, worth]))

    def describe_type(self, face: Face) -> str:
        """Return the type of a card: its set, its columns and its announcements, without its title and index."""
        kind = morphology.format_heading(morphology.singularize(face.set))
        named = [] if kind.lower() == face.title.lower() or len(self.game.sets) == 1 else [kind]
        facts = [self.describe_column_value(column, value) for column, value in self.find_column_values(face)]
        index = self.small_cards.find_corner_index(face)
        rules = list_card_rules(self.game.sets[face.set], find_card_row(face, self.game.sets[face.set]))
        events = (morphology.format_heading(node.name) for node in walk(tuple(rules)) if isinstance(node, g.Announce))
        mark = self.small_cards.symbols.get_card_symbol(face)
        facts = [fact for fact in facts if fact not in ("", index, face.title)]
        shown = mark.name if mark and mark.author and named else ""  # the symbol in the corner says it
        return " · ".join([*named, *(fact for fact in facts if fact != shown), *events])

    def describe_column_value(self, column: Column, value: object) -> str:
        """Describe a value of a column: `Canine`, or the name of a flag that is set. Numbers have badges."""
        kind = self.game.kinds.get(column.type.of or "")
        if kind is not None and isinstance(value, int):
            return kind.members[value].noun.singular
        return morphology.format_heading(column.name) if column.type.tag == "flag" and value else ""
