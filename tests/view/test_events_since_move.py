"""Events since the viewer's last decision."""

from __future__ import annotations

from random import Random

import pytest

from interpreter.view import event_lines
from tests.shipped import Cast, load, walk


def test_events_start_with_the_viewers_move() -> None:
    match = load("hearts").start(4, 7)
    for player in match.players:
        match.confirm(player, [card.ref for card in match.table(player).places[0].piles[0].cards[:3]])
    leader = match.decision.player if match.decision is not None else ""
    for _ in range(4):
        match.choose(0)
    told = [line for line in match.table(leader).since if " play" in line.text]
    assert told[0].text == "You play [2c]." and told[0].kind == "moved" and told[0].who == leader
    assert len(told) == 4


def test_shuffling_is_not_news() -> None:
    match = load("hearts").start(4, 7)
    told = [line.text for line in match.table("Ann").since]
    assert any(text.startswith("You are dealt [") for text in told)
    assert not any("deck" in text for text in told)
    assert "The cards are gathered and shuffled." in match.view("Ann").log


def test_automatic_moves_of_open_cards_are_not_news() -> None:
    """In Cribbage the cards on the table are put aside when nobody can play on. What was played stays told."""
    swept = played = 0
    for match in walk(Cast("cribbage", 2).start(3), Random(3), 60):
        told = [line.text for line in match.table("Ann").since]
        assert not any("to the played cards" in text for text in told)
        swept += any("to the played cards" in line for line in match.view("Ann").log)
        played += any(" play" in text for text in told)
    assert swept and played


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Ann passes 3 cards to Bob's hand.", "You pass 3 cards to Bob's hand."),
        ("Ann is dealt [7d] to their hand.", "You are dealt [7d] to your hand."),
        ("Dan passes [Qs] to Ann's hand.", "Dan passes [Qs] to your hand."),
        (
            "Ann raises by 5. Ann is down from 100 to 95 credits.",
            "You raise by 5. You are down from 100 to 95 credits.",
        ),
        ("Bob and Ann win.", "Bob and you win."),
        ("Ann's score rises from 0 to 5.", "Your score rises from 0 to 5."),
        ("Ann gets 5 points and has 41.", "You get 5 points and have 41."),
        ("Ann draws and discards.", "You draw and discard."),
        ("Scopa! Ann clears the table and scores a point.", "Scopa! You clear the table and score a point."),
        ("Ann is last, and so takes what is left: [2c].", "You are last, and so take what is left: [2c]."),
        ("Ann bids nil and wins 3: Bob loses 100 points.", "You bid nil and win 3: Bob loses 100 points."),
        ("Ann holds Two pair (aces and sixes) and eights.", "You hold Two pair (aces and sixes) and eights."),
        ("Anna carries [2c]. Ann carries [3c] over Ann's line.", "Anna carries [2c]. You carry [3c] over your line."),
        ("Stopped by Bob. As a bribe, Ann draws a card.", "Stopped by Bob. As a bribe, you draw a card."),
        ("Bob gives Ann cards.", "Bob gives you cards."),
        ("Bob wins 2, over Ann's Pair. Ann chooses nothing.", "Bob wins 2, over your Pair. You choose nothing."),
    ],
)
def test_table_addresses_its_viewer(text: str, told: str) -> None:
    assert event_lines.get_second_person_rewriter("Ann").rewrite_text(text) == told
    assert event_lines.get_second_person_rewriter(None).rewrite_text(text) == text
