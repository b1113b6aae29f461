"""Interpreter of checked games: compiler, runtime, matches, bots and game trees.

`lower` compiles a game to an IR, `optimize` rewrites it, and `codegen` generates Python or C from it. A `Match` runs
the program from decision to decision. The package knows the meaning of a game, not its source text."""

from __future__ import annotations
