"""Golden checksums: the first 200 decisions of every bundled game, equal on all platforms.

`python -m tests.golden` prints the checksums, `python -m tests.golden write` saves them. They change with a game, the
order of moves or the wording of the log. The playthroughs and log tests show what changed."""
