"""Cribbage in lockstep with OpenSpiel."""

from random import Random
from typing import Any

from interpreter.gametree.tree_node import TreeNode
from tests.adapters.lockstep.pairing import Moves, Pairing, convert_card_code, convert_card_title
from tests.game_files import read_game

CHANGES = read_game("lockstep_cribbage")
"""`move Pack to deck` names its piles here, as what is in them is not known to both players."""


class Cribbage(Pairing):
    """Whole games, to 121. There both cards for the crib are one move, and who cannot play passes. There what a move
    scores is counted in full even if somebody has 121, and so are all hands and the crib if the move ends the play of a
    deal: here, too, the game then ends only after that. There four cards of a suit count in the crib as in a hand:
    here, too."""

    name = "cribbage"
    settings = "(winner_bonus_reward=0.0)"
    players = 2
    changes = CHANGES
    left_out_rule = "whenever match-over"

    def find_deal_number(self, place: int, shuffle: int) -> int:
        return 13 * shuffle + 51 - place

    def deal(self, there: Any, random: Random) -> None:
        super().deal(there, random)
        while [there.action_to_string(each) for each in there.legal_actions()] == ["Pass"]:
            there.apply_action(*there.legal_actions())
            super().deal(there, random)

    def open(self, here: TreeNode, there: Any) -> Moves:
        mine, theirs = super().open(here, there)
        if any(" " in move for move in theirs):
            mine = {move: texts for first in here.texts_by_action.values() for move, texts in list_pairs(here, first)}
        return mine, theirs

    def move_there(self, text: str) -> str:
        return " ".join(sorted(convert_card_code(card) for card in text.split()[1:]))


def list_pairs(here: TreeNode, first: str) -> list[tuple[str, tuple[str, str]]]:
    """Return the choices of two cards that begin with this one."""
    match = here.match.clone()
    match.choose(first)
    assert match.decision is not None
    seconds = match.decision.moves.texts
    return [
        (" ".join(sorted((convert_card_title(first), convert_card_title(each)))), (first, each)) for each in seconds
    ]
