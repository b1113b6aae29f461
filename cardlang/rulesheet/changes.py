"""Values that change, and those that are remembered."""

from __future__ import annotations

import re

from cardlang import nodes as n
from cardlang.game import NUMBER
from cardlang.nodes.walking import names_in
from cardlang.rulesheet import words
from cardlang.rulesheet.clauses import in_figures
from cardlang.rulesheet.english import YOU, Noun, Scope, condition, phrase
from cardlang.rulesheet.model import Item
from cardlang.rulesheet.moving import moving
from cardlang.rulesheet.nouns import kind_noun
from cardlang.rulesheet.statements import Drafts, both_said, doc, joins, local, says, tells
from cardlang.rulesheet.sums import valued


@says(n.Set)
def set_(stmt: n.Set, scope: Scope) -> str:
    target, value = phrase(stmt.target, scope), phrase(stmt.value, scope)
    if target.type.tag == "flag":
        return noted(stmt, scope)
    if value.text in ("nobody", "nothing"):
        return f"{target.text} {be(target)} {value.text} from now on"
    if target.type.tag == "player":
        return f"{value.text} {words.agree('becomes', value.plural)} {target.text}"
    if re.search(rf"\b{re.escape(target.text)}\b", value.text):
        return f"change {target.text} to {value.text}"
    return f"{target.text} {be(target)} now {in_figures(stmt.value, target.type.tag == 'member', scope)}"


def be(noun: Noun) -> str:
    return words.agree("is", noun.plural)


def noted(stmt: n.Set, scope: Scope) -> str:
    """A flag is set."""
    value = stmt.value.name if isinstance(stmt.value, n.NameRef) else ""
    if value not in ("yes", "no"):
        return f"note whether {condition(stmt.value, scope)}: then {condition(stmt.target, scope)}"
    return words.from_now(condition(stmt.target, scope), value == "yes")


@says(n.Add)
def add(stmt: n.Add, scope: Scope) -> str:
    amount, target = valued(phrase(stmt.amount, scope), scope).text, phrase(stmt.target, scope).text
    return f"double {target}" if amount == target else f"add {amount} to {target}"


@says(n.Subtract)
def subtract(stmt: n.Subtract, scope: Scope) -> str:
    return f"subtract {valued(phrase(stmt.amount, scope), scope).text} from {phrase(stmt.target, scope).text}"


@tells(n.Remember)
def remember(stmt: n.Remember, scope: Scope) -> Drafts:
    value = phrase(stmt.value, scope)
    noun = local(stmt.name.text, value.type)
    text = f"{noun.text} {be(noun)} {value.cards}"
    if value.entry is not None and value.entry.type == NUMBER:
        text = f"note {value.text} as {'they are' if value.plural else 'it is'} now: {noun.text}"
    if value is YOU:
        text = f"you are {noun.text}"
    return [Item(text, doc(stmt.doc))], scope.naming(stmt.name.text, noun)


@joins(n.Remember, n.Move)
def remember_moved(first: n.Remember, second: n.Move, later: tuple[n.Stmt, ...], scope: Scope) -> Drafts | None:
    """`remember top of deck as catch`, `draw catch to your hand`: draw the top card (the catch)."""
    value = phrase(first.value, scope)
    noun = local(first.name.text, value.type)
    inner = scope.naming(first.name.text, noun)
    if phrase(second.what, inner) is not noun:
        return None
    aside = f" ({noun.text})" if first.name.text in names_in((second.to, later)) else ""
    text = moving(second, f"{value.cards}{aside}", inner)
    return [Item(text, both_said(doc(first.doc), doc(second.doc)))], inner


# ---------------------------------------------------------------- a choice that is kept
@joins(n.Choose, n.Set)
def choose_value(first: n.Choose, second: n.Set, later: tuple[n.Stmt, ...], scope: Scope) -> Drafts | None:
    """`you choose promise from 0 to 13`, `set your bid to promise`: choose a number as your bid."""
    text = "" if first.body or first.name.text in names_in(later) else kept(first, second, scope)
    return ([Item(text, both_said(doc(first.doc), doc(second.doc)))], scope) if text else None


def kept(choice: n.Choose, stmt: n.Stmt, scope: Scope) -> str:
    """A choice of yours of a number or of a member of a kind that does nothing but set a value; else nothing."""
    domain, it = choice.domain, Noun("it", NUMBER)
    inner = scope.naming(choice.name.text, it)
    if choice.may or choice.count is not None or phrase(choice.who, scope) is not YOU:
        return ""
    if not isinstance(stmt, n.Set) or phrase(stmt.value, inner) is not it:
        return ""
    if isinstance(domain, n.Range):
        what = f"a number from {phrase(domain.low, scope).text} to {phrase(domain.high, scope).text}"
    elif isinstance(domain, n.NameRef) and domain.name in scope.lexicon.kinds:
        what = words.article(kind_noun(domain.name))
    else:
        return ""
    provided = f", provided {condition(choice.provided, inner)}" if choice.provided is not None else ""
    return f"choose {what} as {phrase(stmt.target, scope).text}{provided}"
