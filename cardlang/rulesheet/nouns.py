"""Describe values as noun phrases: names, owners, numbers, texts, cards."""

from __future__ import annotations

import re
from fractions import Fraction

from attrs import evolve

from cardlang import game as g
from cardlang import words
from cardlang.game import CARD, NUMBER, PLAYER, TEXT, list_of
from cardlang.rulesheet.cards import several
from cardlang.rulesheet.english import YOU, Noun, Scope, item_type, phrase, says
from cardlang.rulesheet.lexicon import Entry, Lexicon
from cardlang.rulesheet.naming import with_article
from cardlang.rulesheet.parts import is_that

COMPLEX = re.compile(r" (other than|who|whose|that|to|of|on|ranked|in|among) |,")
POSSESSIVE = re.compile(r"('s|s') ")
SHORT = re.compile(r"(the |that )?[\w-]+('s|s') [\w-]+")


def is_list(noun: Noun) -> bool:
    return noun.type.tag == "list"


# ---------------------------------------------------------------- owners
def genitive(owner: Noun, noun: str) -> str:
    """Return a noun with its owner: `your hand`, `the declarer's team's points`.

    After a long owner: `the hands of the players who have not folded`.
    """
    return f"the {noun} of {owner.cards}" if is_long(owner.cards) else f"{owner.of} {noun}"


def is_long(owner: str) -> bool:
    """Return whether an owner needs `of`, because it has a relative clause or several possessives."""
    return bool(COMPLEX.search(owner) or (POSSESSIVE.search(owner) and not SHORT.fullmatch(owner)))


def of_tested(owner: Noun, noun: str) -> tuple[str, str]:
    """Return the relation of a noun to the tested object, and its noun after `whose`."""
    if owner.tested == "self":
        return "of", noun
    if owner.tested == "of":
        return "of", f"{words.possessive(owner.bare)} {noun}"
    return "", ""


def owned(owner: Noun, entry: Entry) -> Noun:
    """Return the noun of a declaration with its owner or owners."""
    if is_list(owner):
        return of_all(owner, entry)
    text = genitive(owner, entry.noun)
    role, bare = of_tested(owner, entry.noun)
    return placed(Noun(text, entry.type, takes_plural(entry), role, bare, "", entry.pile, owner, entry))


def takes_plural(entry: Entry) -> bool:
    """Return whether a declaration takes a plural verb. (`Books` of cards is still one zone.)"""
    return entry.unit or (not entry.zone and words.is_plural(entry.noun))


def placed(noun: Noun) -> Noun:
    """Add the cards of a zone to its noun."""
    return evolve(noun, items=f"cards {noun.within}") if noun.pile else noun


def of_all(owner: Noun, entry: Entry) -> Noun:
    """Return the noun of a declaration of several owners."""
    of_cards = item_type(owner).tag == "card"
    text = f"the {entry.plural} of {owner.cards}" if of_cards else genitive(owner, entry.plural)
    inner = entry.type.item if entry.type.tag == "list" and entry.type.item else entry.type
    items = "" if entry.zone else f"{entry.plural} of {owner.cards}"
    role, bare = of_tested(owner, entry.plural)
    holders = owner if entry.unit and item_type(owner).tag == "player" else None
    return placed(Noun(text, list_of(inner), True, role, bare, items, entry.zone, holders, entry))


def at_table(entry: Entry) -> Noun:
    """Return the noun of a declaration of the table."""
    text = f"the {entry.noun}"
    items = entry.plural if entry.type.tag == "list" else ""
    noun = Noun(text, entry.type, takes_plural(entry), "", "", items, entry.pile, None, entry)
    return noun if noun.called_after_cards else placed(noun)


def built_in(owner: Noun, name: str, type_: g.Type) -> Noun:
    """Return the noun of a builtin attribute (`left`, `others`, `owner`, …)."""
    if name == "title":
        return evolve(owner, type=TEXT)
    if name in ("left", "right"):
        return beside(owner, name)
    if name == "others":
        return others(owner)
    if name in ("used", "rest", "wilds"):
        return of_reading(owner, name)
    if name == "size":
        return size(owner)
    if is_list(owner):
        return Noun(f"the {words.plural(name)} of {owner.cards}", list_of(type_), True)
    role, bare = of_tested(owner, name)
    return Noun(genitive(owner, name), type_, False, role, bare)


def size(owner: Noun) -> Noun:
    """Return the noun for the size of a list."""
    if owner.tested:
        return Noun("its size", NUMBER, False, "of", "size")
    if item_type(owner).tag == "list":
        return Noun(f"the sizes of {owner.text}", list_of(NUMBER), True)
    return Noun(f"the number of {owner.items or owner.text}", NUMBER, counted=owner.items or owner.text)


def beside(owner: Noun, side: str) -> Noun:
    again = re.fullmatch(rf"the player to (.*) {side}", owner.text)
    if again:
        return Noun(f"the player two places to {again[1]} {side}", PLAYER)
    if is_long(owner.text):
        return Noun(f"the player to the {side} of {owner.text}", PLAYER)
    return Noun(f"the player to {owner.of} {side}", PLAYER)


def others(owner: Noun) -> Noun:
    items = "other players" if owner.text in ("you", "they") else f"players other than {owner.text}"
    return Noun(f"the {items}", list_of(PLAYER), True, items=items)


def of_reading(owner: Noun, name: str) -> Noun:
    whose = "" if owner.tested else f" in {owner.text}"
    if name == "wilds":
        entry = Entry(name, "reading", NUMBER, "wild card", "wild cards", unit=True)
        return Noun(f"the number of wild cards{whose}", NUMBER, owner=owner, entry=entry)
    items = f"cards used{whose}" if name == "used" else f"cards left over{whose}"
    return Noun(f"the {items}", list_of(CARD), True, items=items)


# ---------------------------------------------------------------- names
@says(g.Var)
def variable(expr: g.Var, scope: Scope) -> Noun:
    if is_that(expr):
        return Noun(f"that {kind_noun(expr.name.removeprefix('that '))}", expr.type)
    known = scope.nouns.get(expr.id)
    if known is None:
        return YOU if expr.name == "you" else Noun(with_article(words.plain(expr.name), expr.type.tag), expr.type)
    return known


@says(g.TrackValue, g.ZoneCards)
def of_somebody(expr: g.TrackValue | g.ZoneCards | g.Place, scope: Scope) -> Noun:
    """Describe a zone or track of the table or of an owner."""
    entry = scope.lexicon.nouns[expr.track if isinstance(expr, g.TrackValue) else expr.zone]
    return at_table(entry) if expr.of is None else owned(owner(expr.of, scope), entry)


def place(to: g.Place, scope: Scope) -> Noun:
    """Return the noun of the destination of cards."""
    return of_somebody(to, scope)


def target(stmt: g.SetTrack, scope: Scope) -> Noun:
    """Return the noun of the track that a statement changes."""
    entry = scope.lexicon.nouns[stmt.track]
    return at_table(entry) if stmt.of is None else owned(owner(stmt.of, scope), entry)


@says(g.Attribute, g.BorneCall)
def of_card(expr: g.Attribute | g.BorneCall, scope: Scope) -> Noun:
    entry = scope.lexicon.columns[expr.attribute if isinstance(expr, g.Attribute) else expr.define]
    return owned(owner(expr.card, scope), entry)


@says(g.Builtin)
def builtin(expr: g.Builtin, scope: Scope) -> Noun:
    if expr.of is None:
        return Noun(f"the {expr.name}", expr.type, True, items=expr.name)
    return built_in(owner(expr.of, scope), expr.name, expr.type)


@says(g.MapEach)
def of_each(expr: g.MapEach, scope: Scope) -> Noun:
    """Describe an attribute of several objects, with the list in place of one object."""
    return phrase(expr.value, scope.naming(expr.var, phrase(expr.list, scope)))


def owner(expr: g.Expr, scope: Scope) -> Noun:
    """Return the noun of an owner. In a definition about a card, that card is `it`, unless other cards are near."""
    noun = phrase(expr, scope)
    alike = [level.noun for level in scope.levels if level.noun.type.tag == noun.type.tag]
    definition = len(alike) == 1 and alike[0].text == "it" and not alike[0].tested
    return alike[0] if is_that(expr) and definition else noun


@says(g.Members)
def members(expr: g.Members, scope: Scope) -> Noun:
    noun = words.plural(kind_noun(expr.kind))
    return Noun(f"the {noun}", expr.type, True, items=noun)


@says(g.SetCards)
def set_cards(expr: g.SetCards, scope: Scope) -> Noun:
    items = words.plural(set_noun(expr.set, scope.lexicon))
    return Noun(f"all {items}", expr.type, True, items=items)


@says(g.Actor)
def actor(expr: g.Actor, scope: Scope) -> Noun:
    return Noun("the actor", PLAYER)


@says(g.Target)
def answered(expr: g.Target, scope: Scope) -> Noun:
    return Noun(f"the {words.plain(expr.name or 'target')}", expr.type)


def kind_noun(name: str) -> str:
    """Return the noun of a kind within a sentence: `suit`."""
    return words.plain(name).lower()


def set_noun(name: str, lexicon: Lexicon) -> str:
    """Return the noun for one card of a set: `Dragon`, `Stopping card`; `card` if the game has only one set."""
    if [*lexicon.game.sets] == [name]:
        return "card"
    noun = words.plain(name)
    return words.singular(noun) if words.is_plural(noun) else f"{noun} card"


# ---------------------------------------------------------------- values written out
@says(g.Const)
def constant(expr: g.Const, scope: Scope) -> Noun:
    return Noun(written(expr.type, expr.value, scope), expr.type if expr.value is not None else g.NOTHING)


def written(type_: g.Type, value: object, scope: Scope) -> str:
    """Write out a known value: `yes`, `nobody`, `three`, `Hearts`, `“Plum”`."""
    if value is None:
        return "nobody" if type_.tag == "player" else "nothing"
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
            return f"minus {words.figure(-value)}" if value < 0 else words.figure(value)
    return str(value)


@says(g.NamedCards)
def named_cards(expr: g.NamedCards, scope: Scope) -> Noun:
    if len(expr.faces) != 1:
        return Noun(cards(expr.faces, scope), list_of(CARD), True)
    return Noun(cards(expr.faces, scope), CARD)


Faces = tuple[int, ...]


def cards(faces: Faces, scope: Scope) -> str:
    """Return the titles of cards, in the order written."""
    return several([scope.lexicon.game.faces[face].title for face in faces]) or "no cards"


def from_top(faces: Faces, entry: Entry | None, scope: Scope) -> Faces:
    """Return cards in reading order: from the top down in a stack whose order matters."""
    return faces[::-1] if is_stack(faces, entry, scope) else faces


def is_stack(faces: Faces, entry: Entry | None, scope: Scope) -> bool:
    return entry is not None and entry.name in scope.lexicon.stacks and len(set(faces)) > 1


def listed(faces: Faces, entry: Entry | None, scope: Scope) -> str:
    """Describe the cards of a zone: `4 of Gun`; `(from the top) 10 and 11 of Axe`."""
    said = cards(from_top(faces, entry, scope), scope)
    return f"(from the top) {said}" if is_stack(faces, entry, scope) else said
