"""What happens by itself when cards enter zones: choices in it, and triggers that set off triggers."""

from __future__ import annotations

import cardlang
from interpreter.matches.match import Match

HEAD = """\
game "Triggers" for 2 players
kind Suit: Cups (c), Swords (s)
ordered kind Rank: 1 to 6
cards Pack in stock
  1 of each Rank, Suit
zone stock seen by nobody
zone heap
zone your hand seen by owner
zone your pile
number your score
"""


def begun(text: str) -> Match:
    match: Match = cardlang.loads(HEAD + text).start(2, 1)
    return match


def moves(match: Match) -> tuple[str, tuple[str, ...]]:
    assert match.decision is not None
    return match.decision.player, match.decision.moves.texts


def test_a_card_that_comes_without_a_choice_asks_its_owner() -> None:
    match = begun(
        "step play\n  each player\n    do your grab\nstep your grab\n  you draw 1 from top of stock to your hand\n"
        "whenever card enters your hand\n  you may discard 1 from your hand to heap\n"
    )
    # The last of the pack lies on top: the six of Swords, under it that of Cups.
    assert moves(match) == ("Ann", ("discard [6s]", "pass"))
    match.choose("pass")
    assert moves(match) == ("Bob", ("discard [6c]", "pass"))
    match.choose("discard [6c]")
    assert match.over
    assert str(match.view().zone("heap").cards[0]) == "[6c]"


def test_a_choice_that_asks_again() -> None:
    match = begun(
        "step setup\n  each player\n    deal top 2 of stock to your hand\n"
        "step play\n  each player\n    you put 1 from your hand to your pile\n"
        "whenever card enters your pile\n  you may put 1 from your hand to your pile\n"
    )
    assert moves(match) == ("Ann", ("put [6s]", "put [6c]"))
    match.choose("put [6s]")
    assert moves(match) == ("Ann", ("put [6c]", "pass"))
    match.choose("put [6c]")
    assert moves(match)[0] == "Bob"
    match.choose(0)
    match.choose("pass")
    assert match.over
    assert [match.view().zone("pile", name).count for name in ("Ann", "Bob")] == [2, 1]


def test_cards_that_bring_others_along() -> None:
    match = begun(
        "step play\n  move top of stock to heap\n  each player\n    you may take 1 from heap to your hand\n"
        "whenever card enters heap\n  if count of heap < 5\n    move top of stock to heap\n"
    )
    assert match.view().zone("heap").count == 5
