"""Suggestions for everyday English such as `deal 6 cards to each player`: lines of the language with its meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cardlang import cookbook
from cardlang.reading.draft import Edit
from cardlang.reading.everyday_moves import MOVES
from cardlang.reading.everyday_names import EACH, NUMBERS, Names, names_of
from cardlang.reading.everyday_rules import ADVICE, ITEMS, RULES
from cardlang.reading.shapes import ITEMS as DECLARATIONS
from cardlang.reading.shapes import STATEMENTS, SYNONYMS
from cardlang.reading.syntax import OTHERWISE, WORD, Finding, Line, shown, tried
from cardlang.reading.tables import keywords
from cardlang.source import Diagnostic

JOINED = re.compile(r"(.+?)(?:,? and then|,? then|,? and|[,;]) (.+)")
CONDITIONAL = re.compile(r"(?:if|when|whenever) (.+?)(?:, then|,| then) (.+)")
ALL_PLAYERS = re.compile(rf"(each other player|{EACH}) (.+)")
THIRD_PERSON = re.compile(r"((?:^| and | then |, )(?:\w+?(?:ss|ch|sh)(?=es\b)|\w+?(?=s\b)(?<!s)))e?s\b")
LATE_CONDITION = re.compile(r"(?!you may)(.+?),? (?:if|when|whenever) (.+)")
NO_CARDS = re.compile(r"you have no (?:more )?cards(?: left)?(?: in (?:your )?hand)?")
STARTS_CONDITION = ("if", "when", "whenever")
LONGEST = 20
"""A longer sentence is not searched for the place where its condition ends."""
DECLARED = re.compile(r"^\S.*|(?:\bas|\bchoose|\bwith|,) [\w-]+", re.MULTILINE)
GENERIC = ("E101", "E102", "E104", "E116")
REPAIRED = ("E102", "E103", "E104")
"""Codes of lines that cannot be read whose cure may miss what an English sentence means: without and with a repair."""
DEPTH = 2
"""Maximum nesting depth of clauses to translate."""


def everyday(line: Line) -> Iterator[Finding]:
    """Yield a suggestion for a whole line of everyday English."""
    if not line.tokens:
        return
    last = line.tokens[-2] if len(line.tokens) > 1 and line.tokens[-1].text[0] in '"“' else line.tokens[-1]
    start, end = line.tokens[0].start, last.end
    text = line.draft.text[start:end]
    plain = (text[:1].lower() + text[1:]).rstrip(".!")
    names = names_of(line.draft.source.text, line.draft.place(start))
    meant = item(names, plain) if line.above is None else statements(names, plain, int(plain != text))
    if meant:
        edit = Edit(start, end, f"\n{line.statement.margin}".join(meant))
        problem = f"{message(meant)} instead of {shown(text)}"
        yield from tried(line, edit, Diagnostic("E114", problem, line.span(start, end)))
        return
    if line.above is not None and (meant := item(names, plain)):
        problem, cure = f"{shown(text)} belongs at the left edge", f"there, {message(meant).rstrip(',')}"
        yield Finding(Diagnostic("E114", problem, line.span(start, end), cure))
        return
    for pattern, problem, cure in ADVICE:
        said = re.fullmatch(pattern, plain)
        if said:
            cure = re.sub(r"(?<== )\w+", lambda number: NUMBERS.get(number[0], number[0]), said.expand(cure))
            yield Finding(Diagnostic("E114", said.expand(problem), line.span(start, end), cure))
            return


def in_cookbook(line: Line, found: Finding) -> str:
    """Return where the cookbook helps with a line of unknown words, or an empty string if there is a good repair."""
    code, tokens = found.diagnostic.code, line.tokens
    if code not in (REPAIRED if found.edit else GENERIC) or not tokens or tokens[0].text in OTHERWISE:
        return ""
    unsure = line.above is not None or tokens[0].text not in DECLARATIONS
    unknown = 0 if "VERB" in line.stop.expected and len(tokens) > 2 else 1 if unsure else 3
    if found.edit:
        unknown = 2 if code == "E104" else 3
    text, words = line.draft.source.text, {token.text.lower(): None for token in tokens if token.text[0].isalpha()}
    others = text[: line.statement.start] + text[line.statement.end :]
    known = {word.lower() for part in DECLARED.findall(others) for word in WORD.findall(part)} | keywords() - {"the"}
    vague = not found.edit and ("VERB" in line.stop.expected or not found.diagnostic.hint)
    return cookbook.advice(" ".join(words), vague) if len(words.keys() - known) >= unknown else ""


def item(names: Names, text: str) -> list[str]:
    """Return the lines of a declaration, or an empty list if the meaning is unknown."""
    found = (lines(names, said) for pattern, lines in ITEMS if (said := re.fullmatch(pattern, text)))
    return next(filter(None, found), [])


def statements(names: Names, text: str, depth: int = 0) -> list[str]:
    """Return the lines of a step, or an empty list if the meaning is unknown."""
    text = names.with_zones(text)
    found = (lines(names, said) for pattern, lines in (*MOVES, *RULES) if (said := re.fullmatch(pattern, text)))
    meant = next(filter(None, found), []) or (combined(names, text, depth + 1) if depth < DEPTH else [])
    first, space, rest = text.partition(" ")
    if not meant and space and first in SYNONYMS:
        meant = statements(names, f"{SYNONYMS[first][0]} {rest}", DEPTH)
        meant = [] if meant[:1] == [f"{SYNONYMS[first][0]} {rest}"] else meant
    return meant or ([text] if depth and text.partition(" ")[0] in STATEMENTS else [])


def combined(names: Names, text: str, depth: int) -> list[str]:
    """Return the lines of a compound sentence: with a condition, about each player, or with two clauses."""
    for condition, rest in conditions(text):
        then = statements(names, rest, depth)
        if then and ("," in text or then != [rest]):
            return [f"if {NO_CARDS.sub(f'your {names.hand} is empty', condition)}", *indented(then)]
    if said := ALL_PLAYERS.fullmatch(text):
        each = statements(names, THIRD_PERSON.sub(r"\1", said[2]), depth)
        head = "each player in your others" if "other" in said[1] else "each player"
        return [head, *indented(each)] if each else []
    if said := JOINED.fullmatch(text):
        first, second = statements(names, said[1], depth), statements(names, said[2], depth)
        return [*first, *second] if first and second else []
    return []


def conditions(text: str) -> Iterator[tuple[str, str]]:
    """Split a sentence into a condition and what happens then; without a comma, wherever that can be."""
    if said := CONDITIONAL.fullmatch(text):
        yield said[1].removeprefix("the "), said[2]
        return
    if said := LATE_CONDITION.fullmatch(text):
        yield said[2].removeprefix("the "), said[1]
        return
    first, *words = text.split()
    if first in STARTS_CONDITION and len(words) < LONGEST:
        for at in range(2, len(words)):
            yield " ".join(words[:at]).removeprefix("the "), " ".join(words[at:])


def indented(lines: list[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def message(meant: list[str]) -> str:
    """Return the lines to write: the first one, and lines below it or indented below it."""
    head, *rest = (f"`{line.strip()}`" for line in meant)
    if not rest:
        return f"write {head}"
    if all(line.startswith(" ") for line in meant[1:]):
        return f"write {head}, and indented below it {' and '.join(rest)},"
    return f"write {', then '.join([head, *rest])},"
