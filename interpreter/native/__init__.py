"""Lowered programs as C, made into machine code where there is something to make it with, and played by it.

`engine_of` is the door: a program as an `Engine`, or the reason why there is none. Nothing is compiled when the package
is installed; without a compiler all is played by the Python.

Imports: `extras`, `game`, `own_folder`, `interpreter`, `interpreter.lowered`, `interpreter.lowering`,
`interpreter.matches`, `interpreter.ranking`.
"""
