"""`show`: values on screen, only for players who may know them."""

from typing import Any

import pytest

import cardlang
from cardlang.rulebook.render import render_rulebook_markdown
from tests.game_files import read_game

GAME = read_game("orchard_show")
SHOWS = "show your strength\nshow pot\nshow your score\nshow your aim\nshow table as grid of 3 beside deck\n"


def game(shows: str = SHOWS, hand: str = "[1A 1P 8C]") -> Any:
    return cardlang.loads(GAME.replace("SHOWS", shows).replace("[1A 1P 8C]", hand))


def get_shown_values(who: str | None, *moves: str) -> dict[tuple[str, str | None], tuple[str, tuple[str, ...]]]:
    match = game().start(2, 1)
    for move in moves:
        match.choose(move)
    return {(each.name, each.owner): (each.text, each.cards) for each in match.view(who).shown}


def test_shown_value_appears_to_players_who_may_know_it() -> None:
    ann, bob = get_shown_values("Ann"), get_shown_values("Bob")
    assert ann["strength", "Ann"] == ("Pair of ones", ("1A", "1P"))
    assert ann["pot", None] == bob["pot", None] == ("5", ())
    assert ann["score", "Ann"] == bob["score", "Ann"] == ("2", ())
    assert ann["aim", "Ann"] == ("3", ())
    assert ("strength", "Ann") not in bob
    assert ("aim", "Ann") not in bob
    assert ("strength", "Ann") not in get_shown_values(None)


def test_revealed_value_appears_to_all() -> None:
    assert get_shown_values("Bob", "look")["strength", "Ann"] == ("Pair of ones", ("1A", "1P"))


def test_shown_values_ignore_hidden_cards() -> None:
    first, other = game().start(2, 1), game(hand="[2A 3P 7C]").start(2, 1)
    assert first.view("Bob").shown == other.view("Bob").shown
    assert first.view("Ann").shown != other.view("Ann").shown


def test_rulebook_lists_shown_values_only() -> None:
    sheet = render_rulebook_markdown(game())
    assert "Pot" not in sheet and "All that lies on the table." not in sheet
    assert "debt" not in sheet
    assert "**Table:** In rows of three. *Beside the deck.*" in sheet


def test_shows_survive_json() -> None:
    assert cardlang.from_json(game().json()).shows[4].columns == 3
    assert cardlang.from_json(game().json()) == game()


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("show post", "E201"),
        ("show strength", "E214"),
        ("show your pot", "E214"),
        ("show pot as row", "E214"),
        ("show table beside hand", "E204"),
        ("show table as grid of 0", "E239"),
        ("show pot\nshow pot", "E210"),
    ],
)
def test_invalid_shows_are_rejected(line: str, code: str) -> None:
    with pytest.raises(cardlang.GameError) as caught:
        game(line + "\n")
    assert [each.code for each in caught.value.diagnostics if not each.warning] == [code]
