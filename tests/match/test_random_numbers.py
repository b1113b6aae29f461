"""Random numbers and seeds of a match."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from interpreter.runtime.rng import below, draw_seed, format_seed, get_seed_state, parse_seed, shuffle
from interpreter.runtime.state import State
from tests.match.conftest import load

LONG = 340282366920938463463374607431768211463
"""2**128 + 7. Its key is what `printf %s SEED | b2sum -l 256` prints, and its words, here as bytes, are those of
`openssl mac -macopt hexkey:KEY -macopt size:8 BLAKE2BMAC` over the counters 0, 1, 2 and 3 in eight bytes, the lowest
first."""
WORDS = ["45F23198D5AE896E", "92CF1C2D35890684", "135D69941274AED1", "181F5F6BCA0A1E3E"]
WHOLE = 1 << 64


def make_state(seed: int) -> State:
    found = State()
    found.rng = get_seed_state(seed)
    return found


def test_long_seed_uses_a_keyed_hash() -> None:
    chance = make_state(LONG)
    words = [int.from_bytes(bytes.fromhex(word), "little") for word in WORDS]
    assert [below(chance, WHOLE) for _ in WORDS] == words
    # Fisher and Yates, by hand: the last place first, each changed with one at or below it.
    items = list("abcde")
    for last, word in zip((4, 3, 2, 1), words, strict=True):
        other = word * (last + 1) // WHOLE
        items[last], items[other] = items[other], items[last]
    shuffled = [0, 1, 2, 3, 4]
    shuffle(make_state(LONG), shuffled)
    assert ["abcde"[at] for at in shuffled] == items


def test_short_seed_uses_splitmix64() -> None:
    # The first numbers of SplitMix64 from 0, as its authors' reference program prints them.
    chance = State()
    chance.rng = 0
    assert [below(chance, WHOLE) for _ in range(3)] == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    assert get_seed_state(-1) == get_seed_state(WHOLE - 1)


@given(st.integers(0, WHOLE - 1), st.integers(0, 120) | st.integers(0, 400))
@example(0, 52)
@example(WHOLE - 1, 52)
def test_batch_shuffle_equals_single_draws(rng: int, size: int) -> None:
    words, shuffled = State(), State()
    words.rng = shuffled.rng = rng
    items, expected = list(range(size)), list(range(size))
    shuffle(shuffled, items)
    for last in range(size - 1, 0, -1):
        other = below(words, last + 1)
        expected[last], expected[other] = expected[other], expected[last]
    assert (items, shuffled.rng) == (expected, words.rng)


def test_every_bit_of_a_long_seed_counts() -> None:
    firsts = {below(make_state(LONG ^ 1 << bit), WHOLE) for bit in range(128)}
    assert len(firsts) == 128


def test_drawn_seeds_are_long_and_distinct() -> None:
    seeds = {draw_seed() for _ in range(100)}
    assert len(seeds) == 100 and all(seed >> 80 == 1 for seed in seeds)
    hearts = load("hearts")
    assert hearts.start(4).seed >> 80 == 1
    assert hearts.start(4) != hearts.start(4)


def test_seed_code_names_one_seed() -> None:
    drawn = draw_seed()
    assert parse_seed(format_seed(drawn)) == drawn and len(format_seed(drawn)) == 19
    assert format_seed(1 << 80) == "0000-0000-0000-0000" and format_seed(2**81 - 1) == "ZZZZ-ZZZZ-ZZZZ-ZZZZ"
    assert parse_seed("0000-0000-0000-00lo") == parse_seed("0000-0000-0000-0010") == (1 << 80) + 32
    for seed in (0, 7, 2**64, 2**80 - 1, 2**81, LONG):
        assert format_seed(seed) == str(seed) and parse_seed(str(seed)) == seed


def test_matches_with_long_seeds_compare_equal(tmp_path: Path) -> None:
    match = load("hearts").start(4, LONG)
    assert match == load("hearts").start(4, LONG) != load("hearts").start(4, LONG + 1)
    random = Random(1)
    for _ in range(80):
        assert match.decision is not None
        match.choose(random.randrange(len(match.decision.moves)))
    clone = match.clone()
    assert clone == match and hash(clone) == hash(match) and isinstance(clone.state.rng, int)
    match.rewind_to(12)
    for code in clone.choices[12:]:
        match.choose(match.state.legal.index(code))
    assert match == clone
    sample = match.sample(0, 1)
    assert sample.view(0).log == match.view(0).log and isinstance(sample.state.rng, int)


@pytest.mark.parametrize("seed", [1 << 1024, -(1 << 1024)])
def test_oversized_seed_is_rejected(seed: int) -> None:
    with pytest.raises(ValueError, match=r"^A seed can have at most 1,024 bits\.$"):
        load("hearts").start(4, seed)
    load("hearts").start(4, (seed - 1) if seed > 0 else seed + 1)
