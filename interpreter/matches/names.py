"""Names in a match: of players, piles, cards and values."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from cardlang import game as g
from cardlang.words import FRACTIONS, plain
from interpreter.matches.facts import facts_of
from interpreter.matches.refs import Refs
from interpreter.state import ABSENT, NO_NUMBER, UNLIMITED

if TYPE_CHECKING:
    from interpreter.matches.view import CardView, TrackView
    from interpreter.program import Program

PLAYERS = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Lou")
"""Default names of players."""
PREPOSITIONS = ("out", "in", "on", "under", "beside", "aside", "off", "away", "face", "at")
ABSENT_WORDS = {"player": "nobody", "number": "nothing"}


class Names:
    """Names of one match. Clones share it. It never changes, apart from caches. `marking`: public counters of cards."""

    def __init__(self, program: Program, players: tuple[str, ...]) -> None:
        self.program = program
        self.game: g.Game = program.game
        self.players = players
        self.facts = facts_of(self.game)
        self.faces = tuple(face.code for face in self.game.faces)
        self.codes = tuple(self.game.faces[face].code for face in program.face)
        self.refs = Refs(self)
        tracks = self.game.tracks.values()
        self.marking = [track for track in tracks if track.subject == "card" and not track.secret]
        self.card_views: dict[tuple[int, bool, bool, int], CardView] = {}
        self.track_views: dict[int, tuple[int, TrackView]] = {}
        self.piles = [self.pile_called(number) for number in range(len(program.zones))]

    def __reduce__(self) -> tuple[type[Names], tuple[Program, tuple[str, ...]]]:
        return Names, (self.program, self.players)

    def seat(self, player: int | str) -> int:
        """Return the seat of a player given by name or seat. Raise `ValueError` if there is no such player."""
        if isinstance(player, int) and not isinstance(player, bool) and 0 <= player < len(self.players):
            return player
        if player in self.players:
            return self.players.index(str(player))
        raise ValueError(f"There is no player {player}. The players are {', '.join(self.players)}.")

    def code(self, card: int) -> str:
        return self.codes[card]

    def cards(self, cards: list[int] | tuple[int, ...]) -> str:
        """Return cards in brackets: `[9G 7A]`."""
        return "[" + " ".join(self.code(card) for card in cards) + "]"

    def owner(self, subject: str | None, of: int | None) -> str | None:
        """Return the name of the owner of a pile or track; None for the table and for cards."""
        if of is None or subject is None or subject == "card":
            return None
        return self.players[of] if subject == "player" else self.game.kinds[subject].members[of].name

    def pile(self, number: int) -> str:
        """Return the name of a pile: `Bob's hand`, `the play area`, `out of the game`."""
        return self.piles[number]

    def pile_called(self, number: int) -> str:
        slot = self.program.zones[number]
        noun = plain(slot.zone.noun.singular)
        owner = self.owner(slot.zone.subject, slot.of)
        if owner is not None:
            return f"{owner}'s {noun}"
        return noun if noun.split()[0] in PREPOSITIONS else f"the {noun}"

    def seat_of(self, pile: int) -> int | None:
        """Return the seat of the player who owns a pile; None for other piles."""
        slot = self.program.zones[pile]
        return slot.of if slot.zone.subject == "player" else None

    def value(self, type: g.Type, value: Any) -> str:
        """Return a value as people write it: `37 1/2`, `yes`, `Bob`, `Spades`, `[9G]`, `(Ann, Bob)`."""
        if isinstance(value, list | tuple):
            item = type.item or type
            if item.tag == "card":
                return self.cards(value)
            if item.item is not None and item.item.tag == "card":
                return listed([self.cards(each) for each in value])
            return "(" + ", ".join(self.value(item, each) for each in value) + ")"
        if value is None or (type.tag not in ("number", "flag") and value == ABSENT):
            return ABSENT_WORDS.get(type.tag, "nothing")
        if type.tag == "flag":
            return "yes" if value else "no"
        if type.tag == "player":
            return self.players[int(value)]
        if type.tag == "member" and type.of is not None:
            return self.game.kinds[type.of].members[int(value)].name
        if type.tag == "card":
            return f"[{self.code(value)}]"
        if type.tag == "reading":
            return self.reading(type, value)
        return exact(value)

    def reading(self, type: g.Type, value: Any) -> str:
        """Return the title of a hand, or the groups of a split."""
        if not self.is_split(type):
            return str(value.title)
        return listed([self.cards(group) for group in value.groups]) if value.groups else "none"

    def is_split(self, type: g.Type) -> bool:
        """Return whether a type is a split of cards into groups."""
        return type.tag == "reading" and self.game.rankings[str(type.of)].size == "groups"

    def told(self, type: g.Type, value: Any) -> str:
        """Return a value for a sentence: `Two pair (kings and fives)` for a hand, `Ann and Bob` for players.

        A hand includes the values of the cards that count, unless a wild card in it could be any card.
        """
        if isinstance(value, list | tuple) and value and type.item is not None and type.item.tag == "player":
            return listed([self.players[int(each)] for each in value])
        if type.tag == "member" and not isinstance(value, list | tuple):
            return self.member(type, value)
        if type.tag != "reading" or self.is_split(type) or value is None or not value.title:
            return "nothing" if value == [] else self.value(type, value)
        faces = value.shown or [self.program.face[card] for card in value.used]
        return value.title if None in faces else self.facts.values.hand(value.title, faces)

    def member(self, type: g.Type, value: Any) -> str:
        """Return the author's name for a value of a kind. A name made of several words loses its hyphens."""
        found = None if value is None or value == ABSENT else self.game.kinds[str(type.of)].members[int(value)]
        if found is not None and found.noun.called:
            return found.noun.singular
        return plain(self.value(type, value))

    def of_track(self, slot: int, raw: int) -> str:
        """Return the value of a track from its raw number in a state."""
        track = self.program.tracks[slot]
        return self.value(track.track.type, unscaled(raw, track.scale, track.track.type))


def unscaled(raw: int, scale: int, type: g.Type) -> int | Fraction | str | None:
    """Convert the integer of a track to its value; None if absent, `UNLIMITED` in the spelling of the game."""
    if type.tag != "number":
        return None if raw == ABSENT and type.tag != "flag" else raw
    if raw == NO_NUMBER:
        return None
    if raw == UNLIMITED:
        return g.UNLIMITED
    value = Fraction(raw, scale)
    return value.numerator if value.denominator == 1 else value


def exact(value: int | Fraction | str | None) -> str:
    """Return a number without rounding: `37½`, `-1/3`, `unlimited`."""
    if value == UNLIMITED:
        return g.UNLIMITED
    if not isinstance(value, Fraction) or value.denominator == 1:
        return str(value)
    whole, rest = divmod(abs(value), 1)
    sign = "-" if value < 0 else ""
    if rest in FRACTIONS:
        return f"{sign}{whole or ''}{FRACTIONS[rest]}"
    return f"{sign}{whole} {rest}" if whole else f"{sign}{rest}"


def listed(items: list[str], last: str = "and") -> str:
    """Join strings in a list: `a`, `a and b`, `a, b and c`."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {last} {items[-1]}" if items else "nothing"


def counted(count: int, noun: str = "card") -> str:
    """Return a number of items: `a card`, `3 cards`."""
    return f"a {noun}" if count == 1 else f"{count} {noun}s"
