"""Noun phrases for arithmetic, and clauses that compare amounts."""

from __future__ import annotations

from fractions import Fraction

from attrs import evolve

from cardlang import model as g
from cardlang.english import morphology
from cardlang.model import NUMBER
from cardlang.model.expression_queries import get_number_literal, is_non_negative_literal, unwrap_conversions
from cardlang.rulebook.realise.game_lexicon import LexiconEntry
from cardlang.rulebook.realise.noun_phrases import build_owned_noun, format_value
from cardlang.rulebook.realise.phrases import (
    Clause,
    NounPhrase,
    PhraseScope,
    build_noun_phrase,
    build_verb_clause,
    describe_condition,
    register_phrase,
)

COUNT_COMPARISONS = {"=": "exactly ", "!=": "not exactly ", "<": "fewer than ", ">": "more than "}
COUNT_COMPARISONS |= {"<=": "at most ", ">=": "at least "}
IN_ALL_SUFFIX = " in all"
AMOUNT_COMPARISONS = {"=": "as many {} as ", "!=": "not as many {} as ", "<": "fewer {} than ", ">": "more {} than "}
AMOUNT_COMPARISONS |= {"<=": "at most as many {} as ", ">=": "at least as many {} as "}


def describe_amount(right: NounPhrase, operator: str, singular: str, plural: str) -> str:
    """Describe an amount: `at least two chips`, `no chips`, `more chips than the ante`."""
    if right.text in ("zero", "0") and operator in ("=", "<="):
        return f"no {plural}"
    if right.text in ("zero", "0") and operator in (">", "!="):
        return f"any {plural}"
    if operator == ">" and right.text.startswith("one more than "):
        return f"at least two more {plural} {right.text.removeprefix('one more ')}"
    value = right.text.removeprefix("minus ").removeprefix("−").replace(",", "")
    if value in morphology.SMALL_NUMBER_WORDS or value.isdigit():
        exact = "" if operator == "=" else COUNT_COMPARISONS[operator]
        return exact + morphology.format_count(right.text, singular, plural)
    if right.counted_noun:
        return AMOUNT_COMPARISONS[operator].format(plural) + right.counted_noun
    return AMOUNT_COMPARISONS[operator].format(plural) + right.text


def build_amount_clause(left: NounPhrase, right: NounPhrase, operator: str, entry: LexiconEntry) -> Clause:
    """Describe a number that counts objects, as an amount that its owner has."""
    amount = describe_amount(right, operator, morphology.singularize(entry.singular), entry.plural)
    if left.owner is not None:
        return build_verb_clause(left.owner, "uses" if left.owner.type.tag == "reading" else "has", amount)
    return Clause(f"there {'is' if amount.startswith(('one ', '1 ')) else 'are'} {amount}")


def build_count_clause(left: NounPhrase, right: NounPhrase, operator: str) -> Clause:
    """Describe the number of items in a list."""
    items = left.counted_noun.removesuffix(IN_ALL_SUFFIX)
    if right.counted_noun == f"cards{IN_ALL_SUFFIX}" and items.startswith("cards ") and operator in ("=", "!="):
        return Clause(f"{'all' if operator == '=' else 'not all'} cards are {items.removeprefix('cards ')}")
    one = left.one_item or singularize_first_plural(items)
    amount = describe_amount(right, operator, one, items)
    single = right.text == "one" and operator in ("=", "!=", "<=", ">=")
    if right.text == "one" and operator in ("=", "!="):
        amount = f"{'' if operator == '=' else 'not '}only one {one}"
    if right.text == "one" and operator == ">":
        amount = f"at least two {items}"
    if left.owner is not None:
        return build_verb_clause(left.owner, "has", amount)
    return Clause(f"there {'is' if single else 'are'} {amount}")


def singularize_first_plural(items: str) -> str:
    """Make the first plural word singular: `cards in your hand` to `card in your hand`."""
    parts = items.split(" ")
    for index, part in enumerate(parts):
        if morphology.is_plural(part):
            return " ".join([*parts[:index], morphology.singularize(part), *parts[index + 1 :]])
    return items


# ---------------------------------------------------------------- arithmetic
@register_phrase(g.Whole)
def describe_whole(expr: g.Whole, scope: PhraseScope) -> NounPhrase:
    return NounPhrase(f"{build_noun_phrase(expr.value, scope).text} (rounded down)", NUMBER)


@register_phrase(g.Arith)
def describe_arith(expr: g.Arith, scope: PhraseScope) -> NounPhrase:
    known = compute_constant(expr)
    if known is not None:
        return NounPhrase(format_value(NUMBER, known, scope), NUMBER)
    plain = not (is_non_negative_literal(expr.left) or isinstance(unwrap_conversions(expr.left), g.Arith))
    if get_number_literal(expr.right) == 1 and expr.operator in "+-" and plain:
        left = describe_operand(expr.left, expr, scope)
        return NounPhrase(f"one {'more' if expr.operator == '+' else 'less'} than {left}", NUMBER)
    return NounPhrase(describe_calculation(expr, scope), NUMBER)


@register_phrase(g.Cases)
def describe_counted_condition(expr: g.Cases, scope: PhraseScope) -> NounPhrase:
    """Describe a condition that counts in a calculation."""
    condition = expr.cases[0][1]
    assert condition is not None, "only the last case has no condition"
    return NounPhrase(f"1 if {describe_condition(condition, scope)}", NUMBER)


def compute_constant(expr: g.Expr) -> Fraction | None:
    """Return the value of a sum or difference of literal numbers; None for other expressions."""
    match unwrap_conversions(expr):
        case g.Arith(operator="+" | "-") as expr:
            left, right = compute_constant(expr.left), compute_constant(expr.right)
            if left is None or right is None:
                return None
            return left + right if expr.operator == "+" else left - right
    known = get_number_literal(expr)
    return None if known is None else Fraction(known)


def describe_calculation(expr: g.Arith, scope: PhraseScope) -> str:
    """Describe an arithmetic operation, as a formula unless it doubles or halves."""
    left, right = describe_operand(expr.left, expr, scope), describe_operand(expr.right, expr, scope)
    if compute_constant(expr.left) == 0 and expr.operator == "-":
        return f"minus {right}"
    share = SHARES.get(int(get_number_literal(expr.right) or 0)) if expr.operator == "/" and left[0] != "(" else None
    if share is not None:
        return f"{share} of {left}"
    if expr.operator == "*" and get_number_literal(expr.left) == 2:
        return f"twice {right}"
    sides = map(unwrap_conversions, (expr.left, expr.right))
    has_figures = any(isinstance(side, g.Const | g.Arith | g.Cases) for side in sides)
    sign = ARITHMETIC_SIGNS[expr.operator] if has_figures else ARITHMETIC_WORDS.get(expr.operator, "×")
    return f"{left} {sign} {right}"


SHARES = {2: "half", 3: "a third", 4: "a quarter", 5: "a fifth", 10: "a tenth"}
ARITHMETIC_SIGNS = {"+": "+", "-": "−", "*": "×", "/": "÷"}
ARITHMETIC_WORDS = {"+": "plus", "-": "minus", "/": "÷"}
"""Signs in words, between values without figures."""


def describe_sum(expr: g.Expr, scope: PhraseScope) -> str:
    """Describe a value that stands alone, such as a score: `your gold, plus 5 for each of your sets`."""
    expr = unwrap_conversions(expr)
    if isinstance(expr, g.Arith) and compute_constant(expr) is None:
        if expr.operator == "+" and get_number_literal(expr.right) is None:
            known = get_number_literal(expr.left)
            first = f"{describe_sum(expr.left, scope)}," if known is None else str(known)
            unit = build_noun_phrase(expr.right, scope).entry
            if known is not None and unit is not None and unit.is_unit and unit.singular != unit.plural:
                return f"{first}, plus 1 for each {unit.singular}"
            counted = build_noun_phrase(expr.right, scope).counted_noun
            if counted.startswith("of those "):
                return f"{first} plus 1 for each {counted if counted.removeprefix('of ') not in first else 'of them'}"
            return f"{first} plus {describe_sum(expr.right, scope)}"
        counted = build_noun_phrase(expr.right, scope).counted_noun
        if expr.operator == "*" and is_non_negative_literal(expr.left) and counted:
            each = counted if counted.startswith("of ") else singularize_first_plural(counted)
            return f"{describe_operand(expr.left, expr, scope)} for each {each}"
    return build_noun_phrase(expr, scope).cards_text


def describe_operand(expr: g.Expr, parent: g.Arith, scope: PhraseScope) -> str:
    second, expr = expr is parent.right, unwrap_conversions(expr)
    loose = isinstance(expr, g.Arith) and expr.operator in "+-"
    if isinstance(expr, g.Arith) and loose and (parent.operator in "*/" or second):
        return f"({describe_calculation(expr, scope)})"
    literal = compute_constant(expr)
    if literal is not None and literal.denominator == 1:
        return str(literal)
    if isinstance(expr, g.Cases):
        return f"({build_noun_phrase(expr, scope).text})"
    if isinstance(expr, g.Whole):
        return f"({build_noun_phrase(expr.value, scope).text}, rounded down)"
    return replace_rank_by_worth(build_noun_phrase(expr, scope), scope).text


def replace_rank_by_worth(noun: NounPhrase, scope: PhraseScope) -> NounPhrase:
    """Replace a rank that has a worth by its worth: `its worth`, not `its rank`."""
    if noun.owner is None or noun.entry is None or not scope.lexicon.has_worth(noun.entry):
        return noun
    return build_owned_noun(noun.owner, evolve(noun.entry, type=NUMBER, singular="worth", plural="worths"))
