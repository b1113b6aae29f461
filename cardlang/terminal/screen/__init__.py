"""The full screen: a table drawn in characters, and the program around it that takes keys and the mouse. It alone
imports Textual.

Imports: `drawing`, `game`, `plain_text`, `terminal`, `interpreter.matches`, `interpreter.table`.
"""
