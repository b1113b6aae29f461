"""Describe statements as instructions in the imperative.

Texts are drafts, without capital and full stop, so that short instructions can follow a colon. `realising.finished`
adds both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from attrs import evolve

from cardlang import game as g
from cardlang import words
from cardlang.game import Type
from cardlang.rulesheet.english import (
    YOU,
    Noun,
    Scope,
    condition,
    phrase,
    statement,
)
from cardlang.rulesheet.instead import filled
from cardlang.rulesheet.joining import both_said
from cardlang.rulesheet.lists import item_noun
from cardlang.rulesheet.model import Item, Join
from cardlang.rulesheet.naming import is_noun, with_article
from cardlang.rulesheet.nouns import genitive
from cardlang.rulesheet.parts import figure, parts_in

Drafts = tuple[list[Item], Scope]
Teller = Callable[[Any, Scope], Drafts]
TELLERS: dict[type[g.Stmt], Teller] = {}
SIMPLE: dict[type[g.Stmt], Callable[[Any, Scope], str]] = {}
Joiner = Callable[[Any, Any, tuple[g.Stmt, ...], Scope], Drafts | None]
JOINERS: dict[tuple[type[g.Stmt], type[g.Stmt]], Joiner] = {}
T = TypeVar("T", bound=Teller)
J = TypeVar("J", bound=Joiner)
S = TypeVar("S", bound=Callable[[Any, Scope], str])


def tells(class_: type[g.Stmt]) -> Callable[[T], T]:
    """Register a function that describes a statement: its items, and the scope for the statements after it."""

    def register(function: T) -> T:
        TELLERS[class_] = function
        return function

    return register


def says(class_: type[g.Stmt]) -> Callable[[S], S]:
    """Register a function that describes a statement in one sentence."""

    def register(function: S) -> S:
        SIMPLE[class_] = function
        return function

    return register


def joins(first: type[g.Stmt], second: type[g.Stmt]) -> Callable[[J], J]:
    """Register a function that merges two consecutive statements into one instruction.

    It also gets the statements after them. It returns None if they don't merge.
    """

    def register(function: J) -> J:
        JOINERS[first, second] = function
        return function

    return register


def block(statements: Iterable[g.Stmt], scope: Scope) -> tuple[Item, ...]:
    """Return the instructions of a block, in order."""
    items: list[Item] = []
    todo = tuple(statements)
    while todo:
        both = tell_both(todo, scope)
        told, scope = both or tell(todo[0], scope)
        todo = todo[2 if both else 1 :]
        items = remarked(items, told)
    return tuple(items)


def remarked(items: list[Item], told: list[Item]) -> list[Item]:
    """Append items. A remark alone is attached to the instruction before it."""
    last = items[-1] if items else None
    if last is None or len(told) != 1 or last.items or told[0] != Item("", told[0].words):
        return [*items, *told]
    return [*items[:-1], evolve(last, words=both_said(last.words, told[0].words))]


def tell(stmt: g.Stmt, scope: Scope) -> Drafts:
    simple = SIMPLE.get(type(stmt))
    if simple is not None:
        text = simple(stmt, scope)
        return [Item(text, stmt.doc, join=Join(act=is_act(stmt, text)))], scope
    return TELLERS[type(stmt)](stmt, scope)


def is_act(stmt: g.Stmt, text: str) -> bool:
    """Return whether a statement reads as an act of the reader."""
    match stmt:
        case g.Move() | g.Pick():
            return text.startswith(stmt.verb)
        case g.SetTrack():
            return stmt.operator != "="
    return isinstance(stmt, g.Shuffle | g.Reveal)


def tell_both(todo: tuple[g.Stmt, ...], scope: Scope) -> Drafts | None:
    """Merge the first two statements into one instruction, if possible."""
    joiner = JOINERS.get((type(todo[0]), type(todo[1]))) if len(todo) > 1 else None
    return joiner(todo[0], todo[1], todo[2:], scope) if joiner is not None else None


def led(lead: str, body: tuple[Item, ...], said: str = "", mark: str = ":") -> Item:
    """Return a lead with its nested instructions; aggregation joins them later."""
    return Item(lead, said, body, join=Join(mark=mark))


def local(name: str, type_: Type) -> Noun:
    """Return the noun for a chosen or remembered value."""
    noun = words.plain(name)
    inner = type_.item if type_.tag == "list" and type_.item is not None else type_
    many = type_.tag == "list"
    one = item_noun(inner)
    last = noun.split(" ")[-1]
    bare = words.is_adjective(last) or (many and not words.is_plural(last))
    if one not in ("one", "player", "number") and bare and not {one, words.plural(one)} & set(noun.split(" ")):
        noun = f"{noun} {words.plural(one) if many else one}"
    text = with_article(words.plain(name) if not is_noun(name) else noun, words.plural(one) if many else one)
    return Noun(text, type_, many, items=re.sub("^(the|your|their|its) ", "", text) if many else "")


# ---------------------------------------------------------------- loops, conditions, calls
@tells(g.Repeat)
def repeat(stmt: g.Repeat, scope: Scope) -> Drafts:
    body = block(stmt.body, scope)
    if stmt.until_pass:
        lead = "as often as you like"
        body = (evolve(body[0], text=re.sub("(?i)^(you may|if you wish,) ", "", body[0].text)), *body[1:])
    elif stmt.until is None:
        lead = f"repeat until {ending(stmt, scope)}"
    elif of_match(stmt, scope):
        lead = f"repeat until {condition(stmt.until, scope)}"
    else:  # `repeat until` would imply at least one pass
        lead = f"as long as {condition(stmt.until, scope, False)}"
    return [led(lead, body, stmt.doc)], scope


def of_match(stmt: g.Repeat, scope: Scope) -> bool:
    """Return whether this loop is the whole game, whose condition is never true at the start."""
    play = scope.lexicon.game.steps.get("play")
    return play is not None and any(part.span == stmt.span for part in play.body)


def ending(stmt: g.Repeat, scope: Scope) -> str:
    """Describe the end of a loop without a condition: an enclosing step ends, or the game."""
    within = carried_out(stmt.body, scope)
    bodies = (stmt.body, *(scope.lexicon.game.steps[name].body for name in within))
    finished = [part.step for part in parts_in(bodies) if isinstance(part, g.Finish)]
    around = [name for name in dict.fromkeys(finished) if name not in {*within, "game"}]
    ends = words.join([f"“{scope.lexicon.step_title(name)}”" for name in around], "or")
    return f"{ends} ends" if around else "the game ends"


def carried_out(body: tuple[g.Stmt, ...], scope: Scope) -> dict[str, None]:
    """Return the names of all steps that a block runs, directly or indirectly."""
    found: dict[str, None] = {}
    todo = list(parts_in(body))
    while todo:
        part = todo.pop(0)
        if isinstance(part, g.Do) and part.step not in found:
            found[part.step] = None
            todo += parts_in(scope.lexicon.game.steps[part.step].body)
    return found


@tells(g.If)
def if_(stmt: g.If, scope: Scope) -> Drafts:
    items = branches(stmt, scope)
    if not (len(stmt.otherwise) == 1 and isinstance(stmt.otherwise[0], g.If)):
        return items, scope
    return [Item("only the first of these that applies:", items=tuple(items))], scope


def branches(stmt: g.If, scope: Scope) -> list[Item]:
    """Describe the cases of a condition; a chain of `otherwise if` becomes a list."""
    items = [led(f"if {condition(stmt.condition, scope)}", block(stmt.then, scope), stmt.doc, ",")]
    match stmt.otherwise:
        case ():
            return items
        case (g.If() as again,):
            return [*items, *branches(again, scope)]
    return [*items, led("otherwise", block(stmt.otherwise, scope), "", ",")]


@tells(g.Do)
def do(stmt: g.Do, scope: Scope) -> Drafts:
    step = scope.lexicon.game.steps[stmt.step]
    if step.unfilled:
        return [], scope
    who = YOU if stmt.of is None else phrase(stmt.of, scope)
    title = f"“{scope.lexicon.step_title(step.name)}”"
    if who is YOU and not stmt.args and not lexicon_act(stmt, scope):
        return [Item(title, stmt.doc or step.doc, join=Join(step=True))], scope
    said = lexicon_act(stmt, scope)
    if said:
        return [Item(done_by(who, said), stmt.doc, join=Join(act=who is YOU))], scope
    given = [
        argument(phrase(arg, scope).text, local(param.name, param.type).text)
        for arg, param in zip(stmt.args, step.params, strict=True)
    ]
    text = f"carry out {title}" + (f" with {words.join(given)}" if given else "")
    return [Item(done_by(who, text), stmt.doc, join=Join(act=who is YOU))], scope


def lexicon_act(stmt: g.Do, scope: Scope) -> str:
    """Return the author's wording for a call of a step, with its arguments: `pay the ante of five`."""
    told = scope.lexicon.told.get(f"step {stmt.step}")
    if told is None or not told.act:
        return ""
    params = scope.lexicon.game.steps[stmt.step].params
    given = {param.name: amount(arg, scope) for param, arg in zip(params, stmt.args, strict=True)}
    return filled(told.act, scope.lexicon, given)


def amount(arg: g.Expr, scope: Scope) -> str:
    """Describe an argument of a step, with its value if it is constant."""
    text = phrase(arg, scope).text
    define = scope.lexicon.game.defines.get(arg.define) if isinstance(arg, g.Call) and arg.of is None else None
    known = figure(define.value) if define is not None else None
    return f"{text} of {words.figure(known)}" if known is not None else text


@says(g.DoBorne)
def do_borne(stmt: g.DoBorne, scope: Scope) -> str:
    """Describe a call of a step on a card: `do chosen's effect`."""
    return f"carry out {genitive(phrase(stmt.card, scope), words.plain(stmt.step))}"


def done_by(who: Noun, act: str) -> str:
    """Return an act as an instruction to the reader, or in third person."""
    return act if who is YOU else f"{who.text} {words.third(act)}"


def argument(value: str, param: str) -> str:
    """Describe an argument of a step: `five as the amount`, `the amount`."""
    return value if value == param else f"{value} as {param}"


@tells(g.Finish)
def finish(stmt: g.Finish, scope: Scope) -> Drafts:
    text = "the game ends" if stmt.step == "game" else f"“{scope.lexicon.step_title(stmt.step)}” ends at once"
    return [Item(text, stmt.doc, join=Join(act=True))], scope


@says(g.Cancel)
def cancel(stmt: g.Cancel, scope: Scope) -> str:
    return "what the actor announced is cancelled"


@says(g.Eliminate)
def eliminate(stmt: g.Eliminate, scope: Scope) -> str:
    return statement(phrase(stmt.player, scope), "is", "out of the game").text


@says(g.Property)
def property_(stmt: g.Property, scope: Scope) -> str:
    return f"at this point, {condition(stmt.condition, scope)}"


@tells(g.Tell)
def tell_(stmt: g.Tell, scope: Scope) -> Drafts:
    """Skip a log message, which is no rule."""
    return [], scope


@tells(g.Note)
def note(stmt: g.Note, scope: Scope) -> Drafts:
    return [Item("", stmt.text)], scope


@tells(g.Ruling)
def ruling(stmt: g.Ruling, scope: Scope) -> Drafts:
    return [Item(stmt.question, " ".join(stmt.answer))], scope
