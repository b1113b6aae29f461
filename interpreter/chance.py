"""The random numbers of a match: SplitMix64 (Steele, Lea and Flood 2014), the same on every platform.

The state is one 64-bit integer kept in the match. A number below n is the high word of a 64-bit product, so the
least likely of n outcomes is rarer than the likeliest by less than n in 2**64.
"""

from __future__ import annotations

from interpreter.state import Chance, State

MASK = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15
MIX1 = 0xBF58476D1CE4E5B9
MIX2 = 0x94D049BB133111EB


def below(state: State, count: int) -> int:
    """A number from 0 to count - 1."""
    rng = state.rng
    if not isinstance(rng, int):
        return rng.below(state, count)
    state.rng = word = (rng + STEP) & MASK
    word = ((word ^ (word >> 30)) * MIX1) & MASK
    word = ((word ^ (word >> 27)) * MIX2) & MASK
    return ((word ^ (word >> 31)) * count) >> 64


def shuffle(state: State, items: list[int]) -> None:
    """Every order of the items is equally likely (Fisher and Yates, from the end)."""
    rng = state.rng
    if not isinstance(rng, int):
        rng.shuffle(state, items)
        return
    for last in range(len(items) - 1, 0, -1):
        rng = (rng + STEP) & MASK
        word = ((rng ^ (rng >> 30)) * MIX1) & MASK
        word = ((word ^ (word >> 27)) * MIX2) & MASK
        other = ((word ^ (word >> 31)) * (last + 1)) >> 64
        items[last], items[other] = items[other], items[last]
    state.rng = rng


def seeded(seed: int | Chance) -> int | Chance:
    """The first random state of a seed (any integer); a chance of its own stays what it is."""
    if not isinstance(seed, int):
        return seed
    return (seed * STEP + MIX1) & MASK
