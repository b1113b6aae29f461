"""Describe the items of a list that fulfil a condition."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from attrs import evolve

from cardlang import game as g
from cardlang import words
from cardlang.rulesheet.clauses import flat
from cardlang.rulesheet.english import Noun, Scope, about_tested, condition, phrase, relative, says
from cardlang.rulesheet.nouns import cards, set_noun
from cardlang.rulesheet.parts import bare, is_var


@says(g.Filter)
def where(expr: g.Filter, scope: Scope) -> Noun:
    base = phrase(expr.list, scope)
    said = about_tested(expr.condition, scope.testing(expr.var))
    which = relative(said, True) if said.many else f"(provided {said.text})"
    kept = evolve(base, plural=True, pile=False, owner=None, entry=None)
    if not base.items:
        return evolve(kept, text=f"those of {base.text} {which}")
    kind = sort_of_card(expr, scope)
    if kind and base.pile:
        items = base.items.replace("cards", kind, 1)
        return evolve(kept, text=f"the {items}", items=items)
    items = f"{base.items} {which}"
    return evolve(kept, text=f"{base.text} {which}" if base.called_after_cards else f"the {items}", items=items)


def sort_of_card(expr: g.Filter, scope: Scope) -> str:
    """Return the name of the cards if the condition only identifies them: `Dragons`, `2 of Clubs`."""
    match expr.condition:
        case g.IsSet(set=name):
            return words.plural(set_noun(name, scope.lexicon))
        case g.Compare(operator="=", left=left, right=g.NamedCards(faces=(face,))) if is_var(left, expr.var):
            return cards((face,), scope).removeprefix("the ")
    return ""


# ---------------------------------------------------------------- definitions
def meant(expr: g.Expr, scope: Scope, otherwise: str = "") -> str:
    """Describe the meaning of a name, in a sentence of its own.

    Conditions that do not concern single items go first, and `otherwise` goes last. An example:
    `if the table is empty: the cards in your hand whose suit is Red`.
    """
    expr = bare(expr)
    if not isinstance(expr, g.Filter):
        return phrase(expr, scope).cards
    inner = scope.testing(expr.var)
    about, free = parted(expr.condition, g.And, inner)
    said = or_all(expr, about, scope) if about is not None else phrase(expr.list, scope).cards
    return f"if {condition(free, inner)}: {said}{otherwise}" if free is not None else said


def or_all(expr: g.Filter, about: g.Expr, scope: Scope) -> str:
    """Describe filtered items, or all of them in a case that does not concern single items."""
    inner = scope.testing(expr.var)
    own, free = parted(about, g.Or, inner)
    if own is None or free is None:
        return phrase(evolve(expr, condition=about), scope).cards
    said = phrase(evolve(expr, condition=own), scope).cards
    return f"{said}, or all of them if {condition(free, inner)}"


def parted(expr: g.Expr, class_: type[g.And] | type[g.Or], scope: Scope) -> tuple[g.Expr | None, g.Expr | None]:
    """Split a compound into the conditions on the tested object and the other conditions."""
    about: list[g.Expr] = []
    free: list[g.Expr] = []
    for part in flat(expr, class_):
        (about if about_tested(part, scope).many else free).append(part)
    return compound_of(about, class_), compound_of(free, class_)


def compound_of(parts: Sequence[g.Expr], class_: type[g.And] | type[g.Or]) -> g.Expr | None:
    return reduce(lambda left, right: class_(g.FLAG, left.span, left, right), parts) if parts else None
