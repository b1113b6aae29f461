"""Hearts in lockstep with OpenSpiel."""

from random import Random
from typing import Any

from interpreter.gametree.tree_node import TreeNode
from tests.adapters.lockstep.pairing import DEAL, Pairing, convert_card_code, convert_card_title


class Hearts(Pairing):
    """One deal, with each of the four passes. There, too, the queen of spades can be kept from breaking hearts."""

    name = "hearts"
    settings = "(qs_breaks_hearts=False)"
    players = 4
    passes = ("Left", "Right", "Across", "No Pass")

    def begin(self, random: Random) -> tuple[TreeNode, Any]:
        here, there = super().begin(random)
        if self.dealt[0] == "No Pass":
            return here, there
        here = self.settle_chance(here)
        for _ in range(4):
            assert {convert_card_code(there.action_to_string(0, each)) for each in there.legal_actions()} == {
                str(card)[1:-1]
                for card in here.view(here.seat).zone("hand", here.context.names.players[here.seat]).cards
            }
            wanted = random.sample(there.legal_actions(), 3)
            names = {convert_card_code(there.action_to_string(0, each)) for each in wanted}
            for each in wanted:
                there.apply_action(each)
            for _ in range(3):
                here = here.play_action(
                    next(action for action, text in here.texts_by_action.items() if convert_card_title(text) in names)
                )
        return here, there

    @property
    def changes(self) -> str:
        return f"\n  step play\n    set deals to {self.passes.index(self.dealt[0]) + 1}\n{DEAL}"

    def find_deal_number(self, place: int, shuffle: int) -> int:
        return 1 + place

    def results(self, returns: list[float]) -> list[float]:
        return [26 - each for each in returns]
