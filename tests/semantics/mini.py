"""Small game with one of everything, to which tests add lines."""

from __future__ import annotations

import cardlang

GAME = """\
game "Mini" for 2 to 4 players
kind Suit: Clubs (c), Hearts (h)
ordered kind Rank: 2 to 4, King (K)
cards Pack in deck
  1 of each Rank, Suit
cards Jokers in deck with power
  2 of "Joker" (Jo), 3
    define ready as your hand is not empty
    step effect
      draw top of deck to your hand
zone deck seen by nobody
zone table
zone your hand seen by owner
zone your shield holds 1
zone Suit's stack
number your score
number your tricks starts each round at 0
number round-number
flag your out
player leader starts at random of players
Suit trump
define lead as first of table's suit
define your playable as hand where suit = lead
order strength of card
  those where suit = trump
  higher rank
ranking Combo of 3 cards
  "Pair"
    2 Pack of one rank
define your best as Combo of hand
step play
  do round
step round
  shuffle deck
  each player from leader
    do your turn
step your turn
  you play 1 from your playable to table
step your pay with number amount
  add amount to your score
"""


def game(addition: str = "", variant: str | None = None) -> cardlang.Game:
    return cardlang.loads(GAME + addition, variant=variant)


def findings(addition: str, old: str = "", new: str = "") -> list[tuple[str, str]]:
    """Code and marked words of each error, with `old` in the game replaced by `new`."""
    assert old in GAME
    return [(each.code, each.span.text) for each in errors(addition, old, new)]


def errors(addition: str, old: str = "", new: str = "") -> list[cardlang.Diagnostic]:
    text = GAME.replace(old, new) if old else GAME
    try:
        cardlang.loads(text + addition)
    except cardlang.GameError as fault:
        return [each for each in fault.diagnostics if not each.warning]
    return []


def error(addition: str) -> cardlang.Diagnostic:
    """The only error."""
    (found,) = errors(addition)
    return found
