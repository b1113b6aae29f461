"""Players that are not people: bots by name (`levels`), what they think with, and the hints that come of it. Each
decides for the player who is asked and uses nothing but what that player knows; chance comes from a stream of its
own.

Imports: `game`, `interpreter`, `interpreter.matches`, `interpreter.native`, `interpreter.ranking`.
"""
