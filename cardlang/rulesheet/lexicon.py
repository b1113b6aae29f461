"""Build the lexicon: the English nouns for the names of a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import field, frozen

from cardlang import game as g
from cardlang import words
from cardlang.drawing import Look, Looks, Marks
from cardlang.game.walking import everything
from cardlang.rulesheet.parts import bare, name_of
from cardlang.told import Said

TITLES = {"setup": "Set-up", "play": "The game"}


@frozen
class Entry:
    """A noun of the game, with its type.

    - `subject`: None (the table), `player`, `card`, `cards`, a kind or a ranking.
    - `singular` and `plural` have no article.
    - `unit`: it counts or names objects (chips, won cards), so that a player *has* them.
    - `zone`, `pile`: a zone, a zone for several cards.
    - `verb`: for a flag, the predicate of its subject (`has folded`).
    """

    name: str
    subject: str | None
    type: g.Type
    singular: str
    plural: str
    unit: bool = False
    zone: bool = False
    pile: bool = False
    verb: str = ""

    @property
    def noun(self) -> str:
        """Noun in the grammatical number for its type."""
        return self.plural if self.unit or (self.type.tag == "list" and not self.pile) else self.singular


@frozen
class Lexicon:
    """A game with the English nouns for its names.

    - `nouns`: tracks, zones and definitions; `columns`: attributes of cards; both by name.
    - `members`: by name, with their kind.
    - `clockwise`: turns go clockwise around the table.
    - `stacks`: the zones that the rules sort, or whose top or bottom they name.
    - `looks`: of the cards, by code.
    """

    game: g.Game
    nouns: Mapping[str, Entry] = field(repr=False)
    columns: Mapping[str, Entry] = field(repr=False)
    members: Mapping[str, tuple[str, str]] = field(repr=False)
    clockwise: bool
    stacks: frozenset[str]
    looks: Mapping[str, Look] = field(repr=False)
    marks: Marks = field(repr=False)
    told: Mapping[str, Said] = field(factory=dict, repr=False)
    """Custom wording by rule name; see `cardlang.told`."""
    asked: dict[str, Any] = field(factory=dict, eq=False, repr=False, init=False)
    """Decisions in each step, by its name; see `example_moves.Asked`."""

    def entry(self, expr: g.Expr) -> Entry | None:
        """Return the entry of the declaration that an expression names, if any; for several objects, that of one."""
        expr = bare(expr)
        match expr:
            case g.TrackValue() | g.ZoneCards() | g.Call():
                return self.nouns[name_of(expr)]
            case g.Attribute() | g.BorneCall():
                return self.columns[name_of(expr)]
            case g.MapEach(value=value):
                return self.entry(value)
        return None

    def step_title(self, name: str) -> str:
        """Return the heading of a step: the author's title on the sheet, or its name."""
        told = self.told.get(f"step {name}")
        return (told and told.title) or TITLES.get(name) or words.title(name)

    def has_worth(self, entry: Entry) -> bool:
        """Return whether an entry is a column of a kind with members whose worth differs from their name."""
        kind = self.game.kinds.get(entry.type.of or "") if entry.type.tag == "member" else None
        worths = kind is not None and any(m.worth is not None and not m.name.isdigit() for m in kind.members)
        return worths and entry.name == str(entry.type.of).lower()


def build_lexicon(game: g.Game, told: Mapping[str, Said] | None = None) -> Lexicon:
    """Build the lexicon of a game. `told`: custom wording of its rules."""
    looks, parts = Looks(game), list(everything(game))
    nouns = [*map(zone_entry, game.zones.values()), *map(track_entry, game.tracks.values())]
    nouns += map(define_entry, game.defines.values())
    return Lexicon(
        game,
        {entry.name: entry for entry in nouns},
        {entry.name: entry for entry in card_entries(game)},
        {m.name: (kind.name, m.noun.singular) for kind in game.kinds.values() for m in kind.members},
        not any(isinstance(part, g.ShufflePlayers) for part in parts),
        frozenset(filter(None, map(stack_named, parts))),
        {face.code: looks.of(face) for face in game.faces},
        looks.marks,
        told or {},
    )


def stack_named(part: object) -> str:
    """Return the zone whose top or bottom a part uses, or into which it sorts cards; else the empty string."""
    match part:
        case g.Move(end="lowest" | "highest", to=to):
            return str(to.zone)
        case g.Agg(function="top" | "bottom", list=source) | g.Pick(position="top" | "bottom", source=source):
            return name_of(bare(source))
    return ""


def card_entries(game: g.Game) -> Iterator[Entry]:
    """Yield the entries of the columns of cards, and of the definitions on cards."""
    for name, column in game.columns.items():
        noun = words.plain(name)
        yield Entry(name, "card", column.type, noun, words.plural(noun))
    for name, borne in game.borne_defines.items():
        noun = words.plain(name)
        verb = f"is {noun}" if borne.type.tag == "flag" else ""
        yield Entry(name, "card", borne.type, noun, words.plural(noun), verb=verb)


def forms(noun: g.Noun) -> tuple[str, str]:
    """Return singular and plural, as declared or by rule. A name that is already plural remains unchanged."""
    if noun.counted:
        return noun.singular, noun.plural
    return noun.singular, noun.singular if words.is_plural(noun.singular) else words.plural(noun.singular)


def zone_entry(zone: g.Zone) -> Entry:
    noun, many = forms(zone.noun)
    type_ = g.CARD.or_nothing() if zone.single else g.list_of(g.CARD)
    unit = (words.names_cards(noun) or zone.noun.counted) and not zone.single
    return Entry(zone.name, zone.subject, type_, noun, many, unit, zone=True, pile=not zone.single)


def track_entry(track: g.Track) -> Entry:
    if track.type.tag == "flag":
        return flag_entry(track)
    noun, many = forms(track.noun)
    if track.type.tag == "member" and not track.noun.called:
        noun, many = with_kind(track.name, track.type)
    counts = track.type.tag == "number" and (words.is_plural(noun) or track.noun.counted)
    one = noun if track.noun.counted else words.singular(noun)
    return Entry(track.name, track.subject, track.type, one if counts else noun, many, unit=counts)


def with_kind(name: str, type_: g.Type) -> tuple[str, str]:
    """Add the kind to the noun of a member track: `wanted` of a Suit is `wanted suit`; `lead-suit` remains."""
    noun, kind = words.plain(name), words.plain(str(type_.of)).lower()
    noun = noun if kind in noun else f"{noun} {kind}"
    return noun, words.plural(noun)


def flag_entry(thing: g.Track | g.Define) -> Entry:
    """Return the entry of a flag, as a predicate: `has folded`; for the table, a clause: `hearts are broken`."""
    noun = words.plain(thing.name)
    said = thing.noun.singular if thing.noun.called else said_by_name(noun, thing.subject)
    return Entry(thing.name, thing.subject, g.FLAG, noun, noun, verb=said)


def said_by_name(noun: str, subject: str | None) -> str:
    """Return the predicate made from the name of a flag: `uses the tall suit`, `is slowed`.

    For the table, only a whole clause will do.
    """
    if subject is None:
        return noun if words.AUXILIARY.search(noun) else ""
    verb = words.AUXILIARY.match(noun) or (" " in noun and words.is_plural(noun.split(" ")[0]))
    return noun if verb else f"is {noun}"


def define_entry(define: g.Define) -> Entry:
    if define.type.tag == "flag":
        return flag_entry(define)
    noun, many = forms(define.noun)
    cards = define.type.tag == "list" and define.type.item is not None and define.type.item.tag == "card"
    if cards and not define.noun.called and not words.is_plural(noun):
        noun, many = f"{noun} card", f"{noun} cards"
    return Entry(define.name, define.subject, define.type, noun, many)
