"""Noun phrases for filters, and clauses for quantifiers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from attrs import evolve

from cardlang import model as g
from cardlang.english import morphology
from cardlang.model.expression_queries import get_number_literal, is_same_var, unwrap_conversions
from cardlang.rulebook.realise.card_names import name_identified_cards
from cardlang.rulebook.realise.condition_phrases import flatten_compound, join_compound_parts
from cardlang.rulebook.realise.list_noun_phrases import get_item_noun
from cardlang.rulebook.realise.noun_phrases import can_follow_article, get_kind_noun
from cardlang.rulebook.realise.number_phrases import describe_sum
from cardlang.rulebook.realise.phrases import (
    Clause,
    NounPhrase,
    PhraseScope,
    build_clause,
    build_noun_phrase,
    build_relative_clause,
    describe_condition,
    format_relative_clause,
    get_item_type,
    register_clause,
    register_phrase,
)


# ---------------------------------------------------------------- filters
@register_phrase(g.Filter)
def describe_filter(expr: g.Filter, scope: PhraseScope) -> NounPhrase:
    base = build_noun_phrase(expr.list, scope)
    match expr.condition:
        case g.Compare(operator="!=", left=left, right=g.Agg(number=None, list=whole_list) as end) if (
            base.place and is_same_var(left, expr.var) and whole_list == expr.list
        ):
            text = f"all but {build_noun_phrase(end, scope).text}"
            return evolve(base, text=text, is_plural=True, is_pile=False, owner=None, entry=None, place="")
    clause = build_relative_clause(expr.condition, scope.bind_tested(expr.var))
    if is_run(expr):
        clause = Clause("they are in a row", *(["in a row"] * 2))
    which = format_relative_clause(clause, True) if clause.many else f"(provided {clause.text})"
    filtered = evolve(base, is_plural=True, is_pile=False, owner=None, entry=None)
    if not base.items_text:
        of_base = "them" if base.text.startswith("those ") else base.text
        return evolve(filtered, text=f"those of {of_base} {which}")
    if base.place:
        one, items = describe_filtered_cards(expr, base.place, scope)
        return evolve(filtered, text=f"the {items}", items_text=items, place="", one_item=one)
    items = f"{base.items_text} {which}"
    text = f"{base.text} {which}" if base.is_named_after_cards else f"the {items}"
    whole = is_whole_group(expr.list)
    if expr.var.type.tag == "list" and base.one_item:
        return evolve(filtered, text=text, items_text=items, one_item=f"{base.one_item} {which}")
    one = (
        f"{get_item_noun(get_item_type(base))} {format_relative_clause(clause, False)}" if whole and clause.one else ""
    )
    return evolve(filtered, text=text, items_text=items, one_item=one)


def is_run(expr: g.Filter) -> bool:
    """Return whether a filter keeps the selections of members that are in a row: three from the lowest to two more."""
    match unwrap_conversions(expr.list), expr.condition:
        case g.Selections() as chosen, g.Compare(operator="=", left=g.Arith(operator="-") as span, right=right):
            ends = [getattr(side, "value", side) for side in map(unwrap_conversions, (span.left, span.right))]
            size, counts = get_number_literal(right), (chosen.low, chosen.high)
            return (
                all(isinstance(end, g.Agg) and is_same_var(end.list, expr.var) for end in ends)
                and [getattr(end, "function", "") for end in ends] == ["highest", "lowest"]
                and all(count is not None and get_number_literal(count) == (size or 0) + 1 for count in counts)
            )
    return False


def describe_filtered_cards(expr: g.Filter | g.Quantified, place: str, scope: PhraseScope) -> tuple[str, str]:
    """Return some cards of a place, singular and plural: `Kings of the suit led in your hand that are wild`."""
    inner, parts = scope.bind_tested(expr.var), flatten_compound(expr.condition, g.And)
    nouns = {index: noun for index, part in enumerate(parts) if (noun := name_identified_cards(part, expr.var, scope))}
    head_index = next(iter(nouns), None)
    clauses = [build_relative_clause(part, inner) for index, part in enumerate(parts) if index != head_index]
    modifiers = [clause for clause in clauses if clause.form == "modifier"]
    others = [
        part
        for index, part in enumerate(parts)
        if index != head_index and build_relative_clause(part, inner).form != "modifier"
    ]
    texts = []
    for is_plural, head in enumerate(nouns[head_index] if head_index is not None else ("card", "cards")):
        lead = join_compound_parts(modifiers, "many" if is_plural else "one", "and")
        rest = build_relative_clause(build_compound(others, g.And), inner) if others else None
        after = "" if rest is None else format_filter_condition(rest, bool(is_plural))
        texts.append(" ".join(filter(None, (head, lead, place, after))))
    return texts[0], texts[1]


def format_filter_condition(clause: Clause, is_plural: bool) -> str:
    return format_relative_clause(clause, is_plural) if clause.many else f"(provided {clause.text})"


# ---------------------------------------------------------------- definitions
def describe_meaning(expr: g.Expr, scope: PhraseScope, otherwise: str = "") -> str:
    """Describe the meaning of a name, in a sentence of its own.

    Conditions that do not concern single items go first, and `otherwise` goes last. An example:
    `if the table is empty: the cards in your hand whose suit is Red`.
    """
    expr = unwrap_conversions(expr)
    if not isinstance(expr, g.Filter):
        return describe_sum(expr, scope)
    if isinstance(unwrap_conversions(expr.list), g.Selections):
        return build_noun_phrase(expr, scope).one_item
    inner = scope.bind_tested(expr.var)
    about, free = split_compound(expr.condition, g.And, inner)
    restricting, always = split_compound(about, g.Or, inner) if about is not None else (None, None)
    kept = about if always is None else restricting
    meant = build_noun_phrase(expr.list if kept is None else expr.replace(condition=kept), scope).cards_text
    meant += (
        f", or all of them if {describe_condition(always, inner)}" if always is not None and kept is not None else ""
    )
    comma = "," if ", " in meant else ""
    return f"{meant}{comma} if {describe_condition(free, inner)}{otherwise}" if free is not None else meant


def split_compound(
    expr: g.Expr, class_: type[g.And] | type[g.Or], scope: PhraseScope
) -> tuple[g.Expr | None, g.Expr | None]:
    """Split a compound into the conditions on the tested object and the other conditions."""
    about: list[g.Expr] = []
    free: list[g.Expr] = []
    for part in flatten_compound(expr, class_):
        (about if build_relative_clause(part, scope).many else free).append(part)
    return (build_compound(about, class_) if about else None, build_compound(free, class_) if free else None)


def build_compound(parts: Sequence[g.Expr], class_: type[g.And] | type[g.Or]) -> g.Expr:
    return reduce(lambda left, right: class_(g.FLAG, left.span, left, right), parts)


# ---------------------------------------------------------------- quantifiers
@register_clause(g.Quantified)
def describe_quantified(expr: g.Quantified, scope: PhraseScope, positive: bool) -> Clause:
    word, head = expr.quantifier, describe_quantified_noun(expr, scope)
    among = build_noun_phrase(expr.list, scope)
    if among.place and word != "every":
        one, _ = describe_filtered_cards(expr, among.place, scope)
        return Clause(f"there is {morphology.add_article(one) if (word == 'any') == positive else f'no {one}'}")
    if isinstance(expr.condition, g.And | g.Or):
        return build_quantifier_clause(expr, scope, positive)
    opposite = {"any": "no", "no": "any", "every": "not every"}
    quantifier = word if positive else opposite[word]
    name = morphology.add_article(head) if quantifier == "any" else f"{quantifier} {head}"
    subject = NounPhrase(name, expr.var.type, tested_role="self")
    if head.startswith("of "):
        subject = evolve(
            subject, text=f"{'each' if quantifier == 'every' else quantifier.replace('no', 'none')} {head}"
        )
    return Clause(build_clause(expr.condition, scope.bind_subject(expr.var, subject)).text)


def describe_quantified_noun(expr: g.Quantified, scope: PhraseScope) -> str:
    """Return the noun after the quantifier: `card in your hand`."""
    one = get_kind_noun(expr.var.name) if can_follow_article(expr.var.name) else get_item_noun(expr.var.type)
    if is_whole_group(expr.list):
        return one
    among = build_noun_phrase(expr.list, scope)
    return f"{one} {among.location}" if among.is_pile else f"of {among.text}"


def is_whole_group(items: g.Expr) -> bool:
    """Return whether a list is all players or all members of a kind, so that its noun is enough."""
    items = unwrap_conversions(items)
    return isinstance(items, g.Members) or (isinstance(items, g.Builtin) and items.name == "players")


def build_quantifier_clause(expr: g.Quantified, scope: PhraseScope, positive: bool) -> Clause:
    """Describe a quantifier over a compound condition."""
    word, head = expr.quantifier, describe_quantified_noun(expr, scope)
    among = "" if is_whole_group(expr.list) else f"among {build_noun_phrase(expr.list, scope).cards_text} "
    clause = build_relative_clause(expr.condition, scope.bind_tested(expr.var))
    if word == "every":
        universal = f"for each {head}, {clause.text}" if not among else f"{among}for each one, {clause.text}"
        return Clause(universal if positive else f"it is not so that {universal}")
    one = {True: "one" if among else morphology.add_article(head), False: "none" if among else f"no {head}"}
    which = format_relative_clause(clause, False) if clause.one else f"for which {clause.text}"
    return Clause(f"{among}there is {one[(word == 'any') == positive]} {which}")
