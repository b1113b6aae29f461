"""Generate Python from the IR.

Imports: `interpreter`, `interpreter.lowered`, `interpreter.lowering`."""
