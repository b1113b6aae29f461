"""Recorded matches of the shipped games, one file for each game and number of players.

A file begins with the game, the variant, the players and the seed; then comes a line for each decision,
`NAME: move`, and at the end the scores and the winners. `python -m tests.playthroughs write` writes them anew: read
what has changed against the rules of the game before you keep it.
"""
