"""Exact enumeration of hands: count the hands with each value of a definition, by classes of equivalent cards.

Imports: `game`, `plain_text`, `source`, `words`, `interpreter`, `interpreter.lowering`, `interpreter.matches`,
`interpreter.ranking`.
"""
