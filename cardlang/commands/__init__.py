"""Commands of `cardlang`. Each module has one click command, named `command`, or helpers for one.

Commands connect `cardlang` with `interpreter`. Only this package and `terminal` print or ask questions.

Imports: `cardlang`, `checks`, `cookbook`, `differences`, `disk`, `drawing`, `explanations`, `extras`, `game`, `kept`,
`lab`, `limits`, `mutants`, `plain_text`, `printing`, `rarity`, `reading`, `report`, `rulesheet`, `source`, `terminal`,
`told`, `web`, `words`, `interpreter`, `interpreter.matches`, `interpreter.native`, `interpreter.odds`,
`interpreter.players`, `interpreter.ranking`, `interpreter.solving`.
"""
