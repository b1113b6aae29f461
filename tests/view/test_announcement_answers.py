"""Questions about an announcement say what it is. The heading says whose turn it is."""

from __future__ import annotations

import cardlang
from tests.game_files import read_game
from tests.shipped import load

GAME = read_game("announcement_answers")


def test_reaction_question_names_announcement_and_effect() -> None:
    match = cardlang.loads(GAME).start(3, seed=1)
    match.choose(0)
    ask = match.table("Bob").ask
    assert ask is not None
    assert ask.question == "Ann wants to try a Raid. Stop or pass?"
    assert ask.words == "Take a card of everybody's."
    assert ask.actions[0].label == "Stop Ann with [G]"


def test_reactions_tell_whether_they_concern_the_viewer() -> None:
    """Bob can react to Ann's action. An action that names him concerns him."""
    match = cardlang.loads(GAME).start(3, seed=1)
    assert match.decision is not None
    own = match.table("Ann").ask
    assert own is not None and own.reacts_to == ""
    match.choose(0)
    asked = match.table("Bob").ask
    assert asked is not None and asked.reacts_to == "others"
    named = cardlang.loads(GAME.replace('"try a {chosen\'s title}"', '"try a {chosen\'s title} on {your left}"'))
    other = named.start(3, seed=1)
    other.choose(0)
    asked = other.table("Bob").ask
    assert (
        asked is not None and asked.question.startswith("Ann wants to try a Raid on you.") and asked.reacts_to == "you"
    )


def test_question_names_the_announced_action_after_a_challenge() -> None:
    """Between two questions about the theft, its true claim is shown and the card replaced."""
    match = load("court").start(3, seed=5)
    for move in ("steal Bob", "challenge", 0):
        match.choose(move)
    asked = match.table("Bob").ask
    assert asked is not None
    assert asked.question.startswith("Ann wants to steal from you.") and asked.reacts_to == "you"


def test_heading_names_the_current_turn() -> None:
    match = cardlang.loads(GAME).start(3, seed=1)
    assert match.table("Bob").heading == ("Ann's turn",)
    while match.decision is not None and match.table("Bob").heading == ("Ann's turn",):
        match.choose("pass" if len(match.decision.moves) > 2 else 0)
    assert match.table("Cat").heading == ("Bob's turn",) and match.table("Bob").heading == ("your turn",)


def test_question_names_the_common_card_of_its_moves() -> None:
    """At Golf, whichever of one's own cards it replaces, it is the top discard that one takes."""
    match = load("golf").start(2, 7)
    for _ in match.players:
        assert match.decision is not None
        player = match.decision.player
        match.confirm(player, [f"zone/hidden/{player}#{place}" for place in (1, 3)])
    assert match.decision is not None
    table = match.table(match.decision.player)
    ask, pile = table.ask, next(each for each in table.middle.piles if each.name == "pile")
    assert ask is not None and ask.question == f"Take [{pile.cards[-1].code}] or draw from the deck?"
