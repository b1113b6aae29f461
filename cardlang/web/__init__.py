"""A server for friends in browsers: who sits at which table, what each of them is sent, what is kept. It draws nothing
itself: the page in `page/` draws what a seat is sent, which is its `Table` and public art, and nothing else.

Imports: `cardlang`, `disk`, `drawing`, `game`, `limits`, `plain_text`, `rulesheet`, `source`, `told`,
`words`, `interpreter`, `interpreter.matches`, `interpreter.players`, `interpreter.table`.
"""
