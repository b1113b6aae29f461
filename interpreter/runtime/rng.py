"""Random number generators of a match, equal on every platform.

A seed below 2**64 starts SplitMix64 (Steele, Lea and Flood 2014). Its state is one 64-bit integer that grows by
STATE_STEP with each word, so all states are on one circle. The first state of a seed is its hash, the word after the
state `seed` · STATE_STEP + MIX1. Without the hash, the stream of one seed would be that of the previous seed, one word
later. Records from before this hash name their generator `splitmix64`; their seeds start at `seed` · STATE_STEP + MIX1
itself (`UnhashedSeed`).

Anyone who has seen enough words can find a 64-bit state by trying. So the seeds that are drawn for people are longer
(`draw_seed`). A longer seed starts BLAKE2b (RFC 7693) over a counter. The key is the BLAKE2b-256 of the seed's decimal
digits. Word n, from 0, is the BLAKE2b-64 under that key of n in eight bytes. Key and words are little-endian
numbers. The state is again one integer: a bit that is always set, the key, and the counter in the last 64 bits.

A number below n is the high word of the 128-bit product of n and a 64-bit word. So the probabilities of any two
outcomes differ by less than n in 2**64, relative to the larger one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, reduce
from hashlib import blake2b
from secrets import randbits
from struct import Struct

from interpreter.runtime.state import ChanceSource, State

WORD_MASK = (1 << 64) - 1
STATE_STEP = 0x9E3779B97F4A7C15
STATE_STEP_INVERSE = pow(STATE_STEP, -1, 1 << 64)
"""Inverse of STATE_STEP: its product with a state difference is the number of words drawn."""
MIX1 = 0xBF58476D1CE4E5B9
MIX2 = 0x94D049BB133111EB
KEY_BYTES = 32
"""Length of a long seed's key in bytes."""
KEY_MARK = 1 << 8 * KEY_BYTES
"""Bit above the key that marks the state of a long seed."""
DRAWN_SEED_BITS = 80
"""Random bits of a drawn seed."""
SEED_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
SEED_CODE = re.compile(f"[{SEED_LETTERS}]{{4}}(-[{SEED_LETTERS}]{{4}}){{3}}")
MAX_SEED_BITS = 1024
"""Maximum length of a seed in bits."""
MIN_BATCHED_SHUFFLE = 6
"""Number of items from which a shuffle computes several words together, because that is faster."""
MAX_BATCHED_WORDS = 128
"""Maximum number of words computed together."""
LANE_BITS = 128
"""Bits of a large integer for each word, wide enough for a product of two words."""


class UnhashedSeed(int):
    """Seed below 2**64 of a record from before seeds were hashed."""


def below(state: State, count: int) -> int:
    """Return a random number from 0 to count - 1."""
    rng = state.rng
    if not isinstance(rng, int):
        return rng.below(state, count)
    if rng > WORD_MASK:
        state.rng = rng + 1
        return draw_keyed_word(rng) * count >> 64
    state.rng = word = (rng + STATE_STEP) & WORD_MASK
    word = ((word ^ (word >> 30)) * MIX1) & WORD_MASK
    word = ((word ^ (word >> 27)) * MIX2) & WORD_MASK
    return ((word ^ (word >> 31)) * count) >> 64


def shuffle(state: State, items: list[int]) -> None:
    """Shuffle the items in place. Every order is equally likely (Fisher-Yates, from the end)."""
    rng = state.rng
    if not isinstance(rng, int):
        rng.shuffle(state, items)
        return
    if rng > WORD_MASK:
        for last in range(len(items) - 1, 0, -1):
            other = below(state, last + 1)
            items[last], items[other] = items[other], items[last]
        return
    if len(items) >= MIN_BATCHED_SHUFFLE:
        state.rng = shuffle_in_batches(rng, items)
        return
    for last in range(len(items) - 1, 0, -1):
        rng = (rng + STATE_STEP) & WORD_MASK
        word = ((rng ^ (rng >> 30)) * MIX1) & WORD_MASK
        word = ((word ^ (word >> 27)) * MIX2) & WORD_MASK
        other = ((word ^ (word >> 31)) * (last + 1)) >> 64
        items[last], items[other] = items[other], items[last]
    state.rng = rng


def shuffle_in_batches(rng: int, items: list[int]) -> int:
    """Shuffle the items in place, with many words at a time. Return the next state of the short seed."""
    last = len(items) - 1
    while last > 0:
        count = min(last, MAX_BATCHED_WORDS)
        for word in draw_words(rng, count):
            other = word * (last + 1) >> 64
            items[last], items[other] = items[other], items[last]
            last -= 1
        rng = (rng + count * STATE_STEP) & WORD_MASK
    return rng


def draw_words(rng: int, count: int) -> tuple[int, ...]:
    """Return the next `count` words of a short seed's state.

    SIMD within a large integer: each word has its lane, and all lanes are added, shifted and multiplied together.
    Each operation masks the overflow into the upper half of a lane."""
    ones, low, steps, unpack = build_lane_constants(count)
    large = rng * ones + steps & low
    large = ((large ^ large >> 30) & low) * MIX1 & low
    large = ((large ^ large >> 27) & low) * MIX2 & low
    return unpack((large ^ large >> 31).to_bytes(count * LANE_BITS // 8, "little"))


@cache
def build_lane_constants(count: int) -> tuple[int, int, int, Callable[[bytes], tuple[int, ...]]]:
    """Return the constants for `count` lanes, at most `MAX_BATCHED_WORDS`.

    These are a one in each lane, a mask of their lower halves, and the offsets of the words' states. The last one is
    the function that unpacks the lower halves."""
    ones = sum(1 << LANE_BITS * lane for lane in range(count))
    steps = sum(((lane + 1) * STATE_STEP & WORD_MASK) << LANE_BITS * lane for lane in range(count))
    return ones, ones * WORD_MASK, steps, Struct("<" + "Q8x" * count).unpack


def count_drawn_words(before: int | ChanceSource, after: int | ChanceSource) -> int:
    """Return the number of words drawn between two states of a short seed; 0 for other random states, since it is
    unknown."""
    if not (isinstance(before, int) and isinstance(after, int) and max(before, after) <= WORD_MASK):
        return 0
    return (after - before) * STATE_STEP_INVERSE & WORD_MASK


def iter_move_words(seed: int) -> Iterator[int]:
    """Yield endless words that choose the moves of match number `seed`, independent of the words for its cards.

    SplitMix64 from the word that comes first in the state `seed` · STATE_STEP + MIX2."""
    rng, count = derive_first_state(seed, MIX2), MIN_BATCHED_SHUFFLE
    while True:
        yield from draw_words(rng, count)
        rng = (rng + count * STATE_STEP) & WORD_MASK
        count = min(2 * count, MAX_BATCHED_WORDS)


def derive_first_state(seed: int, purpose: int) -> int:
    """Return the first state of a short seed's stream. Streams for different purposes, MIX1 and MIX2, do not
    overlap."""
    word = (seed * STATE_STEP + purpose + STATE_STEP) & WORD_MASK
    word = ((word ^ (word >> 30)) * MIX1) & WORD_MASK
    word = ((word ^ (word >> 27)) * MIX2) & WORD_MASK
    return word ^ (word >> 31)


def draw_keyed_word(rng: int) -> int:
    """Return the next word of a long seed's state."""
    key = (rng >> 64) - KEY_MARK
    counter = (rng & WORD_MASK).to_bytes(8, "little")
    return int.from_bytes(blake2b(counter, digest_size=8, key=key.to_bytes(KEY_BYTES, "little")).digest(), "little")


def get_seed_state(seed: int | ChanceSource) -> int | ChanceSource:
    """Return the first random state of a seed. A custom `ChanceSource` is returned unchanged."""
    if not isinstance(seed, int):
        return seed
    if seed > WORD_MASK:
        key = blake2b(str(seed).encode(), digest_size=KEY_BYTES).digest()
        return (KEY_MARK + int.from_bytes(key, "little")) << 64
    return (seed * STATE_STEP + MIX1) & WORD_MASK if isinstance(seed, UnhashedSeed) else derive_first_state(seed, MIX1)


def get_generator_name(seed: int) -> str:
    """Return the name of the generator for a seed."""
    if seed > WORD_MASK:
        return "blake2b"
    return "splitmix64" if isinstance(seed, UnhashedSeed) else "splitmix64-hashed"


def draw_seed() -> int:
    """Return a seed that cannot be guessed or found by trying: 80 random bits of the system, below a set bit."""
    return 1 << DRAWN_SEED_BITS | randbits(DRAWN_SEED_BITS)


def format_seed(seed: int) -> str:
    """Return a drawn seed as a code in Crockford's base 32, such as `7ZQ4-0M2K-BW3E-9HXA`; any other as a number."""
    if seed >> DRAWN_SEED_BITS != 1:
        return str(seed)
    letters = "".join(SEED_LETTERS[seed >> bit & 31] for bit in range(DRAWN_SEED_BITS - 5, -1, -5))
    return "-".join(letters[at : at + 4] for at in range(0, len(letters), 4))


def parse_seed(text: str) -> int:
    """Return the seed that `format_seed` wrote. In a code, `o` counts as 0, `i` and `l` count as 1.

    Raise `ValueError` for any other text."""
    code = text.upper().translate(str.maketrans("OIL", "011"))
    if not SEED_CODE.fullmatch(code):
        return int(text)
    values = (SEED_LETTERS.index(letter) for letter in code.replace("-", ""))
    return reduce(lambda seed, value: seed << 5 | value, values, 1)


def check_seed(seed: object) -> int:
    """Return a valid seed. Raise `TypeError` for other types than integers, and `ValueError` for a seed that is too
    long."""
    if not isinstance(seed, int):
        raise TypeError(f"A seed must be a whole number, not {seed!r}.")
    if seed.bit_length() > MAX_SEED_BITS:
        raise ValueError(f"A seed can have at most {MAX_SEED_BITS:,} bits.")
    return seed
