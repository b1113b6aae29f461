"""Web server for friends in browsers: tables and seats, per-seat messages, storage.

The server draws nothing. The client in `page/` draws what its seat receives: a `Table` and public card art, nothing
else.

Imports: `cardlang`, `disk`, `drawing`, `game`, `limits`, `plain_text`, `rulesheet`, `source`, `told`, `words`,
`interpreter`, `interpreter.matches`, `interpreter.players`, `interpreter.table`."""
