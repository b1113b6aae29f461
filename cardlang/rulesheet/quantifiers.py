"""`any player`, `no card`, `every suit`: conditions on some of several things, in English."""

from __future__ import annotations

from attrs import evolve

from cardlang import nodes as n
from cardlang.game import Type, member
from cardlang.rulesheet import words
from cardlang.rulesheet.english import (
    Clause,
    Noun,
    Scope,
    about_tested,
    clause,
    holds,
    item_type,
    phrase,
    relative,
    tested,
)
from cardlang.rulesheet.nouns import kind_noun


@holds(n.Quantified)
def quantified(expr: n.Quantified, scope: Scope, positive: bool) -> Clause:
    word, head, type_ = quantifier_head(expr, scope)
    if isinstance(expr.condition, n.And | n.Or):
        return about_some(expr, scope, positive)
    opposite = {"any": "no", "no": "any", "every": "not every"}
    quantifier = word if positive else opposite[word]
    subject = Noun(f"{quantifier} {head}", type_, tested="self")
    if head.startswith("of "):
        subject = evolve(
            subject, text=f"{'each' if quantifier == 'every' else quantifier.replace('no', 'none')} {head}"
        )
    return Clause(clause(expr.condition, scope.testing(subject)).text)


def quantifier_head(expr: n.Quantified, scope: Scope) -> tuple[str, str, Type]:
    """The quantifier, what follows it (`card in your hand`), and the type of the items."""
    one = kind_noun(expr.word.text)
    if expr.among is None:
        type_ = member(expr.word.text) if expr.word.text in scope.lexicon.kinds else Type(expr.word.text)
        return expr.quantifier, one, type_
    among = phrase(expr.among, scope)
    if among.pile:
        return expr.quantifier, f"{one} {among.within}", item_type(among)
    return expr.quantifier, f"of {among.text}", item_type(among)


def about_some(expr: n.Quantified, scope: Scope, positive: bool) -> Clause:
    """A quantifier over several conditions at once."""
    word, head, type_ = quantifier_head(expr, scope)
    among = "" if expr.among is None else f"among {phrase(expr.among, scope).cards} "
    said = about_tested(expr.condition, scope.testing(tested(type_)))
    if word == "every":
        each = f"for each {head}, {said.text}" if not among else f"{among}for each one, {said.text}"
        return Clause(each if positive else f"it is not so that {each}")
    one = {True: "one" if among else words.article(head), False: "none" if among else f"no {head}"}
    which = relative(said, False) if said.one else f"for which {said.text}"
    return Clause(f"{among}there is {one[(word == 'any') == positive]} {which}")
