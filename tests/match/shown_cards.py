"""Small games that show cards and then move them, one for each way to name the moved card."""

import re
from functools import cache

import cardlang
from cardlang.model import Game
from tests.game_files import GAMES, read_game

START = read_game("shown_cards_start")
PLAY = read_game("shown_cards_play")
PACK = """\
ordered kind Value: 1 to {cards}
cards Pack in deck
  1 of each Value
"""
BEARING = read_game("shown_cards_bearing")
PARTS = re.split(r"^## (.*)\n", (GAMES / "shown_cards.txt").read_text("utf-8"), flags=re.MULTILINE)[1:]
CASES = dict(zip(PARTS[::2], PARTS[1::2], strict=True))
"""The rest of each game after `step your act`."""
FIVE = ("two chosen of three", "chosen twice")
"""Where four cards are too few: one knows the last by the others."""
BORNE = ("a step of a card", "a step of a chosen card")
GUESSED = (
    "each card of some unseen", "each card if", "the highest of a hand unseen", "first of a sorted hand",
    "a name lost in a hidden choice", "a name across a step that asks", "a name across a reaction",
    "a secret number of cards", "announced, and confused by a reaction", "put on a chosen card that all know",
    "put on a shuffled card", "above a shuffled card", "put on a random card", "put on a random card in a step",
)  # fmt: skip
"""Where it takes more than following cards to be certain: players put together what they know of some cards."""


@cache
def build_game(name: str) -> Game:
    pack = BEARING if name in BORNE else PACK.format(cards=5 if name in FIVE else 4)
    return cardlang.loads(START.format(pack=pack) + PLAY + "step your act\n" + CASES[name])
