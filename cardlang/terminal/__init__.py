"""Playing at a terminal: the table drawn, moves asked for, and lines for screen readers and files.
What it shows of a match is a view.

Imports: `game`, `plain_text`, `source`, `suits`, `interpreter`, `interpreter.matches`.
"""
