"""The random numbers of a match, the same on every platform.

A seed below 2**64 starts SplitMix64 (Steele, Lea and Flood 2014). Its state is one 64-bit integer that grows by STEP
with each word, so all states are on one circle. The first state of a seed is a hash of it, the word after the state
`seed` · STEP + MIX1: otherwise the stream of one seed would be that of the seed before it, one word later. Records
made before this hash was added name their generator `splitmix64`; their seeds start at `seed` · STEP + MIX1 itself
(`Unhashed`).

Anyone who has seen enough words can find a 64-bit state by trying. So the seeds that are drawn for people are longer
(`drawn`). A longer seed starts BLAKE2b (RFC 7693) over a counter: the key is the BLAKE2b-256 of the seed's decimal
digits, and word n, from 0, is the BLAKE2b-64 under that key of n in eight bytes; both are read as little-endian
numbers. The state is again one integer: a bit that is always set, the key, and the counter in the last 64 bits.

A number below n is the high word of the 128-bit product of n and a 64-bit word, so the least likely of n outcomes is
rarer than the likeliest by less than n in 2**64.
"""

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
"""Times this, so many steps are their number."""
MIX1 = 0xBF58476D1CE4E5B9
MIX2 = 0x94D049BB133111EB
KEY = 32
"""So many bytes has the key of a long seed."""
KEYED = 1 << 8 * KEY
"""The bit over the key, which tells such a state from a short one."""
LONGEST = 1024
"""So many bits has a seed at most."""
FEW = 6
"""Fewer items are shuffled word by word: to work out their words together would take longer."""
MANY = 128
"""So many words are worked out together at most."""
LANE = 128
"""So many bits of a large number are for one word: its product with another word has room there."""


class Unhashed(int):
    """Seed below 2**64 of a record from before seeds were hashed."""


def below(state: State, count: int) -> int:
    """A number from 0 to count - 1."""
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
    """Every order of the items is equally likely (Fisher and Yates, from the end)."""
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
    """The same with many words at a time. Gives the state of the short seed afterwards."""
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
    """So many words that come next in the state of a short seed. Each lies in a lane of one large number, so that all
    are added to, shifted and multiplied at once; what spills into the upper half of a lane is cut off each time."""
    ones, low, steps, unpack = lanes(count)
    large = rng * ones + steps & low
    large = ((large ^ large >> 30) & low) * MIX1 & low
    large = ((large ^ large >> 27) & low) * MIX2 & low
    return unpack((large ^ large >> 31).to_bytes(count * LANE // 8, "little"))


@cache
def lanes(count: int) -> tuple[int, int, int, Callable[[bytes], tuple[int, ...]]]:
    """Of so many lanes, at most MANY: a one in each; their lower halves full of ones; how far each word's state is from
    the one before the first; what takes the lower halves out of all bytes."""
    ones = sum(1 << LANE * lane for lane in range(count))
    steps = sum(((lane + 1) * STEP & MASK) << LANE * lane for lane in range(count))
    return ones, ones * MASK, steps, Struct("<" + "Q8x" * count).unpack


def draws(before: int | Chance, after: int | Chance) -> int:
    """How many numbers were drawn between two states of a short seed; of another chance that is not known: 0."""
    if not (isinstance(before, int) and isinstance(after, int) and max(before, after) <= MASK):
        return 0
    return (after - before) * UNSTEP & MASK


def stream(seed: int) -> Iterator[int]:
    """Words without end that choose the moves of match number `seed`, apart from those of its cards: SplitMix64 from
    the word that comes first in the state `seed` · STEP + MIX2."""
    rng, count = first_state(seed, MIX2), FEW
    while True:
        yield from words(rng, count)
        rng = (rng + count * STEP) & MASK
        count = min(2 * count, MANY)


def first_state(seed: int, purpose: int) -> int:
    """Return where the stream of a short seed begins. Streams for different purposes, MIX1 and MIX2, do not overlap."""
    word = (seed * STEP + purpose + STEP) & MASK
    word = ((word ^ (word >> 30)) * MIX1) & MASK
    word = ((word ^ (word >> 27)) * MIX2) & MASK
    return word ^ (word >> 31)


def keyed_word(rng: int) -> int:
    """The word that comes next in the state of a long seed."""
    key = (rng >> 64) - KEYED
    counter = (rng & MASK).to_bytes(8, "little")
    return int.from_bytes(blake2b(counter, digest_size=8, key=key.to_bytes(KEY, "little")).digest(), "little")


def seeded(seed: int | Chance) -> int | Chance:
    """The first random state of a seed; a chance of its own stays what it is."""
    if not isinstance(seed, int):
        return seed
    if seed > MASK:
        key = blake2b(str(seed).encode(), digest_size=KEY).digest()
        return (KEYED + int.from_bytes(key, "little")) << 64
    return (seed * STEP + MIX1) & MASK if isinstance(seed, Unhashed) else first_state(seed, MIX1)


def generator(seed: int) -> str:
    """The name of what makes the numbers of a seed."""
    if seed > MASK:
        return "blake2b"
    return "splitmix64" if isinstance(seed, Unhashed) else "splitmix64-hashed"


def drawn() -> int:
    """A seed that nobody can guess or find by trying: 128 bits of chance from the system, below a bit that is set."""
    return 1 << 128 | randbits(128)


def checked(seed: object) -> int:
    """A seed that somebody gave. Raises TypeError for what is no whole number, ValueError for one that is too long."""
    if not isinstance(seed, int):
        raise TypeError(f"A seed is a whole number, not {seed!r}.")
    if seed.bit_length() > LONGEST:
        raise ValueError(f"A seed has at most {LONGEST:,} bits.")
    return seed
