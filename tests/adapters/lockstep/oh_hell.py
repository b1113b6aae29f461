"""Oh Hell in lockstep with OpenSpiel."""

from __future__ import annotations

from random import Random
from typing import Any

from interpreter.gametree.tree_node import TreeContext, TreeNode
from tests.adapters.lockstep.pairing import (
    Pairing,
    convert_card_code,
    convert_card_title,
    find_cards,
    load_changed_tree,
)

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

    @property
    def size(self) -> int:
        return int(self.dealt[0])

    def table(self) -> TreeContext:
        deals = 11 - self.size
        return load_changed_tree("oh_hell", 3, f"\n  step play\n    set deals to {deals}\n    do round\n{SCORING}")

    def outcome(self, here: TreeNode) -> int:
        if here.chance_event.lazy_card is None:
            return int(self.dealt[1])
        place = 51 - here.chance_event.lazy_card.place
        order = place // self.size + 3 * (place % self.size) if place < 3 * self.size else place
        if order > 3 * self.size:  # a card that stays in the deck
            return next(
                card
                for card in here.outcomes
                if card not in map(find_cards(here).get, map(convert_card_code, self.dealt[2:]))
            )
        return find_cards(here)[convert_card_code(self.dealt[2 + order])]

    def deal(self, there: Any, random: Random) -> None:
        while there.is_chance_node():
            outcomes = [action for action, _ in there.chance_outcomes()]
            outcome = random.choice(outcomes if self.dealt else outcomes[:10])
            self.dealt.append(there.action_to_string(-1, outcome))
            there.apply_action(outcome)

    def move_here(self, text: str) -> str:
        return convert_card_title(text) if "[" in text else text

    def move_there(self, text: str) -> str:
        return text if text.isdigit() else convert_card_code(text)
