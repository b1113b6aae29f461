"""Statements as instructions: imperative, to the player addressed.

Texts are drafts, without capital and full stop: `model.finished` adds them, so that short instructions can
follow a colon.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from cardlang import nodes as n
from cardlang.game import CARD, FLAG, NUMBER, PLAYER, Type, list_of, member
from cardlang.nodes.walking import last_name
from cardlang.rulesheet import words
from cardlang.rulesheet.english import (
    YOU,
    Noun,
    Scope,
    condition,
    phrase,
    statement,
)
from cardlang.rulesheet.lists import ENDS, item_noun
from cardlang.rulesheet.model import Item
from cardlang.rulesheet.nouns import genitive

Drafts = tuple[list[Item], Scope]
Teller = Callable[[Any, Scope], Drafts]
TITLES = {"setup": "Set-up", "play": "The game"}
INTO = ("draw", "put", "take", "return")
TELLERS: dict[type[n.Stmt], Teller] = {}
SIMPLE: dict[type[n.Stmt], Callable[[Any, Scope], str]] = {}
T = TypeVar("T", bound=Teller)
S = TypeVar("S", bound=Callable[[Any, Scope], str])


def tells(class_: type[n.Stmt]) -> Callable[[T], T]:
    """Registers what tells a statement: its items, and the scope for the statements after it."""

    def register(function: T) -> T:
        TELLERS[class_] = function
        return function

    return register


def says(class_: type[n.Stmt]) -> Callable[[S], S]:
    """Registers a statement that is told in one sentence."""

    def register(function: S) -> S:
        SIMPLE[class_] = function
        return function

    return register


def block(statements: Iterable[n.Stmt], scope: Scope) -> tuple[Item, ...]:
    """The instructions of a block, in order."""
    items: list[Item] = []
    for stmt in statements:
        told, scope = tell(stmt, scope)
        items.extend(told)
    return tuple(items)


def tell(stmt: n.Stmt, scope: Scope) -> Drafts:
    simple = SIMPLE.get(type(stmt))
    if simple is not None:
        return [Item(simple(stmt, scope), doc(stmt.doc))], scope
    return TELLERS[type(stmt)](stmt, scope)


def doc(text: n.Words | None) -> str:
    return text.text if text is not None else ""


def led(lead: str, body: tuple[Item, ...], said: str = "", mark: str = ":") -> Item:
    """A lead and what it governs: on one line if that is a single instruction."""
    if len(body) == 1 and not body[0].items and not body[0].title and ":" not in body[0].text:
        both = " ".join(words.sentence(part) for part in (said, body[0].words) if part)
        return Item(f"{lead}{mark} {body[0].text}", both)
    return Item(f"{lead}:", said, body)


def local(name: str, type_: Type) -> Noun:
    """The noun for something chosen or remembered."""
    noun = words.plain(name)
    inner = type_.item if type_.tag == "list" and type_.item is not None else type_
    many = type_.tag == "list"
    one = item_noun(inner)
    last = noun.split(" ")[-1]
    bare = words.is_adjective(last) or (many and not words.is_plural(last))
    if one not in ("one", "player", "number") and bare and not {one, words.plural(one)} & set(noun.split(" ")):
        noun = f"{noun} {words.plural(one) if many else one}"
    return Noun(f"the {noun}", type_, many, items=noun if many else "")


# ---------------------------------------------------------------- moving cards, changing values
def place(verb: str, to: n.Expr, scope: Scope) -> str:
    """Where cards go: `to your hand`, `as the Tall Card`."""
    noun = phrase(to, scope)
    single = noun.type.tag == "card" or (noun.entry is not None and not noun.pile)
    if noun.entry is not None and noun.entry.zone and noun.entry.unit and verb in ("place", "put"):
        return f"among {noun.text}"
    if noun.pile and noun.entry is not None and noun.entry.subject is not None and noun.owner is None:
        return f"to {noun.text}, one at a time in turn"
    if single:
        return f"{'in' if verb == 'place' else 'as'} {noun.text}"
    return f"{'into' if verb in INTO else 'to'} {noun.text}"


@says(n.Move)
def move(stmt: n.Move, scope: Scope) -> str:
    refill = until_full(stmt, scope)
    if refill:
        return refill
    what = phrase(stmt.what, scope).cards
    if stmt.under:
        return f"{stmt.verb} {what} under {phrase(stmt.to, scope).text}"
    verb = "turn up" if stmt.verb == "turn" else stmt.verb
    order = f", sorted with the {stmt.sorted} on top" if stmt.sorted else ""
    return f"{verb} {moved(what, place(stmt.verb, stmt.to, scope))}{order}"


def moved(what: str, to: str) -> str:
    """What is moved and to where; the other way round where a relative clause makes it long."""
    return f"{to} {what}" if re.search(r" (that|whose|who|other than) ", what) else f"{what} {to}"


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


@says(n.Set)
def set_(stmt: n.Set, scope: Scope) -> str:
    target, value = phrase(stmt.target, scope), phrase(stmt.value, scope)
    if target.type.tag == "flag":
        return noted(stmt, scope)
    if value.text in ("nobody", "nothing"):
        return f"{target.text} is {value.text} from now on"
    if target.type.tag == "player":
        return f"{value.text} {words.agree('becomes', value.plural)} {target.text}"
    return f"set {target.text} to {value.text}"


def noted(stmt: n.Set, scope: Scope) -> str:
    """A flag is set."""
    value = stmt.value.name if isinstance(stmt.value, n.NameRef) else ""
    if value not in ("yes", "no"):
        return f"note whether {condition(stmt.value, scope)}: then {condition(stmt.target, scope)}"
    return words.from_now(condition(stmt.target, scope), value == "yes")


@says(n.Add)
def add(stmt: n.Add, scope: Scope) -> str:
    return f"add {phrase(stmt.amount, scope).text} to {phrase(stmt.target, scope).text}"


@says(n.Subtract)
def subtract(stmt: n.Subtract, scope: Scope) -> str:
    return f"subtract {phrase(stmt.amount, scope).text} from {phrase(stmt.target, scope).text}"


@tells(n.Remember)
def remember(stmt: n.Remember, scope: Scope) -> Drafts:
    value = phrase(stmt.value, scope)
    noun = local(stmt.name.text, value.type)
    text = f"{noun.text} {'are' if noun.plural else 'is'} {value.cards}"
    if value.entry is not None and value.entry.type == NUMBER:
        text = f"note {value.text} as {'they are' if value.plural else 'it is'} now: {noun.text}"
    if value is YOU:
        text = f"you are {noun.text}"
    return [Item(text, doc(stmt.doc))], scope.naming(stmt.name.text, noun)


@says(n.Eliminate)
def eliminate(stmt: n.Eliminate, scope: Scope) -> str:
    return statement(phrase(stmt.player, scope), "is", "out of the game").text


# ---------------------------------------------------------------- again, and if
@tells(n.Repeat)
def repeat(stmt: n.Repeat, scope: Scope) -> Drafts:
    lead = "repeat again and again"
    if stmt.until is not None:
        lead = f"repeat until {condition(stmt.until, scope)}"
    if stmt.until_pass:
        lead = "repeat until you pass"
    return [led(lead, block(stmt.body, scope), doc(stmt.doc))], scope


@tells(n.If)
def if_(stmt: n.If, scope: Scope) -> Drafts:
    items = branches(stmt, scope)
    if not (len(stmt.otherwise) == 1 and isinstance(stmt.otherwise[0], n.If)):
        return items, scope
    return [Item("only the first of these that applies:", items=tuple(items))], scope


def branches(stmt: n.If, scope: Scope) -> list[Item]:
    """What happens in each case; a chain of `otherwise if` is told as a list."""
    items = [led(f"if {condition(stmt.condition, scope)}", block(stmt.then, scope), doc(stmt.doc), ",")]
    match stmt.otherwise:
        case ():
            return items
        case (n.If() as again,):
            return [*items, *branches(again, scope)]
    return [*items, led("otherwise", block(stmt.otherwise, scope), "", ",")]


@tells(n.Do)
def do(stmt: n.Do, scope: Scope) -> Drafts:
    borne = borne_step(stmt.step, scope)
    if borne:
        return [Item(borne, doc(stmt.doc))], scope
    name = last_name(stmt.step)
    step = scope.lexicon.steps.get(name)
    if step is not None and step.body is None:
        return [], scope
    given = [
        argument(phrase(arg, scope).text, parameter(param, scope).text)
        for arg, param in zip(stmt.args, step.params if step else (), strict=False)
    ]
    text = f"carry out “{step_title(name)}”" + (f" with {words.join(given)}" if given else "")
    who = phrase(stmt.step.of, scope) if isinstance(stmt.step, n.Attr) else YOU
    return [
        Item(text if who is YOU else f"{who.text} carries out{text.removeprefix('carry out')}", doc(stmt.doc))
    ], scope


def parameter(param: n.Param, scope: Scope) -> Noun:
    """What a step calls something that it is given."""
    name = param.type.text
    known = {"number": NUMBER, "flag": FLAG, "player": PLAYER, "card": CARD, "cards": list_of(CARD)}
    return local(param.name.text, known.get(name) or member(name))


def argument(value: str, param: str) -> str:
    """What a step is given: `five as the amount`, `the amount`."""
    return value if value == param else f"{value} as {param}"


def step_title(name: str) -> str:
    """The heading of a step."""
    return TITLES.get(name) or words.title(name)


def borne_step(step: n.Expr, scope: Scope) -> str:
    """`do chosen's effect`: what a card bears."""
    if isinstance(step, n.Attr) and step.name.text not in scope.lexicon.steps:
        return f"carry out {genitive(phrase(step.of, scope), words.plain(step.name.text))}"
    return ""


@says(n.Finish)
def finish(stmt: n.Finish, scope: Scope) -> str:
    return "the game ends" if stmt.step.text == "game" else f"this ends “{step_title(stmt.step.text)}” at once"


@says(n.Cancel)
def cancel(stmt: n.Cancel, scope: Scope) -> str:
    return "what you answer is cancelled"


@says(n.Property)
def property_(stmt: n.Property, scope: Scope) -> str:
    return f"at this point, {condition(stmt.condition, scope)}"


@tells(n.Aside)
def aside(stmt: n.Aside, scope: Scope) -> Drafts:
    if isinstance(stmt.what, n.Note):
        return [Item("", stmt.what.text)], scope
    return [Item(stmt.what.question, " ".join(note.text for note in stmt.what.answer))], scope
