"""Refs: short strings for piles, cards by place, players and values, stable within one table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardlang import game as g
from interpreter.state import State

if TYPE_CHECKING:
    from interpreter.matches.names import Names


class Refs:
    """Refs of one match. A card out of play has none.

    - `zone/hand/Ann` is a pile,
    - `zone/hand/Ann#3` is the third card from its bottom,
    - `player/Ann` is a player,
    - `member/Suit/Hearts` is a value of a kind,
    - `value/5` is a number.
    """

    def __init__(self, names: Names) -> None:
        self.names = names
        self.piles = [
            self.pile(slot.zone.name, names.owner(slot.zone.subject, slot.of)) for slot in names.program.zones
        ]
        self.numbers = {ref: number for number, ref in enumerate(self.piles)}

    @staticmethod
    def pile(name: str, owner: str | None) -> str:
        return f"zone/{name}" if owner is None else f"zone/{name}/{owner}"

    def card(self, state: State, card: int) -> str:
        pile = state.loc[card]
        return f"{self.piles[pile]}#{state.z[pile].index(card) + 1}" if pile >= 0 else ""

    def value(self, state: State, type: g.Type, value: int) -> str:
        match type.tag:
            case "card":
                return self.card(state, value)
            case "player":
                return f"player/{self.names.players[value]}"
            case "member" if type.of is not None:
                return f"member/{type.of}/{self.names.game.kinds[type.of].members[value].name}"
        return f"value/{value}"

    def card_at(self, state: State, ref: str) -> int | None:
        """Return the card of a ref; None if there is none."""
        pile, _, place = ref.rpartition("#")
        number = self.numbers.get(pile)
        if number is None or not (place.isascii() and place.isdigit()) or len(place) > 6:
            return None
        cards = state.z[number]
        return cards[int(place) - 1] if 0 < int(place) <= len(cards) else None
