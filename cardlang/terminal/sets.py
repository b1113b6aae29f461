"""Messages about a selection of several cards."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.table.model import Choosing, Table


def named(table: Table, refs: Sequence[str]) -> str:
    """Return the codes of the cards with these refs, or their number if the viewer doesn't know all of them."""
    piles = [pile for place in (*table.places, table.middle, *table.kinds) for pile in place.piles]
    codes = [card.code for pile in piles for card in pile.cards if card.ref in refs and card.code]
    return f"[{' '.join(codes)}]" if len(codes) == len(refs) > 0 else str(len(refs))


def no_more(choosing: Choosing) -> str:
    """Return why nothing more, or not this card, can be selected."""
    count = len(choosing.chosen)
    if count == choosing.high:
        return f"You have selected {count}, which is the maximum. Deselect one first."
    return "That does not go with what is selected." if count else "You cannot choose that now."
