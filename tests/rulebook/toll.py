"""Small game with custom wording, for tests of wording."""

from pathlib import Path

import cardlang
from cardlang.rulebook.custom_wording import update_digests
from tests.game_files import read_game

GAME = read_game("toll_toll")
WORDS = """\
["step turn"]
instead = ["On your way over, do one of these:", "- Run: score half of {toll}.", "- Rest: at {toll} {coins}."]
covers = ["define half"]

["step pass-by"]
act = "pay {due}"
"""

DEALT = """\
kind Suit: Red (r), Blue (b)
cards Pack in deck
  2 of each Suit
zone deck
zone your hand seen by owner
"""
EXAMPLE = """\
example "Broke" with Ann, Bob
  given
    Ann: coins 1
  do Ann's pass-by with toll
  expect Ann's coins = -1
"""
SCENE = """
["example Broke"]
instead = ["Ann has one of {toll} coins.", "- She pays it.", "She goes on."]
"""
MARKS = """\
["step turn"]
title = "A crossing"
instead = [
  "Cross over.", "* Mind the gap!", "Then, in this order:", "+ Look: left.", "+ Pay {toll}.",
  "Then:", "- A gate, closed: wait.",
  "# Only in winter", "Slip.", "> Broke",
]

["example Broke"]
instead = ["Ann and Bob:"]
draws = ["hand"]
captions = ["Ann slips"]

["index"]
instead = ["gap", "winter", "Slip", "ice"]
"""
WINTER = """\
["step turn"]
instead = [
  "Cross over, and pay the toll to the keeper.", "- Toll: {toll}.",
  "# Only in winter", "Slip.", "- Keeper: asleep.", "# Toll", "Nobody is spared.",
]

["example Broke"]
title = "One crossing"
instead = ["Ann pays the keeper.", "- Toll: she pays two, and holds:", "- She runs."]
draws = ["hand"]
captions = ["Ann"]

["index"]
instead = ["Slip", "Keeper: Turn"]
"""


def renew(path: Path) -> None:
    beside = path.with_suffix(".words")
    beside.write_text(update_digests(cardlang.load(path), beside), encoding="utf-8")


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
