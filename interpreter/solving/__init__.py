"""Solver for small two-player games: near-optimal strategies and the value of the game.

Imports: `game`, `interpreter`, `interpreter.matches`, `interpreter.odds`, `interpreter.trees`, `source`.
"""
