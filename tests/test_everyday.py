"""Lines as players say them: the line that the message proposes gives a game, and does what was said."""

from __future__ import annotations

import re

import pytest

import cardlang

GAME = """\
game "Everyday" for 3 players
ordered kind Value: 1 to 36
cards Pack in deck
  1 of each Value
zone deck seen by nobody
zone your hand seen by owner
zone table
zone discards
number your points
define your score as points
step setup
  shuffle deck
  {setup}
step play
  each player
    {turn}
"""
SIX = "deal 6 cards to each player"
DEAL = "each player\n    deal top 6 of deck to your hand"
PLAY = "you play 1 from your hand to table"
EACH_GETS = {
    6: [
        SIX,
        "deal 6 to each player",
        "deal six cards to every player",
        "deal each player 6 cards",
        "give each player 6 cards",
        "each player draws 6 cards",
        "every player gets six cards",
        "all players draw 6 cards",
        "deal 6 cards each",
        "deal 6 cards",
        "deal out 6 cards to all the players",
        "deal 6 cards to players",
        "deal 6 cards to the players",
        "deal 6 cards to everyone",
        "deal 6 cards to everybody",
        "deal 6 cards face down to each player",
        "deal 6 cards from the deck to each player",
        "deal top 6 of deck to each player",
        "deal top 6 cards of deck to each player's hand",
        "deal 6 cards per player",
    ],
    1: ["deal a card to each player", "deal one card to each player", "deal 1 card to every player"],
    12: ["deal all cards to the players", "deal all the cards", "deal the deck to the players"],
}
Sizes = dict[str, int]
TURNS: list[tuple[str, Sizes]] = [
    ("draw a card", {"hand": 3, "deck": -3}),
    ("you draw 2 cards", {"hand": 6, "deck": -6}),
    ("draw two cards from the deck", {"hand": 6, "deck": -6}),
    ("take the top card of the deck", {"hand": 3, "deck": -3}),
    ("play a card", {"hand": -3, "table": 3}),
    ("you play one card from your hand to table", {"hand": -3, "table": 3}),
    ("play 2 cards from hand", {"hand": -6, "table": 6}),
    ("lead a card", {"hand": -3, "table": 3}),
    ("discard a card", {"hand": -3, "discards": 3}),
    ("discard 2 cards from your hand", {"hand": -6, "discards": 6}),
    ("discard your hand", {"hand": -18, "discards": 18}),
    ("put 1 card from your hand on the table", {"hand": -3, "table": 3}),
    ("turn over the top card", {"deck": -3, "table": 3}),
    ("deal 2 cards to the table", {"deck": -6, "table": 6}),
    ("pass 1 card to the left", {}),
    ("give 1 card to your right", {}),
    ("score 2 points", {"points": 6}),
    ("gain a point", {"points": 3}),
    ("you lose 1 point", {"points": -3}),
]


def cured(setup: str, turn: str, said: str) -> str:
    """The game with the proposed line in place of what was said."""
    with pytest.raises(cardlang.GameError) as caught:
        cardlang.loads(GAME.format(setup=setup, turn=turn))
    (found,) = caught.value.diagnostics
    cure = re.match(r"write `([^`]+)`(?:, and beneath it, indented, `([^`]+)`)?", found.message)
    assert found.code == "E114" and cure is not None
    margin = "  " if said == setup else "    "
    lines = cure[1] if cure[2] is None else f"{cure[1]}\n{margin}  {cure[2]}"
    return GAME.format(setup=setup, turn=turn).replace(f"{margin}{said}\n", f"{margin}{lines}\n")


def sizes(match: cardlang.Match) -> Sizes:
    """How many cards are where, and how many points all have."""
    found: Sizes = {}
    for name in ("deck", "table", "discards"):
        found[name] = len(match.view(None).zone(name).cards)
    found["hand"] = sum(hands(match))
    found["points"] = sum(int(score) for score in match.scores)
    return found


def hands(match: cardlang.Match) -> list[int]:
    return [len(match.view(None).zone("hand", player).cards) for player in match.players]


def played(match: cardlang.Match) -> cardlang.Match:
    while match.decision is not None:
        match.choose(0)
    return match


@pytest.mark.parametrize(("said", "number"), [(said, number) for number, all_ in EACH_GETS.items() for said in all_])
def test_each_player_gets_so_many(said: str, number: int) -> None:
    game = cardlang.loads(cured(said, PLAY, said))
    assert hands(game.start(3, 1)) == [number] * 3


@pytest.mark.parametrize(("said", "change"), TURNS, ids=[said for said, _ in TURNS])
def test_each_player_does_so_in_their_turn(said: str, change: Sizes) -> None:
    before = sizes(cardlang.loads(GAME.format(setup=DEAL, turn=PLAY)).start(3, 1))
    after = sizes(played(cardlang.loads(cured(DEAL, said, said)).start(3, 1)))
    assert {name: after[name] - before[name] for name in after if after[name] != before[name]} == change


def test_the_block_stands_at_the_depth_of_the_line() -> None:
    text = cured(SIX, PLAY, SIX)
    assert "  shuffle deck\n  each player\n    deal top 6 of deck to your hand\nstep" in text


def test_other_mistakes_below_are_found_in_the_same_run() -> None:
    with pytest.raises(cardlang.GameError) as caught:
        cardlang.loads(GAME.format(setup=SIX, turn="you plai 1 from your hand to table"))
    assert [each.span.line for each in caught.value.diagnostics] == [13, 16]
