"""Spades in lockstep with OpenSpiel."""

from typing import Any

from interpreter.gametree.tree_node import TreeNode
from tests.adapters.lockstep.pairing import ONE_DEAL, Moves, Pairing, convert_card_code, convert_card_title
from tests.game_files import read_game

CHANGES = read_game("lockstep_spades")


class Spades(Pairing):
    """One deal, the first seat bids first. Here, as there, partners bid no more than 13 together, and the tricks of a
    failed nil help the partner's contract. There spades can never be led beside other cards, even when broken: then
    the whole hand must be open here, and these leads are left out."""

    name = "spades"
    players = 4
    changes = ONE_DEAL + CHANGES
    first_seat = 3

    def find_deal_number(self, place: int, shuffle: int) -> int:
        return place

    def open(self, here: TreeNode, there: Any) -> Moves:
        mine, theirs = super().open(here, there)
        played = [convert_card_title(text) for _, text in here.past_moves if "[" in text]
        if len(played) % 4 == 0 and any(card.endswith("s") for card in played):
            assert len(mine) == 13 - len(played) / 4, f"not all of the hand can be led: {mine.keys()}"
            extra = {move for move in mine if move not in theirs and move.endswith("s")}
            mine = {move: texts for move, texts in mine.items() if move not in extra}
            self.left_out["leads of spades that were broken"] += bool(extra)
        return mine, theirs

    def move_there(self, text: str) -> str:
        return "0" if text == "Nil" else text if text.isdigit() else convert_card_code(text)
