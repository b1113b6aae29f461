"""Wording of how many items a choice takes, and of all ways to choose."""

from __future__ import annotations

from cardlang import model as g
from cardlang.model.expression_queries import is_non_negative_literal
from cardlang.rulebook.realise.phrases import NounPhrase, PhraseScope, build_noun_phrase, register_phrase

CountedChoice = g.Pick | g.Choose | g.Selections


def has_exact_count(choice: CountedChoice) -> bool:
    """Return whether only one number is allowed, which is written once."""
    return choice.low is not None and choice.high is not None and choice.low.span == choice.high.span


def describe_simple_count(choice: CountedChoice, scope: PhraseScope) -> tuple[str, bool]:
    """Return the number in words, and whether it is one; empty if it needs more than numbers."""
    if not all(bound is None or is_non_negative_literal(bound) for bound in (choice.low, choice.high)):
        return "", False
    low, high = ("" if bound is None else build_noun_phrase(bound, scope).text for bound in (choice.low, choice.high))
    low = "" if low == "zero" else low
    if not low and not high:
        return "any number of", False
    if not low or not high:
        return (f"up to {high}", high == "one") if high else (f"{low} or more", False)
    if low == high:
        return high, high == "one"
    return f"{low} {'or' if (low, high) == ('one', 'two') else 'to'} {high}", False


def describe_count_bounds(choice: CountedChoice, scope: PhraseScope) -> str:
    """Return the limits on a number that is a value of the game."""
    least = "" if choice.low is None else f"at least {build_noun_phrase(choice.low, scope).text}"
    if choice.high is None:
        return least
    high = build_noun_phrase(choice.high, scope)
    if has_exact_count(choice):
        return f"as many as there are {high.counted_noun}" if high.counted_noun else f"as many as {high.text}"
    return f"{least} and at most {high.text}" if least else f"at most {high.text}"


@register_phrase(g.Selections)
def describe_selections(expr: g.Selections, scope: PhraseScope) -> NounPhrase:
    """Describe the ways to choose: `the selections of two cards in your hand`."""
    base = build_noun_phrase(expr.list, scope)
    items = base.items_text or f"of {base.text}"
    many, _ = describe_simple_count(expr, scope)
    if many == "one or more":
        one, several = f"some {items}", items
    else:
        one = several = f"{many} {items}" if many else f"{items} ({describe_count_bounds(expr, scope)})"
    text = f"selections of {several}".replace("of of", "of")
    return NounPhrase(f"the {text}", expr.type, True, items_text=text, one_item=one)
