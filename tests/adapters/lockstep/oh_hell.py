"""Oh Hell in lockstep with OpenSpiel."""

from random import Random
from typing import Any

from interpreter.gametree.tree_node import TreeNode
from tests.adapters.lockstep.pairing import DEAL, Pairing, convert_card_code, find_card

SCORING = """
  step scoring
    each player
      add your tricks to your score
    each player where tricks = bid
      add 10 to your score
"""


class OhHell(Pairing):
    """Three players, one deal of a size that chance chooses there. Here, as there, each trick is then worth a point
    to everybody."""

    name = "oh_hell"
    players = 3

    @property
    def size(self) -> int:
        return int(self.dealt[0])

    @property
    def changes(self) -> str:
        return f"\n  step play\n    set deals to {11 - self.size}\n{DEAL}{SCORING}"

    def outcome(self, here: TreeNode) -> int:
        if here.chance_event.lazy_card is None:
            return int(self.dealt[1])
        place = 51 - here.chance_event.lazy_card.place
        order = place // self.size + 3 * (place % self.size) if place < 3 * self.size else place
        if order > 3 * self.size:  # a card that stays in the deck
            dealt = {find_card(here, each) for each in self.dealt[2:]}
            return next(card for card in here.outcomes if card not in dealt)
        return find_card(here, self.dealt[2 + order])

    def deal(self, there: Any, random: Random) -> None:
        while there.is_chance_node():
            outcomes = [action for action, _ in there.chance_outcomes()]
            outcome = random.choice(outcomes if self.dealt else outcomes[:10])
            self.dealt.append(there.action_to_string(-1, outcome))
            there.apply_action(outcome)

    def move_there(self, text: str) -> str:
        return text if text.isdigit() else convert_card_code(text)
