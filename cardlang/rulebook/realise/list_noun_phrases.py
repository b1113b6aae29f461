"""Noun phrases for lists, their items and counts."""

from __future__ import annotations

from attrs import evolve

from cardlang import model as g
from cardlang.english import morphology
from cardlang.model import NUMBER, Type, build_list_type
from cardlang.model.expression_queries import is_non_negative_literal, unwrap_conversions
from cardlang.model.traversal import collect_all_nodes
from cardlang.rulebook.realise.game_lexicon import LexiconEntry
from cardlang.rulebook.realise.noun_phrases import build_owner_noun, get_kind_noun, has_plural_verb
from cardlang.rulebook.realise.number_phrases import IN_ALL_SUFFIX
from cardlang.rulebook.realise.phrases import (
    ACTORS,
    THEY,
    NounPhrase,
    PhraseScope,
    build_noun_phrase,
    get_item_type,
    register_phrase,
)

LIST_ENDS = ("first", "last", "top", "bottom")
EXTREME_FUNCTIONS = ("total", "highest", "lowest")


def get_item_noun(type_: Type) -> str:
    """Return the noun for an item of a list: `card`, `player`, `suit`."""
    if type_.tag == "member" and type_.of is not None:
        return get_kind_noun(type_.of)
    return type_.tag if type_.tag in ("card", "player", "number") else "one"


@register_phrase(g.Joined)
def describe_joined(expr: g.Joined, scope: PhraseScope) -> NounPhrase:
    nouns = [build_noun_phrase(item, scope) for item in expr.items]
    alike = len({noun.is_named_after_cards for noun in nouns}) == 1
    texts = morphology.join_phrases([noun.text if alike else noun.cards_text for noun in nouns])
    type_ = build_list_type(get_item_type(nouns[0]))
    if all(noun.is_named_after_cards for noun in nouns):
        return NounPhrase(texts, type_, True, items_text=f"cards among {texts}")
    if all(noun.stands_for_cards and noun.place for noun in nouns):
        places = morphology.join_phrases([noun.place for noun in nouns])
        return NounPhrase(texts, type_, True, items_text=f"cards {places}", place=places)
    if alike and all(noun.is_pile for noun in nouns):
        return NounPhrase(f"the cards in {texts}", type_, True, items_text=f"cards in {texts}")
    items = [noun.items_text for noun in nouns]
    return NounPhrase(texts, type_, True, items_text=morphology.join_phrases(items) if all(items) else "")


@register_phrase(g.Sorted)
def describe_sorted(expr: g.Sorted, scope: PhraseScope) -> NounPhrase:
    base = build_noun_phrase(expr.list, scope)
    key = describe_sort_key(expr, scope)
    return NounPhrase(
        f"{base.cards_text} ranked by {key}, {'best' if expr.key is None else 'highest'} first",
        build_list_type(get_item_type(base), ranked=True),
        True,
        items_text=base.items_text,
    )


def describe_sort_key(expr: g.Sorted, scope: PhraseScope) -> str:
    """Return the sort key of a list, without its article."""
    if expr.key is None or expr.var is None:
        return morphology.replace_hyphens(str(expr.order))
    noun = build_noun_phrase(expr.key, scope.bind_tested(expr.var))
    return noun.bare_noun or noun.text.removeprefix("the ")


@register_phrase(g.Agg)
def describe_agg(expr: g.Agg, scope: PhraseScope) -> NounPhrase:
    if expr.function in LIST_ENDS:
        return build_end_phrase(expr, scope)
    if expr.function in EXTREME_FUNCTIONS:
        return build_extreme_phrase(expr, scope)
    base = build_noun_phrase(expr.list, scope)
    if expr.function == "count":
        return build_count_phrase(expr.list, base, scope)
    if expr.function == "random":
        return build_random_phrase(expr, base, scope)
    return build_rearranged_phrase(expr.function, base)


def find_zone_owner(items: g.Expr) -> g.Expr | None:
    """Return the owner of a zone, or of the zone whose cards a filter selects."""
    items = unwrap_conversions(items)
    while isinstance(items, g.Filter):
        items = unwrap_conversions(items.list)
    return items.of if isinstance(items, g.ZoneCards) else None


def build_count_phrase(counted: g.Expr, base: NounPhrase, scope: PhraseScope) -> NounPhrase:
    """Describe the number of items in a list. A player has the cards in their zones: `cards in their hand`."""
    if base.entry is not None and base.entry.is_unit and base.owner is not None:
        return NounPhrase(f"the number of {base.text}", NUMBER, owner=base.owner, entry=base.entry)
    number = f"the number of {base.items_text or base.text}"
    of = find_zone_owner(counted)
    holder = build_owner_noun(of, scope) if of is not None else base.owner
    if holder is not None and (of is None or holder.type.tag != "player") and holder.text not in ("they", "it"):
        holder = None
    if of is not None and holder is not None and holder.text not in ACTORS and holder.type.tag == "player":
        base = build_noun_phrase(counted, scope.rename(of, THEY))
        base = evolve(base, items_text=base.items_text.replace(" in their hand", " in hand"))
    is_own = base.owner is not None and base.owner.text in ACTORS and base.entry is not None
    items = base.items_text or (base.entry.plural if is_own and base.entry else f"of {base.text}")
    if base.text.startswith("all "):
        items += IN_ALL_SUFFIX
    return NounPhrase(number, NUMBER, owner=holder, counted_noun=items, one_item=base.one_item)


def build_rearranged_phrase(function: str, base: NounPhrase) -> NounPhrase:
    """Describe `reverse` and `distinct`."""
    items = base.items_text or base.text
    if function == "reverse":
        return evolve(base, text=f"{base.cards_text} in reverse order", is_pile=False)
    return evolve(base, text=f"the different {items}", items_text=f"different {items}", is_pile=False)


def build_end_phrase(expr: g.Agg, scope: PhraseScope) -> NounPhrase:
    """Describe the first, last, top or bottom item, or several."""
    items = unwrap_conversions(expr.list)
    if isinstance(items, g.MapEach) and expr.number is None:
        of_first = build_end_attribute_phrase(expr, items, scope)
        if of_first is not None:
            return of_first
    base = build_noun_phrase(expr.list, scope)
    one = get_item_noun(get_item_type(base))
    if expr.number is None:
        return NounPhrase(format_end_item(expr.function, base, one, scope), get_item_type(base))
    return build_several_end_phrase(expr, base, one, scope)


def format_end_item(function: str, base: NounPhrase, singular: str, scope: PhraseScope) -> str:
    """Return the wording of an item at an end: `the top card of the deck`, `the first card played`."""
    if base.is_pile:
        if function in ("first", "last") and is_played_to(base.entry, scope.lexicon.game):
            return f"the {function} {singular} played"
        location = base.location if function in ("first", "last") else f"of {base.text}"
        return f"the {function} {singular} {location}"
    if base.text == "the players" or base.one_item:
        return f"the {function} {base.one_item or 'player'}"
    return f"the {function} {'one ' if singular == 'card' else ''}of {base.text}"


def is_played_to(zone: LexiconEntry | None, game: g.Game) -> bool:
    """Return whether all cards come to a zone in the middle by being played."""
    if zone is None or zone.noun not in morphology.IMPLIED_DESTINATIONS["play"]:
        return False
    moves = (part for part in collect_all_nodes(game) if isinstance(part, g.Move | g.Pick))
    return {move.verb for move in moves if move.to.zone == zone.name} == {"play"}


def build_several_end_phrase(expr: g.Agg, base: NounPhrase, singular: str, scope: PhraseScope) -> NounPhrase:
    assert expr.number is not None
    count = build_noun_phrase(expr.number, scope).text
    if count == "one":
        return NounPhrase(format_end_item(expr.function, base, singular, scope), get_item_type(base))
    if is_non_negative_literal(expr.number):
        items = f"{expr.function} {morphology.format_count(count, singular)} of {base.text}"
        if not base.is_pile:
            items = f"{expr.function} {count} of {base.cards_text}"
        return NounPhrase(f"the {items}", build_list_type(get_item_type(base)), True)
    text = f"the {expr.function} {morphology.pluralize(singular)} of {base.text} (as many as {count})"
    return NounPhrase(text, build_list_type(get_item_type(base)), True)


def build_end_attribute_phrase(expr: g.Agg, map_each: g.MapEach, scope: PhraseScope) -> NounPhrase | None:
    """Describe an attribute of an item at an end: `first of table's suit` is the suit of the first card in the play
    area."""
    base = build_noun_phrase(map_each.list, scope)
    entry = scope.lexicon.find_entry(map_each)
    if base.type.tag != "list" or entry is None or entry.is_pile or is_for_each(map_each):
        return None
    end = format_end_item(expr.function, base, get_item_noun(get_item_type(base)), scope)
    return NounPhrase(f"the {entry.noun} of {end}", entry.type, has_plural_verb(entry))


def is_for_each(map_each: g.MapEach) -> bool:
    """Return whether the items are the second owners of a declaration: `your stock for Good`."""
    return getattr(map_each.value, "second", None) == map_each.var


def build_extreme_phrase(expr: g.Agg, scope: PhraseScope) -> NounPhrase:
    """Describe `total`, `highest` and `lowest`."""
    items = unwrap_conversions(expr.list)
    if isinstance(items, g.Joined) and expr.function != "total":
        return build_extreme_value_phrase(expr.function, items, scope)
    if isinstance(items, g.MapEach):
        of_each = build_extreme_attribute_phrase(expr, items, scope)
        if of_each is not None:
            return of_each
    base = build_noun_phrase(items, scope)
    if expr.function == "highest" and isinstance(find_mapped_value(items), g.ReadRanking):
        return evolve(base, type=get_item_type(base))  # the best hand of each is the best of all
    if base.tested_role and base.entry is not None:
        worth = expr.function == "total" and scope.lexicon.has_worth(base.entry)
        noun = f"{expr.function} {'worth' if worth else base.entry.singular}"
        return NounPhrase(f"its {noun}", get_item_type(base), False, base.tested_role, noun)
    whose = f"their {expr.function}" if base.text == "it" else f"the {expr.function} of {base.cards_text}"
    return NounPhrase(whose, get_item_type(base))


def find_mapped_value(items: g.Expr) -> g.Expr:
    """Return the value that a list has for each item of other lists."""
    while isinstance(items, g.MapEach):
        items = unwrap_conversions(items.value)
    return items


def build_extreme_attribute_phrase(expr: g.Agg, map_each: g.MapEach, scope: PhraseScope) -> NounPhrase | None:
    """Describe an aggregate of an attribute: `total of players' chips`."""
    base, entry = build_noun_phrase(map_each.list, scope), scope.lexicon.find_entry(map_each)
    if base.type.tag != "list" or base.tested_role or entry is None or entry.is_pile or is_for_each(map_each):
        return None
    total = expr.function == "total"
    if total and isinstance(unwrap_conversions(map_each.value), g.BorneCall):
        return NounPhrase(f"any {entry.plural} on {base.counted_cards_noun.text}", NUMBER, True)
    worth = total and scope.lexicon.has_worth(entry)
    noun = "worth" if worth else entry.plural if total and entry.is_unit else entry.singular
    if entry.is_unit and not total:
        noun = f"number of {entry.plural}"
    type_ = NUMBER if total else entry.type
    return NounPhrase(f"the {expr.function} {noun} of {base.cards_text}", type_, total and morphology.is_plural(noun))


def build_extreme_value_phrase(function: str, values: g.Joined, scope: PhraseScope) -> NounPhrase:
    """Describe the highest or lowest of some values, with special wordings for limits and sums."""
    items = [unwrap_conversions(item) for item in values.items]
    nouns = [build_noun_phrase(item, scope) for item in items]
    type_, first, last = get_item_type(nouns[0]), nouns[0].text, nouns[-1]
    if len(nouns) == 2 and is_non_negative_literal(items[0]) and isinstance(items[1], g.Agg | g.MapEach):
        limit = f"but at {'least' if function == 'highest' else 'most'} {first}"
        if last.type.tag == "list":
            of_list = build_extreme_phrase(g.Agg(type_, items[1].span, function, None, items[1]), scope)
            return NounPhrase(f"{of_list.text}, {limit}", type_)
        if isinstance(items[1], g.Agg) and items[1].function in EXTREME_FUNCTIONS:
            return NounPhrase(f"{last.text}, {limit}", type_)
    texts = [noun.text for noun in nouns]
    two = len(nouns) == 2 and not any(noun.type.tag == "list" for noun in nouns)
    word = {"highest": "higher", "lowest": "lower"}[function] if two else function
    return NounPhrase(f"the {word} of {morphology.join_phrases(texts)}", type_)


def build_random_phrase(expr: g.Agg, base: NounPhrase, scope: PhraseScope) -> NounPhrase:
    one = get_item_noun(get_item_type(base))
    origin = "" if base.text == "the players" else f" from {base.text}"
    if expr.number is None:
        return NounPhrase(f"a random {one}{origin}", get_item_type(base))
    count = build_noun_phrase(expr.number, scope).text
    return NounPhrase(f"{count} random {morphology.pluralize(one)}{origin}", build_list_type(get_item_type(base)), True)
