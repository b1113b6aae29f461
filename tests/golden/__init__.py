"""A checksum of two hundred decisions of every shipped game: the same seed gives the same game, on every platform and
in every version of Python.

`python -m tests.golden` prints the checksums, `python -m tests.golden write` keeps them. They change whenever a game,
the order of moves or the words of the log change; what changed is seen in the playthroughs and in the log tests.
"""
