"""Counting hands exactly: how many there are of each value of a definition, class by class.

Imports: `game`, `plain_text`, `source`, `words`, `interpreter`, `interpreter.lowering`, `interpreter.matches`,
`interpreter.ranking`.
"""
