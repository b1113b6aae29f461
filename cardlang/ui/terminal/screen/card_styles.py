"""Labels and colours of cards on the screen, all different."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from attrs import define, field, frozen

from cardlang.cards import SymbolSet
from cardlang.cards.suit_and_card_drawings import PLAIN_COLOUR, SHAPE_CHARACTERS, SUIT_CHARACTERS
from cardlang.english.control_characters import remove_invisible_characters
from cardlang.model import Face, Game
from cardlang.ui.terminal.typed_card_names import build_captions
from interpreter.view.table_model import TableCard

BACK_SYMBOL = "▒▒"
BRACKETED_CODES = re.compile(r"\[([^\[\]]*)\]")


@frozen
class CardStyle:
    """Appearance of a card.

    `label`: identifies the card, with its suit's symbol. `ink`: `#rrggbb`, dark enough for a white background."""

    label: str
    ink: str


@define
class CardStyles:
    """Appearance of all cards of a game.

    `symbols`: the terminal can show symbols, not just letters."""

    game: Game
    symbols: bool = True
    marks: SymbolSet = field(init=False)
    style_cache: dict[int, CardStyle] = field(factory=dict, init=False)
    captions: dict[int, str] = field(init=False)
    """Captions by face, for cards whose codes don't say everything."""
    labels_by_code: dict[str, str] = field(init=False)
    """Labels of cards by their codes."""

    def __attrs_post_init__(self) -> None:
        self.marks = SymbolSet(self.game)
        self.captions = build_captions(self.game, self.marks if self.symbols else None)
        self.labels_by_code = {face.code: self.build_style(face).label for face in self.game.faces}

    def get_style(self, card: TableCard) -> CardStyle:
        """Return the appearance of a card for the viewer: its back if the card is unknown."""
        if card.face is None:
            return CardStyle(BACK_SYMBOL if self.symbols else "##", PLAIN_COLOUR)
        if card.face not in self.style_cache:
            self.style_cache[card.face] = self.build_style(self.game.faces[card.face])
        return self.style_cache[card.face]

    def build_legend(self, faces: Iterable[int], all_suits: bool = True) -> list[str]:
        """Return a legend of the letters on these faces, such as `b● Bamboo`, in the game's order.

        Empty if all suits are well known. It lists all suits, or only those of the faces."""
        if all(name.lower().removesuffix("s") in SUIT_CHARACTERS for name in self.marks.suits.suit_names):
            return []
        shown_letters = {letter for face in faces for letter in self.find_letters(self.game.faces[face])}
        suits = {
            suit[0].name
            for face in self.game.faces
            if (suit := self.marks.suits.suits_by_face[face.number]) is not None
        }
        every = {letter: text for face in self.game.faces for letter, text in self.find_letters(face).items()}
        order = list(self.game.kinds)
        legend_rows = sorted(
            (order.index(letter[0]), *letter[1:], name)
            for letter, name in every.items()
            if letter in shown_letters or (all_suits and letter[0] in suits)
        )
        return [f"{drawn} {name}" for _, _, drawn, name in legend_rows]

    def find_letters(self, face: Face) -> dict[tuple[str, int, str], str]:
        """Return the names of values drawn as a letter or its symbol on a card.

        Keys: kind, index of the value, and letter or symbol as drawn."""
        letters: dict[tuple[str, int, str], str] = {}
        label, suit = self.build_style(face).label, self.marks.suits.suits_by_face[face.number]
        for column in self.game.columns.values():
            kind, member_index = self.game.kinds.get(column.type.of or ""), column.get_member_index(face.number)
            if (
                kind is None
                or member_index is None
                or kind.members[member_index].code == kind.members[member_index].name
            ):
                continue
            code = kind.members[member_index].code
            sign = label[-1] if suit == (kind, member_index) and label[-1] in SHAPE_CHARACTERS else ""
            named = (
                SUIT_CHARACTERS.get(kind.members[member_index].name.lower().removesuffix("s"), "")
                if suit == (kind, member_index)
                else ""
            )
            drawn = named if named and named in label else code + sign
            if drawn in label:
                letters[kind.name, member_index, drawn] = kind.members[member_index].noun.singular.replace("-", " ")
        return letters

    def replace_codes(self, text: str) -> str:
        """Return a string with cards in brackets, as in rules and logs, replaced by their labels."""
        return BRACKETED_CODES.sub(self.replace_match, text)

    def replace_move_codes(self, text: str, moves: Sequence[str]) -> str:
        """Return a hint with the cards of moves replaced by their labels, in brackets or not.

        The first word of a sentence stays: it can be the word `As`."""
        codes = {code for move in moves for found in BRACKETED_CODES.finditer(move) for code in found[1].split()}
        words = "|".join(re.escape(code) for code in codes & self.labels_by_code.keys()) or "(?!)"  # else never
        return re.sub(
            rf"{BRACKETED_CODES.pattern}|(?<=[^.!?] )(?P<bare>{words})\b",
            lambda found: self.labels_by_code[found["bare"]] if found["bare"] else self.replace_match(found),
            text,
        )

    def replace_match(self, found: re.Match[str]) -> str:
        codes = found[1].split()
        return (
            " ".join(self.labels_by_code[code] for code in codes)
            if codes and self.labels_by_code.keys() >= {*codes}
            else found[0]
        )

    def build_style(self, face: Face) -> CardStyle:
        suit, mark = self.marks.suits.suits_by_face[face.number], self.marks.get_card_symbol(face)
        code = remove_invisible_characters(face.code)
        if suit is None or mark is None:
            return CardStyle(code, self.marks.get_ink_colour(face))
        member = suit[0].members[suit[1]]
        if self.symbols and member.name.lower().removesuffix("s") in SUIT_CHARACTERS:
            code = code.removesuffix(member.code)
        return CardStyle(code + (mark.character if self.symbols else ""), self.marks.get_ink_colour(face))
