"""Noun phrases for names, possessives, members and cards."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby

from attrs import evolve

from cardlang import model as g
from cardlang.english import morphology
from cardlang.model import CARD, NUMBER, PLAYER, TEXT, build_list_type
from cardlang.model.expression_queries import is_that_reference
from cardlang.rulebook.realise.game_lexicon import Lexicon, LexiconEntry
from cardlang.rulebook.realise.phrases import (
    YOU,
    NounPhrase,
    PhraseScope,
    build_noun_phrase,
    get_item_type,
    register_phrase,
)


def describe_card_titles(titles: Sequence[str]) -> str:
    """Return a list of cards: `three 8s (Plum, Diamond and Plum) and the 4 of Diamond`, `the 1 to 5 of Bamboo`."""
    parts: list[str] = []
    rest = [tuple(title.split(" of ", 1)) for title in titles]
    while rest:
        count, part = describe_first_group(rest)
        parts.append(part)
        rest = rest[count:]
    return join_card_groups(parts)


def join_card_groups(parts: Sequence[str], conjunction: str = "and") -> str:
    """Join the parts of a list of cards, with a comma before the last if a part contains `and`."""
    plain_parts = [re.sub(r" \(.*?\)", "", part) for part in parts]
    comma = "," if any(" and " in part or "," in part for part in plain_parts) else ""
    return f"{', '.join(parts[:-1])}{comma} {conjunction} {parts[-1]}" if len(parts) > 1 else "".join(parts)


def describe_first_group(cards: Sequence[tuple[str, ...]]) -> tuple[int, str]:
    """Return the number of leading cards that form a group, and its wording."""
    equal, suit, rank = (count_equal_cards(cards, part) for part in (slice(None), slice(1, None), slice(0, 1)))
    if len(cards[0]) == 1:
        return equal, describe_copies(cards[0][0], equal)
    if rank > 1 and rank >= suit:
        suits = morphology.join_phrases([card[1] for card in cards[:rank]])
        return rank, f"{morphology.spell_number(rank)} {morphology.pluralize(cards[0][0])} ({suits})"
    return suit, f"the {describe_ranks([card[0] for card in cards[:suit]])} of {cards[0][1]}"


def describe_copies(title: str, count: int) -> str:
    """Return the wording of copies: `Sofa Claim`, `two Sofa Claims`; `two copies of No Nuts For You!`.

    A sentence as a title has no plural.
    """
    if count == 1:
        return title
    if len(title.split(" ")) > 2 or not title[-1].isalnum():
        return f"{morphology.spell_number(count)} copies of {title}"
    return morphology.format_count(morphology.spell_number(count), title)


def count_equal_cards(cards: Sequence[tuple[str, ...]], title_part: slice) -> int:
    """Return the number of leading cards that share a part of their titles."""
    _, same = next(groupby(cards, lambda card: (len(card), card[title_part])))
    return len(list(same))


def describe_ranks(ranks: Sequence[str]) -> str:
    """Return the wording of ranks: `4 to 6`; `2, 3, 4 and 8`; `4 to 8 and King`.

    A run of consecutive numbers among other ranks is a range only if it has five or more.
    """
    parts: list[str] = []
    rest = [*ranks]
    while rest:
        count = count_consecutive_ranks(rest)
        is_range = count > (2 if count == len(ranks) else 4)
        parts += [f"{rest[0]} to {rest[count - 1]}"] if is_range else rest[:count]
        rest = rest[count:]
    return morphology.join_phrases(parts)


def count_consecutive_ranks(ranks: Sequence[str]) -> int:
    """Return the number of leading ranks that are consecutive numbers, at least one."""
    numbers = [int(rank) if rank.isdecimal() else None for rank in ranks]
    first = numbers[0]
    if first is None:
        return 1
    return next((index for index, value in enumerate(numbers) if value != first + index), len(numbers))


POSSESSIVE_DETERMINERS = {
    "mine": "your", "yours": "your", "ours": "your", "own": "your own",
    "theirs": "their", "his": "their", "hers": "their",
}  # fmt: skip
"""Possessive names, and their determiners before a noun."""
DETERMINER_FORMS = {
    "my": "your", "our": "your", "your": "your", "their": "their", "his": "their", "her": "their", "its": "its",
    "the": "the", "a": "the", "an": "the", "this": "this", "that": "that", "these": "these", "those": "those",
    "one": "one", "some": "some", "any": "any", "each": "each", "both": "both",
}  # fmt: skip
"""First words of names that replace an article."""
PRONOUNS = {
    "it", "them", "they", "he", "she", "him", "her", "me", "us", "we", "i", "this", "that", "these", "those", "one",
    "ones", "who", "whom", "which", "what", "each", "both", "all", "any", "some", "someone", "somebody", "anyone",
    "anybody", "everyone", "everybody", "other", "others", "another", "self", "same",
}  # fmt: skip


def add_article(noun: str, value_noun: str) -> str:
    """Return a name with its article. `value_noun`: the type of its value, `card` or `players`."""
    first, _, rest = noun.partition(" ")
    if rest:
        return f"{DETERMINER_FORMS.get(first.lower(), f'the {first}')} {rest}"
    if can_follow_article(noun):
        return f"the {noun}"
    if noun in ("other", "others"):
        return f"the other {value_noun}"
    whose = POSSESSIVE_DETERMINERS.get(noun.lower())
    is_owned = whose and value_noun not in ("player", "players")
    return f"{whose} {value_noun}" if is_owned else f"the {value_noun} in question"


def can_follow_article(name: str) -> bool:
    """Return whether a name can follow an article, unlike `theirs`, `mine`, `it`."""
    return name.lower() not in PRONOUNS | POSSESSIVE_DETERMINERS.keys()


COMPLEX_OWNER = re.compile(r" (other than|with|who|whose|that|to|of|on|ranked|in|among|from) |,|card played$")
POSSESSIVE_ENDING = re.compile(r"('s|s') ")
SHORT_POSSESSIVE = re.compile(r"(the |that )?[\w-]+('s|s') [\w-]+")


def is_list_phrase(noun: NounPhrase) -> bool:
    return noun.type.tag == "list"


# ---------------------------------------------------------------- owners
def format_genitive(owner: NounPhrase, noun: str) -> str:
    """Return a noun with its owner: `your hand`, `the declarer's team's points`.

    After a long owner: `the hands of the players who have not folded`.
    """
    return f"the {noun} of {owner.cards_text}" if is_long_owner(owner.cards_text) else f"{owner.possessive} {noun}"


def is_long_owner(owner: str) -> bool:
    """Return whether an owner needs `of`, because it has a relative clause or several possessives."""
    return bool(
        COMPLEX_OWNER.search(owner) or (POSSESSIVE_ENDING.search(owner) and not SHORT_POSSESSIVE.fullmatch(owner))
    )


def build_tested_relation(owner: NounPhrase, noun: str) -> tuple[str, str]:
    """Return the relation of a noun to the tested object, and its noun after `whose`."""
    if owner.tested_role == "self":
        return "of", noun
    if owner.tested_role == "of":
        return "of", f"{morphology.make_possessive(owner.bare_noun)} {noun}"
    return "", ""


def build_owned_noun(owner: NounPhrase, entry: LexiconEntry) -> NounPhrase:
    """Return the noun of a declaration with its owner or owners."""
    if is_list_phrase(owner):
        return build_noun_of_owners(owner, entry)
    text = format_genitive(owner, entry.noun)
    role, bare = build_tested_relation(owner, entry.noun)
    return add_zone_cards(
        NounPhrase(text, entry.type, has_plural_verb(entry), role, bare, "", entry.is_pile, owner, entry)
    )


def has_plural_verb(entry: LexiconEntry) -> bool:
    """Return whether a declaration takes a plural verb. (`Books` of cards is still one zone.)"""
    is_one_zone = entry.is_zone and not entry.second.startswith(ALL_SECOND_OWNERS)
    if entry.is_unit and entry.type.tag == "number":
        return entry.singular != entry.plural
    return entry.is_unit or (not is_one_zone and morphology.is_plural(entry.noun.removesuffix(entry.second)))


ALL_SECOND_OWNERS = " for all "


def add_second_owner(entry: LexiconEntry, second: NounPhrase) -> LexiconEntry:
    """Return a declaration named with its second owner: `line for that flag`, `lines for all flags`.

    After `where`, that owner needs no words.
    """
    if not second.text:
        return entry
    if second.text.isdecimal() and second.type.tag == "member":
        second = evolve(second, text=f"{get_kind_noun(str(second.type.of))} {second.text}")
    if not is_list_phrase(second):
        link = "of" if entry.singular in morphology.PART_NOUNS else "for"
        end, singular, type_ = f" {link} {second.text}", entry.singular, entry.type
    else:
        end = f"{ALL_SECOND_OWNERS}{second.items_text}" if second.items_text else f" for {second.text}"
        singular, type_ = entry.plural, build_list_type(entry.type.item or entry.type)
    predicate = entry.predicate and entry.predicate + end
    plural = entry.plural + end
    return evolve(entry, singular=singular + end, plural=plural, type=type_, predicate=predicate, second=end)


def build_declared_noun(
    entry: LexiconEntry, owner: g.Expr | None, second_owner: g.Expr | None, scope: PhraseScope
) -> NounPhrase:
    """Return the noun of a declaration of the table or of its owners."""
    if owner is None:
        return build_table_noun(entry)
    named = entry if second_owner is None else add_second_owner(entry, build_noun_phrase(second_owner, scope))
    return build_owned_noun(build_owner_noun(owner, scope), named)


def add_zone_cards(noun: NounPhrase) -> NounPhrase:
    """Add the cards of a zone to its noun."""
    return evolve(noun, items_text=f"cards {noun.location}", place=noun.location) if noun.is_pile else noun


def build_noun_of_owners(owner: NounPhrase, entry: LexiconEntry) -> NounPhrase:
    """Return the noun of a declaration of several owners."""
    of_cards = get_item_type(owner).tag == "card"
    of_owner = owner.place or f"of {owner.cards_text}"
    text = f"the {entry.plural} {of_owner}" if of_cards else format_genitive(owner, entry.plural)
    inner = entry.type.item if entry.type.tag == "list" and entry.type.item else entry.type
    items = "" if entry.is_zone else f"{entry.plural} {of_owner}"
    role, bare = build_tested_relation(owner, entry.plural)
    holders = owner if entry.is_unit and get_item_type(owner).tag == "player" else None
    return add_zone_cards(
        NounPhrase(text, build_list_type(inner), True, role, bare, items, entry.is_zone, holders, entry)
    )


def build_table_noun(entry: LexiconEntry) -> NounPhrase:
    """Return the noun of a declaration of the table."""
    text = f"the {entry.noun}"
    items = entry.plural if entry.type.tag == "list" else ""
    noun = NounPhrase(text, entry.type, has_plural_verb(entry), "", "", items, entry.is_pile, None, entry)
    return noun if noun.is_named_after_cards else add_zone_cards(noun)


def build_builtin_noun(owner: NounPhrase, name: str, type_: g.Type) -> NounPhrase:
    """Return the noun of a builtin attribute (`left`, `others`, `owner`, …)."""
    if name == "title":
        return evolve(owner, type=TEXT)
    if name in ("left", "right"):
        return build_neighbour_noun(owner, name)
    if name == "others":
        return build_opponents_noun(owner)
    if name in ("above", "below"):
        side = "on" if name == "above" else "under"
        items = f"cards {side} {'it' if owner.tested_role else owner.text}"
        return NounPhrase(f"the {items}", build_list_type(CARD), True, items_text=items)
    if name in ("used", "rest", "wilds"):
        return build_reading_noun(owner, name)
    if is_list_phrase(owner):
        return NounPhrase(f"the {morphology.pluralize(name)} of {owner.cards_text}", build_list_type(type_), True)
    role, bare = build_tested_relation(owner, name)
    if name == "owner" and not role and is_long_owner(owner.text):
        return NounPhrase(f"the player with {owner.text}", type_)
    return NounPhrase(format_genitive(owner, name), type_, False, role, bare)


def build_neighbour_noun(owner: NounPhrase, side: str) -> NounPhrase:
    again = re.fullmatch(rf"the player to (.*) {side}", owner.text)
    if again:
        return NounPhrase(f"the player two places to {again[1]} {side}", PLAYER)
    if is_long_owner(owner.text):
        return NounPhrase(f"the player to the {side} of {owner.text}", PLAYER)
    return NounPhrase(f"the player to {owner.possessive} {side}", PLAYER)


def build_opponents_noun(owner: NounPhrase) -> NounPhrase:
    items = "other players" if owner.text in ("you", "they") else f"players other than {owner.text}"
    return NounPhrase(f"the {items}", build_list_type(PLAYER), True, items_text=items)


def build_reading_noun(owner: NounPhrase, name: str) -> NounPhrase:
    whose = "" if owner.tested_role else f" in {owner.text}"
    if name == "wilds":
        entry = LexiconEntry(name, "reading", NUMBER, "wild card", "wild cards", is_unit=True)
        return NounPhrase(f"the number of wild cards{whose}", NUMBER, owner=owner, entry=entry)
    items = f"cards used{whose}" if name == "used" else f"cards left over{whose}"
    return NounPhrase(f"the {items}", build_list_type(CARD), True, items_text=items)


# ---------------------------------------------------------------- names
@register_phrase(g.Var)
def describe_var(expr: g.Var, scope: PhraseScope) -> NounPhrase:
    if is_that_reference(expr):
        return NounPhrase(f"that {get_kind_noun(expr.name.removeprefix('that '))}", expr.type)
    known = scope.nouns.get(expr.id)
    if known is None:
        named = NounPhrase(add_article(morphology.replace_hyphens(expr.name), expr.type.tag), expr.type)
        return YOU if expr.name == "you" else named
    return known


@register_phrase(g.Call)
def describe_call(expr: g.Call, scope: PhraseScope) -> NounPhrase:
    """Describe a definition: of the table, of an owner, or of some cards."""
    entry = scope.lexicon.nouns[expr.define]
    if expr.of is None or entry.subject != "cards":
        return build_declared_noun(entry, expr.of, expr.second, scope)
    base = build_noun_phrase(expr.of, scope)
    if entry.type.tag == "flag":
        cards = evolve(base.counted_cards_noun, is_plural=True)
        return NounPhrase(f"whether {cards.text} {entry.predicate}", entry.type, owner=cards, entry=entry)
    return NounPhrase(f"the {entry.singular} of {base.cards_text}", entry.type, morphology.is_plural(entry.singular))


@register_phrase(g.TrackValue, g.ZoneCards)
def describe_track_or_zone(expr: g.TrackValue | g.ZoneCards | g.Place, scope: PhraseScope) -> NounPhrase:
    """Describe a zone or track of the table or of an owner."""
    entry = scope.lexicon.nouns[expr.track if isinstance(expr, g.TrackValue) else expr.zone]
    return build_declared_noun(entry, expr.of, expr.second, scope)


def build_destination_noun(to: g.Place, scope: PhraseScope) -> NounPhrase:
    """Return the noun of the destination of cards."""
    return describe_track_or_zone(to, scope)


def build_target_noun(stmt: g.SetTrack, scope: PhraseScope) -> NounPhrase:
    """Return the noun of the track that a statement changes."""
    return build_declared_noun(scope.lexicon.nouns[stmt.track], stmt.of, stmt.second, scope)


@register_phrase(g.Attribute, g.BorneCall)
def describe_card_attribute(expr: g.Attribute | g.BorneCall, scope: PhraseScope) -> NounPhrase:
    entry = scope.lexicon.columns[expr.attribute if isinstance(expr, g.Attribute) else expr.define]
    return build_owned_noun(build_owner_noun(expr.card, scope), entry)


@register_phrase(g.Builtin)
def describe_builtin(expr: g.Builtin, scope: PhraseScope) -> NounPhrase:
    if expr.of is None:
        return NounPhrase(f"the {expr.name}", expr.type, True, items_text=expr.name)
    owner = build_owner_noun(expr.of, scope)
    if expr.name in ("left", "right") and scope.lexicon.game.seats == (2,):
        return NounPhrase(format_genitive(owner, "opponent"), PLAYER)
    return build_builtin_noun(owner, expr.name, expr.type)


@register_phrase(g.MapEach)
def describe_map_each(expr: g.MapEach, scope: PhraseScope) -> NounPhrase:
    """Describe an attribute of several objects, with the list in place of one object."""
    noun = build_noun_phrase(expr.list, scope)
    if expr.var.type.tag == "list" and noun.one_item:  # ways to choose: the cards of one of them
        noun = NounPhrase(noun.one_item, expr.var.type, True)
    return build_noun_phrase(expr.value, scope.bind_noun(expr.var, noun))


def build_owner_noun(expr: g.Expr, scope: PhraseScope) -> NounPhrase:
    """Return the noun of an owner. In a definition about a card, that card is `it`, unless other cards are near."""
    noun = build_noun_phrase(expr, scope)
    alike = [level.noun for level in scope.tested_subjects if level.noun.type.tag == noun.type.tag]
    definition = len(alike) == 1 and alike[0].text == "it" and not alike[0].tested_role
    return alike[0] if is_that_reference(expr) and definition else noun


@register_phrase(g.Members)
def describe_members(expr: g.Members, scope: PhraseScope) -> NounPhrase:
    noun = morphology.pluralize(get_kind_noun(expr.kind))
    return NounPhrase(f"the {noun}", expr.type, True, items_text=noun)


@register_phrase(g.SetCards)
def describe_set_cards(expr: g.SetCards, scope: PhraseScope) -> NounPhrase:
    items = morphology.pluralize(get_set_noun(expr.set, scope.lexicon))
    return NounPhrase(f"all {items}", expr.type, True, items_text=items)


@register_phrase(g.Actor)
def describe_actor(expr: g.Actor, scope: PhraseScope) -> NounPhrase:
    return NounPhrase("the actor", PLAYER)


@register_phrase(g.Target)
def describe_target(expr: g.Target, scope: PhraseScope) -> NounPhrase:
    return NounPhrase(f"the {morphology.replace_hyphens(expr.name or 'target')}", expr.type)


def get_kind_noun(name: str) -> str:
    """Return the noun of a kind within a sentence: `suit`."""
    return morphology.replace_hyphens(name).lower()


def get_ranking_name(name: str, lexicon: Lexicon) -> str:
    """Return the name of a ranking within a sentence: `formation`; with a capital if cards have a property so named."""
    noun = get_kind_noun(name)
    return noun if noun not in lexicon.columns else morphology.replace_hyphens(name)


def get_set_noun(name: str, lexicon: Lexicon) -> str:
    """Return the noun for one card of a set: `Dragon`, `Stopping card`; `card` if the game has only one set."""
    if [*lexicon.game.sets] == [name]:
        return "card"
    noun = morphology.replace_hyphens(name)
    return morphology.singularize(noun) if morphology.is_plural(noun) else f"{noun} card"


# ---------------------------------------------------------------- values written out
@register_phrase(g.Const)
def describe_const(expr: g.Const, scope: PhraseScope) -> NounPhrase:
    return NounPhrase(format_value(expr.type, expr.value, scope), expr.type if expr.value is not None else g.NOTHING)


def format_value(type_: g.Type, value: object, scope: PhraseScope) -> str:
    """Write out a known value: `yes`, `nobody`, `three`, `Hearts`, `“Plum”`."""
    if value is None:
        return "no one" if type_.tag == "player" else "nothing"
    match type_.tag, value:
        case "flag", _:
            return "yes" if value else "no"
        case "text", str(text):
            return f"“{text}”"
        case "member", int(place_):
            return scope.lexicon.game.kinds[str(type_.of)].members[place_].noun.singular
        case "player", int(seat):
            return scope.players[seat]
        case _, int() | Fraction():
            return f"minus {morphology.format_number(-value)}" if value < 0 else morphology.format_number(value)
    return str(value)


@register_phrase(g.NamedCards)
def describe_named_cards(expr: g.NamedCards, scope: PhraseScope) -> NounPhrase:
    if len(expr.faces) != 1:
        return NounPhrase(describe_faces(expr.faces, scope), build_list_type(CARD), True)
    return NounPhrase(describe_faces(expr.faces, scope), CARD)


FaceNumbers = tuple[int, ...]


def describe_faces(faces: FaceNumbers, scope: PhraseScope) -> str:
    """Return the titles of cards, in the order written."""
    return describe_card_titles([scope.lexicon.game.faces[face].title for face in faces]) or "no cards"


def list_top_card_first(faces: FaceNumbers, entry: LexiconEntry | None, scope: PhraseScope) -> FaceNumbers:
    """Return cards in reading order: from the top down in a stack whose order matters."""
    return faces[::-1] if is_ordered_stack(faces, entry, scope) else faces


def is_ordered_stack(faces: FaceNumbers, entry: LexiconEntry | None, scope: PhraseScope) -> bool:
    return entry is not None and entry.name in scope.lexicon.stack_zones and len(set(faces)) > 1


def describe_zone_cards(faces: FaceNumbers, entry: LexiconEntry | None, scope: PhraseScope) -> str:
    """Describe the cards of a zone: `4 of Gun`; `(from the top) 10 and 11 of Axe`."""
    cards_text = describe_faces(list_top_card_first(faces, entry, scope), scope)
    return f"(from the top) {cards_text}" if is_ordered_stack(faces, entry, scope) else cards_text
