"""What of a table is asked again and again: which cards lie where, what can be done with a card, what a pile is to the
viewer. Nothing is drawn here."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from cardlang.plain_text import harmless
from interpreter.table.model import Card, Pile, Place, Table


def rows_of(pile: Pile) -> list[tuple[Card, ...]]:
    """The rows of a grid."""
    return [pile.cards[start : start + pile.across] for start in range(0, len(pile.cards), pile.across)]


def cards_at(table: Table, refs: Container[str]) -> Iterator[Card]:
    """The cards on the table that these refs mean."""
    for place in (*table.places, table.middle, *table.kinds):
        for pile in place.piles:
            yield from (card for card in pile.cards if card.ref in refs)


def meant(table: Table, ref: str) -> str:
    """What moves name in place of this: of cards in the viewer's hand that look the same in all, moves name one, and
    whichever is touched, that one is meant. Else the ref itself."""
    for pile in (pile for place in table.places for pile in place.piles):
        if pile.form == "hand" and pile.owner == table.viewer:
            own = next((card for card in pile.cards if card.ref == ref and card.face is not None), None)
            if own is not None and not touchable(own):
                return next((card.ref for card in pile.cards if card.moves and looks_like(card, own)), ref)
    return ref


def looks_like(card: Card, other: Card) -> bool:
    return (card.code, card.face, card.marks, card.note) == (other.code, other.face, other.marks, other.note)


def offered(table: Table) -> frozenset[str]:
    """The refs of cards that can be taken from where they lie, which the viewer does not hold."""
    lying = (
        pile
        for place in (*table.places, table.middle, *table.kinds)
        for pile in place.piles
        if pile.form != "hand" or pile.owner != table.viewer
    )
    return frozenset(card.ref for pile in lying for card in pile.cards if touchable(card))


def touchable(card: Card) -> bool:
    return card.open or card.chosen or bool(card.moves)


def number_of(card: Card) -> str:
    """The place in its pile of a card that can be taken and that the viewer cannot tell: it is spoken of by that, where
    it lies at no place with a name."""
    return card.ref.rpartition("#")[2] if card.face is None and touchable(card) and not card.place else ""


def is_idle(card: Card) -> bool:
    """Whether a card just lies there, for everybody to know."""
    return card.face is not None and not card.marks and not touchable(card)


def is_put_down(pile: Pile) -> bool:
    """Whether only the number of its cards is of interest: nobody looks into it, and nothing can be done with it."""
    return pile.put_down and pile.form == "stack" and not any(map(touchable, pile.cards))


def is_blank(card: Card) -> bool:
    """Whether there is nothing to a card but that it lies there."""
    return card.face is None and not card.marks and not touchable(card)


def marked(card: Card) -> list[str]:
    """What is kept about a card: what it is, where that says enough."""
    return [harmless(name if value == "yes" else value) for name, value in card.marks]


def most_marks(cards: Iterable[Card]) -> int:
    return max((len(card.marks) for card in cards), default=0)


def piles(place: Place, bare: bool = False) -> list[Pile]:
    """What lies there, but for heaps that are counted among what one keeps score of; `bare`: without the stacks of a
    player's of which nothing can be taken."""
    kept = {each.label.lower() for each in place.facts}
    found = [pile for pile in place.piles if pile.cards or pile.empty_stays]
    found = [pile for pile in found if not (is_put_down(pile) and pile.label.lower() in kept)]
    return [
        pile
        for pile in found
        if not bare or place.seat < 0 or pile.form != "stack" or not pile.owner or any(map(touchable, pile.cards))
    ]


def in_place(found: list[Pile]) -> list[Pile]:
    """A grid and a hand stay where they are, whatever comes beside or below them."""
    return sorted(found, key=lambda pile: ("grid", "hand", pile.form).index(pile.form))
