"""Piles that players tap to make a move, such as the stock to draw from it."""

from __future__ import annotations

from collections.abc import Callable

from cardlang import model as g
from cardlang.model.statement_effects import CardTransfer, iter_transfers
from cardlang.model.traversal import walk
from interpreter.narration.display_names import MatchNames
from interpreter.runtime.state import State


def find_tapped_pile(
    names: MatchNames, state: State, option: g.Option, evaluate_player: Callable[[g.Expr], object]
) -> str:
    """Return the ref of the only pile that an option without values takes cards from; empty if there is none.

    If a whole pile moves onto an empty one, players tap that one: the place of the stock, to turn the waste over.
    """
    transfers = list(iter_transfers(walk(option.body)))
    sources = [part for transfer in transfers for part in walk(transfer.cards) if isinstance(part, g.ZoneCards)]
    if option.binders or len(transfers) != 1 or len(sources) != 1 or transfers[0].is_chosen:
        return ""
    (transfer,), (source,) = transfers, sources
    pile, target = (find_pile(names, place, evaluate_player) for place in (source, transfer.to))
    if target is not None and not state.z[target] and is_whole_pile(transfer):
        pile = target
    is_hand = names.game.zones[source.zone].viewer == "owner"
    return "" if pile is None or is_hand else names.refs.pile_refs[pile]


def find_pile(
    names: MatchNames, place: g.ZoneCards | g.Place, evaluate_player: Callable[[g.Expr], object]
) -> int | None:
    """Return the number of a pile; None if its owner is unknown."""
    owners = [None if of is None else evaluate_player(of) for of in (place.of, place.second)]
    known = [owner for owner in owners if isinstance(owner, int) and owner >= 0]
    if len(known) != sum(of is not None for of in (place.of, place.second)):
        return None
    first, second = (owner if isinstance(owner, int) else None for owner in owners)
    return names.program.layout.get_slot(names.game.zones[place.zone], first, second)


def is_whole_pile(transfer: CardTransfer) -> bool:
    """Return whether all cards of a pile leave it, in any order."""
    parts = [part for part in walk(transfer.cards) if isinstance(part, g.Agg)]
    return transfer.is_whole and all(part.function == "reverse" for part in parts)
