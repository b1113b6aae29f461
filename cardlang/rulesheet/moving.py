"""Moving, shuffling and showing cards, and picking those that are moved."""

from __future__ import annotations

import re

from attrs import evolve

from cardlang import nodes as n
from cardlang.rulesheet import words
from cardlang.rulesheet.english import YOU, Noun, Scope, phrase
from cardlang.rulesheet.lists import ENDS, key_noun
from cardlang.rulesheet.statements import addressing, done_by, says


# ---------------------------------------------------------------- where to, and what
def place(verb: str, to: n.Expr, scope: Scope) -> str:
    """Where cards go: `to your hand`, `as the Tall Card`."""
    noun = phrase(to, scope)
    single = noun.type.tag == "card" or (noun.entry is not None and not noun.pile)
    if noun.entry is not None and noun.entry.zone and noun.entry.unit and verb in ("place", "put"):
        return f"among {noun.text}"
    if of_many(noun):
        return f"to {noun.text}, one at a time in turn"
    if single:
        return f"{'in' if verb == 'place' else 'as'} {noun.text}"
    return words.toward(noun.text, verb)


def of_many(noun: Noun) -> bool:
    """Whether these are the piles of several owners, to which cards go one at a time."""
    return noun.pile and noun.entry is not None and noun.entry.subject is not None and noun.owner is None


def moved(what: str, to: str) -> str:
    """What is moved and to where; the other way round where a relative clause makes it long."""
    return f"{to} {what}" if re.search(r" (that|whose|who|other than) ", what) else f"{what} {to}"


def so_many(number: n.Expr, scope: Scope) -> str:
    """`two cards`, `as many cards as the hand size`, `as many cards as there are players`."""
    count = phrase(number, scope)
    if isinstance(number, n.Number):
        return words.of_number("card", count.text)
    return f"as many cards as {f'there are {count.counted}' if count.counted else count.text}"


# ---------------------------------------------------------------- moving
@says(n.Move)
def move(stmt: n.Move, scope: Scope) -> str:
    told = until_full(stmt, scope) or dealt_out(stmt, scope)
    if told:
        return told
    verb = "take" if stmt.verb in ("give", "pass") and phrase(stmt.to, scope).owner is YOU else stmt.verb
    what = several(stmt.what, scope) or phrase(stmt.what, scope).cards
    return moving(evolve(stmt, verb=verb), what, scope)


def moving(stmt: n.Move, what: str, scope: Scope) -> str:
    """That these cards are moved as the statement says."""
    if stmt.under:
        return f"{stmt.verb} {what} under {phrase(stmt.to, scope).text}"
    verb = "turn up" if stmt.verb == "turn" else stmt.verb
    order = f", sorted with the {stmt.sorted} on top" if stmt.sorted else ""
    return f"{verb} {moved(what, place(stmt.verb, stmt.to, scope))}{order}"


def several(what: n.Expr, scope: Scope) -> str:
    """So many cards from one end of a list: where a value of the game says how many, or where the list is ranked."""
    if not (isinstance(what, n.Agg) and what.function in ENDS and what.number is not None):
        return ""
    many = so_many(what.number, scope)
    if isinstance(what.list, n.Ranked):
        base = phrase(what.list.list, scope)
        first = best_first(what.function, what.list.order, base, scope)
        return f"{many} from {base.text}, {first} first," if base.pile else ""
    base = phrase(what.list, scope)
    if isinstance(what.number, n.Number) or not base.pile:
        return ""
    return f"{many} from {f'the {what.function} of ' if what.function != 'first' else ''}{base.text}"


def best_first(function: str, key: n.Expr, base: Noun, scope: Scope) -> str:
    """With which cards of a ranked list one begins: `the highest in rank`."""
    by_order = isinstance(key, n.NameRef) and key.name in scope.lexicon.orders
    ends = ("best", "worst") if by_order else ("highest", "lowest")
    return f"the {ends[function in ('last', 'bottom')]} in {key_noun(key, base, scope)}"


def dealt_out(stmt: n.Move, scope: Scope) -> str:
    """`deal deck to players' hand`: a deal of one card at a time."""
    to = phrase(stmt.to, scope)
    if not of_many(to) or not isinstance(stmt.to, n.Attr) or to.entry is None or stmt.under or stmt.sorted:
        return ""
    owners = phrase(stmt.to.of, scope)
    base = phrase(stmt.what, scope)
    by_hand = to.entry.noun == "hand"
    if base.pile:
        out = "deal out" if stmt.verb == "deal" else stmt.verb
        whole = f"the whole {base.text.removeprefix('the ')}" if base.text.startswith("the ") else f"all of {base.text}"
        return f"{out} {whole} to {owners.text if by_hand else to.text}, one card at a time in turn"
    share = shared(stmt.what, owners, scope)
    if not share:
        return f"{stmt.verb} {base.text} to {owners.text}, one at a time in turn" if by_hand else ""
    whom = "each player" if owners.text == "the players" else f"each of {owners.text}"
    whose = whom if by_hand else f"the {to.entry.noun} of {whom}"
    return f"{stmt.verb} {share} to {whose}{'' if share.startswith('one ') else ', one at a time in turn'}"


def shared(what: n.Expr, owners: Noun, scope: Scope) -> str:
    """`top (2 * count of players) of deck`: two cards from the deck for each of these players."""
    if not (isinstance(what, n.Agg) and what.function == "top" and what.number is not None):
        return ""
    source, number = phrase(what.list, scope).text, what.number
    share = n.Number(number.span, "1")
    if isinstance(number, n.Arith) and number.operator == "*" and isinstance(number.left, n.Number):
        share, number = number.left, number.right
    counted = isinstance(number, n.Agg) and number.function == "count" and phrase(number.list, scope).text
    return f"{so_many(share, scope)} from {source}" if counted == owners.text else ""


def until_full(stmt: n.Move, scope: Scope) -> str:
    """`draw top (5 - count of your hand) of deck to your hand`: draw until there are five."""
    what = stmt.what
    if not (isinstance(what, n.Agg) and what.function in ENDS and isinstance(what.number, n.Arith)):
        return ""
    lack = what.number
    if lack.operator != "-" or not is_count_of(lack.right, stmt.to, scope):
        return ""
    source, to = phrase(what.list, scope).text, phrase(stmt.to, scope)
    full = phrase(lack.left, scope).text
    return f"{stmt.verb} cards from the {what.function} of {source} until there are {full} in {to.text}"


def is_count_of(expr: n.Expr, place: n.Expr, scope: Scope) -> bool:
    if not (isinstance(expr, n.Agg) and expr.function == "count"):
        return False
    return phrase(expr.list, scope).text == phrase(place, scope).text


@says(n.Shuffle)
def shuffle(stmt: n.Shuffle, scope: Scope) -> str:
    what = phrase(stmt.what, scope)
    return "put the players in a random order" if what.text == "the players" else f"shuffle {what.text}"


@says(n.Reveal)
def reveal(stmt: n.Reveal, scope: Scope) -> str:
    to = "everybody" if stmt.to is None else phrase(stmt.to, scope).text
    return f"show {phrase(stmt.what, scope).text} to {to}"


# ---------------------------------------------------------------- picking
def acting(who: Noun, may: bool, act: str) -> str:
    """An act of the player addressed (imperative) or of somebody else."""
    return f"{who.text} may {act}" if may else done_by(who, act)


@says(n.Pick)
def pick(stmt: n.Pick, scope: Scope) -> str:
    count, may = stmt.count, stmt.may
    if count.low is None and isinstance(count.high, n.Number) and count.high.digits == "1":
        count, may = evolve(count, low=count.high), True
    who = phrase(stmt.who, scope)
    inner = addressing(who, scope)
    what, limit = picked(evolve(stmt, count=count), inner)
    act = f"{stmt.verb} {moved(what, place(stmt.verb, stmt.to, inner))}{limit}"
    return acting(who, may, act)


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
    if count.exact:
        return f"as many as there are {high.counted}" if high.counted else f"as many as {high.text}"
    most = f"at most {high.text}"
    return most if count.low is None else f"at least {phrase(count.low, scope).text} and {most}"


def down_to(stmt: n.Pick, scope: Scope) -> str:
    """`count of your hand - limit from your hand`: down to the limit."""
    many = stmt.count.low
    if not (stmt.count.exact and isinstance(many, n.Arith) and many.operator == "-"):
        return ""
    if not is_count_of(many.left, stmt.source, scope):
        return ""
    return f" until only as many as {phrase(many.right, scope).text} remain"
