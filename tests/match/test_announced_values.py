"""Values of announcements: what reactions read, whatever the type that was announced, and what that reveals."""

import pytest

import cardlang
from interpreter.match.match import Match
from interpreter.native.engine import build_engine
from interpreter.program.program import compile_game
from tests.game_files import read_game
from tests.native.following import QUICK, follow, needs_either

START = read_game("claims")
HIDDEN = {
    "a card": (
        """
  you choose kept from your hand
  announce claim on kept
""",
        "target's value > 5",
    ),
    "a shared card": (
        """
  you choose kept from your hand
  announce claim with kept
""",
        "kept's value > 5",
    ),
    "a list": (
        """
  you choose 2 kept from your hand
  announce claim on kept
""",
        "lowest of target's value > 4",
    ),
    "a number of a card": (
        """
  you choose kept from your hand
  remember kept's value as pips
  announce claim with pips
""",
        "pips > 5",
    ),
    "a secret number": (
        """
  you choose plans from 1 to 9
  set your plan to plans
  remember your plan as aim
  announce claim with aim
""",
        "aim > 5",
    ),
}
READ = {
    "a list that is not shared": (
        """
  you choose 2 kept from your hand
  announce claim with kept
  announce other
""",
        "add count of kept to your score",
        2,
    ),
    "a card read as a list": (
        """
  you choose 2 kept from your hand
  announce claim on kept
  you choose single from your hand
  announce other on single
""",
        "add count of target to your score",
        3,
    ),
    "a number that is not shared": (
        """
  remember 7 as pips
  announce claim with pips
  announce other
""",
        "if pips = nothing\n    add 1 to your score",
        1,
    ),
    "the worth of a suit": (
        """
  remember Gold as pips
  announce claim with pips
  remember 3 as pips
  announce other with pips
""",
        "add pips to your score\nreaction also\n  to claim\n  when heard = 1 and pips = Gold\n"
        "  add 1 to heard\n  add 100 to your score",
        108,
    ),
    "halves and wholes": (
        """
  remember 7 / 2 as pips
  announce claim with pips
  remember 1 as pips
  announce other with pips
""",
        "add 2 * pips to your score",
        9,
    ),
}


def build_claims(act: str, condition: str, effect: str = "") -> cardlang.Game:
    body = "".join(f"{line}\n" + "    set heard to 0\n" * ("announce" in line) for line in act.splitlines())
    return cardlang.loads(f"{START}{body}reaction doubt\n  {condition}\n  add 1 to heard\n  {effect}\n")


@pytest.mark.parametrize("name", HIDDEN)
def test_hidden_value_does_not_decide_who_is_asked(name: str) -> None:
    act, when = HIDDEN[name]
    game, asked = build_claims(act, f"to claim\n  when heard = 0 and {when}"), []
    for seed in range(8):
        match = game.start(["Ann", "Bob"], seed)
        assert isinstance(match, Match)
        while match.decision is not None and match.decision.player == "Ann":
            match.choose(seed % len(match.decision.moves))
        asked.append(match.decision is not None)
    assert all(asked)


def build_game(name: str) -> cardlang.Game:
    act, effect, _ = READ[name]
    return build_claims(act, "to claim, other\n  when heard = 0", effect)


@pytest.mark.parametrize("name", READ)
def test_reactions_read_values_as_they_were_announced(name: str) -> None:
    match = build_game(name).start(["Ann", "Bob"], 1)
    while match.decision is not None:
        match.choose(0)
    assert match.scores[1] == READ[name][2]


@needs_either
@pytest.mark.parametrize("name", READ)
def test_both_engines_read_the_same_values(name: str) -> None:
    program, engine = compile_game(build_game(name), 2), build_engine(build_game(name), 2, QUICK)
    for seed in range(4):
        follow(program, engine, seed, 20)
