"""Statements done by one after another, and what holds of all of them at once."""

from __future__ import annotations

import re

from attrs import evolve

from cardlang import nodes as n
from cardlang.game import FLAG, PLAYER, Type
from cardlang.rulesheet import words
from cardlang.rulesheet.english import YOU, Noun, Scope, clause, flag, item_type, phrase, tested
from cardlang.rulesheet.model import Item
from cardlang.rulesheet.moving import so_many
from cardlang.rulesheet.nouns import kind_noun
from cardlang.rulesheet.statements import Drafts, addressing, block, both_said, doc, led, tells


@tells(n.Each)
def each(stmt: n.Each, scope: Scope) -> Drafts:
    said = at_once(stmt, scope) or all_set(stmt, scope) or dealt(stmt, scope)
    if said:
        body = block(stmt.body, scope.with_it(YOU))
        return [Item(said, both_said(doc(stmt.doc), body[0].words))], scope
    counting = all(isinstance(part, n.Set | n.Add | n.Subtract) for part in stmt.body)
    if stmt.together:
        lead, inner = together(stmt.going, scope)
    else:
        lead, inner = going(stmt.going, scope, ordered=not counting)
    return [led(lead, block(stmt.body, inner), doc(stmt.doc))], scope


def together(said: n.Going, scope: Scope) -> tuple[str, Scope]:
    """All of some players at once, and the scope of the body."""
    among = phrase(said.among, scope) if said.among is not None else None
    which, provided = whichever(said, PLAYER, True, scope)
    whom = f"{'all players' if among is None else among.text}{which}"
    return f"{whom}{',' if which else ''} at once, each in secret{provided}", to_each(scope)


def to_each(scope: Scope) -> Scope:
    """The scope of what each of several players does: whoever it is, is addressed."""
    return addressing(YOU, scope).with_it(YOU)


def going(said: n.Going, scope: Scope, ordered: bool = True) -> tuple[str, Scope]:
    """Who or what in turn, and the scope of the body. `ordered`: it matters with whom it begins."""
    among = phrase(said.among, scope) if said.among is not None else None
    type_ = going_type(said, among, scope)
    whom, which, provided = goers(said, type_, among, scope)
    if type_.tag != "player":
        return f"for {whom}{provided}", scope.with_it(Noun("it", type_))
    start = beginning(said, scope) if ordered or said.start is not None else ""
    turn = "" if whom.endswith("order") and not which else f"{',' if which else ''} in turn"
    return f"{whom}{turn}{start}{provided}", to_each(scope)


def going_type(said: n.Going, among: Noun | None, scope: Scope) -> Type:
    if said.word.text in scope.lexicon.kinds:
        return Type("member", of=said.word.text)
    return item_type(among) if among is not None else Type(said.word.text)


def goers(said: n.Going, type_: Type, among: Noun | None, scope: Scope) -> tuple[str, str, str]:
    """Each of whom or what; the relative clause in that, if there is one; what must hold besides."""
    head = f"each {kind_noun(said.word.text)}"
    if among is not None:
        named = f"these, {among.text}," if isinstance(said.among, n.ListOf) else among.text
        head = f"each card in {among.text}" if among.pile else f"each of {named}"
    which, provided = whichever(said, type_, among is not None and not among.pile, scope)
    if " other than " in head and which:
        head, _, other = head.partition(" other than ")
        which = f"{which}, other than {other}"
    return f"{head}{which}", which, provided


def all_set(stmt: n.Each, scope: Scope) -> str:
    """`each player: set your place to 0`: every player's place is now zero. Empty if it is anything else."""
    one = stmt.body[0] if len(stmt.body) == 1 else None
    if stmt.together or any((stmt.going.among, stmt.going.start, stmt.going.condition)):
        return ""
    if not (isinstance(one, n.Set) and isinstance(one.target, n.Yours) and isinstance(one.value, n.Number)):
        return ""
    target = phrase(one.target, to_each(scope))
    whose = f"every player's {target.text.removeprefix('your ')}"
    return f"{whose} {words.agree('is', target.plural)} now {phrase(one.value, scope).text}"


def dealt(stmt: n.Each, scope: Scope) -> str:
    """`each player: deal top 5 of deck to your hand`: so many cards from the deck to each of them. Empty if it is
    anything else."""
    one = stmt.body[0] if len(stmt.body) == 1 else None
    if stmt.together or stmt.going.word.text != "player" or not isinstance(one, n.Move) or one.verb != "deal":
        return ""
    if not (isinstance(one.what, n.Agg) and one.what.function == "top" and isinstance(one.what.list, n.NameRef)):
        return ""
    to = phrase(one.to, to_each(scope))
    if to.owner is not YOU or to.entry is None or one.under or one.sorted:
        return ""
    among = phrase(stmt.going.among, scope) if stmt.going.among is not None else None
    whom, which, provided = goers(stmt.going, PLAYER, among, scope)
    whose = whom if to.entry.noun == "hand" else f"the {to.entry.noun} of {whom}"
    number = one.what.number or n.Number(one.span, "1")
    turn = f"{',' if which else ''} in turn{beginning(stmt.going, scope)}{provided}"
    return f"deal {so_many(number, scope)} from {phrase(one.what.list, scope).text} to {whose}{turn}"


def whichever(said: n.Going, type_: Type, several: bool, scope: Scope) -> tuple[str, str]:
    """Which of them it is about, and what must hold besides. `several`: they are named in the plural."""
    if said.condition is None:
        return "", ""
    about = clause(said.condition, scope.testing(tested(type_)))
    if type_.tag == "player":  # whom the loop addresses is another one
        about = evolve(about, one=of_actor(about.one), many=of_actor(about.many))
    free = about.provided if about.one else about.text
    each = "if" if re.search(r"\btheir\b|\bits\b", free) else "as long as"
    return f" {about.many if several else about.one}".rstrip(), f", {each} {free}" if free else ""


def of_actor(text: str) -> str:
    """A condition on those addressed that speaks of `you`, the one who carries out the step."""
    return re.sub(r"\byour\b", "the acting player's", text)


def beginning(said: n.Going, scope: Scope) -> str:
    """With whom it begins, where the rules say so or it is the others of somebody."""
    if said.start is not None:
        return f", {starting(said.start, scope)}"
    match said.among:
        case n.Yours(name=n.Name(text="others")):
            return ", beginning with the next player"
        case n.Attr(of=of, name=n.Name(text="others")):
            return f", beginning with the player after {phrase(of, scope).text}"
    return ""


def starting(start: n.Expr, scope: Scope) -> str:
    """Where it begins: `clockwise from the dealer's left`. Whom the loop addresses is another one."""
    who = phrase(start, scope)
    if who is YOU:
        return "starting with the player who carries this out"
    if not scope.lexicon.clockwise:
        return f"starting with {who.text}"
    beside = re.fullmatch("the player to (.* (?:left|right))", who.text)
    return f"clockwise from {beside[1] if beside else who.text}"


def at_once(stmt: n.Each, scope: Scope) -> str:
    """`each player: set your folded to yes`: what holds of all of them from now on. Empty if they do more."""
    one = stmt.body[0] if len(stmt.body) == 1 else None
    if stmt.together or stmt.going.start is not None or stmt.going.word.text != "player":
        return ""
    among = phrase(stmt.going.among, scope) if stmt.going.among is not None else None
    which, provided = whichever(stmt.going, PLAYER, among is not None, scope)
    if provided:
        return ""
    subject = f"every player{which}" if among is None else f"{among.text}{which}"
    said = ""
    if isinstance(one, n.Set) and isinstance(one.target, n.Yours) and isinstance(one.value, n.NameRef):
        entry = scope.lexicon.find(one.target.name.text, ("player",))
        if entry is not None and entry.verb and one.value.name in ("yes", "no"):
            told = Noun("@", PLAYER, among is not None)
            said = words.from_now(flag(Noun("", FLAG, owner=told, entry=entry), True).text, one.value.name == "yes")
    if isinstance(one, n.Eliminate) and phrase(one.player, scope.with_it(YOU)) is YOU:
        said = f"@ {words.agree('is', among is not None)} out of the game"
    return said.replace("@", subject)
