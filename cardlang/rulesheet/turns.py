"""Describe the order of turns, and the starting player if the rules name none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cardlang import game as g
from cardlang.game.walking import everything, walk
from cardlang.rulesheet.parts import bare, name_of

Remembered = Mapping[int, g.Expr]
"""Values of variables, by their ids."""
FELT = g.Pick | g.Choose | g.Menu | g.Offer | g.Announce | g.Finish
"""Statements whose order players notice."""


def order_of_turns(told: g.Game, clockwise: bool) -> list[str]:
    """Return the facts on the order of turns. `told`: the content of the sheet."""
    if told.seats[-1] == 1:
        return []
    parts = list(everything(told))
    known = {part.var.id: part.value for part in parts if isinstance(part, g.Remember)}
    unnamed = any(nobody_named(part, told, known) or uneven(part, parts, told) for part in parts)
    if not clockwise:
        begins = "; where nobody is named to begin, the first in it does" if unnamed else ""
        return [f"Turns: in the order drawn in the set-up{begins}"]
    first = "Choose a first player for the whole game, who begins wherever nobody else is named"
    return [*(["Play goes clockwise"] if told.seats[-1] > 2 else []), *([first] if unnamed else [])]


def nobody_named(part: object, told: g.Game, known: Remembered) -> bool:
    """Return whether the order of a loop over players matters but the rules give no start."""
    if not isinstance(part, g.Each | g.Offer) or part.var.type.tag != "player" or part.start is not None:
        return False
    if in_order(part.list, told, known):
        return False
    return isinstance(part, g.Offer) or (not part.together and felt(part.body, told))


def in_order(players: g.Expr, told: g.Game, known: Remembered) -> bool:
    """Return whether a list of players has an order. The opponents of a player begin with the next one."""
    match bare(players):
        case g.Filter(list=base):
            return in_order(base, told, known)
        case g.Sorted() | g.Agg() | g.Builtin(name="others") | g.MapEach(list=g.Sorted()):
            return True
        case g.Var(id=number) if number in known:
            return in_order(known[number], told, known)
        case g.Call(define=name) if name in told.defines:
            value = told.defines[name].value
            return not isinstance(value, g.Cases | g.FirstPossible) and in_order(value, told, known)
    return name_of(players) == "others"


def felt(body: object, told: g.Game) -> bool:
    """Return whether a body contains a decision or an ending, directly or in steps that it runs."""
    for part in walk(body):
        if isinstance(part, FELT | g.DoBorne):
            return True
        if isinstance(part, g.Do) and felt(told.steps[part.step].body, told):
            return True
    return False


def uneven(part: object, parts: Sequence[object], told: g.Game) -> bool:
    """Return whether a whole card set is dealt unevenly, so that the first players get more cards."""
    match part:
        case g.Move(what=g.ZoneCards(zone=home, of=None), to=g.Place(of=g.Builtin(name="players"), each=True)):
            sets = {name for name, cards in told.sets.items() if cards.home == home}
        case _:
            return False
    count = sum(face.copies for face in told.faces if face.set in sets)
    whole = sum(isinstance(other, g.Move) and takes_from(other, home) for other in parts) == 1
    return whole and any(count % seats for seats in told.seats)


def takes_from(move: g.Move, zone: str) -> bool:
    return any(isinstance(part, g.ZoneCards) and part.zone == zone for part in walk((move.what,)))
