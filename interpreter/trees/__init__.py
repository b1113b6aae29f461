"""Game trees with explicit chance nodes, whose outcomes a script determines.

Imports: `game`, `interpreter`, `interpreter.matches`.
"""
