"""Offers from hidden cards: the question is asked even if nothing fits, since skipping it would reveal that."""

import pytest

import cardlang
from interpreter.match.match import Match
from tests.game_files import read_game

TABLE = read_game("offers")


def start_match(body: str) -> Match:
    text = TABLE + "".join(f"    {line}\n" for line in body.split("\n"))
    return cardlang.loads(text).start(["Ann", "Bob"], 1)  # type: ignore[no-any-return]


def get_asked_players(body: str) -> list[str] | None:
    decision = start_match(body).decision
    return None if decision is None else list(decision.moves.texts)


CARDS = [
    "you may play 1 from your hand where value < 4 to table",
    "you may play up to 2 from your hand where value < 4 to table",
    "you may play 2 to 3 from your offers to table",
    "you may play 1 from your offers to table",
    "you may play 1 to 2 from bottom of your hand where value < 4 to table",
    "you may choose gift from your hand where value < 4\n  give gift to your left's hand",
    "you may choose 2 gifts from your hand when total of gifts' value < 4\n  give gifts to your left's hand",
]
OTHERS = [
    "you may play 1 from low-cards of your hand to table",
    "you may choose stake from 1 to count of (your hand where value < 4)\n  add stake to your coins",
    "remember top of your hand as held\nyou may choose who from players where held's value < 4\n  add 1 to who's coins",
]


@pytest.mark.parametrize("body", CARDS + OTHERS)
def test_offer_from_hidden_cards_is_always_asked(body: str) -> None:
    assert get_asked_players(body) == ["pass"]


OPEN = [
    "you may play 1 from your treasure where value < 4 to table",
    "you may play up to 2 from your treasure where value < 4 to table",
    "you may choose rival from your others where hand is empty\n  add 1 to rival's coins",
    "you may choose stake from 1 to your coins\n  add stake to your coins",
    "remember top of your treasure as shown\nyou may choose rival from players where shown's value < 4\n  finish play",
]


@pytest.mark.parametrize("body", OPEN)
def test_empty_offer_from_visible_cards_is_skipped(body: str) -> None:
    assert get_asked_players("move top 2 of your hand to your treasure\n" + body) is None


@pytest.mark.parametrize("body", CARDS)
def test_offer_from_an_empty_hand_is_skipped(body: str) -> None:
    assert get_asked_players("move players' hand to table\n" + body) is None


def test_passing_a_hidden_offer_counts_as_a_pass() -> None:
    match = start_match(
        "repeat until you pass\n  you may play 1 from your hand where value < 4 to table\nadd 1 to your coins"
    )
    for player in ("Ann", "Bob"):
        assert match.decision is not None and match.decision.player == player
        match.choose("pass")
    assert match.over and match.scores == [1, 1]


def test_simultaneous_hidden_offers_ask_all_players() -> None:
    text = (
        TABLE.removesuffix("  each player\n")
        + """\
  together each player
    you may play 1 from your hand where value < 4 to table
"""
    )
    match = cardlang.loads(text).start(["Ann", "Bob"], 1)
    for player in ("Ann", "Bob"):
        assert match.decision.player == player
        match.choose("pass")
    assert match.over
