"""Small changes to the rules of a game, and which of them its examples notice.

Imports: `cardlang`, `game`, `plain_text`, `reading`, `source`, `interpreter`, `interpreter.matches`,
`interpreter.ranking`.
"""
