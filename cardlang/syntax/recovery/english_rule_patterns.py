"""Parts of the patterns in `english_rules/`, and the reader of those files.

`wordings.txt` replaces wordings by common ones, in its order. `conditions.txt`, `step_lines.txt` and
`declarations.txt` translate conditions, rules that belong in a step, and rules that belong at the left edge.
`examples.txt` has a similar statement for other sentences, `topics.txt` the heading of an entry of the cookbook.
`times.txt` has the wordings of when something happens, with a hint on where its line goes. `moves.txt` has the verbs of
moves with the verb of the language, and where cards come from and go to unless the sentence says so.

A row is `pattern → line`. More lines follow indented, and more patterns for these lines come before, without `→`. A
pattern describes a sentence in common wording, and a word in capitals stands for a part of `parts.txt`. The lines
name these parts, and names of the game, in braces (see `GuessedNames`). `^` marks a declaration for the left edge. If
no line has the meaning, `!` marks the problem, and the cure follows. `?` marks a hint.
"""

from __future__ import annotations

from pathlib import Path

RANKED = "most|highest|biggest|greatest|largest|fewest|least|lowest|smallest"
RULES_FOLDER = Path(__file__).with_name("english_rules")


def read_english_rules(name: str) -> list[str]:
    """Return the lines of a table in `english_rules/`."""
    return (RULES_FOLDER / f"{name}.txt").read_text(encoding="utf-8").rstrip("\n").split("\n")


def read_rows(name: str) -> list[tuple[str, str]]:
    """Return the rows of a table with one pattern and one line each."""
    return [(before, after[1:]) for before, _, after in (line.partition(" →") for line in read_english_rules(name))]


PARTS = {part: pattern.replace("RANKED", RANKED) for part, pattern in read_rows("parts")}
