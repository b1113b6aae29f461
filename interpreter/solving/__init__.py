"""Solving games for two players that are small enough: what is best, and what it is worth.

Imports: `game`, `interpreter`, `interpreter.matches`, `interpreter.odds`, `interpreter.trees`, `source`.
"""
