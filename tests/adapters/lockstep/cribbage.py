"""Cribbage in lockstep with OpenSpiel."""

from __future__ import annotations

from random import Random
from typing import Any

from interpreter.gametree.tree_node import TreeNode
from tests.adapters.lockstep.pairing import Moves, Pairing, convert_card_code, convert_card_title

CHANGES = """
  step play
    repeat
      do round
      do ending
      set dealer to dealer's left
  step ending
    if any player has score >= 121
      finish game
  step round
    move (players' hand, crib, starter) to deck
    shuffle deck
    each player
      deal top 6 of deck to your hand
    together each player
      you put 2 from your hand to crib
    turn top of deck to starter
    if starter's rank = Jack
      add 2 to dealer's score
      do ending
    do pegging
    each card in played
      return that card to its owner's hand
    do show
  step show
    each player from dealer's left
      reveal your hand
      add your points to your score
    reveal crib
    add worth of (crib, starter) to dealer's score
    if (crib, starter) is Flush
      add 5 to dealer's score
    otherwise if crib is Flush
      add 4 to dealer's score
  step your turn
    you play 1 from your playable to table
    if tally = 15
      add 2 to your score
    if tally = 31
      add 1 to your score
    set length to count of table
    repeat until length < 2 or top length of table is Run or top length of table is Match
      subtract 1 from length
    if top length of table is Run
      add length to your score
    if top length of table is Match
      add length * (length - 1) to your score
    if tally != 31
      do ending
    if players' playable is empty
      add 1 to your score
      move table to played
      if players' hand is not empty
        do ending
"""
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
    left_out_rule = "whenever any player has score"

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
