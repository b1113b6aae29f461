"""Parts of the patterns in `english_rules/`, and the reader of those files.

`wordings.txt` replaces wordings by common ones, in its order. `conditions.txt`, `step_lines.txt` and
`declarations.txt` translate conditions, rules that belong in a step, and rules that belong at the left edge.
`examples.txt` has a similar statement for other sentences, `topics.txt` the heading of an entry of the cookbook.

A row is `pattern → line`. More lines follow indented, and more patterns for these lines come before, without `→`. A
pattern describes a sentence in common wording, and a word in capitals stands for one of `PARTS`. The lines name these
parts, and names of the game, in braces (see `GuessedNames`). `^` marks a declaration for the left edge. If no line
has the meaning, `!` marks the problem, and the cure follows. `?` marks a hint.
"""

from __future__ import annotations

from pathlib import Path

RANKED = "most|highest|biggest|greatest|largest|fewest|least|lowest|smallest"
PARTS = {
    "AMOUNT": r"(?P<n>up to \d+|\d+ (?:to|or) \d+|\d+ or more|\d+)",
    "NUMBER": r"(?P<n>\d+)",
    "CARDS": "cards?(?: of hand)?",
    "FROM": r"(?: (?:from|of|off|in|on) (?:top of )?(?P<source>(?:your )?[a-z][\w-]*))?",
    "ONTO": r" (?:to|on|onto|into|in) (?:1 )?(?:top of )?(?P<target>(?:your )?[a-z][\w-]*)",
    "ZONE": r"(?P<source>(?:your )?[a-z][\w-]*)",
    "THING": r"(?P<thing>(?!(?:cards?|tricks?|turns?|actions?|hands?|rounds?|random|of|or|more)\b)[a-z][a-z-]*)",
    "OTHER": r"(?P<other>(?!(?:cards?|sets?|runs?|pairs?)\b)[a-z][a-z-]*)",
    "BANK": "(?: (?:from|to) (?:(?:general |common )?(?:bank|supply|pool|box|treasury|reserve)))?",
    "ROLE": r"(?P<role>[a-z][\w-]*)",
    "WHO": rf"(?P<who>player with (?:{RANKED}) [a-z]+|[a-z][\w-]*)",
    "SIDE": "(?P<side>left|right|clockwise)",
    "GAIN": "(?:gains?|scores?|wins?|takes?|start with|begin with)",
    "MOST": f"(?P<most>{RANKED})",
    "MOVE": "(?P<verb>move|place|take|return|discard|remove|turn|deal|draw)",
    "PLAY": "(?P<verb>play|discard|lead|place|remove|return)",
    "NAME": r"(?P<name>[a-z][\w-]*)",
    "WHAT": r"(?:1 |an? )?(?P<what>(?:(?:red|black|green|blue|yellow) )?(?:\d+|[a-z]+?)(?:s? of [a-z]+?)?)s?",
    "SUM": r"(?P<sum>(?:number|value|amount|result|points?)(?: that)?"
    r"(?: you(?: have)? roll(?:ed)?| rolled| (?:on|of) (?:1 )?die)"
    r"|(?:your )?(?:die )?roll|as (?:much|many)(?: spaces| points)? as you roll(?:ed)?"
    r"|(?:sum|total|result|numbers?|values?)(?: (?:on|of|from))? (?:both |2 |your )?dice|both dice)",
    "RANGE": r"(?P<range>\d+ to [\w-]+)",
    "WINS": "(?: (?:at|in) end(?: of [a-z]+)?| after (?:last|final) [a-z]+)?(?: (?:wins|is winner)(?: game)?)?",
    "REACHES": "(?:reach|reaches|gains?|has|have|scores?|hits?|gets?(?: to)?)",
    "ROUND": "(?:round|turn|trick|hand|game)",
    "MAY": "(?P<may>may )?",
}
TIMES = {
    r"at (?P<at>start|beginning|end) of [a-z ]*?(?P<when>turn|round|trick|game|hand)s?": (
        "Put this line at the {at} of the step for a {when}"
    ),
    r"after (?:each|every) [a-z ]*?(?P<when>turn|round|trick|game|hand|deal)": (
        "Put this line at the end of the step for a {when}"
    ),
    r"before (?:each|every|1) (?P<when>deal|turn|round|trick|game|hand)": "Put this line before the {when}",
    r"(?:each|every) (?P<when>round|turn|hand|deal)": "Put this line in the step for a {when}",
    r"(?:on|during) (?:your|each) turn": "",
    r"first|then|next|finally|after that|afterwards": "",
}
"""When something happens, and a hint on where the line goes."""
RULES_FOLDER = Path(__file__).with_name("english_rules")


def read_english_rules(name: str) -> list[str]:
    """Return the lines of a table in `english_rules/`."""
    return (RULES_FOLDER / f"{name}.txt").read_text(encoding="utf-8").rstrip("\n").split("\n")
