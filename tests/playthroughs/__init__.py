"""Recorded matches of the bundled games, one file for each game and player count.

A file starts with the game, the variant, the players and the seed, continues with a line `NAME: move` for each
decision, and ends with the scores and winners. `python -m tests.playthroughs write` rewrites them. Compare the
changes with the rules of the game before you commit them."""
