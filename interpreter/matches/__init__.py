"""A match and what people see of it: moves, views, the log, records, examples, bots. What
a player is shown of a match comes from `view`.

Imports: `disk`, `game`, `plain_text`, `playing`, `source`, `suits`, `words`, `interpreter`, `interpreter.ranking`,
`interpreter.table`.
"""
