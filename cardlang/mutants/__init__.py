"""Small changes to the rules of a game, and which of them its examples notice.

Imports: `cardlang`, `game`, `reading`, `source`, `interpreter`, `interpreter.matches`, `interpreter.ranking`.
"""
