"""Reactions: who is asked, in which order, and until when."""

import pytest

import cardlang
from interpreter.match.match import Match
from interpreter.native.engine import NO_FAULT, build_engine
from interpreter.program.program import compile_game
from interpreter.runtime.errors import RuleError
from tests.game_files import read_game
from tests.native.following import QUICK, follow, needs_either

START = read_game("windows")
LAMP = START + read_game("reactions_lamp")
PURSE = START + read_game("purse")
GIFT = START + read_game("reactions_gift")
DOUBT = START + read_game("doubt")
FREE = (
    START
    + """
reaction nod
  to theft
  add 1 to your coins
"""
)
AIMED = read_game("targets")
DUELS = read_game("duels")
GAMES = {"lamp": LAMP, "purse": PURSE, "gift": GIFT, "doubt": DOUBT, "aimed": AIMED, "duels": DUELS}


def start(text: str, seed: int = 1) -> Match:
    match: Match = cardlang.loads(text).start(["Ann", "Bob", "Cat", "Dan"], seed)
    return match


def list_asked(match: Match, *answers: str) -> list[str]:
    """List the players asked for each of these answers, and the next one."""
    who = []
    for answer in answers:
        assert match.decision is not None
        who.append(match.decision.player)
        fitting = [text for text in match.decision.moves.texts if text.split()[0] == answer]
        assert fitting, f"{answer}: {list(match.decision.moves.texts)}"
        match.choose(fitting[0])
    assert match.decision is not None
    return [*who, match.decision.player]


def test_each_player_is_asked_once_when_all_pass() -> None:
    """Bob, Cat, Dan; then it is Bob's turn, and Cat is asked first."""
    assert list_asked(start(FREE), "pass", "pass", "pass") == ["Bob", "Cat", "Dan", "Cat"]


def test_answer_restarts_the_reaction_round() -> None:
    assert list_asked(start(FREE), "pass", "nod", "pass", "pass", "pass") == [
        "Bob",
        "Cat",
        "Dan",
        "Bob",
        "Cat",
        "Cat",
    ]
    assert list_asked(start(FREE), "pass", "pass", "nod", "pass", "pass", "pass")[3:6] == ["Bob", "Cat", "Dan"]


def test_cancelling_answer_ends_the_reactions() -> None:
    match = start(PURSE)
    assert list_asked(match, "pass", "pass", "bribe")[3] == "Cat"
    assert list_asked(match, "hire") == ["Cat", "Cat"]
    assert match.scores[0] == 1


def test_later_flag_opens_an_earlier_reaction() -> None:
    for seed in range(30):
        match = start(LAMP, seed)
        who = list_asked(match, "pass", "pass", "lamp") if "lamp" in get_offered_moves(match, 3) else []
        if not who:
            continue
        assert who[3] == "Bob"  # asked with wood or without: Ann must not learn which
        if any(text.startswith("shield") for text in match.decision.moves.texts):  # type: ignore[union-attr]
            return
    raise AssertionError("no seed has oil for Dan and wood for Bob")


def get_offered_moves(match: Match, nth: int) -> str:
    """Return the moves of the player asked after a number of passes, in a copy of the match."""
    other = match.clone()
    for _ in range(nth - 1):
        other.choose("pass")
    assert other.decision is not None
    return " ".join(other.decision.moves.texts)


def test_later_payment_opens_an_earlier_reaction() -> None:
    match = start(PURSE)
    assert list_asked(match, "pass", "bribe")[:3] == ["Bob", "Cat", "Bob"]
    assert list(match.decision.moves.texts) == ["hire", "pass"]  # type: ignore[union-attr]


def test_later_gift_opens_an_earlier_reaction() -> None:
    match = start(GIFT)
    assert list_asked(match, "pass", "gift") == ["Bob", "Cat", "Bob"]
    assert [text.split()[0] for text in match.decision.moves.texts] == ["gift", "use", "pass"]  # type: ignore[union-attr]


def test_undone_block_keeps_the_announcement() -> None:
    match = start(DOUBT)
    assert list_asked(match, "pass", "block", "pass", "doubt", "pass", "block") == [
        "Bob", "Cat", "Dan", "Ann", "Dan", "Bob", "Cat",
    ]  # fmt: skip
    assert list_asked(match, "pass", "pass", "pass")[:3] == ["Cat", "Dan", "Ann"]
    assert match.scores[0] == 1


def test_reaction_order_ignores_hidden_cards() -> None:
    """All have three cards, so all could have oil or wood."""
    orders = {tuple(list_asked(start(LAMP, seed), "pass", "pass", "pass")) for seed in range(20)}
    assert len(orders) == 1


def test_eliminated_player_is_not_asked_again() -> None:
    text = (
        START
        + """
reaction brawl
  to theft
  when count of players > 2
  eliminate your right
"""
    )
    assert list_asked(start(text), "pass", "brawl", "pass", "pass") == ["Bob", "Cat", "Dan", "Cat", "Dan"]


def test_endless_reactions_are_an_error() -> None:
    match = start(FREE)
    with pytest.raises(RuleError) as fault:
        for _ in range(20_000):
            match.choose("nod")
    assert len(match.choices) == 9_999  # all before the one that leads to no decision
    assert "announce theft" in fault.value.span.source.text.splitlines()[fault.value.span.line - 1]
    assert "`when`" in fault.value.message


@needs_either
def test_endless_reactions_are_an_error_in_c() -> None:
    game = cardlang.loads(FREE)
    program, engine = compile_game(game, 4), build_engine(game, 4, QUICK)
    state = program.start(1)
    faults = [engine.start(1)]
    while faults[-1] == NO_FAULT and len(faults) < 20_000:
        faults.append(engine.apply(state.legal[0] or state.legal[-1]))
    assert len(faults) == 10_001 and all(fault == NO_FAULT for fault in faults[:-1])


@needs_either
@pytest.mark.parametrize("name", GAMES)
def test_both_engines_ask_the_same_reactions(name: str) -> None:
    game = cardlang.loads(GAMES[name])
    players = game.seats[0]
    program, engine = compile_game(game, players), build_engine(game, players, QUICK)
    assert sum(follow(program, engine, seed, 300) for seed in range(20)) > 120


# ---------------------------------------------------------------- targets that an answer moves
AIMS = {
    "the target is gone": (
        "Ann's turn", "[2]", "Bob: hide",
        "Bob's hand = [2] and Ann's hand is empty and Ann's score = 0 and Ann's lost = 1",
    ),
    "the target came back": (
        "Ann's turn", "[2]", "Bob: flip, pass", "Ann's hand = [2] and Ann's score = 1 and Ann's lost = 0",
    ),
    "nothing was moved": ("Ann's turn", "[2]", "Bob: pass", "Ann's hand = [2] and Ann's score = 1"),
    "one of two is gone": (
        "Ann's raid", "[2 3]", "Bob: save [2]\n  Cat: pass\n  Bob: pass",
        "Ann's hand = [3] and Ann's score = 1 and Bob's hand = [2]",
    ),
    "another card was moved": (
        "Ann's raid", "[2 3]", "Bob: save [4]\n  Cat: pass\n  Bob: pass", "Ann's hand = [2 3] and Bob's hand = [4]",
    ),
    "both are gone": (
        "Ann's raid", "[2 3]", "Bob: save [2]\n  Cat: save [3]", "Ann's hand is empty and Ann's lost = 1",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", AIMS)
def test_moved_target_cancels_the_effect(name: str) -> None:
    step, choice, answers, expected = AIMS[name]
    example = f"""
example "Aimed" with Ann, Bob, Cat
  given
    Ann: field [1], hand []
    Bob: field [2 4], hand []
    Cat: field [3], hand []
  do {step}
  Ann: {choice}
  {answers}
  expect {expected}
"""
    (found,) = cardlang.loads(AIMED + example).examples
    run = found.run()
    assert run.passed, run


OUTS = {
    "the target is out": ("duel", "Bob", "Bob: faint", "Ann's lost = 1 and Ann's score = 0 and Bob's hurt = 0"),
    "another player is out": (
        "duel", "Bob", "Bob: pass\n  Cat: betray Dan\n  Bob: pass\n  Cat: pass", "Ann's score = 1 and Bob's hurt = 1",
    ),
    "a third player eliminates the target": (
        "duel", "Bob", "Bob: pass\n  Cat: betray Bob", "Ann's lost = 1 and Bob's hurt = 0",
    ),
    "two of three are left": ("storm", "", "Bob: flee\n  Cat: pass\n  Dan: pass", "Ann's score = 2 and Ann's lost = 0"),
    "none is left": ("storm", "", "Bob: flee\n  Cat: flee\n  Dan: flee", "Ann's score = 0 and Ann's lost = 1"),
    "the player is no target": ("chase", "Bob", "Bob: vanish", "Bob's hurt = 1"),
}  # fmt: skip


@pytest.mark.parametrize("name", OUTS)
def test_eliminated_target_cancels_the_effect(name: str) -> None:
    step, choice, answers, expected = OUTS[name]
    example = f"""
example "Out" with Ann, Bob, Cat, Dan
  do Ann's {step}
  {f"Ann: {choice}" if choice else ""}
  {answers}
  expect {expected}
"""
    (found,) = cardlang.loads(DUELS + example).examples
    run = found.run()
    assert run.passed, run


def test_log_says_that_the_effect_is_no_longer_possible() -> None:
    match: Match = cardlang.loads(AIMED).start(["Ann", "Bob", "Cat"], 1)
    match.choose(0)
    match.choose("hide")
    assert "Ann's strike is no longer possible." in match.view("Cat").log
