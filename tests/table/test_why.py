"""Why not, by any name that people use; what is offered is never denied."""

from __future__ import annotations

from random import Random

import pytest

from tests.shipped import Cast, casts, load, walk

GAMES = sorted({cast.game for cast in casts()})


@pytest.mark.parametrize("name", GAMES)
def test_what_is_offered_is_never_denied(name: str) -> None:
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


def test_titles_codes_and_refs_mean_the_same() -> None:
    match = load("hearts").start(4, 7)
    table = match.table("Ann")
    # Typed one by one, cards are picked in ascending order.
    card = min(table.places[0].piles[0].cards, key=lambda card: card.face or 0)
    assert card.code is not None and card.title is not None
    for name in (card.code, f"[{card.code}]", card.title, card.title.upper(), card.ref, f"move {card.title}"):
        assert match.why_not(name) is None, name
    match.choose(card.title)
    assert match.table("Ann").ask.choosing.chosen == (card.ref,)  # type: ignore[union-attr]


def test_what_is_closed_says_why_by_its_title_too() -> None:
    match = load("hearts").start(4, 7)
    for player in match.players:
        match.confirm(player, [card.ref for card in match.table(player).places[0].piles[0].cards[:3]])
    assert match.decision is not None and match.decision.moves.texts == ("play [2c]",)
    other = next(c for c in match.table(match.decision.player).places[0].piles[0].cards if c.code != "2c")
    assert (
        match.why_not(other.title or "")
        == match.why_not(f"play [{other.code}]")
        == "The two of clubs opens the first trick."
    )
