"""Definitions evaluated in a position."""

import pytest

from tests.match.conftest import load


def test_ranking_has_title_and_text() -> None:
    reading = load("tall_card").evaluate("strength", hand="8p 8d 8p 4d 3b", given="tall [Tp], claimer Ann")
    assert reading.title == "3 Pretty Sisters"
    assert str(reading) == "3 Pretty Sisters"


def test_evaluate_returns_fractions() -> None:
    assert load("tall_tales").evaluate("score", given="score 37.5") == 37.5


def test_evaluate_accepts_tracks_and_zones_of_others() -> None:
    hearts = load("hearts")
    assert hearts.evaluate("penalty", given="Bob: taken [2h 3h Qs]") == 0
    assert hearts.evaluate("haul", taken="2h 3h Qs") == 15
    assert hearts.evaluate("deals", given="deals 3") == 3


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("nonsense", ""),
        ("haul", "taken [99x]"),
        ("haul", "takn [2h]"),
        ("haul", "leader Zed"),
        ("haul", "deals x"),
    ],
)
def test_evaluate_rejects_unknown_names(name: str, given: str) -> None:
    with pytest.raises(ValueError, match=r"has no|not a valid value"):
        load("hearts").evaluate(name, given=given)


def test_evaluate_allows_players_beyond_the_minimum() -> None:
    """Tall Card is for 2 to 7; whoever is named plays."""
    tall_card = load("tall_card")
    given = "tall [Tp], claimer {}"
    ann = tall_card.evaluate("strength", hand="8p 8d 8p 4d 3b", given=given.format("Ann"))
    eve = tall_card.evaluate("strength", hand="8p 8d 8p 4d 3b", given=given.format("Eve"))
    gus = tall_card.evaluate("strength", hand="8p 8d 8p 4d 3b", given=given.format("Gus"))
    assert ann.strength != eve.strength == gus.strength
    with pytest.raises(ValueError, match=r"Zed is not a valid value here\. Use Ann, Bob, Cat, Dan, Eve, Fay, Gus"):
        tall_card.evaluate("strength", hand="8p", given="claimer Zed")


def test_evaluate_rejects_too_many_copies() -> None:
    with pytest.raises(ValueError, match=r"^The game has only 2 \[9d\], but this names more\.$"):
        load("tall_card").evaluate("strength", hand="9d 9d 9d")


def test_player_value_can_be_evaluated_twice() -> None:
    match = load("tall_card").start(3, seed=1)
    first, second = (match.program.evaluate_player_value("strength", match.state, 0) for _ in range(2))
    assert first == second
    assert isinstance(first.title, str)
