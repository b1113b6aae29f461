"""Describe quantifiers: `any player`, `no card`, `every suit`."""

from __future__ import annotations

from attrs import evolve

from cardlang import game as g
from cardlang import words
from cardlang.rulesheet.english import (
    Clause,
    Noun,
    Scope,
    about_tested,
    clause,
    holds,
    phrase,
    relative,
)
from cardlang.rulesheet.lists import item_noun
from cardlang.rulesheet.naming import is_noun
from cardlang.rulesheet.nouns import kind_noun
from cardlang.rulesheet.parts import bare


@holds(g.Quantified)
def quantified(expr: g.Quantified, scope: Scope, positive: bool) -> Clause:
    word, head = expr.quantifier, quantifier_head(expr, scope)
    if isinstance(expr.condition, g.And | g.Or):
        return about_some(expr, scope, positive)
    opposite = {"any": "no", "no": "any", "every": "not every"}
    quantifier = word if positive else opposite[word]
    subject = Noun(f"{quantifier} {head}", expr.var.type, tested="self")
    if head.startswith("of "):
        subject = evolve(
            subject, text=f"{'each' if quantifier == 'every' else quantifier.replace('no', 'none')} {head}"
        )
    return Clause(clause(expr.condition, scope.about(expr.var, subject)).text)


def quantifier_head(expr: g.Quantified, scope: Scope) -> str:
    """Return the noun after the quantifier: `card in your hand`."""
    one = kind_noun(expr.var.name) if is_noun(expr.var.name) else item_noun(expr.var.type)
    if is_all(expr.list):
        return one
    among = phrase(expr.list, scope)
    return f"{one} {among.within}" if among.pile else f"of {among.text}"


def is_all(items: g.Expr) -> bool:
    """Return whether a list is all players or all members of a kind, so that its noun is enough."""
    items = bare(items)
    return isinstance(items, g.Members) or (isinstance(items, g.Builtin) and items.name == "players")


def about_some(expr: g.Quantified, scope: Scope, positive: bool) -> Clause:
    """Describe a quantifier over a compound condition."""
    word, head = expr.quantifier, quantifier_head(expr, scope)
    among = "" if is_all(expr.list) else f"among {phrase(expr.list, scope).cards} "
    said = about_tested(expr.condition, scope.testing(expr.var))
    if word == "every":
        each = f"for each {head}, {said.text}" if not among else f"{among}for each one, {said.text}"
        return Clause(each if positive else f"it is not so that {each}")
    one = {True: "one" if among else words.article(head), False: "none" if among else f"no {head}"}
    which = relative(said, False) if said.one else f"for which {said.text}"
    return Clause(f"{among}there is {one[(word == 'any') == positive]} {which}")
