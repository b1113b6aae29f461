"""Go Fish beside OpenSpiel's."""

from __future__ import annotations

from random import Random
from typing import Any, ClassVar

from cardlang.adapters.point import Point, Table
from tests.adapters.lockstep.pairing import Pairing, ours, seat_of


class GoFish(Pairing):
    """Two players; there chance deals ranks. There who gives the last card away draws one and goes on, here only the
    own turn makes a player draw: the games part."""

    name = "go_fish"

    def begin(self, random: Random) -> tuple[Point, Any]:
        """A player who is dealt a book gets more cards there: then all are dealt again."""
        here, there = super().begin(random)
        return (here, there) if len(self.dealt) == 14 else self.begin(random)

    def parts(self, here: Point, move: str) -> bool:
        rival = int(move[0])
        hand = here.view(rival).zone("hand", here.table.names.players[rival])
        return all(str(card)[1:-2] == move[2:] for card in hand.cards)

    def gained(self, here: Point) -> list[float]:
        own, other = here.gained
        return [float((own > other) - (own < other)), float((other > own) - (other < own))]

    ranks: ClassVar = dict(zip("abcdefghijklm", ["A", *map(str, range(2, 11)), "J", "Q", "K"], strict=True))

    def table(self) -> Table:
        return ours("go_fish", 2)

    def outcome(self, here: Point) -> int:
        place = 51 - here.untold.unknown.place
        rank = self.ranks[self.dealt[place]]
        return next(card for card in here.outcomes if here.table.names.code(card)[:-1] == rank)

    def move_here(self, text: str) -> str:
        _, player, rank = text.split()
        return f"{seat_of(player)} {rank[0] if rank[0] in 'AJQK' else rank}"

    def move_there(self, text: str) -> str:
        return f"{text[0]} {self.ranks[text[1]]}"
