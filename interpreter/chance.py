"""Generate the random numbers of a match, equal on every platform.

A seed below 2**64 starts SplitMix64 (Steele, Lea and Flood 2014). Its state is one 64-bit integer that grows by STEP
with each word, so all states are on one circle. The first state of a seed is its hash, the word after the state
`seed` · STEP + MIX1. Without the hash, the stream of one seed would be that of the previous seed, one word later.
Records from before this hash name their generator `splitmix64`; their seeds start at `seed` · STEP + MIX1 itself
(`Unhashed`).

Anyone who has seen enough words can find a 64-bit state by trying. So the seeds that are drawn for people are longer
(`drawn`). A longer seed starts BLAKE2b (RFC 7693) over a counter. The key is the BLAKE2b-256 of the seed's decimal
digits. Word n, from 0, is the BLAKE2b-64 under that key of n in eight bytes. Key and words are little-endian
numbers. The state is again one integer: a bit that is always set, the key, and the counter in the last 64 bits.

A number below n is the high word of the 128-bit product of n and a 64-bit word. So the probabilities of any two
outcomes differ by less than n in 2**64, relative to the larger one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from hashlib import blake2b
from secrets import randbits
from struct import Struct

from interpreter.state import Chance, State

MASK = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15
UNSTEP = pow(STEP, -1, 1 << 64)
"""Inverse of STEP: its product with a state difference is the number of words drawn."""
MIX1 = 0xBF58476D1CE4E5B9
MIX2 = 0x94D049BB133111EB
KEY = 32
"""Length of a long seed's key in bytes."""
KEYED = 1 << 8 * KEY
"""Bit above the key that marks the state of a long seed."""
LONGEST = 1024
"""Maximum length of a seed in bits."""
FEW = 6
"""Number of items from which a shuffle computes several words together, because that is faster."""
MANY = 128
"""Maximum number of words computed together."""
LANE = 128
"""Bits of a large integer for each word, wide enough for a product of two words."""


class Unhashed(int):
    """Seed below 2**64 of a record from before seeds were hashed."""


def below(state: State, count: int) -> int:
    """Return a random number from 0 to count - 1."""
    rng = state.rng
    if not isinstance(rng, int):
        return rng.below(state, count)
    if rng > MASK:
        state.rng = rng + 1
        return keyed_word(rng) * count >> 64
    state.rng = word = (rng + STEP) & MASK
    word = ((word ^ (word >> 30)) * MIX1) & MASK
    word = ((word ^ (word >> 27)) * MIX2) & MASK
    return ((word ^ (word >> 31)) * count) >> 64


def shuffle(state: State, items: list[int]) -> None:
    """Shuffle the items in place. Every order is equally likely (Fisher-Yates, from the end)."""
    rng = state.rng
    if not isinstance(rng, int):
        rng.shuffle(state, items)
        return
    if rng > MASK:
        for last in range(len(items) - 1, 0, -1):
            other = below(state, last + 1)
            items[last], items[other] = items[other], items[last]
        return
    if len(items) >= FEW:
        state.rng = shuffle_together(rng, items)
        return
    for last in range(len(items) - 1, 0, -1):
        rng = (rng + STEP) & MASK
        word = ((rng ^ (rng >> 30)) * MIX1) & MASK
        word = ((word ^ (word >> 27)) * MIX2) & MASK
        other = ((word ^ (word >> 31)) * (last + 1)) >> 64
        items[last], items[other] = items[other], items[last]
    state.rng = rng


def shuffle_together(rng: int, items: list[int]) -> int:
    """Shuffle the items in place, with many words at a time. Return the next state of the short seed."""
    last = len(items) - 1
    while last > 0:
        count = min(last, MANY)
        for word in words(rng, count):
            other = word * (last + 1) >> 64
            items[last], items[other] = items[other], items[last]
            last -= 1
        rng = (rng + count * STEP) & MASK
    return rng


def words(rng: int, count: int) -> tuple[int, ...]:
    """Return the next `count` words of a short seed's state.

    SIMD within a large integer: each word has its lane, and all lanes are added, shifted and multiplied together.
    Each operation masks the overflow into the upper half of a lane."""
    ones, low, steps, unpack = lanes(count)
    large = rng * ones + steps & low
    large = ((large ^ large >> 30) & low) * MIX1 & low
    large = ((large ^ large >> 27) & low) * MIX2 & low
    return unpack((large ^ large >> 31).to_bytes(count * LANE // 8, "little"))


@cache
def lanes(count: int) -> tuple[int, int, int, Callable[[bytes], tuple[int, ...]]]:
    """Return the constants for `count` lanes, at most MANY.

    These are a one in each lane, a mask of their lower halves, and the offsets of the words' states. The last one is
    the function that unpacks the lower halves."""
    ones = sum(1 << LANE * lane for lane in range(count))
    steps = sum(((lane + 1) * STEP & MASK) << LANE * lane for lane in range(count))
    return ones, ones * MASK, steps, Struct("<" + "Q8x" * count).unpack


def draws(before: int | Chance, after: int | Chance) -> int:
    """Return the number of words drawn between two states of a short seed; 0 for other random states, since it is
    unknown."""
    if not (isinstance(before, int) and isinstance(after, int) and max(before, after) <= MASK):
        return 0
    return (after - before) * UNSTEP & MASK


def stream(seed: int) -> Iterator[int]:
    """Yield the endless words that choose the moves of match number `seed`, independent of those for its cards.

    SplitMix64 from the word that comes first in the state `seed` · STEP + MIX2."""
    rng, count = first_state(seed, MIX2), FEW
    while True:
        yield from words(rng, count)
        rng = (rng + count * STEP) & MASK
        count = min(2 * count, MANY)


def first_state(seed: int, purpose: int) -> int:
    """Return the first state of a short seed's stream. Streams for different purposes, MIX1 and MIX2, do not
    overlap."""
    word = (seed * STEP + purpose + STEP) & MASK
    word = ((word ^ (word >> 30)) * MIX1) & MASK
    word = ((word ^ (word >> 27)) * MIX2) & MASK
    return word ^ (word >> 31)


def keyed_word(rng: int) -> int:
    """Return the next word of a long seed's state."""
    key = (rng >> 64) - KEYED
    counter = (rng & MASK).to_bytes(8, "little")
    return int.from_bytes(blake2b(counter, digest_size=8, key=key.to_bytes(KEY, "little")).digest(), "little")


def seeded(seed: int | Chance) -> int | Chance:
    """Return the first random state of a seed. A custom `Chance` is returned unchanged."""
    if not isinstance(seed, int):
        return seed
    if seed > MASK:
        key = blake2b(str(seed).encode(), digest_size=KEY).digest()
        return (KEYED + int.from_bytes(key, "little")) << 64
    return (seed * STEP + MIX1) & MASK if isinstance(seed, Unhashed) else first_state(seed, MIX1)


def generator(seed: int) -> str:
    """Return the name of the generator for a seed."""
    if seed > MASK:
        return "blake2b"
    return "splitmix64" if isinstance(seed, Unhashed) else "splitmix64-hashed"


def drawn() -> int:
    """Return a seed that cannot be guessed or found by trying: 128 random bits of the system, below a set bit."""
    return 1 << 128 | randbits(128)


def checked(seed: object) -> int:
    """Return a valid seed. Raise `TypeError` for other types than integers, and `ValueError` for a seed that is too
    long."""
    if not isinstance(seed, int):
        raise TypeError(f"A seed must be a whole number, not {seed!r}.")
    if seed.bit_length() > LONGEST:
        raise ValueError(f"A seed can have at most {LONGEST:,} bits.")
    return seed
