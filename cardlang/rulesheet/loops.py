"""Statements done by one after another, and what holds of all of them at once."""

from __future__ import annotations

import re

from attrs import evolve

from cardlang import nodes as n
from cardlang.game import FLAG, PLAYER, Type
from cardlang.rulesheet import words
from cardlang.rulesheet.english import YOU, Noun, Scope, clause, flag, item_type, phrase, tested
from cardlang.rulesheet.model import Item
from cardlang.rulesheet.nouns import kind_noun
from cardlang.rulesheet.statements import Drafts, block, doc, led, tells


@tells(n.Each)
def each(stmt: n.Each, scope: Scope) -> Drafts:
    said = at_once(stmt, scope)
    if said:
        body = block(stmt.body, scope.with_it(YOU))
        return [Item(said, " ".join(part for part in (doc(stmt.doc), body[0].words) if part))], scope
    counting = all(isinstance(part, n.Set | n.Add | n.Subtract) for part in stmt.body)
    lead, inner = going(stmt.going, scope, ordered=not counting)
    if stmt.together:
        lead = lead.replace("each player in turn", "all players at once, each in secret")
    return [led(lead, block(stmt.body, inner), doc(stmt.doc))], scope


def going(said: n.Going, scope: Scope, ordered: bool = True) -> tuple[str, Scope]:
    """Who or what in turn, and the scope of the body. `ordered`: it matters with whom it begins."""
    among = phrase(said.among, scope) if said.among is not None else None
    kind = said.word.text
    if kind in scope.lexicon.kinds:
        type_ = Type("member", of=kind)
    else:
        type_ = item_type(among) if among is not None else Type(kind)
    head = f"each {kind_noun(kind)}"
    if among is not None:
        named = f"these, {among.text}," if isinstance(said.among, n.ListOf) else among.text
        head = f"each card in {among.text}" if among.pile else f"each of {named}"
    which, provided = whichever(said, type_, among is not None and not among.pile, scope)
    if " other than " in head and which:
        head, _, other = head.partition(" other than ")
        which = f"{which}, other than {other}"
    if type_.tag != "player":
        return f"for {head}{which}{provided}", scope.with_it(Noun("it", type_))
    start = beginning(said, scope) if ordered or said.start is not None else ""
    turn = "" if head.endswith("order") and not which else f"{',' if which else ''} in turn"
    return f"{head}{which}{turn}{start}{provided}", scope.with_it(YOU)


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
