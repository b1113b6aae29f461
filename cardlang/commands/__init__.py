"""The commands of `cardlang`, one module each; every module has `command`. Here the halves meet. Only here
and in `terminal` is anything printed or asked.

Imports: `cardlang`, `checks`, `differences`, `disk`, `drawing`, `explanations`, `extras`, `game`, `kept`, `lab`,
`limits`, `mutants`, `plain_text`, `printing`, `rarity`, `reading`, `report`, `rulesheet`, `source`, `terminal`, `told`,
`web`, `words`, `interpreter`, `interpreter.matches`, `interpreter.native`, `interpreter.odds`, `interpreter.players`,
`interpreter.ranking`, `interpreter.solving`.
"""
