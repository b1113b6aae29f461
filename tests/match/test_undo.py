"""Undo: refused if a player has learned something since, allowed otherwise."""

import pytest

import cardlang
from interpreter.match.match import Match
from interpreter.match.undo_limits import check_undo
from interpreter.runtime.errors import MoveError
from tests.game_files import read_game

HEAD = read_game("ask")
LEARNT = {
    "an answer": "if any card in your left's hand has value = 7\n  add 1 to your score",
    "an answer about one card of many": "if top of deck's value = 7\n  add 1 to your score",
    "compared hands": "if highest of your hand's value > highest of your left's hand's value\n  add 1 to your score",
    "a number": "set your score to total of your left's hand's value",
    "a number of cards that count": "set your score to count of your left's hand where value > 5",
    "a place": "set your score to 0\nif any card in deck has value = 7\n  add 2 to your score",
    "that somebody is asked": "your left plays 1 from your hand where value > 12 to table",
    "a secret number": "if your left's stake > 2\n  add 1 to your score",
    "which card goes": "move your left's hand where value > 9 to cellar",
    "who is ahead": "set your score to total of players' hand's value",
    "chance": "shuffle deck",
    "a random number": "set your score to random of Value",
    "a card that is drawn": "draw top of deck to your hand",
    "a card that is turned": "move top of deck to table",
    "a card that is shown": "reveal top of deck to you",
    "where a loop ends": "repeat until your score > 2 or top of deck's value > 4\n  add 1 to your score",
}
KNOWN = {
    "nothing": "set your score to 1",
    "one's own hand": "if any card in your hand has value = 7\n  set your score to 2",
    "one's own total": "set your score to total of your hand's value",
    "how many cards there are": "set your score to count of your left's hand",
    "cards that nobody sees": "discard top 2 of deck to cellar",
    "cards that are dealt unseen": "deal top 1 of deck to your left's pile",
    "that one may pass": "your left may choose card from your hand where value > 12\n  move card to table",
    "a number that was said": "if asked > 1\n  set your score to 2",
}


def indent_body(body: str) -> str:
    return "\n".join(f"      {line}" for line in body.splitlines())


def ask(body: str, binder: str = "", setting: str = "set asked to 0", seed: int = 3) -> Match:
    text = HEAD.format(body=indent_body(body), binder=binder, setting=setting)
    match = cardlang.loads(text).start(["Ann", "Bob", "Cat"], seed)
    assert isinstance(match, Match)
    return match


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("body", LEARNT.values(), ids=list(LEARNT))
def test_undo_is_refused_after_learning(body: str, seed: int) -> None:
    """Whatever the answer is: yes, no, more or less."""
    match = ask(body, seed=seed)
    match.choose("do-it")
    made = list(match.choices)
    assert not match.can_undo("Ann")
    with pytest.raises(MoveError, match="since then, so you cannot undo it"):
        match.undo("Ann")
    assert match.choices == made
    undo = check_undo(match, 0, "Ann", ())
    assert undo.obstacle and undo.why_not.startswith(undo.obstacle)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("body", KNOWN.values(), ids=list(KNOWN))
def test_undo_is_allowed_without_new_knowledge(body: str, seed: int) -> None:
    match = ask(body, seed=seed)
    before = match.clone()
    match.choose("do-it")
    assert match.can_undo("Ann")
    match.undo("Ann")
    assert match == before


@pytest.mark.parametrize("seed", range(3))
def test_undo_does_not_allow_a_second_question(seed: int) -> None:
    """Whatever Ann asks and takes back: what she knows of Bob's hand is never more than one answer."""
    match = ask(
        "if any card in your left's hand has value = wanted\n  add 1 to your score",
        " with wanted from Value",
        seed=seed,
    )
    assert match.decision is not None
    for move in match.decision.moves.texts[1:]:
        again = match.clone()
        again.choose(move)
        assert not again.can_undo("Ann"), move


def test_undo_counts_remembered_cards_as_seen() -> None:
    """The rules look at a card that they have remembered: the move tells of it without a look at a pile."""
    text = HEAD.format(body="", binder="", setting="set asked to 0")
    text = text[: text.index("step your turn")] + read_game("secret_card")
    match = cardlang.loads(text).start(["Ann", "Bob", "Cat"], 3)
    match.choose("do-it")
    assert isinstance(match, Match) and not match.can_undo("Ann")


def test_undo_counts_reveals_by_bots() -> None:
    """Ann goes back over what bots do; not where what they do face down brings them what the card is worth."""
    match = ask("move chosen to cellar", " with chosen from your hand")
    match.choose("wait")
    match.choose(1)
    match.choose("wait")
    bots = ["Bob", "Cat"]
    assert match.can_undo("Ann", bots) and not match.can_undo("Ann")
    match = ask("move chosen to cellar\nset your score to chosen's value", " with chosen from your hand")
    match.choose("wait")
    match.choose(1)
    match.choose("wait")
    assert not match.can_undo("Ann", bots)


def test_undo_asks_bots_in_multiplayer_matches() -> None:
    """Whom a bot's answer concerns may have something against asking it again."""
    match = ask("set your score to 1")
    match.choose("do-it")
    match.choose("wait")
    assert match.decision is not None and match.decision.player == "Cat"
    assert match.can_undo("Ann", ["Bob", "Cat"])
    assert not match.can_undo("Ann", ["Bob"])
    assert (
        check_undo(match, 0, "Ann", ["Bob"]).agreement_reason == "Bob has moved since then"
        and not check_undo(match, 0, "Ann", []).obstacle
    )


def test_undo_of_a_shown_card_needs_consent() -> None:
    match = ask("move chosen to table", " with chosen from your hand")
    match.choose(1)
    undo = check_undo(match, 0, "Ann", ())
    assert undo.agreement_reason == "Other players have seen a new card since then" and not undo.obstacle
    with pytest.raises(MoveError, match="seen a new card since"):
        match.undo("Ann")
    assert match.can_undo("Ann", ["Bob", "Cat"])


def test_undo_is_refused_after_final_scores() -> None:
    """The last move changes nothing; but then the scores are told, which count hidden cards."""
    hidden = cardlang.loads(ENDING.format("your pile")).start(["Ann", "Bob"], 3)
    known = cardlang.loads(ENDING.format("table")).start(["Ann", "Bob"], 3)
    for match in (hidden, known):
        match.choose("go")
        assert isinstance(match, Match) and match.over
    assert not hidden.can_undo("Ann", ["Bob"]) and known.can_undo("Ann", ["Bob"])


ENDING = read_game("ending")
