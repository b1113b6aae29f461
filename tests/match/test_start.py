"""Start of a match, and its description."""

import pytest

from tests.match.conftest import load


def test_fewest_players_without_a_number() -> None:
    assert load("tall_tales").start().players == ("Ann", "Bob", "Cat")


def test_names_are_kept_in_seat_order() -> None:
    assert load("kuhn_poker").start(["Zoe", "Mal"]).players == ("Zoe", "Mal")


@pytest.mark.parametrize("players", [1, 5, ["Ann"], ["Ann", "Ann", "Bob"], ["Ann", "", "Bob"], ["A\nB", "C", "D"]])
def test_invalid_players_are_rejected(players: int | list[str]) -> None:
    with pytest.raises(ValueError, match=r"players|name"):
        load("tall_tales").start(players)


def test_wrong_player_count_names_the_allowed_ones() -> None:
    with pytest.raises(ValueError, match=r"Tall Tales is for 3 or 4 players, not 9\."):
        load("tall_tales").start(9)


def test_equal_seeds_give_equal_matches() -> None:
    hearts = load("hearts")
    assert hearts.start(4, 7) == hearts.start(4, 7)
    assert hearts.start(4, 7) != hearts.start(4, 8)


def test_a_match_ends_with_winners() -> None:
    match = load("kuhn_poker").start(2, 3)
    for text in ("bet 1", "fold"):
        assert match.winners == []
        match.choose(text)
    assert match.over
    assert match.decision is None
    # The bettor takes back bet and ante and gets the ante of the other: 2 + 1 against 2 - 1.
    assert sorted(score for score in match.scores if score is not None) == [1, 3]
    assert [match.scores[match.players.index(name)] for name in match.winners] == [3]
    assert sorted(match.places) == [1, 2]


@pytest.mark.parametrize("seed", ["x", b"1", 1.5])
def test_non_integer_seed_is_rejected(seed: object) -> None:
    with pytest.raises(TypeError, match=r"^A seed must be a whole number, not "):
        load("kuhn_poker").start(2, seed)  # type: ignore[arg-type]


@pytest.mark.parametrize("players", ["AB", [1, 2], 2.0])
def test_players_of_a_wrong_type_are_rejected(players: object) -> None:
    with pytest.raises(TypeError, match=r"^Players must be a number or a list of names, not "):
        load("kuhn_poker").start(players)  # type: ignore[arg-type]
