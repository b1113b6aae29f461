"""In what order turns go, and who begins where the rules name nobody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cardlang import nodes as n
from cardlang.game import Game
from cardlang.nodes.walking import last_name, names_in, nodes_in

Named = Mapping[str, n.Step | n.Define | n.Remember]
FELT = n.Pick | n.Choose | n.Menu | n.Offer | n.Announce | n.Finish
"""What those who come later can feel."""


def order_of_turns(game: Game, items: Sequence[n.Item], clockwise: bool) -> list[str]:
    """What the head of a sheet says of turns. `items`: what the sheet tells."""
    if game.seats[-1] == 1:
        return []
    nodes = nodes_in(tuple(items))
    named = {node.name.text: node for node in nodes if isinstance(node, n.Step | n.Define | n.Remember)}
    unnamed = any(nobody_named(node, named) or uneven(node, nodes, game) for node in nodes)
    if not clockwise:
        begins = "; where nobody is named to begin, the first in it does" if unnamed else ""
        return [f"Turns: in the order drawn in the set-up{begins}"]
    first = "Choose a first player for the whole game, who begins wherever nobody else is named"
    return [*(["Play goes clockwise"] if game.seats[-1] > 2 else []), *([first] if unnamed else [])]


def nobody_named(node: n.Node, named: Named) -> bool:
    """Whether players come in turn, it matters in what order, and nothing says who begins."""
    if isinstance(node, n.Offer):
        return open_(node.going, named)
    return isinstance(node, n.Each) and not node.together and open_(node.going, named) and felt(node.body, named)


def open_(going: n.Going, named: Named) -> bool:
    """Whether a loop over players does not say with whom it begins."""
    return going.word.text == "player" and going.start is None and not in_order(going.among, named)


def in_order(players: n.Expr | None, named: Named) -> bool:
    """Whether a list of players has an order of its own. The others of somebody begin with the next one."""
    match players:
        case None:
            return False
        case n.Where(list=base):
            return in_order(base, named)
        case n.Ranked() | n.Agg():
            return True
        case n.Attr(of=owner) if isinstance(owner, n.Ranked):
            return True
    match named.get(last_name(players)):
        case n.Remember(value=meant) | n.Define(body=meant) if isinstance(meant, n.Expr):
            return in_order(meant, named)
    return last_name(players) == "others"


def felt(part: Any, named: Named) -> bool:
    """Whether anybody is asked in a part, or something ends, also in the steps that it carries out."""
    for node in nodes_in(part):
        if isinstance(node, FELT):
            return True
        if isinstance(node, n.Do):
            step = named.get(last_name(node.step))
            if not isinstance(step, n.Step) or felt(step.body or (), named):
                return True
    return False


def uneven(node: n.Node, nodes: Sequence[n.Node], game: Game) -> bool:
    """Whether a whole set of cards is dealt to the players and does not divide, so that the first ones get more."""
    if not (isinstance(node, n.Move) and isinstance(node.what, n.NameRef) and isinstance(node.to, n.Attr)):
        return False
    home = node.what.name
    sets = {name for name, cards in game.sets.items() if cards.home == home}
    count = sum(face.copies for face in game.faces if face.set in sets)
    whole = sum(isinstance(other, n.Move) and home in names_in(other.what) for other in nodes) == 1
    return whole and last_name(node.to.of) == "players" and any(count % seats for seats in game.seats)
