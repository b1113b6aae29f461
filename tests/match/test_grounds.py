"""What a hint says of a card and of a hand, beside trial games."""

from __future__ import annotations

from random import Random

import pytest

from interpreter.matches.match import Match
from interpreter.players.grounds import SAMPLES, Worlds, grounds, tenths
from interpreter.players.hints import hint
from tests.shipped import load, walk


def said(match: Match, text: str) -> list[str]:
    assert match.decision is not None
    states = [match.sample(match.decision.seat, seed).state for seed in range(SAMPLES)]
    code = match.state.legal[match.decision.moves.texts.index(text)]
    return grounds(Worlds.of(match, states, 0), code)


def test_the_last_to_play_knows_who_takes_the_trick() -> None:
    """Of the cards of the suit led the highest takes it; there are no trumps in Hearts."""
    order = "2345678910JQKA"
    known = set()
    for match in walk(load("hearts").start(4, 5), Random(5), 60):
        if match.decision is None or not match.decision.moves.texts[0].startswith("play"):
            continue
        laid = lying(match, match.program.layout.zone_base["table"])
        if len(laid) != 3:
            continue
        text = match.decision.moves.texts[-1]
        mine = text[text.index("[") + 1 : -1]
        best = max((code for code in (*laid, mine) if code[-1] == laid[0][-1]), key=lambda code: order.index(code[:-1]))
        words = "It takes the trick." if best == mine else "It does not take the trick."
        assert said(match, text) == [words]
        known.add(words)
    assert len(known) == 2


def test_a_hand_is_told_by_how_often_it_wins_in_the_end() -> None:
    """Against any two cards a pair of aces wins 85 % of the time, and a seven with a two 35 %. So even who holds the
    poorest hand stays in for 1, to win what are then 4, and raises with no such hand."""
    found = {}
    for seed in range(400):
        if len(found) == 2:
            break
        match = load("texas_holdem").start(2, seed)
        assert match.decision is not None
        ranks = sorted(code[:-1] for code in hand_of(match))
        if ranks in (["A", "A"], ["2", "7"]) and ranks[0] not in found:
            told = hint(match, match.decision.seat, seconds=None, playouts=30)
            found[ranks[0]] = told.words.partition(". ")[0]
            assert ranks[0] == "A" or told.move == "call"
    for rank, share in (("A", 0.85), ("2", 0.35)):
        begun, pays, _ = found[rank].partition(" of 10 cases; to stay in pays from 2 of 10 on")
        assert pays  # 1 of 4
        assert abs(int(begun.removeprefix("If nobody folds, your hand wins in ")) - 10 * share) <= 1.6


def hand_of(match: Match) -> list[str]:
    assert match.decision is not None
    return lying(match, match.program.layout.zone_base["hand"] + match.decision.seat)


def lying(match: Match, pile: int) -> list[str]:
    faces, face = match.program.game.faces, match.program.face
    return [faces[face[card]].code for card in match.state.z[pile]]


@pytest.mark.parametrize(
    ("share", "words"), [(0.0, "hardly any"), (0.04, "hardly any"), (0.31, "3 of 10"), (1.0, "nearly all")]
)
def test_a_share_of_samples_is_no_certainty(share: float, words: str) -> None:
    assert tenths(share) == words


def test_where_neither_tricks_nor_bets_are_nothing_is_said() -> None:
    match = load("golf").start(2, 1)
    assert match.decision is not None
    assert said(match, match.decision.moves.texts[0]) == []
    assert "trick" not in hint(match, match.decision.seat, seconds=None, playouts=4).words


@pytest.mark.parametrize("players", [3, 4])
def test_where_everybody_takes_a_card_of_a_trick_nobody_takes_it(players: int) -> None:
    """Tall Tales ranks who has laid what, and each takes cards."""
    laid = 0
    for match in walk(load("tall_tales").start(players, 5), Random(5), 60):
        if match.decision is not None and match.decision.moves.texts[0].startswith("play"):
            assert said(match, match.decision.moves.texts[0]) == []
            laid += 1
    assert laid > 5


@pytest.mark.parametrize("name", ["hearts", "texas_holdem"])
@pytest.mark.parametrize("seed", range(3))
def test_hidden_cards_change_nothing_in_a_hint(name: str, seed: int) -> None:
    """With as many trial games: the same words for matches that look alike to who asks, before anybody has done what
    tells of their cards."""
    match = load(name).start(4, seed)
    assert match.decision is not None
    other = match.sample(match.decision.seat, 11)
    assert other.state.z != match.state.z
    words = [hint(each, match.decision.seat, seconds=None, playouts=2).told for each in (match, other)]
    assert words[0] == words[1]
