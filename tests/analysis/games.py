"""Small games whose results can be computed by hand."""

from tests.game_files import read_game

RACE = read_game("race")
"""Three rounds where every player moves or rests."""

FIRST = read_game("first")
"""The first player wins, or the match is shared by all."""

ENDLESS = read_game("endless")

ALONE = read_game("alone")
