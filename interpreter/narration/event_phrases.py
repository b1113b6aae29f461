"""Lines about events as data: phrases with their players, cards and amounts.

Every phrase is a string in the third person, so joining them gives the plain text. Phrases about a player have a second
form for that player to read. What a line names can be compared without reading its text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache

from cardlang.english.morphology import agree_verb, capitalize_first_letter

MAX_CACHED_PHRASES = 4096


class Phrase(str):
    """Phrase about a player: a pronoun, or one of the subclasses. The player `who` reads `second` instead."""

    who: str | None = None
    second: str = ""
    start: Phrase | None = None
    """The phrase at the beginning of a sentence, once it is needed."""

    @classmethod
    def create(cls, text: str, who: str | None, second: str) -> Phrase:
        phrase = cls(text)
        phrase.who, phrase.second = who, second
        return phrase

    def capitalize_start(self) -> Phrase:
        """Return the phrase for the beginning of a sentence. The names of players stay as they are."""
        if self.start is None:
            self.start = self.create(self, self.who, capitalize_first_letter(self.second))
        return self.start


class Name(Phrase):
    """Name of a player."""


class PossessiveName(Phrase):
    """Name of a player in the possessive."""


class Verb(Phrase):
    """Verb, with its subject. `second` is its form after `you`."""


class Amount(str):
    """Number of something."""

    __slots__ = ()


class Clause(str):
    """Wording of an option that is not just one verb with its objects."""

    __slots__ = ()


class Cards(str):
    """Some cards: the codes of those that the reader can identify, and the number of the others."""

    codes: tuple[str, ...] = ()
    hidden: int = 0

    @classmethod
    def create(cls, codes: Sequence[str], hidden: int = 0) -> Cards:
        if codes:
            rest = f" and {hidden} more card{'s' * (hidden > 1)}" if hidden else ""
            cards = cls(f"[{' '.join(codes)}]{rest}")
        else:
            cards = cls(f"{hidden} cards" if hidden > 1 else "a card" if hidden else "no cards")
        cards.codes, cards.hidden = tuple(codes), hidden
        return cards

    def capitalize_start(self) -> Cards:
        if self.codes or self.hidden > 1:
            return self
        cards = Cards(capitalize_first_letter(self))
        cards.codes, cards.hidden = self.codes, self.hidden
        return cards


@lru_cache(MAX_CACHED_PHRASES)
def make_name(player: str) -> Phrase:
    return Name.create(player, player, "you")


@lru_cache(MAX_CACHED_PHRASES)
def make_possessive_name(player: str) -> Phrase:
    return PossessiveName.create(f"{player}'s", player, "your")


@lru_cache(MAX_CACHED_PHRASES)
def make_verb(third_person: str, player: str | None) -> Phrase:
    """Return a verb that agrees with a player, or with no player if None. Further words may follow the verb."""
    return Verb.create(third_person, player, agree_verb(third_person, True))


@lru_cache(MAX_CACHED_PHRASES)
def make_pronoun(player: str | None) -> Phrase:
    return Phrase.create("their", player, "your")


class Line(tuple[str, ...]):
    """Line of a log: its phrases with the spaces between them. It is false if there is nothing to say."""

    @property
    def text(self) -> str:
        """The line in the third person."""
        return "".join(self)

    def write_for(self, viewer: str | None) -> str:
        """Return the line as this player reads it, in the second person. None is a spectator."""
        if viewer is None or viewer not in self.players:
            return self.text
        return "".join(part.second if isinstance(part, Phrase) and part.who == viewer else part for part in self)

    @cached_property
    def players(self) -> frozenset[str]:
        """Players that the line names."""
        return frozenset(part.who for part in self if isinstance(part, Phrase) and part.who is not None)

    @cached_property
    def subject(self) -> str | None:
        """Player with whom the line begins; None if it begins otherwise."""
        return self[0].who if self and isinstance(self[0], Name) else None

    def is_about(self, player: str) -> bool:
        """Return whether the line begins with a player, or with something of theirs."""
        return bool(self) and isinstance(self[0], Phrase) and self[0].who == player

    @cached_property
    def verbs(self) -> tuple[str, ...]:
        return tuple(part.second for part in self if isinstance(part, Verb))

    @property
    def verb(self) -> str:
        """The first verb, in its form after `you`; empty if there is none."""
        return self.verbs[0] if self.verbs else ""

    @cached_property
    def card_phrases(self) -> tuple[Cards, ...]:
        return tuple(part for part in self if isinstance(part, Cards))

    @cached_property
    def cards(self) -> frozenset[str]:
        """Codes of the cards that the line names."""
        return frozenset(code for cards in self.card_phrases for code in cards.codes)

    @cached_property
    def words_after_verb(self) -> str:
        """The words after the first verb, without cards."""
        start = next((at for at, part in enumerate(self, 1) if isinstance(part, Verb)), len(self))
        return " ".join("".join(part for part in self[start:] if not isinstance(part, Cards)).split())

    @cached_property
    def amounts(self) -> frozenset[str]:
        """Numbers in the line, in digits."""
        return frozenset(part for part in self if type(part) is Amount)

    def extend_sentence(self, *parts: str) -> Line:
        """Return the line with more parts before its full stop, which is its last phrase or that phrase's end."""
        return Line((*self[:-1], self[-1].removesuffix("."), *parts, "."))

    def continues(self, other: Line) -> bool:
        """Return whether a line continues another one: `Ann claims the 7.` continues `Ann claims.`"""
        return len(self) > len(other) > 0 and self[: len(other) - 1] == other[:-1]

    @property
    def has_no_cards(self) -> bool:
        """True if the line says that no cards are concerned: `Ann puts no cards.`"""
        return any(not cards.codes and not cards.hidden for cards in self.card_phrases)

    @property
    def is_pass(self) -> bool:
        """True if the line only says that a player passes."""
        return self.verb == "pass" and self.words_after_verb == "."

    @cached_property
    def is_single_action(self) -> bool:
        """True if the line is one short clause about an action of the player with whom it begins."""
        return (
            self.subject is not None
            and len(self.verbs) == 1
            and not any(type(part) is Clause for part in self)
            and not any(cards.codes and cards.hidden for cards in self.card_phrases)
        )


NO_LINE = Line()


def write_sentence(*parts: str | Sequence[str]) -> Line:
    """Return a sentence: its parts, separated by spaces, with a capital letter and a full stop.

    A part that is a sequence brings its own spaces. Empty parts are left out.
    """
    phrases: list[str] = []
    for part in parts:
        if part:
            phrases += (part,) if isinstance(part, str) else part
            phrases.append(" ")
    phrases[0] = capitalize_phrase(phrases[0])
    phrases[-1] = "."
    return Line(phrases)


def capitalize_phrase(part: str) -> str:
    if isinstance(part, Phrase | Cards):
        return part.capitalize_start()
    return capitalize_first_letter(part)


def join_lines(lines: Iterable[Line]) -> Line:
    """Return lines as one, separated by spaces."""
    phrases: list[str] = []
    for line in lines:
        phrases += (" ", *line) if phrases and line else line
    return Line(phrases)


def join_subjects(lines: Sequence[Line]) -> Line:
    """Return lines as one. Lines that say the same of several players become one sentence about all of them."""
    if len(lines) < 2 or len({line[1:] for line in lines}) > 1 or any(line.subject is None for line in lines):
        return join_lines(lines)
    players = [line.subject for line in lines]
    names = [make_name(player) for player in players if player is not None]
    rest = [part.second if isinstance(part, Verb) else part for part in lines[0][1:]]
    return Line((capitalize_phrase(names[0]), *join_phrases(names)[1:], *rest))


def join_phrases(parts: Sequence[str], last: str = "and") -> tuple[str, ...]:
    """Join phrases in a list: `a`, `a and b`, `a, b and c`."""
    separators = [*[", "] * (len(parts) - 2), *[f" {last} "] * (len(parts) > 1), ""]
    return tuple(each for pair in zip(parts, separators, strict=False) for each in pair if each)
