"""Texas Hold'em in lockstep with OpenSpiel's universal poker."""

import re
from itertools import pairwise
from random import Random
from typing import Any

from interpreter.gametree.tree_node import TreeContext, TreeNode
from tests.adapters.lockstep.pairing import Moves, Pairing, load_changed_tree

UNIT = 12
"""All stakes are multiples of it, so that two, three or four can share every pot: no chip is odd, which there would be
divided."""
SMALLEST, LARGEST = 5, 50
"""Stacks in units, in games without a limit."""
STREETS = "numRounds=4,numSuits=4,numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1"
NOT_REOPENED = "raises by those who have acted, after less than a full raise"
NO_ANSWER = "raises that nobody could answer"
LESS_THAN_FULL = "raises by less than the last full one, after an all-in"
STAKES = """
  define last-deal as 1
  define big-blind as 24
  number your chips starts at 2400
  step turn-up with number amount
    if nobody-bets
      reveal contenders' hand
    turn top amount of deck to board
"""
LIMIT = """
  define smallest-bet as
    2 * big-blind when count of board > 3
    otherwise big-blind
  define largest-bet as smallest-bet
  define raises-allowed as 3
"""
STACKS = f"""
  kind Stack: {SMALLEST} to {LARGEST}
  step setup
    each player
      set your chips to {UNIT} * random of Stack
"""


class FixedLimit(Pairing):
    """One deal of two to four players, who all have chips enough. Here, as there, no cards are burned."""

    name = "universal_poker"
    changes = STAKES + LIMIT

    def begin(self, random: Random) -> tuple[TreeNode, Any]:
        """Start a hand. The last player deals; with two players, the dealer pays the small blind."""
        self.players = random.randint(2, 4)
        self.first_seat = self.players - 1
        blinds, first = ("24 12", "2 1 1 1") if self.players == 2 else ("12 24" + " 0" * (self.players - 2), "3 1 1 1")
        limits = self.limits(random)
        self.settings = f"({STREETS},numPlayers={self.players},blind={blinds},firstPlayer={first},{limits})"
        return super().begin(random)

    def limits(self, random: Random) -> str:
        return "betting=limit,raiseSize=24 24 48 48,maxRaises=3 4 4 4,bettingAbstraction=fcpa"

    def table(self) -> TreeContext:
        return load_changed_tree("texas_holdem", self.players, self.changes, largest_number=LARGEST * UNIT)

    def find_deal_number(self, place: int, shuffle: int) -> int:
        """Return the number of a card. OpenSpiel deals all cards of a hand together."""
        number = 51 - place
        return number if number >= 2 * self.players else 2 * (number % self.players) + number // self.players

    def move_here(self, text: str) -> str:
        return "bet" if text[-1].isdigit() else text.replace("check", "call")

    def move_there(self, text: str) -> str:
        return text.split("move=")[1].lower()

    def choose(self, there: Any, moves: list[str], random: Random) -> str:
        return random.choice([*moves, *2 * [move for move in moves if move != "fold"]])


class NoLimit(FixedLimit):
    """The same without a limit, with stacks that chance draws here. There an all-in that is less than a full raise lets
    everybody raise again, and by so much less; and one may raise whom nobody can answer. Such raises are left out."""

    changes = STAKES + STACKS

    def limits(self, random: Random) -> str:
        self.stacks = [UNIT * random.randint(SMALLEST, LARGEST) for _ in range(self.players)]
        return f"betting=nolimit,stack={' '.join(map(str, self.stacks))},bettingAbstraction=fullgame"

    def outcome(self, here: TreeNode) -> int:
        if here.chance_event.lazy_card is None and here.script.draws:
            return self.stacks[len(here.script.draws) - 1] // UNIT - SMALLEST
        return super().outcome(here)

    def compute_gains(self, here: TreeNode) -> list[float]:
        """Return the gains. In cardlang, they count from 2400."""
        return [each + 2400 - held for each, held in zip(here.gains, self.stacks, strict=True)]

    # ------------------------------------------------------------ moves
    def open(self, here: TreeNode, there: Any) -> Moves:
        """Return the legal moves of both sides.

        OpenSpiel names a bet by the total stake, cardlang by the added amount."""
        mine, theirs = super().open(here, there)
        staked = [int(each) for each in re.findall(r"P\d: (\d+) ", str(there))]
        sizes = {int(move) - max(staked): actions for move, actions in theirs.items() if move.isdigit()}
        full, reason = self.limited(here, there, staked)
        kept = {size: actions for size, actions in sizes.items() if size >= min(full, max(sizes)) and reason is None}
        if len(kept) < len(sizes):
            self.left_out[reason or LESS_THAN_FULL] += 1
        others = {move: actions for move, actions in theirs.items() if not move.isdigit()}
        return mine, others | {str(size): actions for size, actions in kept.items()}

    def limited(self, here: TreeNode, there: Any, staked: list[int]) -> tuple[int, str | None]:
        """Return the last full bet or raise in this betting round, and why no raise is legal, if so.

        `staked`: by seat."""
        found = re.search(r"STATE:0:([^:]*):", str(there))
        assert found is not None
        before, _, now = found[1].rpartition("/")
        tops = [max([2 * UNIT, *compute_stakes(before)]), *compute_stakes(now)]
        full = max([2 * UNIT, *(after - top for top, after in pairwise(tops))])
        others = set(range(self.players)) - {seat for seat, text in here.past_moves if text == "fold"} - {here.seat}
        if all(self.stacks[each] <= max(staked) for each in others):
            return full, NO_ANSWER
        acted = here.seat in [
            seat for seat, _ in here.past_moves[len(here.past_moves) - len(re.findall("[cfr]", now)) :]
        ]
        return full, NOT_REOPENED if acted and max(staked) - staked[here.seat] < full else None

    def move_here(self, text: str) -> str:
        return text.split()[-1].replace("check", "call")

    def move_there(self, text: str) -> str:
        return super().move_there(text).removeprefix("bet")

    def choose(self, there: Any, moves: list[str], random: Random) -> str:
        """Choose a random move; of raises the smallest (three times as likely), the largest or one between, in whole
        units."""
        sizes = sorted(int(move) for move in moves if move.isdigit())
        few = [move for move in moves if not move.isdigit()]
        if sizes:
            between = random.choice([size for size in sizes if size % UNIT == 0])
            few += map(str, (*3 * sizes[:1], sizes[-1], between))
        return super().choose(there, few, random)


def compute_stakes(moves: str) -> list[int]:
    """Return the stakes of players who bet or raised, at that point of the deal."""
    return [int(each) for each in re.findall(r"r(\d+)", moves)]
