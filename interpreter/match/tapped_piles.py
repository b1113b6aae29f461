"""Piles that players tap to make a move, such as the stock to draw from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cardlang import model as g
from cardlang.model.statement_effects import CardTransfer, iter_transfers
from cardlang.model.traversal import walk
from interpreter.narration.decision_text import MoveWording


def find_tapped_pile(wording: MoveWording, option: g.Option, values: Sequence[int], seat: int) -> str:
    """Return the ref of the only pile that an option without values takes cards from, or the target of its only card.

    It is empty if there is none, or if the seat may not know which it is. If a whole pile moves onto an empty one,
    players tap that one: the place of the stock, to turn the waste over.
    """
    transfers = list(iter_transfers(walk(option.body)))
    match option.binders, transfers:
        case ((var, _),), [CardTransfer(cards=g.Joined(items=(g.Var() as moved,)), to=to)] if moved.id == var.id:
            return build_pile_ref(wording, to, find_pile(wording, to, {var.id: values[0]}, seat))
    sources = [part for transfer in transfers for part in walk(transfer.cards) if isinstance(part, g.ZoneCards)]
    if option.binders or len(transfers) != 1 or len(sources) != 1 or transfers[0].is_chosen:
        return ""
    (transfer,), (source,) = transfers, sources
    pile, target = (find_pile(wording, place, {}, seat) for place in (source, transfer.to))
    if target is not None and not wording.state.z[target] and is_whole_pile(transfer):
        pile = target
    return build_pile_ref(wording, source, pile)


def build_pile_ref(wording: MoveWording, place: g.ZoneCards | g.Place, pile: int | None) -> str:
    """Return the ref of a pile, but of no hand."""
    is_hand = wording.names.game.zones[place.zone].viewer == "owner"
    return "" if pile is None or is_hand else wording.names.refs.pile_refs[pile]


def find_pile(wording: MoveWording, place: g.ZoneCards | g.Place, bound: Mapping[int, object], seat: int) -> int | None:
    """Return the number of a pile; None if the seat may not know its owner."""
    owners: list[int | None] = []
    for of in (place.of, place.second):
        known_value = None if of is None else wording.find_value_known_to(of, bound, seat)
        if of is not None and (known_value is None or not isinstance(known_value[0], int) or known_value[0] < 0):
            return None
        owners.append(None if known_value is None else known_value[0])
    return wording.names.program.layout.get_slot(wording.names.game.zones[place.zone], *owners)


def is_whole_pile(transfer: CardTransfer) -> bool:
    """Return whether all cards of a pile leave it, in any order."""
    parts = [part for part in walk(transfer.cards) if isinstance(part, g.Agg)]
    return transfer.is_whole and all(part.function == "reverse" for part in parts)
