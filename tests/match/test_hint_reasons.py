"""Reasons in hints, compared with playouts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import chain, count, islice
from random import Random

import pytest

from interpreter.bots.betting_model import HandOutlook
from interpreter.bots.hint_reasons import describe_winning_odds, find_move_reasons
from interpreter.bots.hint_samples import HINT_SAMPLES, MatchSamples
from interpreter.bots.hint_text import MoveSummary
from interpreter.bots.hints import find_hint
from interpreter.bots.trick_reasons import find_touching_cards, format_tenths, prefer_simplest_card
from interpreter.match.match import Match
from interpreter.native.background_engine_builds import wait_for_engine
from tests.shipped import load, walk


def get_hint_reasons(match: Match, text: str) -> list[str]:
    assert match.decision is not None
    return find_move_reasons(build_samples(match), match.state.legal[match.decision.moves.texts.index(text)])


def build_samples(match: Match) -> MatchSamples:
    assert match.decision is not None
    return MatchSamples.create(
        match, [match.sample(match.decision.seat, seed).state for seed in range(HINT_SAMPLES)], 0
    )


def test_last_player_gets_a_certain_trick_reason() -> None:
    """Of the cards of the suit led the highest takes it; there are no trumps in Hearts."""
    order = "2345678910JQKA"
    known = set()
    for match in walk(load("hearts").start(4, 5), Random(5), 60):
        if match.decision is None or not match.decision.moves.texts[0].startswith("play"):
            continue
        laid = get_pile_cards(match, match.program.layout.zone_base["table"])
        if len(laid) != 3:
            continue
        text = match.decision.moves.texts[-1]
        mine = text[text.index("[") + 1 : -1]
        best = max((code for code in (*laid, mine) if code[-1] == laid[0][-1]), key=lambda code: order.index(code[:-1]))
        words = "It takes the trick." if best == mine else "It does not take the trick."
        assert get_hint_reasons(match, text) == [words]
        known.add(words)
    assert len(known) == 2


def test_hint_names_the_win_share_of_a_hand() -> None:
    """Against any two cards a pair of aces wins 85 % of the time, and a seven with a two 35 %. So even who holds the
    poorest hand stays in for 1, to win what are then 4, and raises with no such hand."""
    found = {}
    for seed in range(400):
        if len(found) == 2:
            break
        match = load("texas_holdem").start(2, seed)
        assert match.decision is not None
        ranks = sorted(code[:-1] for code in get_hand(match))
        if ranks in (["A", "A"], ["2", "7"]) and ranks[0] not in found:
            told = find_hint(match, match.decision.seat, seconds=None, playouts=30)
            found[ranks[0]] = told.reasons.partition(". ")[0]
            assert ranks[0] == "A" or told.move == "call"
    for rank, share in (("A", 0.85), ("2", 0.35)):
        said = re.match(
            r"You need 25 % to call; your hand wins about (\d+) % of showdowns \(± (\d)\)",
            found[rank],
        )
        assert said  # 1 of 4
        assert 1 <= int(said[2]) <= 6 and abs(int(said[1]) - 100 * share) <= 2 * int(said[2])


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (0.27, "your hand wins about 27 % of showdowns (± 5). That is close."),
        (0.33, "your hand wins about 33 % of showdowns (± 5). That is close."),
        (0.2, "your hand wins about 20 % of showdowns (± 5)."),
        (0.0, "your hand wins about 0 % of showdowns (± 1)."),
    ],
)
def test_close_pot_odds_are_called_even(share: float, words: str) -> None:
    """1.96 * sqrt(0.27 * 0.73 / 400) = 0.0435; of none in 400 the interval of Wilson ends at 0.0095."""
    assert describe_winning_odds(HandOutlook(share, 1, 100, 400), 0.3).endswith(words)


@pytest.mark.parametrize(("share", "word"), [(0.9, "likely"), (0.1, "unlikely"), (0.55, "a gamble")])
def test_few_samples_give_a_word(share: float, word: str) -> None:
    """1.96 * sqrt(0.55 * 0.45 / 100) = 0.0975, so 0.55 in 100 samples can be below one half."""
    assert f"winning is {word}" in describe_winning_odds(HandOutlook(share, 1, 100, 100), 0.3)


def test_few_samples_give_no_percentage() -> None:
    match = load("texas_holdem").start(3, 1)
    assert match.decision is not None
    states = [match.sample(match.decision.seat, seed).state for seed in range(HINT_SAMPLES)]
    for games, told in ((0, 0), (5, 0), (399, 0), (400, 1)):
        worlds = MatchSamples.create(match, states, 0, HandOutlook(0.2, 2, 200, games))
        found = find_move_reasons(worlds, match.state.legal[0])
        assert len([words for words in found if "%" in words]) == told


@pytest.mark.slow
def test_win_share_is_stable_across_seeds() -> None:
    """Within the error that goes with it, which holds for 95 of 100 starts."""
    match = load("texas_holdem").start(3, 1)
    assert match.decision is not None
    shares = []
    for seed in range(6):
        words = find_hint(match, match.decision.seat, seconds=None, playouts=4, seed=seed).reasons
        said = re.search(r"about (\d+) %[a-z ]* \(± (\d)\)", words)
        assert said
        shares.append((int(said[1]), int(said[2])))
    mean = sum(share for share, _ in shares) / len(shares)
    assert all(share > 0 and abs(share - mean) <= 2 * error for share, error in shares)


def test_rushed_hint_gives_no_percentage() -> None:
    """A clock that runs so fast that few samples are played to their end."""
    match, clock = load("texas_holdem").start(3, 1), iter(range(10**9))
    assert match.decision is not None
    found = find_hint(match, match.decision.seat, seconds=40.0, clock=lambda: float(next(clock)))
    assert "%" not in found.reasons


def test_hint_searches_again_if_there_was_no_time() -> None:
    """A clock of a computer that is busy elsewhere for 100 seconds, right after the search has begun."""
    match, times = load("spades").start(4, 1), chain([0.0], count(100, 0.001))
    assert "no time" not in find_hint(match, match.state.who, seconds=1.0, clock=lambda: next(times)).reasons


def get_hand(match: Match) -> list[str]:
    assert match.decision is not None
    return get_pile_cards(match, match.program.layout.zone_base["hand"] + match.decision.seat)


def get_pile_cards(match: Match, pile: int) -> list[str]:
    faces, face = match.program.game.faces, match.program.face
    return [faces[face[card]].code for card in match.state.z[pile]]


def summarize_moves(match: Match, *texts: str) -> tuple[MoveSummary, ...]:
    assert match.decision is not None
    return tuple(MoveSummary(match.decision.moves.texts.index(text), text, 99, 0.5, 1.0, 1.0, 1.0) for text in texts)


def find_play(name: str, wanted: Callable[[list[str], list[str]], bool]) -> tuple[Match, list[str]]:
    """Return a match at a decision to play a card, where the table and the playable cards fit."""
    for seed in range(40):
        for match in walk(load(name).start(4, seed), Random(seed), 200):
            if match.decision is None or not match.decision.moves.texts[0].startswith("play ["):
                continue
            open_ = [text[text.index("[") + 1 : -1] for text in match.decision.moves.texts]
            if wanted(get_pile_cards(match, match.program.layout.zone_base["table"]), open_):
                return match, open_
    raise AssertionError


def test_beaten_card_cannot_take_the_trick() -> None:
    """Whatever others still play to it."""
    match, open_ = find_play("hearts", lambda laid, open_: len(laid) == 1 and open_[0][-1] != laid[0][-1])
    assert get_hint_reasons(match, f"play [{open_[0]}]") == ["It cannot take the trick."]


@pytest.mark.parametrize("name", ["hearts", "spades"])
def test_touching_cards_are_equal_in_tricks(name: str) -> None:
    """Two cards of a suit touch if no other player holds a card between them. Only the Queen of Spades counts 13."""
    order, found = "2345678910JQKA", set[bool]()
    for match in islice(walk(load(name).start(4, 3), Random(3), 50), 8, None, 3):
        if match.decision is None or not match.decision.moves.texts[0].startswith("play ["):
            continue
        codes = [text[text.index("[") + 1 : -1] for text in match.decision.moves.texts]
        hands = match.program.layout.zone_base["hand"]
        rivals = [code for seat in range(4) if seat != match.state.who for code in get_pile_cards(match, hands + seat)]
        laid = get_pile_cards(match, match.program.layout.zone_base["table"])
        touching = find_touching_cards(build_samples(match), 0)
        for at, code in enumerate(codes[1:], 1):
            low, high = sorted(order.index(each[:-1]) for each in (codes[0], code))
            between = [
                each for each in (*rivals, *laid) if each[-1] == code[-1] and low < order.index(each[:-1]) < high
            ]
            counts = name == "hearts" and "Qs" in (codes[0], code)
            equal = code[-1] == codes[0][-1] and not between and not counts
            assert (at in touching) == equal, (codes[0], code, laid)
            found.add(equal)
    assert found == {True, False}


def test_led_ace_takes_the_trick() -> None:
    """There are no trumps in Hearts."""
    match, _ = find_play("hearts", lambda laid, open_: not laid and "Ac" in open_)
    (words,) = get_hint_reasons(match, "play [Ac]")
    assert words.startswith("It takes the trick") and "cases" not in words


def test_hint_leaves_the_queen_of_spades() -> None:
    """The last to play takes 13 points with the ace or the king, and none with a lower card."""
    order = ["As", "Ks"]
    match, _ = find_play(
        "hearts",
        lambda laid, open_: (
            len(laid) == 3
            and laid[0] in ("2s", "3s", "4s", "5s", "Qs")
            and "Qs" in laid
            and not {*order} & {*laid}
            and bool({*order} & {*open_})
            and any(code not in order for code in open_)
        ),
    )
    assert match.decision is not None
    found = find_hint(match, match.decision.seat, seconds=None, playouts=100)
    assert found.move not in [f"play [{code}]" for code in order]


@pytest.mark.parametrize(("name", "low"), [("spades", True), ("hearts", False)])
def test_hint_prefers_the_simplest_winning_card(name: str, low: bool) -> None:
    """The last to play can take it with either: a low one is enough, but where points are bad the high one is better
    gone."""
    order = "23456789TJQKA"

    def rank(code: str) -> int:
        return order.index(code[0] if code[:-1] != "10" else "T")

    def both_take(laid: list[str], open_: list[str]) -> bool:
        suits = {code[-1] for code in [*laid, *open_]}
        return len(laid) == 3 and len(suits) == 1 and len(open_) > 2 and min(map(rank, open_)) > max(map(rank, laid))

    match, open_ = find_play(name, both_take)
    ranked = sorted(open_, key=rank)
    wanted = ranked[0] if low else ranked[-1]
    for given in (ranked, ranked[::-1]):
        moves = prefer_simplest_card(
            build_samples(match), summarize_moves(match, *(f"play [{code}]" for code in given))
        )
        assert moves[0].text == f"play [{wanted}]"


@pytest.mark.parametrize(
    ("share", "words"), [(0.0, "hardly any"), (0.04, "hardly any"), (0.31, "3 of 10"), (1.0, "nearly all")]
)
def test_tenths_never_claim_certainty(share: float, words: str) -> None:
    assert format_tenths(share) == words


def test_golf_hint_has_no_trick_reasons() -> None:
    match = load("golf").start(2, 1)
    assert match.decision is not None
    assert get_hint_reasons(match, match.decision.moves.texts[0]) == []
    assert "trick" not in find_hint(match, match.decision.seat, seconds=None, playouts=4).reasons


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 4])
def test_tall_tales_hint_names_the_place_in_the_trick(players: int) -> None:
    """Tall Tales ranks who has laid what, and each takes cards: the suit led first, higher values first, of equal cards
    the later. Whoever plays last knows their place; before that it is a share of cases."""
    known, shares = set(), 0
    for match in walk(load("tall_tales").start(players, 5), Random(5), 120):
        if match.decision is None or not match.decision.moves.texts[0].startswith("play"):
            continue
        laid = get_pile_cards(match, match.program.layout.zone_base["table"])
        text = match.decision.moves.texts[0]
        told = get_hint_reasons(match, text)
        assert not any("takes the trick" in line for line in told)
        if len(laid) < players - 1:
            shares += any(" of 10" in line for line in told)
            continue
        mine = text[text.index("[") + 1 : -1]
        trick = [*laid, mine]
        ranked = sorted(
            range(players), key=lambda at: (trick[at][-1] == laid[0][-1], int(trick[at][:-1]), at), reverse=True
        )
        words = {0: "It makes you best in the trick.", players - 1: "It makes you lowest in the trick."}
        place = ranked.index(players - 1)
        assert told == [words.get(place, "It makes you neither best nor lowest in the trick.")], (trick, ranked)
        known.add(place)
    assert {0, players - 1} < known and shares


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hearts", "texas_holdem"])
@pytest.mark.parametrize("seed", range(3))
def test_hints_ignore_hidden_cards(name: str, seed: int) -> None:
    """With as many trial games: the same words for matches that look alike to who asks, before anybody has done what
    tells of their cards."""
    match = load(name).start(4, seed)
    assert match.decision is not None
    other = match.sample(match.decision.seat, 11)
    assert other.state.z != match.state.z
    words = [find_hint(each, match.decision.seat, seconds=None, playouts=2).full_text for each in (match, other)]
    assert words[0] == words[1]


def test_error_covers_the_spread_of_draws() -> None:
    """1.96 * sqrt(0.25 / 6400) = 0.0123 for independent samples; 1.96 * 0.02 = 0.0392 for draws that differ more."""
    errors = [HandOutlook(0.5, 1, 100, 6400, spread).share_error for spread in (0.0, 0.02)]
    assert errors == pytest.approx([0.0123, 0.0392], abs=0.0001)


@pytest.mark.parametrize("move", ["take", "draw"])
def test_gin_hint_takes_only_useful_cards(move: str) -> None:
    """A card that makes or extends a meld is useful. One after which no discard leaves less deadwood is not."""
    walked = (position.clone() for position in walk(load("gin_rummy").start(2, 5), Random(5), 900))
    for match in islice((match for match in walked if find_gin_move(match) == move), 4):
        hint = find_hint(match, match.state.who, seconds=None, playouts=100, engines=wait_for_engine)
        assert hint.move == move


def find_gin_move(match: Match) -> str | None:
    """Return `take` if the open card is useful, `draw` if it is not; None if that is unclear, or not the question."""
    if match.decision is None or match.decision.moves.texts != ("take", "draw"):
        return None
    seat, taken, deadwood = match.state.who, match.clone(), list[int]()
    taken.choose(0)
    for index in range(len(taken.state.legal)):
        after = taken.clone()
        after.choose(index)
        deadwood.append(int(str(after.program.evaluate_player_value("deadwood", after.state, seat))))
    before = int(str(match.program.evaluate_player_value("deadwood", match.state, seat)))
    if min(deadwood) >= before:
        return "draw"
    melded = [len(each.program.evaluate_player_value("layout", each.state, seat).used) for each in (match, taken)]
    return "take" if melded[1] > melded[0] else None


def test_pass_hint_counts_the_suits_left() -> None:
    """Three of the thirteen cards are passed. The sets are too many to try them all."""
    match = load("hearts").start(4, 1)
    hint = find_hint(match, match.state.who, seconds=None, playouts=4)
    suits = {"c": "Club", "d": "Diamond", "h": "Heart", "s": "Spade"}
    hand = Counter(code[-1] for code in get_hand(match))
    passed = Counter(code[-1] for code in re.findall(r"\[(\w+)\]", hint.label))
    left = {suit: hand[suit] - passed[suit] for suit in suits}
    counts = [
        f"{'no' if not left[suit] else left[suit]} {noun}{'s' * (left[suit] != 1)}" for suit, noun in suits.items()
    ]
    assert passed.total() == 3
    assert f"It leaves you {', '.join(counts[:3])} and {counts[3]}." in hint.summary
    assert hint.alternatives.count("Pass [") == 2


def test_hint_finds_a_certain_way_out() -> None:
    """President: nobody beats a 2. So whoever leads it from a 2 and another rank plays the last cards next."""
    match = find_last_choice(lambda ranks, leads: leads and len(ranks) == 2 and ranks["2"] == 1)
    hint = find_hint(match, match.state.who, seconds=None, playouts=2)
    assert hint.label.startswith("Play [2")
    assert hint.summary.startswith("The others can only pass, and then you can play your last cards.")


def test_hint_names_the_last_card() -> None:
    """President: a card that beats the one on the table, and is the last of the hand."""
    match = find_last_choice(lambda ranks, leads: not leads and ranks.total() == 1 and not ranks["2"])
    hint = find_hint(match, match.state.who, seconds=None, playouts=2)
    assert hint.label.startswith("Play [")
    assert hint.summary.startswith("You play your last cards.")


def find_last_choice(wanted: Callable[[Counter[str], bool], bool]) -> Match:
    """Return a match of President with such a hand of at most three cards, by rank, at a decision: a lead, or not."""
    for seed in range(300):
        for match in walk(load("president").start(4, seed), Random(seed), 160):
            if match.decision is None or match.state.picks or len(match.state.legal) < 2:
                continue
            ranks = Counter(code[:-1] for code in get_hand(match))
            if ranks.total() <= 3 and wanted(ranks, not match.program.get_site(match.state).number):
                return match
    raise AssertionError
