"""Names of players, piles, cards and values, and their refs."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cardlang import model as g
from cardlang.english.control_characters import INVISIBLE_PATTERN
from cardlang.english.morphology import replace_hyphens
from interpreter.narration import event_phrases as p
from interpreter.narration.game_facts import get_game_facts
from interpreter.runtime.state import ABSENT, NO_NUMBER, UNLIMITED, State, TrackSlot, ZoneSlot
from interpreter.runtime.state_layout import format_player_counts
from interpreter.runtime.value_formatting import ValueFormatter, get_default_names, join_items

if TYPE_CHECKING:
    from interpreter.program.program import Program


class Refs:
    """Refs of one match. A card out of play has none.

    - `zone/hand/Ann` is a pile, and `zone/line for 3/Ann` one for a second owner,
    - `zone/hand/Ann#3` is the third card from its bottom,
    - `player/Ann` is a player,
    - `member/Suit/Hearts` is a value of a kind,
    - `value/5` is a number.
    """

    def __init__(self, names: MatchNames) -> None:
        self.names = names
        self.pile_refs = [
            self.build_pile_ref(slot.zone.name, names.get_owner_name(slot.zone.subject, slot.of), second)
            for slot in names.program.zones
            for second in [names.get_owner_name(slot.zone.second, slot.second)]
        ]
        self.pile_numbers = {ref: number for number, ref in enumerate(self.pile_refs)}

    @staticmethod
    def build_pile_ref(name: str, owner: str | None, second: str | None = None) -> str:
        name = add_second_owner(name, second)
        return f"zone/{name}" if owner is None else f"zone/{name}/{owner}"

    @staticmethod
    def get_zone_name(ref: str) -> str:
        """Return the name of the zone of a pile or card; empty for an empty ref."""
        return ref.split("/")[1].partition(" ")[0] if ref else ""

    def build_card_ref(self, state: State, card: int) -> str:
        pile = state.loc[card]
        return f"{self.pile_refs[pile]}#{state.z[pile].index(card) + 1}" if pile >= 0 else ""

    def build_value_ref(self, state: State, type: g.Type, value: int) -> str:
        match type.tag:
            case "card":
                return self.build_card_ref(state, value)
            case "player":
                return f"player/{self.names.players[value]}"
            case "member" if type.of is not None:
                return f"member/{type.of}/{self.names.game.kinds[type.of].members[value].name}"
        return f"value/{value}"

    def find_card(self, state: State, ref: str) -> int | None:
        """Return the card of a ref; None if there is none."""
        pile, _, position = ref.rpartition("#")
        number = self.pile_numbers.get(pile)
        if number is None or not (position.isascii() and position.isdigit()) or len(position) > 6:
            return None
        cards = state.z[number]
        return cards[int(position) - 1] if 0 < int(position) <= len(cards) else None


def add_second_owner(noun: str, second: str | None) -> str:
    return noun if second is None else f"{noun} for {second}"


PREPOSITIONS = ("out", "in", "on", "under", "beside", "aside", "off", "away", "face", "at")


class MatchNames(ValueFormatter):
    """Names of one match. Clones share it. It never changes.

    `mark_tracks`: public counters of cards.
    """

    def __init__(self, program: Program, players: tuple[str, ...]) -> None:
        super().__init__(program.game, players, program.face)
        self.program = program
        self.facts = get_game_facts(self.game)
        self.faces = tuple(face.code for face in self.game.faces)
        self.refs = Refs(self)
        tracks = self.game.tracks.values()
        self.mark_tracks = [track for track in tracks if track.subject == "card" and not track.secret]
        self.pile_phrases = [self.build_pile_phrases(number) for number in range(len(program.zones))]
        self.pile_names = ["".join(phrases) for phrases in self.pile_phrases]

    def __reduce__(self) -> tuple[type[MatchNames], tuple[Program, tuple[str, ...]]]:
        return MatchNames, (self.program, self.players)

    @cached_property
    def in_records(self) -> MatchNames:
        """Names as records contain them. A translation does not change them."""
        names = copy(self)
        names.codes = tuple(self.game.untranslated.faces[face].code for face in self.program.face)
        names.faces = tuple(face.code for face in self.game.untranslated.faces)
        return names

    def resolve_seat(self, player: int | str) -> int:
        """Return the seat of a player given by name or seat. Raise `ValueError` if there is no such player."""
        if isinstance(player, int) and not isinstance(player, bool) and 0 <= player < len(self.players):
            return player
        if player in self.players:
            return self.players.index(str(player))
        raise ValueError(f"There is no player {player}. The players are {', '.join(self.players)}.")

    def get_owner_name(self, subject: str | None, owner_index: int | None) -> str | None:
        """Return the name of the owner of a pile or track; None for the table and for cards."""
        if owner_index is None or subject is None or subject == "card":
            return None
        return self.players[owner_index] if subject == "player" else self.game.kinds[subject].members[owner_index].name

    def get_pile_name(self, number: int) -> str:
        """Return the name of a pile: `Bob's hand`, `the play area`, `out of the game`."""
        return self.pile_names[number]

    def get_slot_noun(self, slot: ZoneSlot | TrackSlot) -> str:
        """Return the noun of a pile or track: `hand`, `line for 3`."""
        declared = slot.zone if isinstance(slot, ZoneSlot) else slot.track
        return add_second_owner(replace_hyphens(declared.noun.singular), self.describe_second_owner(slot))

    def describe_second_owner(self, slot: ZoneSlot | TrackSlot) -> str | None:
        """Return the second owner for sentences: `Wood`; with its kind if it is a number: `flag 3`."""
        kind = (slot.zone if isinstance(slot, ZoneSlot) else slot.track).second
        if kind is None:
            return None
        name = self.describe_member(g.build_member_type(kind), slot.second)
        return f"{replace_hyphens(kind).lower()} {name}" if name.isdecimal() else name

    def build_pile_phrases(self, number: int) -> tuple[str, ...]:
        slot = self.program.zones[number]
        noun = self.get_slot_noun(slot)
        if slot.of is not None:
            owner = self.get_possessive(slot.zone.subject, slot.of)
            return (owner,) if noun in owner.split() else (owner, f" {noun}")
        return (noun if noun.split()[0] in PREPOSITIONS else f"the {noun}",)

    def build_owner_name_phrase(self, subject: str | None, owner_index: int | None) -> str:
        """Return the owner of a pile or track as a phrase; empty for the table."""
        name = self.get_owner_name(subject, owner_index) or ""
        return p.make_name(name) if name and subject == "player" else name

    def get_possessive(self, subject: str | None, owner_index: int | None) -> str:
        """Return the owner of a pile or track, as before its noun: `Bob's`, `the Hearts`; empty for the table."""
        if owner_index is None or subject is None:
            return ""
        if subject == "player":
            return p.make_possessive_name(self.players[owner_index])
        name = self.describe_member(g.build_member_type(subject), owner_index)
        return name if any(map(str.isdecimal, name.split())) else f"the {name}"

    def get_pile_seat(self, pile: int) -> int | None:
        """Return the seat of the player who owns a pile; None for other piles."""
        slot = self.program.zones[pile]
        return slot.of if slot.zone.subject == "player" else None

    def describe_value(self, type: g.Type, value: Any) -> str:
        """Return a value for a sentence: `Two pair (kings and fives)` for a hand, `Ann and Bob` for players.

        A hand includes the values of the cards that count, unless a wild card in it could be any card.
        """
        if isinstance(value, list | tuple) and value and type.item is not None and type.item.tag == "player":
            return join_items([self.players[int(item)] for item in value])
        if type.tag == "member" and not isinstance(value, list | tuple):
            return self.describe_member(type, value)
        if type.tag != "reading" or self.is_split(type) or value is None or not value.title:
            return "nothing" if value == [] else self.format_value(type, value)
        faces = value.shown or [self.program.face[card] for card in value.used]
        return value.title if None in faces else self.facts.card_value_names.format_hand_title(value.title, faces)

    def build_value_phrases(self, type: g.Type, value: Any) -> tuple[str, ...]:
        """Return a value as phrases of a sentence, with its players and cards."""
        item = type.item if type.item is not None and isinstance(value, list | tuple) else None
        if item is not None and item.tag == "player" and value:
            return p.join_phrases([p.make_name(self.players[int(each)]) for each in value])
        groups = self.find_card_groups(type, value)
        if groups:
            codes = ([self.get_card_code(card) for card in group] for group in groups)
            return p.join_phrases([p.Cards.create(each) for each in codes])
        if type.tag == "player" and value is not None and value != ABSENT:
            return (p.make_name(self.players[int(value)]),)
        text = self.describe_value(type, value)
        return (p.Amount(text) if type.tag == "number" else text,)

    def find_card_groups(self, type: g.Type, value: Any) -> list[Sequence[int]]:
        """Return the cards in a value, group by group; empty if it has none."""
        if value in (None, []) or (type.tag == "card" and value == ABSENT):
            return []
        if self.is_split(type):
            return list(value.groups)
        item = type.item if isinstance(value, list | tuple) else None
        if item is not None and item.item is not None:
            return list(value) if item.item.tag == "card" else []
        if (item or type).tag != "card":
            return []
        return [value if isinstance(value, list | tuple) else [value]]

    def describe_member(self, type: g.Type, value: Any) -> str:
        """Return the author's name for a value of a kind. A name made of several words loses its hyphens."""
        member = None if value is None or value == ABSENT else self.game.kinds[str(type.of)].members[int(value)]
        if member is not None and member.noun.called:
            return member.noun.singular
        return replace_hyphens(self.format_value(type, value))

    def format_track(self, slot: int, raw: int) -> str:
        """Return the value of a track from its raw number in a state."""
        track = self.program.tracks[slot]
        return self.format_value(track.track.type, to_exact_number(raw, track.scale, track.track.type))


def to_exact_number(raw: int, scale: int, type: g.Type) -> int | Fraction | str | None:
    """Convert the integer of a track to its value; None if absent, `UNLIMITED` in the spelling of the game."""
    if type.tag != "number":
        return None if raw == ABSENT and type.tag != "flag" else raw
    if raw == NO_NUMBER:
        return None
    if raw == UNLIMITED:
        return g.UNLIMITED
    value = Fraction(raw, scale)
    return value.numerator if value.denominator == 1 else value


def format_card_count(count: int) -> str:
    """Return a number of cards: `a card`, `3 cards`."""
    return "a card" if count == 1 else f"{count} cards"


def find_public_steps(names: MatchNames, state: State) -> tuple[str, ...]:
    """Return the publicly known running steps, the outermost first."""
    running = dict.fromkeys(name for frame in state.frames for name in names.program.enclosing[frame[0]])
    return tuple(name for name in running if name in names.game.steps and name not in names.facts.hidden_steps)


def resolve_player_names(game: g.Game, players: int | list[str] | None) -> tuple[str, ...]:
    if players is None:
        players = min(game.seats)
    names = isinstance(players, list | tuple) and all(isinstance(name, str) for name in players)
    if not names and not isinstance(players, int):
        raise TypeError(f"Players must be a number or a list of names, not {players!r}.")
    count = players if isinstance(players, int) else len(players)
    if count not in game.seats:
        raise ValueError(f"{game.title} is for {format_player_counts(game.seats)} players, not {count}.")
    named = get_default_names(count) if isinstance(players, int) else tuple(players)
    if len({*map(str.strip, named), ""}) != len(named) + 1:
        raise ValueError("Each player needs a different name.")
    if any(map(INVISIBLE_PATTERN.search, named)):
        raise ValueError("A player's name can only have visible characters, on one line.")
    return named


def to_exact_value(names: MatchNames, type_: g.Type, value: Any) -> int | Fraction | bool | str | None:
    if type_.tag == "flag":
        return bool(value)
    return value if type_.tag == "number" or value is None else names.format_value(type_, value)
