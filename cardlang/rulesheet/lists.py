"""Describe lists: sorting, counts, first items, best items."""

from __future__ import annotations

from attrs import evolve

from cardlang import game as g
from cardlang import words
from cardlang.game import NUMBER, Type, list_of
from cardlang.rulesheet.counting import IN_ALL
from cardlang.rulesheet.english import Noun, Scope, item_type, phrase, says
from cardlang.rulesheet.nouns import at_table, kind_noun, owned, owner, takes_plural
from cardlang.rulesheet.parts import bare, figure, is_number

ENDS = ("first", "last", "top", "bottom")
EXTREMES = ("total", "highest", "lowest")


def item_noun(type_: Type) -> str:
    """Return the noun for an item of a list: `card`, `player`, `suit`."""
    if type_.tag == "member" and type_.of is not None:
        return kind_noun(type_.of)
    return type_.tag if type_.tag in ("card", "player", "number") else "one"


@says(g.Joined)
def list_of_items(expr: g.Joined, scope: Scope) -> Noun:
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


@says(g.Sorted)
def ranked(expr: g.Sorted, scope: Scope) -> Noun:
    base = phrase(expr.list, scope)
    key = key_noun(expr, scope)
    return Noun(f"{base.cards} ranked by {key}", list_of(item_type(base), ranked=True), True, items=base.items)


def key_noun(expr: g.Sorted, scope: Scope) -> str:
    """Return the sort key of a list, without its article."""
    if expr.key is None or expr.var is None:
        return words.plain(str(expr.order))
    noun = phrase(expr.key, scope.testing(expr.var))
    return noun.bare or noun.text.removeprefix("the ")


@says(g.Whole)
def whole(expr: g.Whole, scope: Scope) -> Noun:
    return Noun(f"{phrase(expr.value, scope).text} (rounded down)", NUMBER)


@says(g.Agg)
def agg(expr: g.Agg, scope: Scope) -> Noun:
    if expr.function in ENDS:
        return at_end(expr, scope)
    if expr.function in EXTREMES:
        return extreme(expr, scope)
    base = phrase(expr.list, scope)
    if expr.function == "count":
        return count(base)
    if expr.function == "random":
        return at_random(expr, base, scope)
    return arranged(expr.function, base)


def count(base: Noun) -> Noun:
    """Describe the number of items in a list."""
    if base.entry is not None and base.entry.unit and base.owner is not None:
        return Noun(f"the number of {base.text}", NUMBER, owner=base.owner, entry=base.entry)
    items = base.items or f"of {base.text}"
    if base.text.startswith("all "):
        items += IN_ALL
    holder = base.owner if base.owner is not None and base.owner.text in ("they", "it") else None
    return Noun(f"the number of {base.items or base.text}", NUMBER, owner=holder, counted=items)


def arranged(function: str, base: Noun) -> Noun:
    """Describe `reverse`, `distinct` and `subsets`."""
    items = base.items or base.text
    if function == "reverse":
        return evolve(base, text=f"{base.cards} in reverse order", pile=False)
    if function == "distinct":
        return evolve(base, text=f"the different {items}", items=f"different {items}", pile=False)
    return Noun(f"the selections of {items}", list_of(base.type), True, items=f"selections of {items}")


def at_end(expr: g.Agg, scope: Scope) -> Noun:
    """Describe the first, last, top or bottom item, or several."""
    items = bare(expr.list)
    if isinstance(items, g.MapEach) and expr.number is None:
        of_first = attribute_of_end(expr, items, scope)
        if of_first is not None:
            return of_first
    if isinstance(items, g.Sorted) and expr.function in ("first", "last"):
        of_order = end_of_order(expr, items, scope)
        if of_order is not None:
            return of_order
    base = phrase(expr.list, scope)
    one = item_noun(item_type(base))
    if expr.number is None:
        return Noun(end_text(expr.function, base, one), item_type(base))
    return several(expr, base, one, scope)


def end_text(function: str, base: Noun, one: str) -> str:
    """Return the wording of an item at an end: `the top card of the deck`, `the first player`."""
    if base.pile:
        place = base.within if function in ("first", "last") else f"of {base.text}"
        return f"the {function} {one} {place}"
    if base.text == "the players":
        return f"the {function} player"
    return f"the {function} {'one ' if one == 'card' else ''}of {base.text}"


def end_of_order(expr: g.Agg, ranked: g.Sorted, scope: Scope) -> Noun | None:
    """Describe the first or last of sorted cards, best first: `the two highest cards in your hand by rank`."""
    base = phrase(ranked.list, scope)
    if item_type(base).tag != "card" or not base.items.startswith("cards "):
        return None
    which = {"first": "highest", "last": "lowest"}[expr.function]
    by = f"{base.items.removeprefix('cards ')} by {key_noun(ranked, scope)}"
    if expr.number is None:
        return Noun(f"the {which} card {by}", item_type(base))
    count = phrase(expr.number, scope).text
    type_ = list_of(item_type(base), ranked=True)
    if is_number(expr.number):
        return Noun(
            f"the {count} {which} cards {by}" if count != "one" else f"the {which} card {by}", type_, count != "one"
        )
    return Noun(f"the {which} cards {by} (as many as {count})", type_, True)


def several(expr: g.Agg, base: Noun, one: str, scope: Scope) -> Noun:
    assert expr.number is not None
    count = phrase(expr.number, scope).text
    if is_number(expr.number):
        items = f"{expr.function} {words.of_number(one, count)} of {base.text}"
        if not base.pile:
            items = f"{expr.function} {count} of {base.cards}"
        return Noun(f"the {items}", list_of(item_type(base)), count != "one")
    text = f"the {expr.function} {words.plural(one)} of {base.text} (as many as {count})"
    return Noun(text, list_of(item_type(base)), True)


def attribute_of_end(expr: g.Agg, each: g.MapEach, scope: Scope) -> Noun | None:
    """Describe an attribute of an item at an end: `first of table's suit` is the suit of the first card in the play
    area."""
    base = phrase(each.list, scope)
    entry = scope.lexicon.entry(each)
    if base.type.tag != "list" or entry is None or entry.pile:
        return None
    end = end_text(expr.function, base, item_noun(item_type(base)))
    return Noun(f"the {entry.noun} of {end}", entry.type, takes_plural(entry))


def extreme(expr: g.Agg, scope: Scope) -> Noun:
    """Describe `total`, `highest` and `lowest`."""
    items = bare(expr.list)
    if isinstance(items, g.Joined) and expr.function != "total":
        return of_several(expr.function, items, scope)
    if isinstance(items, g.MapEach):
        of_each = extreme_of_each(expr, items, scope)
        if of_each is not None:
            return of_each
    base = phrase(items, scope)
    if base.tested and base.entry is not None:
        worth = expr.function == "total" and scope.lexicon.has_worth(base.entry)
        noun = f"{expr.function} {'worth' if worth else base.entry.singular}"
        return Noun(f"its {noun}", item_type(base), False, base.tested, noun)
    return Noun(f"the {expr.function} of {base.cards}", item_type(base))


def extreme_of_each(expr: g.Agg, each: g.MapEach, scope: Scope) -> Noun | None:
    """Describe an aggregate of an attribute: `total of players' chips`."""
    base, entry = phrase(each.list, scope), scope.lexicon.entry(each)
    if base.type.tag != "list" or base.tested or entry is None or entry.pile:
        return None
    total = expr.function == "total"
    worth = total and scope.lexicon.has_worth(entry)
    noun = "worth" if worth else entry.plural if total and entry.unit else entry.singular
    if entry.unit and not total:
        noun = f"number of {entry.plural}"
    type_ = NUMBER if total else entry.type
    return Noun(f"the {expr.function} {noun} of {base.cards}", type_, total and words.is_plural(noun))


def of_several(function: str, joined: g.Joined, scope: Scope) -> Noun:
    """Describe the highest or lowest of some values, with special wordings for limits and sums."""
    items = [bare(item) for item in joined.items]
    nouns = [phrase(item, scope) for item in items]
    type_, first, last = item_type(nouns[0]), nouns[0].text, nouns[-1]
    if len(nouns) == 2 and is_number(items[0]) and isinstance(items[1], g.Agg | g.MapEach):
        limit = f"but at {'least' if function == 'highest' else 'most'} {first}"
        if last.type.tag == "list":
            of_list = extreme(g.Agg(type_, items[1].span, function, None, items[1]), scope)
            return Noun(f"{of_list.text}, {limit}", type_)
        if isinstance(items[1], g.Agg) and items[1].function in EXTREMES:
            return Noun(f"{last.text}, {limit}", type_)
    texts = [noun.text for noun in nouns]
    two = len(nouns) == 2 and not any(noun.type.tag == "list" for noun in nouns)
    word = {"highest": "higher", "lowest": "lower"}[function] if two else function
    if two and any(isinstance(item, g.Arith) for item in items):
        return Noun(f"whichever is {word}: {texts[0]}, or {texts[1]}", type_)
    return Noun(f"the {word} of {words.join(texts)}", type_)


DIE = 6


def at_random(expr: g.Agg, base: Noun, scope: Scope) -> Noun:
    sides = numbered(expr.list)
    if sides and expr.number is None:
        return Noun(
            "the roll of a die" if sides == DIE else f"a random number from one to {words.number(sides)}", NUMBER
        )
    one = item_noun(item_type(base))
    place = "" if base.text == "the players" else f" from {base.text}"
    if expr.number is None:
        return Noun(f"a random {one}{place}", item_type(base))
    count = phrase(expr.number, scope).text
    if count == "one":
        return Noun(f"a random {one}{place}", list_of(item_type(base)))
    return Noun(f"{count} random {words.plural(one)}{place}", list_of(item_type(base)), True)


def numbered(expr: g.Expr) -> int:
    """Return the last number of a list that counts up from one; zero for any other list."""
    items = expr.items if isinstance(expr, g.Joined) else ()
    return len(items) if [figure(item) for item in items] == [*range(1, len(items) + 1)] else 0


@says(g.AggBy)
def agg_by(expr: g.AggBy, scope: Scope) -> Noun:
    base = phrase(expr.list, scope)
    one, type_ = item_noun(item_type(base)), item_type(base)
    verb, which = outstanding(expr, scope)
    among = "" if base.text == "the players" else f" among {base.cards}"
    if expr.which == "only":
        return Noun(f"the {one} {'who' if one == 'player' else 'that'} alone {verb} {which}{among}", type_)
    which = f"with {which}" if verb == "has" else which
    if expr.which == "all":
        return Noun(f"those {which} among {base.cards}", list_of(type_), True)
    return Noun(f"the {one} {which}{among}", type_)


def outstanding(expr: g.AggBy, scope: Scope) -> tuple[str, str]:
    """Return the verb and the superlative of the best item: `the most chips`, `highest in strength`."""
    if expr.key is None or expr.var is None:
        return "is", f"{expr.function} in {words.plain(str(expr.order))}"
    return "has", superlative(phrase(expr.key, scope.testing(expr.var)), expr.function)


def superlative(key: Noun, function: str) -> str:
    """Return the superlative of a value: `the most cards in their hand`, `the best strength`."""
    if key.counted:
        return f"the {'most' if function == 'highest' else 'fewest'} {key.counted}"
    if key.entry is not None and key.entry.unit and key.type.tag == "number":
        return f"the {'most' if function == 'highest' else 'fewest'} {key.entry.plural}"
    if key.type.tag == "reading":
        function = {"highest": "best", "lowest": "worst"}[function]
    noun = key.bare or key.text.removeprefix("the ")
    owner, _, own = noun.rpartition("'s ")
    return f"the {owner} of the {function} {own}" if owner else f"the {function} {noun}"


@says(g.ReadRanking)
def read(expr: g.ReadRanking, scope: Scope) -> Noun:
    """Describe the best reading of some cards."""
    base, noun = phrase(expr.cards, scope), words.plain(expr.ranking)
    next_to = added_to(expr.ranking, phrase(expr.beside, scope), scope) if expr.beside is not None else ""
    return Noun(f"the best {noun} of {base.cards}{next_to}", expr.type, words.is_plural(noun))


def added_to(ranking: str, beside: Noun, scope: Scope) -> str:
    """Describe laying off: cards may extend the groups of another reading."""
    groups = words.join([words.plural(rank.title) for rank in scope.lexicon.game.rankings[ranking].ranks])
    return f", where cards may also be added to the {groups} of {beside.text}"


@says(g.Call)
def call(expr: g.Call, scope: Scope) -> Noun:
    """Describe a definition: of the table, of an owner, or of some cards."""
    entry = scope.lexicon.nouns[expr.define]
    if expr.of is None:
        return at_table(entry)
    if entry.subject != "cards":
        return owned(owner(expr.of, scope), entry)
    base = phrase(expr.of, scope)
    if entry.type.tag == "flag":
        cards = evolve(base, text=base.cards, plural=True)
        return Noun(f"whether {base.cards} {entry.verb}", entry.type, owner=cards, entry=entry)
    return Noun(f"the {entry.singular} of {base.cards}", entry.type, words.is_plural(entry.singular))
