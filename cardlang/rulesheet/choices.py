"""Describe choices as instructions: choices of values and options, offers, announcements, reactions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from attrs import evolve

from cardlang import game as g
from cardlang import words
from cardlang.game import FLAG, NUMBER, list_of
from cardlang.game.walking import uses_var
from cardlang.rulesheet.changes import kept
from cardlang.rulesheet.english import Noun, Scope, condition, item_type, phrase
from cardlang.rulesheet.joining import both_said, joined, together
from cardlang.rulesheet.lists import item_noun
from cardlang.rulesheet.loops import going
from cardlang.rulesheet.model import Item
from cardlang.rulesheet.moving import acting, bounds, simple_count
from cardlang.rulesheet.naming import with_article
from cardlang.rulesheet.nouns import kind_noun
from cardlang.rulesheet.parts import bare, figure, is_number
from cardlang.rulesheet.statements import Drafts, block, led, local, tells


# ---------------------------------------------------------------- values
@tells(g.Choose)
def choose(stmt: g.Choose, scope: Scope) -> Drafts:
    if len(stmt.body) == 1 and kept(stmt, stmt.body[0], scope):
        return list(block((evolve(stmt, body=()), *stmt.body), scope)), scope
    who = phrase(stmt.who, scope)
    what, noun = chosen(stmt.var, stmt.domain, stmt if stmt.several else None, scope)
    text = acting(who, stmt.may, f"choose {what}")
    inner = scope.naming(stmt.var, noun)
    if stmt.provided is not None:
        text += f", provided {condition(stmt.provided, inner)}"
    if not stmt.body:
        return [Item(text, stmt.doc)], inner
    certain = not stmt.may and always_open(stmt)
    if not (stmt.may or certain):  # the block is skipped if there is nothing to choose
        text = f"if {who.text} can, {text}"
    body = block(stmt.body, inner)
    done = f"if {who.text} {words.agree('does', who.plural)}"
    return [Item(text, stmt.doc), *(body if certain else [led(done, body, "", ",")])], scope


def always_open(stmt: g.Choose) -> bool:
    """Return whether there is always something to choose, judging by the statement alone."""
    if stmt.provided is not None:
        return False
    match stmt.domain:
        case g.Domain(list=None, low=g.Expr() as low, high=g.Expr() as high):
            least, most = figure(low), figure(high)
            return least is not None and most is not None and least <= most
        case g.Domain(list=g.Members() | g.Builtin(name="players")):
            return True
    return False


def chosen(var: g.Var, domain: g.Domain, counted: g.Choose | None, scope: Scope) -> tuple[str, Noun]:
    """Return the wording of a choice and the noun for its result. `counted`: a choice of several values."""
    if domain.low is not None and domain.high is not None:
        noun = Noun(with_article(words.plain(var.name), "number"), NUMBER)
        low, high = phrase(domain.low, scope).text, phrase(domain.high, scope).text
        name = words.plain(var.name) if noun.text == f"the {words.plain(var.name)}" else "number"
        return f"{words.article(name)} from {low} to {high}", noun
    assert domain.list is not None
    items, base = bare(domain.list), phrase(domain.list, scope)
    if counted is not None:
        noun = local(var.name, list_of(item_type(base)))
        many, _ = simple_count(counted, scope)
        limit = "" if many else f": {bounds(counted, scope)}"
        return f"{(many or 'some').removesuffix(' of')} of {base.cards} ({noun.text}){limit}", noun
    noun = local(var.name, item_type(base))
    if isinstance(items, g.Members):
        return f"{words.article(kind_noun(items.kind))} ({noun.text})", noun
    one = item_noun(item_type(base))
    head = f"one {one} from {base.text}" if base.pile else f"one of {base.text}"
    return f"{head} ({noun.text})", noun


# ---------------------------------------------------------------- options
@tells(g.Menu)
def menu(stmt: g.Menu, scope: Scope) -> Drafts:
    who = phrase(stmt.who, scope)
    if len(stmt.options) == 1:
        only = stmt.options[0]
        if_wished = f"if {who.text} {words.agree('wishes', who.plural)}" if stmt.may else ""
        item = option(only, scope, if_wished)
        return [evolve(item, words=both_said(stmt.doc, item.words))], scope
    options = tuple(option(item, scope) for item in stmt.options)
    return [Item(acting(who, stmt.may, "choose one of these:"), stmt.doc, options, bullets=True)], scope


def option(node: g.Option, scope: Scope, lead: str = "") -> Item:
    """Describe an option: its condition, its parameters, its cost and its effect.

    `lead` goes before the effect.
    """
    whens = [when for when, _ in node.when]
    free = [when for when in whens if not any(uses_var((when,), var) for var, _ in node.binders)]
    parts = [f"only if {condition(reduce(joint, free), scope)}"] if free else []
    acts, scope = bound(node, [when for when in whens if when not in free], scope)
    if node.costs:
        acts.append(f"costs {words.join([cost(amount, track, scope) for amount, track, _ in node.costs])}")
    said, body = remark(together(tuple(map(joined, block(node.body, scope)))))
    said = both_said(node.doc, *clause_words(node), said)
    if len(body) == 1 and not body[0].items and not body[0].title:
        acts, said, body = [*acts, body[0].text], both_said(said, body[0].words), ()
    if lead:
        acts = [f"{lead}, {acts[0]}", *acts[1:]] if acts else [f"{lead}:"]
    text = " ".join(map(words.sentence, [*parts, *acts]))
    return Item(text, said, body, title=words.title(node.name))


def joint(left: g.Expr, right: g.Expr) -> g.Expr:
    return g.And(FLAG, left.span, left, right)


def clause_words(node: g.Option) -> list[str]:
    """Return the author's texts on the clauses of an option, in the order of the sheet, without duplicates."""
    found = [doc for _, doc in node.when] + [domain.doc for _, domain in node.binders]
    return list(dict.fromkeys(found + [doc for _, _, doc in node.costs]))


def bound(node: g.Option, whens: Sequence[g.Expr], scope: Scope) -> tuple[list[str], Scope]:
    """Describe the choices for an option in sequence, and their conditions."""
    acts = []
    for var, domain in node.binders:
        what, noun = chosen(var, domain, None, scope)
        acts.append(f"choose {what}")
        scope = scope.naming(var, noun)
    if whens:
        acts[-1] += f", provided {words.join([condition(when, scope) for when in whens])}"
    return acts, scope


def remark(body: tuple[Item, ...]) -> tuple[str, tuple[Item, ...]]:
    """Split a block into its leading remark and the rest."""
    begins = bool(body) and body[0] == Item("", body[0].words)
    return (body[0].words, body[1:]) if begins else ("", body)


def cost(amount: g.Expr, track: str, scope: Scope) -> str:
    """Return the wording of a cost: `one swap`; `the chosen card's cost in action points`."""
    entry, said = scope.lexicon.nouns[track], phrase(amount, scope).text
    if is_number(amount):
        return f"{said} {entry.singular if said == 'one' else entry.noun}"
    return f"{said} in {entry.noun}"


@tells(g.Offer)
def offer(stmt: g.Offer, scope: Scope) -> Drafts:
    lead, inner = going(stmt, scope)
    options = tuple(option(item, inner) for item in stmt.options)
    what = "this" if len(options) == 1 else "one of these"
    items = [Item(f"{lead}, may choose {what}, until one of them does:", stmt.doc, options, bullets=True)]
    if stmt.otherwise:
        items.append(led("if nobody does", block(stmt.otherwise, scope), "", ","))
    return items, scope


# ---------------------------------------------------------------- announcements
@tells(g.Announce)
def announce(stmt: g.Announce, scope: Scope) -> Drafts:
    name = words.plain(stmt.name)
    on = f" on {phrase(stmt.target, scope).text}" if stmt.target is not None else ""
    answers = [f"“{words.title(each.name)}”" for each in scope.lexicon.game.reactions if stmt.name in each.to]
    may = f"; others may answer with {words.join(answers, 'or')}" if answers else ""
    items = [Item(f"announce “{name}”{on}{may}", stmt.doc)]
    items.append(led(f"unless “{name}” is cancelled", block(stmt.body, scope), "", ","))
    if stmt.otherwise:
        items.append(led(f"if “{name}” is cancelled", block(stmt.otherwise, scope), "", ","))
    return items, scope
