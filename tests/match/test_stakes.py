"""Bots and stakes: they practise first, and stake no more than is reasonable."""

from collections.abc import Sequence
from random import Random
from statistics import pstdev

import pytest

import cardlang
from interpreter.bots.bot_players import PlayoutPlayer
from interpreter.bots.candidate_moves import select_candidates
from interpreter.bots.playout_policy import LearnedPolicy, MoveClassStatistics
from interpreter.bots.playout_results import CandidateStatistics, ValueScale, prefer_fitting_stake, prefer_smaller_stake
from interpreter.match.match import Match
from interpreter.native.background_engine_builds import EngineProvider, wait_for_engine
from interpreter.runtime.state import DONE
from tests.game_files import read_game
from tests.native.following import needs_either
from tests.shipped import load

ENGINES = [None, pytest.param(wait_for_engine, marks=needs_either)]
both = pytest.mark.parametrize("engines", ENGINES, ids=["python", "native"])


@pytest.mark.slow
@both
def test_first_decisions_are_trained(engines: EngineProvider | None) -> None:
    """No trial game of a first decision, whether to play this round, comes to a first decision: only other deals tell
    of it."""
    match = load("tall_card_fan").start(2, 1)
    search = PlayoutPlayer(1, 100, engines=engines).build_search(match)
    search.find_best_move()
    assert all(tried.prior_weight for tried in search.tried)


@pytest.mark.slow
@both
def test_games_without_graded_hands_need_no_practice(engines: EngineProvider | None) -> None:
    match = load("scopa").start(2, 1)
    search = PlayoutPlayer(1, 10, engines=engines).build_search(match)
    search.find_best_move()
    assert not any(tried.prior_weight for tried in search.tried)


@both
def test_stakes_of_moves_are_computed(engines: EngineProvider | None) -> None:
    """The dealer of two has put in 1 of 200, and 2 are to be matched."""
    match = load("texas_holdem").start(2, 1)
    search = PlayoutPlayer(1, 1, engines=engines).build_search(match)
    search.find_best_move()
    assert match.decision is not None
    costs = {match.decision.moves.texts[tried.index]: tried.cost for tried in search.tried}
    assert costs["call"] == pytest.approx(1 / 199)
    assert costs["fold"] == 0
    assert not any(tried.is_free for tried in search.tried if tried.cost)
    assert costs["raise 2"] == pytest.approx(3 / 199)
    assert costs["raise 4"] == pytest.approx(5 / 199)  # as much as lies in the middle then
    assert "raise 198" not in costs  # everything, for so little


def make_stats(index: int, cost: float, lead: float, spread: float, games: int = 100) -> CandidateStatistics:
    """Return statistics of games with leads of `lead` plus or minus `spread`, equally often."""
    total = games * lead
    return CandidateStatistics(
        index, games=games, lead_sum=total, squared_lead_sum=games * (lead**2 + spread**2), cost=cost
    )


@pytest.mark.parametrize(
    ("cost", "cheaper", "chosen"),
    [(1.0, 36.0, 1), (1.0, 31.0, 1), (1.0, 29.0, 0), (0.6, 36.0, 1), (0.4, 36.0, 0)],
)
def test_smaller_of_two_similar_stakes_is_chosen(cost: float, cheaper: float, chosen: int) -> None:
    """Leads vary by 100: in 100 games the standard error is 10."""
    moves = [
        make_stats(0, cost, 40, 100),
        make_stats(1, 0.1, cheaper, 100),
        make_stats(2, 0, 39, 100),
    ]
    assert prefer_smaller_stake(moves, ValueScale(max_lead=200))[0].index == chosen


@pytest.mark.parametrize(
    ("cost", "staking", "chosen"),
    [
        (0.01, -9.0, 1),  # waiting brings nothing, and always the same; to join may be as good
        (0.01, -11.9, 1),  # beyond chance by less than twice what is staked
        (0.01, -12.1, 0),
        (0.2, -9.0, 0),  # no little stake
        (0.0, -9.0, 0),
    ],
)
def test_cheap_entry_is_preferred_to_waiting(cost: float, staking: float, chosen: int) -> None:
    """Leads vary by 100: in 100 games the standard error is 10. Of 100 chips 1 is staked."""
    waiting, joining = make_stats(0, 0, 0, 0), make_stats(1, cost, staking, 100)
    joining.price = 100 * cost
    assert prefer_fitting_stake([waiting, joining], ValueScale(max_lead=200))[0].index == chosen
    assert prefer_fitting_stake([waiting, joining], ValueScale(max_lead=200, amounts=True))[0].index == 0


@pytest.mark.parametrize(
    ("cost", "staying", "chosen"),
    [
        (0.01, -10.0, 1),  # as good as giving up, which caution alone puts before it
        (0.05, -2.0, 1),
        (0.01, -10.1, 0),
        (0.06, -2.0, 0),  # no little stake
    ],
)
def test_good_hand_is_not_folded_cheaply(cost: float, staying: float, chosen: int) -> None:
    """Who gives up always ends 10 behind; leads of who pays vary by 100, of which caution takes 10 off."""
    moves = [make_stats(0, 0, -10, 0), make_stats(1, cost, staying, 100)]
    assert prefer_fitting_stake(moves, ValueScale(max_lead=200, amounts=True))[0].index == chosen


@pytest.mark.parametrize(
    ("free", "price", "staying", "chosen"),
    [
        (True, 1.0, -19.0, 1),
        (True, 1.0, -21.0, 0),  # worse by more than chance
        (False, 1.0, -19.0, 0),  # what it costs is not known
        (True, 0.0, -19.0, 0),  # nobody stakes anything
    ],
)
def test_free_move_is_preferred_to_folding(free: bool, price: float, staying: float, chosen: int) -> None:
    """Who gives up always ends 10 behind; leads of who stays vary by 100: in 100 games the standard error is 10."""
    moves = [
        make_stats(0, 0, -10, 0),
        make_stats(1, 0, staying, 100),
        make_stats(2, price / 10, -90, 100),
    ]
    moves[1].is_free, moves[2].price = free, price
    assert prefer_fitting_stake(moves, ValueScale(max_lead=200, amounts=True))[0].index == chosen


@pytest.mark.parametrize(
    ("leaving", "chosen"),
    [(21.0, 1), (19.0, 0)],  # worse by less than both errors, or by more
)
def test_useful_cards_are_kept(leaving: float, chosen: int) -> None:
    """Leads vary by 100: in 100 games the standard error is 10, of both together 20."""
    moves = [make_stats(0, 0, 40, 100), make_stats(1, 0, leaving, 100), make_stats(2, 0, 39, 100)]
    moves[0].breaks_hand = moves[2].breaks_hand = True
    assert prefer_fitting_stake(moves, ValueScale(max_lead=200))[0].index == chosen


@both
def test_sets_that_keep_a_combination_alone_are_known(engines: EngineProvider | None) -> None:
    """Of the 2 ** 5 sets that may be discarded, only the three cards beside the pair keep the pair alone."""
    match = find_draw_with_pair()
    search = PlayoutPlayer(1, 1, engines=engines).build_search(match)
    assert match.decision is not None
    used = match.program.evaluate_player_value("strength", match.state, match.decision.seat).used
    sets = {(match.state.legal[each.index], *each.rest): each.breaks_hand for each in search.tried}
    assert len(sets) == 32
    beside = tuple(code for code in match.state.legal if code and code - 1 not in used)
    assert [codes for codes, breaks in sets.items() if not breaks] == [(*beside, DONE)]
    discard_all_but(match, used)
    search = PlayoutPlayer(1, 1, engines=engines).build_search(match)
    assert DONE not in {match.state.legal[each.index] for each in search.tried if each.breaks_hand}


@both
@pytest.mark.parametrize("limits", [(4, None), (None, 0.0)])
def test_bot_discards_all_but_a_pair(engines: EngineProvider | None, limits: tuple[int | None, float | None]) -> None:
    """Three new cards improve a pair in 37 % of draws, one in 23 %: the bot picks all three, even without time."""
    playouts, seconds = limits
    match, bot = find_draw_with_pair(), PlayoutPlayer(1, playouts, seconds=seconds, engines=engines)
    assert match.decision is not None
    seat = match.decision.seat
    used = match.program.evaluate_player_value("strength", match.state, seat).used
    beside = {code for code in match.state.legal if code and code - 1 not in used}
    picked = set()
    while match.state.who == seat and match.decision is not None:
        index = bot.choose(match)
        picked.add(match.state.legal[index])
        match.choose(index)
    assert picked - {DONE} == beside


def test_playouts_pick_sets_in_ascending_order() -> None:
    """Cards are asked for in ascending order: who took any of those that do not count would leave out some of them."""
    match = find_draw_with_pair()
    assert match.decision is not None
    used = match.program.evaluate_player_value("strength", match.state, match.decision.seat).used
    habits, idle = (
        LearnedPolicy(match.program, Random(1)),
        [code for code in match.state.legal if code and code - 1 not in used],
    )
    picked = {habits.pick_move(match.program.clone(match.state)) for _ in range(60)}
    assert len(idle) == 3 and picked & set(idle) == {idle[0]}


def find_draw_with_pair() -> Match:
    match = load("tall_card").start(2, 1)
    while match.decision is not None and not is_drawing_with_a_pair(match):
        match.choose(0)
    return match


def discard_all_but(match: Match, kept: Sequence[int]) -> None:
    while code := next((code for code in match.state.legal if code and code - 1 not in kept), 0):
        match.choose(match.state.legal.index(code))


def is_drawing_with_a_pair(match: Match) -> bool:
    assert match.decision is not None
    texts = match.decision.moves.texts
    reading = match.program.evaluate_player_value("strength", match.state, match.decision.seat)
    may_draw = match.program.evaluate_player_value("redraw-limit", match.state, match.decision.seat) > 1
    return may_draw and any(text.startswith("discard") for text in texts) and len(reading.used) == 2


@both
def test_playouts_learn_number_choices(engines: EngineProvider | None) -> None:
    """What is given away is a number by itself: learnt, it is hardly ever much; by chance it would be 25."""
    match = cardlang.loads(GIFTS).start(2, 1)
    bot = PlayoutPlayer(1, 100, engines=engines)
    for _ in range(20):  # decisions: of each only the first trial games teach anything
        search = bot.build_search(match)
        search.find_best_move()
    assert all(tried.mean_lead > -5 for tried in search.tried)


GIFTS = read_game("gifts")


def test_few_losses_leave_a_wide_posterior() -> None:
    record, random = MoveClassStatistics(), Random(1)
    for _ in range(2):
        record.add_gain(-200)
    assert record.variance == 0
    drawn = [record.sample_mean(random, 200.0**2) for _ in range(1000)]
    assert 90 < pstdev(drawn) < 110  # (2 * 0 + 2 * 200²) / 4 is the variance, over two games


def test_each_of_a_few_amounts_is_tried() -> None:
    """A bid of four tricks is none of three or of six: from 0 to 13 there are fourteen. Of 51 gifts each is about twice
    the one before."""
    spades, gifts = load("spades").start(4, 1), cardlang.loads(GIFTS).start(2, 1)
    assert len(select_candidates(spades.program, spades.state, 24, Random(1))) == 14
    gifts.choose("wait")
    tried_gifts = [
        gifts.state.legal[index] - 1 for index in select_candidates(gifts.program, gifts.state, 24, Random(1))
    ]
    assert tried_gifts == [0, 1, 3, 7, 15, 31, 50]
