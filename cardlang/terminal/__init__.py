"""Play at a terminal: session, command parser, and two front ends. `lines` prints plain lines for screen readers and
files. `screen` is the full screen. Both draw a match from its `Table` only.

Imports: `drawing`, `game`, `plain_text`, `source`, `words`, `interpreter`, `interpreter.matches`,
`interpreter.table`."""
