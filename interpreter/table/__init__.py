"""The table: everything a person should see of a match, in one value that every screen draws.

It is made from a `View` and the game alone, so it cannot reveal hidden information.

Imports: `codec`, `game`, `source`, `suits`, `words`, `interpreter`, `interpreter.matches`, `interpreter.ranking`.
"""
