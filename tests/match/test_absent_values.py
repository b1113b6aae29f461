"""Absent players and values: rules that need one report an error."""

from fractions import Fraction

import pytest

import cardlang
from interpreter.match.match import Match
from interpreter.runtime.errors import RuleError
from tests.game_files import read_game

GAME = read_game("nobody")

NOBODY = [
    ("do boss's turn", "boss"),
    ("do boss's left's turn", "boss's left"),
    ("do boss's question", "boss"),
    ("do leader's gift with boss", "boss"),
    ("do leader's gift with boss's right", "boss's right"),
    ("do leader's bid with boss's score", "boss's score"),
    ("boss puts 1 from deck to pile", "boss"),
    ("boss puts 1 from top of deck to pile", "boss"),
    ("boss chooses aim from 1 to 3", "boss"),
    ("boss may choose one\n    option act", "boss"),
    ("each player from boss\n    add 1 to your score", "boss"),
    ("each Suit from trump\n    add 1 to leader's score", "trump"),
    ("each player from boss may choose one, until one does\n    option act", "boss"),
    ("deal top of deck to boss's hand", "boss"),
    ("move deck to trump's heap", "trump"),
    ("shuffle boss's hand", "boss"),
    ("reveal deck to boss", "boss"),
    ("eliminate boss", "boss"),
    ("add 1 to boss's score", "boss"),
    ("set boss's score to 3", "boss"),
    ("set (top of pile)'s bent to yes", "top of pile"),
    ("add boss's score to leader's score", "boss's score"),
    ("leader chooses rival from players where score = 0\n  do rival's turn", "rival"),
    ("leader chooses rival from players where score = 0\n  add 1 to rival's score", "rival"),
]


def start_match(body: str, more: str = "player leader starts at first of players\n") -> Match:
    match: Match = cardlang.loads(f"{GAME}{more}step play\n  {body}\n").start(3, 1)
    return match


@pytest.mark.parametrize(("rule", "absent"), NOBODY, ids=[rule for rule, _ in NOBODY])
def test_missing_player_is_an_error_at_the_rule(rule: str, absent: str) -> None:
    with pytest.raises(RuleError) as fault:
        start_match(rule)
    assert fault.value.span.text == absent
    no = "nobody" if ("boss" in absent and "score" not in absent) or absent == "rival" else "nothing"
    assert fault.value.message.startswith(f"`{absent}` is {no} here.")
    assert f"`if {absent} != {no}`" in fault.value.message


def test_values_of_no_player_are_absent() -> None:
    body = """if count of boss's others > 0 or any card in deck has mine > 0
    add 1 to leader's score"""
    more = GAME.replace("nothing\n", "nothing\n    define mine as your score\n", 1)
    match = cardlang.loads(f"{more}player leader starts at first of players\nstep play\n  {body}\n").start(3, 1)
    assert match.scores == [10, 10, 10]


def test_option_without_a_price_cannot_be_bought() -> None:
    body = """each player
    you may choose one
      option buy with ware from deck costs ware's price coins"""
    match = start_match(body)
    assert match.decision is not None and list(match.decision.moves.texts) == ["pass"]


def test_given_rejects_nothing_for_a_required_value() -> None:
    text = GAME + "player leader starts at first of players\nstep play\n  do leader's turn\n"
    with pytest.raises(ValueError, match="cannot be nothing"):
        cardlang.loads(text).evaluate("score", given="leader nobody")
    assert cardlang.loads(text).evaluate("score", given="boss nobody") == Fraction(10)


# ---------------------------------------------------------------- who is out
def test_eliminated_player_is_not_asked_in_their_own_step() -> None:
    match = start_match(
        """eliminate leader
  do leader's turn
  do leader's question
  leader may put 1 from deck to pile
  leader's left puts 1 from deck to pile"""
    )
    assert match.decision is not None and match.decision.player == "Bob"
    assert match.scores == [11, 10, 10]


def test_player_eliminated_in_their_turn_counts_as_passing() -> None:
    body = """each player
    repeat until you pass
      eliminate you
      you may put 1 from deck to pile"""
    assert start_match(body).over


def test_game_ends_when_the_last_player_is_eliminated() -> None:
    body = """each player
    eliminate you
  add 100 to leader's score
  do leader's left's turn"""
    match = start_match(body, "player leader starts at first of players\ndefine winners as players\n")
    assert match.over and match.winners == [] and match.scores == [10, 10, 10]
