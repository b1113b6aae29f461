"""Describe moves, shuffles, reveals, and choices of cards to move."""

from __future__ import annotations

import re

from attrs import evolve

from cardlang import game as g
from cardlang import words
from cardlang.rulesheet import nouns
from cardlang.rulesheet.english import YOU, Noun, Scope, phrase
from cardlang.rulesheet.lists import ENDS, key_noun
from cardlang.rulesheet.parts import bare, is_number
from cardlang.rulesheet.statements import done_by, says

AT_SINGLE = {"place": "in", "move": "to"}
"""Prepositions before a single-card slot, if not `as`."""


# ---------------------------------------------------------------- destinations and cards
def place(verb: str, to: g.Place, scope: Scope) -> str:
    """Return the destination of cards: `to your hand`, `as the Tall Card`."""
    noun = nouns.place(to, scope)
    single = noun.type.tag == "card" or (noun.entry is not None and not noun.pile)
    if noun.entry is not None and noun.entry.zone and noun.entry.unit and verb in ("place", "put"):
        return f"among {noun.text}"
    if of_many(noun):
        return f"to {noun.text}, one at a time in turn"
    if single:
        return f"{AT_SINGLE.get(verb, 'as')} {noun.text}"
    return words.toward(noun.text, verb)


def of_many(noun: Noun) -> bool:
    """Return whether a noun is the piles of several owners, which get cards one at a time."""
    return noun.pile and noun.entry is not None and noun.entry.subject is not None and noun.owner is None


def moved(what: str, to: str) -> str:
    """Join the cards of a move and its destination. If a relative clause makes the cards long, the destination goes
    first."""
    return f"{to} {what}" if re.search(r" (that|whose|who|other than) ", what) else f"{what} {to}"


def so_many(number: g.Expr, scope: Scope) -> str:
    """Return a number of cards: `two cards`, `as many cards as the hand size`, `as many cards as there are players`."""
    count = phrase(number, scope)
    if is_number(number):
        return words.of_number("card", count.text)
    return f"as many cards as {f'there are {count.counted}' if count.counted else count.text}"


# ---------------------------------------------------------------- moves
@says(g.Move)
def move(stmt: g.Move, scope: Scope) -> str:
    told = until_full(stmt, scope) or dealt_out(stmt, scope)
    if told:
        return told
    verb = "take" if stmt.verb in ("give", "pass") and nouns.place(stmt.to, scope).owner is YOU else stmt.verb
    what = several(stmt.what, scope) or phrase(stmt.what, scope).cards
    return moving(evolve(stmt, verb=verb), what, scope)


def moving(stmt: g.Move, what: str, scope: Scope) -> str:
    """Describe a move of these cards."""
    if stmt.end == "under":
        return f"{stmt.verb} {what} under {nouns.place(stmt.to, scope).text}"
    verb = "turn up" if stmt.verb == "turn" else stmt.verb
    order = f", sorted with the {stmt.end} on top" if stmt.end != "top" else ""
    return f"{verb} {moved(what, place(stmt.verb, stmt.to, scope))}{order}"


def several(what: g.Expr, scope: Scope) -> str:
    """Describe cards from one end of a list, if a value of the game gives their number or the list is sorted."""
    what = bare(what)
    if not (isinstance(what, g.Agg) and what.function in ENDS and what.number is not None):
        return ""
    many, items = so_many(what.number, scope), bare(what.list)
    if isinstance(items, g.Sorted):
        base = phrase(items.list, scope)
        return f"{many} from {base.text}, {best_first(what.function, items, scope)} first," if base.pile else ""
    base = phrase(items, scope)
    if is_number(what.number) or not base.pile:
        return ""
    return f"{many} from {f'the {what.function} of ' if what.function != 'first' else ''}{base.text}"


def best_first(function: str, ranked: g.Sorted, scope: Scope) -> str:
    """Return the first cards of a sorted list: `the highest in rank`."""
    ends = ("best", "worst") if ranked.order is not None else ("highest", "lowest")
    return f"the {ends[function in ('last', 'bottom')]} in {key_noun(ranked, scope)}"


def dealt_out(stmt: g.Move, scope: Scope) -> str:
    """Describe a deal of one card at a time: `deal deck to players' hand`."""
    to = nouns.place(stmt.to, scope)
    if not of_many(to) or stmt.to.of is None or to.entry is None or stmt.end != "top":
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


def shared(what: g.Expr, owners: Noun, scope: Scope) -> str:
    """Describe each player's share of a deal: `top (2 * count of players) of deck` is two cards from the deck."""
    what = bare(what)
    if not (isinstance(what, g.Agg) and what.function == "top" and what.number is not None):
        return ""
    source, number = phrase(what.list, scope).text, bare(what.number)
    share = one_at(number)
    if isinstance(number, g.Arith) and number.operator == "*" and is_number(number.left):
        share, number = bare(number.left), bare(number.right)
    counted = isinstance(number, g.Agg) and number.function == "count" and phrase(number.list, scope).text
    return f"{so_many(share, scope)} from {source}" if counted == owners.text else ""


def one_at(expr: g.Expr | g.Stmt) -> g.Expr:
    """Return the number one as an expression."""
    return g.Const(g.NUMBER, expr.span, 1)


def until_full(stmt: g.Move, scope: Scope) -> str:
    """Describe drawing up to a hand size: `draw top (5 - count of your hand) of deck to your hand`."""
    what = bare(stmt.what)
    lack = what.number if isinstance(what, g.Agg) and what.function in ENDS else None
    if not isinstance(what, g.Agg) or not isinstance(lack, g.Arith):
        return ""
    to = nouns.place(stmt.to, scope)
    if lack.operator != "-" or not is_count_of(lack.right, to, scope):
        return ""
    source, full = phrase(what.list, scope).text, phrase(lack.left, scope).text
    return f"{stmt.verb} cards from the {what.function} of {source} until there are {full} in {to.text}"


def is_count_of(expr: g.Expr, place: Noun, scope: Scope) -> bool:
    expr = bare(expr)
    return isinstance(expr, g.Agg) and expr.function == "count" and phrase(expr.list, scope).text == place.text


@says(g.Shuffle)
def shuffle(stmt: g.Shuffle, scope: Scope) -> str:
    return f"shuffle {nouns.place(stmt.zone, scope).text}"


@says(g.ShufflePlayers)
def shuffle_players(stmt: g.ShufflePlayers, scope: Scope) -> str:
    return "put the players in a random order"


@says(g.Reveal)
def reveal(stmt: g.Reveal, scope: Scope) -> str:
    to = "everybody" if stmt.to is None else phrase(stmt.to, scope).text
    return f"show {phrase(stmt.cards, scope).text} to {to}"


# ---------------------------------------------------------------- picks
def acting(who: Noun, may: bool, act: str) -> str:
    """Return an act of the addressed player (imperative) or of another one."""
    return f"{who.text} may {act}" if may else done_by(who, act)


@says(g.Pick)
def pick(stmt: g.Pick, scope: Scope) -> str:
    may = stmt.may
    if stmt.low is None and isinstance(stmt.high, g.Const) and stmt.high.value == 1:
        stmt, may = evolve(stmt, low=stmt.high), True
    what, limit = picked(stmt, scope)
    act = f"{stmt.verb} {moved(what, place(stmt.verb, stmt.to, scope))}{limit}"
    return acting(phrase(stmt.who, scope), may, act)


def picked(stmt: g.Pick, scope: Scope) -> tuple[str, str]:
    """Return the picked cards, and the limit on their number if it goes at the end."""
    limit = down_to(stmt, scope)
    many, one = ("", False) if limit else simple_count(stmt, scope)
    limit = limit or ("" if many else f", {bounds(stmt, scope)}")
    cards = f"{many or 'some'} card{'' if one else 's'}" if not limit else "cards"
    noun = phrase(stmt.source, scope)
    if stmt.position == "random":
        return f"{cards.replace('card', 'random card')} from {noun.text}", limit
    if stmt.position is not None:
        return f"{cards} from the {stmt.position} of {noun.text}", limit
    if noun.pile:
        return f"{cards} from {noun.text}", limit
    return f"{many or 'some'} of {noun.text}", limit


Counted = g.Pick | g.Choose


def is_exact(stmt: Counted) -> bool:
    """Return whether only one number is allowed, which is written once."""
    return stmt.low is not None and stmt.high is not None and stmt.low.span == stmt.high.span


def simple_count(stmt: Counted, scope: Scope) -> tuple[str, bool]:
    """Return the number in words, and whether it is one; empty if it needs more than numbers."""
    if stmt.high is None:
        return "any number of", False
    if not all(bound is None or is_number(bound) for bound in (stmt.low, stmt.high)):
        return "", False
    high = phrase(stmt.high, scope).text
    if stmt.low is None:
        return f"up to {high}", high == "one"
    low = phrase(stmt.low, scope).text
    if low == high:
        return high, high == "one"
    return f"{low} {'or' if (low, high) == ('one', 'two') else 'to'} {high}", False


def bounds(stmt: Counted, scope: Scope) -> str:
    """Return the limits on a number that is a value of the game."""
    assert stmt.high is not None
    high = phrase(stmt.high, scope)
    if is_exact(stmt):
        return f"as many as there are {high.counted}" if high.counted else f"as many as {high.text}"
    most = f"at most {high.text}"
    return most if stmt.low is None else f"at least {phrase(stmt.low, scope).text} and {most}"


def down_to(stmt: g.Pick, scope: Scope) -> str:
    """Describe discarding down to a limit: `count of your hand - limit from your hand`."""
    many = stmt.low
    if not (is_exact(stmt) and isinstance(many, g.Arith) and many.operator == "-"):
        return ""
    if not is_count_of(many.left, phrase(stmt.source, scope), scope):
        return ""
    return f" until only as many as {phrase(many.right, scope).text} remain"
