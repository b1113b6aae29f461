"""Small games with known solutions."""

from __future__ import annotations

ROCK = """\
game "Rock, Paper, Scissors" for 2 players
ordered kind Sign: Rock (R), Paper (P), Scissors (S)
cards Signs in box
  2 of each Sign
zone box seen by nobody
zone your hand seen by owner
zone your bid holds 1
number your score

define your points as
  2 when bid's sign = Rock and (first of your others)'s bid's sign = Scissors
  1 when bid's sign = Paper and (first of your others)'s bid's sign = Rock
  1 when bid's sign = Scissors and (first of your others)'s bid's sign = Paper
  otherwise 0

step setup
  each player
    each Sign
      take first of (box where sign = that Sign) to your hand

step play
  together each player
    you play 1 from your hand to your bid
  each player
    add your points to your score
    subtract (first of your others)'s points from your score
"""
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
