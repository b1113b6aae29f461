"""Repairs of adjacent words: a missing hyphen, apostrophe or `do`. They depend on the names in the rest of the file."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cardlang.limits import TEXT
from cardlang.reading.draft import Edit
from cardlang.reading.syntax import Finding, Line, Token, near_words, shown, tried
from cardlang.reading.tables import keywords
from cardlang.source import Diagnostic, Source

OWNED_WORDS = ("left", "others")
"""Keywords that can follow an owner."""
NAMING = (
    r"(?:option|(?:ordered |secret )?(?:kind|cards|zone|number|flag|player|define|order|ranking|step|reaction|announce"
    r"|[A-Z][\w-]*)) (?:your |[\w-]+'s? )?"
)
LONGEST_NAME = 4


def missing_do(line: Line) -> Iterator[Finding]:
    """Suggest `do` before a line that only names a step, such as `round` or `your turn`."""
    text = line.draft.text[line.start : line.end]
    match = re.match(r"(your |[\w-]+'s? )?([A-Za-z][\w-]*)(?= with |\s*$)", text)
    step = match and declared_step(line.draft.source, match[2])
    if line.above is None or not match or not step:
        return
    whose = match[1] or step[1] or ""
    called = f"{whose}{match[2]}"
    message = f"{shown(called)} is a step. To run it, write {shown(f'do {called}')}"
    end = line.start + match.end()
    found = Diagnostic("E103", message, line.span(line.start, end))
    yield from tried(line, Edit(line.start, end, f"do {called}"), found)


def declared_step(source: Source, name: str) -> re.Match[str] | None:
    return re.search(rf"^[ \t]*step (your )?{re.escape(name)}(?![\w-])", source.text, re.MULTILINE)


def side_by_side(line: Line) -> Iterator[Finding]:
    """Suggest a hyphen or an apostrophe: `redraw-limit` for `redraw limit`, `players' hand` for `players hand`."""
    if two_names(line):
        yield from joined(line)
        yield from possessive(line)


def two_names(line: Line) -> bool:
    """Return whether parsing stopped at a name directly after another name."""
    tokens, at = line.tokens, line.at
    if not 0 < at < len(tokens) or not all(token.text[0].isalpha() for token in tokens[at - 1 : at + 1]):
        return False
    return tokens[at].text not in keywords() or tokens[at].text in OWNED_WORDS


def joined(line: Line) -> Iterator[Finding]:
    """Suggest hyphens between words, in the place of a name or if the file declares the joined name."""
    tokens, at = line.tokens, line.at
    if any(reads_as(line, tokens[at], word) for word in near_words(tokens[at].text)):
        return
    naming = re.fullmatch(NAMING, line.draft.text[line.start : tokens[at - 1].start]) is not None
    for last in range(at, min(len(tokens), at - 1 + LONGEST_NAME)):
        words = [token.text for token in tokens[at - 1 : last + 1]]
        if not words[-1][0].isalnum() or (words[-1] in keywords() and words[-1] not in OWNED_WORDS):
            return
        if naming or is_given(line.draft.source, words):
            start, end, name = tokens[at - 1].start, tokens[last].end, "-".join(words)
            message = f"a name is one word. Join its parts with a hyphen: {shown(name)}"
            found = Diagnostic("E103", message, line.span(start, end))
            yield from tried(line, Edit(start, end, name), found, beyond(line, last + 1))


def reads_as(line: Line, token: Token, word: str) -> bool:
    """Return whether the line parses further with a keyword in place of a name, as in `market hold 1`."""
    return line.goes_further(Edit(token.start, token.end, word), line.end)


def beyond(line: Line, number: int) -> int:
    """Return the offset that parsing must reach with a repair.

    It is past this token only, as more errors may follow."""
    return line.tokens[number].end - 1 if number < len(line.tokens) else line.end


def is_given(source: Source, words: list[str]) -> bool:
    """Return whether the file declares the name that these words make, with hyphens or spaces."""
    naming = rf"^[ \t]*{NAMING}{'[ -]'.join(map(re.escape, words))}(?![\w-])"
    return re.search(naming, source.text, re.MULTILINE) is not None


def possessive(line: Line) -> Iterator[Finding]:
    """Suggest an apostrophe if the file has a player or other owner of that name."""
    owner = line.tokens[line.at - 1]
    for name, form in owned_forms(owner.text).items():
        if name == "players" or may_own(line, name):
            message = f"missing apostrophe. Write {shown(form)} instead of {shown(owner.text)}"
            found = Diagnostic("E103", message, line.span(owner.start, owner.end))
            yield from tried(line, Edit(owner.start, owner.end, form), found, beyond(line, line.at + 1))


def perhaps_one(line: Line) -> Iterator[Finding]:
    """Report two adjacent names whose relation is unknown."""
    if not two_names(line):
        return
    owner, owned = line.tokens[line.at - 1 : line.at + 1]
    form = [*owned_forms(owner.text).values()][-1]
    message = f"unexpected word {shown(owned.text)} after {shown(owner.text)}"
    hint = f"write `{form} {owned.text}` for an owner and what it owns, or `{owner.text}-{owned.text}` for one name"
    found = Diagnostic("E103", message, line.span(owner.start, owned.end), hint)
    if owner.text not in keywords():
        yield from (Finding(each.diagnostic) for each in tried(line, Edit(owner.start, owner.end, form), found))


def owned_forms(word: str) -> dict[str, str]:
    """Return the possessive forms of a word without its apostrophe, by the owner's name."""
    if word == "players":
        return {word: "players'"}
    return {word: f"{word}'", word[:-1]: f"{word[:-1]}'s"} if word.endswith("s") else {word: f"{word}'s"}


def may_own(line: Line, name: str) -> bool:
    """Return whether the file has a player, card or other owner of that name."""
    text = re.sub(rf"{TEXT}|#[^\n]*", "", line.draft.source.text)
    naming = rf"(?:\b(?:player|card|choose|choose one|with|as)|,) {re.escape(name)}(?![\w-])"
    return re.search(rf"{naming}|(?<![\w-]){re.escape(name)}'", text) is not None
