"""Reasons for illegal moves, for any name of a card. Legal moves are never denied."""

from __future__ import annotations

from random import Random

import pytest

from interpreter.match.match import Match
from tests.shipped import Cast, casts, load, walk

GAMES = sorted({cast.game for cast in casts()})


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_legal_moves_are_never_denied(name: str) -> None:
    seats = load(name).seats
    for match in walk(Cast(name, 4 if 4 in seats else seats[0]).start(6), Random(6), 25):
        if match.decision is None:
            break
        ask = match.table(match.decision.player).ask
        assert ask is not None
        for action in ask.actions[:12]:
            assert match.why_not(action.text) is None
            assert match.why_not(action.label) is None, action.label
        if ask.choosing is not None:
            for ref in ask.choosing.refs:
                assert match.why_not(ref) is None, ref


def test_titles_codes_and_refs_are_equivalent() -> None:
    match = load("hearts").start(4, 7)
    table = match.table("Ann")
    # Typed one by one, cards are picked in ascending order.
    card = min(table.places[0].piles[0].cards, key=lambda card: card.face or 0)
    assert card.code is not None and card.title is not None
    for name in (card.code, f"[{card.code}]", card.title, card.title.upper(), card.ref, f"move {card.title}"):
        assert match.why_not(name) is None, name
    match.choose(card.title)
    assert match.table("Ann").ask.choosing.chosen == (card.ref,)  # type: ignore[union-attr]


def test_illegal_card_gives_a_reason_by_title() -> None:
    match = load("hearts").start(4, 7)
    for player in match.players:
        match.confirm(player, [card.ref for card in match.table(player).places[0].piles[0].cards[:3]])
    assert match.decision is not None and match.decision.moves.texts == ("play [2c]",)
    other = next(c for c in match.table(match.decision.player).places[0].piles[0].cards if c.code != "2c")
    assert (
        match.why_not(other.title or "")
        == match.why_not(f"play [{other.code}]")
        == "The 2 of Clubs opens the first trick."
    )


def test_untakeable_card_quotes_the_rule() -> None:
    """Tall Tales: whoever ranks lowest may only embellish, the others only take a memory."""
    for match in walk(Cast("tall_tales", 3).start(3), Random(3), 40):
        if str(match.decision and match.decision.moves[0]).startswith("take"):
            said = match.why_not("[19G]")
            assert said is not None and said.startswith("[19G] ")
            assert said.endswith("so you take a memory: the card of any Memory Market.")
            return
    pytest.fail("nobody shared memories")


def with_howl(seed: int) -> Match | None:
    """Return a match of Tail Story whose first event can be chosen by a player with a Howl in hand, if that is so."""
    match = load("tail_story").start(["Ann", "Bob"], seed=seed)
    while match.decision is not None and "event" not in str(match.decision.moves[0]):
        match.choose(0)
    assert match.decision is not None
    hand = match.view(match.decision.player).zone("hand", match.decision.player).cards
    return match if "Howl" in [card.code for card in hand] else None


def test_single_card_is_denied_by_its_option() -> None:
    match = next(found for seed in range(100) if (found := with_howl(seed)) is not None)
    said = match.why_not("[Howl]")
    assert said is not None and "An Acting card needs an altered Character" in said and "Stop" not in said


def test_unused_setup_piles_are_hidden() -> None:
    """Two players leave 30 Event cards and four Characters over in Tail Story; they are in sight while one chooses."""
    match = load("tail_story").start(2, seed=7)
    assert {pile.name for pile in match.table("Ann").middle.piles} == {"box", "roster"}
    match.choose(0)
    match.choose(0)
    assert not match.table("Ann").middle.piles


def test_usage_limit_is_not_a_price() -> None:
    """The swap of a turn costs no Action Point."""
    for match in walk(Cast("tail_story", 2).start(3), Random(3), 200):
        ask = match.table(match.decision.player).ask if match.decision is not None else None
        swap = next((each for each in ask.actions if each.text.startswith("swap")), None) if ask is not None else None
        if swap is not None:
            assert swap.label.startswith("Swap discards with") and " for " not in swap.label
            return
    pytest.fail("nobody could swap")
