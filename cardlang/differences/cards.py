"""The cards of two games set against each other: which ones have to be printed again."""

from __future__ import annotations

from attrs import frozen

from cardlang.drawing.printed import Side
from cardlang.game import Game
from cardlang.rulesheet.faces import Card, printed


@frozen
class CardChange:
    """A card, by its code. `copies`: how many there were and are. `differs`: what another print shows otherwise:
    `title`, `corner`, `symbol`, `values`, `texts`, `back`; empty where only the number of copies does."""

    code: str
    title: str
    copies: tuple[int, int]
    differs: tuple[str, ...] = ()

    @property
    def prints(self) -> int:
        """How many of it have to be printed."""
        before, now = self.copies
        return now if self.differs else max(0, now - before)


@frozen
class CardChanges:
    """The cards that differ, those that are new, and those that are gone. `count`: how many the new game has, copies
    too."""

    changed: tuple[CardChange, ...]
    new: tuple[CardChange, ...]
    gone: tuple[CardChange, ...]
    count: int

    @property
    def prints(self) -> int:
        """How many cards have to be printed for the new game by whoever has the old ones."""
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
    """The printed cards by their codes; of a line with no copies there are none. They are compared as the sheets are:
    without the words that stand for rules."""
    pairs = zip(game.faces, printed(game, {}), strict=True)
    return {face.code: card for face, card in pairs if card.copies}


def differing(old: Card, new: Card) -> tuple[str, ...]:
    """What two prints of a card show otherwise."""
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
