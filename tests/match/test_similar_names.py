"""Similar names stay distinct, wherever a name can be declared.

They differ only in case, or look like a part of another name or like an internal name of the program."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import cardlang
from interpreter.match.match import Match
from interpreter.runtime.errors import RuleError
from tests.game_files import read_game

HEAD = read_game("alike")
PLAY = """\
step play
  each player
    add 1 to your score
"""


def failures(text: str) -> list[str]:
    """Return the messages of failing examples."""
    game = cardlang.loads(HEAD + text)
    assert game.examples
    return [outcome.message for outcome in (example.run() for example in game.examples) if not outcome.passed]


# Pairs of names that come close in one way each.
PAIRS = [("worth", "Worth"), ("a-b", "A-b"), ("a-b", "ab"), ("a-1", "a1"), ("x-1-2", "x-12"), ("left-of", "Left-of")]


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_names_of_definitions_tracks_steps_and_zones_stay_distinct(one: str, other: str) -> None:
    text = f"""\
zone {one}-zone
zone {other}-zone
number {one}-number starts at 3
number {other}-number starts at 4
number your {one}-own starts at 5
number your {other}-own starts at 6
define {one} as count of stock + 100
define {other} as count of stock + 200
define your {one}-seat as seat + 10
define your {other}-seat as seat + 20
define Suit's {one}-suit as count of (stock where suit = that Suit) + 10
define Suit's {other}-suit as count of (stock where suit = that Suit) + 20
define {one}-spread of some as highest of some's rank - lowest of some's rank + 10
define {other}-spread of some as highest of some's rank - lowest of some's rank + 20
order {one}-best of card
  higher rank
order {other}-best of card
  lower rank
step {one}-step
  move top of stock to {one}-zone
step {other}-step
  move top of stock to {other}-zone
  move top of stock to {other}-zone
{PLAY}
example "Each is itself" with Ann, Bob
  expect {one} = 112 and {other} = 212 and {one}-number = 3 and {other}-number = 4
  expect Ann's {one}-own = 5 and Ann's {other}-own = 6
  expect Bob's {one}-seat = 12 and Bob's {other}-seat = 22
  expect Cups's {one}-suit = 16 and Cups's {other}-suit = 26
  expect {one}-spread of stock = 15 and {other}-spread of stock = 25
  expect (highest of stock by {one}-best)'s rank = 6 and (highest of stock by {other}-best)'s rank = 1
  do {one}-step
  do {other}-step
  expect count of {one}-zone = 1 and count of {other}-zone = 2
"""
    assert failures(text) == []


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_names_of_card_members_stay_distinct(one: str, other: str) -> None:
    text = f"""\
cards Tools in heap with {one}-price, {other}-price
  1 of "Saw", 1, 2
    define {one} as count of heap + 100
    define {other} as count of heap + 200
    step {one}-do
      add 1 to Ann-points
    step {other}-do
      add 10 to Ann-points
number Ann-points
{PLAY}
step your use-it
  do (first of heap)'s {one}-do
  do (first of heap)'s {other}-do
  do (first of heap)'s {other}-do
example "Each is itself" with Ann, Bob
  expect total of heap's {one} = 101 and total of heap's {other} = 201
  expect total of heap's {one}-price = 1 and total of heap's {other}-price = 2
  do Ann's use-it
  expect Ann-points = 21
"""
    assert failures(text) == []


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_names_of_rankings_and_kinds_stay_distinct(one: str, other: str) -> None:
    text = f"""\
ordered kind {one}-kind: Low worth 1, High worth 2
ordered kind {other}-kind: Weak worth 10, Strong worth 20
ranking {one} of 2 cards
  "Pair"
    2 Pack of one rank
  "Loose"
    1 Pack
ranking {other} of 2 cards
  "Flush"
    2 Pack of one suit
  "Mixed"
    1 Pack
define your {one}-hand as {one} of hand
define your {other}-hand as {other} of hand
{PLAY}
example "Each is itself" with Ann, Bob
  given
    Ann: hand [1c 1s]
  expect Ann's {one}-hand's title = "Pair" and Ann's {other}-hand's title = "Mixed"
  expect total of {one}-kind = 3 and total of {other}-kind = 30
"""
    assert failures(text) == []


@pytest.mark.parametrize("suffix", ["wild", "judge", "matches", "beside"])
def test_ranking_named_like_a_pattern_stays_distinct(suffix: str) -> None:
    text = f"""\
ranking Bunch of 2 cards
  "Pair"
    2 Pack of one rank
  "Loose"
    1 Pack
  wild where rank = 1 as any Pack
  ties
    highest when wilds = 0
ranking Bunch-{suffix} of 2 cards
  "Flush"
    2 Pack of one suit
  "Mixed"
    1 Pack
define your one as Bunch of hand
define your other as Bunch-{suffix} of hand
{PLAY}
example "Each is itself" with Ann, Bob
  given
    Ann: hand [1c 5s]
    Bob: hand [5c 4c]
  expect Ann's other's title = "Mixed" and Ann's one's title = "Pair" and Ann's one's wilds = 1
  expect Bob's other's title = "Flush" and Bob's one's title = "Loose" and Ann's hand is Bunch
"""
    assert failures(text) == []


def play_moves(match: Match, *moves: str) -> Match:
    for move in moves:
        match.choose(move)
    return match


@pytest.mark.parametrize("borne", ["enters", "reaction", "example", "the", "borne", "effect"])
@pytest.mark.parametrize("step", ["the-game", "enters-0", "reaction-stop", "borne-enters-0", "example-0"])
def test_step_names_like_internal_names_stay_distinct(borne: str, step: str) -> None:
    """They keep more than one thing while they wait, each a different number of them."""
    text = f"""\
cards Tools in heap
  1 of "Saw"
    step {borne}
      you choose early from 1 to 2
      you choose late from 1 to 2
      add 10 * early + late to your score
step play
  each player
    do your {step}
    do your {step}
    do (first of heap)'s {borne}
step your {step}
  you put 1 from stock to your pile
  you choose more from 1 to 3
  add 100 * more to your score
whenever card enters your pile
  you choose bonus from 1 to 2
  you choose extra from 1 to 2
  add 1000 * bonus + 10000 * extra to your score
  do your on-entering
step your on-entering
  announce halt
    add 100000 to your score
reaction stop
  to halt
  when count of stock = 0
  cancel
"""
    match: Match = cardlang.loads(HEAD + text).start(2, 1)
    once = ["[1c]", "2", "1", "3", "[2c]", "1", "2", "2", "2", "1"]
    play_moves(match, *once, *(move.replace("1c", "5c").replace("2c", "6c") for move in once))
    # 2 * 1000 + 1 * 10000 + 100000 + 300, then 1 * 1000 + 2 * 10000 + 100000 + 200, then 21
    assert match.scores == [233521, 233521] and match.over


LIKE_PYTHON = ["def", "class", "None", "lambda", "move", "put", "f", "s", "t", "z", "v1", "h1", "who", "legal", "code"]


@pytest.mark.parametrize("name", LIKE_PYTHON)
def test_python_names_stay_distinct(name: str) -> None:
    text = f"""\
number your {name}-count
flag {name}-flag
define your {name}er as {name}-count + 1
step play
  each player
    do your {name}ing
step your {name}ing
  you choose {name}s from 1 to 4
  add {name}s to your {name}-count
  remember your {name}er as {name}x
  add {name}x to your score
"""
    match: Match = cardlang.loads(HEAD + text).start(2, 1)
    assert play_moves(match, "3", "4").scores == [4, 5]


@pytest.mark.parametrize("declare", [lambda name: f"define {name} as", lambda name: f"number {name} starts at"])
@pytest.mark.parametrize("name", LIKE_PYTHON)
def test_reserved_words_work_as_track_names(name: str, declare: Callable[[str], str]) -> None:
    words = {"def": "defs", "move": "moves", "put": "puts"}  # those that a line may begin with
    name = words.get(name, name)
    assert failures(f'{declare(name)} 7\n{PLAY}\nexample "It" with Ann, Bob\n  expect {name} = 7\n') == []


def test_library_with_the_name_of_the_game_reports_its_own_span() -> None:
    """A rule at fault is told where it stands, and not at the same place of the other file."""
    rule = "step your {}\n  add 1 to lost's score\n"
    game = HEAD + "player lost\nuse alike\n" + rule.format("one")
    game += "step play\n  each player\n    you choose one\n"
    game += "      option one\n        do your one\n      option two\n        do your two\n"
    library = 'library "Alike"\n\n# '
    library += "." * (game.index("step your one") - len(library) - 1) + "\n" + rule.format("two")
    assert game.index("add 1 to lost") == library.index("add 1 to lost")
    loaded = cardlang.loads(game, "alike.cardgame", libraries={"alike": library})
    for move, text in (("one", game), ("two", library)):
        with pytest.raises(RuleError) as fault:
            loaded.start(2, 1).choose(move)
        assert fault.value.span.source.text == text
