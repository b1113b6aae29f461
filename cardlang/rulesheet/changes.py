"""Describe assignments and remembered values."""

from __future__ import annotations

import re

from cardlang import game as g
from cardlang import words
from cardlang.game import NUMBER
from cardlang.game.walking import uses_var
from cardlang.rulesheet.clauses import in_figures
from cardlang.rulesheet.english import YOU, Noun, Scope, condition, flag, phrase
from cardlang.rulesheet.joining import both_said
from cardlang.rulesheet.model import Item
from cardlang.rulesheet.moving import moving
from cardlang.rulesheet.nouns import kind_noun, target
from cardlang.rulesheet.parts import bare, is_absent, truth
from cardlang.rulesheet.statements import Drafts, joins, local, says, tells
from cardlang.rulesheet.sums import valued


@says(g.SetTrack)
def change(stmt: g.SetTrack, scope: Scope) -> str:
    if stmt.operator == "=":
        return set_(stmt, target(stmt, scope), scope)
    amount, changed = valued(phrase(stmt.value, scope), scope).text, target(stmt, scope).text
    if stmt.operator == "-":
        return f"subtract {amount} from {changed}"
    return f"double {changed}" if amount == changed else f"add {amount} to {changed}"


def set_(stmt: g.SetTrack, changed: Noun, scope: Scope) -> str:
    value = phrase(stmt.value, scope)
    if changed.type.tag == "flag":
        return noted(stmt.value, changed, scope)
    if is_absent(stmt.value):
        return f"{changed.text} {be(changed)} {value.text} from now on"
    if changed.type.tag == "player":
        return f"{value.text} {words.agree('becomes', value.plural)} {changed.text}"
    if re.search(rf"\b{re.escape(changed.text)}\b", value.text):
        return f"change {changed.text} to {value.text}"
    return f"{changed.text} {be(changed)} now {in_figures(stmt.value, changed.type.tag == 'member', scope)}"


def be(noun: Noun) -> str:
    return words.agree("is", noun.plural)


def noted(value: g.Expr, changed: Noun, scope: Scope) -> str:
    """Describe an assignment to a flag."""
    said, known = flag(changed, True).text, truth(value)
    if known is None:
        return f"note whether {condition(value, scope)}: then {said}"
    return words.from_now(said, known)


@tells(g.Remember)
def remember(stmt: g.Remember, scope: Scope) -> Drafts:
    value = phrase(stmt.value, scope)
    if not stmt.var.name:  # the choice after it names the player
        return [], scope.naming(stmt.var, value)
    noun = local(stmt.var.name, value.type)
    text = f"{noun.text} {be(noun)} {value.cards}"
    if value.entry is not None and value.entry.type.tag == "number":
        text = f"note {value.text} as {'they are' if value.plural else 'it is'} now: {noun.text}"
    if value is YOU:
        text = f"you are {noun.text}"
    return [Item(text, stmt.doc)], scope.naming(stmt.var, noun)


@joins(g.Remember, g.Move)
def remember_moved(first: g.Remember, second: g.Move, later: tuple[g.Stmt, ...], scope: Scope) -> Drafts | None:
    """Merge `remember top of deck as catch`, `draw catch to your hand` to: draw the top card (the catch)."""
    value = phrase(first.value, scope)
    noun = local(first.var.name, value.type)
    inner = scope.naming(first.var, noun)
    if phrase(second.what, inner) is not noun:
        return None
    aside = f" ({noun.text})" if uses_var((second.to, later), first.var) else ""
    text = moving(second, f"{value.cards}{aside}", inner)
    return [Item(text, both_said(first.doc, second.doc))], inner


# ---------------------------------------------------------------- choices that set a value
@joins(g.Choose, g.SetTrack)
def choose_value(first: g.Choose, second: g.SetTrack, later: tuple[g.Stmt, ...], scope: Scope) -> Drafts | None:
    """Merge `you choose promise from 0 to 13`, `set your bid to promise` to: choose a number as your bid."""
    text = "" if first.body or uses_var(later, first.var) else kept(first, second, scope)
    return ([Item(text, both_said(first.doc, second.doc))], scope) if text else None


def kept(choice: g.Choose, stmt: g.Stmt, scope: Scope) -> str:
    """Describe your choice of a number or a member that only sets a value; return "" for other choices."""
    domain, it = choice.domain, Noun("it", NUMBER)
    inner = scope.naming(choice.var, it)
    if choice.may or choice.several or phrase(choice.who, scope) is not YOU:
        return ""
    if not isinstance(stmt, g.SetTrack) or stmt.operator != "=" or phrase(stmt.value, inner) is not it:
        return ""
    of_kind = None if domain.list is None else bare(domain.list)
    if domain.low is not None and domain.high is not None:
        what = f"a number from {phrase(domain.low, scope).text} to {phrase(domain.high, scope).text}"
    elif isinstance(of_kind, g.Members):
        what = words.article(kind_noun(of_kind.kind))
    else:
        return ""
    provided = f", provided {condition(choice.provided, inner)}" if choice.provided is not None else ""
    return f"choose {what} as {target(stmt, scope).text}{provided}"
