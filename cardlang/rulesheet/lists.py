"""Lists in English: ranked, counted, the first, the best."""

from __future__ import annotations

from attrs import evolve

from cardlang import nodes as n
from cardlang.game import FLAG, NUMBER, Type, list_of
from cardlang.rulesheet import words
from cardlang.rulesheet.counting import IN_ALL
from cardlang.rulesheet.english import Noun, Scope, item_type, phrase, says, tested
from cardlang.rulesheet.nouns import kind_noun, subjects, takes_plural

ENDS = ("first", "last", "top", "bottom")
EXTREMES = ("total", "highest", "lowest")


def item_noun(type_: Type) -> str:
    """One item of a list: `card`, `player`, `suit`."""
    if type_.tag == "member" and type_.of is not None:
        return kind_noun(type_.of)
    return type_.tag if type_.tag in ("card", "player", "number") else "one"


@says(n.ListOf)
def list_of_items(expr: n.ListOf, scope: Scope) -> Noun:
    nouns = [phrase(item, scope) for item in expr.items]
    alike = len({noun.called_after_cards for noun in nouns}) == 1
    texts = words.join([noun.text if alike else noun.cards for noun in nouns])
    type_ = list_of(item_type(nouns[0]))
    if all(noun.called_after_cards for noun in nouns):
        return Noun(texts, type_, True, items=f"cards among {texts}")
    if alike and all(noun.pile for noun in nouns):
        return Noun(f"the cards in {texts}", type_, True, items=f"cards in {texts}")
    items = words.join([noun.items for noun in nouns]) if all(noun.items for noun in nouns) else ""
    return Noun(texts, type_, True, items=items)


@says(n.Ranked)
def ranked(expr: n.Ranked, scope: Scope) -> Noun:
    base = phrase(expr.list, scope)
    key = key_noun(expr.order, base, scope)
    return Noun(f"{base.cards} ranked by {key}", list_of(item_type(base), ranked=True), True, items=base.items)


def key_noun(key: n.Expr, base: Noun, scope: Scope) -> str:
    """What a list is ranked by, without its article."""
    if isinstance(key, n.NameRef) and key.name in scope.lexicon.orders:
        return words.plain(key.name)
    noun = phrase(key, scope.testing(tested(item_type(base))))
    return noun.bare or noun.text.removeprefix("the ")


@says(n.Agg)
def agg(expr: n.Agg, scope: Scope) -> Noun:
    if expr.function in ENDS:
        return at_end(expr, scope)
    if expr.function in EXTREMES:
        return extreme(expr, scope)
    base = phrase(expr.list, scope)
    if expr.function == "count":
        return count(base)
    if expr.function == "random":
        return at_random(expr, base, scope)
    if expr.function == "whole":
        return Noun(f"{base.text} (rounded down)", NUMBER)
    return arranged(expr.function, base)


def count(base: Noun) -> Noun:
    """How many there are in a list."""
    if base.entry is not None and base.entry.unit and base.owner is not None:
        return Noun(f"the number of {base.text}", NUMBER, owner=base.owner, entry=base.entry)
    items = base.items or f"of {base.text}"
    if base.text.startswith("all "):
        items += IN_ALL
    holder = base.owner if base.owner is not None and base.owner.text in ("they", "it") else None
    return Noun(f"the number of {base.items or base.text}", NUMBER, owner=holder, counted=items)


def arranged(function: str, base: Noun) -> Noun:
    """`reverse`, `distinct` and `subsets`."""
    items = base.items or base.text
    if function == "reverse":
        return evolve(base, text=f"{base.cards} in reverse order", pile=False)
    if function == "distinct":
        return evolve(base, text=f"the different {items}", items=f"different {items}", pile=False)
    return Noun(f"the selections of {items}", list_of(base.type), True, items=f"selections of {items}")


def at_end(expr: n.Agg, scope: Scope) -> Noun:
    """The first, last, top or bottom one, or several."""
    if isinstance(expr.list, n.Attr) and expr.number is None:
        of_first = attribute_of_end(expr, expr.list, scope)
        if of_first is not None:
            return of_first
    if isinstance(expr.list, n.Ranked) and expr.function in ("first", "last"):
        of_order = end_of_order(expr, expr.list, scope)
        if of_order is not None:
            return of_order
    base = phrase(expr.list, scope)
    one = item_noun(item_type(base))
    if expr.number is None:
        return Noun(end_text(expr.function, base, one), item_type(base))
    return several(expr, base, one, scope)


def end_text(function: str, base: Noun, one: str) -> str:
    """`the top card of the deck`, `the first player`."""
    if base.pile:
        place = base.within if function in ("first", "last") else f"of {base.text}"
        return f"the {function} {one} {place}"
    if base.text == "the players":
        return f"the {function} player"
    return f"the {function} {'one ' if one == 'card' else ''}of {base.text}"


def end_of_order(expr: n.Agg, ranked: n.Ranked, scope: Scope) -> Noun | None:
    """The first or last of cards put in order, best first: `the two highest cards in your hand by rank`."""
    base = phrase(ranked.list, scope)
    if item_type(base).tag != "card" or not base.items.startswith("cards "):
        return None
    which = {"first": "highest", "last": "lowest"}[expr.function]
    by = f"{base.items.removeprefix('cards ')} by {key_noun(ranked.order, base, scope)}"
    if expr.number is None:
        return Noun(f"the {which} card {by}", item_type(base))
    count = phrase(expr.number, scope).text
    type_ = list_of(item_type(base), ranked=True)
    if isinstance(expr.number, n.Number):
        return Noun(
            f"the {count} {which} cards {by}" if count != "one" else f"the {which} card {by}", type_, count != "one"
        )
    return Noun(f"the {which} cards {by} (as many as {count})", type_, True)


def several(expr: n.Agg, base: Noun, one: str, scope: Scope) -> Noun:
    assert expr.number is not None
    count = phrase(expr.number, scope).text
    if isinstance(expr.number, n.Number):
        items = f"{expr.function} {words.of_number(one, count)} of {base.text}"
        if not base.pile:
            items = f"{expr.function} {count} of {base.cards}"
        return Noun(f"the {items}", list_of(item_type(base)), count != "one")
    text = f"the {expr.function} {words.plural(one)} of {base.text} (as many as {count})"
    return Noun(text, list_of(item_type(base)), True)


def attribute_of_end(expr: n.Agg, attr: n.Attr, scope: Scope) -> Noun | None:
    """`first of table's suit`: the suit of the first card in the play area."""
    base = phrase(attr.of, scope)
    entry = scope.lexicon.find(attr.name.text, subjects(base.type))
    if base.type.tag != "list" or entry is None or entry.pile:
        return None
    end = end_text(expr.function, base, item_noun(item_type(base)))
    return Noun(f"the {entry.noun} of {end}", entry.type, takes_plural(entry))


def extreme(expr: n.Agg, scope: Scope) -> Noun:
    """`total`, `highest`, `lowest`."""
    if isinstance(expr.list, n.ListOf) and expr.function != "total":
        return of_several(expr.function, expr.list.items, scope)
    if isinstance(expr.list, n.Attr):
        base = phrase(expr.list.of, scope)
        entry = scope.lexicon.find(expr.list.name.text, subjects(base.type))
        if base.type.tag == "list" and entry is not None and not entry.pile:
            total = expr.function == "total"
            worth = total and scope.lexicon.has_worth(entry)
            noun = "worth" if worth else entry.plural if total and entry.unit else entry.singular
            if entry.unit and not total:
                noun = f"number of {entry.plural}"
            type_ = NUMBER if total else entry.type
            return Noun(f"the {expr.function} {noun} of {base.cards}", type_, total and words.is_plural(noun))
    base = phrase(expr.list, scope)
    if base.tested and base.entry is not None:
        worth = expr.function == "total" and scope.lexicon.has_worth(base.entry)
        noun = f"{expr.function} {'worth' if worth else base.entry.singular}"
        return Noun(f"its {noun}", item_type(base), False, base.tested, noun)
    return Noun(f"the {expr.function} of {base.cards}", item_type(base))


def of_several(function: str, items: tuple[n.Expr, ...], scope: Scope) -> Noun:
    """The highest or lowest of some values; those that are not plain are told apart."""
    nouns = [phrase(item, scope) for item in items]
    type_, first, last = item_type(nouns[0]), nouns[0].text, nouns[-1]
    if len(nouns) == 2 and isinstance(items[0], n.Number) and isinstance(items[1], n.Agg | n.Attr):
        limit = f"but at {'least' if function == 'highest' else 'most'} {first}"
        if last.type.tag == "list":
            return Noun(f"{extreme(n.Agg(items[1].span, function, None, items[1]), scope).text}, {limit}", type_)
        if isinstance(items[1], n.Agg) and items[1].function in EXTREMES:
            return Noun(f"{last.text}, {limit}", type_)
    texts = [noun.text for noun in nouns]
    two = len(nouns) == 2 and not any(noun.type.tag == "list" for noun in nouns)
    word = {"highest": "higher", "lowest": "lower"}[function] if two else function
    if two and any(isinstance(item, n.Arith) for item in items):
        return Noun(f"whichever is {word}: {texts[0]}, or {texts[1]}", type_)
    return Noun(f"the {word} of {words.join(texts)}", type_)


def at_random(expr: n.Agg, base: Noun, scope: Scope) -> Noun:
    one = item_noun(item_type(base))
    place = "" if base.text == "the players" else f" from {base.text}"
    if expr.number is None:
        return Noun(f"a random {one}{place}", item_type(base))
    count = phrase(expr.number, scope).text
    if count == "one":
        return Noun(f"a random {one}{place}", list_of(item_type(base)))
    return Noun(f"{count} random {words.plural(one)}{place}", list_of(item_type(base)), True)


@says(n.AggBy)
def agg_by(expr: n.AggBy, scope: Scope) -> Noun:
    base = phrase(expr.list, scope)
    one, type_ = item_noun(item_type(base)), item_type(base)
    verb, which = outstanding(expr, base, scope)
    among = "" if base.text == "the players" else f" among {base.cards}"
    if expr.which == "only":
        return Noun(f"the {one} {'who' if one == 'player' else 'that'} alone {verb} {which}{among}", type_)
    which = f"with {which}" if verb == "has" else which
    if expr.which == "all":
        return Noun(f"those {which} among {base.cards}", list_of(type_), True)
    return Noun(f"the {one} {which}{among}", type_)


def outstanding(expr: n.AggBy, base: Noun, scope: Scope) -> tuple[str, str]:
    """What the first of a list has or is: `the most chips`, `highest in strength`."""
    if isinstance(expr.key, n.NameRef) and expr.key.name in scope.lexicon.orders:
        return "is", f"{expr.function} in {words.plain(expr.key.name)}"
    key = phrase(expr.key, scope.testing(tested(item_type(base))))
    return "has", superlative(key, expr.function)


def superlative(key: Noun, function: str) -> str:
    """The highest or lowest of such a value: `the most cards in their hand`, `the best strength`."""
    if key.counted:
        return f"the {'most' if function == 'highest' else 'fewest'} {key.counted}"
    if key.entry is not None and key.entry.unit and key.type == NUMBER:
        return f"the {'most' if function == 'highest' else 'fewest'} {key.entry.plural}"
    if key.type.tag == "reading":
        function = {"highest": "best", "lowest": "worst"}[function]
    noun = key.bare or key.text.removeprefix("the ")
    owner, _, own = noun.rpartition("'s ")
    return f"the {owner} of the {function} {own}" if owner else f"the {function} {noun}"


@says(n.Read)
def read(expr: n.Read, scope: Scope) -> Noun:
    """A ranking or a definition applied to some cards."""
    base = phrase(expr.list, scope)
    name = expr.name.text
    entry = scope.lexicon.any(name)
    noun = entry.singular if entry is not None else words.plain(name)
    if entry is not None and entry.type == FLAG:
        cards = evolve(base, text=base.cards, plural=True)
        return Noun(f"whether {base.cards} {entry.verb}", FLAG, owner=cards, entry=entry)
    best = "best " if name in scope.lexicon.rankings else ""
    next_to = added_to(expr, phrase(expr.beside, scope), scope) if expr.beside is not None else ""
    type_ = entry.type if entry is not None else Type("reading", of=name)
    return Noun(f"the {best}{noun} of {base.cards}{next_to}", type_, words.is_plural(noun))


def added_to(expr: n.Read, beside: Noun, scope: Scope) -> str:
    """Laying off: cards may also be added to the groups of another reading."""
    groups = words.join([words.plural(rank.title.text) for rank in scope.lexicon.rankings[expr.name.text].ranks])
    return f", where cards may also be added to the {groups} of {beside.text}"
