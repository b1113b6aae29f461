"""Choices as instructions: picking cards, choosing values and options, offers, announcements, reactions."""

from __future__ import annotations

from attrs import evolve

from cardlang import nodes as n
from cardlang.game import NUMBER, list_of
from cardlang.rulesheet import words
from cardlang.rulesheet.english import YOU, Noun, Scope, condition, item_type, phrase
from cardlang.rulesheet.lists import ENDS, item_noun
from cardlang.rulesheet.loops import going
from cardlang.rulesheet.model import Item
from cardlang.rulesheet.nouns import kind_noun
from cardlang.rulesheet.statements import (
    Drafts,
    block,
    doc,
    is_count_of,
    led,
    local,
    moved,
    place,
    says,
    tells,
)


def acting(who: n.Expr, may: bool, act: str, scope: Scope) -> str:
    """An act of the player addressed (imperative) or of somebody else."""
    noun = phrase(who, scope)
    if may:
        return f"{noun.text} may {act}"
    return act if noun is YOU else f"{noun.text} {words.third(act)}"


# ---------------------------------------------------------------- cards
@says(n.Pick)
def pick(stmt: n.Pick, scope: Scope) -> str:
    count, may = stmt.count, stmt.may
    if count.low is None and isinstance(count.high, n.Number) and count.high.digits == "1":
        count, may = evolve(count, low=count.high), True
    what, limit = picked(evolve(stmt, count=count), scope)
    act = f"{stmt.verb} {moved(what, place(stmt.verb, stmt.to, scope))}{limit}"
    return acting(stmt.who, may, act, scope)


def picked(stmt: n.Pick, scope: Scope) -> tuple[str, str]:
    """What is picked, and how many where that has to be said behind it."""
    limit = down_to(stmt, scope)
    many, one = ("", False) if limit else simple_count(stmt.count, scope)
    limit = limit or ("" if many else f", {bounds(stmt.count, scope)}")
    cards = f"{many or 'some'} card{'' if one else 's'}" if not limit else "cards"
    source = stmt.source
    if isinstance(source, n.Agg) and source.number is None and source.function in (*ENDS, "random"):
        base = phrase(source.list, scope)
        if source.function == "random":
            return f"{cards.replace('card', 'random card')} from {base.text}", limit
        return f"{cards} from the {source.function} of {base.text}", limit
    noun = phrase(source, scope)
    if noun.pile:
        return f"{cards} from {noun.text}", limit
    return f"{many or 'some'} of {noun.text}", limit


def simple_count(count: n.Count, scope: Scope) -> tuple[str, bool]:
    """The number in words and whether it is one; empty if it takes more than numbers to say."""
    if count.high is None:
        return "any number of", False
    if not all(isinstance(bound, n.Number | None) for bound in (count.low, count.high)):
        return "", False
    high = phrase(count.high, scope).text
    if count.low is None:
        return f"up to {high}", high == "one"
    low = phrase(count.low, scope).text
    if low == high:
        return high, high == "one"
    return f"{low} {'or' if (low, high) == ('one', 'two') else 'to'} {high}", False


def bounds(count: n.Count, scope: Scope) -> str:
    """How many, where that is a value of the game."""
    assert count.high is not None
    high = phrase(count.high, scope)
    if count.low is count.high:
        return f"as many as there are {high.counted}" if high.counted else f"as many as {high.text}"
    most = f"at most {high.text}"
    return most if count.low is None else f"at least {phrase(count.low, scope).text} and {most}"


def down_to(stmt: n.Pick, scope: Scope) -> str:
    """`count of your hand - limit from your hand`: down to the limit."""
    many = stmt.count.low
    if not (many is stmt.count.high and isinstance(many, n.Arith) and many.operator == "-"):
        return ""
    if not is_count_of(many.left, stmt.source, scope):
        return ""
    return f" until only as many as {phrase(many.right, scope).text} remain"


# ---------------------------------------------------------------- values
@tells(n.Choose)
def choose(stmt: n.Choose, scope: Scope) -> Drafts:
    what, noun = chosen(stmt.name, stmt.domain, stmt.count, scope)
    inner = scope.naming(stmt.name.text, noun)
    text = acting(stmt.who, stmt.may, f"choose {what}", scope)
    if stmt.provided is not None:
        text += f", provided {condition(stmt.provided, inner)}"
    item = Item(text, doc(stmt.doc))
    if not stmt.body:
        return [item], inner
    body = block(stmt.body, inner)
    return [item, *([led("if you do", body, "", ",")] if stmt.may else body)], scope


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
    options = tuple(option(item, scope) for item in stmt.options)
    if stmt.may and len(options) == 1:
        return [Item(acting(stmt.who, True, "take this option:", scope), doc(stmt.doc), options, bullets=True)], scope
    lead = acting(stmt.who, stmt.may, "choose one of these:", scope)
    return [Item(lead, doc(stmt.doc), options, bullets=True)], scope


def option(node: n.Option | n.Reaction, scope: Scope) -> Item:
    """An option: what it is with, when it is open, what it costs, and what then happens."""
    parts = []
    for binder in node.binders:
        what, noun = chosen(binder.name, binder.domain, None, scope)
        parts.append(f"choose {what}")
        scope = scope.naming(binder.name.text, noun)
    parts += [f"only if {condition(when.condition, scope)}" for when in node.when]
    if node.costs:
        parts.append(f"costs {words.join([cost(item, scope) for item in node.costs])}")
    body = block(node.body, scope)
    if len(body) == 1 and not body[0].items and not body[0].title:
        said = " ".join(words.sentence(part) for part in (doc(node.doc), body[0].words) if part)
        return Item(" ".join(map(words.sentence, [*parts, body[0].text])), said, title=words.title(node.name.text))
    text = " ".join(map(words.sentence, parts))
    return Item(text, doc(node.doc), body, title=words.title(node.name.text))


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
    what = "take this option" if len(options) == 1 else "take one of these options"
    lead = f"{lead}, may {what}; the first who does so ends the asking:"
    items = [Item(lead, doc(stmt.doc), options, bullets=True)]
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
    items.append(led("unless it is cancelled", block(stmt.body, scope), "", ","))
    if stmt.otherwise:
        items.append(led("if it is cancelled", block(stmt.otherwise, scope), "", ","))
    return items, scope


def answered(reaction: n.Reaction, name: str) -> bool:
    return any(to.text == name for to in reaction.to)
