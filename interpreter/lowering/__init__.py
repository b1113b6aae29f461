"""From a checked game to its lowered program.

Imports: `game`, `source`, `interpreter`, `interpreter.lowered`, `interpreter.passes`.
"""
