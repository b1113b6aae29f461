"""Lower a checked game to its intermediate representation (IR).

Imports: `game`, `source`, `interpreter`, `interpreter.lowered`, `interpreter.passes`."""
