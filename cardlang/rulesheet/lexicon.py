"""What the names of a game are called in English."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from attrs import field, frozen

from cardlang import nodes as n
from cardlang.drawing import Look, Looks, Marks
from cardlang.game import CARD, FLAG, NUMBER, PLAYER, TEXT, Game, Type, list_of, member
from cardlang.nodes.walking import last_name, nodes_in
from cardlang.rulesheet import words


@frozen
class Entry:
    """A noun of the game. `subject`: None (the table), `player`, `card`, `cards`, a kind or a ranking.

    `singular` and `plural` have no article. `unit`: it counts or names things (chips, won cards): one *has* them.
    `zone`, `pile`: a zone, one for several cards. `verb`: what a flag says of its subject (`has folded`).
    """

    name: str
    subject: str | None
    type: Type
    singular: str
    plural: str
    unit: bool = False
    zone: bool = False
    pile: bool = False
    verb: str = ""

    @property
    def noun(self) -> str:
        """The noun in the number that its type asks for."""
        return self.plural if self.unit or (self.type.tag == "list" and not self.pile) else self.singular


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
    """The nouns of a game by name, its other declarations, the titles and looks of its cards by code, its symbols.
    `clockwise`: turns go round the table. `stacks`: the zones that the rules sort, or of which they name the top or
    the bottom."""

    entries: Mapping[str, tuple[Entry, ...]]
    kinds: Mapping[str, n.Kind]
    members: Mapping[str, tuple[str, str]] = field(repr=False)
    sets: Mapping[str, n.Cards]
    rankings: Mapping[str, n.Ranking]
    orders: Mapping[str, n.Order]
    steps: Mapping[str, n.Step]
    reactions: tuple[n.Reaction, ...]
    clockwise: bool
    stacks: frozenset[str]
    codes: Mapping[str, str] = field(repr=False)
    looks: Mapping[str, Look] = field(repr=False)
    marks: Marks = field(repr=False)
    asked: dict[str, Any] = field(factory=dict, eq=False, repr=False, init=False)
    """By the name of a step, what it asks: see `moves.Asked`."""

    def find(self, name: str, subjects: Collection[str | None]) -> Entry | None:
        """The entry of that name that belongs to one of the subjects."""
        return next((entry for entry in self.entries.get(name, ()) if entry.subject in subjects), None)

    def any(self, name: str) -> Entry | None:
        """An entry of that name, whatever it belongs to."""
        return next(iter(self.entries.get(name, ())), None)

    def of(self, item: n.Zone | n.Track | n.Define, borne: bool = False) -> Entry:
        """The entry of a declaration, or of a definition that cards bear."""
        found = self.find(item.name.text, ("card" if borne else declared_subject(item),))
        assert found is not None
        return found

    def has_worth(self, entry: Entry) -> bool:
        """Whether it is a column of a kind of which some members are worth something else than they say."""
        kind = self.kinds.get(entry.type.of or "") if entry.type.tag == "member" else None
        worths = kind is not None and any(item.worth is not None for item in kind.members)
        return worths and entry.name == str(entry.type.of).lower()

    def card(self, code: str) -> str:
        """The title of the card with this code; the code itself if there is none."""
        return self.codes.get(code, code)


def build_lexicon(game: Game) -> Lexicon:
    items, looks = game.items, Looks(game)
    nodes = nodes_in(tuple(item for item in items if isinstance(item, n.Step | n.Define | n.Cards | n.Reaction)))
    return Lexicon(
        all_entries(game),
        {item.name.text: item for item in items if isinstance(item, n.Kind)},
        {m.name: (kind.name, m.noun.singular) for kind in game.kinds.values() for m in kind.members},
        {item.name.text: item for item in items if isinstance(item, n.Cards)},
        {item.name.text: item for item in items if isinstance(item, n.Ranking)},
        {item.name.text: item for item in items if isinstance(item, n.Order)},
        {item.name.text: item for item in items if isinstance(item, n.Step)},
        tuple(item for item in items if isinstance(item, n.Reaction)),
        not any(map(shuffles_players, nodes)),
        frozenset(filter(None, map(stack_named, nodes))),
        {face.code: face.title for face in game.faces},
        {face.code: looks.of(face) for face in game.faces},
        looks.marks,
    )


def shuffles_players(node: n.Node) -> bool:
    """Whether a statement changes the order of turns, so that it does not go round the table."""
    return isinstance(node, n.Shuffle) and isinstance(node.what, n.NameRef) and node.what.name == "players"


def stack_named(node: n.Node) -> str:
    """The name of the zone that a node takes the top or the bottom of, or sorts cards into; else nothing."""
    if isinstance(node, n.Move) and node.sorted:
        return last_name(node.to)
    return last_name(node.list) if isinstance(node, n.Agg) and node.function in ("top", "bottom") else ""


def all_entries(game: Game) -> dict[str, tuple[Entry, ...]]:
    entries: dict[str, tuple[Entry, ...]] = {}
    for entry in [*declared_entries(game), *card_entries(game)]:
        entries[entry.name] = (*entries.get(entry.name, ()), entry)
    return entries


def declared_entries(game: Game) -> Iterator[Entry]:
    for item in game.items:
        yield from entries_of(item, game)


def card_entries(game: Game) -> Iterator[Entry]:
    """The columns of the cards, and the definitions that cards bear."""
    for name, column in game.columns.items():
        noun = words.plain(name)
        yield Entry(name, "card", column.type, noun, words.plural(noun))
    for name, borne in game.borne_defines.items():
        noun = words.plain(name)
        yield Entry(
            name,
            "card",
            borne.type,
            noun,
            words.plural(noun),
            verb=f"is {noun}" if borne.type == FLAG else "",
        )


def entries_of(item: n.Item, game: Game) -> list[Entry]:
    if isinstance(item, n.Zone):
        return [zone_entry(item)]
    if isinstance(item, n.Track):
        return [track_entry(item)]
    if isinstance(item, n.Define) and item.name.text in game.defines:
        return [define_entry(item, game.defines[item.name.text].type)]
    return []


def declared_subject(item: n.Zone | n.Track | n.Define) -> str | None:
    is_of_cards = isinstance(item, n.Define) and item.parameter is not None
    return "cards" if is_of_cards else subject_name(item.subject)


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
    named = words.names_cards(noun) or (zone.called is not None and zone.called.plural is not None)
    unit = named and not single
    return Entry(zone.name.text, subject_name(zone.subject), type_, noun, many, unit, zone=True, pile=not single)


def track_entry(track: n.Track) -> Entry:
    name, subject = track.name.text, subject_name(track.subject)
    tag = track.type.text
    type_ = {"number": NUMBER, "flag": FLAG, "player": PLAYER}.get(tag) or member(tag)
    if type_ == FLAG:
        return flag_entry(name, subject, track.called)
    noun, many = forms(name, track.called)
    if type_.tag == "member" and track.called is None:
        noun, many = with_kind(name, type_)
    counts = type_ == NUMBER and (words.is_plural(noun) or bool(track.called and track.called.plural))
    one = noun if track.called and track.called.plural else words.singular(noun)
    return Entry(name, subject, type_, one if counts else noun, many, unit=counts)


def with_kind(name: str, type_: Type) -> tuple[str, str]:
    """`wanted` of a Suit: `wanted suit`; `lead-suit` stays."""
    noun, kind = words.plain(name), words.plain(str(type_.of)).lower()
    noun = noun if kind in noun else f"{noun} {kind}"
    return noun, words.plural(noun)


def flag_entry(name: str, subject: str | None, called: n.Called | None) -> Entry:
    """A flag's noun form says it of one thing: `has folded`; of the table: `hearts are broken`."""
    noun = words.plain(name)
    said = called.singular if called is not None else said_by_name(noun, subject)
    return Entry(name, subject, FLAG, noun, noun, verb=said)


def said_by_name(noun: str, subject: str | None) -> str:
    """What a flag says by its name alone: `uses the tall suit`, `is slowed`; of the table, only a whole clause."""
    if subject is None:
        return noun if words.AUXILIARY.search(noun) else ""
    verb = words.AUXILIARY.match(noun) or (" " in noun and words.is_plural(noun.split(" ")[0]))
    return noun if verb else f"is {noun}"


def define_entry(define: n.Define, type_: Type) -> Entry:
    name, subject = define.name.text, declared_subject(define)
    if type_.tag == "flag":
        return flag_entry(name, subject, define.called)
    noun, many = forms(name, define.called)
    cards = type_.tag == "list" and type_.item is not None and type_.item.tag == "card"
    if cards and define.called is None and not words.is_plural(noun):
        noun, many = f"{noun} card", f"{noun} cards"
    return Entry(name, subject, type_, noun, many)
