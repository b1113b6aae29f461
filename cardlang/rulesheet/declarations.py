"""Describe declarations: zones, tracks, definitions, orders."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from attrs import evolve

from cardlang import game as g
from cardlang import words
from cardlang.game import CARD, FLAG, PLAYER, Type, list_of
from cardlang.rulesheet.clauses import flat
from cardlang.rulesheet.english import YOU, Noun, Scope, clause, condition, flag, phrase, relative
from cardlang.rulesheet.filters import meant
from cardlang.rulesheet.lexicon import Entry, Lexicon
from cardlang.rulesheet.model import Item
from cardlang.rulesheet.nouns import at_table, kind_noun, owned
from cardlang.rulesheet.parts import truth
from cardlang.rulesheet.realising import finished


def subject_of(subject: str | None, scope: Scope) -> tuple[str, Noun | None]:
    """Return the subject in a heading (`your`, `a card's`), and the noun for it within the declaration."""
    if subject == "cards":
        return "", Noun("the cards", list_of(CARD), True, items="cards")
    if subject is None:
        return "", None
    if subject == "player":
        return "your ", YOU
    one = words.plain(subject) if subject in scope.lexicon.game.rankings else kind_noun(subject)
    return f"{words.article(words.possessive(one))} ", Noun("it", subject_type(subject, scope))


def subject_type(subject: str, scope: Scope) -> Type:
    if subject in scope.lexicon.game.rankings:
        return Type("reading", of=subject)
    if subject in scope.lexicon.game.kinds:
        return g.member(subject)
    return PLAYER if subject == "player" else CARD


def inside(thing: g.Track | g.Define, noun: Noun | None, scope: Scope) -> Scope:
    """Return the scope within a declaration about this noun."""
    return scope if noun is None or thing.var is None else scope.about(thing.var, noun)


def heading(thing: g.Track | g.Define, entry: Entry, scope: Scope) -> str:
    """Return the heading of a term: `Your hand limit`; for a flag its statement: `You have folded`."""
    is_flag = entry.type == FLAG
    if thing.subject == "cards":
        return f"Some cards {entry.verb}" if is_flag else f"The {entry.noun} of some cards"
    whose, noun = subject_of(thing.subject, scope)
    if not is_flag:
        return words.capital(whose + entry.noun)
    if noun is None:
        return words.capital(entry.verb or entry.singular)
    subject = noun if noun is YOU else Noun(whose.removesuffix("'s "), noun.type)
    return words.capital(flag(owned(subject, entry), True).text)


# ---------------------------------------------------------------- the table
FORMS = {
    "stack": "in a stack", "row": "in a row", "fan": "in a fan", "trick": "one before each player", "grid": "in a grid",
}  # fmt: skip


def note_of(zone: g.Zone, scope: Scope) -> str:
    """Return the author's text on a zone, and its position if the game gives one."""
    return " ".join(part for part in (zone.doc, *beside(zone, scope)) if part)


def beside(zone: g.Zone, scope: Scope) -> Iterable[str]:
    for show in (each for each in scope.lexicon.game.shows if each.zone == zone.name):
        yield show.doc
        if show.beside:
            yield words.sentence(f"beside {at_table(scope.lexicon.nouns[show.beside]).text}")


def laid(zone: g.Zone, scope: Scope) -> str:
    """Return the arrangement of the cards of a zone, if the game gives one: `in a row`."""
    show = next((show for show in scope.lexicon.game.shows if show.zone == zone.name and show.form), None)
    if show is None or show.form is None:
        return ""
    return f"in rows of {words.number(show.columns)}" if show.columns else FORMS[show.form]


def of_subject(entry: Entry, noun: Noun | None) -> Noun:
    """Return the noun of a declaration with its owner."""
    unowned = noun is None or entry.subject == "cards"
    return Noun(entry.noun, entry.type, entry=entry) if noun is None or unowned else owned(noun, entry)


def moment(again: g.Restart, lexicon: Lexicon) -> str:
    """Return the restart of a track as a clause."""
    whose = "your own " if again.own else ""
    return "the card moves" if again.step == "move" else f"{whose}“{lexicon.step_title(again.step)}” begins"


# ---------------------------------------------------------------- definitions
def define_item(define: g.Define, scope: Scope) -> Item:
    """Describe the meaning of a term."""
    _, noun = subject_of(define.subject, scope)
    entry = scope.lexicon.nouns[define.name]
    item = meaning(define.value, of_subject(entry, noun), inside(define, noun, scope))
    return finished(Item(item.text, define.doc, item.items, item.bullets, heading(define, entry, scope)))


def meaning(value: g.Expr, subject: Noun, scope: Scope) -> Item:
    match value:
        case g.Cases():
            return cases(value, scope)
        case g.FirstPossible(lists=lists) | g.Agg(list=g.FirstPossible(lists=lists)):
            items = tuple(Item(meant(each, scope), said) for each, said in lists)
            return Item("the first of these that is possible:", items=items)
    if subject.type.tag == "flag":
        return yes_if(value, scope)
    if isinstance(value, g.Filter) and tangled(value.condition):
        return filtered(value, scope)
    return Item(meant(value, scope, "; otherwise none"))


def yes_if(value: g.Expr, scope: Scope) -> Item:
    """Describe the condition of a flag; use a list if it has three parts or more."""
    known = truth(value)
    if known is not None:
        return Item("yes" if known else "no")
    parts = flat(value, type(value))
    if len(parts) < 3:
        return Item(f"if {condition(value, scope)}")
    which = "all of these hold" if isinstance(value, g.And) else "any of these holds"
    return Item(f"if {which}:", items=tuple(Item(condition(part, scope)) for part in parts), bullets=True)


def tangled(expr: g.Expr) -> bool:
    """Return whether a condition combines `and` and `or`, so that it reads better as a list."""
    return isinstance(expr, g.And) and any(isinstance(part, g.Or) for part in flat(expr, g.And))


def filtered(value: g.Filter, scope: Scope) -> Item:
    """Describe the items of a list that fulfil several conditions, as a list of the conditions."""
    inner = scope.testing(value.var)
    items = tuple(Item(condition(part, inner)) for part in flat(value.condition, g.And))
    return Item(f"{phrase(value.list, scope).cards} of which all of this is true:", items=items, bullets=True)


def cases(body: g.Cases, scope: Scope) -> Item:
    """Describe the value of the first case that applies."""
    items = []
    for (each, when), said in zip(body.cases, body.docs, strict=True):
        value = phrase(each, scope).text
        told = f"{value} if {condition(when, scope)}" if when is not None else f"otherwise {value}"
        items.append(Item(told, said))
    if len(items) == 2 and not any(item.words for item in items):
        return Item(", ".join(item.text for item in items))
    return Item("the first of these that applies:", items=tuple(items))


# ---------------------------------------------------------------- orders
def order_item(order: g.Order, scope: Scope) -> Item:
    """Describe an order of two cards or players."""
    of = words.plural(order.var.name)
    title = f"{words.title(order.name)} (order of {of})"
    lines = order_lines(order.lines, order.var, scope)
    if len(lines) == 1:
        said = " ".join(words.sentence(part) for part in (order.doc, lines[0].words) if part)
        return finished(evolve(lines[0], words=said, title=title))
    lead = f"to compare two {of}, take these lines in turn until one of them decides:"
    return finished(Item(lead, order.doc, lines, title=title))


def order_lines(lines: Sequence[g.OrderLine], of: g.Var, scope: Scope) -> tuple[Item, ...]:
    inner = scope.testing(of)
    told = [Item(order_line(line, inner), line.doc) for line in lines]
    extreme = [line.how in ("best", "worst") for line in lines]
    links = ["", *("of the rest, " if apart and after else "then " for apart, after in pairwise(extreme))]
    return tuple(evolve(item, text=link + item.text) for item, link in zip(told, links, strict=True))


def order_line(line: g.OrderLine, scope: Scope) -> str:
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
