"""Playing at a terminal: a session, typed lines, and two ways to show a table: lines for screen readers and files, and
the full screen (`screen`). What they show of a match is its table.

Imports: `drawing`, `game`, `plain_text`, `source`, `words`, `interpreter`, `interpreter.matches`, `interpreter.table`.
"""
