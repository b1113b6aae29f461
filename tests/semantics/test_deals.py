"""Oversized deals are found in every form; possible deals give no warning."""

import pytest

from cardlang import storage
from cardlang.diagnostics import Diagnostic
from tests.errors import find_error, find_errors
from tests.game_files import read_game

GAME = read_game("deals")


def find_deal_warnings(body: str, more: str = "") -> list[Diagnostic]:
    text = GAME.format(body=body.replace("\n", "\n  "))
    if "dealing" not in body:
        text = text[: text.index("step your dealing")]
    return find_errors(text + more)


TOO_LARGE = {
    "for each player": ("each player\n  deal top 6 of deck to your hand", "with 4 players, this takes 24"),
    "by the player": ("each player\n  you draw 6 from top of deck to your hand", "with 4 players, this takes 24"),
    "in a step of its own": ("each player\n  do your dealing", "with 4 players, this takes 24"),
    "to all but one": (
        "deal top 6 of deck to heap\neach player in leader's others\n  do your dealing",
        "4 players, this takes 24",
    ),
    "for each suit": ("each Suit\n  deal top 10 of deck to heap", "with 2 players, this takes 20"),
    "to some": ("each player where score = 0\n  deal top 19 of deck to your hand", "with 2 players, this takes 19"),
    "again and again": ("repeat until deck is empty\n  deal top 19 of deck to heap", "with 2 players, this takes 19"),
    "all, and one to turn": ("deal top 18 of deck to heap\nturn top of deck to trump", "with 2 players, this takes 19"),
    "shared out, and one to turn": (
        "each player\n  deal top (whole of (18 / count of players)) of deck to your hand\nturn top of deck to trump",
        "with 2 players, this takes 19",
    ),
}


@pytest.mark.parametrize(("body", "message"), TOO_LARGE.values(), ids=list(TOO_LARGE))
def test_oversized_deal_is_found(body: str, message: str) -> None:
    (finding,) = find_deal_warnings(body)
    assert finding.code == "E302" and message in finding.message.lower()


FITTING = {
    "just enough": "each player\n  deal top 4 of deck to your hand\ndeal top 2 of deck to heap",
    "as many as there are": "each player\n  deal top (whole of (18 / count of players)) of deck to your hand",
    "taken back by each": "each player\n  deal top 6 of deck to your hand\n  move your hand to deck",
    "perhaps not by all": "each player where score > 0\n  deal top 6 of deck to your hand",
    "by numbers": "if count of players < 4\n  each player\n    deal top 6 of deck to your hand",
    "one of two": "if leader's score > 0\n  deal top 10 of deck to heap\notherwise\n  deal top 10 of deck to heap",
}


@pytest.mark.parametrize("body", FITTING.values(), ids=list(FITTING))
def test_possible_deal_gives_no_warning(body: str) -> None:
    assert find_deal_warnings(body) == []


def test_oversized_deal_is_reported_once() -> None:
    (finding,) = find_deal_warnings("each player\n  do your dealing\nturn top of deck to trump")
    assert finding.span.text == "turn top of deck to trump" and finding.message.startswith(
        "With 3 players, this takes 19"
    )


def test_refilled_deck_gives_no_warning() -> None:
    body = "deal top 10 of deck to heap\ndeal top 10 of deck to heap"
    assert [finding.code for finding in find_deal_warnings(body)] == ["E302"]
    assert find_deal_warnings(body, "whenever deck is empty\n  move heap to deck\n") == []


OUT = "each player where score < 0\n  eliminate you"
ROUND = "repeat until count of players = 1\n  move Pack to deck\n  shuffle deck\n  {}\n"
LARGE = "each player\n    deal top 6 of deck to your hand"
PAY = "each player\n    do your payment\n    deal top 6 of deck to your hand"
STEPS = read_game("payments")
WITH_ELIMINATION = {
    "before anyone can go out": (ROUND.format(LARGE) + f"  {OUT}".replace("\n", "\n  "), True),
    "in a step of its own": (ROUND.format("do hand") + f"  {OUT}".replace("\n", "\n  "), True),
    "with payments between": (ROUND.format(PAY) + f"  {OUT}".replace("\n", "\n  "), True),
    "after some have gone out": (f"{OUT}\n{ROUND.format(LARGE)}", False),
    "perhaps after some have gone out": (f"if leader's score > 0\n  eliminate leader\n{ROUND.format(LARGE)}", False),
    "with cards put back between": (
        ROUND.format(PAY.replace("do your payment", "if your score > 0\n      move your hand to deck"))
        + f"  {OUT}".replace("\n", "\n  "),
        False,
    ),
}


@pytest.mark.parametrize(("play", "large"), WITH_ELIMINATION.values(), ids=list(WITH_ELIMINATION))
def test_deal_after_eliminations_counts_remaining_players(play: str, large: bool) -> None:
    """Four times six cards of eighteen, while all are in."""
    assert [finding.code for finding in of_play(play)] == ["E302"] * large


def test_deal_with_uncertain_players_gives_no_warning() -> None:
    play = ROUND.format(LARGE)
    assert {finding.code for finding in of_play(play)} == {"E302"}
    assert of_play(play, "whenever card enters heap\n  eliminate leader\n") == []


def test_oversized_tall_card_deal_is_found() -> None:
    text = storage.find_game_file("tall_card").read_text("utf-8")
    finding = find_error(text.replace("deal top 5 of deck to your hand", "deal top 15 of deck to your hand"))
    assert finding.code == "E302" and "With 5 players, this takes 75 cards from `deck`" in finding.message


def of_play(play: str, more: str = "") -> list[Diagnostic]:
    head = GAME[: GAME.index("step setup")]
    body = "step play\n" + "".join(f"  {line}\n" for line in play.splitlines())
    return find_errors(head + body + STEPS + more)
