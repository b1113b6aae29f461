"""Games as trees in which chance is a player, whose outcomes are told and not drawn.

Imports: `game`, `interpreter`, `interpreter.matches`.
"""
