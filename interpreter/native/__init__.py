"""Native engine: generate C from the IR, compile and run it.

`engine_of` is the entry point. It returns a program as an `Engine`, or raises an error with the reason. Nothing is
compiled at installation. Without a compiler, Python plays everything.

Imports: `extras`, `game`, `own_folder`, `interpreter`, `interpreter.lowered`, `interpreter.lowering`,
`interpreter.matches`, `interpreter.ranking`."""
