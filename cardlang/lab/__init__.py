"""Balance reports: statistics on matches between bots.

`watching` records a match and `summing` adds matches up. `judging` computes figures and verdicts from the sums,
`report` lays them out with the plots of `drawing`, and `page` makes the HTML. This package reads and writes no files.

Imports: `checks`, `game`, `source`, `templates`, `words`, `interpreter`, `interpreter.matches`, `interpreter.players`,
`interpreter.ranking`."""
