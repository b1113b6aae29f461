"""What each side of each card shows, found from the game alone."""

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
"""What digits look like upside down."""


@frozen
class Card:
    """What `copies` equal cards show on both sides."""

    front: Side
    back: Side | Back
    copies: int


def printed(game: Game, words_of: Mapping[str, Said] | None = None) -> tuple[Card, ...]:
    """The cards of a game, in the order in which they are declared. `words_of`: the words that stand for rules; None
    for those beside the game."""
    design = Design(game, words_of)
    return tuple(Card(design.front(face), design.back(face), face.copies) for face in game.faces)


@define(slots=False)
class Design:
    """How the cards of a game look. `words_of`: as in `printed`."""

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
        """Where cards start, each with a back of its own."""
        return list(dict.fromkeys(cards.home for cards in self.game.sets.values()))

    @cached_property
    def indices(self) -> set[str]:
        return {self.looks.index(face) for face in self.game.faces}

    @cached_property
    def suits(self) -> int:
        """How many symbols the suits of the game take."""
        return sum(self.looks.marks.size(kind) for kind in self.game.kinds)

    def front(self, face: Face) -> Side:
        """The face that a card has always. What it bears stands on the other one, if it has one."""
        other = self.other_title(face)
        said = (
            (Passage("", f"Other side: {other}."), *shared(self.game, face, self.scope)) if other else self.said(face)
        )
        return self.side(face, face.title, said)

    def back(self, face: Face) -> Side | Back:
        """Its other face, or the back of its home."""
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
        """Whether it has a line of its own in the game, not only one for `each` of some kinds."""
        return row_of(face, self.game.sets[face.set]) is not None

    def picture(self, face: Face) -> Mark:
        """The symbol of its set, in the colour of its suit; that of its suit, if only its suit sets it apart."""
        mark = self.looks.marks.on(face)
        if mark is not None and not self.listed(face):
            return mark
        place = list(self.game.sets).index(face.set)
        colour = mark.colour if mark else COLOURS[place % len(COLOURS)]
        return Mark(shape(self.suits + place), colour, words.title(face.set))

    def line(self, index: str) -> bool:
        """Whether the index upside down is another index of the game."""
        turned = index[::-1].translate(TURNED)
        return index.isdecimal() and not set(index) - set("01689") and turned != index and turned in self.indices

    def said(self, face: Face) -> tuple[Passage, ...]:
        """Its texts: of its columns, then of what it bears."""
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
        """The columns that a card has, with what stands in them."""
        for column in self.game.columns.values():
            value = column.values[face.number]
            if value is not None:
                yield column, value

    def foot(self, face: Face) -> str:
        """Its set, and what stands in its columns; nothing that its title says already."""
        kind = words.title(words.singular(face.set))
        named = [] if kind.lower() in face.title.lower() or len(self.game.sets) == 1 else [kind]
        if not self.listed(face):
            return "" if self.looks.index(face) else "".join(named)
        facts = (self.fact(column, value) for column, value in self.values(face))
        return " · ".join([*named, *(fact for fact in facts if fact)])

    def fact(self, column: Column, value: object) -> str:
        """`Canine`, `Cost 1`, the name of a flag that is set."""
        name = words.title(column.name)
        kind = self.game.kinds.get(column.type.of or "")
        if kind is not None and isinstance(value, int):
            return kind.members[value].noun.singular
        if column.type.tag == NUMBER.tag:
            return f"{name} {value}"
        return name if column.type.tag == "flag" and value else ""
