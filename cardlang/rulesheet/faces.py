"""Determine the content of both sides of each card, from the game alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from attrs import define, frozen

from cardlang import words
from cardlang.drawing import Looks, Mark, shape
from cardlang.drawing.printed import Back, Passage, Side
from cardlang.drawing.symbols import COLOURS
from cardlang.game import NUMBER, TEXT, Column, Face, Game
from cardlang.rulesheet.effects import passages, row_of, shared
from cardlang.rulesheet.english import Scope
from cardlang.rulesheet.lexicon import build_lexicon
from cardlang.told import Said, current

TURNED = str.maketrans("01689", "01986")
"""Digits and their appearance upside down."""


@frozen
class Card:
    """Both sides of `copies` equal cards."""

    front: Side
    back: Side | Back
    copies: int


def printed(game: Game, words_of: Mapping[str, Said] | None = None) -> tuple[Card, ...]:
    """Return the cards of a game, in the order of their declarations.

    `words_of`: custom wording by rule; None to use the file next to the game.
    """
    design = Design(game, words_of)
    return tuple(Card(design.front(face), design.back(face), face.copies) for face in game.faces)


@define(slots=False)
class Design:
    """Card design of a game. `words_of`: as in `printed`."""

    game: Game
    words_of: Mapping[str, Said] | None = None

    @cached_property
    def looks(self) -> Looks:
        return Looks(self.game)

    @cached_property
    def scope(self) -> Scope:
        return Scope(build_lexicon(self.game, current(self.game) if self.words_of is None else self.words_of))

    @cached_property
    def homes(self) -> list[str]:
        """Home zones of the cards; the backs of each differ."""
        return list(dict.fromkeys(cards.home for cards in self.game.sets.values()))

    @cached_property
    def indices(self) -> set[str]:
        return {self.looks.index(face) for face in self.game.faces}

    @cached_property
    def suits(self) -> int:
        """Number of symbols that the suits of the game use."""
        return sum(self.looks.marks.size(kind) for kind in self.game.kinds)

    def front(self, face: Face) -> Side:
        """Return the main face of a card. If it has another face, that one shows the rules."""
        other = self.other_title(face)
        said = (
            (Passage("", f"Other side: {other}."), *shared(self.game, face, self.scope)) if other else self.said(face)
        )
        return self.side(face, face.title, said)

    def back(self, face: Face) -> Side | Back:
        """Return the other face of a card, or the back of its home zone."""
        other = self.other_title(face)
        if other:
            return self.side(face, other, self.said(face), dark=True)
        home = self.game.sets[face.set].home
        place = self.homes.index(home)
        mark = Mark(shape(self.suits + len(self.game.sets) + place), COLOURS[-1 - place % len(COLOURS)], home)
        return Back(self.game.title, words.title(self.game.zones[home].noun.singular), mark)

    def side(self, face: Face, title: str, said: tuple[Passage, ...], dark: bool = False) -> Side:
        index = self.looks.index(face)
        mark, picture = self.looks.marks.on(face), self.picture(face)
        shown = mark or (None if index else picture)
        read = bool(said) or self.listed(face)
        return Side(title, index, self.line(index), shown, picture, self.foot(face), said, read, dark)

    def listed(self, face: Face) -> bool:
        """Return whether the card has a row in the game, not only a product such as `1 of each Value, Suit`."""
        return row_of(face, self.game.sets[face.set]) is not None

    def picture(self, face: Face) -> Mark:
        """Return the symbol of its set in the colour of its suit; the suit symbol for a card without a row."""
        mark = self.looks.marks.on(face)
        if mark is not None and not self.listed(face):
            return mark
        place = list(self.game.sets).index(face.set)
        colour = mark.colour if mark else COLOURS[place % len(COLOURS)]
        return Mark(shape(self.suits + place), colour, words.title(face.set))

    def line(self, index: str) -> bool:
        """Return whether the index upside down is another index of the game."""
        turned = index[::-1].translate(TURNED)
        return index.isdecimal() and not set(index) - set("01689") and turned != index and turned in self.indices

    def said(self, face: Face) -> tuple[Passage, ...]:
        """Return the texts of a card: of its columns, then of its rules."""
        own = (Passage(words.title(column.name), value) for column, value in self.texts(face))
        return (*own, *passages(self.game, face, self.scope))

    def texts(self, face: Face) -> Iterator[tuple[Column, str]]:
        for column, value in self.values(face):
            if isinstance(value, str) and column.type.tag == TEXT.tag and not column.other_face:
                yield column, value

    def other_title(self, face: Face) -> str:
        titles = (value for column, value in self.values(face) if column.other_face)
        return next((value for value in titles if isinstance(value, str)), "")

    def values(self, face: Face) -> Iterator[tuple[Column, object]]:
        """Yield the columns that a card has, with their values."""
        for column in self.game.columns.values():
            value = column.values[face.number]
            if value is not None:
                yield column, value

    def foot(self, face: Face) -> str:
        """Return the footer of a card: its set and the values of its columns, without repeating its title."""
        kind = words.title(words.singular(face.set))
        named = [] if kind.lower() in face.title.lower() or len(self.game.sets) == 1 else [kind]
        if not self.listed(face):
            return "" if self.looks.index(face) else "".join(named)
        facts = (self.fact(column, value) for column, value in self.values(face))
        return " · ".join([*named, *(fact for fact in facts if fact)])

    def fact(self, column: Column, value: object) -> str:
        """Describe a value of a column: `Canine`, `Cost 1`, the name of a flag that is set."""
        name = words.title(column.name)
        kind = self.game.kinds.get(column.type.of or "")
        if kind is not None and isinstance(value, int):
            return kind.members[value].noun.singular
        if column.type.tag == NUMBER.tag:
            return f"{name} {value}"
        return name if column.type.tag == "flag" and value else ""
