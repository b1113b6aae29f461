"""Describe loops over players and values, and sets of simultaneous changes."""

from __future__ import annotations

import re

from attrs import evolve

from cardlang import game as g
from cardlang import words
from cardlang.game import FLAG, PLAYER
from cardlang.game.conflicts import can_conflict
from cardlang.rulesheet import nouns
from cardlang.rulesheet.english import YOU, Noun, Scope, clause, flag, phrase
from cardlang.rulesheet.joining import both_said
from cardlang.rulesheet.lists import item_noun
from cardlang.rulesheet.model import Item, Join
from cardlang.rulesheet.moving import one_at, so_many
from cardlang.rulesheet.naming import is_noun
from cardlang.rulesheet.nouns import kind_noun
from cardlang.rulesheet.parts import bare, is_number, is_var, is_you, truth
from cardlang.rulesheet.quantifiers import is_all
from cardlang.rulesheet.statements import Drafts, block, led, tells
from cardlang.rulesheet.turns import felt

Going = g.Each | g.Offer
"""Loop over the items of `list`, from `start` around, if `condition` holds."""


@tells(g.Each)
def each(stmt: g.Each, scope: Scope) -> Drafts:
    said = at_once(stmt, scope) or all_set(stmt, scope) or dealt(stmt, scope)
    if said:
        body = block(stmt.body, to_each(stmt, scope))
        return [Item(said, both_said(stmt.doc, body[0].words))], scope
    counting = all(isinstance(part, g.SetTrack) for part in stmt.body)
    if stmt.together:
        lead, inner = together(stmt, scope)
    else:
        lead, inner = going(stmt, scope, ordered=not counting)
    item = led(lead, block(stmt.body, inner), stmt.doc)
    return [evolve(item, join=Join(mark=":", everybody=by_everybody(stmt, scope)))], scope


def by_everybody(stmt: g.Each, scope: Scope) -> bool:
    """Return whether all players do the same, and the order does not matter."""
    plain = stmt.start is None and stmt.condition is None and not stmt.together and is_all(stmt.list)
    return plain and stmt.var.type.tag == "player" and not felt(stmt.body, scope.lexicon.game)


def named(said: Going, scope: Scope) -> Noun | None:
    """Return the noun for the players or values of a loop; None if it is about all of them."""
    return None if is_all(said.list) else phrase(said.list, scope)


def together(said: Going, scope: Scope) -> tuple[str, Scope]:
    """Return the lead of a simultaneous choice, and the scope of the body."""
    among = named(said, scope)
    which, provided = whichever(said, True, scope)
    whom = f"{'all players' if among is None else among.text}{which}"
    lead = f"{whom}{',' if which else ''} at once, each in secret{provided}"
    if isinstance(said, g.Each) and can_conflict(scope.lexicon.game, said):
        lead += "; then, in turn, each choice that is still possible takes effect"
    return lead, to_each(said, scope)


def to_each(said: Going, scope: Scope) -> Scope:
    """Return the scope of a loop body, which addresses the current player as `you`."""
    return scope.naming(said.var, YOU)


def going(said: Going, scope: Scope, ordered: bool = True) -> tuple[str, Scope]:
    """Return the lead of a loop, and the scope of the body. `ordered`: the starting player matters."""
    whom, which, provided = goers(said, scope)
    if said.var.type.tag != "player":
        return f"for {whom}{provided}", scope.naming(said.var, Noun("it", said.var.type))
    start = beginning(said, scope) if ordered or said.start is not None else ""
    turn = "" if whom.endswith("order") and not which else f"{',' if which else ''} in turn"
    return f"{whom}{turn}{start}{provided}", to_each(said, scope)


def goers(said: Going, scope: Scope) -> tuple[str, str, str]:
    """Return the loop's `each …`, its relative clause, and any other condition."""
    one = kind_noun(said.var.name) if is_noun(said.var.name) else item_noun(said.var.type)
    head, among = f"each {one}", named(said, scope)
    if among is not None:
        told = f"these, {among.text}," if isinstance(bare(said.list), g.Joined) else among.text
        head = f"each card in {among.text}" if among.pile else f"each of {told}"
    which, provided = whichever(said, among is not None and not among.pile, scope)
    if " other than " in head and which:
        head, _, other = head.partition(" other than ")
        which = f"{which}, other than {other}"
    return f"{head}{which}", which, provided


def all_set(stmt: g.Each, scope: Scope) -> str:
    """Describe a loop that sets a value of each player: `each player: set your place to 0`.

    Return the empty string for any other loop.
    """
    one = stmt.body[0] if len(stmt.body) == 1 else None
    if stmt.together or stmt.var.type.tag != "player" or not is_all(stmt.list) or stmt.start or stmt.condition:
        return ""
    if not (isinstance(one, g.SetTrack) and one.operator == "=" and is_own(one, stmt) and is_number(one.value)):
        return ""
    target = nouns.target(one, to_each(stmt, scope))
    whose = f"every player's {target.text.removeprefix('your ')}"
    return f"{whose} {words.agree('is', target.plural)} now {phrase(one.value, scope).text}"


def is_own(change: g.SetTrack, stmt: g.Each) -> bool:
    """Return whether the current player's own value is set."""
    return change.of is not None and is_var(change.of, stmt.var) and is_you(change.of)


def dealt(stmt: g.Each, scope: Scope) -> str:
    """Describe a deal from the deck to each player; empty for any other loop.

    An example is `each player: deal top 5 of deck to your hand`.
    """
    one = stmt.body[0] if len(stmt.body) == 1 else None
    if stmt.together or stmt.var.type.tag != "player" or not isinstance(one, g.Move) or one.verb != "deal":
        return ""
    what = bare(one.what)
    if not (isinstance(what, g.Agg) and what.function == "top" and is_plain(what.list)):
        return ""
    to = nouns.place(one.to, to_each(stmt, scope))
    if to.owner is not YOU or to.entry is None or one.end != "top":
        return ""
    whom, which, provided = goers(stmt, scope)
    whose = whom if to.entry.noun == "hand" else f"the {to.entry.noun} of {whom}"
    turn = f"{',' if which else ''} in turn{beginning(stmt, scope)}{provided}"
    return f"deal {so_many(what.number or one_at(one), scope)} from {phrase(what.list, scope).text} to {whose}{turn}"


def is_plain(source: g.Expr) -> bool:
    """Return whether cards come from a zone or definition of the table, or from a variable."""
    source = bare(source)
    return isinstance(source, g.Var) or (isinstance(source, g.ZoneCards | g.Call) and source.of is None)


def whichever(said: Going, several: bool, scope: Scope) -> tuple[str, str]:
    """Return the relative clause of a loop's condition, and any other condition.

    `several`: the players or values are named in the plural.
    """
    if said.condition is None:
        return "", ""
    about = clause(said.condition, scope.testing(said.var))
    if said.var.type.tag == "player":  # here, `you` is not the addressed player
        about = evolve(about, one=of_actor(about.one), many=of_actor(about.many))
    free = about.provided if about.one else about.text
    each = "if" if re.search(r"\btheir\b|\bits\b", free) else "as long as"
    return f" {about.many if several else about.one}".rstrip(), f", {each} {free}" if free else ""


def of_actor(text: str) -> str:
    """Replace `your` in a condition on the addressed players: it means the player who runs the step."""
    return re.sub(r"\byour\b", "the acting player's", text)


def beginning(said: Going, scope: Scope) -> str:
    """Return the starting player, if the rules give one or the loop is over a player's opponents."""
    if said.start is not None:
        return f", {starting(said.start, scope)}"
    match bare(said.list):
        case g.Builtin(name="others", of=g.Expr() as of):
            next_one = is_you(of)
            return f", beginning with the {'next player' if next_one else f'player after {phrase(of, scope).text}'}"
    return ""


def starting(start: g.Expr, scope: Scope) -> str:
    """Return the start of a loop: `clockwise from the dealer's left`. The loop itself addresses another player."""
    who = phrase(start, scope)
    if who is YOU:
        return "starting with the player who carries this out"
    if not scope.lexicon.clockwise:
        return f"starting with {who.text}"
    beside = re.fullmatch("the player to (.* (?:left|right))", who.text)
    return f"clockwise from {beside[1] if beside else who.text}"


def at_once(stmt: g.Each, scope: Scope) -> str:
    """Describe a state of all players from now on: `each player: set your folded to yes`. Empty if they do more."""
    one = stmt.body[0] if len(stmt.body) == 1 else None
    if stmt.together or stmt.start is not None or stmt.var.type.tag != "player":
        return ""
    among = named(stmt, scope)
    which, provided = whichever(stmt, among is not None, scope)
    if provided:
        return ""
    subject = f"every player{which}" if among is None else f"{among.text}{which}"
    said = ""
    if isinstance(one, g.SetTrack) and is_own(one, stmt) and truth(one.value) is not None:
        entry = scope.lexicon.nouns[one.track]
        if entry.verb:
            told = Noun("@", PLAYER, among is not None)
            said = words.from_now(flag(Noun("", FLAG, owner=told, entry=entry), True).text, truth(one.value) is True)
    if isinstance(one, g.Eliminate) and is_var(one.player, stmt.var):
        said = f"@ {words.agree('is', among is not None)} out of the game"
    return said.replace("@", subject)
