"""The table: what a person should see of a match, as one value that every screen draws. Made of `view` and the game
alone, so it can tell nothing that the player does not know.

Imports: `codec`, `game`, `source`, `suits`, `words`, `interpreter`, `interpreter.matches`, `interpreter.ranking`.
"""
