"""Secret choices: neither their values nor their consequences reach other players."""

from random import Random

import pytest

import cardlang
from cardlang.model import Game
from interpreter.match.match import Match
from interpreter.view.player_view import View
from tests.game_files import read_game

NIGHT = read_game("night")
CHOSEN = {
    "a player": "you choose rival from your others\n set your target to rival",
    "a number": "you choose n from 1 to 9\n add n to your stake",
    "remembered": "you choose n from 1 to 9\n remember n * 2 as double\n set your stake to double",
    "some or none": "you may choose n from 1 to 9\n set your stake to n",
    "whose it is": "you choose rival from your others\n set rival's mark to yes",
    "looked at": "you choose n from 1 to 9\n if n > 4\n  set your stake to n\n otherwise\n  set your stake to 2",
    "several": "you choose 1 to 2 rivals from your others\n each player in rivals\n  set your mark to yes",
    "handed on": "you choose n from 1 to 9\n do keeping with n, you",
    "a card": "you choose card from your hand\n set card's marked to yes",
    "options": "you choose one\n option yes\n  set your vote to yes\n option no",
    "options or none": "you may choose one\n option yes\n  set your vote to yes\n option maybe",
    "what is bound": "you choose one\n option bid with n from 1 to 9\n  set your stake to n\n  add 1 to your score",
}
"""Choices, with what is done in their own block."""
IN_TURN = {
    "what follows": "you choose n from 1 to 9\nset your stake to n",
    "two that fit": "you choose a from players\nyou choose b from players where it != a\nset your target to a\n"
    "set b's mark to yes",
}
KEEPING = """
step keeping with number amount, player whose
  set whose's stake to amount
"""


def night(body: str, head: str = "each player") -> Game:
    lines = body.splitlines()
    steps = "".join(f"    {' ' * (len(line) - len(line.lstrip()))}{line}\n" for line in lines)
    more = KEEPING if "do keeping" in body else ""
    text = f"{NIGHT}  {head}\n{steps}  each player\n    you put 1 from your hand to your shown\n{more}"
    return cardlang.loads(text, "night.cardgame")


Known = list[tuple[View, tuple[str, ...]]]


def collect_knowledge(match: Match, chooser: str, chance: Random, eyes: tuple[str | None, ...]) -> Known:
    """Play on with random choices of the chooser and fixed ones of the others.

    Return the others' knowledge at their decisions."""
    others, known = Random(1), []
    while (decision := match.decision) is not None:
        is_choice = decision.player == chooser and not decision.prompt.startswith("Put")
        if not is_choice:
            known += [(match.view(who), tuple(match.view(who).log)) for who in eyes]
        match.choose((chance if is_choice else others).randrange(len(decision.moves)))
    return known + [(match.view(who), tuple(match.view(who).log)) for who in eyes]


def assert_views_are_alike(game: Game, chooser: str, eyes: tuple[str | None, ...]) -> None:
    """Assert that other players see the same after every choice until the end, and the referee doesn't."""
    matches = [game.start(4, 5) for _ in range(6)]
    first, *rest = [collect_knowledge(match, chooser, Random(seed), eyes) for seed, match in enumerate(matches)]
    assert all(other == first for other in rest)
    assert len({tuple(match.log) for match in matches}) > 1


@pytest.mark.slow
@pytest.mark.parametrize("head", ["each player", "together each player"])
@pytest.mark.parametrize("chooser", ["Ann", "Cat"])
@pytest.mark.parametrize("body", CHOSEN.values(), ids=list(CHOSEN))
def test_secret_choice_is_invisible_to_others(body: str, chooser: str, head: str) -> None:
    assert_views_are_alike(night(body, head), chooser, (None,) if "mark to" in body else ("Dan", None))


@pytest.mark.parametrize("body", IN_TURN.values(), ids=list(IN_TURN))
def test_consequences_of_a_secret_choice_are_invisible(body: str) -> None:
    assert_views_are_alike(night(body), "Ann", (None,) if "mark to" in body else ("Dan", None))


def get_lines(game: Game, who: str | None, moves: int = 0) -> list[str]:
    """Return the log without deals, where every player makes the first move."""
    match = game.start(4, 5)
    while match.decision is not None and not match.decision.prompt.startswith("Put"):
        match.choose(moves)
    dealing = ("dealt", "shuffled", "Wolf:")
    return [line for line in match.view(who).log if not any(word in line for word in dealing)]


def test_chooser_sees_their_secret_choice() -> None:
    game = night(CHOSEN["a player"])
    assert get_lines(game, "Bob")[:3] == ["Ann chooses in secret.", "Bob chooses Cat.", "Bob's target is Cat."]
    assert get_lines(game, None) == [f"{who} chooses in secret." for who in ("Ann", "Bob", "Cat", "Dan")]


def test_number_of_secret_values_is_hidden() -> None:
    """How many were chosen is not told either."""
    assert get_lines(night(CHOSEN["several"]), None) == [
        f"{who} chooses in secret." for who in ("Ann", "Bob", "Cat", "Dan")
    ]


def test_public_simultaneous_values_are_all_logged() -> None:
    game = night("you choose 2 rivals from players\n add count of rivals to your score", "together each player")
    assert get_lines(game, "Cat")[0] == "Ann chooses Ann. Ann chooses Bob."


OPEN = {
    "a public number": ("you choose n from 1 to 9\n add n to your score", "Ann chooses 1."),
    "also a public number": ("you choose n from 1 to 9\n set your stake to n\n add n to your score", "Ann chooses 1."),
    "nothing": ("you choose n from 1 to 9", "Ann chooses 1."),
    "seen in a condition": (
        "you choose n from 1 to 9\n set your stake to n\n if n > 4\n  add 1 to your score", "Ann chooses 1.",
    ),
    "an option that shows": (
        "you choose one\n option bid with n from 1 to 9\n  add n to your score\n option no\n  set your vote to yes",
        "Ann bids 1.",
    ),
    "options that do nothing": ("you choose one\n option yes\n option no", "Ann chooses “yes”."),
    "the name of an option": (CHOSEN["what is bound"], "Ann bids."),
}  # fmt: skip


@pytest.mark.parametrize(("body", "line"), OPEN.values(), ids=list(OPEN))
def test_public_choice_is_logged(body: str, line: str) -> None:
    assert get_lines(night(body), "Bob")[0] == line


# ---------------------------------------------------------------- cards shown to one player
SHOWN = {
    "to whom": "reveal players' hand to wolf",
    "one after another": "each player in players\n reveal your hand to wolf",
    "whose": "reveal wolf's hand to wolf's left",
    "whose, by a definition": "reveal top of prey's hand to wolf",
    "only if": "if wolf = host's left\n reveal top of deck to wolf",
    "only then": "each player in players where it = wolf\n reveal top of deck to you",
    "in a step": "if wolf = host's left\n do looking",
    "of whom in a step": "do peeking with wolf",
    "by the step's player": "do wolf's searching",
    "as many as": "reveal top (count of players where it = wolf and wolf != host's left) of deck to wolf",
}
STEPS = """
define prey as wolf's right
step looking
  reveal top of deck to wolf
step peeking with player who
  reveal who's hand to who's left
step your searching
  reveal top of your hand to your left
"""


@pytest.mark.parametrize("body", SHOWN.values(), ids=list(SHOWN))
def test_secret_reveal_is_not_logged_for_others(body: str) -> None:
    """The wolf is Bob or Cat. Eve, who is shown nothing, and those who look on are told the same."""
    lines = "".join(f"  {line}\n" for line in body.splitlines())
    text = f"{NIGHT}  host chooses suspect from players\n  set wolf to suspect\n{lines}{STEPS}"
    game = cardlang.loads(text.replace("deal top 12 of", "deal top 15 of").replace("for 4", "for 5"), "night.cardgame")
    bob, cat = game.start(5, 5), game.start(5, 5)
    bob.choose("Bob")
    cat.choose("Cat")
    for who in ("Eve", None):
        assert bob.view(who).log == cat.view(who).log
    assert any("show" in line for match in (bob, cat) for line in match.log)


def test_public_reveal_is_logged() -> None:
    """Also if the one who is shown the cards knows them already: nobody else can tell."""
    game = night("you choose rival from your others\nreveal rival's hand to you\nreveal rival's hand to you")
    assert get_lines(game, None)[:3] == ["Ann chooses Bob.", "Bob shows 3 cards.", "Bob shows 3 cards."]
    ann = get_lines(game, "Ann")
    assert ann[0] == "Ann chooses Bob." and ann[1].startswith("Bob shows [") and ann[2] == "Bob chooses Cat."


def test_scores_from_hidden_cards_are_hidden() -> None:
    best = "(highest of players' hand by strength)'s owner"
    score = (
        f"order strength of card\n  higher value\ndefine your score as count of players where it = {best} and it = you"
    )
    match = cardlang.loads(f"{NIGHT.replace('number your score', score)}  each player\n    you choose n from 1 to 3\n")
    assert match.start(4, 5).view("Ann").scores is None
