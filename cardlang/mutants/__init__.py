"""Mutation testing: small changes to the rules of a game, and the examples that catch them.

Imports: `cardlang`, `game`, `plain_text`, `reading`, `source`, `interpreter`, `interpreter.matches`,
`interpreter.ranking`."""
