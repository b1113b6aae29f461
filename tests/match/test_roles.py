"""Roles of numbers and options: bots and screens know bets by what a game declares, not by names."""

import re
from pathlib import Path

import pytest

import cardlang
from interpreter.bots.bot_players import PlayoutPlayer
from interpreter.program.betting_roles_and_shown_hand import find_role, get_betting_numbers, is_betting_game
from tests.errors import find_codes, find_error

RENAMED = {"call-price": "due", "winnable": "chance", "fold": "give-up", "pot": "pile"}
HEADER = 'game "Roles" for 2 players\nkind Value: 1 to 9\ncards Cards in deck\n  2 of each Value\nzone deck\n'
PLAY = """number your score
number heap
number your debt
step play
  each player
    you may choose one
      option leave
        add 1 to your score
"""


def rename_bets(text: str) -> str:
    """Rename everything that has a role, but keep the names of the roles."""
    words = "|".join(RENAMED)
    return re.sub(
        rf"(?<![\w-])(?<!^role )({words})(?![\w-])", lambda found: RENAMED[found[1]], text, flags=re.MULTILINE
    )


def test_a_betting_game_with_other_names_plays_the_same() -> None:
    text = cardlang.shipped()["texas_holdem"].read_text("utf-8")
    library = (Path(cardlang.__file__).parent / "library" / "betting.cardgame").read_text("utf-8")
    first = cardlang.loads(text)
    other = cardlang.loads(rename_bets(text), libraries={"betting": rename_bets(library)})
    assert {each.role: each.name for each in first.roles} == {name: name for name in RENAMED}
    assert {each.role: each.name for each in other.roles} == RENAMED
    assert is_betting_game(first) and is_betting_game(other)
    assert play_with_bots(first) == play_with_bots(other)
    assert get_betting_numbers(other) == ("due", "pile", "chance")


def play_with_bots(game: cardlang.Game) -> list[int]:
    """Return the choices of bots in a match, as numbers."""
    match, bot, chosen = game.start(2, 5), PlayoutPlayer(3, 2), list[int]()
    while len(chosen) < 6:
        chosen.append(bot.choose(match))
        match.choose(chosen[-1])
    return chosen


def test_names_alone_give_no_role() -> None:
    game = cardlang.loads(HEADER + PLAY.replace("heap", "pot").replace("debt", "call-price").replace("leave", "fold"))
    assert not game.roles
    assert find_role(game, "pot") is None


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("role pt is heap", "pt"),
        ("role pot is hep", "hep"),
        ("role pot is your debt", "debt"),
        ("role call-price is heap", "heap"),
        ("role fold is stay", "stay"),
    ],
)
def test_a_role_that_does_not_fit_is_an_error(line: str, place: str) -> None:
    found = find_error(f"{HEADER}{line}\n{PLAY}")
    assert (found.code, found.span.text) == ("E201", place)
    assert found.hint


def test_a_role_given_twice_is_an_error() -> None:
    assert find_codes(f"{HEADER}role pot is heap\nrole pot is heap\n{PLAY}") == ["E210"]


def test_roles_survive_json() -> None:
    game = cardlang.loads(f"{HEADER}role pot is heap\nrole fold is leave\n{PLAY}")
    again = cardlang.from_json(game.json())
    assert again.roles == game.roles == (*game.roles,)
    assert [(each.role, each.name) for each in again.roles] == [("pot", "heap"), ("fold", "leave")]
