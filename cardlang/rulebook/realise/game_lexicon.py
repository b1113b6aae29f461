"""Lexicon: English names of everything a game declares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from attrs import evolve, field, frozen

from cardlang import model as g
from cardlang.cards import SmallCard, SmallCardSet, SymbolSet
from cardlang.english import morphology
from cardlang.model.card_rules import has_text
from cardlang.model.expression_queries import get_read_name, unwrap_conversions
from cardlang.model.game import GAME_CACHE_SIZE, IdentityKey
from cardlang.model.traversal import collect_all_nodes
from cardlang.rulebook.realise.allowances import find_allowances

STEP_TITLES = {"setup": "Set-up", "play": "The game"}


@frozen
class LexiconEntry:
    """A noun of the game, with its type.

    - `subject`: None (the table), `player`, `card`, `cards`, a kind or a ranking.
    - `singular` and `plural` have no article.
    - `is_unit`: it counts or names objects (chips, won cards), so that a player *has* them.
    - `is_zone`, `is_pile`: a zone, a zone for several cards.
    - `predicate`: for a flag, the predicate of its subject (`has folded`); for a role, that of its player.
    - `second`: the end of its nouns and predicate, with its second owner (` for that flag`).
    """

    name: str
    subject: str | None
    type: g.Type
    singular: str
    plural: str
    is_unit: bool = False
    is_zone: bool = False
    is_pile: bool = False
    predicate: str = ""
    second: str = ""

    @property
    def noun(self) -> str:
        """Noun in the grammatical number for its type."""
        return self.plural if self.is_unit or (self.type.tag == "list" and not self.is_pile) else self.singular


@frozen
class Lexicon:
    """A game with the English nouns for its names.

    - `nouns`: tracks, zones and definitions; `columns`: attributes of cards; both by name.
    - `members`: by name, with their kind.
    - `is_clockwise`: turns go clockwise around the table.
    - `stack_zones`: the zones that the rules sort, or whose top or bottom they name.
    - `small_cards`: of the cards, by code.
    """

    game: g.Game
    nouns: Mapping[str, LexiconEntry] = field(repr=False)
    columns: Mapping[str, LexiconEntry] = field(repr=False)
    members: Mapping[str, tuple[str, str]] = field(repr=False)
    is_clockwise: bool
    stack_zones: frozenset[str]
    small_cards: Mapping[str, SmallCard] = field(repr=False)
    symbols: SymbolSet = field(repr=False)
    orders: Mapping[str, g.Order] = field(factory=dict, repr=False)
    """Orders of the rules that the rulebook tells."""
    worded_choices: Mapping[str, str] = field(factory=dict, repr=False)
    """Texts of the definitions that are told where players choose from them; see `find_worded_choices`."""
    allowances: frozenset[str] = frozenset()
    """Numbers that loops count down; see `allowances`."""
    printed_effects: frozenset[str] = frozenset()
    """Steps of cards that the author's texts on all these cards tell."""
    decisions_by_step: dict[str, Any] = field(factory=dict, eq=False, repr=False, init=False)
    """Decisions in each step, by its name; see `StepDecisions`."""

    def find_entry(self, expr: g.Expr) -> LexiconEntry | None:
        """Return the entry of the declaration that an expression names, if any; for several objects, that of one."""
        expr = unwrap_conversions(expr)
        match expr:
            case g.TrackValue() | g.ZoneCards() | g.Call():
                return self.nouns[get_read_name(expr)]
            case g.Attribute() | g.BorneCall():
                return self.columns[get_read_name(expr)]
            case g.MapEach(value=value):
                return self.find_entry(value)
        return None

    def get_step_title(self, name: str) -> str:
        """Return the heading of a step."""
        return STEP_TITLES.get(name) or morphology.format_heading(name)

    def get_allowance_noun(self, track: str) -> str:
        """Return the noun for one of the things that an allowance counts: `turn` for `turns-left`."""
        noun = self.nouns[track].singular
        return morphology.singularize(noun.removesuffix(" left").removesuffix(" remaining"))

    def has_worth(self, entry: LexiconEntry) -> bool:
        """Return whether an entry is a column of a kind with members whose worth differs from their name."""
        kind = self.game.kinds.get(entry.type.of or "") if entry.type.tag == "member" else None
        worths = kind is not None and any(m.worth is not None and not m.name.isdigit() for m in kind.members)
        return worths and entry.name == str(entry.type.of).lower()


def build_lexicon(game: g.Game, content: g.Game | None = None) -> Lexicon:
    """Build the lexicon of a game. `content`: the rules to print."""
    return build_cached_lexicon(IdentityKey(game), IdentityKey(content or game))


@lru_cache(maxsize=GAME_CACHE_SIZE)
def build_cached_lexicon(game_key: IdentityKey, content_key: IdentityKey) -> Lexicon:
    game, content = game_key.game, content_key.game
    looks, parts = SmallCardSet(game), list(collect_all_nodes(game))
    nouns = [*map(build_zone_entry, game.zones.values()), *map(build_track_entry, game.tracks.values())]
    nouns += map(build_define_entry, game.defines.values())
    return Lexicon(
        game,
        {entry.name: entry for entry in nouns},
        {entry.name: entry for entry in build_card_property_entries(game)},
        {m.name: (kind.name, m.noun.singular) for kind in game.kinds.values() for m in kind.members},
        not any(isinstance(part, g.ShufflePlayers) for part in parts),
        frozenset(filter(None, map(find_stack_zone, parts))),
        {face.code: looks.build_small_card(face) for face in game.faces},
        looks.symbols,
        content.orders,
        find_worded_choices(content),
        find_allowances(content),
        find_printed_effects(game),
    )


def find_printed_effects(game: g.Game) -> frozenset[str]:
    """Return the steps of cards that the author's texts on all these cards tell, if cards have no others."""
    rows = [row for cards in game.sets.values() for row in cards.rows]
    untold = [part for cards in game.sets.values() for part in cards.bears]
    untold += [part for row in rows if not has_text(row) for part in row.bears]
    is_told = len(game.borne_steps) == 1 and not any(isinstance(part, g.BorneStepBody) for part in untold)
    return frozenset(game.borne_steps) if is_told else frozenset()


def is_told_on_card(condition: g.Expr, game: g.Game) -> bool:
    """Return whether a condition is the title of cards, and the author's text on them tells what they do."""
    match condition:
        case g.Compare(operator="=", left=left, right=g.Const(value=title)):
            rows = [row for cards in game.sets.values() for row in cards.rows if row.title == title]
            return get_read_name(unwrap_conversions(left)) == "title" and bool(rows) and all(map(has_text, rows))
    return False


def join_otherwise_sentences(texts: Sequence[str]) -> str:
    """Join texts on alternatives: `Follow suit if you can; otherwise play any card.`"""
    *others, before, last = [morphology.punctuate_sentence(text) for text in texts]
    first, _, rest = last.partition(" ")
    joined = f"{before[:-1]}; {first.lower()} {rest}" if first == "Otherwise" else f"{before} {last}"
    return " ".join((*others, joined))


def find_worded_choices(game: g.Game) -> dict[str, str]:
    """Return the author's texts on definitions from which players only choose for themselves, if all cases have one.

    The last case needs none if it is all cards of a zone: `Follow suit if you can. Otherwise, play any card.`
    """
    parts = list(collect_all_nodes(game))
    choices = [part for part in parts if isinstance(part, g.Pick) and not part.may]
    uses_by_name: dict[str, list[g.Call]] = {name: [] for name in game.defines}
    for part in parts:
        if isinstance(part, g.Call):
            uses_by_name[part.define].append(part)
    texts = {}
    for name, define in game.defines.items():
        uses = uses_by_name[name]
        own = [pick for pick in choices for use in uses if pick.source is use and use.of in (None, pick.who)]
        if not isinstance(define.value, g.FirstPossible) or define.doc or not own or len(own) < len(uses):
            continue
        *first, (last, last_doc) = define.value.lists
        docs = [doc for _, doc in first]
        if not last_doc and isinstance(unwrap_conversions(last), g.ZoneCards):
            last_doc = f"Otherwise {own[0].verb} any card."
        if all((*docs, last_doc)):
            texts[name] = join_otherwise_sentences([*docs, last_doc])
    return texts


def find_stack_zone(part: object) -> str:
    """Return the zone whose top or bottom a part uses, or into which it sorts cards; else the empty string."""
    match part:
        case g.Move(end="lowest" | "highest", to=to):
            return str(to.zone)
        case g.Agg(function="top" | "bottom", list=source) | g.Pick(position="top" | "bottom", source=source):
            return get_read_name(unwrap_conversions(source))
    return ""


def build_card_property_entries(game: g.Game) -> Iterator[LexiconEntry]:
    """Yield the entries of the columns of cards, and of the definitions on cards."""
    for name, column in game.columns.items():
        noun = morphology.replace_hyphens(name)
        yield LexiconEntry(name, "card", column.type, noun, morphology.pluralize(noun))
    for name, borne in game.borne_defines.items():
        noun = morphology.replace_hyphens(name)
        verb = f"is {noun}" if borne.type.tag == "flag" else ""
        yield LexiconEntry(name, "card", borne.type, noun, morphology.pluralize(noun), predicate=verb)


def get_noun_forms(noun: g.Noun) -> tuple[str, str]:
    """Return singular and plural, as declared or by rule. A name that is already plural remains unchanged."""
    if noun.counted:
        return noun.singular, noun.plural
    return noun.singular, noun.singular if morphology.is_plural(noun.singular) else morphology.pluralize(noun.singular)


def build_zone_entry(zone: g.Zone) -> LexiconEntry:
    noun, many = get_noun_forms(zone.noun)
    if not zone.noun.called and not zone.single and morphology.is_adjective(noun):
        noun = many = f"{noun} cards"
    type_ = g.CARD.as_optional() if zone.single else g.build_list_type(g.CARD)
    names_cards = zone.noun.counted and noun.split(" ")[-1] not in morphology.CARD_GROUPS
    unit = (morphology.mentions_cards(noun) or names_cards) and not zone.single
    return LexiconEntry(zone.name, zone.subject, type_, noun, many, unit, is_zone=True, is_pile=not zone.single)


def build_track_entry(track: g.Track) -> LexiconEntry:
    if track.type.tag == "flag":
        return build_flag_entry(track)
    noun, many = get_noun_forms(track.noun)
    if track.type.tag == "member" and not track.noun.called:
        noun, many = add_kind_to_noun(track.name, track.type)
    if track.type.tag == "player" and not track.noun.called:
        noun = "starting player" if noun == "starter" else noun
    entry = build_number_entry(track, noun, many, track.type.tag == "number")
    return evolve(entry, predicate=find_role_predicate(track))


def find_role_predicate(track: g.Track) -> str:
    """Return what a player does or is by the author's text on a role, `Who has won the flag.`; or empty."""
    who, _, predicate = track.doc.rstrip(".").partition(" ")
    is_role = track.type.tag == "player" and track.subject is not None and not track.noun.called
    return predicate if is_role and who == "Who" and "." not in predicate else ""


def build_number_entry(declaration: g.Track | g.Define, noun: str, many: str, is_number: bool) -> LexiconEntry:
    """Return the entry of a track or definition. A number with a plural or a mass noun counts what players have."""
    counted = declaration.noun.counted
    if morphology.split_noun(noun)[0] in morphology.MASS_NOUNS and not counted:
        many, counted = noun, True
    is_unit = is_number and (counted or morphology.is_plural(noun))
    one = morphology.singularize(noun) if is_unit and not counted else noun
    return LexiconEntry(declaration.name, declaration.subject, declaration.type, one, many, is_unit=is_unit)


def add_kind_to_noun(name: str, type_: g.Type) -> tuple[str, str]:
    """Add the kind to the noun of a member track: `wanted` of a Suit is `wanted suit`; `lead-suit` remains."""
    noun, kind = morphology.replace_hyphens(name), morphology.replace_hyphens(str(type_.of)).lower()
    noun = noun if kind in noun else f"{noun} {kind}"
    return noun, morphology.pluralize(noun)


def build_flag_entry(declaration: g.Track | g.Define) -> LexiconEntry:
    """Return the entry of a flag, as a predicate: `has folded`; for the table, a clause: `hearts are broken`."""
    noun = morphology.replace_hyphens(declaration.name)
    predicate = declaration.noun.singular if declaration.noun.called else derive_predicate(noun, declaration.subject)
    return LexiconEntry(declaration.name, declaration.subject, g.FLAG, noun, noun, predicate=predicate)


def derive_predicate(noun: str, subject: str | None) -> str:
    """Return the predicate made from the name of a flag: `uses the tall suit`, `is slowed`.

    For the table, only a whole clause or an adjective will do.
    """
    if subject is None:
        is_clause = morphology.AUXILIARY_VERB_PATTERN.search(noun) or noun.split(" ")[0] in ("nobody", "everybody")
        return noun if is_clause else derive_state(noun)
    if subject == "player" and noun in morphology.PLAYER_ACTS:
        return f"has {noun}"
    verb = morphology.AUXILIARY_VERB_PATTERN.match(noun) or (" " in noun and morphology.is_plural(noun.split(" ")[0]))
    return noun if verb else f"is {noun}"


def derive_state(noun: str) -> str:
    """Return the state of the table that an adjective names, or nothing: `the game is reversed`."""
    thing, _, state = noun.rpartition(" ")
    if not morphology.is_adjective(state):
        return ""
    thing = thing if morphology.is_plural(thing) else f"the {thing or 'game'}"
    return f"{thing} {morphology.agree_verb('is', morphology.is_plural(thing))} {state}"


def build_define_entry(define: g.Define) -> LexiconEntry:
    if define.type.tag == "flag":
        return build_flag_entry(define)
    noun, many = get_noun_forms(define.noun)
    if define.type.tag == "reading" and morphology.is_adjective(noun) and not define.noun.called:
        noun, many = add_kind_to_noun(define.name, define.type)
    item = define.type.item.tag if define.type.tag == "list" and define.type.item is not None else ""
    if item == "card" and not define.noun.called and not morphology.is_plural(noun):
        noun, many = f"{noun} card", f"{noun} cards"
    if item == "player" and not define.noun.called and not morphology.is_plural(noun):
        noun = f"{noun} player" if morphology.is_adjective(noun) else f"player {noun}" if " " in noun else noun
        many = noun.replace("player", "players") if "player" in noun else many
    plain = define.type.tag == "number" and define.subject in (None, "player")
    return build_number_entry(define, noun, many, plain and (define.noun.counted or not define.noun.called))
