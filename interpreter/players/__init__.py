"""Players that are not people: bots by name (`levels`), their search and inference, and the hints derived from them.

Each bot decides for the current player and uses only that player's knowledge. Its randomness comes from a stream of its
own.

Imports: `game`, `interpreter`, `interpreter.matches`, `interpreter.native`, `interpreter.ranking`.
"""
