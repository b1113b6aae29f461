"""Value of the viewer's hand, notes next to it, and sorting."""

from __future__ import annotations

import cardlang
from interpreter.match.match import Match
from interpreter.view.table_model import TableCard
from tests.game_files import read_game
from tests.shipped import load, match_where

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")

RANKED = read_game("hand_values")


def get_reading(cards: str) -> tuple[str, str]:
    match = cardlang.loads(RANKED.format(cards=cards)).start(["Ann", "Bob"], 1)
    assert isinstance(match, Match)
    (reading,) = match.table("Ann").readings
    return reading.text, reading.detail


BOARD = (
    (
        RANKED.replace("zone box", "zone board\nzone box")
        .replace("Standing of hand", "Standing of (hand, board)")
        .replace("(first of players)'s hand\n", "(first of players)'s hand\n  move [{board}] to board\n")
        .replace(
            "step play\n  each",
            "step play\n  do first-round\n  turn top 1 of box to board\n  do second-round\n\nstep first-round\n  each",
        )
    )
    + """
step second-round
  each player
    you may put 1 from your hand to box
"""
)


def on_board(cards: str, board: str) -> Match:
    match = cardlang.loads(BOARD.format(cards=cards, board=board)).start(["Ann", "Bob"], 1)
    assert isinstance(match, Match)
    return match


def detail(match: Match) -> str:
    (reading,) = match.table("Ann").readings
    return reading.detail


def test_rank_without_details_has_no_note() -> None:
    assert get_reading("4a 4b 9a") == ("Pair of fours", "")
    assert get_reading("1a 4b 9a")[1] == ""


def test_outs_are_counted_before_the_last_card() -> None:
    """Of the eighteen cards Ann sees three: of the fifteen others, two threes and two sixes follow 4 and 5.

    One each of 4, 5 and 9 makes a pair.
    """
    match = on_board("4a 5b", "9a")
    assert detail(match) == "with the next card: Three in a row (4 of 15 cards), Pair (3)."
    match.choose("pass")
    assert match.decision is not None and "next card" not in detail(match)


def test_board_hand_is_marked_as_shared() -> None:
    assert detail(on_board("4a 7b", "9a 9b")).startswith("every player has the pair: it is on the board.")
    assert "everybody" not in detail(on_board("4a 9b", "9a 7b"))


def test_hand_note_explains_wild_cards() -> None:
    """A three that is wild, beside an eight and lower cards, makes a pair of eights."""
    text = RANKED.replace("    1 Numbers\n", "    1 Numbers\n  wild where value = 3 as any Numbers\n")
    match = cardlang.loads(text.format(cards="3a 8b 5a")).start(["Ann", "Bob"], 1)
    assert isinstance(match, Match)
    (reading,) = match.table("Ann").readings
    assert reading.text == "Pair of eights"


def test_hand_value_equals_the_definition() -> None:
    """A hand read by itself is read alike at the table."""
    game = load("gin_rummy")
    match = game.start(2, 4)
    player = match.table("Ann").places[0]
    cards = " ".join(str(card.code) for pile in player.piles for card in pile.cards if pile.form == "hand")
    held = {reading.label: reading.text for reading in match.table("Ann").readings}
    assert held["Deadwood"] == str(game.evaluate("deadwood", hand=cards))
    assert not match.table(None).readings
    assert all(
        fact.name != "deadwood" for place in match.table("Bob").places for fact in place.facts if place.name == "Ann"
    )


def test_claim_value_is_shown_to_its_player_only() -> None:
    match = load("tall_card").start(3, 7)
    assert match.decision is not None
    player = match.decision.player
    told = {each.label: each.text for each in match.table(player).readings}
    tall = {fact for place in match.table(player).places for fact in place.facts if fact.name == "claim-told"}
    assert told["Claiming"].startswith("your Rank uses no card of the Tall suit") and not tall
    match.choose("claim")
    assert "Claiming" not in {each.label for each in match.table(player).readings}


def values(match: Match, player: str) -> list[str]:
    """Return the values in a hand of several suits; nothing for one suit."""
    codes = [str(card.code) for card in match.view(player).zone("hand", player).cards]
    return sorted(code[:-1] for code in codes) if len({code[-1] for code in codes}) > 1 else []


def test_incomplete_hand_has_no_rank_note() -> None:
    """Two cards of seven are no hand of five yet."""
    match = match_where(lambda each: values(each, "Bob") in (["2", "4"], ["3", "4"]), "texas_holdem", 2)
    told = {each.label: each for each in match.table("Bob").readings}
    assert not {"You hold", "Your two cards"} & told.keys()


def test_hands_with_mixed_runs_are_sorted_by_rank() -> None:
    """An ace is low in Cribbage; a run of Gin follows in one suit: suits come first, behind what is melded."""
    order = ("A", *RANKS[:-1])
    hand = [card.code[:-1] for card in get_own_hand(load("cribbage").start(2, 3)) if card.code is not None]
    assert hand == sorted(hand, key=order.index)
    held = get_own_hand(load("gin_rummy").start(2, 3))
    assert [card.counts for card in held] == sorted((card.counts for card in held), reverse=True) and held[0].counts
    suits = [card.code[-1] for card in held if card.code is not None and not card.counts]
    assert suits == sorted(suits, key="cdsh".index)


def test_hands_with_sets_are_sorted_by_rank() -> None:
    """Of the Combinations of the fan rules eight have cards of one rank, three are of one suit."""
    match = load("tall_card_fan").start(2, 3)
    while match.decision is not None and "ante-up" in match.decision.moves.texts:
        match.choose("ante-up")
    hand = [card.code for card in get_own_hand(match) if card.code is not None]
    order = ("2", "3", "4", "5", "6", "7", "8", "Tu", "U", "P", "D", "A")
    places = [order.index(next(rank for rank in order if code.startswith(rank))) for code in hand]
    assert len(hand) == 5 and places == sorted(places) and hand != sorted(hand, key=lambda code: code[-2:])


def get_own_hand(match: Match) -> list[TableCard]:
    """Return the current player's hand."""
    assert match.decision is not None
    (pile,) = (each for each in match.table(match.decision.player).places[0].piles if each.form == "hand")
    return list(pile.cards)
