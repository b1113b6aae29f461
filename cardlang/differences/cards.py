"""Comparison of the cards of two games: the cards to reprint."""

from __future__ import annotations

from attrs import frozen

from cardlang.drawing.printed import Side
from cardlang.game import Game
from cardlang.rulesheet.faces import Card, printed


@frozen
class CardChange:
    """Change of a card, by its code.

    `copies` has the old and the new number of copies. `differs` names the changed parts of the print: `title`,
    `corner`, `symbol`, `values`, `texts` or `back`. It is empty if only the number of copies changed."""

    code: str
    title: str
    copies: tuple[int, int]
    differs: tuple[str, ...] = ()

    @property
    def prints(self) -> int:
        """Number of copies to print."""
        before, now = self.copies
        return now if self.differs else max(0, now - before)


@frozen
class CardChanges:
    """Changed, new and removed cards. `count` is the number of cards in the new game, copies included."""

    changed: tuple[CardChange, ...]
    new: tuple[CardChange, ...]
    gone: tuple[CardChange, ...]
    count: int

    @property
    def prints(self) -> int:
        """Number of cards to print for an owner of the old game."""
        return sum(each.prints for each in (*self.changed, *self.new))

    def __bool__(self) -> bool:
        return bool(self.changed or self.new or self.gone)


def card_changes(old: Game, new: Game) -> CardChanges:
    before, after = cards(old), cards(new)
    pairs = ((code, before[code], card) for code, card in after.items() if code in before)
    changed = [
        CardChange(code, card.front.title, (was.copies, card.copies), differing(was, card))
        for code, was, card in pairs
        if was != card
    ]
    added = [CardChange(code, card.front.title, (0, card.copies)) for code, card in after.items() if code not in before]
    gone = [CardChange(code, card.front.title, (card.copies, 0)) for code, card in before.items() if code not in after]
    return CardChanges(tuple(changed), tuple(added), tuple(gone), new.cards)


def cards(game: Game) -> dict[str, Card]:
    """Return the printed cards by code, without cards of 0 copies. Custom wording is ignored, as in the rulebooks."""
    pairs = zip(game.faces, printed(game, {}), strict=True)
    return {face.code: card for face, card in pairs if card.copies}


def differing(old: Card, new: Card) -> tuple[str, ...]:
    """Return the parts that differ between two prints of a card."""
    found = [what for what, shown in parts(old.front).items() if shown != parts(new.front)[what]]
    return (*found, "back") if old.back != new.back else tuple(found)


def parts(side: Side) -> dict[str, object]:
    return {
        "title": side.title,
        "corner": (side.index, side.line),
        "symbol": (side.mark, side.picture),
        "values": side.foot,
        "texts": (side.passages, side.read),
    }
