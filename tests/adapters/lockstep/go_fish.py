"""Go Fish in lockstep with OpenSpiel."""

from random import Random
from typing import Any, ClassVar

from interpreter.gametree.tree_node import TreeNode
from tests.adapters.lockstep.pairing import Pairing, find_seat
from tests.game_files import read_game

TURN = read_game("lockstep_go_fish")


class GoFish(Pairing):
    """Two to five players, with as many cards there as here; there chance deals ranks. Here, as there, nobody asks
    a player without cards, and a turn ends when there is nobody to ask. The books of each player are compared."""

    name = "go_fish"
    changes = TURN
    ranks: ClassVar = dict(zip("abcdefghijklm", ["A", *map(str, range(2, 11)), "J", "Q", "K"], strict=True))

    def begin(self, random: Random) -> tuple[TreeNode, Any]:
        """Start a game. Deal again if a player is dealt a book, because OpenSpiel then deals more cards."""
        self.players = random.randint(2, 5)
        size = 7 if self.players < 4 else 5
        self.settings = f"(players={self.players},initial_cards={size})"
        here, self.there = super().begin(random)
        return (here, self.there) if len(self.dealt) == self.players * size else self.begin(random)

    def outcome(self, here: TreeNode) -> int:
        rank = self.ranks[self.dealt[51 - here.chance_event.lazy_card.place]]
        return next(card for card in here.outcomes if here.context.names.get_card_code(card)[:-1] == rank)

    def move_here(self, text: str) -> str:
        _, player, rank = text.split()
        return f"{find_seat(player)} {rank[0] if rank[0] in 'AJQK' else rank}"

    def move_there(self, text: str) -> str:
        return f"{text[0]} {self.ranks[text[1]]}"

    def results(self, returns: list[float]) -> list[float]:
        """Return the books, which follow each player's cards in the state. Most books win."""
        return [float(line.split(":")[1]) for line in str(self.there).splitlines() if ":" in line]
