"""Bets in playouts: which sizes are tried and how often, against arithmetic."""

from collections import Counter
from random import Random

import pytest

import cardlang
from interpreter.bots.betting_model import build_betting_policy
from interpreter.bots.bot_players import PlayoutPlayer
from interpreter.bots.candidate_moves import select_candidates
from interpreter.match.match import Match
from interpreter.native.background_engine_builds import EngineProvider
from interpreter.program.betting_roles_and_shown_hand import CALL, FOLD, RAISE
from interpreter.program.program import compile_game
from tests.match.betting import ENGINES, play_holdem
from tests.shipped import load

BETTING_GAMES = ("seven_card_stud", "tall_card", "tall_card_fan", "texas_holdem")


@pytest.mark.slow
@pytest.mark.parametrize("name", [*BETTING_GAMES, "hearts", "blackjack", "gin_rummy", "kuhn_poker", "tail_story"])
def test_betting_is_found_in_betting_games_only(name: str) -> None:
    """Kuhn's hands have a number, and no reading."""
    program = compile_game(load(name), 2 if name != "hearts" else 4)
    betting = build_betting_policy(program)
    assert (betting is not None) == (name in BETTING_GAMES)
    if betting is not None:
        asked = [site for site in program.sites if betting.is_bet_decision(site)]
        assert [[option.name for option in site.options] for site in asked] == [
            ["check", "bet", "call", "raise", "fold"]
        ]
        assert betting.option_roles[asked[0].number] == (CALL, RAISE, CALL, RAISE, FOLD)


@pytest.mark.parametrize(
    ("moves", "stay", "add"),
    [
        ((), 1.1 * 2 / 3, 0.3 * 1.1 * 2 / 3),  # 1 to pay, where 3 lie
        (("raise 4",), 1.1 * 4 / 8, 0.3 * 1.1 * 4 / 8),  # 4 to pay, where 6 and 2 lie
        (("raise 198",), 1.1 * 4 / 202, 0.3 * 1.1 * 4 / 202),
        (("call",), 1, 0.35),
    ],
)
def test_hand_shares_equal_arithmetic(moves: tuple[str, ...], stay: float, add: float) -> None:
    match, betting = play_holdem(*moves)
    assert betting.compute_hand_shares(match.state) == pytest.approx((stay, add))


@pytest.mark.parametrize(
    ("moves", "tried"),
    [
        ((), ["call", "fold", "raise 2", "raise 4"]),  # 3 lie there, 4 once it is matched: half of it is 2
        (("raise 6",), ["call", "fold", "raise 8", "raise 16"]),  # 10 and 6
        (("raise 98",), ["call", "fold", "raise 100"]),  # all that is left is half of what lies there
        (("call",), ["check", "raise 2", "raise 4"]),
    ],
)
def test_few_bet_sizes_are_tried(moves: tuple[str, ...], tried: list[str]) -> None:
    match, _ = play_holdem(*moves)
    assert match.decision is not None
    texts = [
        match.decision.moves.texts[index] for index in select_candidates(match.program, match.state, 24, Random(1))
    ]
    assert sorted(texts, key=lambda text: (text.split()[0], int("0" + text.partition(" ")[2]))) == tried


@pytest.mark.parametrize(
    ("strength", "usual"),
    [(0.99, "raise"), (0.95, "raise"), (0.7, "call"), (0.5, "call"), (0.3, "fold"), (0.0, "fold")],
)
def test_playout_policy_follows_hand_shares(strength: float, usual: str) -> None:
    """4 to pay where 8 lie: 55 % of hands stay in, the best 16.5 % raise, by about 0.6 of the 8."""
    match, betting = play_holdem("raise 4")
    random, made = Random(1), Counter[str]()
    for _ in range(1000):
        move = match.state.legal.index(betting.pick_bet(match.state, strength, random))
        assert match.decision is not None
        made[match.decision.moves.texts[move]] += 1
    raised = {text: count for text, count in made.items() if text.startswith("raise")}
    assert set(raised) <= {"raise 5"}
    most = max(made, key=lambda text: made[text])
    assert most.startswith(usual)
    assert made[most] > (650 if usual == "raise" else 930)
    likely = {text: betting.get_action_likelihood(match.state, match.state.legal[i], strength)
              for i, text in enumerate(match.decision.moves.texts)}  # fmt: skip
    assert max(likely, key=lambda text: likely[text]).startswith(usual)


@pytest.mark.parametrize("engines", ENGINES, ids=["python", "native"])
def test_bot_folds_the_worst_hand_to_an_all_in(engines: EngineProvider | None) -> None:
    """Seven and two of two suits, where all 200 chips are staked for a pot of 3."""
    seed = next(seed for seed in range(5000) if is_poorest(load("texas_holdem").start(2, seed)))
    match = load("texas_holdem").start(2, seed)
    first = match.decision.player if match.decision is not None else ""
    match.choose("raise 198")
    bot = PlayoutPlayer(1, 40, engines=engines)
    assert match.decision is not None and match.decision.player != first
    assert match.decision.moves.texts[bot.choose(match)] == "fold"


def is_poorest(match: Match) -> bool:
    """Return whether the opponent holds 7 and 2 of different suits."""
    other = next(name for name in match.players if match.decision is not None and name != match.decision.player)
    codes = [card.code or "" for card in match.view(other).zone("hand", other).cards]
    return {code[:-1] for code in codes} == {"7", "2"} and len({code[-1] for code in codes}) == 2


def test_bot_never_folds_when_checking_is_free() -> None:
    """Nor is it advised: by chance a few trial games may make it look better."""
    match, random, free = cardlang.load("tall_card_fan").start(3, seed=2), Random(1), 0
    while not match.over and free < 10:
        assert match.decision is not None
        texts = match.decision.moves.texts
        if "fold" in texts and "check" in texts:
            free += 1
            tried = select_candidates(match.program, match.state, 24, random)
            assert texts.index("check") in tried and texts.index("fold") not in tried
        match.choose(random.choice([text for text in texts if text != "fold"]))
    assert free
