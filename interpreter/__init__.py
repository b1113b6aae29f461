"""Play checked games: the match engine.

`lowering` compiles a game to an IR, `python` generates Python from it, and a `Match` runs from decision to decision.
The package knows the meaning of a game, not its source text.

Imports: `codec`, `disk`, `extras`, `game`, `own_folder`, `plain_text`, `playing`, `source`, `suits`, `words`."""
