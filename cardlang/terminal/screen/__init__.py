"""Full-screen terminal front end: a table drawn in characters, and the application that handles keys and the mouse.
Only this package imports Textual.

Imports: `drawing`, `game`, `plain_text`, `terminal`, `interpreter.matches`, `interpreter.table`."""
