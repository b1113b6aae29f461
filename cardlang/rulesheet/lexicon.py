"""What the names of a game are called in English."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field, frozen

from cardlang import nodes as n
from cardlang.game import CARD, FLAG, NUMBER, PLAYER, TEXT, Game, Type, list_of, member
from cardlang.rulesheet import words


@frozen
class Entry:
    """A noun of the game. `subject`: None (the table), `player`, `card`, `cards`, a kind or a ranking.

    `singular` and `plural` have no article. `unit`: a number that counts things (chips), so that one *has* them.
    `pile`: a zone for several cards. `verb`: of a flag, what is said of its subject (`has folded`).
    """

    name: str
    subject: str | None
    type: Type
    singular: str
    plural: str
    unit: bool = False
    pile: bool = False
    verb: str = ""

    @property
    def noun(self) -> str:
        """The noun in the number that its type asks for."""
        return self.plural if self.type.tag == "list" and not self.pile else self.singular


BUILTIN = {
    "reading": {
        "used": list_of(CARD),
        "rest": list_of(CARD),
        "wilds": NUMBER,
        "owner": PLAYER,
        "title": TEXT,
    },
    "player": {"left": PLAYER, "right": PLAYER, "others": list_of(PLAYER), "seat": NUMBER},
    "card": {"owner": PLAYER, "title": TEXT},
    "member": {"title": TEXT},
    "list": {"size": NUMBER},
}
"""The attributes that the language itself gives to things, by the tag of their type."""


@frozen
class Lexicon:
    """The nouns of a game by name, its kinds, card sets, rankings, orders, steps and the texts of its cards."""

    entries: Mapping[str, Entry]
    kinds: Mapping[str, n.Kind]
    members: Mapping[str, tuple[str, str]] = field(repr=False)
    sets: Mapping[str, n.Cards]
    rankings: Mapping[str, n.Ranking]
    orders: Mapping[str, n.Order]
    steps: Mapping[str, n.Step]
    reactions: tuple[n.Reaction, ...]
    codes: Mapping[str, str] = field(repr=False)

    def find(self, name: str, subject: str | None) -> Entry | None:
        entry = self.entries.get(name)
        return entry if entry is not None and entry.subject == subject else None

    def card(self, code: str) -> str:
        """The title of the card with this code; the code itself if there is none."""
        return self.codes.get(code, code)


def build_lexicon(game: Game) -> Lexicon:
    items = game.items
    entries = {entry.name: entry for item in items for entry in entries_of(item, game)}
    for name, column in game.columns.items():
        entries.setdefault(name, Entry(name, "card", column.type, words.plain(name), words.plural(name)))
    for name, borne in game.borne_defines.items():
        noun = words.plain(name)
        verb = f"is {noun}" if borne.type == FLAG else ""
        entries[name] = Entry(name, "card", borne.type, noun, words.plural(noun), verb=verb)
    return Lexicon(
        entries,
        {item.name.text: item for item in items if isinstance(item, n.Kind)},
        {m.name: (kind.name, m.noun.singular) for kind in game.kinds.values() for m in kind.members},
        {item.name.text: item for item in items if isinstance(item, n.Cards)},
        {item.name.text: item for item in items if isinstance(item, n.Ranking)},
        {item.name.text: item for item in items if isinstance(item, n.Order)},
        {item.name.text: item for item in items if isinstance(item, n.Step)},
        tuple(item for item in items if isinstance(item, n.Reaction)),
        {face.code: face.title for face in game.faces},
    )


def entries_of(item: n.Item, game: Game) -> list[Entry]:
    if isinstance(item, n.Zone):
        return [zone_entry(item)]
    if isinstance(item, n.Track):
        return [track_entry(item)]
    if isinstance(item, n.Define) and item.name.text in game.defines:
        return [define_entry(item, game.defines[item.name.text].type)]
    return []


def subject_name(subject: n.Subject) -> str | None:
    if subject is None:
        return None
    return "player" if subject == "your" else str(subject)


def forms(name: str, called: n.Called | None) -> tuple[str, str]:
    """Singular and plural, as declared or by rule. A name that is a plural already stays one."""
    if called is not None:
        known = words.is_plural(called.singular) and called.plural is None
        return called.singular, called.plural or (called.singular if known else words.plural(called.singular))
    noun = words.plain(name)
    return noun, noun if words.is_plural(noun) else words.plural(noun)


def zone_entry(zone: n.Zone) -> Entry:
    single = zone.holds == 1
    noun, many = forms(zone.name.text, zone.called)
    type_ = CARD.or_nothing() if single else list_of(CARD)
    return Entry(zone.name.text, subject_name(zone.subject), type_, noun, many, pile=not single)


def track_entry(track: n.Track) -> Entry:
    name, subject = track.name.text, subject_name(track.subject)
    tag = track.type.text
    type_ = {"number": NUMBER, "flag": FLAG, "player": PLAYER}.get(tag) or member(tag)
    if type_ == FLAG:
        return flag_entry(name, subject, track.called)
    noun, many = forms(name, track.called)
    counts = type_ == NUMBER and (words.is_plural(noun) or bool(track.called and track.called.plural))
    one = noun if track.called and track.called.plural else words.singular(noun)
    return Entry(name, subject, type_, one if counts else noun, many, unit=counts)


def flag_entry(name: str, subject: str | None, called: n.Called | None) -> Entry:
    """A flag's noun form says it of one thing: `has folded`; of the table: `hearts are broken`."""
    noun = words.plain(name)
    said = called.singular if called is not None else (f"is {noun}" if subject else "")
    return Entry(name, subject, FLAG, noun, noun, verb=said)


def define_entry(define: n.Define, type_: Type) -> Entry:
    name = define.name.text
    subject = "cards" if define.parameter is not None else subject_name(define.subject)
    if type_.tag == "flag":
        return flag_entry(name, subject, define.called)
    noun, many = forms(name, define.called)
    cards = type_.tag == "list" and type_.item is not None and type_.item.tag == "card"
    if cards and define.called is None and not words.is_plural(noun):
        noun, many = f"{noun} card", f"{noun} cards"
    return Entry(name, subject, type_, noun, many)
