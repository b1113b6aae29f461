"""Statements as instructions: imperative, to the player addressed.

Texts are drafts, without capital and full stop: `model.finished` adds them, so that short instructions can
follow a colon.
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
    """Registers what tells a statement: its items, and the scope for the statements after it."""

    def register(function: T) -> T:
        TELLERS[class_] = function
        return function

    return register


def says(class_: type[g.Stmt]) -> Callable[[S], S]:
    """Registers a statement that is told in one sentence."""

    def register(function: S) -> S:
        SIMPLE[class_] = function
        return function

    return register


def joins(first: type[g.Stmt], second: type[g.Stmt]) -> Callable[[J], J]:
    """Registers what tells two statements, one right after the other, in one instruction; it gives None where that does
    not do. It also gets the statements after these two."""

    def register(function: J) -> J:
        JOINERS[first, second] = function
        return function

    return register


def block(statements: Iterable[g.Stmt], scope: Scope) -> tuple[Item, ...]:
    """The instructions of a block, in order."""
    items: list[Item] = []
    todo = tuple(statements)
    while todo:
        both = tell_both(todo, scope)
        told, scope = both or tell(todo[0], scope)
        todo = todo[2 if both else 1 :]
        items = remarked(items, told)
    return tuple(items)


def remarked(items: list[Item], told: list[Item]) -> list[Item]:
    """The items with those that were told next: a mere remark belongs to the instruction before it."""
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
    """Whether a statement is told as something that the reader does."""
    match stmt:
        case g.Move() | g.Pick():
            return text.startswith(stmt.verb)
        case g.SetTrack():
            return stmt.operator != "="
    return isinstance(stmt, g.Shuffle | g.Reveal)


def tell_both(todo: tuple[g.Stmt, ...], scope: Scope) -> Drafts | None:
    """The first two statements of some, where they are one instruction."""
    joiner = JOINERS.get((type(todo[0]), type(todo[1]))) if len(todo) > 1 else None
    return joiner(todo[0], todo[1], todo[2:], scope) if joiner is not None else None


def led(lead: str, body: tuple[Item, ...], said: str = "", mark: str = ":") -> Item:
    """A lead and what it governs. They are joined later."""
    return Item(lead, said, body, join=Join(mark=mark))


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
    text = with_article(words.plain(name) if not is_noun(name) else noun, words.plural(one) if many else one)
    return Noun(text, type_, many, items=re.sub("^(the|your|their|its) ", "", text) if many else "")


# ---------------------------------------------------------------- again, and if
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
    else:  # `repeat until` would sound as if it were done once at least
        lead = f"as long as {condition(stmt.until, scope, False)}"
    return [led(lead, body, stmt.doc)], scope


def of_match(stmt: g.Repeat, scope: Scope) -> bool:
    """Whether this is the course of the whole game, which nobody would begin if it were over at once."""
    play = scope.lexicon.game.steps.get("play")
    return play is not None and any(part.span == stmt.span for part in play.body)


def ending(stmt: g.Repeat, scope: Scope) -> str:
    """What ends a `repeat` that goes on and on: a step around it is finished, or the game is."""
    within = carried_out(stmt.body, scope)
    bodies = (stmt.body, *(scope.lexicon.game.steps[name].body for name in within))
    finished = [part.step for part in parts_in(bodies) if isinstance(part, g.Finish)]
    around = [name for name in dict.fromkeys(finished) if name not in {*within, "game"}]
    ends = words.join([f"“{scope.lexicon.step_title(name)}”" for name in around], "or")
    return f"{ends} ends" if around else "the game ends"


def carried_out(body: tuple[g.Stmt, ...], scope: Scope) -> dict[str, None]:
    """The names of all steps that a block carries out, directly or through others."""
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
    """What happens in each case; a chain of `otherwise if` is told as a list."""
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
    """What the author calls the carrying out of a step, with what it is given: `pay the ante of five`."""
    told = scope.lexicon.told.get(f"step {stmt.step}")
    if told is None or not told.act:
        return ""
    params = scope.lexicon.game.steps[stmt.step].params
    given = {param.name: amount(arg, scope) for param, arg in zip(params, stmt.args, strict=True)}
    return filled(told.act, scope.lexicon, given)


def amount(arg: g.Expr, scope: Scope) -> str:
    """What a step is given; of something that has one value throughout, this too."""
    text = phrase(arg, scope).text
    define = scope.lexicon.game.defines.get(arg.define) if isinstance(arg, g.Call) and arg.of is None else None
    known = figure(define.value) if define is not None else None
    return f"{text} of {words.figure(known)}" if known is not None else text


@says(g.DoBorne)
def do_borne(stmt: g.DoBorne, scope: Scope) -> str:
    """`do chosen's effect`: what a card bears."""
    return f"carry out {genitive(phrase(stmt.card, scope), words.plain(stmt.step))}"


def done_by(who: Noun, act: str) -> str:
    """What is done, as an instruction to the reader or told of somebody else."""
    return act if who is YOU else f"{who.text} {words.third(act)}"


def argument(value: str, param: str) -> str:
    """What a step is given: `five as the amount`, `the amount`."""
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
    """A sentence for the log is no rule."""
    return [], scope


@tells(g.Note)
def note(stmt: g.Note, scope: Scope) -> Drafts:
    return [Item("", stmt.text)], scope


@tells(g.Ruling)
def ruling(stmt: g.Ruling, scope: Scope) -> Drafts:
    return [Item(stmt.question, " ".join(stmt.answer))], scope
