"""Suggested fixes: replacing the line by the fix gives a game without errors."""

import re

import pytest

import cardlang
from tests.errors import find_error

TEXT = cardlang.shipped()["tall_tales"].read_text("utf-8")
PIECES = r"\[6G\] in your hand|your score >= 3|!=|top \d of|leader's left|winners = .*|#"
PLAY = "you play 1 from your playable to table"
WINNERS = "expect winners = (Sam, Sue)"
PLACE = "place top of supply to your memory"
ROUND = "  each player from leader\n"
CURES = [
    (PLAY, "gain 3 score", "add 3 to your score"),
    (PLAY, "you gain 3 points", "add 3 to your score"),
    (PLAY, "draw a card to your hand", "draw top of supply to your hand"),
    (PLAY, "draw a card from supply to your hand", "draw top of supply to your hand"),
    (PLAY, "draw 2 cards", "draw top 2 of supply to your hand"),
    (PLAY, "move top 3 cards of supply to table", "move top 3 of supply to table"),
    (PLAY, "move top 1 from supply to table", "move top of supply to table"),
    (PLAY, "if your hand contains [6G]\n      add 1 to round", "if [6G] in your hand\n      add 1 to round"),
    (PLAY, "if you have 3 score\n      add 1 to round", "if your score >= 3\n      add 1 to round"),
    (PLAY, "if round is not 4\n      add 1 to round", "if round != 4\n      add 1 to round"),
    (PLAY, f"// play\n    {PLAY}", f"# play\n    {PLAY}"),
    (PLAY, f"next player\n    {PLAY}", PLAY),
    (ROUND, "  each player from left of leader\n", "  each player from leader's left\n"),
    (
        f"{ROUND}    {PLAY}\n",
        "  each player plays 1 from their hand to table\n",
        "  each player\n    you play 1 from your hand to table\n",
    ),
    (WINNERS, "expect Sam wins", "expect winners = Sam"),
    (WINNERS, "expect Sam and Sue win", "expect winners = (Sam, Sue)"),
    (
        '"forgotten pile" "These cards are out of the game."',
        '"forgotten pile "These cards are out of the game."',
        '"forgotten pile" "These cards are out of the game."',
    ),
    ('"pile" seen', '"pile seen', '"pile" seen by owner'),
]


@pytest.mark.slow
@pytest.mark.parametrize(("right", "wrong", "cure"), CURES, ids=[wrong.split("\n")[0].strip() for _, wrong, _ in CURES])
def test_suggested_fix_loads(right: str, wrong: str, cure: str) -> None:
    assert right in TEXT
    found = find_error(TEXT.replace(right, wrong, 1))
    assert found.span.text.split()[0] in wrong
    assert any(part in f"{found.message} {found.hint}" for part in extract_names(cure))
    cardlang.loads(TEXT.replace(right, cure.removesuffix(" by owner"), 1))


EIGHTS = cardlang.shipped()["crazy_eights"].read_text("utf-8")
LAY = "    play chosen to pile\n"
REPLACEMENTS = [
    ("finish round", "end round", "finish round"),
    ("if chosen's rank = 8", "if chosen is not 8", "chosen's rank != 8"),
    (LAY, f"{LAY}    shuffel the cards\n", "shuffle deck"),
    (LAY, f"{LAY}    draw 2 cards\n", "draw top 2 of deck to your hand"),
    (
        "step round\n",
        "define lots as count of (every 3 lot from (pile) when lot is not empty)\nstep round\n",
        "every 3 cards from (pile) as lot when",
    ),
    ("step round\n", "step round Deal, then take turns.\n", '"Deal, then take turns."'),
    (LAY, f"{LAY}    if number of cards in the pile > 4\n      add 1 to your score\n", "count of pile"),
    (
        LAY,
        f"{LAY}    you choose victim from your others\n      victim loses 2 points\n",
        "subtract 2 from victim's score",
    ),
]


@pytest.mark.parametrize(("right", "wrong", "replacement"), REPLACEMENTS, ids=[each[2] for each in REPLACEMENTS])
def test_replacement_loads_in_place_of_the_error(right: str, wrong: str, replacement: str) -> None:
    assert right in EIGHTS
    text = EIGHTS.replace(right, wrong, 1)
    found = find_error(text)
    assert f"`{replacement}`" in f"{found.message} {found.hint}"
    cardlang.loads(text[: found.span.start] + replacement + text[found.span.end :])


def extract_names(cure: str) -> list[str]:
    """Return the first line of a fix, and the pieces that a message may name alone."""
    first = cure.strip().split("\n")[0]
    pieces = re.findall(PIECES, first)
    return [first, *pieces, *(["Delete this line"] if cure == PLAY else [])]
