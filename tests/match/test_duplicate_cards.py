"""Cards listed twice in a move or choice count once."""

import pytest

import cardlang
from tests.game_files import read_game

GAME = read_game("orchard")
DEALT = GAME + "  deal deck to players' hand\n  each player\n"


def cards(text: str, *moves: str) -> dict[str, tuple[str, ...]]:
    """Return the cards of each zone after some moves, by seat order, and check that no card is lost."""
    match = cardlang.loads(text).start(["Ann", "Bob"], 1)
    for move in moves:
        match.choose(move)
    found = {}
    for zone in match.view("Ann").table:
        found[f"{zone.owner or ''} {zone.name}".strip()] = tuple(card.code for card in zone.cards)
    assert sorted(code for codes in found.values() for code in codes) == list("12345678")
    return found


@pytest.mark.parametrize(
    ("line", "moved"),
    [
        ("move (top of deck, top of deck) to table", "8"),
        ("move tops to table", "87"),
        ("move (deck, top 3 of deck) to table", "12345678"),
        ("move (deck where value > 5, deck where value > 6) under table", "678"),
        ("remember (top of deck, top of deck) as seen\n  move seen to table, lowest on top", "8"),
    ],
)
def test_duplicate_card_in_a_move_moves_once(line: str, moved: str) -> None:
    assert cards(f"{GAME}  {line}\n")["table"] == tuple(moved)


def test_duplicate_card_in_a_deal_counts_once() -> None:
    found = cards(GAME + "  deal (top of deck, deck where value > 5) to players' hand\n")
    assert found["Ann hand"] + found["Bob hand"] == ("8", "7", "6")


def test_duplicate_card_in_a_choice_is_offered_once() -> None:
    match = cardlang.loads(DEALT + "    you play 1 from (your hand, your hand) to table\n").start(2, 1)
    assert list(match.decision.moves.texts) == ["play [1]", "play [3]", "play [5]", "play [7]"]
    text = DEALT + "    you play 2 from (your hand, your hand) to table\n"
    assert cards(text, "[1 3]", "[2 4]")["table"] == tuple("1324")
    text = DEALT + "    you choose 2 gifts from (your hand, your hand)\n    move (gifts, your hand) to table\n"
    assert cards(text, "[1 7]", "[2 8]")["table"] == tuple("17352846")
