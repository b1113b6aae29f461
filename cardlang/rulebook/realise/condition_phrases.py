"""Clauses for conditions, filters and quantifiers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import reduce

from attrs import evolve

from cardlang import model as g
from cardlang.english import morphology
from cardlang.model.traversal import (
    get_flag_literal,
    get_owner,
    get_read_name,
    is_number_literal,
    is_same_var,
    is_that_reference,
    unwrap_conversions,
)
from cardlang.rulebook.realise.list_and_count_phrases import (
    build_amount_clause,
    build_count_clause,
    get_item_noun,
    replace_rank_by_worth,
    singularize_first_plural,
)
from cardlang.rulebook.realise.noun_phrases import (
    can_follow_article,
    describe_faces,
    describe_zone_cards,
    get_kind_noun,
    get_set_noun,
)
from cardlang.rulebook.realise.phrases import (
    YOU,
    Clause,
    NounPhrase,
    PhraseScope,
    build_clause,
    build_noun_phrase,
    build_relative_clause,
    build_verb_clause,
    describe_condition,
    format_relative_clause,
    get_item_type,
    register_clause,
    register_phrase,
)

OWNER_TYPE_TAGS = ("player", "reading", "member")
NEGATED_OPERATORS = {"=": "!=", "!=": "=", "<": ">=", ">": "<=", "<=": ">", ">=": "<"}
NUMBER_COMPARISONS = {"=": "", "!=": "not ", "<": "less than ", ">": "more than ", "<=": "at most ", ">=": "at least "}
READING_COMPARISONS = {"=": "equal to ", "!=": "not equal to ", "<": "worse than ", ">": "better than "}
READING_COMPARISONS |= {"<=": "no better than ", ">=": "no worse than "}


# ---------------------------------------------------------------- and, or, not
@register_clause(g.Not)
def describe_not(expr: g.Not, scope: PhraseScope, positive: bool) -> Clause:
    return build_clause(expr.value, scope, not positive)


@register_clause(g.And, g.Or)
def describe_compound(expr: g.And | g.Or, scope: PhraseScope, positive: bool) -> Clause:
    word = "and" if isinstance(expr, g.And) == positive else "or"
    parts = [build_relative_clause(part, scope, positive) for part in flatten_compound(expr, type(expr))]
    about = sorted((part for part in parts if part.many), key=lambda part: part.many.startswith("for "))
    free = join_compound_parts([part for part in parts if not part.many], "text", word)
    text = join_compound_parts(parts, "text", word)
    if not about:
        return Clause(text, conjunction=word)
    one, many = join_relative_clauses(about, "one", word), join_relative_clauses(about, "many", word)
    if word == "and":
        return Clause(text, one, many, free, word)
    if not free:
        return Clause(text, one, many, conjunction=word)
    return Clause(text, f"{one} (or any, if {free})", f"{many} (or all, if {free})")


def join_relative_clauses(parts: Sequence[Clause], form: str, conjunction: str) -> str:
    """Join several clauses about a noun. Exceptions come last: `whose rank is Jack, other than the starter`."""
    apart = [part for part in parts if conjunction == "and" and part.many.startswith("other than ")]
    rest = [part for part in parts if part not in apart]
    return ", ".join(
        text
        for text in (join_compound_parts(rest, form, conjunction), join_compound_parts(apart, form, conjunction))
        if text
    )


def join_compound_parts(parts: Sequence[Clause], form: str, conjunction: str) -> str:
    """Join the parts of a compound. If one of two parts has the other conjunction, a comma separates them."""
    part_texts = [getattr(part, form) for part in parts]
    free = form == "text" or not any(part.provided for part in parts)
    if len(parts) == 2 and free and not any("," in text for text in part_texts):
        comma = "," if {part.conjunction for part in parts} - {"", conjunction} else ""
        first, second = part_texts
        return f"{first}{comma} {conjunction} {first and drop_shared_lead(first, second) if not comma else second}"
    texts = [bracket_mixed_part(part, text, conjunction) for part, text in zip(parts, part_texts, strict=True)]
    return morphology.join_phrases(
        [texts[0], *(drop_shared_lead(texts[0], text) for text in texts[1:])] if texts else [], conjunction
    )


def drop_shared_lead(first: str, text: str) -> str:
    """Drop the leading words that two clauses share: `that are ready and not Acting cards`."""
    lead = re.match(r"that (is|are) ", text)
    return text[lead.end() :] if lead and first.startswith(lead[0]) else text


def bracket_mixed_part(part: Clause, text: str, conjunction: str) -> str:
    """Mark off a part of a compound that has the other conjunction."""
    if part.provided and text != part.text:
        text = f"(if {part.provided}) {text}"
    if part.conjunction in ("", conjunction) or (part.provided and text.startswith("(if")):
        return text
    return f"either {text}" if part.conjunction == "or" else f"both {text}" if "," not in text else f"({text})"


def flatten_compound(expr: g.Expr, class_: type[g.Expr]) -> list[g.Expr]:
    """Flatten a chain of `and` or of `or` into its parts."""
    if isinstance(expr, g.And | g.Or) and isinstance(expr, class_):
        return [*flatten_compound(expr.left, class_), *flatten_compound(expr.right, class_)]
    return [expr]


# ---------------------------------------------------------------- membership
@register_clause(g.IsReading)
def describe_is_reading(expr: g.IsReading, scope: PhraseScope, positive: bool) -> Clause:
    subject = build_noun_phrase(expr.cards, scope)
    cards_noun = evolve(subject, text=subject.cards_text, is_plural=subject.is_plural or subject.is_pile)
    return build_verb_clause(
        cards_noun,
        "is",
        f"{'' if positive else 'not '}{morphology.add_article(morphology.replace_hyphens(expr.ranking))}",
    )


@register_clause(g.IsSet)
def describe_is_set(expr: g.IsSet, scope: PhraseScope, positive: bool) -> Clause:
    no, one = "" if positive else "not ", get_set_noun(expr.set, scope.lexicon)
    return build_verb_clause(
        build_noun_phrase(expr.card, scope),
        "is",
        f"{no}{morphology.add_article(one)}",
        f"{no}{morphology.pluralize(one)}",
    )


@register_clause(g.IsEmpty)
def describe_is_empty(expr: g.IsEmpty, scope: PhraseScope, empty: bool) -> Clause:
    value = unwrap_conversions(expr.value)
    if isinstance(value, g.Joined):
        texts = [build_noun_phrase(item, scope).text for item in value.items]
        all_ = "both" if len(texts) == 2 else "all"
        return Clause(f"{morphology.join_phrases(texts)} are {'' if empty else 'not '}{all_} empty")
    subject = build_noun_phrase(expr.value, scope)
    single = subject.entry is not None and subject.entry.is_zone and subject.type.tag == "card"
    if single and subject.owner is None and subject.text.endswith(" card"):
        return build_absence_clause(subject, "nothing", empty)
    if single or (subject.is_pile and not subject.is_plural):
        return build_verb_clause(subject, "is", "empty" if empty else "not empty")
    return build_empty_list_clause(subject, empty)


def build_empty_list_clause(subject: NounPhrase, empty: bool) -> Clause:
    """Describe an empty list that is not a pile."""
    entry = subject.entry
    if subject.owner is not None and get_item_type(subject.owner).tag in ("player", "member") and entry is not None:
        return build_verb_clause(subject.owner, "has", f"{'no' if empty else 'any'} {entry.noun}")
    if subject.tested_role:
        return build_verb_clause(subject, "is", "none" if empty else "there")
    if subject.items_text:
        return Clause(f"there are {'no' if empty else 'any'} {subject.items_text}")
    return Clause(f"there is {'no' if empty else 'a'} {subject.text.removeprefix('the ')}")


# ---------------------------------------------------------------- comparisons
@register_clause(g.Compare)
def describe_compare(expr: g.Compare, scope: PhraseScope, positive: bool) -> Clause:
    operator = expr.operator if positive else NEGATED_OPERATORS[expr.operator]
    shared = build_all_equal_clause(expr, operator, scope)
    if shared is not None:
        return shared
    left, right = build_comparison_sides(expr, scope)
    value = unwrap_conversions(expr.right)
    if left.is_pile and operator == "=" and isinstance(value, g.NamedCards):
        return build_exact_content_clause(left, value, scope)
    if is_number_literal(value):
        right = evolve(right, text=describe_value_in_figures(value, left.type.tag == "member", scope))
    if operator == "=" and is_own_attribute(value, left, scope):
        return evolve(
            build_verb_clause(left, "is", "the same as its own"),
            text=build_comparison_clause(left, right, operator).text,
        )
    if "flag" in (left.type.tag, right.type.tag):
        return build_flag_comparison(expr, scope, operator)
    if left.counted_noun:
        return build_count_clause(left, right, operator)
    if left.entry is not None and left.entry.is_unit and (left.owner is None or left.owner.type.tag in OWNER_TYPE_TAGS):
        return build_amount_clause(left, right, operator, left.entry)
    return build_comparison_clause(left, right, operator)


@register_clause(g.IsIn)
def describe_is_in(expr: g.IsIn, scope: PhraseScope, positive: bool) -> Clause:
    left, items = build_noun_phrase(expr.value, scope), unwrap_conversions(expr.list)
    if isinstance(items, g.Joined) and all(build_noun_phrase(item, scope).is_pile for item in items.items):
        locations = [build_noun_phrase(item, scope).location for item in items.items]
        return build_verb_clause(
            left,
            "is",
            morphology.join_phrases(locations, "or")
            if positive
            else f"neither {morphology.join_phrases(locations, 'nor')}",
        )
    if isinstance(items, g.Joined):
        return build_one_of_clause(
            left, [describe_value_in_figures(item, left.type.tag == "member", scope) for item in items.items], positive
        )
    return build_membership_clause(left, build_noun_phrase(items, scope), positive)


@register_clause(g.IsAbsent)
def describe_is_absent(expr: g.IsAbsent, scope: PhraseScope, positive: bool) -> Clause:
    return build_absence_clause(
        build_noun_phrase(expr.value, scope), "nobody" if expr.value.type.tag == "player" else "nothing", positive
    )


def build_all_equal_clause(expr: g.Compare, operator: str, scope: PhraseScope) -> Clause | None:
    """Describe `count of (distinct of cards' rank) = 1`: all have the same rank."""
    match unwrap_conversions(expr.left):
        case g.Agg(function="count", list=g.Agg(function="distinct", list=g.MapEach(list=of) as mapped)):
            if operator in ("=", "!=") and build_noun_phrase(expr.right, scope).text == "one":
                no = "" if operator == "=" else "do not "
                return Clause(
                    f"{build_noun_phrase(of, scope).cards_text} {no}all have the same "
                    f"{morphology.replace_hyphens(get_read_name(mapped))}"
                )
    return None


def build_comparison_sides(expr: g.Compare, scope: PhraseScope) -> tuple[NounPhrase, NounPhrase]:
    """Return both sides of a comparison. Compared with a computed number, a rank is replaced by its worth."""
    left, right = build_noun_phrase(expr.left, scope), build_noun_phrase(expr.right, scope)
    if right.type.tag == "number" and not is_number_literal(expr.right):
        return replace_rank_by_worth(left, scope), right
    return left, replace_rank_by_worth(right, scope) if left.type.tag == "number" else right


def build_exact_content_clause(zone_noun: NounPhrase, value: g.NamedCards, scope: PhraseScope) -> Clause:
    """Describe the exact content of a zone."""
    content_text = (
        describe_zone_cards(value.faces, zone_noun.entry, scope)
        if len(value.faces) > 1
        else build_noun_phrase(value, scope).text
    )
    return build_content_clause(zone_noun, content_text)


def build_content_clause(zone_noun: NounPhrase, content_text: str) -> Clause:
    """Describe the content of a zone: it "is" its cards if it is named after them, otherwise it "holds" them."""
    many = zone_noun.is_plural or morphology.is_plural(zone_noun.text)
    return build_verb_clause(
        evolve(zone_noun, is_plural=many), "is" if zone_noun.is_named_after_cards else "holds", content_text
    )


def shorten_compared_owner(left: NounPhrase, right: NounPhrase) -> str:
    """Return the wording of the right side. If another player's hand is compared, use the owner alone: `Inara's`."""
    if left.owner is None or right.owner is None or not right.owner.possessive.endswith("'s"):
        return right.text
    alike = left.text.removeprefix(left.owner.possessive) == right.text.removeprefix(right.owner.possessive)
    return right.owner.possessive if alike else right.text


def build_comparison_clause(left: NounPhrase, right: NounPhrase, operator: str) -> Clause:
    if left.is_pile and operator == "=":
        return build_content_clause(left, right.text)
    subject = evolve(left, text=left.cards_text, is_plural=True) if left.is_pile else left
    if left.type.tag == "reading":
        return build_verb_clause(subject, "is", READING_COMPARISONS[operator] + shorten_compared_owner(left, right))
    if left.type.tag == "member" and operator not in ("=", "!="):
        return build_order_comparison(subject, right, operator)
    if left.type.tag == "text" and left.tested_role == "self":
        return build_verb_clause(subject, "is", f"{'' if operator == '=' else 'not '}called {right.text}")
    if left.type.tag == "number" or right.type.tag == "number":
        return build_verb_clause(subject, "is", NUMBER_COMPARISONS[operator] + right.text)
    if left.items_text and left.is_plural and right.type.tag != "list" and operator == "=":
        return Clause(f"the only {singularize_first_plural(left.items_text)} is {right.text}")
    no = "" if operator == "=" else "not "
    if right is YOU and not left.tested_role:
        return build_verb_clause(YOU, "is", no + left.text)
    clause = build_verb_clause(subject, "is", no + right.cards_text)
    if operator == "!=" and left.tested_role == "self":
        return Clause(clause.text, f"other than {right.text}", f"other than {right.text}")
    return clause


def is_own_attribute(expr: g.Expr, tested_noun: NounPhrase, scope: PhraseScope) -> bool:
    """Return whether a comparison is with the same attribute of the definition's subject: "the same as its own"."""
    subject = scope.tested_subjects[-1].noun if scope.tested_subjects else None
    same = (
        tested_noun.tested_role == "of"
        and tested_noun.entry is not None
        and subject is not None
        and subject.text == "it"
    )
    of = get_owner(expr)
    if of is None or not is_that_reference(of) or not same or (subject and subject.tested_role):
        return False
    return tested_noun.entry is not None and tested_noun.entry.name == get_read_name(expr)


def build_order_comparison(subject: NounPhrase, right: NounPhrase, operator: str) -> Clause:
    tail = {">=": f"{right.text} or higher", "<=": f"{right.text} or lower"}
    tail |= {">": f"higher than {right.text}", "<": f"lower than {right.text}"}
    return build_verb_clause(subject, "is", tail[operator])


def build_membership_clause(left: NounPhrase, right: NounPhrase, positive: bool) -> Clause:
    if right.is_pile:
        return build_verb_clause(left, "is", right.location if positive else f"not {right.location}")
    return build_verb_clause(left, "is", f"{'one' if positive else 'none'} of {right.text}")


def describe_value_in_figures(expr: g.Expr, is_printed: bool, scope: PhraseScope) -> str:
    """Describe a value. If it is compared with a number printed on cards, write it in figures."""
    expr = unwrap_conversions(expr)
    return (
        str(expr.value)
        if is_printed and is_number_literal(expr) and isinstance(expr, g.Const)
        else build_noun_phrase(expr, scope).text
    )


def build_one_of_clause(left: NounPhrase, texts: Sequence[str], positive: bool) -> Clause:
    """Describe membership in a list of values: `in (Clubs, Hearts)`."""
    if positive:
        return build_verb_clause(left, "is", morphology.join_phrases(texts, "or"))
    return build_verb_clause(
        left,
        "is",
        f"neither {texts[0]} nor {texts[1]}" if len(texts) == 2 else f"none of {morphology.join_phrases(texts)}",
    )


def build_absence_clause(left: NounPhrase, nothing: str, is_absent: bool) -> Clause:
    """Describe a test for an absent value: `= nobody`, `= nothing`."""
    if left.tested_role or not left.text.startswith("the ") or "'s " in left.text:
        return build_verb_clause(left, "is", nothing if is_absent else f"not {nothing}")
    noun = left.text.removeprefix("the ")
    return Clause(f"there is no {noun}" if is_absent else f"there is {morphology.add_article(noun)}")


def build_flag_comparison(expr: g.Compare, scope: PhraseScope, operator: str) -> Clause:
    """Describe a condition compared with yes, no or another condition."""
    right = get_flag_literal(expr.right)
    if right is not None:
        return build_clause(expr.left, scope, right == (operator == "="))
    left = build_clause(expr.left, scope).text
    same = "just when" if operator == "=" else "just when not"
    return Clause(f"{left} {same} {build_clause(expr.right, scope).text}")


# ---------------------------------------------------------------- filters
@register_phrase(g.Filter)
def describe_filter(expr: g.Filter, scope: PhraseScope) -> NounPhrase:
    base = build_noun_phrase(expr.list, scope)
    clause = build_relative_clause(expr.condition, scope.bind_tested(expr.var))
    which = format_relative_clause(clause, True) if clause.many else f"(provided {clause.text})"
    filtered = evolve(base, is_plural=True, is_pile=False, owner=None, entry=None)
    if not base.items_text:
        return evolve(filtered, text=f"those of {base.text} {which}")
    kind = name_identified_cards(expr, scope)
    if kind and base.is_pile:
        items = base.items_text.replace("cards", kind, 1)
        return evolve(filtered, text=f"the {items}", items_text=items)
    items = f"{base.items_text} {which}"
    return evolve(
        filtered, text=f"{base.text} {which}" if base.is_named_after_cards else f"the {items}", items_text=items
    )


def name_identified_cards(expr: g.Filter, scope: PhraseScope) -> str:
    """Return the name of the cards if the condition only identifies them: `Dragons`, `2 of Clubs`."""
    match expr.condition:
        case g.IsSet(set=name):
            return morphology.pluralize(get_set_noun(name, scope.lexicon))
        case g.Compare(operator="=", left=left, right=g.NamedCards(faces=(face,))) if is_same_var(left, expr.var):
            return describe_faces((face,), scope).removeprefix("the ")
    return ""


# ---------------------------------------------------------------- definitions
def describe_meaning(expr: g.Expr, scope: PhraseScope, otherwise: str = "") -> str:
    """Describe the meaning of a name, in a sentence of its own.

    Conditions that do not concern single items go first, and `otherwise` goes last. An example:
    `if the table is empty: the cards in your hand whose suit is Red`.
    """
    expr = unwrap_conversions(expr)
    if not isinstance(expr, g.Filter):
        return build_noun_phrase(expr, scope).cards_text
    inner = scope.bind_tested(expr.var)
    about, free = split_compound(expr.condition, g.And, inner)
    meaning = (
        describe_filter_or_all(expr, about, scope)
        if about is not None
        else build_noun_phrase(expr.list, scope).cards_text
    )
    return f"if {describe_condition(free, inner)}: {meaning}{otherwise}" if free is not None else meaning


def describe_filter_or_all(expr: g.Filter, condition: g.Expr, scope: PhraseScope) -> str:
    """Describe filtered items, or all of them in a case that does not concern single items."""
    inner = scope.bind_tested(expr.var)
    restricting, free = split_compound(condition, g.Or, inner)
    if restricting is None or free is None:
        return build_noun_phrase(evolve(expr, condition=condition), scope).cards_text
    filtered_text = build_noun_phrase(evolve(expr, condition=restricting), scope).cards_text
    return f"{filtered_text}, or all of them if {describe_condition(free, inner)}"


def split_compound(
    expr: g.Expr, class_: type[g.And] | type[g.Or], scope: PhraseScope
) -> tuple[g.Expr | None, g.Expr | None]:
    """Split a compound into the conditions on the tested object and the other conditions."""
    about: list[g.Expr] = []
    free: list[g.Expr] = []
    for part in flatten_compound(expr, class_):
        (about if build_relative_clause(part, scope).many else free).append(part)
    return build_compound(about, class_), build_compound(free, class_)


def build_compound(parts: Sequence[g.Expr], class_: type[g.And] | type[g.Or]) -> g.Expr | None:
    return reduce(lambda left, right: class_(g.FLAG, left.span, left, right), parts) if parts else None


# ---------------------------------------------------------------- quantifiers
@register_clause(g.Quantified)
def describe_quantified(expr: g.Quantified, scope: PhraseScope, positive: bool) -> Clause:
    word, head = expr.quantifier, describe_quantifier_head(expr, scope)
    if isinstance(expr.condition, g.And | g.Or):
        return build_quantifier_clause(expr, scope, positive)
    opposite = {"any": "no", "no": "any", "every": "not every"}
    quantifier = word if positive else opposite[word]
    subject = NounPhrase(f"{quantifier} {head}", expr.var.type, tested_role="self")
    if head.startswith("of "):
        subject = evolve(
            subject, text=f"{'each' if quantifier == 'every' else quantifier.replace('no', 'none')} {head}"
        )
    return Clause(build_clause(expr.condition, scope.bind_subject(expr.var, subject)).text)


def describe_quantifier_head(expr: g.Quantified, scope: PhraseScope) -> str:
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
    word, head = expr.quantifier, describe_quantifier_head(expr, scope)
    among = "" if is_whole_group(expr.list) else f"among {build_noun_phrase(expr.list, scope).cards_text} "
    clause = build_relative_clause(expr.condition, scope.bind_tested(expr.var))
    if word == "every":
        universal = f"for each {head}, {clause.text}" if not among else f"{among}for each one, {clause.text}"
        return Clause(universal if positive else f"it is not so that {universal}")
    one = {True: "one" if among else morphology.add_article(head), False: "none" if among else f"no {head}"}
    which = format_relative_clause(clause, False) if clause.one else f"for which {clause.text}"
    return Clause(f"{among}there is {one[(word == 'any') == positive]} {which}")
