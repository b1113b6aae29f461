"""Small games whose results can be computed by hand."""

from __future__ import annotations

RACE = """\
game "Race" for 2 players
kind Face: A (A)
cards Pieces in box
  1 of each Face
zone box seen by nobody
number your score called "point"
number lap
number gained called "gain" starts each round at 0
step play
  repeat until lap = 3
    do round
step round
  add 1 to lap
  each player
    do your turn
step your turn
  you choose one
    option move
      add 1 to your score
      add 1 to gained
    option rest
"""
"""Three rounds where every player moves or rests."""

FIRST = """\
game "First" for 2 to 3 players
kind Face: Good (G), Bad (B)
cards Pieces in box
  1 of each Face
zone box
zone your hand seen by owner
number your score called "point"
number lap
player mover starts at first of players
step play
  do mover's turn
step your turn
  you choose one
    option win
      add worth to your score
    option lose
    option never when lap > 0
      add 1 to lap
define worth as
  5 when lap > 0
  otherwise 2
"""
"""The first player wins, or the match is shared by all."""

ENDLESS = """\
game "Endless" for 2 players
kind Face: A (A)
cards Pieces in box
  1 of each Face
zone box seen by nobody
number your score called "point"
step play
  repeat
    each player
      do your turn
step your turn
  you choose one
    option move
      add 1 to your score
    option rest
"""

ALONE = """\
game "Alone" for 1 players
kind Face: A (A)
cards Pieces in box
  1 of each Face
zone box seen by nobody
number your score called "point"
player mover starts at first of players
step play
  do mover's turn
step your turn
  you choose one
    option win
      add 1 to your score
    option lose
"""
