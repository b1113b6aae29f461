"""Queries on the table model: cards, piles and marks to show."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from cardlang.english.control_characters import remove_invisible_characters
from interpreter.view.table_model import Table, TableArea, TableCard, TablePile


def split_grid_rows(pile: TablePile) -> list[list[TableCard | None]]:
    """Return the rows of a grid, with None for a gap."""
    cards = dict(zip(pile.cells or range(pile.count), pile.cards, strict=True))
    return [
        [cards.get(cell) for cell in range(start, start + pile.across)]
        for start in range(0, max(cards) + 1, pile.across)
    ]


def find_cards(table: Table, refs: Container[str]) -> Iterator[TableCard]:
    """Yield the cards on the table with these refs."""
    for area in (*table.places, table.middle, *table.kinds):
        for pile in area.piles:
            yield from (card for card in pile.cards if card.ref in refs)


def find_ref_named_by_moves(table: Table, ref: str) -> str:
    """Return the ref that moves name instead of this one.

    Moves name one of several identical cards in the viewer's hand. Any other ref is returned unchanged."""
    for pile in (pile for area in table.places for pile in area.piles):
        if pile.form == "hand" and pile.owner == table.viewer:
            own_card = next((card for card in pile.cards if card.ref == ref and card.face is not None), None)
            if own_card is not None and not is_actionable(own_card):
                return next((card.ref for card in pile.cards if card.moves and is_identical_card(card, own_card)), ref)
    return ref


def is_identical_card(card: TableCard, other: TableCard) -> bool:
    return (card.code, card.face, card.marks, card.note) == (other.code, other.face, other.marks, other.note)


def find_offered_cards(table: Table) -> frozenset[str]:
    """Return the refs of cards outside the viewer's hand that can be taken."""
    piles = (
        pile
        for area in (*table.places, table.middle, *table.kinds)
        for pile in area.piles
        if pile.form != "hand" or pile.owner != table.viewer
    )
    return frozenset(card.ref for pile in piles for card in pile.cards if is_actionable(card))


def is_actionable(card: TableCard) -> bool:
    return card.open or card.chosen or bool(card.moves)


def get_unknown_card_number(card: TableCard) -> str:
    """Return the number in its pile of an unknown card that can be taken, or an empty string.

    Such a card is named by its number, unless its place has a name."""
    return card.ref.rpartition("#")[2] if card.face is None and is_actionable(card) and not card.place else ""


def is_idle_card(card: TableCard) -> bool:
    """Return whether a card is known, has no marks and can't be acted on."""
    return card.face is not None and not card.marks and not is_actionable(card)


def is_counted_pile(pile: TablePile) -> bool:
    """Return whether only the pile's size matters: players don't look into it and can't act on it."""
    return pile.put_down and pile.form == "stack" and not any(map(is_actionable, pile.cards))


def is_blank_card(card: TableCard) -> bool:
    """Return whether a card is unknown, has no marks and can't be acted on."""
    return card.face is None and not card.marks and not is_actionable(card)


def format_card_values(card: TableCard) -> list[str]:
    """Return the marks of a card: the value, or the name of a mark that is only on or off."""
    return [remove_invisible_characters(name if value == "yes" else value) for name, value in card.marks]


def count_most_marks(cards: Iterable[TableCard]) -> int:
    return max((len(card.marks) for card in cards), default=0)


def find_visible_piles(place: TableArea, bare: bool = False) -> list[TablePile]:
    """Return the visible piles of a place, without heaps whose number says nothing new.

    `bare`: leave out a player's stacks without playable cards."""
    fact_labels = {fact.label.lower() for fact in place.facts}
    piles = [pile for pile in place.piles if pile.cards or pile.empty_stays]
    piles = [
        pile for pile in piles if not is_counted_pile(pile) or not (pile.is_spent or pile.label.lower() in fact_labels)
    ]
    return [
        pile
        for pile in piles
        if not bare or place.seat < 0 or pile.form != "stack" or not pile.owner or any(map(is_actionable, pile.cards))
    ]


def sort_piles(found: list[TablePile]) -> list[TablePile]:
    """Return piles with grids and hands first, so that these keep their positions."""
    return sorted(found, key=lambda pile: ("grid", "hand", pile.form).index(pile.form))
