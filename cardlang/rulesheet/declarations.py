"""Declarations in English: zones, tracks, definitions, orders."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from attrs import evolve

from cardlang import nodes as n
from cardlang.game import CARD, FLAG, PLAYER, Type, list_of, member
from cardlang.rulesheet import words
from cardlang.rulesheet.clauses import flat
from cardlang.rulesheet.english import (
    YOU,
    Level,
    Noun,
    Scope,
    clause,
    condition,
    flag,
    item_type,
    phrase,
    relative,
    tested,
)
from cardlang.rulesheet.filters import meant
from cardlang.rulesheet.lexicon import Entry, subject_name
from cardlang.rulesheet.model import Item, Table, finished
from cardlang.rulesheet.nouns import kind_noun, owned
from cardlang.rulesheet.statements import doc

VIEWERS = {
    None: "everybody (face up)",
    "owner": "its owner only",
    "others": "everybody but its owner",
    "nobody": "nobody (face down)",
}


def subject_of(node: n.Zone | n.Track | n.Define, scope: Scope) -> tuple[str, Noun | None]:
    """The subject in a heading (`your`, `a card's`), and the noun for it within the declaration."""
    if isinstance(node, n.Define) and node.parameter is not None:
        return "", Noun("the cards", list_of(CARD), True, items="cards")
    subject = subject_name(node.subject)
    if subject is None:
        return "", None
    if subject == "player":
        return "your ", YOU
    one = words.plain(subject) if subject in scope.lexicon.rankings else kind_noun(subject)
    return f"{words.article(words.possessive(one))} ", Noun("it", subject_type(subject, scope))


def subject_type(subject: str, scope: Scope) -> Type:
    if subject in scope.lexicon.rankings:
        return Type("reading", of=subject)
    if subject in scope.lexicon.kinds:
        return member(subject)
    return PLAYER if subject == "player" else CARD


def inside(noun: Noun | None, scope: Scope) -> Scope:
    """The scope within a declaration about this noun."""
    if noun is None:
        return scope
    return Scope(scope.lexicon, (Level(noun.type, noun), *scope.levels), scope.names, noun)


def heading(node: n.Zone | n.Track | n.Define, entry: Entry, scope: Scope) -> str:
    """The term as a heading: `Your hand limit`; of a flag what it says: `You have folded`."""
    if isinstance(node, n.Define) and node.parameter is not None:
        return f"Some cards {entry.verb}" if entry.type == FLAG else f"The {entry.noun} of some cards"
    whose, noun = subject_of(node, scope)
    if entry.type != FLAG:
        return words.capital(whose + entry.noun)
    if noun is None:
        return words.capital(entry.verb or entry.singular)
    subject = noun if noun is YOU else Noun(whose.removesuffix("'s "), noun.type)
    return words.capital(flag(owned(subject, entry), True).text)


# ---------------------------------------------------------------- the table
def zone_table(zones: Sequence[n.Zone], scope: Scope) -> Table:
    rows = []
    for zone in zones:
        entry = scope.lexicon.of(zone)
        notes = [] if zone.holds is None else [f"Holds {words.of_number('card', words.number(zone.holds))}."]
        if zone.doc is not None:
            notes.append(zone.doc.text)
        rows.append((words.capital(entry.noun), whose(zone), VIEWERS[zone.viewer], " ".join(notes)))
    return Table("The places for cards", ("Place", "One for", "Seen by", "Notes"), tuple(rows))


def whose(zone: n.Zone) -> str:
    subject = subject_name(zone.subject)
    return "the table" if subject is None else f"each {kind_noun(subject)}"


def track_item(track: n.Track, scope: Scope) -> Item:
    """A value that is kept: what it starts at, unless it is nothing, and when again."""
    entry = scope.lexicon.of(track)
    _, noun = subject_of(track, scope)
    parts = [starting(track, inside(noun, scope)), "secret" if track.secret else ""]
    text = "; ".join(part for part in parts if part)
    return finished(Item(text, doc(track.doc), title=heading(track, entry, scope)))


def of_subject(entry: Entry, noun: Noun | None) -> Noun:
    """The declared thing of its subject."""
    unowned = noun is None or entry.subject == "cards"
    return Noun(entry.noun, entry.type, entry=entry) if noun is None or unowned else owned(noun, entry)


def starting(track: n.Track, scope: Scope) -> str:
    if track.starts is None:
        return {"number": "zero at the start", "flag": "no at the start"}.get(track.type.text, "")
    value = phrase(track.starts.value, scope).text
    if not track.starts.again:
        return f"{value} at the start of the game"
    if track.starts.own or any(name.text == "move" for name in track.starts.again):
        return f"{value} at first, and again whenever {again(track.starts)}"
    return f"{value} at the start of {words.join([f'each {quoted(name)}' for name in track.starts.again], 'or')}"


def again(starts: n.Starts) -> str:
    """When a track starts again, as a clause."""
    whose = "your own " if starts.own else ""
    moments = ["the card moves" if name.text == "move" else f"{whose}{quoted(name)} begins" for name in starts.again]
    return words.join(moments, "or")


def quoted(step: n.Name) -> str:
    return f"“{words.title(step.text)}”"


# ---------------------------------------------------------------- definitions
def define_item(define: n.Define, scope: Scope) -> Item:
    """What a term means."""
    _, noun = subject_of(define, scope)
    inner = inside(noun, scope)
    entry = scope.lexicon.of(define)
    if define.parameter is not None and noun is not None:
        inner = inner.naming(define.parameter.text, noun)
    item = meaning(define, of_subject(entry, noun), inner)
    return finished(Item(item.text, doc(define.doc), item.items, item.bullets, heading(define, entry, scope)))


def meaning(define: n.Define, subject: Noun, scope: Scope) -> Item:
    body = define.body
    if isinstance(body, n.Cases):
        return cases(body, scope)
    if isinstance(body, n.FirstPossible):
        items = tuple(Item(meant(prefer.value, scope), doc(prefer.doc)) for prefer in body.prefers)
        return Item("the first of these that is possible:", items=items)
    if subject.type.tag == "flag":
        return yes_if(body, scope)
    if isinstance(body, n.Where) and tangled(body.condition):
        return filtered(body, scope)
    return Item(meant(body, scope, "; otherwise none"))


def yes_if(body: n.Expr, scope: Scope) -> Item:
    """When a yes-or-no definition is yes: in a list, if it takes three conditions or more."""
    if isinstance(body, n.NameRef) and body.name in ("yes", "no"):
        return Item(body.name)
    parts = flat(body, type(body))
    if len(parts) < 3:
        return Item(f"if {condition(body, scope)}")
    which = "all of these hold" if isinstance(body, n.And) else "any of these holds"
    return Item(f"if {which}:", items=tuple(Item(condition(part, scope)) for part in parts), bullets=True)


def tangled(expr: n.Expr) -> bool:
    """Whether a condition mixes `and` and `or` so much that it reads better as a list."""
    return isinstance(expr, n.And) and any(isinstance(part, n.Or) for part in flat(expr, n.And))


def filtered(body: n.Where, scope: Scope) -> Item:
    """Those of a list for which each of several conditions holds."""
    base = phrase(body.list, scope)
    inner = scope.testing(tested(item_type(base)))
    items = tuple(Item(condition(part, inner)) for part in flat(body.condition, n.And))
    return Item(f"{base.cards} of which all of this is true:", items=items, bullets=True)


def cases(body: n.Cases, scope: Scope) -> Item:
    """The value of the first case that holds."""
    items = []
    for case in body.cases:
        value = phrase(case.value, scope).text
        when = f"{value} if {condition(case.condition, scope)}" if case.condition is not None else f"otherwise {value}"
        items.append(Item(when, doc(case.doc)))
    if len(items) == 2 and not any(item.words for item in items):
        return Item(", ".join(item.text for item in items))
    lead = "the first of these that applies:"
    return Item(lead, items=tuple(items))


# ---------------------------------------------------------------- orders
def order_item(order: n.Order, scope: Scope) -> Item:
    """How two things of a kind compare."""
    of = words.plural(order.of.text)
    title = f"{words.title(order.name.text)} (order of {of})"
    lines = order_lines(order.lines, subject_type(order.of.text, scope), scope)
    if len(lines) == 1:
        said = " ".join(words.sentence(part) for part in (doc(order.doc), lines[0].words) if part)
        return finished(evolve(lines[0], words=said, title=title))
    lead = f"to compare two {of}, take these lines in turn until one of them decides:"
    return finished(Item(lead, doc(order.doc), lines, title=title))


def order_lines(lines: Sequence[n.OrderLine], of: Type, scope: Scope) -> tuple[Item, ...]:
    inner = scope.testing(tested(of))
    told = [Item(order_line(line, inner), doc(line.doc)) for line in lines]
    extreme = [line.how in ("best", "worst") for line in lines]
    links = ["", *("of the rest, " if apart and after else "then " for apart, after in pairwise(extreme))]
    return tuple(evolve(item, text=link + item.text) for item, link in zip(told, links, strict=True))


def order_line(line: n.OrderLine, scope: Scope) -> str:
    if line.how in ("those", "best", "worst"):
        said = clause(line.value, scope)
        which = relative(said, True) if said.many else f"for which {said.text}"
        those = f"those {which}"
        if line.how == "those":
            return f"{those} come first"
        place = "above" if line.how == "best" else "below"
        return f"{those} stand {place} all others and are equal to each other"
    if line.how in ("later", "earlier"):
        return f"the {line.how} one comes first"
    noun = phrase(line.value, scope)
    layouts = {"flat": "one by one, from the highest down", "groups": "those of the largest group first"}
    if line.layout is not None:
        return f"compare {noun.text}, {layouts[line.layout]}: the {line.how} comes first"
    return f"the {line.how} {noun.bare or noun.text.removeprefix('the ')} comes first"
