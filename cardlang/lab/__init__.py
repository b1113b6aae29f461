"""The balance lab: what many matches of bots say about a game. Each match is watched (`watching`), what it tells is
added up (`summing`), figures and verdicts are made of the sums (`judging`), laid out as a report (`report`, with the
plots of `drawing`), and that as a page (`page`). Nothing is read or written here.

Imports: `checks`, `game`, `source`, `templates`, `words`, `interpreter`, `interpreter.matches`, `interpreter.players`,
`interpreter.ranking`.
"""
