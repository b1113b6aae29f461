"""Choices as instructions: choosing values and options, offers, announcements, reactions."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from cardlang import nodes as n
from cardlang.game import NUMBER, list_of
from cardlang.nodes.walking import names_in
from cardlang.rulesheet import words
from cardlang.rulesheet.changes import kept
from cardlang.rulesheet.english import Noun, Scope, condition, item_type, phrase
from cardlang.rulesheet.lists import item_noun
from cardlang.rulesheet.loops import going
from cardlang.rulesheet.model import Item
from cardlang.rulesheet.moving import acting, bounds, simple_count
from cardlang.rulesheet.nouns import kind_noun
from cardlang.rulesheet.statements import Drafts, addressing, block, both_said, doc, led, local, tells


# ---------------------------------------------------------------- values
@tells(n.Choose)
def choose(stmt: n.Choose, scope: Scope) -> Drafts:
    if len(stmt.body) == 1 and kept(stmt, stmt.body[0], scope):
        return list(block((evolve(stmt, body=()), *stmt.body), scope)), scope
    who = phrase(stmt.who, scope)
    theirs = addressing(who, scope)
    what, noun = chosen(stmt.name, stmt.domain, stmt.count, theirs)
    text = acting(who, stmt.may, f"choose {what}")
    inner = theirs.naming(stmt.name.text, noun)
    if stmt.provided is not None:
        text += f", provided {condition(stmt.provided, inner)}"
    if not stmt.body:
        return [Item(text, doc(stmt.doc))], scope.naming(stmt.name.text, noun)
    certain = not stmt.may and always_open(stmt, scope)
    if not (stmt.may or certain):  # with nothing to choose from, the block is left out
        text = f"if {who.text} can, {text}"
    body = block(stmt.body, inner)
    done = f"if {who.text} {words.agree('does', who.plural)}"
    return [Item(text, doc(stmt.doc)), *(body if certain else [led(done, body, "", ",")])], scope


def always_open(stmt: n.Choose, scope: Scope) -> bool:
    """Whether there is something to choose at any time, as far as the statement alone tells."""
    if stmt.provided is not None:
        return False
    match stmt.domain:
        case n.NameRef(name=name):
            return name in scope.lexicon.kinds or name == "players"
        case n.Range(low=n.Number(digits=low), high=n.Number(digits=high)):
            return float(low) <= float(high)
    return False


def chosen(name: n.Name, domain: n.Expr | n.Range, count: n.Count | None, scope: Scope) -> tuple[str, Noun]:
    """What is chosen from what, and the noun by which it is known from then on."""
    if isinstance(domain, n.Range):
        noun = Noun(f"the {words.plain(name.text)}", NUMBER)
        low, high = phrase(domain.low, scope).text, phrase(domain.high, scope).text
        return f"{words.article(words.plain(name.text))} from {low} to {high}", noun
    base = phrase(domain, scope)
    if count is not None:
        noun = local(name.text, list_of(item_type(base)))
        many, _ = simple_count(count, scope)
        limit = "" if many else f": {bounds(count, scope)}"
        return f"{(many or 'some').removesuffix(' of')} of {base.cards} ({noun.text}){limit}", noun
    noun = local(name.text, item_type(base))
    if isinstance(domain, n.NameRef) and domain.name in scope.lexicon.kinds:
        return f"{words.article(kind_noun(domain.name))} ({noun.text})", noun
    one = item_noun(item_type(base))
    head = f"one {one} from {base.text}" if base.pile else f"one of {base.text}"
    return f"{head} ({noun.text})", noun


# ---------------------------------------------------------------- options
@tells(n.Menu)
def menu(stmt: n.Menu, scope: Scope) -> Drafts:
    who = phrase(stmt.who, scope)
    inner = addressing(who, scope)
    if len(stmt.options) == 1:
        only = stmt.options[0]
        if_wished = f"if {who.text} {words.agree('wishes', who.plural)}" if stmt.may else ""
        item = option(only, inner, if_wished)
        return [evolve(item, words=both_said(doc(stmt.doc), item.words))], scope
    options = tuple(option(item, inner) for item in stmt.options)
    return [Item(acting(who, stmt.may, "choose one of these:"), doc(stmt.doc), options, bullets=True)], scope


def option(node: n.Option | n.Reaction, scope: Scope, lead: str = "") -> Item:
    """An option: when it is open, what it is with, what it costs, and what then happens. `lead`: what stands before
    that which is done."""
    names = {binder.name.text for binder in node.binders}
    free = [when for when in node.when if not names & set(names_in(when))]
    parts = [f"only if {condition(when.condition, scope)}" for when in free]
    acts, scope = bound(node.binders, [when for when in node.when if when not in free], scope)
    if node.costs:
        acts.append(f"costs {words.join([cost(item, scope) for item in node.costs])}")
    said, body = remark(block(node.body, scope))
    said = both_said(doc(node.doc), said)
    if len(body) == 1 and not body[0].items and not body[0].title:
        acts, said, body = [*acts, body[0].text], both_said(said, body[0].words), ()
    if lead:
        acts = [f"{lead}, {acts[0]}", *acts[1:]] if acts else [f"{lead}:"]
    text = " ".join(map(words.sentence, [*parts, *acts]))
    return Item(text, said, body, title=words.title(node.name.text))


def bound(binders: Sequence[n.Binder], whens: Sequence[n.When], scope: Scope) -> tuple[list[str], Scope]:
    """What is chosen for an option, one after the other, and what must hold of it."""
    acts = []
    for binder in binders:
        what, noun = chosen(binder.name, binder.domain, None, scope)
        acts.append(f"choose {what}")
        scope = scope.naming(binder.name.text, noun)
    if whens:
        acts[-1] += f", provided {words.join([condition(when.condition, scope) for when in whens])}"
    return acts, scope


def remark(body: tuple[Item, ...]) -> tuple[str, tuple[Item, ...]]:
    """The remark with which a block begins, and the rest."""
    begins = bool(body) and body[0] == Item("", body[0].words)
    return (body[0].words, body[1:]) if begins else ("", body)


def cost(node: n.Cost, scope: Scope) -> str:
    """`one swap`; `the chosen card's cost in action points`."""
    entry = scope.lexicon.any(node.track.text)
    noun = words.plain(node.track.text)
    one, many = (entry.singular, entry.noun) if entry is not None else (noun, noun)
    amount = phrase(node.amount, scope).text
    if isinstance(node.amount, n.Number):
        return f"{amount} {one if amount == 'one' else many}"
    return f"{amount} in {many}"


@tells(n.Offer)
def offer(stmt: n.Offer, scope: Scope) -> Drafts:
    lead, inner = going(stmt.going, scope)
    options = tuple(option(item, inner) for item in stmt.options)
    what = "this" if len(options) == 1 else "one of these"
    items = [Item(f"{lead}, may choose {what}, until one of them does:", doc(stmt.doc), options, bullets=True)]
    if stmt.otherwise:
        items.append(led("if nobody does", block(stmt.otherwise, scope), "", ","))
    return items, scope


# ---------------------------------------------------------------- announcements
@tells(n.Announce)
def announce(stmt: n.Announce, scope: Scope) -> Drafts:
    name = words.plain(stmt.name.text)
    on = f" on {phrase(stmt.on, scope).text}" if stmt.on is not None else ""
    answers = [f"“{words.title(r.name.text)}”" for r in scope.lexicon.reactions if answered(r, stmt.name.text)]
    may = f"; others may answer with {words.join(answers, 'or')}" if answers else ""
    items = [Item(f"announce “{name}”{on}{may}", doc(stmt.doc))]
    items.append(led(f"unless “{name}” is cancelled", block(stmt.body, scope), "", ","))
    if stmt.otherwise:
        items.append(led(f"if “{name}” is cancelled", block(stmt.otherwise, scope), "", ","))
    return items, scope


def answered(reaction: n.Reaction, name: str) -> bool:
    return any(to.text == name for to in reaction.to)
