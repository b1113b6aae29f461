"""Small games with known solutions."""

from __future__ import annotations

from tests.game_files import read_game

ROCK = read_game("rock_paper_scissors")
"""Rock wins 2, the others 1. With shares r, p and s each answer is even: p = 2 s, s = r, 2 r = p; so 1/4, 1/2, 1/4."""

TAKING = """\
game "Last Card" for 2 players
kind Sort: Card (C)
cards Cards in heap
  {count} of each Sort
zone heap
zone gone
player last
define winners as players where it = last

step play
  repeat until heap is empty
    each player
      if heap is not empty
        you choose number from 1 to lowest of (3, count of heap)
        move top number of heap to gone
        set last to you
"""
"""Who takes the last card wins, one to three a turn: lost for who begins if four divide the heap, won else."""
