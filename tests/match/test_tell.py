"""`tell`: log sentences, only for players who may know all values in them."""

import pytest

import cardlang
from cardlang import model as g
from tests.errors import find_codes
from tests.game_files import read_game
from tests.shipped import load

GAME = read_game("orchard_tell")
HIDDEN = {
    "a hand": 'each player\n    tell "{you}: {your hand}"',
    "what a hand comes to": 'each player\n    tell "{you}: {total of your hand\'s value}"',
    "a definition": 'each player\n    tell "{you}: {your sum}"',
    "a card of it": 'each player\n    tell "{you}: {highest of your hand\'s value}"',
    "a secret": 'each player\n    tell "{you}: {your aim}"',
    "what was remembered": 'each player\n    remember your sum as sum\n    tell "{you}: {sum}"',
    "what was remembered of that": (
        'each player\n    remember your sum as sum\n    remember sum + 1 as more\n    tell "{you}: {more}"'
    ),
    "a card that was remembered": 'each player\n    remember top of your hand as best\n    tell "{you}: {best}"',
    "what a step is handed": "each player\n    do count-out with you, your sum",
    "a list that is gone through": 'each player\n    each card in your hand\n      tell "{you}: {that card}"',
    "ways to choose": 'each player\n    tell "{you}: {count of (every c from your hand when c\'s value = 3)}"',
    "values of ways": (
        'each player\n    tell "{you}: {highest of (total of a\'s value for every 2 cards from your hand as a)}"'
    ),
    "whether it has a card": 'each player\n    tell "{you}: {any card in your hand has value > 3}"',
}


def log(line: str, onlooker: str | None, seed: int = 5) -> list[str]:
    """Return the log sentences that a player sees."""
    match = cardlang.loads(GAME.replace("{line}", line)).start(2, seed)
    lines = match.view(onlooker).log
    return [each for each in lines if each.startswith(("Ann:", "Bob:", "Ann counts", "Bob counts", "The table"))]


@pytest.mark.parametrize("line", HIDDEN.values(), ids=HIDDEN)
def test_tell_reaches_players_who_know_its_values(line: str) -> None:
    for player, other in (("Ann", "Bob"), ("Bob", "Ann")):
        told = log(line, player)
        assert told
        assert all(each.startswith(player) for each in told)
        assert not any(each.startswith(other) for each in told)
    assert log(line, None) == []


@pytest.mark.parametrize("line", HIDDEN.values(), ids=HIDDEN)
def test_tell_reaches_all_after_a_reveal(line: str) -> None:
    shown = "each player\n    reveal your hand\n  " + line
    if "aim" not in line:
        assert len(log(shown, "Ann")) == len(log(shown, None)) >= 2


def test_tell_of_card_counts_reaches_all() -> None:
    line = 'each player\n    tell "{you}: {count of your hand} and {your hand is empty}"'
    assert log(line, "Ann") == log(line, None) == ["Ann: 2 and no", "Bob: 2 and no"]


def test_remembered_private_value_stays_private() -> None:
    line = 'each player\n    remember your sum as sum\n    reveal your hand\n    tell "{you}: {sum}"'
    assert len(log(line, "Ann")) == 1


def test_an_empty_list_is_nothing() -> None:
    assert log('tell "The table has {table}."', None) == ["The table has nothing."]


def test_full_log_contains_every_tell() -> None:
    match = cardlang.loads(GAME.replace("{line}", HIDDEN["a hand"])).start(2, 5)
    assert sum(line.startswith(("Ann:", "Bob:")) for line in match.log) == 2


def test_tell_does_not_change_play() -> None:
    told, untold = (
        cardlang.loads(GAME.replace("{line}", line)) for line in (HIDDEN["what was remembered"], "shuffle deck")
    )
    assert told.start(2, 5).view("Ann").zone("hand", "Ann") == untold.start(2, 5).view("Ann").zone("hand", "Ann")


def test_tell_rejects_random_values() -> None:
    assert find_codes(GAME.replace("{line}", 'tell "{random of deck}"')) == ["E214"]


MELDS = read_game("sets_tell")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('tell "{Split of table}."', "[2A 2P 2C] and [3A 3P 3C]."),
        ("tell \"{(every 1 or more cards from table where value > 2 as lot when total of lot's value = 8)}.\"",
         "[3A 5A], [3P 5A] and [3C 5A]."),
    ],
    ids=["a split into groups", "selections of cards"],
)  # fmt: skip
def test_tell_lists_groups_of_cards(line: str, told: str) -> None:
    laid = "put deck where value in (2, 3) or value = 5 and fruit = Apple to table\n  "
    match = cardlang.loads(MELDS.replace("{line}", laid + line)).start(2, 1)
    assert told in match.view(None).log


def test_tell_uses_the_names_of_members() -> None:
    """The hyphen of North-South is no space; that of White-Dragon, which nobody calls otherwise, is one."""
    spades, tall = load("spades").start(4, 1), load("tall_card").start(2, 1)
    teams, types = spades.game.kinds["Team"], tall.game.kinds["Type"]
    assert spades.names.describe_value(g.Type("member", of=teams.name), 0) == "North-South"
    assert tall.names.describe_value(g.Type("member", of=types.name), 0) == "White Dragon"
