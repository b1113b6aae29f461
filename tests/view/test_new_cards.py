"""Marks of cards that are new in a hand."""

from __future__ import annotations

from interpreter.match.match import Match
from tests.shipped import is_asked, load, match_where


def list_new_cards(match: Match, player: str) -> list[tuple[str | None, str]]:
    """Return the code and ref of the viewer's new cards."""
    piles = match.table(player).places[0].piles
    return [(card.code, card.ref) for pile in piles for card in pile.cards if card.fresh]


def test_single_drawn_card_is_marked_new() -> None:
    """In Golf the hand holds nothing but the card just drawn."""
    match = match_where(is_asked("Ann"), "golf", 2)
    for _ in range(4):  # each turns two cards up
        match.choose(0)
    assert not list_new_cards(match, "Ann")
    match.choose("draw")
    (drawn,) = match.view("Ann").zone("hand", "Ann").cards
    assert list_new_cards(match, "Ann") == [(drawn.code, "zone/hand/Ann#1")] and not list_new_cards(match, "Bob")


def test_dealt_hand_is_not_marked_new() -> None:
    """In Kuhn Poker each is dealt one card."""
    match = load("kuhn_poker").start(2, 1)
    assert not list_new_cards(match, "Ann") and not list_new_cards(match, "Bob")


def test_hidden_new_card_is_marked_by_position() -> None:
    """In Fireworks who has discarded a card draws another, which lies on top."""
    match = load("fireworks").start(3, 1)
    first = [text for text in match.decision.moves.texts if text.startswith("play")]  # type: ignore[union-attr]
    match.choose(first[1])
    assert list_new_cards(match, "Ann") == [(None, "zone/hand/Ann#5")]
    assert not list_new_cards(match, "Bob")
