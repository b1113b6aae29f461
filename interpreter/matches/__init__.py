"""A match and its views: moves, the event log, records, examples and undo.

People and bots learn about a match only through `view`, which contains a player's information state.

Imports: `disk`, `game`, `plain_text`, `playing`, `source`, `suits`, `words`, `interpreter`, `interpreter.ranking`,
`interpreter.table`.
"""
