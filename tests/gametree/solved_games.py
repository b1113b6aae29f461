"""Small games with known solutions."""

from tests.game_files import read_game

ROCK = read_game("rock_paper_scissors")
"""Rock wins 2, the others 1. With shares r, p and s each answer is even: p = 2 s, s = r, 2 r = p; so 1/4, 1/2, 1/4."""

TAKING = read_game("last_card")
"""Who takes the last card wins, one to three a turn: lost for who begins if four divide the heap, won else."""
