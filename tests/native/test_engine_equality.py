"""The native engine plays and ranks like Python."""

import ctypes
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from pathlib import Path

import pytest

import cardlang
from cardlang import storage
from interpreter.codegen.c.c_hand_rankings import is_direct_pattern
from interpreter.native.engine import NO_FAULT, NativeEngine, build_engine, serialize_state
from interpreter.program.program import compile_game
from interpreter.runtime.state import State
from tests.game_files import read_game
from tests.native.following import QUICK, find_constructs, follow, needs_compiler, needs_either
from tests.native.hands import NOUN, Hands, Table, build_row
from tests.shipped import Cast, casts, load

pytestmark = needs_either
RARE = Path(__file__).parent / "odds_and_ends.cardgame"
"""Plays what the shipped games have seldom or not at all, and keeps what comes of it in numbers of the players."""
GROUPS = read_game("groups")
"""Rankings of which a look at the cards tells whether they make one."""
SEEDS, MOST_DECISIONS, FEWER = range(3), 100, 2000
COMPILED = ("kuhn_poker", "tall_card", "tail_story", "tall_tales", "hearts", "go_fish", "rummy_500", "scopa")


@cache
def engine(cast: Cast, *makers: str) -> NativeEngine:
    return build_engine(load(cast.game, cast.variant), cast.players, makers)


@pytest.mark.slow
@pytest.mark.parametrize("cast", casts(), ids=str)
def test_both_engines_agree_at_every_decision(cast: Cast) -> None:
    program = compile_game(load(cast.game, cast.variant), cast.players)
    for seed in SEEDS:
        assert follow(program, engine(cast, *QUICK), seed, MOST_DECISIONS) > 0


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("name", COMPILED)
def test_system_compiler_agrees_with_python(name: str) -> None:
    game = load(name)
    compiled = engine(Cast(name, game.seats[0]), "compiler")
    for seed in range(20):
        follow(compile_game(game, game.seats[0]), compiled, seed, MOST_DECISIONS)


def test_match_can_end_before_the_first_draw() -> None:
    """The opening, played once for all matches, ends the match unless the drawn goal is higher than the start."""
    game = cardlang.loads("""game "Race" for 2 players
kind Value: 1 to 9
cards Cards in deck
  4 of each Value
zone deck seen by nobody
zone your hand seen by owner
number your luck
number your score starts at 2
step play
  if any player has score >= (total of players' luck)
    finish play
  shuffle deck
  each player
    you choose n from 1 to 9
""")
    match, native = game.start(["Ann", "Bob"], 1), build_engine(game, 2, QUICK)
    assert match.over and match.decision is None
    assert native.start(1) == NO_FAULT and serialize_state(match.state) == native.read_state_numbers()


@pytest.mark.parametrize("name", ["leduc_poker", "tall_card", "scopa", "goofspiel", "ninety_nine"])
def test_state_round_trips_through_c(name: str) -> None:
    game = load(name)
    program, native = compile_game(game, game.seats[0]), engine(Cast(name, game.seats[0]), *QUICK)
    state = program.start(5)
    for decision in range(60):
        assert native.load(state)
        back = native.read_state()
        for slot in State.__slots__:
            if slot != "frames":
                assert getattr(back, slot) == getattr(state, slot), slot
        assert serialize_state(back) == serialize_state(state)
        if state.who < 0:
            break
        code = state.legal[decision * 7 % len(state.legal)]
        assert native.apply(code) == NO_FAULT
        program.apply(back, code)
        program.apply(state, code)
        assert serialize_state(back) == serialize_state(state) == native.read_state_numbers()


DAMAGE: dict[str, Callable[[State], object]] = {
    "a card that there is not": lambda s: s.z[0].append(999),
    "a card twice": lambda s: s.z[0].append(s.z[0][0]),
    "a card that lies nowhere": lambda s: s.z[0].pop(),
    "a pile that there is not": lambda s: s.loc.__setitem__(0, 77),
    "a card too many": lambda s: s.loc.append(0),
    "a number too few": lambda s: s.t.pop(),
    "a seat that there is not": lambda s: setattr(s, "who", 2),
    "an owner that there is not": lambda s: s.owner.__setitem__(0, -2),
    "known to strangers": lambda s: s.known.__setitem__(0, -1),
    "more players": lambda s: s.alive.append(0),
    "a block that there is not": lambda s: s.frames[-1].__setitem__(0, 10**6),
    "a block before the first": lambda s: s.frames[-1].__setitem__(0, -(1 << 62)),
    "nothing going on": lambda s: s.frames.clear(),
    "too much going on": lambda s: s.frames.extend([s.frames[0]] * 500),
    "nothing to choose from": lambda s: s.legal.clear(),
    "a list that is too long": lambda s: s.picks.extend([0] * 100_000),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_invalid_state_is_rejected(what: str) -> None:
    program, native = compile_game(load("leduc_poker"), 2), engine(Cast("leduc_poker", 2), *QUICK)
    state = deepcopy(program.start(5))
    code = state.legal[0]
    assert native.load(state) and len(native.run_playouts(state, code, 3, 1, 50)) == 3
    DAMAGE[what](state)
    assert not native.load(state)
    assert native.run_playouts(state, code, 3, 1, 50) == []


def test_invalid_playout_counts_are_rejected() -> None:
    program, native = compile_game(load("leduc_poker"), 2), engine(Cast("leduc_poker", 2), *QUICK)
    state = program.start(5)
    assert len(native.play_matches(1, 0, 100)) == 0 and native.run_playouts(state, state.legal[0], 0, 1, 50) == []
    for count in (-1, 10**9, 10**30):
        with pytest.raises(ValueError, match="are not played in one call"):
            native.play_matches(1, count, 100)
        with pytest.raises(ValueError, match="are not played in one call"):
            native.run_playouts(state, state.legal[0], count, 1, 50)


# ---------------------------------------------------------------- rare forms
@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3])
def test_rare_constructs_play_equally(players: int) -> None:
    game = cardlang.load(RARE)
    program, native = compile_game(game, players), build_engine(game, players, QUICK)
    rare = {"catches", "TestOf", "fulfilling()", "more_picks()", "subsets()", "larger_groups()", "descending()"}
    rare |= {"highest_reading()", "lowest_reading()"}
    assert rare <= find_constructs(program)
    assert sum(follow(program, native, seed, most=200) for seed in range(20)) > 500


def test_group_lookup_equals_search() -> None:
    """The Python searches."""
    game = cardlang.loads(GROUPS)
    program = compile_game(game, 2)
    readers = [program.readings.find_evaluator(name) for name in game.rankings]
    assert all(is_direct_pattern(pattern) for reader in readers for rank in reader.ranks for pattern in rank)
    native, found = build_engine(game, 2, QUICK), set[int]()
    for seed in range(30):
        assert follow(program, native, seed, most=200) == 16
        found.update(native.read_results()[1])
    assert any(score % 100 for score in found) and any(score // 10000 for score in found)


# ---------------------------------------------------------------- hands
@pytest.mark.parametrize(
    "table",
    [Table("tall", "Tp", "claimer"), Table("tall", "Tp", None), Table("tall", "TRdD", "claimer", "RdD")],
    ids=str,
)
def test_both_engines_rank_hands_equally(table: Table) -> None:
    assert len(read_in_both("tall_card", NOUN, table, size=5)) > 10, "many ranks occur"


@pytest.mark.parametrize("bits", [4, None])
@pytest.mark.parametrize(("size", "count"), [(4, 3000), (6, 1000)])
def test_cached_native_hands_rank_equally(size: int, count: int, bits: int | None) -> None:
    """By a memory that is soon full, and by one that is not. The card on the board may be in the hand too."""
    program = compile_game(cardlang.load("texas_holdem"), 2)
    assert len(check_equal_readings(Hands(program, Table("board", "2c", None), size, count, orders=3, bits=bits))) > 6


@pytest.mark.parametrize("name", ["tall_card", "tall_card_fan"])
def test_wild_cards_in_any_order_rank_equally(name: str) -> None:
    dragon, marker = {"tall_card": ("RdD", "TRdD"), "tall_card_fan": (None, "Tpl")}[name]
    hands = Hands(compile_game(cardlang.load(name), 2), Table("tall", marker, "claimer", dragon), 5, 3000, orders=4)
    assert len(check_equal_readings(hands)) > 6


def test_wild_cards_with_options_rank_equally() -> None:
    assert len(read_in_both("tall_card_fan", NOUN, Table("tall", "Tpl", "claimer"), size=5, count=1000)) > 6


def test_late_checked_traits_rank_equally() -> None:
    assert len(read_in_both(str(RARE), "odd", Table("table", "1A", None), size=5, count=300)) > 3


def test_wild_card_tie_breaks_rank_equally() -> None:
    read_in_both(str(RARE), "even", Table("table", "1A", None), size=5, count=300)


@pytest.mark.parametrize("noun", ["melds", "plain"])
def test_both_engines_split_hands_equally(noun: str) -> None:
    read_in_both(str(RARE), noun, Table("table", "1A", None), size=9, count=300, first=0)


def read_in_both(name: str, noun: str, table: Table, size: int, count: int = FEWER, first: int = 1) -> set[int]:
    """Read hands in both engines and return the ranks. `first`: see `build_row`."""
    return check_equal_readings(Hands(compile_game(cardlang.load(name), 2), table, size, count, noun, orders=2), first)


def check_equal_readings(hands: Hands, first: int = 1) -> set[int]:
    hands.compiled()
    plain = [build_row(reading, first) for reading in hands.plain()]
    assert plain == hands.compiled_rows()
    return {row[0] for row in plain}


def test_oversized_hand_is_a_native_fault() -> None:
    hands = Hands(compile_game(cardlang.load(RARE), 2), Table("table", "1A", None), size=9, count=1, noun="melds")
    native, cards = hands.engine, (ctypes.c_int64 * 26)(*range(24))
    rows = (ctypes.c_int64 * 1000)()
    given = (native.work_memory.address, native.state.address, hands.pile, cards, 26, 1, rows)
    assert native.c_functions["native_read_hands"](*given) != NO_FAULT


@needs_either
def test_deals_from_the_bottom_are_equal() -> None:
    """Each card that is dealt shifts the others of the pile."""
    rules = (
        storage.find_game_file("leduc_poker").read_text("utf-8").replace("deal top 2 of deck", "deal bottom 2 of deck")
    )
    game = cardlang.loads(rules)
    program, native = compile_game(game, 2), build_engine(game, 2, QUICK)
    assert sum(follow(program, native, seed, 10) for seed in range(10)) > 10
