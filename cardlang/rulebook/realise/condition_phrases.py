"""Clauses for conditions, filters and quantifiers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from attrs import evolve

from cardlang import model as g
from cardlang.english import morphology
from cardlang.model import PLAYER
from cardlang.model.expression_queries import (
    get_flag_literal,
    get_number_literal,
    get_owner,
    get_read_name,
    is_non_negative_literal,
    is_that_reference,
    unwrap_conversions,
)
from cardlang.rulebook.realise.card_names import build_card_name_clause, describe_member_after_of, name_cards_of_members
from cardlang.rulebook.realise.game_lexicon import LexiconEntry
from cardlang.rulebook.realise.noun_phrases import describe_zone_cards, get_kind_noun, get_ranking_name, get_set_noun
from cardlang.rulebook.realise.number_phrases import (
    build_amount_clause,
    build_count_clause,
    compute_constant,
    describe_amount,
    replace_rank_by_worth,
    singularize_first_plural,
)
from cardlang.rulebook.realise.phrases import (
    RELATIVE_ORDER,
    YOU,
    Clause,
    NounPhrase,
    PhraseScope,
    build_clause,
    build_noun_phrase,
    build_relative_clause,
    build_verb_clause,
    get_item_type,
    register_clause,
)

OWNER_TYPE_TAGS = ("player", "reading", "member")
NEGATED_OPERATORS = {"=": "!=", "!=": "=", "<": ">=", ">": "<=", "<=": ">", ">=": "<"}
NUMBER_COMPARISONS = {"=": "", "!=": "not ", "<": "less than ", ">": "more than ", "<=": "at most ", ">=": "at least "}
READING_COMPARISONS = {"=": "equal to ", "!=": "not equal to ", "<": "worse than ", ">": "better than "}
READING_COMPARISONS |= {"<=": "no better than ", ">=": "no worse than "}
AMOUNT_LEAD = re.compile(r"who ha(s|ve) (?=(an?|any|no|at least|at most|more|fewer|exactly) )")
"""Beginning of a relative clause about an amount."""


# ---------------------------------------------------------------- and, or, not
@register_clause(g.Not)
def describe_not(expr: g.Not, scope: PhraseScope, positive: bool) -> Clause:
    return build_clause(expr.value, scope, not positive)


@register_clause(g.And, g.Or)
def describe_compound(expr: g.And | g.Or, scope: PhraseScope, positive: bool) -> Clause:
    word = "and" if isinstance(expr, g.And) == positive else "or"
    exprs = flatten_compound(expr, type(expr))
    named = build_card_name_clause(exprs, positive, scope) if isinstance(expr, g.And) else None
    if named is not None:
        return named
    parts = [build_relative_clause(part, scope, positive) for part in exprs]
    about = sorted((part for part in parts if part.many), key=lambda part: RELATIVE_ORDER.index(part.form))
    free = join_compound_parts([part for part in parts if not part.many], "text", word)
    text = join_predicates(parts, word) or join_compound_parts(parts, "text", word)
    if not about:
        return Clause(text, conjunction=word)
    one, many = join_relative_clauses(about, "one", word), join_relative_clauses(about, "many", word)
    if word == "and":
        return Clause(text, one, many, free, word)
    if not free:
        return Clause(text, one, many, conjunction=word)
    return Clause(text, f"{one} (or any, if {free})", f"{many} (or all, if {free})")


def join_predicates(parts: Sequence[Clause], conjunction: str) -> str:
    """Join clauses that say what one subject is: `the amount is more than the bid and at most 12`; or nothing."""
    subjects = {part.subject for part in parts}
    verbs = {part.predicate.partition(" ")[0] for part in parts}
    if len(subjects) > 1 or not all(subjects) or len(verbs) > 1 or not verbs <= {"is", "are"}:
        return ""
    first, *others = [part.predicate for part in parts]
    states = [state.partition(" ")[2] for state in others]
    return f"{parts[0].subject} {morphology.join_phrases([first, *states], conjunction)}"


def join_relative_clauses(parts: Sequence[Clause], form: str, conjunction: str) -> str:
    """Join several clauses about a noun. Exceptions come last: `whose rank is Jack, other than the starter`."""
    apart = [part for part in parts if conjunction == "and" and part.form == "exception"]
    modifiers = [part for part in parts if conjunction == "and" and part.form == "modifier"]
    rest = [part for part in parts if part not in apart and part not in modifiers]
    lead, *ends = (join_compound_parts(group, form, conjunction) for group in (modifiers, rest, apart))
    return " ".join(filter(None, (lead, ", ".join(filter(None, ends)))))


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
    amounts = AMOUNT_LEAD.match(first), AMOUNT_LEAD.match(text)
    lead = amounts[1] if all(amounts) else re.match(r"that (is|are) |who ", text)
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
    return build_verb_clause(
        subject.cards_noun,
        "is",
        f"{'' if positive else 'not '}{morphology.add_article(get_ranking_name(expr.ranking, scope.lexicon))}",
    )


@register_clause(g.IsSet)
def describe_is_of_card_set(expr: g.IsSet, scope: PhraseScope, positive: bool) -> Clause:
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
    match value:
        case g.MapEach(list=g.Builtin(name="players"), value=g.ZoneCards(second=None)) if subject.entry is not None:
            if not subject.entry.is_unit:
                return Clause(f"{'all' if empty else 'not all'} {subject.entry.plural} are empty")
    if subject.tested_role == "of" and subject.is_pile and subject.owner is not None:
        whose = f"with {'an empty' if empty else 'cards in their'} {subject.bare_noun}"
        clause = build_verb_clause(subject, "is", "empty" if empty else "not empty")
        return evolve(clause, one=whose, many=whose, form="modifier") if subject.owner.tested_role == "self" else clause
    single = subject.entry is not None and subject.entry.is_zone and subject.type.tag == "card"
    if single and subject.owner is None and subject.text.endswith(" card"):
        return build_absence_clause(subject, "nothing", empty)
    if single or (subject.is_pile and not subject.is_plural):
        return build_verb_clause(subject, "is", "empty" if empty else "not empty")
    return build_empty_list_clause(subject, empty)


def build_empty_list_clause(subject: NounPhrase, empty: bool) -> Clause:
    """Describe an empty list that is not a pile."""
    entry = subject.entry
    if entry is not None and entry.name == "winners":
        return Clause(f"{'no' if empty else 'a'} player has won")
    if subject.owner is not None and get_item_type(subject.owner).tag in ("player", "member") and entry is not None:
        one = f"any {entry.noun}" if entry.is_zone else morphology.add_article(morphology.singularize(entry.noun))
        return build_verb_clause(subject.owner, "has", f"no {entry.noun}" if empty else one)
    if subject.tested_role:
        return build_verb_clause(subject, "is", "none" if empty else "there")
    if subject.items_text:
        return Clause(f"there are {'no' if empty else 'any'} {subject.items_text}")
    if not subject.text.startswith("the "):
        return build_verb_clause(subject, "is", "empty" if empty else "not empty")
    return Clause(f"there is {'no' if empty else 'a'} {subject.text.removeprefix('the ')}")


# ---------------------------------------------------------------- comparisons
@register_clause(g.Compare)
def describe_compare(expr: g.Compare, scope: PhraseScope, positive: bool) -> Clause:
    operator = expr.operator if positive else NEGATED_OPERATORS[expr.operator]
    shared = build_all_equal_clause(expr, operator, scope) or build_complement_clause(expr, operator, scope)
    if shared is not None:
        return shared
    named = build_card_name_clause([expr], operator == "=", scope) if operator in ("=", "!=") else None
    if named is not None:
        return named
    left, right = build_comparison_sides(expr, scope)
    value = unwrap_conversions(expr.right)
    if left.is_pile and operator == "=" and isinstance(value, g.NamedCards):
        return build_exact_content_clause(left, value, scope)
    known = compute_constant(value)
    if known is not None and known.denominator == 1:
        in_figures = left.type.tag == "member" or is_amount(left.entry)
        right = evolve(right, text=format_digits(int(known)) if in_figures else right.text)
    modifier = build_modifier_clause(expr, left, right, operator, scope)
    if modifier is not None:
        return modifier
    if "flag" in (left.type.tag, right.type.tag):
        return build_flag_comparison(expr, scope, operator)
    if left.counted_noun:
        return build_count_clause(left, right, operator)
    if left.entry is not None and left.entry.is_unit and (left.owner is None or left.owner.type.tag in OWNER_TYPE_TAGS):
        return build_amount_clause(left, right, operator, left.entry)
    return build_comparison_clause(left, right, operator)


@register_clause(g.IsIn)
def describe_is_in(expr: g.IsIn, scope: PhraseScope, positive: bool) -> Clause:
    named = build_card_name_clause([expr], positive, scope)
    if named is not None:
        return named
    left, items = build_noun_phrase(expr.value, scope), unwrap_conversions(expr.list)
    if isinstance(items, g.Joined):
        return build_one_of_clause(
            left, [describe_value_in_figures(item, left.type.tag == "member", scope) for item in items.items], positive
        )
    return build_membership_clause(left, build_noun_phrase(items, scope), positive)


@register_clause(g.IsAbsent)
def describe_is_absent(expr: g.IsAbsent, scope: PhraseScope, positive: bool) -> Clause:
    return build_absence_clause(
        build_noun_phrase(expr.value, scope), "no one" if expr.value.type.tag == "player" else "nothing", positive
    )


def is_amount(entry: LexiconEntry | None) -> bool:
    """Return whether a declaration is an amount of things that players have, which is written in figures."""
    return entry is not None and entry.is_unit and entry.type.tag == "number"


def build_all_equal_clause(expr: g.Compare, operator: str, scope: PhraseScope) -> Clause | None:
    """Describe `count of (distinct of cards' rank) = 1`: all have the same rank."""
    match unwrap_conversions(expr.left):
        case g.Agg(function="count", list=g.Agg(function="distinct", list=g.MapEach(list=of) as mapped)):
            cards, attribute = build_noun_phrase(of, scope), morphology.replace_hyphens(get_read_name(mapped))
            is_one = build_noun_phrase(expr.right, scope).text == "one"
            operator = {"<=": "=", ">": "!="}.get(operator, operator) if is_one else operator
            no = "" if operator == "=" else "do not "
            if not is_one or operator not in ("=", "!="):
                return None
            same = f"{no}all have the same {attribute}"
            if cards.tested_role == "self":  # a selection of cards
                return Clause(f"they {same}", f"whose cards {same}", f"whose cards {same}")
            return Clause(f"{cards.counted_cards_noun.text} {same}")
    return None


def build_complement_clause(expr: g.Compare, operator: str, scope: PhraseScope) -> Clause | None:
    """Describe `count of (players where not passed) = 1`: all players but one have passed."""
    match unwrap_conversions(expr.left):
        case g.Agg(
            function="count", list=g.Filter(list=g.Builtin(name="players"), condition=g.Not(value=state)) as rest
        ):
            subject = {0: "all players", 1: "all players but one"}.get(int(get_number_literal(expr.right) or 0), "")
            if subject and operator == "=" and is_non_negative_literal(expr.right):
                return Clause(build_clause(state, scope.bind_noun(rest.var, NounPhrase(subject, PLAYER, True))).text)
    return None


def build_comparison_sides(expr: g.Compare, scope: PhraseScope) -> tuple[NounPhrase, NounPhrase]:
    """Return both sides of a comparison. Compared with a computed number, a rank is replaced by its worth."""
    left, right = build_noun_phrase(expr.left, scope), build_noun_phrase(expr.right, scope)
    if right.type.tag == "number" and not is_non_negative_literal(expr.right):
        return replace_rank_by_worth(left, scope), right
    return left, replace_rank_by_worth(right, scope) if left.type.tag == "number" else right


def build_exact_content_clause(zone_noun: NounPhrase, value: g.NamedCards, scope: PhraseScope) -> Clause:
    """Describe the exact content of a zone."""
    many = len(value.faces) > 1
    content = describe_zone_cards(value.faces, zone_noun.entry, scope) if many else build_noun_phrase(value, scope).text
    return build_content_clause(zone_noun, content)


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
    if left.type.tag == "player" and left.entry is not None and left.entry.predicate:
        return build_role_clause(left, right, operator == "=")
    subject = left.cards_noun
    if left.type.tag == "reading":
        return build_verb_clause(subject, "is", READING_COMPARISONS[operator] + shorten_compared_owner(left, right))
    if left.type.tag == "member" and operator not in ("=", "!="):
        same = right.owner is not None and right.entry is not None and right.entry == left.entry
        return build_order_comparison(
            subject, f"that of {right.owner.text}" if same and right.owner else right.text, operator
        )
    if left.type.tag == "text" and left.tested_role == "self":
        return build_verb_clause(subject, "is", f"{'' if operator == '=' else 'not '}called {right.text}")
    if left.text == "it" and operator == "<=" and right.owner and right.entry and is_amount(right.entry):
        return build_verb_clause(right.owner, "has", f"enough {right.entry.plural}")
    if left.type.tag == "number" or right.type.tag == "number":
        return build_verb_clause(subject, "is", NUMBER_COMPARISONS[operator] + right.text)
    if left.items_text and left.is_plural and right.type.tag != "list" and operator == "=":
        return Clause(f"{right.text} is the only {singularize_first_plural(left.items_text)}")
    no = "" if operator == "=" else "not "
    if (right is YOU or right.tested_role == "self") and not left.tested_role:
        return build_verb_clause(right, "is", no + left.text)
    if right is YOU and left.tested_role == "of":
        whose = f"whose {left.bare_noun} you are{f' {no}'.rstrip()}"
        return Clause(f"you are {no}{left.text}", whose, whose)
    clause = build_verb_clause(subject, "is", no + right.cards_text)
    if operator == "!=" and left.tested_role == "self":
        return Clause(clause.text, f"other than {right.text}", f"other than {right.text}", form="exception")
    return clause


def build_modifier_clause(
    expr: g.Compare, left: NounPhrase, right: NounPhrase, operator: str, scope: PhraseScope
) -> Clause | None:
    """Describe an attribute of the tested object as a modifier: `of the suit led`, `with at least two points`."""
    entry = left.entry
    if entry is None or left.owner is None or left.owner.tested_role != "self" or get_owner(expr.left) is None:
        return None
    text = build_comparison_clause(left, right, operator).text
    if left.type.tag == "number" and morphology.is_plural(entry.noun) and left.owner.type.tag == "card":
        amount = describe_amount(right, operator, morphology.singularize(entry.noun), entry.noun)
        return Clause(text, f"with {amount}", f"with {amount}", form="modifier")
    if operator not in ("=", "!=") or left.type.tag != "member" or right.type.tag != "member":
        return None
    if is_own_attribute(unwrap_conversions(expr.right), left, scope):
        value = f"of {'the same' if operator == '=' else 'another'} {entry.noun}"
        return Clause(text, value, value, form="modifier")
    if get_kind_noun(str(left.type.of)) != entry.noun:
        return None
    titled = (
        name_cards_of_members(entry.name, [expr.right], scope) if entry.name in scope.lexicon.game.columns else None
    )
    described = f"{entry.noun} {right.text}" if titled else describe_member_after_of(expr.right, right, entry)
    if not described:
        return None
    value = f"of {described}"
    if operator == "!=":
        value = f"of {morphology.add_article(entry.noun)} other than {right.text}"
    return Clause(text, value, value, form="modifier")


def is_own_attribute(expr: g.Expr, tested_noun: NounPhrase, scope: PhraseScope) -> bool:
    """Return whether a comparison is with the same attribute of the definition's subject: "the same as its own"."""
    subject = scope.tested_subjects[-1].noun if scope.tested_subjects else None
    same = tested_noun.tested_role == "of" and tested_noun.entry and subject is not None and subject.text == "it"
    of = get_owner(expr)
    if of is None or not is_that_reference(of) or not same or (subject and subject.tested_role):
        return False
    return tested_noun.entry is not None and tested_noun.entry.name == get_read_name(expr)


def build_order_comparison(subject: NounPhrase, right: str, operator: str) -> Clause:
    tail = {">=": f"{right} or higher", "<=": f"{right} or lower"}
    tail |= {">": f"higher than {right}", "<": f"lower than {right}"}
    return build_verb_clause(subject, "is", tail[operator])


def build_membership_clause(left: NounPhrase, right: NounPhrase, positive: bool) -> Clause:
    if right.is_pile:
        return build_verb_clause(left, "is", right.location if positive else f"not {right.location}")
    return build_verb_clause(left, "is", f"{'one' if positive else 'none'} of {right.cards_text}")


def format_digits(value: int | Fraction) -> str:
    return (f"{value:,}" if isinstance(value, int) else morphology.format_number(value)).replace("-", "−")


def describe_value_in_figures(expr: g.Expr, is_printed: bool, scope: PhraseScope) -> str:
    """Describe a value. If it is compared with a number printed on cards, write it in figures."""
    known = get_number_literal(expr) if is_printed else None
    return build_noun_phrase(expr, scope).text if known is None else format_digits(known)


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
    if left.owner is not None and left.entry is not None and left.entry.type.tag == "player":
        if left.entry.predicate:
            return build_role_clause(left, NounPhrase("no one" if is_absent else "a player", PLAYER), True)
        noun = left.entry.noun
        return build_verb_clause(left.owner, "has", f"no {noun}" if is_absent else morphology.add_article(noun))
    if left.tested_role or not left.text.startswith("the ") or "'s " in left.text:
        return build_verb_clause(left, "is", nothing if is_absent else f"not {nothing}")
    noun = left.text.removeprefix("the ")
    return Clause(f"there is no {noun}" if is_absent else f"there is {morphology.add_article(noun)}")


def build_role_clause(role: NounPhrase, who: NounPhrase, positive: bool) -> Clause:
    """Describe the player of a role with the author's text: `you have won the flag`, `flags that you have won`."""
    assert role.entry is not None
    text = f"{who.text} {morphology.agree_verb(role.entry.predicate, who.is_plural)}"
    text = text if positive else morphology.negate_sentence(text)
    thing = f" the {morphology.replace_hyphens(role.entry.subject or '').lower()}"
    which = f"that {text.removesuffix(thing)}" if role.tested_role and text.endswith(thing) else ""
    return Clause(text, which, which)


def build_flag_comparison(expr: g.Compare, scope: PhraseScope, operator: str) -> Clause:
    """Describe a condition compared with yes, no or another condition."""
    right = get_flag_literal(expr.right)
    if right is not None:
        return build_clause(expr.left, scope, right == (operator == "="))
    left = build_clause(expr.left, scope).text
    same = "just when" if operator == "=" else "just when not"
    return Clause(f"{left} {same} {build_clause(expr.right, scope).text}")
