"""Events since the viewer's last decision."""

from __future__ import annotations

from random import Random

import pytest

from interpreter.narration.author_text import build_author_line
from interpreter.narration.event_phrases import Cards, make_name
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


ANN, BOB = (make_name("Ann"),), (make_name("Bob"),)
CARD = (Cards.create(("2c",)),)


@pytest.mark.parametrize(
    ("words", "values", "told"),
    [
        ("{} passes 3 cards to {}'s hand.", (ANN, BOB), "You pass 3 cards to Bob's hand."),
        ("{} is dealt {} to their hand.", (ANN, CARD), "You are dealt [2c] to your hand."),
        ("{} passes {} to {}'s hand.", (BOB, CARD, ANN), "Bob passes [2c] to your hand."),
        ("{} raises by 5. {} is down to 95.", (ANN, ANN), "You raise by 5. You are down to 95."),
        ("{} win.", ((*BOB, " and ", *ANN),), "Bob and you win."),
        ("{}'s score rises from 0 to 5.", (ANN,), "Your score rises from 0 to 5."),
        ("{} gets 5 points and has 41.", (ANN,), "You get 5 points and have 41."),
        ("{} draws and discards.", (ANN,), "You draw and discard."),
        ("Scopa! {} clears the table and scores a point.", (ANN,), "Scopa! You clear the table and score a point."),
        ("{} is last, and so takes what is left: {}.", (ANN, CARD), "You are last, and so take what is left: [2c]."),
        ("{} bids nil and wins {}: {} loses 100 points.", (ANN, ("3",), BOB),
         "You bid nil and win 3: Bob loses 100 points."),
        ("{} takes {} for {} {} and discards {}.", (ANN, CARD, ("Top",), ("Left",), CARD),
         "You take [2c] for Top Left and discard [2c]."),
        ("{} holds {} and eights.", (ANN, ("Two pair (aces and sixes)",)),
         "You hold Two pair (aces and sixes) and eights."),
        ("{} holds aces and sixes.", (ANN,), "You hold aces and sixes."),
        ("{} carries {}. {} carries {} over {}'s line.", (("Anna",), CARD, ANN, CARD, ANN),
         "Anna carries [2c]. You carry [2c] over your line."),
        ("Stopped by {}. As a bribe, {} draws a card.", (BOB, ANN), "Stopped by Bob. As a bribe, you draw a card."),
        ("{} gives {} cards.", (BOB, ANN), "Bob gives you cards."),
        ("{} wins 2, over {}'s Pair. {} chooses nothing.", (BOB, ANN, ANN),
         "Bob wins 2, over your Pair. You choose nothing."),
    ],
)  # fmt: skip
def test_table_addresses_its_viewer(words: str, values: tuple[tuple[str, ...], ...], told: str) -> None:
    line = build_author_line(tuple(words.split("{}")), values)
    assert line.write_for("Ann") == told
    assert line.write_for(None) == line.text == words.format(*map("".join, values))
