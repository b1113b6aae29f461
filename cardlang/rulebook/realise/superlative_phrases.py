"""Superlatives for the best of some items, by a value or an order."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile

from cardlang import model as g
from cardlang.english import morphology
from cardlang.model import build_list_type
from cardlang.model.expression_queries import get_read_name, unwrap_conversions
from cardlang.model.traversal import collect_all_nodes
from cardlang.rulebook.realise.list_noun_phrases import LIST_ENDS, get_item_noun
from cardlang.rulebook.realise.noun_phrases import get_ranking_name
from cardlang.rulebook.realise.number_phrases import singularize_first_plural
from cardlang.rulebook.realise.phrases import (
    NounPhrase,
    PhraseScope,
    build_clause,
    build_noun_phrase,
    get_item_type,
    register_phrase,
)

SUPERLATIVES = {"higher": ("highest", "lowest"), "lower": ("lowest", "highest")}
"""Superlatives for the first and the last in an order, by its last line."""


@register_phrase(g.AggBy)
def describe_agg_by(expr: g.AggBy, scope: PhraseScope) -> NounPhrase:
    base = build_noun_phrase(expr.list, scope)
    one, type_ = get_item_noun(get_item_type(base)), get_item_type(base)
    best = None if expr.which != "first" else describe_superlative(expr, base, scope)
    if best:
        return NounPhrase(best, type_)
    verb, which = describe_best_criterion(expr, scope)
    key = unwrap_conversions(expr.key) if expr.key is not None else None
    is_plain = isinstance(key, g.Attribute) and is_only_order(key.attribute, scope)
    if expr.which == "first" and base.items_text and is_plain:
        return NounPhrase(f"the {expr.function} {base.one_item or singularize_first_plural(base.items_text)}", type_)
    among = "" if base.text == "the players" else f" {base.place or f'among {base.cards_text}'}"
    if expr.which == "only":
        return NounPhrase(f"the {one} {'who' if one == 'player' else 'that'} alone {verb} {which}{among}", type_)
    which = f"with {which}" if verb == "has" else which
    if expr.which == "all":
        return NounPhrase(f"those {which} among {base.cards_text}", build_list_type(type_), True)
    return NounPhrase(f"the {one} {which}{among}", type_)


def describe_superlative(expr: g.AggBy, base: NounPhrase, scope: PhraseScope) -> str:
    """Describe the best card of an order: `the highest card of the trump suit on the table (or else the suit led)`."""
    order = scope.lexicon.orders.get(expr.order or "")
    parts = order and find_superlative_parts(order, scope)
    if not parts or order is None or not base.place:
        return ""
    groups, last = parts
    is_best = expr.function == "highest"
    if groups and not is_best:
        return ""
    adjective = SUPERLATIVES[last[0].how][not is_best]
    keys = [describe_sort_attribute(line, order.var, scope) for line in last]
    plain = len(keys) == 1 and is_only_order(get_read_name(unwrap_conversions(last[0].value)), scope)
    with_keys = "" if plain else f" with the {adjective} {', then '.join(keys)}"
    first, *others = groups or [""]
    rest = [*others, *([] if not groups or is_surely_present(order.lines[len(groups) - 1], expr, scope) else ["any"])]
    card = f"the card{with_keys}" if with_keys else f"the {adjective} card"
    is_table = base.entry is not None and base.entry.noun in morphology.IMPLIED_DESTINATIONS["play"]
    text = " ".join(filter(None, (card, first, "" if first and is_table else base.place)))
    return text + (f" (or else {', or else '.join(rest)})" if rest else "")


def find_superlative_orders(game: g.Game, scope: PhraseScope) -> frozenset[str]:
    """Return the orders that all uses tell as superlatives."""
    documented = {name for name, order in game.orders.items() if order.doc or any(line.doc for line in order.lines)}
    used: dict[str, list[bool]] = {name: [False] for name in documented}
    for part in collect_all_nodes(game):
        if isinstance(part, g.Sorted) and part.order:
            used.setdefault(part.order, []).append(False)
        if isinstance(part, g.AggBy) and part.order:
            base = build_noun_phrase(part.list, scope)
            used.setdefault(part.order, []).append(
                part.which == "first" and bool(describe_superlative(part, base, scope))
            )
    return frozenset(name for name, uses in used.items() if all(uses))


def describe_sort_attribute(line: g.OrderLine, var: g.Var, scope: PhraseScope) -> str:
    noun = build_noun_phrase(line.value, scope.bind_tested(var))
    return noun.bare_noun or noun.text.removeprefix("the ")


def is_only_order(attribute: str, scope: PhraseScope) -> bool:
    """Return whether an attribute alone orders the cards that have it, so that they are just higher or lower."""
    columns, kinds = scope.lexicon.game.columns, scope.lexicon.game.kinds
    numbers = [number for number, known in enumerate(columns[attribute].values) if known is not None]
    numbered = (column for column in columns.values() if column.type.tag == "number" or is_ordered(column, kinds))
    others = (column for column in numbered if column.name != attribute)
    return not any(column.values[number] is not None for column in others for number in numbers)


def is_ordered(column: g.Column, kinds: Mapping[str, g.Kind]) -> bool:
    kind = kinds.get(column.type.of or "")
    return kind is not None and kind.ordered


def find_superlative_parts(order: g.Order, scope: PhraseScope) -> tuple[list[str], list[g.OrderLine]] | None:
    """Return the groups of an order of cards that is told as a superlative, best first, and its last lines."""
    groups = list(takewhile(lambda line: line.how == "those", order.lines))
    last = list(order.lines[len(groups) :])
    clauses = [build_clause(line.value, scope.bind_tested(order.var)) for line in groups]
    attributes = all(
        isinstance(unwrap_conversions(line.value), g.Attribute) and line.layout is None and line.how == last[0].how
        for line in last
    )
    if order.var.type.tag != "card" or not last or last[0].how not in SUPERLATIVES or not attributes:
        return None
    return ([clause.one for clause in clauses], last) if all(c.form == "modifier" for c in clauses) else None


def is_surely_present(line: g.OrderLine, expr: g.AggBy, scope: PhraseScope) -> bool:
    """Return whether some card of a list surely belongs to a group: that which sets the attribute itself."""
    match unwrap_conversions(line.value):
        case g.Compare(operator="=", left=g.Attribute(attribute=attribute), right=value):
            defines, value = scope.lexicon.game.defines, unwrap_conversions(value)
            if isinstance(value, g.Call) and value.of is None:
                value = unwrap_conversions(defines[value.define].value)
            match value:
                case g.Agg(function=function, number=None, list=g.MapEach(list=items) as each):
                    same = unwrap_conversions(items) == unwrap_conversions(expr.list)
                    return same and function in LIST_ENDS and get_read_name(each) == attribute
    return False


def describe_best_criterion(expr: g.AggBy, scope: PhraseScope) -> tuple[str, str]:
    """Return the verb and the superlative of the best item: `the most chips`, `highest in strength`."""
    if expr.key is None or expr.var is None:
        return "is", f"{expr.function} in {morphology.replace_hyphens(str(expr.order))}"
    return "has", format_superlative(build_noun_phrase(expr.key, scope.bind_tested(expr.var)), expr.function)


def format_superlative(key: NounPhrase, function: str) -> str:
    """Return the superlative of a value: `the most cards in their hand`, `the best strength`."""
    if key.counted_noun:
        return f"the {'most' if function == 'highest' else 'fewest'} {key.counted_noun}"
    if key.entry is not None and key.entry.is_unit and key.type.tag == "number":
        return f"the {'most' if function == 'highest' else 'fewest'} {key.entry.plural}"
    if key.type.tag == "reading":
        function = {"highest": "best", "lowest": "worst"}[function]
    noun = key.bare_noun or key.text.removeprefix("the ")
    return f"the {function} {noun}"


@register_phrase(g.ReadRanking)
def describe_read_ranking(expr: g.ReadRanking, scope: PhraseScope) -> NounPhrase:
    """Describe the best reading of some cards."""
    base, noun = build_noun_phrase(expr.cards, scope), get_ranking_name(expr.ranking, scope.lexicon)
    next_to = (
        describe_lay_off(expr.ranking, build_noun_phrase(expr.beside, scope), scope) if expr.beside is not None else ""
    )
    place = base.place or f"of {base.cards_text}"
    return NounPhrase(f"the best {noun} {place}{next_to}", expr.type, morphology.is_plural(noun))


def describe_lay_off(ranking: str, other_reading: NounPhrase, scope: PhraseScope) -> str:
    """Describe laying off: cards may extend the groups of another reading."""
    groups = morphology.join_phrases(
        [morphology.pluralize(rank.title) for rank in scope.lexicon.game.rankings[ranking].ranks]
    )
    return f", where cards may also be added to the {groups} of {other_reading.text}"
