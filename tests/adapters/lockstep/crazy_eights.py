"""Crazy Eights in lockstep with OpenSpiel."""

from random import Random
from typing import Any, ClassVar

from interpreter.gametree.tree_node import TreeNode
from tests.adapters.lockstep.pairing import ONE_DEAL, Moves, Pairing, convert_card_code, convert_card_title, find_card
from tests.game_files import read_game

COSTS = read_game("lockstep_crazy_eights_costs")
TURN = read_game("lockstep_crazy_eights")
DRAW_UNTIL_PLAYABLE = """
    repeat until your playable is not empty or deck is empty
      draw top of deck to your hand
      do restock
"""
DRAW_BY_CHOICE = """
    repeat until you pass
      if your playable is not empty or deck is empty
        you may draw 1 from top of deck to your hand
      otherwise
        draw top of deck to your hand
      do restock
"""


class CrazyEights(Pairing):
    """Two to five players, one deal. There one may draw beside cards that can be played: this move is left out. Draws
    that cannot be helped are nobody's choice here; there they are made. An eight turned up first is put back there and
    another card drawn: that one is turned up here. Here, as there, the stock is filled up as soon as it runs out, and
    cards cost the same (a number card four times its number, less six, and up to three by its suit). The winner gets
    what the others pay there."""

    name = "crazy_eights"
    draws: ClassVar = DRAW_UNTIL_PLAYABLE

    def begin(self, random: Random) -> tuple[TreeNode, Any]:
        self.players = random.randint(2, 5)
        self.settings = f"(players={self.players},reshuffle=True,max_draw_cards=1000,max_turns=10000)"
        here, there = super().begin(random)
        turned = 1 + self.players * self.size
        while self.dealt[turned].endswith("8"):
            del self.dealt[turned]
        self.told = 0
        return here, there

    @property
    def size(self) -> int:
        return 7 if self.players == 2 else 5

    @property
    def changes(self) -> str:
        return ONE_DEAL + COSTS + TURN.replace("    DRAWS\n", self.draws.lstrip("\n"))

    def deal(self, there: Any, random: Random) -> None:
        """Deal, and make the draws and passes that are forced in OpenSpiel."""
        super().deal(there, random)
        while [there.action_to_string(each) for each in there.legal_actions()] in (["Draw"], ["Pass"]):
            there.apply_action(*there.legal_actions())
            super().deal(there, random)

    def outcome(self, here: TreeNode) -> int:
        """Return the next card. `told` is the position of the last one in the dealt order."""
        unknown = here.chance_event.lazy_card
        if unknown is None:
            return (self.dealer + 1) % self.players
        if unknown.shuffle > 0:
            self.told = next(
                place for place in range(self.told + 1, len(self.dealt)) if self.card(here, place) in here.outcomes
            )
            return self.card(here, self.told)
        place = 52 - unknown.place
        if place <= self.players * self.size:
            seat, card = divmod(place - 1, self.size)
            place = 1 + card * self.players + (seat - self.dealer - 1) % self.players
        self.told = max(self.told, place)
        return self.card(here, place)

    @property
    def dealer(self) -> int:
        return int(self.dealt[0].split()[2])

    def card(self, here: TreeNode, place: int) -> int:
        return find_card(here, self.dealt[place])

    def open(self, here: TreeNode, there: Any) -> Moves:
        mine, theirs = super().open(here, there)
        if theirs.pop("Draw", None):
            self.left_out["drawing in spite of a card that can be played"] += 1
        return mine, theirs

    def choose(self, there: Any, moves: list[str], random: Random) -> str:
        """Choose a random move. Eights and draws are rare, so that some eights remain at the end."""
        rest = [move for move in moves if move[0] != "8" and move != "Draw"]
        return random.choice(rest if rest and random.random() < 0.8 else moves)

    def move_here(self, text: str) -> str:
        return convert_card_title(text) if "[" in text else text[0]

    def move_there(self, text: str) -> str:
        return convert_card_code(text.split()[1]) if text.startswith("Play") else text.split()[-1]

    def results(self, returns: list[float]) -> list[float]:
        return [0.0 if each else -sum(returns) for each in returns]


class CrazyEightsByChoice(CrazyEights):
    """The same, but here, too, one may draw beside cards that can be played."""

    draws: ClassVar = DRAW_BY_CHOICE

    def open(self, here: TreeNode, there: Any) -> Moves:
        """Return the legal moves of both sides. Passes that only OpenSpiel allows are left out."""
        mine, theirs = Pairing.open(self, here, there)
        if theirs.pop("Pass", None):
            assert "cards left in deck: 0" in str(there) and theirs, f"a pass where there are moves\n{there}"
            self.left_out["passing in spite of a card that can be played"] += 1
        if "pass" in here.texts_by_action.values():
            after = here.match.clone()
            after.choose("pass")
            cards = {self.move_here(text): ("pass", text) for text in after.decision.moves.texts}
            mine = {"Draw": ("draw 1",), **cards}
        return mine, theirs
