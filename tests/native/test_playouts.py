"""Native playouts: samples look the same to the player, and no bot peeks."""

import os
from functools import cache
from itertools import count
from random import Random

import pytest

import cardlang
from interpreter.bots.betting_model import HINT_ROUNDS
from interpreter.bots.bot_players import PlayoutPlayer, suits_tree_search
from interpreter.bots.hints import find_hint
from interpreter.bots.native_search import HINT_BATCHES, NativeFollower, NativeSearch, TreeSearch
from interpreter.codegen.c.c_program import generate_c_source
from interpreter.match.match import Match
from interpreter.native.engine import NativeEngine, build_engine
from interpreter.native.playouts import NativePlayouts
from interpreter.program.betting_roles_and_shown_hand import find_shown_reading
from interpreter.program.program import Program
from tests.game_files import read_game
from tests.match.test_belief_sampler import disguise_match, get_suits, iterate_tricks, pile
from tests.match.test_bots import GUESS
from tests.native.following import QUICK, needs_either
from tests.shipped import Cast, load

pytestmark = needs_either
FEWEST = [Cast(name, min(load(name).seats)) for name in sorted(cardlang.shipped())]
"""One number of players of each game: the C for others is the same with other sizes, and takes seconds to make."""


@cache
def engine(name: str, players: int, variant: str | None = None) -> NativeEngine:
    return build_engine(load(name, variant), players, QUICK, with_search=True)


def engines(program: Program) -> NativeEngine:
    """Return the engine of a bundled game, found by its title."""
    return engine(program.game.title.lower().replace(" ", "_").replace("'", ""), program.players)


@pytest.mark.slow
@pytest.mark.parametrize("cast", FEWEST, ids=str)
def test_native_samples_have_the_same_view(cast: Cast) -> None:
    """In every game: the view of whoever is asked does not change, nor do the moves; other hidden cards do."""
    match, random = load(cast.game, cast.variant).start(cast.players, 5), Random(5)
    onlookers = [NativeFollower(seat, engine(cast.game, cast.players, cast.variant)) for seat in range(cast.players)]
    for _ in range(20):
        if match.decision is None:
            break
        seat = match.decision.seat
        onlookers[seat].process_new_moves(match)
        onlookers[seat].playouts.set_current_state(match.state, seat, random.getrandbits(60))
        state = onlookers[seat].playouts.sample_state()
        assert state is not None
        other = match.clone()
        other.state = state
        seen, shown = match.view(seat), other.view(seat)
        assert (shown.table, shown.tracks, shown.moves) == (seen.table, seen.tracks, seen.moves)
        match.choose(random.randrange(len(match.state.legal)))


@pytest.mark.parametrize("name", ["hearts", "spades", "whist"])
def test_native_sampler_infers_voids(name: str) -> None:
    looked = changed = 0
    for seed in range(3):
        onlooker = NativeFollower(0, engine(name, 4))
        for match, void in iterate_tricks(name, seed):
            onlooker.process_new_moves(match)
            onlooker.playouts.set_current_state(match.state, 0, len(match.choices))
            sample = match.clone()
            state = onlooker.playouts.sample_state()
            assert state is not None
            sample.state = state
            for seat in (1, 2, 3):
                assert void[seat].isdisjoint(get_suits(sample, pile(sample, "hand", seat)))
                looked += bool(void[seat])
                changed += pile(sample, "hand", seat) != pile(match, "hand", seat)
    assert looked > 30
    assert changed > 100


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players"), [("whist", 4), ("spades", 4), ("leduc_poker", 2)])
def test_native_bots_ignore_hidden_cards(name: str, players: int) -> None:
    """Matches with other hidden cards since they were dealt, and the same moves: it does the same in all of them."""
    match, random, others = load(name).start(players, 8), Random(3), 0
    begun = match.program.clone(match.state)
    made: list[int] = []
    for _ in range(40):
        if match.decision is None:
            break
        seat = match.decision.seat
        if len(match.decision.moves) > 1:
            own = run_search(match)
            for seed in range(3):
                other = disguise_match(match, begun, made, seat, seed)
                others += other.state.z != match.state.z
                assert run_search(other) == own
        chance = match.state.rng
        made.append(match.state.legal[random.randrange(len(match.state.legal))])
        match.choose(match.state.legal.index(made[-1]))
        if match.state.rng != chance:
            begun, made = match.program.clone(match.state), []
    assert others > 10


@pytest.mark.slow
@pytest.mark.parametrize("cast", FEWEST, ids=str)
def test_native_search_ignores_hidden_cards(cast: Cast) -> None:
    """In every game: matches that look the same to whoever is asked, so the trial games come to the same."""
    match, random = load(cast.game, cast.variant).start(cast.players, 7), Random(7)
    own = engine(cast.game, cast.players, cast.variant)
    for _ in range(15):
        for _ in range(4):
            if match.decision is not None:
                match.choose(random.randrange(len(match.state.legal)))
        if match.decision is None:
            break
        alike = [match.sample(match.decision.seat, seed) for seed in range(3)]
        for tree in (False, True):
            found = run_search(alike[0], own, tree)
            assert found == run_search(alike[1], own, tree) == run_search(alike[2], own, tree)


def run_search(
    match: Match, own: NativeEngine | None = None, tree: bool = False
) -> list[tuple[int, int, float, float]]:
    """Return the results of a bot's playouts."""
    search = PlayoutPlayer(2, 10, engines=lambda program: own or engines(program), tree=tree).build_search(match)
    assert isinstance(search, TreeSearch if tree and suits_tree_search(match.game) else NativeSearch)
    search.find_best_move()
    return [(tried.index, tried.games, tried.lead_sum, tried.place) for tried in search.tried]


NIM = read_game("nim")


@pytest.mark.slow
@pytest.mark.parametrize(("left", "best"), [(5, "1"), (6, "2"), (7, "3"), (9, "1"), (10, "2"), (11, "3")])
def test_tree_search_solves_nim(left: int, best: str) -> None:
    """Who leaves a multiple of four can always do so again, and takes the last."""
    game = cardlang.loads(NIM.replace("10", str(left)))
    match, own = game.start(2, 1), build_engine(game, 2, QUICK, with_search=True)
    search = PlayoutPlayer(1, 1500, engines=lambda program: own, tree=True).build_search(match)
    assert match.decision is not None
    assert match.decision.moves.texts[search.find_best_move().index] == best


def test_endless_playouts_stop_at_the_horizon() -> None:
    game = cardlang.loads(
        NIM.replace("repeat until left = 0", "repeat until left = -1")
        .replace("if left > 0", "if 1 > 0")
        .replace("lowest of (left, 3)", "3")
        .replace("set left to left - taken\n", "add taken to your score\n")
    )
    match, own = game.start(2, 1), build_engine(game, 2, QUICK, with_search=True)
    for tree in (False, True):
        search = PlayoutPlayer(1, 20, horizon=30, engines=lambda program: own, tree=tree).build_search(match)
        search.find_best_move()
        assert sum(tried.games for tried in search.tried) >= 55
        assert not any(tried.ended for tried in search.tried)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing is forked off here")
def test_forked_process_searches_alone() -> None:
    match, own = load("hearts").start(4, 3), engine("hearts", 4)
    player = PlayoutPlayer(2, 10, engines=lambda program: own)
    player.build_search(match).find_best_move()
    child = os.fork()
    if not child:
        player.build_search(match).find_best_move()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    other = PlayoutPlayer(2, 10, engines=lambda program: own)
    other.build_search(match).find_best_move()
    assert player.choose(match) == other.choose(match)


def test_playout_statistics_survive_a_seat_change() -> None:
    match, own = load("leduc_poker").start(2, 3), engine("leduc_poker", 2)
    player, habits = PlayoutPlayer(2, 10, engines=lambda program: own), []
    for _ in range(2):
        player.build_search(match).find_best_move()
        assert player.native is not None
        habits.append(player.native.playouts.policy_memory)
        match.choose(0)
    assert habits[0] is habits[1]


AHEAD = read_game("ahead")


def test_tree_search_tries_every_move() -> None:
    """However good all of them look beside one that was never tried: each more often than once before it grows."""
    game = cardlang.loads(AHEAD)
    match, own = game.start(2, 1), build_engine(game, 2, QUICK, with_search=True)
    search = PlayoutPlayer(1, 40, engines=lambda program: own, tree=True).build_search(match)
    assert isinstance(search, TreeSearch)
    assert search.find_best_move().index == 5
    assert all(tried.games > 1 for tried in search.tried)


LEFT = read_game("left")


@pytest.mark.slow
@pytest.mark.parametrize("how", ["samples", "tree", "Python"])
def test_remaining_value_breaks_even_scores(how: str) -> None:
    """Without the king the run and 2 points are left, without the two 13, without a card of the run more."""
    game = cardlang.loads(LEFT)
    match = game.start(2, 1)
    own = None if how == "Python" else build_engine(game, 2, QUICK, with_search=True)
    bot = PlayoutPlayer(1, 40, engines=lambda program: own, tree=how == "tree")
    assert match.decision is not None
    assert match.decision.moves.texts[bot.choose(match)] in ("discard [Kh]", "discard [2d]")


def test_native_search_gives_hints() -> None:
    """With 9 the largest number is named: nobody can be ahead of it. The seed is one that C does not know."""
    game = cardlang.loads(GUESS)
    match, own = game.start(2, 1 << 100), build_engine(game, 2, QUICK, with_search=True)
    match.choose("5")
    told = find_hint(match, match.players[1], seconds=None, playouts=10, engines=lambda program: own)
    assert (told.move, told.moves[0].lead, told.moves[0].first_share) == ("9", 4, 1)
    assert 80 < told.games <= 90  # so few amounts are all tried
    assert "Instead: 8 · about 1.0 point worse" in told.reasons  # it wins as surely


def test_state_of_another_game_is_rejected() -> None:
    trials = NativePlayouts(engine("kuhn_poker", 2))
    state = load("kuhn_poker").start(2, 1).state
    state.frames = [[10_000]]
    with pytest.raises(ValueError, match="do not come to"):
        trials.set_current_state(state, 0, 1)


@pytest.mark.parametrize(("name", "players", "watched"), [("golf", 2, 2), ("texas_holdem", 2, 0), ("whist", 4, 1)])
def test_playouts_watch_shown_numbers(name: str, players: int, watched: int) -> None:
    """Golf shows everybody's score and what lies face up, Whist tricks; where hands are graded these tell enough."""
    program = Program(cardlang.load(name), players, False)
    text = generate_c_source(program, find_shown_reading(program.game), with_search=True)
    assert f"#define WATCHED {watched}\n" in text


@pytest.mark.slow
def test_second_bidder_does_not_see_the_first_bid() -> None:
    """With two bids left each, the bot's higher bid wins the prize against the opponent's lower card, which is at least
    a quarter of their bids, and loses it to the higher card."""
    own, tested = engine("goofspiel", 2), 0
    for seed in range(400):
        match, random = load("goofspiel").start(2, seed), Random(seed)
        while match.decision is not None and len(match.decision.moves) > 2:
            match.choose(random.randrange(len(match.state.legal)))
        program, state = match.program, match.state
        rank = {code: place for place, code in enumerate(["A", *map(str, range(2, 11)), "J", "Q", "K"], 1)}
        piles = {(slot.zone.name, slot.of): state.z[pile] for pile, slot in enumerate(program.zones)}
        named = {key: [rank[match.names.get_card_code(card)[:-1]] for card in pile] for key, pile in piles.items()}
        low, high = sorted(named["hand", 0])
        lower, higher = sorted(named["hand", 1])
        (prize,), (last,) = named["prize", None], named["prizes", None]
        if state.who != 0 or not low < lower < high < higher or prize < 5:
            continue
        tested += 1
        search = PlayoutPlayer(seed, 400, engines=lambda program: own).build_search(match)
        search.find_best_move()
        texts = match.decision.moves.texts if match.decision is not None else ()
        (bid,) = (tried for tried in search.tried if texts[tried.index][6:-2] in [k for k in rank if rank[k] == high])
        scores = [float(score or 0) for score in match.scores]
        worst = scores[0] - scores[1] - prize - last
        assert bid.mean_lead > worst + 2 * prize * 0.15
    assert tested > 3


def test_timed_hints_draw_possible_hands_several_times() -> None:
    """Training takes a third of the second. All draws fit into the rest, if each look at the clock takes 0.01."""
    match, ticks = load("texas_holdem").start(3, 1), count()
    bot = PlayoutPlayer(1, None, seconds=1.0, clock=lambda: next(ticks) / 100, engines=engines, bluffs=False)
    outlook = bot.build_search(match).outlook
    assert outlook is not None
    assert outlook.games == HINT_BATCHES * HINT_ROUNDS


def test_practice_depends_only_on_the_number_of_deals() -> None:
    """All hints of a game come from the same policy, so that the chance to win doesn't jump from hint to hint."""
    policies = []
    for batches in ([30, 10], [8, 32]):
        own = engine("tall_card", 3).create_for_thread()
        for deals in batches:
            playouts = NativePlayouts(own)
            playouts.begin_playouts(deals, 100, 26)
            playouts.practise(deals)
        policies.append(own.practice_memory.buffer.raw)
    assert policies[0] == policies[1] and any(policies[0])
