"""Larger games in lockstep with OpenSpiel: same deal, same moves, same results.

Each `Pairing` sets up a game so that the rules of both sides agree, and translates cards and moves."""

from tests.adapters.lockstep.crazy_eights import CrazyEights, CrazyEightsByChoice
from tests.adapters.lockstep.cribbage import Cribbage
from tests.adapters.lockstep.dou_dizhu import DouDizhu
from tests.adapters.lockstep.euchre import Euchre
from tests.adapters.lockstep.gin_rummy import GinRummy
from tests.adapters.lockstep.go_fish import GoFish
from tests.adapters.lockstep.hearts import Hearts
from tests.adapters.lockstep.oh_hell import OhHell
from tests.adapters.lockstep.pairing import Pairing
from tests.adapters.lockstep.skat import Skat
from tests.adapters.lockstep.spades import Spades
from tests.adapters.lockstep.texas_holdem import FixedLimit, NoLimit

PAIRINGS: tuple[type[Pairing], ...] = (
    Hearts, GoFish, OhHell, CrazyEights, CrazyEightsByChoice, Spades, Euchre,
    DouDizhu, Skat, Cribbage, GinRummy, FixedLimit, NoLimit,
)  # fmt: skip
