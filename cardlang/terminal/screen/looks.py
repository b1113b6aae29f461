"""Appearance of cards in characters: a short label and an ink colour, computed once for each face."""

from __future__ import annotations

import re
from collections.abc import Iterable

from attrs import define, field, frozen

from cardlang.drawing import Marks
from cardlang.drawing.symbols import PLAIN, SIGNS
from cardlang.game import Face, Game
from cardlang.plain_text import harmless
from cardlang.terminal.captions import captions
from cardlang.terminal.spoken import NAMED
from interpreter.table.model import Card

BACK = "▒▒"
BRACKETS = re.compile(r"\[([^\[\]]*)\]")


@frozen
class Look:
    """Appearance of a card.

    `label`: identifies the card, with its suit's symbol. `ink`: `#rrggbb`, dark enough for a white background."""

    label: str
    ink: str


@define
class Looks:
    """Appearance of all cards of a game.

    `symbols`: the terminal can show symbols, not just letters."""

    game: Game
    symbols: bool = True
    marks: Marks = field(init=False)
    made: dict[int, Look] = field(factory=dict, init=False)
    captions: dict[int, str] = field(init=False)
    """Captions by face, for cards whose codes don't say everything."""
    by_code: dict[str, str] = field(init=False)
    """Labels of cards by their codes."""

    def __attrs_post_init__(self) -> None:
        self.marks, self.captions = Marks(self.game), captions(self.game)
        self.by_code = {face.code: self.make(face).label for face in self.game.faces}

    def of(self, card: Card) -> Look:
        """Return the appearance of a card for the viewer: its back if the card is unknown."""
        if card.face is None:
            return Look(BACK if self.symbols else "##", PLAIN)
        if card.face not in self.made:
            self.made[card.face] = self.make(self.game.faces[card.face])
        return self.made[card.face]

    def legend(self, faces: Iterable[int], all_suits: bool = True) -> list[str]:
        """Return a legend of the letters on these faces, such as `b● Bamboo`, in the game's order.

        Empty if all suits are well known. It lists all suits, or only those of the faces."""
        if all(name.lower().removesuffix("s") in NAMED for name in self.marks.suits.names):
            return []
        lying = {each for face in faces for each in self.letters(self.game.faces[face])}
        suits = {
            suit[0].name for face in self.game.faces if (suit := self.marks.suits.by_face[face.number]) is not None
        }
        every = {each: text for face in self.game.faces for each, text in self.letters(face).items()}
        order = list(self.game.kinds)
        told = sorted(
            (order.index(each[0]), *each[1:], name)
            for each, name in every.items()
            if each in lying or (all_suits and each[0] in suits)
        )
        return [f"{drawn} {name}" for _, _, drawn, name in told]

    def letters(self, face: Face) -> dict[tuple[str, int, str], str]:
        """Return the names of values drawn as a letter or its symbol on a card.

        Keys: kind, index of the value, and letter or symbol as drawn."""
        found: dict[tuple[str, int, str], str] = {}
        label, suit = self.make(face).label, self.marks.suits.by_face[face.number]
        for column in self.game.columns.values():
            kind, place = self.game.kinds.get(column.type.of or ""), column.place(face.number)
            if kind is None or place is None or kind.members[place].code == kind.members[place].name:
                continue
            code = kind.members[place].code
            sign = label[-1] if suit == (kind, place) and label[-1] in SIGNS else ""
            named = NAMED.get(kind.members[place].name.lower().removesuffix("s"), "") if suit == (kind, place) else ""
            drawn = named if named and named in label else code + sign
            if drawn in label:
                found[kind.name, place, drawn] = kind.members[place].noun.singular.replace("-", " ")
        return found

    def signed(self, text: str) -> str:
        """Return a string with cards in brackets, as in rules and logs, replaced by their labels."""
        return BRACKETS.sub(self.labels, text)

    def labels(self, found: re.Match[str]) -> str:
        codes = found[1].split()
        return " ".join(self.by_code[code] for code in codes) if codes and self.by_code.keys() >= {*codes} else found[0]

    def make(self, face: Face) -> Look:
        suit, mark = self.marks.suits.by_face[face.number], self.marks.on(face)
        code = harmless(face.code)
        if suit is None or mark is None:
            return Look(code, self.marks.ink(face))
        kind, place = suit
        name = kind.members[place].name.lower().removesuffix("s")
        if self.symbols and name in NAMED:
            return Look(code.removesuffix(kind.members[place].code) + NAMED[name], self.marks.ink(face))
        at = self.marks.suits.offsets[kind.name] + place
        return Look(code + (SIGNS[at % len(SIGNS)] if self.symbols else ""), self.marks.ink(face))
