"""Spades beside OpenSpiel's."""

from __future__ import annotations

from typing import Any

from interpreter.trees.point import Point, Table
from tests.adapters.lockstep.pairing import Moves, Pairing, cards_of, code, named_card, one_deal, ours


class Spades(Pairing):
    """One deal, the first seat bids first. Here, as there, partners bid no more than 13 together, and the tricks of a
    failed nil help the partner's contract. There spades can never be led beside other cards, even when broken: then
    the whole hand must be open here, and these leads are left out."""

    name = "spades"

    def table(self) -> Table:
        return ours(
            "spades", 4,
            one_deal("any Team has (points >= 500 or points <= -200)"),
            ("from 0 to 13", "from 0 to 13 - your partner's bid"),
            ("total of (members where bid > 0)'s tricks", "total of members' tricks"),
        )  # fmt: skip

    def outcome(self, here: Point) -> int:
        unknown = here.untold.unknown
        return 3 if unknown is None else cards_of(here)[code(self.dealt[unknown.place])]

    def open(self, here: Point, there: Any) -> Moves:
        mine, theirs = super().open(here, there)
        played = [named_card(text) for _, text in here.past if "[" in text]
        if len(played) % 4 == 0 and any(card.endswith("s") for card in played):
            assert len(mine) == 13 - len(played) / 4, f"not all of the hand can be led: {mine.keys()}"
            extra = {move for move in mine if move not in theirs and move.endswith("s")}
            mine = {move: texts for move, texts in mine.items() if move not in extra}
            self.left_out["leads of spades that were broken"] += bool(extra)
        return mine, theirs

    def move_here(self, text: str) -> str:
        return named_card(text) if "[" in text else text

    def move_there(self, text: str) -> str:
        return "0" if text == "Nil" else text if text.isdigit() else code(text)
