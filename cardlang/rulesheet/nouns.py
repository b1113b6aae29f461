"""Values in English: names, what belongs to whom, numbers, texts, cards, sums."""

from __future__ import annotations

import re

from attrs import evolve

from cardlang import nodes as n
from cardlang.game import CARD, FLAG, NOTHING, NUMBER, PLAYER, TEXT, Type, list_of, member
from cardlang.rulesheet import words
from cardlang.rulesheet.cards import several
from cardlang.rulesheet.english import YOU, Noun, Scope, item_type, phrase, says
from cardlang.rulesheet.lexicon import BUILTIN, Entry, Lexicon

GLOBAL = {
    "you": YOU,
    "yes": Noun("yes", FLAG),
    "no": Noun("no", FLAG),
    "nobody": Noun("nobody", NOTHING),
    "nothing": Noun("nothing", NOTHING),
    "unlimited": Noun("unlimited", NUMBER),
    "players": Noun("the players", list_of(PLAYER), True, items="players"),
    "winners": Noun("the winners", list_of(PLAYER), True, items="winners"),
    "actor": Noun("the actor", PLAYER),
    "target": Noun("the target", CARD),
}
COMPLEX = re.compile(r" (other than|who|whose|that|to|of|on|ranked|in|among) |,")
POSSESSIVE = re.compile(r"('s|s') ")
SHORT = re.compile(r"(the |that )?[\w-]+('s|s') [\w-]+")


def is_list(noun: Noun) -> bool:
    return noun.type.tag == "list"


# ---------------------------------------------------------------- what belongs to whom
def genitive(owner: Noun, noun: str) -> str:
    """`your hand`, `the declarer's team's points`, `the hands of the players who have not folded`."""
    return f"the {noun} of {owner.cards}" if is_long(owner.cards) else f"{owner.of} {noun}"


def is_long(owner: str) -> bool:
    """Whether `of` tells better whose something is: after a relative clause, after a chain of possessives."""
    return bool(COMPLEX.search(owner) or (POSSESSIVE.search(owner) and not SHORT.fullmatch(owner)))


def of_tested(owner: Noun, noun: str) -> tuple[str, str]:
    """How the thing relates to the thing tested: `whose` noun."""
    if owner.tested == "self":
        return "of", noun
    if owner.tested == "of":
        return "of", f"{words.possessive(owner.bare)} {noun}"
    return "", ""


def owned(owner: Noun, entry: Entry) -> Noun:
    """Something declared, of its owner or owners."""
    if is_list(owner):
        return of_all(owner, entry)
    text = genitive(owner, entry.noun)
    role, bare = of_tested(owner, entry.noun)
    return placed(Noun(text, entry.type, takes_plural(entry), role, bare, "", entry.pile, owner, entry))


def takes_plural(entry: Entry) -> bool:
    """Whether a declared thing takes a plural verb. (`Books` of cards is still one place.)"""
    return entry.unit or (not entry.zone and words.is_plural(entry.noun))


def placed(noun: Noun) -> Noun:
    """A place for cards with what it holds."""
    return evolve(noun, items=f"cards {noun.within}") if noun.pile else noun


def of_all(owner: Noun, entry: Entry) -> Noun:
    """The same thing of each of several owners."""
    of_cards = item_type(owner).tag == "card"
    text = f"the {entry.plural} of {owner.cards}" if of_cards else genitive(owner, entry.plural)
    inner = entry.type.item if entry.type.tag == "list" and entry.type.item else entry.type
    items = "" if entry.zone else f"{entry.plural} of {owner.cards}"
    role, bare = of_tested(owner, entry.plural)
    holders = owner if entry.unit and item_type(owner).tag == "player" else None
    return placed(Noun(text, list_of(inner), True, role, bare, items, entry.zone, holders, entry))


def at_table(entry: Entry) -> Noun:
    """Something that belongs to the table."""
    text = f"the {entry.noun}"
    items = entry.plural if entry.type.tag == "list" else ""
    noun = Noun(text, entry.type, takes_plural(entry), "", "", items, entry.pile, None, entry)
    return noun if noun.called_after_cards else placed(noun)


def built_in(owner: Noun, name: str) -> Noun:
    """An attribute that the language gives (`left`, `others`, `owner`, …)."""
    type_ = BUILTIN[builtin_tag(owner, name)][name]
    if name == "title":
        return evolve(owner, type=TEXT)
    if name in ("left", "right"):
        return beside(owner, name)
    if name == "others":
        return others(owner)
    if name in ("used", "rest", "wilds"):
        return of_reading(owner, name)
    if name == "size" and owner.tested:
        return Noun("its size", NUMBER, False, "of", "size")
    if name == "size" and item_type(owner).tag == "list":
        return Noun(f"the sizes of {owner.text}", list_of(NUMBER), True)
    if name == "size":
        return Noun(f"the number of {owner.items or owner.text}", NUMBER, counted=owner.items or owner.text)
    if is_list(owner):
        return Noun(f"the {words.plural(name)} of {owner.cards}", list_of(type_), True)
    role, bare = of_tested(owner, name)
    return Noun(genitive(owner, name), type_, False, role, bare)


def builtin_tag(owner: Noun, name: str) -> str:
    tags = [owner.type.tag, item_type(owner).tag, *BUILTIN]
    return next(tag for tag in tags if name in BUILTIN.get(tag, {}))


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


def attribute(owner: Noun, name: str, scope: Scope) -> Noun:
    """`owner's name`, whatever the name is of."""
    entry = scope.lexicon.find(name, subjects(owner.type))
    if entry is not None:
        return owned(owner, entry)
    if any(name in BUILTIN.get(tag, {}) for tag in (owner.type.tag, item_type(owner).tag)):
        return built_in(owner, name)
    entry = scope.lexicon.any(name)
    if entry is not None:
        return owned(owner, entry)
    return Noun(genitive(owner, words.plain(name)), item_type(owner))


def subjects(type_: Type) -> set[str | None]:
    """The subjects of declarations that may belong to a thing of this type."""
    inner = type_.item if type_.tag == "list" and type_.item else type_
    return {type_.of or type_.tag, inner.of or inner.tag, "cards" if type_.tag == "list" else inner.tag}


# ---------------------------------------------------------------- names
@says(n.NameRef)
def name_ref(expr: n.NameRef, scope: Scope) -> Noun:
    return named(expr.name, scope)


def named(name: str, scope: Scope) -> Noun:
    """A bare name, by the scoping rules: tested, subject, local, table, the language's own."""
    if name == "it" and scope.it is not None:
        return scope.it
    for level in scope.levels:
        entry = scope.lexicon.find(name, subjects(level.type))
        if entry is not None:
            return owned(level.noun, entry)
        if name in BUILTIN.get(level.type.tag, {}):
            return built_in(level.noun, name)
    if name in scope.names:
        return scope.names[name]
    return of_table(name, scope.lexicon)


def of_table(name: str, lexicon: Lexicon) -> Noun:
    entry = lexicon.find(name, (None,))
    if entry is not None:
        return at_table(entry)
    if name in GLOBAL:
        return GLOBAL[name]
    if name in lexicon.kinds:
        noun = words.plural(kind_noun(name))
        return Noun(f"the {noun}", list_of(member(name)), True, items=noun)
    if name in lexicon.sets:
        items = words.plural(set_noun(name, lexicon))
        return Noun(f"all {items}", list_of(CARD), True, items=items)
    if name in lexicon.members:
        kind, noun = lexicon.members[name]
        return Noun(noun, member(kind))
    return Noun(f"the {words.plain(name)}", NOTHING)


def kind_noun(name: str) -> str:
    """A kind in a sentence: `suit`."""
    return words.plain(name).lower()


def set_noun(name: str, lexicon: Lexicon) -> str:
    """One card of a set: `Dragon`, `Stopping card`; just `card`, if the game has no other set."""
    if [*lexicon.sets] == [name]:
        return "card"
    noun = words.plain(name)
    return words.singular(noun) if words.is_plural(noun) else f"{noun} card"


@says(n.Yours)
def yours(expr: n.Yours, scope: Scope) -> Noun:
    return attribute(scope.names.get("you", YOU), expr.name.text, scope)


@says(n.Its)
def its(expr: n.Its, scope: Scope) -> Noun:
    return attribute(scope.it or Noun("it", CARD), expr.name.text, scope)


@says(n.That)
def that(expr: n.That, scope: Scope) -> Noun:
    kind = expr.name.text in scope.lexicon.kinds
    type_ = member(expr.name.text) if kind else PLAYER if expr.name.text == "player" else CARD
    return Noun(f"that {kind_noun(expr.name.text)}", type_)


@says(n.Attr)
def attr(expr: n.Attr, scope: Scope) -> Noun:
    if isinstance(expr.of, n.NameRef) and expr.of.name in scope.lexicon.kinds:
        return of_kind(expr.of.name, expr.name.text, scope)
    return attribute(owner_of(expr, scope), expr.name.text, scope)


def owner_of(expr: n.Attr, scope: Scope) -> Noun:
    """Whose it is. In a definition about a card, that card's rank is `its rank`, unless other cards are near."""
    owner = phrase(expr.of, scope)
    alike = [level.noun for level in scope.levels if level.type == owner.type]
    definition = len(alike) == 1 and alike[0].text == "it" and not alike[0].tested
    return alike[0] if isinstance(expr.of, n.That) and definition else owner


def of_kind(kind: str, name: str, scope: Scope) -> Noun:
    """`Suit's offer`: that of every suit."""
    noun = words.plural(kind_noun(kind))
    return attribute(Noun(f"the {noun}", list_of(member(kind)), True, items=noun), name, scope)


# ---------------------------------------------------------------- values written out
@says(n.Text)
def text(expr: n.Text, scope: Scope) -> Noun:
    return Noun(f"“{expr.text}”", TEXT)


@says(n.CardList)
def card_list(expr: n.CardList, scope: Scope) -> Noun:
    if len(expr.codes) != 1:
        return Noun(cards(expr, scope), list_of(CARD), True)
    return Noun(cards(expr, scope), CARD)


def cards(expr: n.CardList, scope: Scope) -> str:
    """The cards by their titles, in the order written."""
    return several([scope.lexicon.card(code.text) for code in expr.codes]) or "no cards"


def from_top(value: n.CardList, entry: Entry | None, scope: Scope) -> n.CardList:
    """The cards in the order of a list: from the top down in a stack in which that makes a difference."""
    stacked = entry is not None and entry.name in scope.lexicon.stacks and len({code.text for code in value.codes}) > 1
    return evolve(value, codes=value.codes[::-1]) if stacked else value


def listed(value: n.CardList, entry: Entry | None, scope: Scope) -> str:
    """What a place holds: `4 of Gun`; `(from the top) 10 and 11 of Axe`."""
    shown = from_top(value, entry, scope)
    return f"{'(from the top) ' if shown is not value else ''}{cards(shown, scope)}"
