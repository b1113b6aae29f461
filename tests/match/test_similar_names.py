"""Similar names stay distinct, wherever a name can be declared.

They differ only in case, or look like a part of another name or like an internal name of the program."""

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
@pytest.mark.parametrize("named", ["declarations", "card_members", "rankings"])
def test_similar_names_stay_distinct(named: str, one: str, other: str) -> None:
    assert failures(read_game(f"alike_{named}").format(one=one, other=other, play=PLAY)) == []


@pytest.mark.parametrize("suffix", ["wild", "judge", "matches", "beside"])
def test_ranking_named_like_a_pattern_stays_distinct(suffix: str) -> None:
    assert failures(read_game("alike_patterns").format(suffix=suffix, play=PLAY)) == []


def play_moves(match: Match, *moves: str) -> Match:
    for move in moves:
        match.choose(move)
    return match


@pytest.mark.parametrize("borne", ["enters", "reaction", "example", "the", "borne", "effect"])
@pytest.mark.parametrize("step", ["the-game", "enters-0", "reaction-stop", "borne-enters-0", "example-0"])
def test_step_names_like_internal_names_stay_distinct(borne: str, step: str) -> None:
    """They keep more than one thing while they wait, each a different number of them."""
    text = read_game("alike_internal_names").format(borne=borne, step=step)
    match: Match = cardlang.loads(HEAD + text).start(2, 1)
    once = ["[1c]", "2", "1", "3", "[2c]", "1", "2", "2", "2", "1"]
    play_moves(match, *once, *(move.replace("1c", "5c").replace("2c", "6c") for move in once))
    # 2 * 1000 + 1 * 10000 + 100000 + 300, then 1 * 1000 + 2 * 10000 + 100000 + 200, then 21
    assert match.scores == [233521, 233521] and match.over


LIKE_PYTHON = ["def", "class", "None", "lambda", "move", "put", "f", "s", "t", "z", "v1", "h1", "who", "legal", "code"]


@pytest.mark.parametrize("name", LIKE_PYTHON)
def test_python_names_stay_distinct(name: str) -> None:
    text = read_game("alike_python_names").format(name=name)
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
